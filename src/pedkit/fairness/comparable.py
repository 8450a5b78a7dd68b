"""Which groups can be compared at all, and why not the others."""

from __future__ import annotations

from collections.abc import Sequence

from pedkit.fairness.groups import UNKNOWN
from pedkit.fairness.metrics import HIGHER_IS_BETTER
from pedkit.fairness.sample import GroupSample


def why_not_independent(samples: Sequence[GroupSample]) -> str | None:
    """Return why the groups cannot be compared as independent samples; ``None`` where they can."""
    for sample in samples:
        if sample.why_no_speakers:
            return f"{sample.why_no_speakers} in group '{sample.value}'"
    seen: dict[str, str] = {}
    shared: dict[str, tuple[str, str]] = {}
    for sample in samples:
        for speaker in sample.speakers:
            if seen.setdefault(speaker, sample.value) != sample.value:
                shared.setdefault(speaker, (seen[speaker], sample.value))
    if not shared:
        return None
    speaker, values = next(iter(shared.items()))
    return (
        f"{len(shared)} speaker{'s are' if len(shared) > 1 else ' is'} in several groups:"
        f" '{speaker}' in '{values[0]}' and '{values[1]}'"
    )


def comparable(samples: Sequence[GroupSample], metric: int) -> list[GroupSample]:
    """Return the groups that can be compared: named, and with at least two speakers that have a value."""
    return [s for s in samples if s.value != UNKNOWN and len(s.values(metric)) > 1]


def best_mean(samples: Sequence[GroupSample], column: int, metric: str) -> float | None:
    """Return the best mean among the `comparable` groups."""
    means = [float(sample.values(column).mean()) for sample in comparable(samples, column)]
    if not means:
        return None
    return max(means) if metric in HIGHER_IS_BETTER else min(means)
