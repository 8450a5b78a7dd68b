"""Other projects' "PFER", computed by panphon itself, only for comparison with their published numbers.

Each works on raw IPA strings and panphon's own segments, not on the phones of an inventory; none of them is
pedkit's PFER. Sources: PRiSM ``phone_recognition.py``, PhoneticXeus ``phone_recognition.py``, ZIPA
``scripts/evaluate.py``.
"""

from __future__ import annotations

import functools
import statistics
from collections.abc import Sequence
from typing import Any

from pedkit.errors import PedkitError


def pfer_prism(references: Sequence[str], predictions: Sequence[str]) -> float | None:
    """Return PRiSM's PFER: mean over utterances of panphon's Hamming feature edit distance, not normalised."""
    return _mean(_each("hamming_feature_edit_distance", references, predictions))


def pfer_zipa(references: Sequence[str], predictions: Sequence[str]) -> float | None:
    """Return ZIPA's PFER: mean over utterances of panphon's feature edit distance, not normalised."""
    return _mean(_each("feature_edit_distance", references, predictions))


def pfer_phoneticxeus(references: Sequence[str], predictions: Sequence[str]) -> float | None:
    """Return PhoneticXeus's PFER in percent: summed feature edit distances over summed reference segments."""
    distances = _each("feature_edit_distance", references, predictions)
    segments = sum(len(_distance().fm.ipa_segs(reference)) for reference in references)
    return 100 * sum(distances) / segments if segments else None


def _each(method: str, references: Sequence[str], predictions: Sequence[str]) -> list[float]:
    if len(references) != len(predictions):
        raise PedkitError(
            f"expected one prediction a reference, but got {len(references)} references "
            f"and {len(predictions)} predictions"
        )
    function = getattr(_distance(), method)
    return [float(function(r, p)) for r, p in zip(references, predictions, strict=True)]


def _mean(values: list[float]) -> float | None:
    return statistics.fmean(values) if values else None


@functools.cache
def _distance() -> Any:
    import panphon.distance

    return panphon.distance.Distance()
