import math
from itertools import pairwise

import pytest

from pedkit.report.fairness.axis import Axis


def test_a_linear_axis_has_round_ends_and_starts_at_zero_where_values_come_near_it():
    near = Axis.linear([12.0, 31.0], 0, 100)
    assert (near.low, near.high, near.ticks) == (0, 40, (0, 10, 20, 30, 40))
    far = Axis.linear([24.0, 31.0], 0, 100)
    assert (far.low, far.high) == (24, 32)
    assert far.at(28) == pytest.approx(50)


def test_differences_may_lie_on_both_sides_of_zero():
    axis = Axis.linear([-3.2, 8.9], 0, 120)
    assert (axis.low, axis.high) == (-5, 10)
    assert axis.at(0) == pytest.approx(40)


def test_equal_values_and_no_values_still_have_an_axis():
    for values in ([5.0], [5.0, 5.0], [0.0], []):
        axis = Axis.linear(values, 0, 10)
        assert axis.low < axis.high
        assert all(0 <= axis.at(value) <= 10 for value in values)


def test_ratios_of_two_and_a_half_lie_equally_far_from_one():
    axis = Axis.ratios([0.5, 2.0], 0, 100)
    assert (axis.low, axis.high) == (0.5, 2)
    assert axis.at(1) == pytest.approx(50)
    assert axis.at(2) - axis.at(1) == pytest.approx(axis.at(1) - axis.at(0.5))
    assert axis.at(math.sqrt(2)) == pytest.approx(75)


def test_endless_and_vanishing_ratios_lie_at_the_ends():
    axis = Axis.ratios([1e-9, math.inf], 0, 100)
    assert (axis.at(1e-9), axis.at(0.0), axis.at(math.inf)) == (0, 0, 100)


@pytest.mark.parametrize("values", [[0.3, 3.9], [0.06, 18.0], [1.0], [0.95, 1.02], [2.2, 4.1]])
def test_labelled_ticks_do_not_touch_and_one_is_among_them(values):
    axis = Axis.ratios(values, 150, 400)
    places = [axis.at(tick) for tick in axis.ticks]
    assert 1 in axis.ticks
    assert all(b - a >= 30 for a, b in pairwise(places))
    assert axis.low <= min(values)
    assert axis.high >= max(values)
