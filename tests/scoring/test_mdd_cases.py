import json
from pathlib import Path

import pytest

from pedkit.scoring import Counts, Item, Scorer, ScoringSettings, span

CASES = [json.loads(line) for line in (Path(__file__).parent / "data/mdd_cases.jsonl").read_text().splitlines()]
SINGLE = [case for case in CASES if "aggregate_of" not in case]
RATE_NAMES = {
    "FRR": "frr",
    "FAR": "far",
    "DER": "der_li",
    "DER_pedbench": "der_pedbench",
    "precision": "precision",
    "recall": "recall",
    "f1": "f1",
    "accuracy": "detection_accuracy",
}


def item(case):
    return Item(case["id"], tuple(case["canonical"]), tuple(case["uttered"]), tuple(case["predicted"]))


def score(case, **settings):
    [scored] = Scorer(ScoringSettings(inventory="cmu39", **settings)).score([item(case)])
    return scored


def check_counts(mdd, expected):
    for name in ("TA", "FR", "FA", "CD", "DE", "TR"):
        if name in expected:
            assert getattr(mdd, name) == expected[name], name
    assert mdd.DU == 0


def check_rates(mdd, expected):
    rates = mdd.rates()
    for theirs, ours in RATE_NAMES.items():
        if expected[theirs] is None:
            assert rates[ours].value is None
            assert rates[ours].reason
        else:
            assert rates[ours].value == pytest.approx(expected[theirs], abs=5e-7), ours


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case["id"])
def test_counts_rates_and_types(case):
    mdd = score(case).counts.mdd()
    check_counts(mdd, case["expected"])
    check_rates(mdd, case["expected"])
    assert {name: n for name, n in mdd.by_type.items() if n and name != "TA"} == case["expected_by_type"]


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case["id"])
def test_profiles(case):
    counts = score(case).counts
    assert set(case["expected_profiles"]) == {"canonical_only", "no_spurious", "kaldi3"}
    for profile, expected in case["expected_profiles"].items():
        check_counts(counts.mdd(profile), expected)


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case["id"])
def test_plain_ties(case):
    expected = case.get("expected_plain_tie", case["expected"])
    check_counts(score(case, tie="plain").counts.mdd(), expected)


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case["id"])
def test_grid(case):
    columns = [[c.canonical, c.realized, c.predicted] for c in score(case).alignment.columns]
    assert columns == [[None if cell == "-" else cell for cell in column] for column in case["grid"]]


@pytest.mark.parametrize("case", SINGLE, ids=lambda case: case["id"])
def test_distances(case):
    counts, expected = score(case).counts, case["edit_distance"]
    assert counts["canonical_realized_distance"] == expected["canonical_uttered"]
    assert counts["canonical_predicted_distance"] == expected["canonical_predicted"]
    assert counts.per.numerator == expected["uttered_predicted"]


@pytest.mark.parametrize("case", [case for case in SINGLE if "span" in case], ids=lambda case: case["id"])
def test_spans(case):
    wanted = case["span"]
    found = span(score(case).alignment, wanted["start"], wanted["end"], boundary="both").counts
    check_counts(found, wanted["expected"])
    assert {name: n for name, n in found.by_type.items() if n and name != "TA"} == wanted["expected_by_type"]


def test_aggregate_in_every_profile():
    [aggregate] = [case for case in CASES if "aggregate_of" in case]
    members = [case for case in SINGLE if case["id"] in aggregate["aggregate_of"]]
    assert len(members) == 15
    scorer = Scorer(ScoringSettings(inventory="cmu39"))
    total = sum((scored.counts for scored in scorer.score(map(item, members))), Counts.zero())
    check_counts(total.mdd(), aggregate["expected"])
    check_rates(total.mdd(), aggregate["expected"])
    for profile in ("canonical_only", "no_spurious", "kaldi3"):
        for name in ("TA", "FR", "FA", "CD", "DE"):
            expected = sum(case["expected_profiles"][profile][name] for case in members)
            assert getattr(total.mdd(profile), name) == expected
