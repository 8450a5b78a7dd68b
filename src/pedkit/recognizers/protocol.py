"""The one small protocol behind which everything that turns audio into phones stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError


class RecognizerStoppedError(PedkitError):
    """A fault that no other clip would be spared, such as a key that is not accepted: the run ends with it."""


@dataclass(frozen=True, slots=True)
class Clip:
    """An utterance with its samples: mono ``float32`` in [-1, 1], shape ``(samples,)``, at ``sample_rate`` Hz."""

    utterance: Utterance
    samples: npt.NDArray[np.float32]
    sample_rate: int = 16000

    @property
    def seconds(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.sample_rate


@runtime_checkable
class Recognizer(Protocol):
    """Anything that hears phones.

    Attributes:
        name: Name of the system in reports and file names.
        inventory: Inventory of the phones it returns.
    """

    name: str
    inventory: str

    def transcribe(self, batch: Sequence[Clip]) -> list[Prediction]:
        """Return one `Prediction` a clip, in order. A clip that fails gets ``status="failed"`` and a reason.

        Raises:
            RecognizerStoppedError: Nothing else could be heard either.
        """
        ...


@runtime_checkable
class ScoringRecognizer(Recognizer, Protocol):
    """A recognizer that can also say how likely given phones are."""

    def log_likelihood(self, clip: Clip, phones: Iterable[str]) -> float:
        """Return the natural log-likelihood of ``phones`` given the clip (summed over all alignments).

        Raises:
            PedkitError: A phone is not in the recognizer's inventory, or the clip is too short for them.
        """
        ...


@runtime_checkable
class HostedProtocol(Recognizer, Protocol):
    """A recognizer that sends audio elsewhere, perhaps for money."""

    def admit(self, utterances: Iterable[Utterance]) -> None:
        """Check, before anything is sent, that all of these recordings may be passed on.

        Raises:
            PedkitError: One may not.
        """
        ...

    def usage(self, predictions: Iterable[Prediction]) -> dict[str, Any]:
        """Return what predictions of this recognizer used: requests, tokens, cost, latency, as plain data."""
        ...
