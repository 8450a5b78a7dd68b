"""Errors that a corpus marks on its own (section 2.9 of the specification), worked by hand."""

import pytest

from pedkit.scoring import Item, Scorer, ScoringSettings

SCORER = Scorer(ScoringSettings(inventory="cmu39"))


def score(c, u, p, flags=()):
    item = Item("x", tuple(c.split()), tuple(u.split()), tuple(p.split()), frozenset(flags))
    [scored] = SCORER.score([item])
    return scored


def nonzero(scored):
    return {name: n for name, n in scored.counts.mdd().by_type.items() if n}


@pytest.mark.parametrize(
    ("c", "u", "p", "flags", "expected"),
    [
        ("S IH T", "S IH T", "S IH T", {1}, {"TA": 2, "FA_sub": 1}),
        ("S IH T", "S IH T", "S EH T", {1}, {"TA": 2, "DU_sub": 1}),
        ("S IH T", "S IH T", "S T", {1}, {"TA": 2, "DU_sub": 1}),
        ("TH IY", "<unk> IY", "S IY", (), {"TA": 1, "DU_sub": 1}),
        ("TH IY", "<unk> IY", "TH IY", (), {"TA": 1, "FA_sub": 1}),
        ("TH IY", "err IY", "IY", (), {"TA": 1, "DU_sub": 1}),
        ("IY", "IY <unk>", "IY", (), {"TA": 1, "FA_ins": 1}),
        ("IY", "IY <unk>", "IY S", (), {"TA": 1, "DU_ins": 1}),
        # A mark on a column with another usable phone, or on a deleted one, adds nothing: the error is nameable.
        ("TH IY", "S IY", "S IY", {0}, {"TA": 1, "CD_sub": 1}),
        ("TH IY", "IY", "IY", {0}, {"TA": 1, "CD_del": 1}),
    ],
)
def test_outcomes(c, u, p, flags, expected):
    assert nonzero(score(c, u, p, flags)) == expected


def test_detected_but_undiagnosable_counts_for_detection_only():
    mdd = score("S IH T", "S IH T", "S EH T", {1}).counts.mdd()
    rates = mdd.rates()
    assert (mdd.TR, mdd.DU) == (1, 1)
    assert (rates["recall"].value, rates["precision"].value, rates["f1"].value) == (1.0, 1.0, 1.0)
    assert rates["detection_accuracy"].value == 1.0
    assert rates["der_pedbench"].value == 0.0
    for name in ("der_li", "diagnosis_accuracy", "strict_f1"):
        assert rates[name].value is None


def test_unusable_sounds_leave_the_reference_of_the_error_rates():
    counts = score("TH IY", "<unk> IY", "IY").counts
    assert (counts["unusable_phones"], counts["reference_phones"]) == (1, 1)
    assert (counts.per.value, counts.pfer.value, counts.soft_per.value) == (0.0, 0.0, 0.0)
    heard = score("TH IY", "<unk> IY", "S IY").counts
    assert (heard["insertions"], heard.per.value) == (1, 1.0)


def test_unusable_sounds_equal_not_even_each_other():
    scored = score("TH IY", "<unk> IY", "<unk> IY")
    assert nonzero(scored) == {"TA": 1, "DU_sub": 1}
    assert scored.counts["canonical_realized_distance"] == 1


def test_kaldi3_does_not_see_stars():
    assert score("S IH T", "S IH T", "S IH T", {1}).counts.mdd("kaldi3").TA == 3


@pytest.mark.parametrize(
    ("u", "p", "expected"),
    [
        ("TH IY", "<unk> IY", {"TA": 1, "FR_sub": 1}),  # only the second annotator hears an error
        ("S IY", "<unk> IY", {"TA": 1, "DE_sub": 1}),  # both do, only the first one can name it
        ("IY", "err IY", {"TA": 1, "DE_del": 1}),  # a sound where the first heard none
        ("TH IY", "TH IY <unk>", {"TA": 2, "FR_ins": 1}),
        ("TH IY S", "TH IY <unk>", {"TA": 2, "DE_ins": 1}),
    ],
)
def test_a_second_annotator_may_write_unknown_sounds(u, p, expected):
    assert nonzero(score("TH IY", u, p)) == expected


def test_a_predicted_unknown_sound_is_an_error_at_full_cost_in_every_rate():
    # S heard as <unk> is a substitution, the last <unk> an insertion; the reference has 2 phones.
    counts = score("S IY", "S IY", "<unk> IY <unk>").counts
    assert (counts["substitutions"], counts["insertions"], counts["unusable_predicted"]) == (1, 1, 2)
    assert (counts.per.value, counts.pfer.value, counts.soft_per.value) == (1.0, 1.0, 1.0)
    assert counts["unusable_phones"] == 0
