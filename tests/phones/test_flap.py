import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from pedkit.phones import FLAP_MARKER, resolve_flap


@pytest.mark.parametrize(
    ("phones", "canonical", "resolved"),
    [
        ("B AH DX ER", "B AH T ER", "B AH T ER"),
        ("L AE DX ER", "L AE D ER", "L AE D ER"),
        ("DX IH DX", "D IH T", "D IH T"),
        ("AH DX", "AH", "AH T"),
        ("AH DX AH", "AH R AH", "AH T AH"),
        ("DX", "S D", "D"),
        ("B AH", "B AH", "B AH"),
        ("DX", "", "T"),
        ("", "T", ""),
    ],
)
def test_takes_the_stop_of_the_canonical_column(phones, canonical, resolved):
    assert resolve_flap(phones.split(), canonical.split()) == tuple(resolved.split())


def test_default_for_a_flap_beside_something_else():
    assert resolve_flap(["DX"], ["R"], default="D") == ("D",)


@given(
    st.lists(st.sampled_from(["T", "D", "AH", FLAP_MARKER]), max_size=6),
    st.lists(st.sampled_from(["T", "D", "AH"]), max_size=6),
)
def test_no_other_choice_of_stops_is_nearer_to_the_canonical_phones(phones, canonical):
    choices = [()]
    for phone in phones:
        choices = [(*c, p) for c in choices for p in (("T", "D") if phone == FLAP_MARKER else (phone,))]
    best = min(Levenshtein.distance(choice, canonical) for choice in choices)
    assert Levenshtein.distance(resolve_flap(phones, canonical), canonical) == best
