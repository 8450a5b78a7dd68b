"""Kaldi's split of TIMIT: all speakers of TRAIN, 50 speakers of TEST as dev, the 24 of the core test set."""

from __future__ import annotations

from importlib.resources import files


class KaldiSplits:
    """Which split a speaker belongs to (lists of Kaldi's recipe ``egs/timit/s5``, see ``tables/README.md``).

    Args:
        complete: Test on all speakers of TEST who are not in dev, instead of on the core test set.
    """

    def __init__(self, *, complete: bool = False) -> None:
        self._dev, self._core = _shipped("timit_dev_spk.list"), _shipped("timit_test_spk.list")
        self._complete = complete

    def of(self, speaker: str, part: str) -> str | None:
        """Return ``train``, ``dev``, ``test``, or ``None`` for a speaker who is left out.

        Args:
            speaker: Speaker in lower case (``fcjf0``).
            part: ``train`` or ``test``, the half of the disc.
        """
        if part == "train":
            return "train"
        if speaker in self._dev:
            return "dev"
        return "test" if self._complete or speaker in self._core else None


def _shipped(name: str) -> frozenset[str]:
    return frozenset(files("pedkit.data.readers").joinpath("tables", name).read_text(encoding="ascii").split())
