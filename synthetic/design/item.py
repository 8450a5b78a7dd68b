"""`DesignItem`: one recording to be made, and the form in which `design.jsonl` keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from synthetic.design.operations import Operation, Pronunciation, operation_to_dict
from synthetic.engines.protocol import SpeechRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignItem:
    """One word, the error in it, and how it is to be said.

    Attributes:
        id: Unique in the design; also the id of the utterance and the stem of its audio file.
        split: ``train``, ``dev``, ``test_seen`` or ``test_unseen``.
        word: The word as the lexicon spells it.
        canonical: Its pronunciation, ARPAbet with stress.
        operation: The error, or ``None`` where the word is said as it should be.
        source: Name of the error source that ``operation`` was drawn from.
        request: What the engine is asked to say; ``request.phones`` is the realized pronunciation.
    """

    id: str
    split: str
    word: str
    canonical: Pronunciation
    operation: Operation | None
    source: str | None
    request: SpeechRequest

    @property
    def realized(self) -> Pronunciation:
        """The pronunciation that is said, ARPAbet with stress."""
        return self.request.phones

    @property
    def design_id(self) -> str:
        """The word and its error, whoever says it: ``butter/sub@2:T>D``, ``butter/unedited``."""
        return f"{self.word}/{self.operation or 'unedited'}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the line in ``design.jsonl``."""
        request = self.request
        return {
            "id": self.id,
            "design_id": self.design_id,
            "split": self.split,
            "word": self.word,
            "canonical": list(self.canonical),
            "realized": list(self.realized),
            "operation": None if self.operation is None else operation_to_dict(self.operation),
            "source": self.source,
            "voice": request.voice,
            "rate": request.rate,
            "pitch": request.pitch,
            "noise_seed": request.noise_seed,
        }
