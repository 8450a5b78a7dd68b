"""`GroupFrame`: metrics by group, and what may be said about the differences between groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from typing import Any, Literal

from pedkit.errors import PedkitError
from pedkit.fairness.comparable import comparable, why_not_independent
from pedkit.fairness.gap_of_sets import RelativeGap, gap_between_sets
from pedkit.fairness.gaps import GapRow, gap_row
from pedkit.fairness.group_row import GroupRow
from pedkit.fairness.group_table import TableSettings, check_resamples, group_rows, overall_rows
from pedkit.fairness.groups import UNKNOWN
from pedkit.fairness.intervals import LEVEL, Interval, chosen_method
from pedkit.fairness.observation import Observation
from pedkit.fairness.omnibus import OmnibusRow, OmnibusTest, kruskal_wallis, welch_anova
from pedkit.fairness.pair_row import PairRow
from pedkit.fairness.pairs import PERMUTATIONS, Family, Permutation, pair_rows, refused_pairs
from pedkit.fairness.power import ALPHA, NeedRow, speakers_needed
from pedkit.fairness.sample import SPEAKER_RATES, Attribute, GroupSample, attribute_name, corpora_of

MOST_GROUPS = 60
"""Attributes with more values in a corpus than this get no pair tables."""


class GroupFrame:
    """Metrics of one system by group, with speakers as the unit, and inference about the gaps.

    Groups of different corpora are kept apart unless ``pool_corpora``. A group with an utterance without speaker
    id gets its pooled rate and nothing else. Utterances without a value form the group ``unknown``: a row of the
    table, part of the overall mean, and left out of every comparison. Where a speaker has two values of an
    attribute (a slip in the manifest, or an attribute of utterances), each group holds the speaker's own
    utterances, but groups that share speakers are not compared; the reason names one.

    Args:
        observations: One a utterance, all of one system.
        metrics: Names of metrics, keys of ``Observation.sums``.
        attributes: Names of attributes; a tuple of names stands for their intersection. One name of either is a
            list of one.
        ci: Rule for intervals, one of `CI_RULES`.
        resamples: Bootstrap replicates.
        seed: Base seed; every attribute, corpus and group has its own draws.
        pool_corpora: Whether groups are formed over all corpora together.
        speaker_rate: A speaker's rate: ``pooled`` (sums over the speaker's utterances) or ``mean_of_utterances``.

    Raises:
        PedkitError: There is no observation, none has a metric or an attribute, an utterance comes twice, two
            kinds of reference or (pooled) two corpora with one speaker id meet, or a setting is out of range.
    """

    def __init__(
        self,
        *,
        observations: Iterable[Observation],
        metrics: str | Iterable[str],
        attributes: str | Iterable[Attribute],
        ci: str = "auto",
        resamples: int = 10_000,
        seed: int = 0,
        pool_corpora: bool = False,
        speaker_rate: str = "pooled",
    ) -> None:
        seen = list(observations)
        self.metrics = tuple(dict.fromkeys([metrics] if isinstance(metrics, str) else metrics))
        self.attributes = tuple(dict.fromkeys([attributes] if isinstance(attributes, str) else attributes))
        self.pool_corpora, self.speaker_rate = pool_corpora, speaker_rate
        self._table = TableSettings(self.metrics, ci, resamples, seed)
        self._check(seen)
        self._corpora = corpora_of(seen, self.metrics, pool=pool_corpora, speaker_rate=speaker_rate)
        self._whole = {corpus.name: corpus.whole() for corpus in self._corpora}
        self._samples = {
            (attribute_name(attribute), corpus.name): corpus.groups(attribute)
            for attribute in self.attributes
            for corpus in self._corpora
        }

    @cached_property
    def overall(self) -> list[GroupRow]:
        """One row a corpus and metric, over all its speakers."""
        return [row for whole in self._whole.values() for row in overall_rows(whole, self._table)]

    @cached_property
    def by_group(self) -> list[GroupRow]:
        """One row an attribute, corpus, group and metric, in this order."""
        return [
            row
            for (attribute, corpus), samples in self._samples.items()
            for row in group_rows(samples, self._whole[corpus], attribute, self._table)
        ]

    def difference(self) -> list[GapRow]:
        """Return higher minus lower mean of worst and best group, for every attribute, corpus and metric."""
        return self._gaps("difference")

    def ratio(self) -> list[GapRow]:
        """Return higher over lower mean of worst and best group, for every attribute, corpus and metric."""
        return self._gaps("ratio")

    def pairwise(self, *, permutation: Permutation = "small") -> list[PairRow]:
        """Return every pair of named groups, for every attribute, corpus and metric.

        Args:
            permutation: Pairs with a permutation test: those with a group below 20 speakers (``small``), all, or
                none.

        Raises:
            PedkitError: ``permutation`` is none of them.
        """
        if permutation not in PERMUTATIONS:
            raise PedkitError(
                f"expected 'permutation' to be one of {', '.join(PERMUTATIONS)}, but got {permutation!r}"
            )
        rows = []
        for attribute, corpus, samples in self._compared():
            if len(samples) > MOST_GROUPS:
                continue
            refused = refused_pairs(
                {s.value: s.speakers for s in samples}, {s.value: s.why_no_speakers for s in samples}
            )
            for m, metric in enumerate(self.metrics):
                family = Family(attribute, corpus, metric, self._table.seed, permutation)
                rows += pair_rows({s.value: s.values(m) for s in samples}, family, refused)
        return rows

    def omnibus(self) -> list[OmnibusRow]:
        """Return the tests of all named groups together, for every attribute, corpus and metric."""
        rows = []
        for attribute, corpus, samples in self._compared():
            why = why_not_independent(samples)
            for m, metric in enumerate(self.metrics):
                groups = {s.value: s.values(m) for s in samples}
                rows.append(
                    OmnibusRow(
                        attribute=attribute,
                        corpus=corpus,
                        metric=metric,
                        n_groups=len(groups),
                        welch_anova=OmnibusTest(None, reason=why) if why else welch_anova(groups),
                        kruskal_wallis=OmnibusTest(None, reason=why) if why else kruskal_wallis(groups),
                    )
                )
        return rows

    def speakers_needed(self, gap: float) -> list[NeedRow]:
        """Return how many speakers each group of every pair needs for a gap of a given size to be seen.

        Args:
            gap: Difference of the two means, in the unit of the metric; 0.02 is two points.

        Raises:
            PedkitError: ``gap`` is not a number above 0, or it takes more than 10 million speakers.
        """
        rows = []
        for pair in self.pairwise(permutation="none"):
            samples = {s.value: s for s in self._samples[pair.attribute, pair.corpus]}
            values = [samples[name].values(self.metrics.index(pair.metric)) for name in (pair.row, pair.column)]
            needed = None
            if pair.reason is None:
                spread = float(values[0].std(ddof=1)), float(values[1].std(ddof=1))
                needed = max(speakers_needed(gap, spread, alpha=ALPHA / pair.n_tests))
            rows.append(
                NeedRow(
                    attribute=pair.attribute,
                    corpus=pair.corpus,
                    metric=pair.metric,
                    row=pair.row,
                    column=pair.column,
                    gap=gap,
                    n_row=len(values[0]),
                    n_column=len(values[1]),
                    needed=needed,
                    reason=pair.reason,
                )
            )
        return rows

    def relative_gap(
        self,
        attribute: Attribute,
        *,
        metric: str,
        reference: Sequence[str],
        compared: Sequence[str],
        corpus: str | None = None,
    ) -> RelativeGap:
        """Return how much higher the mean rate of one set of groups is than that of a reference set.

        Args:
            attribute: One of ``attributes``.
            metric: One of ``metrics``.
            reference: Values of the reference set; every group counts alike.
            compared: Values of the other set.
            corpus: The corpus; may be left out where there is one.

        Raises:
            PedkitError: There is no such attribute, metric, corpus or group, or speakers are unknown.
        """
        name = self._corpora[0].name if corpus is None and len(self._corpora) == 1 else corpus
        place = (attribute_name(attribute), name or "")
        if place not in self._samples or metric not in self.metrics:
            known = f"corpora: {', '.join(self._whole)}; metrics: {', '.join(self.metrics)}"
            raise PedkitError(f"no table of '{metric}' by '{place[0]}' in corpus '{name}'", hint=known)
        chosen = [s for s in self._samples[place] if s.value in {*reference, *compared}]
        gap = gap_between_sets(
            {s.value: s.values(self.metrics.index(metric)) for s in chosen}, reference, compared
        )
        why = why_not_independent(chosen)
        return gap if why is None else replace(gap, interval=Interval.undefined(why))

    @cached_property
    def notes(self) -> list[str]:
        """What a reader has to know beside the tables, one sentence each."""
        found = []
        for name, whole in self._whole.items():
            if whole.why_no_speakers:
                lost = "groups with such utterances have no interval and no test"
                found.append(_note(name, f"{whole.why_no_speakers}; {lost}"))
        for (attribute, corpus), samples in self._samples.items():
            named = [s for s in samples if s.value != UNKNOWN]
            if len(named) < 2:
                found.append(_note(corpus, "fewer than two named groups, nothing to compare", attribute))
            if len(named) > MOST_GROUPS:
                many = f"{len(named)} groups are too many for pair tables (at most {MOST_GROUPS})"
                found.append(_note(corpus, many, attribute))
            if (why := why_not_independent(named)) and not any(s.why_no_speakers for s in named):
                found.append(_note(corpus, f"{why}; groups that share speakers are not compared", attribute))
        return found

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data; what is undefined is ``None`` with a reason."""
        tables: dict[str, Sequence[GroupRow | GapRow | PairRow | OmnibusRow]] = {
            "overall": self.overall,
            "by_group": self.by_group,
            "difference": self.difference(),
            "ratio": self.ratio(),
            "omnibus": self.omnibus(),
            "pairwise": self.pairwise(),
        }
        settings = asdict(self._table) | {
            "metrics": list(self.metrics),
            "attributes": [attribute_name(attribute) for attribute in self.attributes],
            "pool_corpora": self.pool_corpora,
            "speaker_rate": self.speaker_rate,
            "level": LEVEL,
        }
        return {
            "settings": settings,
            "notes": self.notes,
            **{name: [row.to_json() for row in rows] for name, rows in tables.items()},
        }

    def _gaps(self, kind: Literal["difference", "ratio"]) -> list[GapRow]:
        return [
            gap_row(
                {s.value: s.values(m) for s in comparable(samples, m)},
                attribute=attribute,
                corpus=corpus,
                metric=metric,
                kind=kind,
                refused=why_not_independent(samples),
            )
            for attribute, corpus, samples in self._compared()
            for m, metric in enumerate(self.metrics)
        ]

    def _compared(self) -> Iterator[tuple[str, str, list[GroupSample]]]:
        """Yield attribute, corpus and the named groups."""
        for (attribute, corpus), samples in self._samples.items():
            yield attribute, corpus, [sample for sample in samples if sample.value != UNKNOWN]

    def _check(self, seen: Sequence[Observation]) -> None:
        if not seen:
            raise PedkitError("expected at least one observation, but got none")
        if stranger := next((one for one in seen if not isinstance(one, Observation)), None):
            raise PedkitError(f"expected observations, but got {stranger!r}")
        if not self.metrics:
            raise PedkitError("expected at least one metric, but got none", hint=f"there are: {_known(seen)}")
        chosen_method(self._table.ci, 1)
        if self.speaker_rate not in SPEAKER_RATES:
            raise PedkitError(
                f"expected 'speaker_rate' to be one of {', '.join(SPEAKER_RATES)}, but got {self.speaker_rate!r}"
            )
        check_resamples(self._table.resamples)
        for metric in self.metrics:
            if not any(metric in one.sums for one in seen):
                raise PedkitError(f"no observation has the metric '{metric}'", hint=f"there are: {_known(seen)}")
        for attribute in self.attributes:
            if not attribute:
                raise PedkitError(f"expected the name of an attribute, or several, but got {attribute!r}")
            for key in (attribute,) if isinstance(attribute, str) else attribute:
                if all(one.groups.get(key, UNKNOWN) == UNKNOWN for one in seen):
                    raise PedkitError(f"no utterance has the group key '{key}'")


def _note(corpus: str, text: str, attribute: str = "") -> str:
    """Return a note that begins with what it is about; a corpus that is not named is left out."""
    where = ", ".join(filter(None, ("" if corpus == UNKNOWN else corpus, attribute)))
    return f"{where}: {text}" if where else text[:1].upper() + text[1:]


def _known(seen: Sequence[Observation]) -> str:
    return ", ".join(sorted({metric for one in seen for metric in one.sums})) or "none"
