"""`Prompt`: a template in one mode, from utterance to conversation and from phones to answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.models.prompts.conversation import AUDIO, Conversation, Example, Turn
from pedkit.models.prompts.template import PromptTemplate, fill, load_template
from pedkit.models.prompts.user_text import plain_text
from pedkit.phones import ARPABET_TO_IPA, Projector, get_inventory

MODES = ("unscripted", "scripted")
_FORM = 1
"""Raised whenever this file or `plain_text` makes another conversation out of the same template."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked of every utterance, and how it is to answer.

    Args:
        template: The wording.
        mode: ``unscripted``: the recording only; ``scripted``: also the intended text and its canonical phones.

    Raises:
        PedkitError: The mode is unknown, or the template has no such form.
    """

    template: PromptTemplate
    mode: Literal["unscripted", "scripted"] = "unscripted"

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise PedkitError(f"expected the mode of a prompt to be one of {', '.join(MODES)}, got {self.mode!r}")
        if self.mode == "scripted" and self.template.scripted is None:
            raise PedkitError(f"the prompt {self.template.name!r} has no scripted form")

    @property
    def inventory(self) -> str:
        """Inventory of the phones in an answer."""
        return self.template.inventory

    @property
    def name(self) -> str:
        """Template, version and mode: ``cmu39_json v1 scripted``."""
        return f"{self.template.name} v{self.template.version} {self.mode}"

    @property
    def hash(self) -> str:
        """Hash of a request without examples, see `request_hash`."""
        return self.request_hash()

    def request_hash(self, examples: Sequence[Example] = ()) -> str:
        """Return the sha256 (hexadecimal) over everything that changes a request but the utterance itself.

        That is every text with its placeholders filled as far as they do not depend on the utterance, the mode,
        the key and the spelling of the answer, and of each example the texts, the answer and the recording. Name
        and version of the template are not in it: the same words under another name are the same request.
        """
        shown = [
            {"turns": _spelled(self._question(one.utterance)), "answer": one.answer, "audio": one.audio_hash}
            for one in examples
        ]
        content = {
            "form": _FORM,
            "mode": self.mode,
            "system": self._filled(self.template.system),
            "user": self._filled(self.template.user),
            "scripted": self.template.scripted if self.mode == "scripted" else None,
            "answer": self.answer(get_inventory(self.inventory).phones),
            "examples": shown,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def conversation(self, utterance: Utterance, examples: Sequence[Example] = ()) -> Conversation:
        """Return the turns up to the one in which the model answers.

        Args:
            utterance: Whose recording is asked about.
            examples: Recordings with their right answers, as earlier turns (few-shot). The `AUDIO` marks stand
                for the recordings of the examples and then that of the utterance (`clip_utterances`).

        Raises:
            PedkitError: The prompt is scripted and an utterance has no text, no canonical phones or no inventory.
        """
        turns = [Turn("system", (self._filled(self.template.system),))]
        for example in examples:
            turns += [self._question(example.utterance), Turn("assistant", (example.answer,))]
        return (*turns, self._question(utterance))

    def answer(self, phones: Iterable[str]) -> str:
        """Return the answer with these CMU-39 phones: ``{"transcription": "θ ɪ ŋ k"}``.

        Raises:
            PedkitError: A phone is not in the inventory.
        """
        return json.dumps({self.template.key: self._ipa(phones)}, ensure_ascii=False)

    def example(self, utterance: Utterance, audio_hash: str | None = None) -> Example:
        """Return an utterance with its realized phones as an example for few-shot prompts.

        Raises:
            PedkitError: The utterance has no realized phones or no inventory.
        """
        phones = self._projected(utterance, utterance.realized, "realized phones to show")
        return Example(utterance, self.answer(phones), audio_hash)

    def to_dict(self) -> dict[str, Any]:
        """Return what a run folder keeps, so that the same prompt can be built again."""
        return {"template": self.template.to_dict(), "mode": self.mode, "hash": self.hash}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Prompt:
        """Build the prompt that `to_dict` described.

        Raises:
            PedkitError: It gives another request than the one whose hash was kept.
        """
        prompt = cls(PromptTemplate.from_dict(content["template"]), content["mode"])
        if prompt.hash != content["hash"]:
            raise PedkitError(
                f"the prompt '{prompt.name}' gives other requests than when it was kept",
                hint="another version of pedkit made it, or its text was changed by hand",
            )
        return prompt

    def _question(self, utterance: Utterance) -> Turn:
        text = self._filled(self.template.user)
        if self.mode == "scripted":
            text += "\n" + self._filled(self.template.scripted or "", self._script(utterance))
        return Turn("user", (AUDIO, text))

    def _script(self, utterance: Utterance) -> dict[str, str]:
        text = plain_text(utterance.text or "")
        if not text:
            raise PedkitError(
                "has no text, which a scripted prompt shows",
                utterance=utterance.id,
                hint="prompt=unscripted needs none",
            )
        words = "canonical phones, which a scripted prompt shows"
        canonical = self._projected(utterance, utterance.canonical or None, words)
        return {"text": text, "canonical": self._ipa(canonical)}

    def _projected(self, utterance: Utterance, phones: tuple[str, ...] | None, words: str) -> tuple[str, ...]:
        if phones is None or utterance.inventory is None:
            missing = words if phones is None else "inventory"
            hint = "pedkit reference adds canonical phones" if "canonical" in missing else None
            raise PedkitError(f"has no {missing}", utterance=utterance.id, hint=hint)
        try:
            return _projector(utterance.inventory, self.inventory)(phones).phones
        except PedkitError as error:
            raise error.at(utterance=utterance.id) from None

    def _ipa(self, phones: Iterable[str]) -> str:
        inventory = get_inventory(self.inventory)
        return " ".join(ARPABET_TO_IPA[inventory.phones[inventory.index(phone)]] for phone in phones)

    def _filled(self, wording: str, values: Mapping[str, str] | None = None) -> str:
        inventory = get_inventory(self.inventory).phones
        known = {
            "phones": self._ipa(inventory),
            "count": str(len(inventory)),
            "key": self.template.key,
            "example": self.answer(self.template.example.split()),
        }
        return fill(wording, known | dict(values or {}))


def load_prompt(
    name: str = "cmu39_json", mode: Literal["unscripted", "scripted"] = "unscripted", version: int | None = None
) -> Prompt:
    """Return a prompt.

    Args:
        name: A shipped template (``cmu39_json``), or a ``.json`` file of the same form.
        mode: ``unscripted``, or ``scripted``: with the intended text and its canonical phones.
        version: Version of a shipped template; the newest where ``None``.

    Raises:
        PedkitError: There is no such template, or it has no such mode.
    """
    return Prompt(load_template(name, version), mode)


def _spelled(turn: Turn) -> list[str]:
    return [part if isinstance(part, str) else f"<{part.value}>" for part in turn.parts]


@cache
def _projector(source: str, target: str) -> Projector:
    return Projector(source, target)
