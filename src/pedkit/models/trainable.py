"""`TrainableModule`: what a LightningModule offers to `train.py`, whatever kind of model it trains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from torch import nn

from pedkit.data.batch import AudioBatch
from pedkit.data.dataset import PhoneDataset
from pedkit.models.epoch_means import EpochMeans


class HeardClip(Protocol):
    """What a model heard in one clip of a dev set.

    Attributes:
        phones: The phones.
        inventory: Their inventory; the module's where ``None``.
    """

    @property
    def phones(self) -> tuple[str, ...]:
        """The phones."""
        ...

    @property
    def inventory(self) -> str | None:
        """Their inventory."""
        ...

    def shares(self) -> Mapping[str, tuple[float, float]]:
        """Return logged metric -> (share, weight): their weighted means over a dev set are logged."""
        ...


@dataclass(frozen=True, slots=True)
class Unlearnable:
    """Train clips that a model cannot learn from.

    Attributes:
        name: What they are called, in one word.
        reason: What is wrong with them, as the rest of a sentence about clips.
        ids: Their utterances.
    """

    name: str
    reason: str
    ids: list[str]


class TrainableModule(Protocol):
    """A LightningModule whose validation step returns ``{"heard": [HeardClip, ...]}``.

    Attributes:
        kind: What a run folder says it holds; `pedkit.recognizers.from_run` and `pedkit.export` know each kind.
        inventory: Inventory of what it hears.
        means: What the batches of an epoch were like.
        total_steps: Updates of the whole training, set before the fit.
        hopeless: Dev metric -> what to say where it is 1 in the end.
    """

    kind: str
    inventory: str
    means: EpochMeans
    total_steps: int | None
    hopeless: Mapping[str, str]

    def check_data(self, train: PhoneDataset, dev: Mapping[str, PhoneDataset]) -> None:
        """Refuse data that the model cannot be trained or scored on, before hours are spent.

        Raises:
            PedkitError: An utterance does not fit; it is named.
        """
        ...

    def describe(self, folder: Path) -> dict[str, Any]:
        """Write the files from which a recognizer builds the model again, weights aside; return facts of it."""
        ...

    def unlearnable(self, data: PhoneDataset) -> Unlearnable:
        """Return the clips that it could not learn from."""
        ...

    def clips_at_once(self, clips: int) -> int:
        """Return how many clips of a batch go through the model together."""
        ...

    def probe(self) -> nn.Module:
        """Return what takes ``(waveforms, lengths)`` of a clip as a training step does, to measure its memory."""
        ...

    def shown(self, batch: AudioBatch) -> str:
        """Return as text what a batch teaches: everything the model is given, and what the loss is on."""
        ...
