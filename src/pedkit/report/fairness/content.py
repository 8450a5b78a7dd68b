"""`Slice`: what ``fairness.json`` holds of one attribute in one corpus, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pedkit.report.measures import MEASURES

Row = Mapping[str, Any]
"""A row of a table in ``fairness.json``."""

UNKNOWN = "unknown"
"""Value of a group key that an utterance does not carry; such utterances are in no comparison."""

TITLES = {key: measure.title for key, measure in MEASURES.items()}
LESS_IS_WORSE = frozenset(key for key, measure in MEASURES.items() if not measure.lower_is_better)
NO_MODEL: Row = {"p": None, "groups": [], "flags": {}, "reason": "no mixed model was fitted"}


@dataclass(frozen=True, slots=True)
class Slice:
    """One attribute in one corpus, for all systems and metrics.

    Attributes:
        content: The whole of ``fairness.json``.
        attribute: Name of the attribute; the parts of an intersection are joined by `` & ``.
        corpus: Name of the corpus.
        alone: Whether it is the only corpus.
    """

    content: Mapping[str, Any]
    attribute: str
    corpus: str
    alone: bool = True

    @property
    def title(self) -> str:
        """The attribute in words, with the corpus where there are several."""
        words = self.attribute.replace("_", " ")
        return words if self.alone else f"{words}, corpus {self.corpus}"

    @property
    def systems(self) -> list[str]:
        """Names of the systems."""
        return list(self.content["systems"])

    @property
    def metrics(self) -> list[str]:
        """Names of the metrics."""
        return list(self.content["settings"]["metrics"])

    @property
    def other_terms(self) -> list[str]:
        """What models allow for beside the attribute and speakers, in words."""
        settings, parts = self.content["settings"], self.attribute.split(" & ")
        terms = [name.replace("_", " ") for name in settings["covariates"] if name not in parts]
        return [*terms, "what was read"] if settings["prompt"] else terms

    def rows(self, table: str, system: str, metric: str) -> list[Row]:
        """Return the rows of a table of one system: ``by_group difference ratio omnibus pairwise models``."""
        return [row for row in self.content["systems"][system][table] if self._is_here(row, metric)]

    def groups(self, system: str, metric: str) -> list[Row]:
        """Return the groups: numbers by size, words by their mean under the first system, ``unknown`` last."""
        rows = self.rows("by_group", system, metric)
        if any(row["value"][:1].isdigit() for row in rows):
            return rows
        means = {row["value"]: rate_of(row) for row in self.rows("by_group", self.systems[0], metric)}
        return sorted(rows, key=lambda row: (row["value"] == UNKNOWN, -(means.get(row["value"]) or 0.0)))

    def model(self, system: str, metric: str) -> Row:
        """Return the mixed model, or what says that there is none."""
        return next(iter(self.rows("models", system, metric)), NO_MODEL)

    def overall(self, system: str, metric: str) -> Row:
        """Return the row over all speakers of the corpus."""
        rows = self.content["systems"][system]["overall"]
        found: Row = next(row for row in rows if (row["corpus"], row["metric"]) == (self.corpus, metric))
        return found

    def changes(self, metric: str) -> list[Row]:
        """Return the changes of gaps between systems."""
        return [row for row in self.content["change_of_gap"] if self._is_here(row, metric)]

    def speakers(self, system: str, metric: str) -> dict[str, dict[str, float]]:
        """Return group -> speaker -> rate, of those that have one."""
        keys, sums = self.attribute.split(" & "), dict[str, dict[str, list[float]]]()
        for one in self.content["systems"][system]["speakers"]:
            values = [one["groups"].get(key, UNKNOWN) for key in keys]
            if self._of_corpus(one["corpus"]) and UNKNOWN not in values:
                total = sums.setdefault(" & ".join(values), {}).setdefault(one["speaker"], [0.0, 0.0])
                total[0] += one["numerators"][metric]
                total[1] += one["denominators"][metric]
        rates = {
            group: {speaker: errors / judged for speaker, (errors, judged) in speakers.items() if judged}
            for group, speakers in sums.items()
        }
        return {group: speakers for group, speakers in rates.items() if speakers}

    def _is_here(self, row: Row, metric: str) -> bool:
        return bool((row["attribute"], row["corpus"], row["metric"]) == (self.attribute, self.corpus, metric))

    def _of_corpus(self, corpus: str) -> bool:
        return corpus == self.corpus or bool(self.content["settings"]["pool_corpora"])


def slices(content: Mapping[str, Any]) -> Iterator[Slice]:
    """Yield one slice for each attribute and corpus, in order."""
    systems: Sequence[Any] = list(content["systems"].values())
    corpora = list(dict.fromkeys(row["corpus"] for row in systems[0]["overall"]))
    for attribute in content["settings"]["attributes"]:
        for corpus in corpora:
            yield Slice(content, attribute, corpus, len(corpora) == 1)


def rate_of(row: Row) -> float | None:
    """Return the mean over speakers, or where speakers are not known the rate of all utterances together."""
    found: float | None = row["pooled"]["value"] if row["n_speakers"] is None else row["mean"]
    return found


def is_hollow(row: Row) -> bool:
    """Return whether a rate rests on too few speakers, or on nobody knows how many."""
    return row["n_speakers"] is None or "few_speakers" in row["flags"]
