"""`Answer`: what became of one answer of a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from pedkit.data.prediction import Prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Phones of one answer, and by which rules they were found.

    Attributes:
        phones: The phones; empty unless ``status`` is ``ok``.
        inventory: ``cmu39`` (ARPAbet names) where every phone is exactly one of CMU-39, else ``ipa``: the
            evaluation projects them.
        status: ``ok``; ``empty``: the model said that it heard nothing; ``unparsable``: no phones can be read.
        outcome: The rules that were met, joined by ``+``: first the form of the answer, then how it deviated
            (docs/audio_language_models/answers.md lists them).
        reason: Why the status is not ``ok``, or what was left out of an answer that is.
        recovered: True where a cut-off answer was repaired.
        left_out: Symbols among the phones that are none.
    """

    phones: tuple[str, ...] = ()
    inventory: str = "cmu39"
    status: Literal["ok", "empty", "unparsable"] = "ok"
    outcome: str
    reason: str | None = None
    recovered: bool = False
    left_out: tuple[str, ...] = ()

    def prediction(self, name: str, raw: str, **facts: Any) -> Prediction:
        """Return the line of a predictions file.

        Args:
            name: Id of the utterance.
            raw: The answer as the model wrote it.
            facts: Further fields of `Prediction` (``seconds``, ``model``, ``prompt_hash``, ...).
        """
        return Prediction(
            id=name,
            phones=self.phones,
            inventory=self.inventory,
            raw=raw,
            status=self.status,
            reason=self.reason,
            recovered=self.recovered or None,
            outcome=self.outcome,
            left_out=self.left_out or None,
            **facts,
        )
