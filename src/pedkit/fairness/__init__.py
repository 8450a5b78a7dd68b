"""See docs/architecture.md: room 'fairness'. Groups, and the differences in measured error between them.

Summing by group is cheap to import; the statistics need scipy and are loaded when they are first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from pedkit.fairness.groups import Group, GroupSums
from pedkit.fairness.metrics import HIGHER_IS_BETTER, METRICS, metric_sums, word_error_sums
from pedkit.fairness.observation import Observation

if TYPE_CHECKING:
    from pedkit.fairness.confounding_table import Confounding, confounding
    from pedkit.fairness.faas_result import Faas
    from pedkit.fairness.faas_score import faas
    from pedkit.fairness.frame import GroupFrame
    from pedkit.fairness.gap_of_sets import gap_between_sets, language_gap, relative_gap
    from pedkit.fairness.likelihood_ratio import bootstrap_p
    from pedkit.fairness.mixed_model import rate_model
    from pedkit.fairness.mixed_model_result import RateModel
    from pedkit.fairness.power import detectable_gap, speakers_needed

_LAZY: dict[str, str] = {
    "Confounding": "pedkit.fairness.confounding_table",
    "Faas": "pedkit.fairness.faas_result",
    "GroupFrame": "pedkit.fairness.frame",
    "RateModel": "pedkit.fairness.mixed_model_result",
    "bootstrap_p": "pedkit.fairness.likelihood_ratio",
    "confounding": "pedkit.fairness.confounding_table",
    "detectable_gap": "pedkit.fairness.power",
    "faas": "pedkit.fairness.faas_score",
    "gap_between_sets": "pedkit.fairness.gap_of_sets",
    "language_gap": "pedkit.fairness.gap_of_sets",
    "rate_model": "pedkit.fairness.mixed_model",
    "relative_gap": "pedkit.fairness.gap_of_sets",
    "speakers_needed": "pedkit.fairness.power",
}

__all__ = [
    "HIGHER_IS_BETTER",
    "METRICS",
    "Confounding",
    "Faas",
    "Group",
    "GroupFrame",
    "GroupSums",
    "Observation",
    "RateModel",
    "bootstrap_p",
    "confounding",
    "detectable_gap",
    "faas",
    "gap_between_sets",
    "language_gap",
    "metric_sums",
    "rate_model",
    "relative_gap",
    "speakers_needed",
    "word_error_sums",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'pedkit.fairness' has no attribute {name!r}")
