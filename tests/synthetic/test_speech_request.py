import pytest

from pedkit.errors import PedkitError
from synthetic.engines import SpeechRequest
from synthetic.engines.phrases import phrases


def numbered(*lengths):
    """Return a request of words of these lengths."""
    starts = [sum(lengths[:number]) for number in range(len(lengths))]
    phones = tuple(f"P{number}" for number in range(sum(lengths)))
    return SpeechRequest(phones=phones, voice="v", word_starts=tuple(starts))


def test_words_are_cut_where_they_start():
    assert numbered(2, 1, 3).words() == [("P0", "P1"), ("P2",), ("P3", "P4", "P5")]
    assert SpeechRequest(phones=("K", "AE1"), voice="v").words() == [("K", "AE1")]


@pytest.mark.parametrize("starts", [(), (1,), (0, 0), (0, 2, 1), (0, 3), (-1, 0)])
def test_word_starts_rise_from_zero_and_stay_inside(starts):
    with pytest.raises(PedkitError, match=r"expected word starts that rise from 0 to less than .* phones \(3\)"):
        SpeechRequest(phones=("K", "AE1", "T"), voice="v", word_starts=starts)


def test_nothing_cannot_be_requested():
    with pytest.raises(PedkitError, match=r"number of phones \(0\)"):
        SpeechRequest(phones=(), voice="v")


@pytest.mark.parametrize(
    ("words", "sizes"),
    [(1, [1]), (8, [8]), (9, [5, 4]), (16, [8, 8]), (17, [6, 6, 5]), (100, [8] * 12 + [4])],
)
def test_phrases_hold_about_equally_many_words_and_eight_at_most(words, sizes):
    request = numbered(*[3] * words)
    parts = phrases(request)
    assert [len(phrase) for phrase in parts] == sizes
    assert tuple(phone for phrase in parts for word in phrase for phone in word) == request.phones


def test_long_words_make_shorter_phrases():
    assert [len(phrase) for phrase in phrases(numbered(25, 25, 25, 70, 10))] == [2, 1, 1, 1]
