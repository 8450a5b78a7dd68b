"""From conversations to the text that a model reads before it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pedkit.errors import PedkitError

if TYPE_CHECKING:
    from pedkit.models.prompts import Conversation


def render_prompt(processor: Any, conversation: Conversation, *, name: str | None = None) -> str:
    """Write a conversation with the model's own chat template, up to where its answer begins.

    Args:
        processor: Processor of the model.
        conversation: Turns whose parts are text or audio marks.
        name: Utterance, for messages.

    Raises:
        PedkitError: There is no audio, a text holds a control token of the model, or the template loses audio.
    """
    marks = audio_marks(conversation)
    if marks == 0:
        raise PedkitError("expected a prompt with audio, but it has none", utterance=name)
    control = control_tokens(processor.tokenizer) | {processor.audio_token}
    for turn in conversation:
        for part in turn.parts:
            if isinstance(part, str):
                _refuse_control(part, control, name)
    messages = [
        {
            "role": turn.role,
            "content": [
                {"type": "text", "text": part} if isinstance(part, str) else {"type": "audio"}
                for part in turn.parts
            ],
        }
        for turn in conversation
    ]
    text: str = processor.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    found = text.count(processor.audio_token)
    if found != marks:
        raise PedkitError(
            f"the chat template of the model writes {found} audio tokens for {marks} clips",
            utterance=name,
            hint="give each clip a turn of its own"
            if found
            else f"the template has to write {processor.audio_token!r} for a recording: take the checkpoint's own",
        )
    return text


def audio_marks(conversation: Conversation) -> int:
    """Return how many clips a conversation holds."""
    return sum(not isinstance(part, str) for turn in conversation for part in turn.parts)


def expand_audio(text: str, audio_token: str, tokens: Sequence[int]) -> str:
    """Repeat the audio token of each clip as often as the clip has audio tokens."""
    first, *rest = text.split(audio_token)
    return first + "".join(audio_token * count + piece for count, piece in zip(tokens, rest, strict=True))


def control_tokens(tokenizer: Any) -> set[str]:
    """Return the texts that a tokenizer reads as control tokens, wherever they come from."""
    added = {token.content for token in tokenizer.added_tokens_decoder.values() if token.special}
    return added | set(tokenizer.all_special_tokens)


def _refuse_control(text: str, control: set[str], name: str | None) -> None:
    for token in sorted(control, key=len, reverse=True):
        if token in text:
            raise PedkitError(
                f"the text of the prompt holds {token!r}, which the model reads as a control token", utterance=name
            )
