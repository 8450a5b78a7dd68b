import pytest

from pedkit.scoring import Agreement, Item, MddCounts, Scorer, ScoringSettings


def test_kappa_by_hand():
    # po = (40 + 15) / 70, first calls 40 + 10 correct, second 40 + 5: pe = (50 * 45 + 20 * 25) / 70^2
    agreement = Agreement(MddCounts.of({"TA": 40, "FR_sub": 10, "FA_sub": 5, "CD_sub": 9, "DE_sub": 6}))
    po, pe = 55 / 70, (50 * 45 + 20 * 25) / 4900
    assert agreement.observed.value == pytest.approx(po)
    assert agreement.kappa.value == pytest.approx((po - pe) / (1 - pe))
    assert agreement.f1.value == pytest.approx(30 / 45)
    assert agreement.diagnosis.value == pytest.approx(9 / 15)


def test_one_answer_everywhere_has_no_kappa():
    agreement = Agreement(MddCounts.of({"TA": 3}))
    assert agreement.observed.value == 1.0
    assert (agreement.kappa.value, agreement.f1.value) == (None, None)


def test_a_second_annotation_is_scored_as_a_system():
    scorer = Scorer(ScoringSettings(inventory="cmu39"))
    first, second = ("S", "IY", "T"), ("S", "IH", "T")
    counts = scorer.total([Item("x", ("TH", "IY", "T"), first, second)])
    agreement = Agreement(counts.mdd())
    assert agreement.f1.value == pytest.approx(2 / 3)
    assert agreement.diagnosis.value == 1.0
