"""Two systems heard the same utterances: did the gap between two groups change?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.fairness.groups import UNKNOWN
from pedkit.fairness.intervals import Interval
from pedkit.fairness.multiplicity import holm, stars
from pedkit.fairness.observation import Observation
from pedkit.fairness.pairs import refused_pairs
from pedkit.fairness.sample import POOLED, Attribute, GroupSample, attribute_name, corpora_of
from pedkit.fairness.welch import welch_test

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class GapChange:
    """The gap between two groups under a first and a second system, on the utterances that both scored.

    Attributes:
        attribute: Name of the attribute.
        corpus: The corpus.
        metric: The metric.
        row: One group.
        column: The other.
        n_row: Speakers of ``row`` with a value under both systems.
        n_column: The same of ``column``.
        first_gap: Mean of ``row`` minus mean of ``column`` under the first system, over these speakers.
        second_gap: The same under the second system.
        change: ``second_gap`` minus ``first_gap``.
        interval: 95 % t interval of the change (Welch, on each speaker's difference between the systems).
        p: Two-sided p value of no change; ``None`` where the test is undefined.
        p_holm: The same by Holm, in the family of all defined pairs of this attribute, corpus and metric.
        stars_holm: Stars of ``p_holm``.
        n_tests: Defined pairs of the family.
        left_out: Utterances of the corpus that only one of the systems scored; they take no part.
        reason: Why the test is undefined.
    """

    attribute: str
    corpus: str
    metric: str
    row: str
    column: str
    n_row: int
    n_column: int
    first_gap: float | None
    second_gap: float | None
    change: float | None
    interval: Interval
    p: float | None
    p_holm: float | None = None
    stars_holm: str = ""
    n_tests: int = 0
    left_out: int = 0
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the object of ``fairness.json``."""
        return asdict(self)


def change_of_gap(
    first: Sequence[Observation],
    second: Sequence[Observation],
    *,
    metrics: Iterable[str],
    attributes: Iterable[Attribute],
    pool_corpora: bool = False,
) -> list[GapChange]:
    """Return how the gap of every pair of named groups changes from a first system to a second one.

    Each speaker is compared with itself on the same utterances, so what makes a speaker easy or hard for both
    systems drops out: the change of the gap is the difference between two groups in the mean of
    ``second - first``, and is tested as such (Welch).

    Args:
        first: Observations of one system.
        second: Observations of the other, on the same manifest.
        metrics: Names of metrics.
        attributes: Names of attributes; a tuple of names stands for their intersection.
        pool_corpora: Whether groups are formed over all corpora together.

    Raises:
        PedkitError: An utterance comes twice, or has another speaker, group or kind of reference under the other
            system.
    """
    names, chosen = tuple(metrics), tuple(attributes)
    shared = _shared(first, second, chosen)
    left, right = ([one for one in rows if (one.corpus, one.id) in shared] for rows in (first, second))
    alone = Counter(
        POOLED if pool_corpora else one.corpus for one in (*first, *second) if (one.corpus, one.id) not in shared
    )
    others = {corpus.name: corpus for corpus in corpora_of(right, names, pool=pool_corpora)}
    rows: list[GapChange] = []
    for corpus in corpora_of(left, names, pool=pool_corpora):
        for attribute in chosen:
            samples = {s.value: s for s in corpus.groups(attribute) if s.value != UNKNOWN}
            again = {s.value: s for s in others[corpus.name].groups(attribute)}
            refused = refused_pairs(
                {value: sample.speakers for value, sample in samples.items()},
                {value: sample.why_no_speakers for value, sample in samples.items()},
            )
            for m, metric in enumerate(names):
                values = {value: _paired(samples[value], again[value], m) for value in samples}
                family = _family(values, (attribute_name(attribute), corpus.name, metric), refused)
                rows += [replace(row, left_out=alone[corpus.name]) for row in family]
    return rows


def _shared(
    first: Sequence[Observation], second: Sequence[Observation], attributes: Sequence[Attribute]
) -> set[tuple[str, str]]:
    """Return corpus and id of the utterances that both systems scored.

    Raises:
        PedkitError: One of them is said to be somebody else's, or something else, by the other system.
    """
    keys = [key for one in attributes for key in ((one,) if isinstance(one, str) else one)]
    known = {(one.corpus, one.id): one for one in first}
    shared = set()
    for other in second:
        one = known.get((other.corpus, other.id))
        if one is None:
            continue
        shared.add((other.corpus, other.id))
        described = [("speaker", one.speaker, other.speaker), ("reference", one.reference, other.reference)]
        described += [(key, one.groups.get(key), other.groups.get(key)) for key in keys]
        for name, before, after in described:
            if before != after:
                raise PedkitError(
                    f"the {name} is {before!r} under the first system, but {after!r} under the second",
                    utterance=other.id,
                    hint="compare two systems on one manifest",
                )
    return shared


def _paired(first: GroupSample, second: GroupSample, metric: int) -> Floats:
    """Return the rates of each speaker under both systems, shape (speakers, 2), where both are defined."""
    left = dict(zip(first.speakers, first.rates[:, metric], strict=True))
    right = dict(zip(second.speakers, second.rates[:, metric], strict=True))
    both = np.array([(left[name], right[name]) for name in left if name in right]).reshape(-1, 2)
    paired: Floats = both[~np.isnan(both).any(axis=1)]
    return paired


def _family(
    values: dict[str, Floats], of: tuple[str, str, str], refused: dict[tuple[str, str], str]
) -> list[GapChange]:
    rows = [_pair(values, pair, of, refused.get(pair)) for pair in combinations(values, 2)]
    tests = sum(row.p is not None for row in rows)
    return [
        replace(row, p_holm=p, stars_holm=stars(p), n_tests=tests)
        for row, p in zip(rows, holm([row.p for row in rows]), strict=True)
    ]


def _pair(
    values: dict[str, Floats], pair: tuple[str, str], of: tuple[str, str, str], refused: str | None
) -> GapChange:
    a, b = (values[name] for name in pair)
    test = welch_test(a[:, 1] - a[:, 0], b[:, 1] - b[:, 0], pair)
    gaps = a.mean(axis=0) - b.mean(axis=0) if len(a) and len(b) else None
    reason = refused or test.reason
    return GapChange(
        attribute=of[0],
        corpus=of[1],
        metric=of[2],
        row=pair[0],
        column=pair[1],
        n_row=len(a),
        n_column=len(b),
        first_gap=None if gaps is None else float(gaps[0]),
        second_gap=None if gaps is None else float(gaps[1]),
        change=test.difference,
        interval=Interval.undefined(reason) if reason else Interval(test.low, test.high, "t"),
        p=None if reason else test.p,
        reason=reason,
    )
