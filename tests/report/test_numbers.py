import pytest

from pedkit.report.numbers import count, fraction, percent
from pedkit.report.readings import readings

RATE = {"value": 0.128125, "numerator": 41, "denominator": 320, "reason": None}
UNDEFINED = {"value": None, "numerator": 0, "denominator": 0, "reason": "nothing was flagged"}


def test_rates_in_per_cent_with_their_fraction():
    assert (percent(RATE), fraction(RATE)) == ("12.8", "41 / 320")
    assert (percent(UNDEFINED), fraction(UNDEFINED)) == ("–", "undefined: nothing was flagged")


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (12345, "12\u2009345"), (2.25, "2.2"), (3.0, "3"), (None, "–")]
)
def test_counts(number, text):
    assert count(number) == text


def test_readings_leave_out_what_is_undefined(scores):
    assert readings("Toy", scores) == [
        "Toy: 30 errors per 100 phones, 50 of 100 pronunciation errors are noticed, "
        "25 of 100 correctly said phones raise a false alarm."
    ]
    del scores["systems"]["<mine>"]["mdd"]
    assert readings("Toy", scores) == ["Toy: 30 errors per 100 phones."]
