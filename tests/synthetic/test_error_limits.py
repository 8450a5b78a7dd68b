import pytest

from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, strip_stress
from synthetic.design import Deletion, Insertion, Substitution, UniformSource, Where, draw_design
from synthetic.design.phonotactics import Phonotactics

ABOUT = ("AH0", "B", "AW1", "T")
TRAIN_ONLY = {"dev": 0, "test_seen": 0, "test_unseen": 0}


def obey(_engine, request):
    return request.phones


@pytest.mark.parametrize(
    ("where", "allowed"),
    [
        (Where(), {"sub0", "sub1", "del3", "ins0", "ins2", "ins4"}),
        (Where(positions=["initial"]), {"sub0", "ins0"}),
        (Where(positions=["final"]), {"del3", "ins4"}),
        (Where(positions=["medial"]), {"sub1", "ins2"}),
        # B belongs to AW1, what stands after T too.
        (Where(stress="stressed"), {"sub1", "del3", "ins2", "ins4"}),
        (Where(stress="unstressed"), {"sub0", "ins0"}),
        (Where(phones="vowels"), {"sub0", "ins4"}),
        (Where(canonical=["B", "T"]), {"sub1", "del3", "ins0", "ins2", "ins4"}),
        (Where(realized=["P", "S"]), {"sub1", "del3", "ins0"}),
    ],
)
def test_limits_of_place_and_phone(where, allowed):
    operations = {
        "sub0": Substitution(0, "AH0", "IH0"),
        "sub1": Substitution(1, "B", "P"),
        "del3": Deletion(3, "T"),
        "ins0": Insertion(0, "S"),
        "ins2": Insertion(2, "L"),
        "ins4": Insertion(4, "IY0"),
    }
    assert {name for name, operation in operations.items() if where.allows(operation, ABOUT)} == allowed


def test_a_word_of_one_phone_begins_and_ends_with_it():
    assert Where(positions=["initial"]).allows(Substitution(0, "AY1", "OY1"), ("AY1",))
    assert Where(positions=["final"]).allows(Substitution(0, "AY1", "OY1"), ("AY1",))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"canonical": ["B", "XX"]}, "expected phones of CMU-39 in where, but got 'XX'"),
        ({"realized": ["AH0"]}, "but got 'AH0'"),
        ({"positions": []}, "where.positions to name something, but it is empty"),
    ],
)
def test_limits_that_cannot_be_used_say_so(values, message):
    with pytest.raises(PedkitError, match=message):
        Where(**values)


def test_the_limits_hold_in_a_design(design_settings, cmudict):
    where = Where(positions=["final"], phones="consonants", realized=["T", "D", "S", "Z"])
    design = draw_design(design_settings(where=where, share=1.0), cmudict, UniformSource(), obey)
    for item in design.items:
        (operation,) = item.operations
        last = len(item.canonical) - (operation.kind != "insertion")
        assert operation.position == last
        assert operation.kind == "deletion" or operation.realized in {"T", "D", "S", "Z"}


def test_phonotactics_are_learned_from_words():
    words = ["S T AA P", "S T IH K", "K AE T S", "IH T S", "AH S T ER", "T AE K"]
    known = Phonotactics([word.split() for word in words], min_words=2)
    assert known.onsets == {("S", "T"), ()}  # K and T begin one word each
    assert known.codas == {("K",), ("T", "S")}
    assert known.pronounceable(("S", "T", "AA1", "K"))
    assert not known.pronounceable(("K", "AA1", "K"))  # onset K
    assert not known.pronounceable(("S", "T", "AA1", "P"))  # coda P
    assert not known.pronounceable(("S", "T"))  # no vowel
    # Between vowels: coda K and onset S T; but T S K cannot be cut into a coda and an onset.
    assert known.pronounceable(("AA1", "K", "S", "T", "IH0", "K"))
    assert not known.pronounceable(("AA1", "T", "S", "K", "IH0", "K"))


def test_english_words_are_pronounceable_and_other_clusters_are_not(cmudict):
    english = Phonotactics.of(cmudict)
    for word in ("sprints", "sphinx", "astronaut", "months", "apple"):
        assert english.pronounceable(cmudict.pronunciations(word)[0]), word
    for phones in ("NG AA1 T", "T L AA1 P S R", "B D AA1 T", "K AE1 B D K", "AE1 T K P M AH0"):
        assert not english.pronounceable(phones.split()), phones


@pytest.mark.parametrize(("option", "expected"), [("legal", True), ("illegal", False)])
def test_the_phonotactic_filter_keeps_one_kind_of_error(design_settings, cmudict, option, expected):
    design = draw_design(design_settings(phonotactics=option, share=1.0), cmudict, UniformSource(), obey)
    english = Phonotactics.of(cmudict)
    assert {english.pronounceable(item.realized) for item in design.items} == {expected}


def test_minimal_pairs_of_words(design_settings):
    lexicon = Lexicon({"cat": ["K AE1 T"], "cut": ["K AH1 T"], "dog": ["D AO1 G"]})
    settings = design_settings(sizes={"train": 2, **TRAIN_ONLY}, share=1.0, operations=None, minimal_pairs="words")
    items = draw_design(settings, lexicon, UniformSource(), obey).items
    assert {item.design_id for item in items} == {"cat/sub@1:AE1>AH1", "cut/sub@1:AH1>AE1"}


def test_minimal_pairs_of_voices(design_settings, cmudict):
    settings = design_settings(minimal_pairs="voices")
    design = draw_design(settings, cmudict, UniformSource(), obey)
    assert len(design.items) == 70
    assert len({item.id for item in design.items}) == 70
    kinds = []
    for edited, twin in zip(design.items[::2], design.items[1::2], strict=True):
        (operation,) = edited.operations
        kinds.append(operation.kind)
        assert twin.operations == ()
        assert twin.realized == twin.canonical == edited.canonical
        assert twin.source is None
        own, other = edited.request, twin.request
        assert (own.voice, own.rate, own.pitch, own.noise_seed) == (
            other.voice, other.rate, other.pitch, other.noise_seed,
        )  # fmt: skip
        # One fold holds both.
        assert twin.source_id == edited.source_id == edited.design_id
        assert twin.design_id == f"{twin.text}/unedited"
    assert kinds.count("substitution") == 4 // 2 + 5 // 2 + 1 + 3 + 10  # of 4, 5, 6 and 20 pairs
    with pytest.raises(PedkitError, match="an even number of items with minimal_pairs=voices, but train has 3"):
        design_settings(sizes={"train": 3, **TRAIN_ONLY}, minimal_pairs="voices")


def test_no_error_is_another_pronunciation_of_the_word(design_settings, cmudict):
    design = draw_design(design_settings(share=1.0, per_item=2), cmudict, UniformSource(), obey)
    for item in design.items:
        assert strip_stress(item.realized) not in {strip_stress(v) for v in cmudict.pronunciations(item.text)}
