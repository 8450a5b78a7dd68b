"""The metrics that are compared between groups: every one is a ratio of sums."""

from __future__ import annotations

from pedkit.errors import PedkitError
from pedkit.scoring import Counts

METRICS = ("per", "soft_per", "pfer", "frr", "far", "der_li", "der_pedbench", "f1", "wer")
"""Names of the metrics; docs/scoring.md has the formulas."""

HIGHER_IS_BETTER = frozenset({"f1"})
"""Metrics of which more is better; of all others less is."""

SHARES = frozenset({"frr", "far", "der_li", "der_pedbench", "f1"})
"""Metrics that cannot pass 1; error rates can, as insertions have no limit. None is below 0."""

WORD_METRICS = frozenset({"wer"})
"""Metrics of words, from text (`word_error_sums`), not from counts of phones."""


def metric_sums(counts: Counts, profile: str, metric: str) -> tuple[float, float]:
    """Return numerator and denominator of a metric.

    Args:
        counts: Counts of one utterance or of many.
        profile: Detection profile, see `Counts.mdd`; the error rates do not depend on it.
        metric: A name of `METRICS` that is not one of `WORD_METRICS`.

    Returns:
        Both 0 where the counts hold nothing to judge. Soft PER and PFER have numerators in multiples of 1/48.

    Raises:
        PedkitError: The metric is unknown or is one of words, or there is no such profile.

    Example:
        >>> from pedkit.scoring import Counts
        >>> counts = Counts.from_fields({"TA": 8, "FR_sub": 2, "FA_sub": 1, "CD_sub": 3})
        >>> metric_sums(counts, "full", "frr"), metric_sums(counts, "full", "f1")
        ((2, 10), (6, 9))
    """
    if metric in ("per", "soft_per", "pfer"):
        rate = getattr(counts, metric)
        return rate.numerator, rate.denominator
    check_metric(metric)
    if metric in WORD_METRICS:
        raise PedkitError(
            f"'{metric}' is a rate of words and cannot be computed from counts of phones",
            hint="pedkit.fairness.word_error_sums(reference, hypothesis) computes it from text",
        )
    rate = counts.mdd(profile).rates()[metric]
    return rate.numerator, rate.denominator


def word_error_sums(reference: str, hypothesis: str) -> tuple[int, int]:
    """Return word errors (substitutions + deletions + insertions, by jiwer) and reference words of one utterance.

    Words are separated by white space and compared as they are: normalise case and punctuation before.
    """
    words, heard = reference.split(), hypothesis.split()
    if not words:  # jiwer's alignment wants a reference; every word heard is an insertion
        return len(heard), 0
    import jiwer

    # jiwer cuts at blanks alone
    aligned = jiwer.process_words(" ".join(words), " ".join(heard))
    return aligned.substitutions + aligned.deletions + aligned.insertions, len(words)


def check_metric(metric: str) -> None:
    """Raise a `PedkitError` where ``metric`` is not one of `METRICS`."""
    if metric not in METRICS:
        raise PedkitError(f"expected a metric out of {', '.join(METRICS)}, but got {metric!r}")
