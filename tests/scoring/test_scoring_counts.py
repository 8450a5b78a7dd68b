import json
import re

import numpy as np
import pytest

from pedkit.errors import PedkitError
from pedkit.phones import feature_distances, get_inventory
from pedkit.scoring import FIELDS, Counts, Item, MddCounts, Scorer, ScoringSettings

SCORER = Scorer(ScoringSettings(inventory="cmu39"))
ITEMS = [
    Item("a", ("TH", "IH"), ("S", "IH"), ("S", "EH", "T")),
    Item("b", ("D", "EH"), ("D",), ()),
    Item("c", None, ("K",), ("K",)),
]


def test_what_is_counted():
    counts = SCORER.total(ITEMS)
    phones = get_inventory("cmu39")
    ih_eh = feature_distances("cmu39")[phones.index("IH"), phones.index("EH")]
    fields = {name: n for name, n in counts.to_fields().items() if n and not name.startswith(("soft", "kaldi3"))}
    assert fields == {
        "utterances": 3,
        "empty_predictions": 1,
        "reference_phones": 4,
        "substitutions": 1,
        "deletions": 1,
        "insertions": 1,
        "feature_distance": ih_eh + 48 + 48,
        "mdd_utterances": 2,
        "without_canonical": 1,
        "canonical_predicted_distance": 3 + 2,
        "canonical_realized_distance": 1 + 1,
        "FR_sub": 1,
        "FR_del": 1,
        "FR_ins": 1,
        "CD_sub": 1,
        "CD_del": 1,
    }
    assert counts.per.value == 0.75


def test_the_parts_of_per_by_hand():
    # T D said as S, with K behind it: one substitution, one deletion and two insertions on four phones
    counts = SCORER.total([Item("x", None, ("T", "D", "K", "K"), ("S", "K", "K", "AA", "AA"))])
    assert {name: rate.value for name, rate in counts.edit_rates.items()} == {
        "substitution_error_rate": 0.25, "deletion_error_rate": 0.25, "insertion_error_rate": 0.5,
    }  # fmt: skip
    assert sum(rate.numerator for rate in counts.edit_rates.values()) == counts.per.numerator == 4
    assert counts.to_json()["deletion_error_rate"]["denominator"] == 4
    assert Counts.zero().edit_rates["insertion_error_rate"].reason == "no reference phones"


def test_vector_there_and_back():
    counts = SCORER.total(ITEMS)
    vector = counts.to_array()
    assert vector.dtype == np.int64
    assert vector.shape == (len(FIELDS),)
    assert Counts.from_array(vector) == counts
    assert Counts.from_fields(counts.to_fields()) == counts
    vector[:] = 0  # a copy: the counts do not change
    assert counts["utterances"] == 3


def test_two_processes_are_one():
    whole = SCORER.total(ITEMS)
    parts = [SCORER.total(ITEMS[k::2]).to_array() for k in range(2)]
    assert Counts.from_array(parts[0] + parts[1]) == whole
    assert sum([SCORER.total([item]) for item in reversed(ITEMS)]) == whole
    assert Counts.zero() + whole == whole


def test_bad_vectors():
    for bad in (np.zeros(3), -np.ones(len(FIELDS)), np.full(len(FIELDS), 0.5)):
        with pytest.raises(PedkitError, match=f"{len(FIELDS)} whole numbers"):
            Counts.from_array(bad)
    with pytest.raises(PedkitError, match="'word_errors'"):
        Counts.from_fields({"word_errors": 1})


def test_two_kinds_of_reference_are_never_pooled():
    g2p = Scorer(ScoringSettings(inventory="cmu39", per_reference="canonical"))
    read = g2p.total([Item("a", ("T", "IY"), None, ("T",))])
    assert read.reference == "G2P reference"
    assert (read.per.value, read["without_realized"], read["mdd_utterances"]) == (0.5, 1, 0)
    assert all(rate.value is None for rate in read.mdd().rates().values())
    with pytest.raises(PedkitError, match="never pooled"):
        read + SCORER.total(ITEMS)
    assert (read + Counts.zero()).reference == "G2P reference"


def test_scores_json():
    system = SCORER.total(ITEMS).to_json()
    assert {"per", "pfer", "soft_per", "mdd", "mdd_profiles"} <= set(system)
    assert system["per"] == {"value": 0.75, "numerator": 3, "denominator": 4, "reason": None}
    assert system["mdd"]["profile"] == "full"
    assert system["mdd"]["counts"] == {"TA": 0, "FR": 3, "FA": 0, "CD": 2, "DE": 0, "DU": 0}
    assert system["mdd"]["counts_by_type"]["FR_ins"] == 1
    assert set(system["mdd"]["rates"]) == {
        "frr", "far", "der_li", "der_pedbench", "precision", "recall", "f1",
        "detection_accuracy", "diagnosis_accuracy", "strict_f1",
    }  # fmt: skip
    assert set(system["mdd_profiles"]) == {"no_spurious", "canonical_only", "kaldi3"}
    other = SCORER.total(ITEMS).to_json(profile="kaldi3")
    assert (other["mdd"]["profile"], set(other["mdd_profiles"])) == (
        "kaldi3", {"full", "no_spurious", "canonical_only"},
    )  # fmt: skip


def test_a_bare_der_appears_nowhere():
    written = json.dumps(SCORER.total(ITEMS).to_json(), allow_nan=False)
    assert re.search(r"(?<![a-z_])der(?![a-z_])", written, flags=re.IGNORECASE) is None
    assert "der_li" in written


def test_rates_by_hand():
    mdd = MddCounts.of({"TA": 50, "FR_sub": 6, "FR_ins": 4, "FA_sub": 8, "CD_sub": 12, "DE_del": 3, "DU_sub": 1})
    expected = {
        "frr": 10 / 60,
        "far": 8 / 24,
        "der_li": 3 / 15,
        "der_pedbench": 21 / 84,
        "precision": 16 / 26,
        "recall": 16 / 24,
        "f1": 32 / 50,
        "detection_accuracy": 66 / 84,
        "diagnosis_accuracy": 12 / 15,
        "strict_f1": 24 / (15 + 10 + 15 + 8),
    }
    assert {name: rate.value for name, rate in mdd.rates().items()} == pytest.approx(expected)
    assert mdd.rates()["far"].denominator == 24
    with pytest.raises(PedkitError, match="'lenient'"):
        SCORER.total(ITEMS).mdd("lenient")
