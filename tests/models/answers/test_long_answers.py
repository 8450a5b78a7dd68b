"""Long numbers, which Python's own JSON reader refuses or which patterns take for ever on."""

from __future__ import annotations

from pedkit.models.answers import parse_answer


def test_a_number_of_many_digits_is_no_reason_to_lose_the_phones():
    answer = parse_answer(f'{{"sure": {"1" * 5000}, "transcription": "k æ t"}}')
    assert (answer.phones, answer.outcome) == (("K", "AE", "T"), "json")


def test_a_number_that_was_cut_off_leaves_the_phones_before_it():
    for number in ("9" * 5000, "9" * 5000 + ".", "-", "-1e", "0.5E+"):
        answer = parse_answer(f'{{"transcription": "k æ t", "sure": {number}')
        assert (answer.phones, answer.outcome) == (("K", "AE", "T"), "json+recovered")
    for nothing in ("--1", "1e5e", "1.2.", "+"):
        assert parse_answer(f'{{"transcription": "k æ t", "sure": {nothing}').outcome == "malformed"


def test_digits_before_something_else_are_read_once():
    """A search from every digit took minutes, more than any limit of a test run."""
    assert parse_answer('{"sure": ' + "1" * 1_000_000 + "x").outcome == "malformed"


def test_a_run_without_a_blank_is_no_phone_where_a_model_repeats_itself_for_ever():
    """Its marks were joined one by one to an ever longer symbol."""
    assert len(parse_answer("θ" * 10_000).phones) == 10_000
    for run in ("θ" * 10_001, "a" + "\u0361" * 1_000_000, "a" * 1_000_000):
        answer = parse_answer(f'{{"transcription": "k {run} t"}}')
        assert (answer.phones, answer.left_out) == (("K", "T"), (run[:40],))
