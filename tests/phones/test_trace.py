"""Where tokens went, each worked out by hand."""

from hypothesis import given
from hypothesis import strategies as st

from pedkit.phones import ProjectionPolicy, Projector, get_inventory

TIMIT = Projector("timit61")
IPA = Projector("ipa")


def test_a_closure_and_its_release_are_one_phone():
    # hh aa tcl t -> HH AA T
    spans, boundaries = TIMIT.trace(["hh", "aa", "tcl", "t"])
    assert spans == ((0, 1), (1, 2), (2, 3), (2, 3))
    assert boundaries == (0, 1, 2, 2, 3)


def test_a_lone_closure_is_its_stop_and_silence_is_nothing():
    # h# b ae tcl h# -> B AE T
    spans, boundaries = TIMIT.trace(["h#", "b", "ae", "tcl", "h#"])
    assert spans == ((0, 0), (0, 1), (1, 2), (2, 3), (3, 3))
    assert boundaries == (0, 0, 1, 2, 3, 3)


def test_one_token_becomes_two_phones_or_none():
    # b ɑː ʔ əl -> B AA AH L
    spans, boundaries = IPA.trace(["b", "ɑː", "ʔ", "əl"])
    assert spans == ((0, 1), (1, 2), (2, 2), (2, 4))
    assert boundaries == (0, 1, 2, 2, 4)


def test_a_lone_mark_is_part_of_the_letter_before():
    # ə ˞ n -> ER N; a word that begins with the mark begins behind the vowel
    spans, boundaries = IPA.trace(["ə", "˞", "n"])
    assert spans == ((0, 1), (0, 1), (1, 2))
    assert boundaries == (0, 1, 1, 2)


def test_folded_closures_are_gone():
    spans, boundaries = Projector("timit61", policy=ProjectionPolicy(closures="fold")).trace(["tcl", "t", "iy"])
    assert spans == ((0, 0), (0, 1), (1, 2))
    assert boundaries == (0, 0, 1, 2)


@given(st.lists(st.sampled_from(get_inventory("timit61").phones), max_size=12))
def test_every_phone_comes_from_a_token_and_boundaries_never_cross(tokens):
    phones = TIMIT(tokens).phones
    spans, boundaries = TIMIT.trace(tokens)
    assert sorted({place for start, end in spans for place in range(start, end)}) == list(range(len(phones)))
    assert list(boundaries) == sorted(boundaries)
    assert (boundaries[0], boundaries[-1]) == (0, len(phones))
