import math
from collections import Counter

import pytest

from pedkit.errors import PedkitError
from synthetic.arpabet import CMU39, base
from synthetic.design import Deletion, Insertion, NeighbourSource, Substitution, UniformSource
from synthetic.design.edits import audible
from synthetic.design.sources import possible_operations

CAT = ("K", "AE1", "T")


def test_consonants_replace_consonants_and_vowels_vowels_with_their_stress():
    operations = list(possible_operations("substitution", CAT))
    # CMU-39 has 24 consonants and 15 vowels; each phone can become every other of its class.
    assert Counter(o.position for o in operations) == {0: 23, 1: 14, 2: 23}
    assert Substitution(1, "AE1", "EH1") in operations
    assert Substitution(0, "K", "AE1") not in operations


def test_no_substitution_puts_a_phone_beside_an_equal_one():
    stop = ("S", "T", "AA1", "P")
    replaced = {o.realized for o in possible_operations("substitution", stop) if o.position == 0}
    assert "T" not in replaced
    assert len(replaced) == 22


def test_stressed_vowels_and_twins_are_not_deleted():
    assert list(possible_operations("deletion", CAT)) == [Deletion(0, "K"), Deletion(2, "T")]
    # Without its AH0 the next word would begin with two B; the one after sounds alike without either N.
    assert list(possible_operations("deletion", ("B", "AH0", "B", "IY1"))) == [Deletion(0, "B"), Deletion(2, "B")]
    assert list(possible_operations("deletion", ("IY1", "N", "N", "OW0"))) == [Deletion(3, "OW0")]


def test_insertions_stand_anywhere_but_beside_their_twin():
    operations = list(possible_operations("insertion", ("K", "T")))
    # Before K all 39 phones but K, between K and T all but both, after T all but T.
    assert Counter(o.position for o in operations) == {0: 38, 1: 37, 2: 38}
    assert Insertion(1, "AH0") in operations


@pytest.mark.parametrize(
    "word", ["B AH0 B IY1", "IY1 N N OW0", "S T AA1 P", "AH0 B AE1 N D AH0 N D", "AY1", "T T"]
)
def test_possible_operations_are_all_that_are_audible(word):
    """The rule stands twice: once to list quickly, once (`audible`) to ask about one operation in a sentence."""
    phones = tuple(word.split())
    same_class = [
        Substitution(at, old, new + old[len(base(old)) :])
        for at, old in enumerate(phones)
        for new in CMU39.phones
        if (new in CMU39.vowels) == (base(old) in CMU39.vowels) and new != base(old)
    ]
    deletions = [Deletion(at, phone) for at, phone in enumerate(phones)]
    insertions = [
        Insertion(at, phone + "0" * (phone in CMU39.vowels))
        for at in range(len(phones) + 1)
        for phone in CMU39.phones
    ]
    for operations in (same_class, deletions, insertions):
        expected = {operation for operation in operations if audible(operation, phones)}
        assert set(possible_operations(operations[0].kind, phones)) == expected


def test_an_unknown_kind_is_an_error():
    with pytest.raises(PedkitError, match="but got 'swap'"):
        possible_operations("swap", CAT)


def test_the_uniform_source_weighs_all_alike():
    weighted = UniformSource().operations("substitution", CAT)
    assert len(weighted) == 60
    assert {weight for _, weight in weighted} == {1.0}


def test_the_neighbour_source_prefers_close_articulations():
    weights = dict(NeighbourSource(temperature=0.08).operations("substitution", CAT))
    # T and D differ in voicing, one of 24 features; T and S in two (continuant, strident).
    ratio = weights[Substitution(2, "T", "D")] / weights[Substitution(2, "T", "S")]
    assert ratio == pytest.approx(math.exp((2 / 24 - 1 / 24) / 0.08))
    by_position = Counter()
    for operation, weight in weights.items():
        by_position[operation.position] += weight
    assert by_position == pytest.approx({0: 1.0, 1: 1.0, 2: 1.0})


def test_the_neighbour_source_is_uniform_over_deletions_and_insertions():
    for kind in ("deletion", "insertion"):
        assert NeighbourSource().operations(kind, CAT) == UniformSource().operations(kind, CAT)


def test_the_temperature_is_over_zero():
    with pytest.raises(PedkitError, match="temperature over 0, but got 0"):
        NeighbourSource(temperature=0)
