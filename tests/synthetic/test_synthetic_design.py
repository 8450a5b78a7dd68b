from collections import Counter

import pytest

from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, strip_stress
from synthetic.design import Cast, NeighbourSource, Substitution, UniformSource, draw_design
from synthetic.design.dealing import apportion


def obey(engine, request):
    return request.phones


@pytest.fixture
def design(design_settings, cmudict):
    return draw_design(design_settings(), cmudict, NeighbourSource(), obey)


def by_split(items):
    return {split: [i for i in items if i.split == split] for split in dict.fromkeys(i.split for i in items)}


def test_the_same_seed_gives_the_same_design_and_another_seed_another(design, design_settings, cmudict):
    again = draw_design(design_settings(), cmudict, NeighbourSource(), obey)
    assert again.items == design.items
    other = draw_design(design_settings(seed=8), cmudict, NeighbourSource(), obey)
    # Two draws of 70 out of some 95,000 words share more than two words once in 100,000 pairs of seeds.
    assert len({i.text for i in other.items} & {i.text for i in design.items}) <= 2


def test_exactly_half_of_each_split_has_an_error_in_the_weighed_proportions(design):
    kinds = {
        split: Counter(operation.kind for i in items for operation in i.operations)
        for split, items in by_split(design.items).items()
    }
    assert kinds == {
        "test_unseen": {"substitution": 2, "deletion": 1, "insertion": 1},
        "test_seen": {"substitution": 3, "deletion": 1, "insertion": 1},
        "dev": {"substitution": 3, "deletion": 2, "insertion": 1},
        "train": {"substitution": 10, "deletion": 5, "insertion": 5},
    }
    assert {split: len(items) for split, items in by_split(design.items).items()} == {
        "test_unseen": 8, "test_seen": 10, "dev": 12, "train": 40,
    }  # fmt: skip


def test_no_word_and_no_pronunciation_is_used_twice(design):
    assert len({i.text for i in design.items}) == 70
    assert len({strip_stress(i.canonical) for i in design.items}) == 70
    assert len({i.id for i in design.items}) == 70


def test_the_error_makes_the_realized_and_no_realized_is_in_the_dictionary(design, cmudict):
    for item in design.items:
        assert item.canonical == cmudict.pronunciations(item.text)[0]
        known = {strip_stress(p) for p in cmudict.pronunciations(item.text)}
        if not item.operations:
            assert item.realized == item.canonical
        else:
            (operation,) = item.operations
            assert item.realized == operation.apply(item.canonical).realized
            assert strip_stress(item.realized) not in known


def test_an_error_that_is_another_pronunciation_of_the_word_is_not_used(design_settings):
    class OnlyOne:
        name = "only"
        has_rates = False

        def operations(self, _kind, pronunciation):
            return [(Substitution(0, pronunciation[0], "IY1"), 1.0)]

        def label(self, _operation, _pronunciation):
            return self.name

    lexicon = Lexicon({"either": ["AY1 DH ER0", "IY1 DH ER0"], "icon": ["AY1 K AA2 N"]})
    settings = design_settings(sizes={"train": 2, "dev": 0, "test_seen": 0, "test_unseen": 0}, share=1)
    with pytest.raises(PedkitError, match="they ran out in 'train'"):
        draw_design(settings, lexicon, OnlyOne(), obey)
    one = design_settings(sizes={"train": 1, "dev": 0, "test_seen": 0, "test_unseen": 0}, share=1)
    (item,) = draw_design(one, lexicon, OnlyOne(), obey).items
    assert item.design_id == "icon/sub@0:AY1>IY1"


def test_unseen_voices_say_one_split_alone_and_voices_are_dealt_evenly(design):
    voices = {split: Counter(i.request.voice for i in items) for split, items in by_split(design.items).items()}
    assert voices["test_unseen"] == {"f9": 4, "m9": 4}
    assert voices["dev"] == {"f1": 4, "f2": 4, "m1": 4}
    assert sorted(voices["train"].values()) == [13, 13, 14]


def test_rate_and_pitch_stay_in_their_ranges(design):
    assert {140 <= i.request.rate <= 190 and 35 <= i.request.pitch <= 65 for i in design.items} == {True}
    assert len({i.request.rate for i in design.items}) > 25  # 70 draws out of 51 rates


def test_a_larger_training_set_leaves_the_others_as_they_are(design, design_settings, cmudict):
    sizes = {"train": 60, "dev": 12, "test_seen": 10, "test_unseen": 8}
    larger = draw_design(design_settings(sizes=sizes), cmudict, NeighbourSource(), obey)
    assert larger.items[:30] == design.items[:30]


def test_what_the_engine_would_not_say_gives_way_and_is_counted(design_settings, cmudict):
    def lisp(engine, request):
        return tuple("TH" if phone == "S" else phone for phone in request.phones)

    design = draw_design(design_settings(), cmudict, UniformSource(), lisp)
    assert len(design.items) == 70
    assert not any("S" in i.realized for i in design.items)
    assert sum(bool(i.operations) for i in design.items) == 35
    assert design.checked == 70 + len(design.refused)
    assert design.refused
    for refusal in design.refused:
        assert "S" in refusal.requested
        assert refusal.spoken == tuple("TH" if phone == "S" else phone for phone in refusal.requested)


@pytest.mark.parametrize(
    ("count", "expected"),
    [(25, {"a": 13, "b": 6, "c": 6}), (50, {"a": 25, "b": 13, "c": 12}), (1, {"a": 1}), (0, {})],
)
def test_largest_remainders(count, expected):
    assert Counter(apportion(count, {"a": 2, "b": 1, "c": 1})) == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sizes": {"train": 1}}, "expected a size for each of"),
        (
            {"casts": {"e": Cast(seen=["f1"], unseen=[])}},
            r"8 items of test_unseen.*set synthetic\.sizes\.test_unseen=0",
        ),
        ({"casts": {}}, "at least one voice for the 40 items of train"),
        ({"share": 1.5}, "an error share from 0 to 1, but got 1.5"),
        ({"operations": {"swap": 1}}, r"no operation 'swap' \(there are: substitution, deletion, insertion\)"),
        ({"seed": -1}, "expected a seed of 0 or more, but got -1"),
        ({"operations": {"deletion": 0}}, "expected weights of substitution, deletion, insertion"),
    ],
)
def test_settings_that_cannot_be_used_say_so(design_settings, changes, message):
    with pytest.raises(PedkitError, match=message):
        design_settings(**changes)


def test_more_words_than_there_are_is_said_before_any_is_drawn(design_settings, cmudict):
    def never(_engine, _request):
        raise AssertionError("nothing is to be drawn")

    settings = design_settings(sizes={"train": 1_000_000, "dev": 0, "test_seen": 0, "test_unseen": 0})
    words = {word: pronunciations[:1] for word in cmudict for pronunciations in [cmudict.pronunciations(word)]}
    possible = {
        tuple(strip_stress(first))
        for word, (first,) in words.items()
        if word.isascii()
        and word.isalpha()
        and 3 <= len(first) <= 8
        and any(phone.endswith("1") for phone in first)
    }
    with pytest.raises(PedkitError, match=f"at most {len(possible)} words in all splits.*but got 1000000"):
        draw_design(settings, cmudict, UniformSource(), never)


def test_the_json_form_of_an_item(cmudict, design_settings):
    settings = design_settings(sizes={"train": 1, "dev": 0, "test_seen": 0, "test_unseen": 0}, share=1)
    lexicon = Lexicon({"cat": ["K AE1 T"]})
    (item,) = draw_design(settings, lexicon, UniformSource(), obey).items
    line = item.to_dict()
    fixed = ("id", "split", "level", "text", "words", "target_span", "canonical", "source", "engine")
    assert {key: line.pop(key) for key in fixed} == {
        "id": "train-00000-cat",
        "split": "train",
        "level": "word",
        "text": "cat",
        "words": [{"text": "cat", "start": 0, "end": 3}],
        "target_span": [0, 3],
        "canonical": ["K", "AE1", "T"],
        "source": "uniform",
        "engine": "one",
    }
    (operation,) = line["operations"]
    assert operation["type"] == "substitution"
    assert operation["realized"] == line["realized"][operation["position"]]
    assert line["design_id"] == line["source_id"] == f"cat/{item.operations[0]}"
    assert set(line) == {
        "design_id", "source_id", "realized", "operations", "voice", "rate", "pitch", "noise_seed",
    }  # fmt: skip
