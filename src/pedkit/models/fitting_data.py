"""What a model must be able to take of the data, looked at before hours are spent."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pedkit.data.dataset import PhoneDataset
from pedkit.errors import PedkitError


def expect_sample_rate(train: PhoneDataset, dev: Mapping[str, PhoneDataset], sample_rate: int) -> None:
    """Check that the data come with the samples a second that a model hears.

    Raises:
        PedkitError: They come with others.
    """
    for data in (train, *dev.values()):
        if data.sample_rate != sample_rate:
            raise PedkitError(
                f"data.sample_rate is {data.sample_rate} Hz, but the model hears {sample_rate} Hz",
                hint="leave data.sample_rate as it is: recordings of other rates are resampled",
            )


def expect_no_longer(
    train: PhoneDataset, dev: Mapping[str, PhoneDataset], samples: int | None, model: str
) -> None:
    """Check that no clip is longer than a model can take, train clips at their slowest.

    Args:
        train: The train clips.
        dev: The dev sets.
        samples: Samples of the longest clip; ``None`` where there is no limit.
        model: What to call the model.

    Raises:
        PedkitError: One is; the first is named.
    """
    if samples is None:
        return
    for data in (train, *dev.values()):
        limit, (_, slowest) = samples / data.sample_rate, stretch(data)
        longer = np.flatnonzero(data.seconds * slowest > limit + 0.5 / data.sample_rate)  # whole samples
        if len(longer):
            seconds = float(data.seconds[longer[0]])
            slow = f" ({seconds * slowest:.2f} s at the slowest of data.augment.speed)" if slowest > 1 else ""
            raise PedkitError(
                f"the clip has {seconds:.2f} s{slow}, but {model} takes at most {limit:g} s",
                utterance=data.utterances[longer[0]].id,
                hint="data.max_seconds leaves out train clips; dev clips never are: split long recordings",
            )


def stretch(data: PhoneDataset) -> tuple[float, float]:
    """Return by how much augmentation may shorten and lengthen clips, as factors of their lengths."""
    return (1.0, 1.0) if data.augment is None else data.augment.stretch
