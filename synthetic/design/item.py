"""`DesignItem`: one recording to be made, and the form in which `design.jsonl` keeps it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from synthetic.design.operations import Operation, Pronunciation, operation_to_dict
from synthetic.engines.protocol import SpeechRequest


@dataclass(frozen=True, slots=True)
class DesignWord:
    """One word over canonical phones ``[start, end)``."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignItem:
    """A word, a sentence or a passage, the errors in it, and how it is to be said.

    Attributes:
        id: Unique in the design; also the id of the utterance and the stem of its audio file.
        split: ``train``, ``dev``, ``test_seen`` or ``test_unseen``.
        level: ``word``, ``sentence`` or ``passage``.
        text: What should be said, in letters.
        words: Its words over ``canonical``.
        canonical: Its pronunciation, ARPAbet with stress.
        operations: The errors, at canonical positions that rise; none where all is said as it should be.
        source: What the errors were drawn from; ``None`` where there are none.
        source_id: The recording whose error pattern is copied, else the design: folds are grouped by it.
        target_span: Canonical ``[start, end)`` of the word under test; ``None`` where no word was singled out.
        engine: Which of the engines is asked.
        request: What the engine is asked to say; ``request.phones`` is the realized pronunciation.
    """

    id: str
    split: str
    level: str
    text: str
    words: tuple[DesignWord, ...]
    canonical: Pronunciation
    operations: tuple[Operation, ...]
    source: str | None
    source_id: str
    target_span: tuple[int, int] | None
    engine: str
    request: SpeechRequest

    @property
    def realized(self) -> Pronunciation:
        """The pronunciation that is said, ARPAbet with stress."""
        return self.request.phones

    @property
    def design_id(self) -> str:
        """The word under test and its error, whoever says it: ``butter/sub@2:T>D``, ``butter/unedited``.

        Positions count from the start of the word, so that a word and the sentence it stands in have one name.
        Where no word is singled out it is the whole text. Several errors are joined by ``+``.
        """
        if self.target_span is None:
            return design_id(self.text, self.operations)
        start, end = self.target_span
        text = " ".join(word.text for word in self.words if start <= word.start and word.end <= end)
        return design_id(text, tuple(operation.moved(-start) for operation in self.operations))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the line in ``design.jsonl``."""
        request = self.request
        return {
            "id": self.id,
            "design_id": self.design_id,
            "source_id": self.source_id,
            "split": self.split,
            "level": self.level,
            "text": self.text,
            "words": [asdict(word) for word in self.words],
            "target_span": None if self.target_span is None else list(self.target_span),
            "canonical": list(self.canonical),
            "realized": list(self.realized),
            "operations": [operation_to_dict(operation) for operation in self.operations],
            "source": self.source,
            "engine": self.engine,
            "voice": request.voice,
            "rate": request.rate,
            "pitch": request.pitch,
            "noise_seed": request.noise_seed,
        }


def design_id(text: str, operations: tuple[Operation, ...]) -> str:
    """Return the name of a text and its errors."""
    return f"{text}/{'+'.join(map(str, operations)) or 'unedited'}"
