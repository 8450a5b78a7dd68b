"""A small page with hand-written numbers."""

import pytest

from pedkit.report.page import Column, Example, Page, SetPage, SystemDetail

SOFT = {"soft_preset": "paper", "soft_extra_pairs": [], "soft_tier1_scope": "universal", "soft_tiers": [1, 2],
        "soft_cost": 0.0}  # fmt: skip
"""Settings of Soft PER in ``scores.json``."""


def rate(numerator, denominator, reason="no errors were made"):
    value = numerator / denominator if denominator else None
    return {
        "value": value,
        "numerator": numerator,
        "denominator": denominator,
        "reason": None if denominator else reason,
    }


def system(**groups):
    return {
        "per": rate(3, 10),
        "pfer": rate(2.5, 10),
        "soft_per": rate(3, 10),
        "mdd": {
            "profile": "full",
            "counts": {"TA": 6, "FR": 2, "FA": 1, "CD": 1, "DE": 0, "DU": 0},
            "rates": {"frr": rate(2, 8), "far": rate(1, 2), "der_li": rate(0, 0), "der_pedbench": rate(3, 10)},
        },
        "groups": groups,
    }


@pytest.fixture
def scores():
    group = {"n_utterances": 1, "n_speakers": None, **system()}
    return {
        "systems": {"<mine>": system(gender={"toy": {"female": group, "unknown": group}})},
        "references": {"empty": system()},
        "settings": {"projection": "cmu39", "policy": {"flap": "T"}, "groups": ["gender"], "split": None, **SOFT},
        "versions": {"pedkit": "0.1.0"},
    }


@pytest.fixture
def page(scores):
    detail = SystemDetail(
        confusions={("S", "S"): 4, ("S", "T"): 1, ("T", None): 2, ("T", "T"): 3, (None, "S"): 2},
        flags={"S": {"TA": 4, "FR": 1}, "T": {"TA": 3, "FA": 1, "CD": 1}},
    )
    example = Example(
        system="<mine>", id="a", text="<b>think</b>", facts="speaker 1", errors=1, reference=2,
        columns=(Column("TH", "S", "S", "CD"), Column("IH", "IH", None, "FR")), audio="data:audio/ogg;base64,AAAA",
    )  # fmt: skip
    one = SetPage(key="toy", title="Toy words", scores=scores, details={"<mine>": detail}, examples=(example,))
    return Page(title="What a toy hears", sets=(one,), notes=("A demonstration.",), inventory=("S", "T"))
