"""`Request`: a conversation with recordings as an OpenAI-compatible server takes it, and its key in the cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pedkit.models.prompts import AUDIO, Conversation, Turn
from pedkit.recognizers.hosted.sound import Sound


@dataclass(frozen=True, slots=True)
class Request:
    """One request.

    Attributes:
        server: Where it goes, with the path.
        model: What is asked.
        weights: Hash of the weights that the server holds under that name; ``None`` where it is not known.
        prompt_hash: Hash of the prompt.
        conversation: The turns.
        sounds: The recordings of its marks, in reading order.
        settings: Further keys of the request.
    """

    server: str
    model: str
    weights: str | None
    prompt_hash: str
    conversation: Conversation
    sounds: tuple[Sound, ...]
    settings: Mapping[str, Any]

    def body(self) -> dict[str, Any]:
        """Return what is sent."""
        return self._with([sound.part for sound in self.sounds])

    @property
    def key(self) -> str:
        """Hash of server, model, weights, prompt, every word, every recording and every setting."""
        content = [self.server, self.weights, self.prompt_hash, self._with([sound.mark for sound in self.sounds])]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def asked(self) -> dict[str, Any]:
        """Return what a line of the cache says of it, for people."""
        return {
            "model_asked": self.model,
            "server": self.server,
            **({} if self.weights is None else {"weights": self.weights}),
            "prompt_hash": self.prompt_hash,
            "audio_sha256": [sound.sha256 for sound in self.sounds],
            "settings": {name: value for name, value in self.settings.items() if name != "response_format"},
            "structured": "response_format" in self.settings,
        }

    def _with(self, audio: Sequence[Mapping[str, object]]) -> dict[str, Any]:
        left = iter(audio)
        messages = [{"role": turn.role, "content": _content(turn, left)} for turn in self.conversation]
        if next(left, None) is not None:
            raise ValueError(f"{len(audio)} recordings are more than the conversation has marks")
        return {"model": self.model, "messages": messages, **self.settings}


def _content(turn: Turn, audio: Iterator[Mapping[str, object]]) -> str | list[Mapping[str, object]]:
    """Return a turn's text, or its parts where there is audio in it."""
    if AUDIO not in turn.parts:
        return turn.text
    return [next(audio) if part is AUDIO else {"type": "text", "text": part} for part in turn.parts]
