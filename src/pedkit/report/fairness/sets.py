"""Two sets of groups, such as languages with much and with little training data, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pedkit.report.fairness.content import TITLES
from pedkit.report.numbers import signed


def set_sentences(content: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each metric of which the gap between the two sets is known.

    Args:
        content: Of ``fairness.json``.
    """
    if not content["gap_between_sets"]:
        return []
    sets = content["settings"]["sets"]
    first, second = (", ".join(sets[key]) for key in ("reference", "compared"))
    return [
        f"{TITLES[row['metric']]}: {100 * row['reference']:.1f} % on average over {first}; "
        f"{100 * row['compared']:.1f} % over {second}: {signed(100 * row['value'], 0)} % relative to the first."
        for row in content["gap_between_sets"]
        if row["value"] is not None
    ]
