import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, strip_stress
from synthetic.design import (
    Deletion,
    ErrorSettings,
    Insertion,
    Substitution,
    UniformSource,
    draw_design,
)
from synthetic.design.drawing import ANY, ErrorDrawer
from synthetic.design.edits import apart, apply_all, audible, shortest_ways, unambiguous
from synthetic.design.text import Text

BUTTER = ("B", "AH1", "T", "ER0")


def obey(_engine, request):
    return request.phones


def test_operations_count_the_phones_of_the_unchanged_word():
    operations = [Deletion(3, "ER0"), Insertion(2, "S"), Substitution(0, "B", "P")]
    assert apply_all(operations, BUTTER) == ("P", "AH1", "S", "T")
    # At one position the insertion comes before the phone.
    assert apply_all([Substitution(2, "T", "D"), Insertion(2, "S")], BUTTER) == ("B", "AH1", "S", "D", "ER0")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (Substitution(0, "B", "P"), Substitution(1, "AH1", "IH1"), False),
        (Substitution(0, "B", "P"), Substitution(2, "T", "D"), True),
        (Substitution(0, "B", "P"), Insertion(1, "S"), False),  # they touch
        (Substitution(0, "B", "P"), Insertion(2, "S"), True),  # AH1 lies between
        (Insertion(2, "S"), Substitution(2, "T", "D"), False),
        (Insertion(1, "S"), Insertion(2, "L"), True),
        (Insertion(1, "S"), Insertion(1, "L"), False),
    ],
)
def test_one_untouched_phone_lies_between_two_errors(one, other, expected):
    assert apart(one, other) is apart(other, one) is expected


def ways_by_search(a, b):
    """All alignments, one after the other."""
    if not a or not b:
        return Counter({len(a) + len(b): 1})
    found = Counter()
    for rest, cost in (
        (ways_by_search(a[1:], b[1:]), a[0] != b[0]),
        (ways_by_search(a[1:], b), 1),
        (ways_by_search(a, b[1:]), 1),
    ):
        for other, number in rest.items():
            found[other + cost] += number
    return found


@given(*[st.lists(st.sampled_from(["K", "T", "S"]), max_size=5).map(tuple) for _ in range(2)])
@settings(deadline=None, max_examples=60)
def test_shortest_ways_are_those_of_an_exhaustive_search(a, b):
    every = ways_by_search(a, b)
    assert shortest_ways(a, b) == (min(every), every[min(every)])


def test_errors_that_can_be_read_in_two_ways():
    # B AH T ER without B and with S at the end: the deletion and the insertion are the only way of cost 2.
    assert unambiguous([Deletion(0, "B"), Insertion(4, "S")], BUTTER)
    # K T K T without its first two phones is one deletion pair of several.
    assert not unambiguous([Deletion(0, "K"), Deletion(1, "T")], ("K", "T", "K", "T"))
    # T S T -> S T S costs 2 either way, but three substitutions are not the shortest.
    assert not unambiguous(
        [Substitution(0, "T", "S"), Substitution(1, "S", "T"), Substitution(2, "T", "S")], ("T", "S", "T")
    )


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (Substitution(1, "T", "K"), True),
        (Substitution(1, "T", "S"), False),  # S S
        (Insertion(1, "S"), False),
        (Insertion(4, "K"), True),
        (Insertion(4, "P"), False),
        (Deletion(2, "AA1"), False),  # stressed
        (Deletion(0, "S"), True),
    ],
)
def test_what_can_be_heard(operation, expected):
    assert audible(operation, ("S", "T", "AA1", "P")) is expected


def test_items_have_as_many_errors_as_asked_apart_and_readable_in_one_way(design_settings, cmudict):
    design = draw_design(design_settings(per_item=(1, 3), share=1.0), cmudict, UniformSource(), obey)
    numbers = Counter(len(item.operations) for item in design.items)
    assert set(numbers) == {1, 2, 3}
    kinds = Counter(operation.kind for item in design.items for operation in item.operations)
    total = sum(kinds.values())
    # Each split is dealt by largest remainders, so each kind is at most one off in each of four splits.
    assert kinds["substitution"] == pytest.approx(total / 2, abs=4)
    assert kinds["deletion"] == pytest.approx(total / 4, abs=4)
    for item in design.items:
        positions = [operation.position for operation in item.operations]
        assert positions == sorted(positions)
        assert item.realized == apply_all(item.operations, item.canonical)
        assert unambiguous(item.operations, item.canonical)
        assert all(apart(one, other) for one in item.operations for other in item.operations if one is not other)
        assert item.design_id == f"{item.text}/{'+'.join(map(str, item.operations))}"


def test_the_kinds_may_be_left_to_the_source(cmudict):
    text = Text("butter", (("butter", BUTTER),))
    drawer = ErrorDrawer(ErrorSettings(), cmudict, UniformSource())
    rng = random.Random(1)
    kinds = Counter(drawer.draw([ANY], text, rng)[0].operation.kind for _ in range(400))
    # B AH1 T ER0: 23 + 14 + 23 + 14 substitutions, 3 deletions, 38 + 37 + 37 + 37 + 38 insertions: of 264 in all.
    # Some of them are other words' sounds, which is allowed; 'butter' has one pronunciation.
    assert kinds["substitution"] / 400 == pytest.approx(74 / 264, abs=0.08)  # four standard errors are 0.09
    assert kinds["insertion"] / 400 == pytest.approx(187 / 264, abs=0.09)


def test_a_rate_is_a_share_of_phones(design_settings, cmudict):
    sizes = {"train": 400, "dev": 0, "test_seen": 0, "test_unseen": 0}
    design = draw_design(design_settings(rate=0.1, sizes=sizes), cmudict, UniformSource(), obey)
    phones = sum(len(item.canonical) for item in design.items)
    errors = sum(len(item.operations) for item in design.items)
    # Binomial(about 2,300 phones, 0.1): standard error 0.006; few errors find no place.
    assert errors / phones == pytest.approx(0.1, abs=0.025)
    assert Counter(len(item.operations) for item in design.items)[0] > 100  # 0.9 ** 6 of 400 are 212
    none = draw_design(design_settings(rate=0, sizes=sizes), cmudict, UniformSource(), obey)
    assert all(item.operations == () for item in none.items)


def test_only_some_sources_know_rates(design_settings, cmudict):
    with pytest.raises(PedkitError, match="how often errors happen for rate=source, but got 'uniform'"):
        draw_design(design_settings(rate="source", operations=None), cmudict, UniformSource(), obey)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"share": -0.1}, "an error share from 0 to 1, but got -0.1"),
        ({"rate": 1.5}, "an error rate from 0 to 1, or 'source', but got 1.5"),
        ({"per_item": 0}, r"per_item to be 1 or more, or \[fewest, most\], but got 0"),
        ({"per_item": (3, 2)}, r"but got \(3, 2\)"),
        ({"minimal_pairs": "voices", "share": 1.0}, "half of the texts .* but got a share of 1.0"),
        ({"rate": "source", "operations": {"deletion": 1}}, r"rate=source takes the kinds .*operations=null"),
        ({"operations": {"swap": 1}}, "no operation 'swap'"),
    ],
)
def test_error_settings_that_cannot_be_used_say_so(changes, message):
    with pytest.raises(PedkitError, match=message):
        ErrorSettings(**changes)


def test_errors_of_a_sentence_lie_in_its_words_and_do_not_touch_their_neighbours():
    lexicon = Lexicon({"gas": ["G AE1 S"], "sold": ["S OW1 L D"]})
    text = Text("gas sold", (("gas", ("G", "AE1", "S")), ("sold", ("S", "OW1", "L", "D"))), "sentence")
    drawer = ErrorDrawer(ErrorSettings(), lexicon, UniformSource())
    rng = random.Random(1)
    flat = set()
    for _ in range(500):
        (placed,) = drawer.draw([ANY], text, rng)
        flat.add(placed.operation.moved(text.starts[placed.word]))
        assert strip_stress(apply_all([placed.operation], text.words[placed.word][1]))
    # The two S stand side by side: neither is changed, and nothing is inserted between them that is an S.
    assert not {o.position for o in flat if o.kind != "insertion"} & {2, 3}
    assert {o.position for o in flat if o.kind == "insertion"} == set(range(8))
    assert Insertion(3, "S") not in flat
