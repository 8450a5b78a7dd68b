"""`FairnessPart`: everything that the report page says of groups, from two files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pedkit.report.fairness.faas import FaasPart, faas_parts
from pedkit.report.fairness.section import AttributeSection, attribute_sections
from pedkit.report.fairness.sets import set_sentences
from pedkit.report.fairness.soft import SoftRow, soft_rows
from pedkit.report.soft_words import coverage


@dataclass(frozen=True, slots=True, kw_only=True)
class FairnessPart:
    """What is shown of the groups of one test set.

    Attributes:
        notes: What a reader has to know first.
        sections: One for each attribute and corpus.
        sets: Sentences on two sets of groups.
        soft: System -> rows of PER beside Soft PER; empty where Soft PER was not compared.
        coverage: Sentences on where Soft PER forgives, and how much.
        faas: FAAS of each system and corpus.
    """

    notes: Sequence[str]
    sections: Sequence[AttributeSection]
    sets: Sequence[str] = ()
    soft: Mapping[str, Sequence[SoftRow]] = field(default_factory=dict)
    coverage: str = ""
    faas: Sequence[FaasPart] = ()


def fairness_part(content: Mapping[str, Any], scores: Mapping[str, Any]) -> FairnessPart:
    """Return what is shown.

    Args:
        content: Of ``fairness.json``.
        scores: Of ``scores.json``.
    """
    soft, systems = "soft_per" in content["settings"]["metrics"], content["systems"].values()
    return FairnessPart(
        notes=list(dict.fromkeys([*content["notes"], *(note for one in systems for note in one["notes"])])),
        sections=attribute_sections(content),
        sets=set_sentences(content),
        soft={name: soft_rows(scores, name) for name in content["systems"]} if soft else {},
        coverage=coverage(scores["settings"]) if soft else "",
        faas=faas_parts(content),
    )
