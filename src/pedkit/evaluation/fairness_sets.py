"""The gap between two sets of groups in each corpus, such as languages with much and with little training data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.fairness.gap_of_sets import OTHER_CODE, language_gap

Means = Mapping[str, Mapping[str, float | None]]
"""System -> group -> mean."""


def gaps_between_sets(
    systems: Mapping[str, Any], settings: FairnessSettings, metrics: Sequence[str], attributes: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield the gap of each attribute, corpus and metric, averaged over groups, then systems.

    An attribute of which no group is named is left out, as long as groups of another one are.

    Args:
        systems: Name of a system -> its tables of ``fairness.json``.
        settings: They name the sets; nothing is yielded where there are none.
        metrics: Names of metrics.
        attributes: Names of attributes.
    """
    if settings.sets is None:
        return
    reference, compared = settings.sets["reference"], settings.sets["compared"]
    rows = [(name, row) for name, system in systems.items() for row in system["by_group"]]
    asked = [{name, OTHER_CODE.get(name, name)} for name in (*reference, *compared)]
    values = {one: {row["value"] for _, row in rows if row["attribute"] == one} for one in attributes}
    meant = {one for one in attributes if any(codes & values[one] for codes in asked)}
    corpora = list(dict.fromkeys(row["corpus"] for _, row in rows))
    for attribute in (one for one in attributes if one in meant or not meant):
        scattered = len(corpora) > 1 and all(codes & values[attribute] for codes in asked)
        apart = "; fairness.pool_corpora=true puts the corpora together" if scattered else ""
        for corpus in corpora:
            for metric in metrics:
                named = {"attribute": attribute, "corpus": corpus, "metric": metric}
                means = _means([(name, row) for name, row in rows if named.items() <= row.items()])
                try:
                    yield named | language_gap(means, reference, compared).to_json()
                except PedkitError as error:
                    yield named | {"value": None, "reason": f"{error}{apart}"}


def _means(rows: Sequence[tuple[str, Mapping[str, Any]]]) -> Means:
    """Return means over speakers, or where these are not known rates of all utterances together."""
    means: dict[str, dict[str, float | None]] = {}
    for name, row in rows:
        found = row["pooled"]["value"] if row["n_speakers"] is None else row["mean"]
        means.setdefault(name, {})[row["value"]] = found
    return means
