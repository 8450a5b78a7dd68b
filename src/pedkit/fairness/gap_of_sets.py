"""Gap between two sets of groups, relative to the first: how much higher the rates of the second set are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import exp, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.fairness.gaps import log_ratio
from pedkit.fairness.intervals import LEVEL, Interval
from pedkit.fairness.welch import MIN_SPEAKERS

Floats = NDArray[np.float64]

HIGH_RESOURCE = ("eng", "spa", "fra")
"""English, Spanish, French: the high-resource languages of the bias study (arXiv 2606.11639)."""

LOW_RESOURCE = ("hin", "ben", "pan", "tam", "tel", "ara", "tur", "sna")
"""Hindi, Bangla, Panjabi, Tamil, Telugu, Arabic, Turkish, Shona: its low-resource languages."""

TWO_LETTERS = {
    "en": "eng", "es": "spa", "fr": "fra", "hi": "hin", "bn": "ben", "pa": "pan", "ta": "tam", "te": "tel",
    "ar": "ara", "tr": "tur", "sn": "sna",
}  # fmt: skip
"""ISO 639-1 -> ISO 639-3 code of these languages."""

OTHER_CODE = TWO_LETTERS | {three: two for two, three in TWO_LETTERS.items()}
"""The other code of the same language."""


NO_SPEAKERS = Interval.undefined("computed from means alone")


@dataclass(frozen=True, slots=True)
class RelativeGap:
    """Means of two sets and the gap between them.

    Attributes:
        reference: Mean of the reference set.
        compared: Mean of the other set.
        value: (compared - reference) / reference; ``None`` where the reference mean is 0.
        interval: Its 95 % interval where speakers were given (t on the log scale of compared / reference).
        reason: Why the value is undefined.
    """

    reference: float
    compared: float
    value: float | None
    interval: Interval = NO_SPEAKERS
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``fairness.json``."""
        return asdict(self)


def relative_gap(reference: float, compared: float) -> RelativeGap:
    """Return the gap between two rates relative to the first.

    Raises:
        PedkitError: A rate is negative, infinite or NaN.

    Example:
        >>> round(relative_gap(0.280, 0.563).value, 2)
        1.01
    """
    for rate in (reference, compared):
        if not 0 <= rate < inf:
            raise PedkitError(f"expected two error rates, but got {reference} and {compared}")
    if reference == 0:
        return RelativeGap(reference, compared, None, reason="the reference mean is 0")
    return RelativeGap(reference, compared, (compared - reference) / reference)


def check_sets(reference: Sequence[str], compared: Sequence[str]) -> None:
    """Raise a `PedkitError` where a set is empty, or a group stands in both sets or twice in one."""
    for side, names in (("reference", reference), ("compared", compared)):
        if not names:
            raise PedkitError(f"expected two sets of groups, but the set '{side}' is empty")
    every = [*reference, *compared]
    if twice := [name for name in dict.fromkeys(every) if every.count(name) > 1]:
        raise PedkitError(f"expected every group once in one of two sets, but '{twice[0]}' stands there twice")


def gap_between_sets(
    groups: Mapping[str, Floats], reference: Sequence[str], compared: Sequence[str]
) -> RelativeGap:
    """Return the relative gap between the unweighted means of two sets of groups, with its interval.

    Args:
        groups: Group -> one value a speaker; no speaker is in two groups.
        reference: Groups of the reference set.
        compared: Groups of the other set.

    Raises:
        PedkitError: A set is empty, the sets overlap, or a group of one has no speaker with a value.
    """
    from scipy.special import stdtrit

    check_sets(reference, compared)
    means = {name: float(values.mean()) if len(values) else None for name, values in groups.items()}
    gap = relative_gap(_mean_of(means, reference), _mean_of(means, compared))
    sides = [[groups[name] for name in names] for names in (compared, reference)]
    if gap.value is None or gap.compared == 0:
        return replace(gap, interval=Interval.undefined("a mean is 0"))
    if small := [name for name in (*reference, *compared) if len(groups[name]) < MIN_SPEAKERS]:
        return replace(gap, interval=Interval.undefined(f"one speaker: {small[0]}"))
    ratio, error, df = log_ratio(*sides)
    if df is None:
        return replace(gap, interval=Interval.undefined("data are essentially constant"))
    half = float(stdtrit(df, (1 + LEVEL) / 2)) * error
    return replace(gap, interval=Interval(ratio * exp(-half) - 1, ratio * exp(half) - 1, "t, log scale"))


def language_gap(
    means: Mapping[str, Mapping[str, float | None]],
    reference: Sequence[str] = HIGH_RESOURCE,
    compared: Sequence[str] = LOW_RESOURCE,
) -> RelativeGap:
    """Return the relative gap between two sets of languages, as the bias study averages.

    Within each model the mean over the languages of a set, every language alike however many utterances it has;
    then the mean over models.

    Args:
        means: Model -> language -> error rate; any other groups may stand in the place of languages.
        reference: Languages of the reference set. One that a model does not have as it is written is looked up by
            its other code of `TWO_LETTERS`.
        compared: Languages of the other set.

    Raises:
        PedkitError: There is no model, a set is empty, the sets overlap, a model has a language under both of its
            codes, or lacks one: means over different languages do not compare.
    """
    check_sets(reference, compared)
    if not means:
        raise PedkitError("expected the error rates of at least one model, but got none")
    first, second = [], []
    for model, by_language in means.items():
        try:
            names = {name: _written(name, by_language) for name in (*reference, *compared)}
            check_sets([names[name] for name in reference], [names[name] for name in compared])
            first.append(_mean_of(by_language, [names[name] for name in reference]))
            second.append(_mean_of(by_language, [names[name] for name in compared]))
        except PedkitError as error:
            raise PedkitError(f"model '{model}': {error.message}", hint=error.hint) from None
    return relative_gap(sum(first) / len(first), sum(second) / len(second))


def _written(name: str, by_language: Mapping[str, float | None]) -> str:
    """Return the name that a language has among others: as it is written, or its other code."""
    other = OTHER_CODE.get(name)
    if other is None or other not in by_language:
        return name
    if name in by_language:
        raise PedkitError(
            f"'{name}' and '{other}' are both there, and may be one language",
            hint="give every language one code in the manifest",
        )
    return other


def _mean_of(means: Mapping[str, float | None], names: Sequence[str]) -> float:
    found = [means.get(name) for name in names]
    defined = [mean for mean in found if mean is not None]
    if len(defined) < len(names):
        lacking = [name for name, mean in zip(names, found, strict=True) if mean is None]
        raise PedkitError(
            f"no mean for {', '.join(lacking)}",
            hint=f"there are: {', '.join(sorted(name for name, mean in means.items() if mean is not None))}",
        )
    return sum(defined) / len(defined)
