import pytest

from pedkit.report.numbers import count, counted, fraction, percent
from pedkit.report.readings import conclusions, readings
from tests.report.conftest import rate

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
        "Toy: 3 errors on 10 phones (PER 30.0 %); 1 of 2 pronunciation errors noticed; FRR 25.0 % (2 of 8)."
    ]
    del scores["systems"]["<mine>"]["mdd"]
    assert readings("Toy", scores) == ["Toy: 3 errors on 10 phones (PER 30.0 %)."]


def test_a_count_agrees_with_its_noun():
    assert [counted(n, "speaker") for n in (0, 1, 1234)] == ["0 speakers", "1 speaker", "1\u2009234 speakers"]


def test_false_alarms_are_phones_said_correctly_and_phones_added_and_their_sum_is_the_rate(scores):
    by_type = {"TA": 493, "FR_sub": 27, "FR_del": 21, "FR_ins": 15}
    mdd = {"counts_by_type": by_type, "rates": {"frr": rate(63, 556), "far": rate(0, 1)}}
    scores["systems"] = {"s": {"per": rate(1, 8), "mdd": mdd}}
    assert readings("Toy", scores) == [
        "Toy: 1 error on 8 phones (PER 12.5 %); 1 of 1 pronunciation error noticed; false alarms: 48 of 541 "
        "correctly said phones, 15 phones heard where the reference has none: FRR 11.3 % (63 of 556)."
    ]
    mdd["counts_by_type"] = by_type | {"FR_ins": 0}
    assert "48 of 541 correctly said phones: FRR" in readings("Toy", scores)[0]


def judged(per, f1):
    return {"per": rate(per, 100), "mdd": {"rates": {"f1": rate(f1, 100)}}}


@pytest.mark.parametrize(
    ("per", "f1", "transcript", "finding"),
    [
        (12, 60, "worse than", "better than both"),
        (9, 12, "no better than", "no better than empty"),
        (5, 3, "better than", "worse than empty"),
    ],
)
def test_what_the_reference_rows_say_of_a_system(per, f1, transcript, finding):
    scores = {
        "systems": {"s": judged(per, f1)},
        "references": {"accept_all": judged(9, 0), "empty": judged(100, 12)},
    }
    assert conclusions("Toy", scores) == [
        f"Toy: as a transcript it is {transcript} the intended phones that accept-all repeats (PER {per}.0 % "
        f"against 9.0 %); in finding errors it is {finding} (F1 {f1}.0 % against 0.0 % of accept-all and 12.0 % "
        "of empty)."
    ]
    scores["settings"] = {"per_reference": "canonical"}  # what accept-all repeats is the reference itself
    [sentence] = conclusions("Toy", scores)
    assert sentence.startswith(f"Toy: in finding errors it is {finding} (F1 ")
    del scores["references"]["empty"]
    assert conclusions("Toy", scores) == []
