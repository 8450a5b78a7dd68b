import numpy as np
import pytest

from pedkit.errors import PedkitError
from synthetic.acceptance.calibration import Threshold, calibrated
from synthetic.acceptance.settings import AcceptanceSettings


def test_the_threshold_is_the_kth_lowest_score():
    scores = [-1.0 * k for k in range(1, 40)]  # n = 39: k = floor(0.05 * 40) = 2, the second lowest is -38
    assert calibrated(scores, 0.05) == Threshold(-38.0, -38.0, 2, 39)
    assert calibrated(scores[:38], 0.05) == Threshold(-38.0, -38.0, 1, 38)  # floor(0.05 * 39) = 1


def test_nineteen_are_enough_for_one_in_twenty_and_eighteen_are_not():
    assert calibrated([-2.0] * 18 + [-5.0], 0.05).value == -5.0
    with pytest.raises(PedkitError, match=r"at least 19 unedited recordings of 'kal' .* but got 18"):
        calibrated([-2.0] * 18, 0.05, "'kal'")


def test_shares_are_taken_as_they_are_written():
    # 0.1 * 30 is 3.0000000000000004 and 0.29 * 100 is 28.999999999999996 in binary floating point
    assert calibrated([-1.0 * k for k in range(29)], 0.1).rank == 3
    assert calibrated([-1.0 * k for k in range(99)], 0.29).rank == 29


def test_what_wins_the_forced_choice_stays():
    assert calibrated([0.5, 1.0, 2.0], 0.25) == Threshold(0.0, 0.5, 1, 3)


@pytest.mark.parametrize(("n", "share"), [(19, 0.05), (50, 0.1), (99, 0.05)])
def test_a_further_recording_is_refused_as_rarely_as_promised(n, share):
    # Scores are exchangeable: of n + 1, each is left out in turn. Exactly k - 1 or k of these are refused.
    scores = np.random.default_rng(n).normal(-5, 1, n + 1)
    refused = sum(scores[i] < calibrated(np.delete(scores, i).tolist(), share).value for i in range(n + 1))
    assert refused == int(share * (n + 1))


@pytest.mark.parametrize("settings", [{"unedited_refused": 0}, {"unedited_refused": 1}, {"neighbours": 0}])
def test_settings_out_of_range_are_named(settings):
    with pytest.raises(PedkitError, match=next(iter(settings))):
        AcceptanceSettings(**settings)
