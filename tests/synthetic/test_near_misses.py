import pytest
from miniature_set import utterance
from msgspec.structs import replace

from pedkit.errors import PedkitError
from synthetic.acceptance.near_misses import aligned, doubted_column, error_type, near_misses, nearest


def columns(canonical, realized):
    """Return the columns of two rows of phones, where - is a gap."""
    rows = ([None if phone == "-" else phone for phone in row.split()] for row in (canonical, realized))
    return tuple(zip(*rows, strict=True))


def rivals(canonical, realized, neighbours=2, site=0):
    return [" ".join(phones) for phones in near_misses(columns(canonical, realized), neighbours, site)]


@pytest.mark.parametrize(
    ("phone", "first"),
    [
        ("T", ("D", "S", "TH")),  # one feature of 24 each: voiced; continuant; equal ones by the inventory's order
        ("S", ("Z", "SH", "T")),
        ("ER", ("UH", "AO", "OW")),
    ],
)
def test_the_nearest_phones_are_those_of_the_feature_distances(phone, first):
    assert nearest(phone, "cmu39")[:3] == first


def test_vowels_stand_for_vowels_and_consonants_for_consonants():
    assert len(nearest("AH", "cmu39")) == 14
    assert len(nearest("T", "cmu39")) == 23
    assert not {"T", "AH"} & {*nearest("AH", "cmu39"), *nearest("T", "cmu39")}


def test_a_substitution_competes_with_what_was_asked_for_with_others_and_with_a_deletion():
    # nearest to D: T (canonical), DH, N
    assert rivals("B AH T ER", "B AH D ER") == ["B AH T ER", "B AH DH ER", "B AH N ER", "B AH ER"]


def test_a_deletion_competes_with_the_phone_and_with_others_in_its_place():
    assert rivals("B AH T", "B AH -") == ["B AH T", "B AH D", "B AH S"]


def test_an_insertion_competes_with_none_and_with_others_in_its_place():
    # nearest to Z: S, D, DH
    assert rivals("B AH T -", "B AH T Z") == ["B AH T", "B AH T S", "B AH T D"]


def test_where_nothing_is_wrong_the_site_is_doubted():
    assert rivals("B AH T", "B AH T", site=2) == ["B AH D", "B AH S", "B AH"]
    assert rivals("B AH T", "B AH T", site=0) == ["P AH T", "M AH T", "AH T"]


def test_of_two_errors_one_at_a_time_is_changed_and_both_are_undone():
    assert rivals("B AH T", "D AH -", neighbours=1) == [
        "B AH T", "B AH", "T AH", "AH", "D AH T", "D AH D",
    ]  # fmt: skip


def test_no_rival_has_equal_phones_side_by_side_unless_they_are_the_canonical_ones():
    assert "Z Z IY" not in rivals("S Z IY", "T Z IY", neighbours=22)
    assert rivals("S S AH", "S - AH", neighbours=1)[0] == "S S AH"


def test_a_rival_is_never_empty():
    assert rivals("AH", "ER") == ["AH", "UH", "AO"]


@pytest.mark.parametrize(
    ("canonical", "realized", "expected"),
    [
        ("B AH T", "B AH T", "unedited"),
        ("B AH T", "B AH D", "substitution"),
        ("B AH T", "B AH -", "deletion"),
        ("B AH T -", "B AH T Z", "insertion"),
        ("B AH T", "D AH -", "several"),
    ],
)
def test_error_types(canonical, realized, expected):
    assert error_type(columns(canonical, realized)) == expected


def test_utterances_are_aligned_with_vowels_beside_vowels():
    [found] = aligned([utterance("a", "T AH", "AA")])
    assert found == (("T", None), ("AH", "AA"))  # not T beside AA, which is two errors as well


def test_the_doubted_column_lies_in_the_word_under_test_and_depends_on_the_id_alone():
    one = replace(utterance("a", "B AH T ER Z", "B AH T ER Z"), target_span=(2, 4))
    found = {doubted_column(replace(one, id=f"id{k}"), columns("B AH T ER Z", "B AH T ER Z")) for k in range(40)}
    assert found == {2, 3}


def test_phones_of_another_inventory_and_missing_phones_are_named():
    one = utterance("a", "T", "T")
    with pytest.raises(PedkitError, match="'a': expected phones of cmu39, but got ipa"):
        list(aligned([replace(one, inventory="ipa")]))
    with pytest.raises(PedkitError, match="'a': expected canonical and realized phones"):
        list(aligned([replace(one, realized=None)]))
