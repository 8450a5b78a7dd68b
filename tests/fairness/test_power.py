import numpy as np
import pytest
from scipy.special import nctdtr, stdtrit

from pedkit.errors import PedkitError
from pedkit.fairness.power import detectable_gap, power_of_welch, speakers_needed


def test_textbook_numbers_of_speakers():
    # Cohen (1988), table 2.4.1: two-sided 0.05, power 0.80.
    assert speakers_needed(0.2, (1, 1)) == (394, 394)
    assert speakers_needed(0.5, (1, 1)) == (64, 64)
    assert speakers_needed(0.8, (1, 1)) == (26, 26)


def test_one_speaker_fewer_is_not_enough():
    first, second = speakers_needed(0.05, (0.1, 0.2), ratio=2, power=0.9, alpha=0.05 / 28)
    assert second == 2 * first
    assert power_of_welch(0.05, (0.1, 0.2), (first, second), alpha=0.05 / 28) >= 0.9
    assert power_of_welch(0.05, (0.1, 0.2), (first - 1, second - 2), alpha=0.05 / 28) < 0.9


@pytest.mark.parametrize("speakers", [(64, 64), (5, 9), (300, 20)])
def test_power_is_that_of_the_noncentral_t(speakers):
    sd = (0.1, 0.15)
    parts = [s**2 / n for s, n in zip(sd, speakers, strict=True)]
    df = sum(parts) ** 2 / sum(p**2 / (n - 1) for p, n in zip(parts, speakers, strict=True))
    center, critical = 0.07 / sum(parts) ** 0.5, stdtrit(df, 0.975)
    expected = 1 - nctdtr(df, center, critical) + nctdtr(df, center, -critical)
    assert power_of_welch(0.07, sd, speakers) == pytest.approx(expected, abs=1e-8)


def test_power_without_a_gap_is_the_level_of_the_test():
    assert power_of_welch(0.0, (1, 2), (4, 7), alpha=0.03) == pytest.approx(0.03, abs=1e-8)


def test_the_detectable_gap_is_found_with_the_wanted_power():
    gap = detectable_gap((0.1, 0.2), (2, 3), alpha=0.05 / 28)
    assert power_of_welch(gap, (0.1, 0.2), (2, 3), alpha=0.05 / 28) == pytest.approx(0.8)
    assert detectable_gap((1, 1), (64, 64)) == pytest.approx(0.499, abs=1e-3)
    assert detectable_gap((0, 0.1), (5, 2)) is not None
    assert detectable_gap((0.1, 0.1), (1, 9)) is detectable_gap((0.0, 0.0), (5, 9)) is None


@pytest.mark.parametrize(
    "wrong",
    [{"gap": 0}, {"sd": (0, 0)}, {"sd": (-1, 1)}, {"ratio": 0}, {"power": 0.04}, {"power": 1}, {"gap": np.nan}],
)
def test_impossible_questions_are_one_sentence(wrong):
    asked = {"gap": 0.1, "sd": (1.0, 1.0)} | wrong
    with pytest.raises(PedkitError, match=r"expected (a gap other than 0|standard deviations of 0 or more)"):
        speakers_needed(**asked)


@pytest.mark.parametrize(
    "wrong", [{"sd": (0.1, np.nan)}, {"sd": (-0.1, 0.1)}, {"power": 1.0}, {"power": np.nan}, {"alpha": 0.0}]
)
def test_no_gap_is_detectable_beyond_doubt(wrong):
    with pytest.raises(PedkitError, match="expected standard deviations of 0 or more and 0 < alpha < power"):
        detectable_gap(**({"sd": (0.1, 0.1), "speakers": (5, 5)} | wrong))


def test_more_speakers_than_there_are():
    with pytest.raises(PedkitError, match="more than 10,000,000 speakers"):
        speakers_needed(1e-9, (1, 1))
