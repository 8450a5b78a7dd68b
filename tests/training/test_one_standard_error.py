from __future__ import annotations

import math

import pytest

from pedkit.errors import PedkitError
from pedkit.training.one_standard_error import one_standard_error

# Steps x five folds. By hand: means 0.50, 0.32, 0.30, 0.30, 0.31. At the best step (index 2, the earlier of two)
# the deviations are -0.04 -0.02 0 0.02 0.04: sum of squares 0.004, variance 0.001 (n - 1 = 4).
PERS = [
    [0.50, 0.50, 0.50, 0.50, 0.50],
    [0.31, 0.32, 0.33, 0.32, 0.32],
    [0.26, 0.28, 0.30, 0.32, 0.34],
    [0.30, 0.30, 0.30, 0.30, 0.30],
    [0.31, 0.31, 0.31, 0.31, 0.31],
]
ERROR = math.sqrt(0.001 / 5)  # 0.01414


def test_the_earliest_step_within_one_standard_error_of_the_best_is_chosen():
    choice = one_standard_error(PERS)
    assert choice.means == pytest.approx([0.50, 0.32, 0.30, 0.30, 0.31])
    assert choice.errors[2] == pytest.approx(ERROR)
    assert (choice.best, choice.threshold) == (2, pytest.approx(0.30 + ERROR))
    assert choice.chosen == 2  # 0.32 lies above 0.3141


def test_a_wider_spread_of_the_best_step_chooses_an_earlier_one():
    spread = [*PERS[:2], [0.18, 0.24, 0.30, 0.36, 0.42], *PERS[3:]]
    choice = one_standard_error(spread)  # sum of squares 0.036, variance 0.009, error sqrt(0.0018) = 0.0424
    assert choice.threshold == pytest.approx(0.30 + math.sqrt(0.0018))
    assert (choice.best, choice.chosen) == (2, 1)


def test_folds_that_agree_leave_no_room():
    assert one_standard_error([[0.4, 0.4], [0.2, 0.2], [0.2, 0.2]]).chosen == 1


@pytest.mark.parametrize("pers", [[], [[0.5]], [[0.5, 0.4], [0.5]]])
def test_what_has_no_standard_error_is_refused(pers):
    with pytest.raises(PedkitError, match="expected the PER of at least 2 folds at each step"):
        one_standard_error(pers)
