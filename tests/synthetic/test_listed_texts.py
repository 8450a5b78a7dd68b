import pytest

from pedkit.data.manifest import write_manifest
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon
from pedkit.scoring.encode import MOST_PHONES
from synthetic.design import DesignWord, UniformSource, WordSettings, draw_design, read_lexicon
from synthetic.design.listed_texts import listed_texts
from synthetic.design.text import Skipped, Text

LEXICON = Lexicon(
    {
        "the": ["DH AH0", "DH IY0"],
        "cat": ["K AE1 T"],
        "sat": ["S AE1 T"],
        "read": ["R EH1 D", "R IY1 D"],
    }
)
NONE = {"train": 0, "dev": 0, "test_seen": 0, "test_unseen": 0}


def obey(_engine, request):
    return request.phones


def listing(tmp_path, content):
    path = tmp_path / "list.txt"
    path.write_text(content, encoding="utf-8")
    return str(path)


def test_words_and_sentences_of_a_list(tmp_path):
    path = listing(tmp_path, "# words\ncat\n\nThe cat sat.\ncat\nThe dog sat.\n...\n")
    texts, skipped = listed_texts(path, LEXICON)
    the, cat, sat = ("DH", "AH0"), ("K", "AE1", "T"), ("S", "AE1", "T")
    assert texts == [
        Text("cat", (("cat", cat),), "word"),
        Text("The cat sat.", (("The", the), ("cat", cat), ("sat", sat)), "sentence"),
    ]
    assert skipped == [
        Skipped("The dog sat.", "'dog' has no pronunciation in the lexicon"),
        Skipped("...", "there is no word in it"),
    ]
    assert texts[1].starts == (0, 2, 5)
    assert texts[1].spans[2] == DesignWord("sat", 5, 8)
    assert listed_texts(path, LEXICON, "passage")[0][1].level == "passage"


def test_texts_that_sound_alike_are_one_text_and_the_others_are_named(tmp_path, cmudict):
    content = "Dog\ndog\nwrite\nright.\nI read it.\ni read it\nWrite\ndog\nI write it.\nI right it.\n"
    texts, skipped = listed_texts(listing(tmp_path, content), cmudict)
    assert [text.text for text in texts] == ["Dog", "write", "I read it.", "I write it.", "I right it."]
    twins = {"dog": "Dog", "right.": "write", "i read it": "I read it.", "Write": "write"}
    assert skipped == [
        Skipped(text, f"it sounds like '{twin}', which is listed before it") for text, twin in twins.items()
    ]


def test_a_word_with_two_pronunciations_in_a_manifest_is_one_word(tmp_path):
    path = tmp_path / "m.jsonl"
    phones = {"a": ("R", "EH", "D"), "b": ("R", "IY", "D")}
    texts = {"a": "read", "b": "Read"}
    write_manifest(
        path, [Utterance(id=k, text=texts[k], inventory="cmu39", canonical=phones[k]) for k in ("a", "b")]
    )
    (text,), (skipped,) = listed_texts(str(path), LEXICON)
    assert text.canonical == ("R", "EH1", "D")
    assert skipped == Skipped("Read", "it sounds like 'read', which is listed before it")


def test_texts_of_a_manifest_follow_its_canonical_phones(tmp_path):
    path = tmp_path / "m.jsonl"
    write_manifest(
        path,
        [
            Utterance(id="a", text="read the", inventory="cmu39", canonical=("R", "IY", "D", "DH", "IY")),
            Utterance(id="b", text="the cat", inventory="cmu39", canonical=("D", "AH", "K", "AE", "T")),
            Utterance(id="c", text="sat"),
            Utterance(id="d"),
        ],
    )
    texts, skipped = listed_texts(str(path), LEXICON)
    assert [(text.text, text.canonical) for text in texts] == [
        ("read the", ("R", "IY1", "D", "DH", "IY0")),
        ("sat", ("S", "AE1", "T")),
    ]
    assert skipped == [Skipped("the cat", "no pronunciations in the lexicon agree with its canonical phones")]


def test_a_design_of_listed_sentences(tmp_path, design_settings):
    words = WordSettings(texts=listing(tmp_path, "The cat sat.\nThe cat read.\nThe dog sat.\n"))
    settings = design_settings(words=words, sizes={**NONE, "train": 2}, share=1.0)
    design = draw_design(settings, LEXICON, UniformSource(), obey)
    assert {item.text for item in design.items} == {"The cat sat.", "The cat read."}
    assert [skipped.reason for skipped in design.skipped] == ["'dog' has no pronunciation in the lexicon"]
    for item in design.items:
        assert item.level == "sentence"
        assert item.target_span is None
        assert len(item.words) == 3
        (operation,) = item.operations
        assert item.source_id == item.design_id == f"{item.text}/{operation}"
        assert item.id.startswith("train-0000")
        assert item.id.endswith(item.text.lower().replace(" ", "-").rstrip("."))
        # Each word begins where its first phone is said; a deletion or an insertion moves the words behind it.
        moved = {"insertion": 1, "deletion": -1, "substitution": 0}[operation.kind]
        starts = [word.start for word in item.words]
        for start, realized in zip(starts[1:], item.request.word_starts[1:], strict=True):
            if operation.position < start:
                assert realized == start + moved
            elif operation.position > start:
                assert realized == start


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"list\.txt: expected words or sentences, but there are none"),
        ("# nothing\n\n", r"list\.txt: expected words or sentences, but there are none"),
        (
            "dog\ncat\n",
            r"at most 1 words .* as many as '.*list\.txt' has \(1 more cannot .* 'dog' has no pronunciation",
        ),
    ],
)
def test_lists_that_hold_too_little_say_so(tmp_path, design_settings, content, message):
    settings = design_settings(words=WordSettings(texts=listing(tmp_path, content)), sizes={**NONE, "train": 2})
    with pytest.raises(PedkitError, match=message):
        draw_design(settings, LEXICON, UniformSource(), obey)


def test_a_text_that_is_too_long_to_be_scored_is_left_out(tmp_path):
    texts, skipped = listed_texts(listing(tmp_path, "cat\n" + "cat " * 2667), LEXICON)
    assert [text.text for text in texts] == ["cat"]
    assert [one.reason for one in skipped] == ["it has 8001 phones, more than the 8000 that can be scored"]
    assert MOST_PHONES > 8000  # of the evaluator


def test_words_that_are_kept_for_testing_are_not_used(tmp_path, design_settings):
    write_manifest(tmp_path / "test.jsonl", [Utterance(id="a", text="Cat")])
    words = WordSettings(texts=listing(tmp_path, "cat\nsat\nthe cat\n"), not_in=[str(tmp_path / "test.jsonl")])
    settings = design_settings(words=words, sizes={**NONE, "train": 2}, share=0)
    design = draw_design(settings, LEXICON, UniformSource(), obey)
    assert {item.text for item in design.items} == {"sat", "the cat"}
    assert [(one.text, "kept for testing" in one.reason) for one in design.skipped] == [("cat", True)]


def test_words_beside_punctuation_are_kept_for_testing_too(tmp_path, cmudict):
    texts = ["She saw the dog.", "Well-known, butter?", "(café) a.m."]
    write_manifest(tmp_path / "test.jsonl", [Utterance(id=str(n), text=text) for n, text in enumerate(texts)])
    kept = WordSettings(not_in=[str(tmp_path / "test.jsonl")]).excluded(cmudict)
    assert kept == {"she", "saw", "the", "dog", "well-known", "butter", "cafe", "a.m."}


def test_a_list_that_is_too_short_because_of_test_words_says_that(tmp_path, design_settings):
    write_manifest(tmp_path / "test.jsonl", [Utterance(id="a", text="Cat")])
    words = WordSettings(texts=listing(tmp_path, "cat\nsat\n"), not_in=[str(tmp_path / "test.jsonl")])
    settings = design_settings(words=words, sizes={**NONE, "train": 2})
    with pytest.raises(PedkitError, match=r"at most 1 words .*\(1 more .*'cat': it is kept for testing"):
        draw_design(settings, LEXICON, UniformSource(), obey)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("cat K AE1 T\ndog D AO2 GG\n", r"lexicon\.dict:2: expected phones of CMU-39.* but got 'GG'"),
        ("cat K AE T\n", r"lexicon\.dict:1: expected phones of CMU-39, vowels with a stress digit, but got 'AE'"),
        ("cat K1 AE1 T\n", r"but got 'K1'"),
    ],
)
def test_a_lexicon_that_engines_cannot_be_told_is_refused(tmp_path, content, message):
    path = tmp_path / "lexicon.dict"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(PedkitError, match=message):
        read_lexicon(str(path))


def test_an_own_lexicon(tmp_path):
    path = tmp_path / "lexicon.dict"
    path.write_text(";;; mine\nblick B L IH1 K # a word\n", encoding="utf-8")
    assert read_lexicon(str(path)).pronunciations("Blick") == (("B", "L", "IH1", "K"),)
    assert read_lexicon(None) is Lexicon.cmudict()


def test_lengths_are_a_range():
    with pytest.raises(PedkitError, match="min_phones <= max_phones, but got 9, 8"):
        WordSettings(min_phones=9)
