import pytest

from pedkit.data.manifest import write_manifest
from pedkit.data.utterance import Utterance, Word
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon
from synthetic.design import (
    Addition,
    Deletion,
    ErrorSettings,
    Insertion,
    Substitution,
    UniformSource,
    Where,
    WordSettings,
    draw_design,
)
from synthetic.design.observed import Observed, observed_errors
from synthetic.design.text import Skipped, Text

LEXICON = Lexicon(
    {
        "rabbit": ["R AE1 B AH0 T"],
        "spoon": ["S P UW1 N"],
        "the": ["DH AH0", "DH IY0"],
        "kitten": ["K IH1 T AH0 N"],
        "mama": ["M AA1 M AH0"],
    }
)
TABLE = (
    "word\tcanonical\trealized\tsource\n"
    "rabbit\tR AE B AH T\tW AE B AH T\tchild7\n"
    "spoon\tS P UW N\tP UW N\t\n"
    "kitten\tK IH T AH N\tT IH T IH N AH\tchild8\n"
    "the\tDH AH\tDH IY\tchild9\n"
    "wug\tW AH G\tW AH\tchild9\n"
    "spoon\tS P UW N\tS P UW N\tchild9\n"
    "mama\tM AA M AH\tAA M\tchild9\n"
)


def obey(_engine, request):
    return request.phones


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "observed.tsv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def test_errors_of_a_table(table):
    found, skipped = observed_errors(table, LEXICON)
    assert [(one.text.text, one.operations, one.source_id) for one in found] == [
        ("rabbit", (Substitution(0, "R", "W"),), "child7"),
        ("spoon", (Deletion(0, "S"),), None),
        ("kitten", (Substitution(0, "K", "T"), Substitution(3, "AH0", "IH0"), Insertion(5, "AH0")), "child8"),
        ("mama", (Deletion(0, "M"), Deletion(3, "AH0")), "child9"),
    ]
    assert found[1] == Observed(Text("spoon", (("spoon", ("S", "P", "UW1", "N")),)), (Deletion(0, "S"),), None)
    assert skipped == [
        Skipped("the", "what was said is another pronunciation of it in the lexicon"),
        Skipped("wug", "no pronunciation in the lexicon is W AH G"),
    ]


def test_errors_of_a_manifest_are_those_of_its_words(tmp_path):
    path = tmp_path / "children.jsonl"
    write_manifest(
        path,
        [
            Utterance(
                id="r1",
                text="the rabbit",
                inventory="cmu39",
                canonical=("DH", "AH", "R", "AE", "B", "AH", "T"),
                realized=("D", "AH", "W", "AE", "B", "AH", "T"),
                words=(Word("the", 0, 2), Word("rabbit", 2, 7)),
            ),
            Utterance(
                id="r2",
                text="spoon",
                inventory="cmu39",
                canonical=("S", "P", "UW", "N"),
                realized=("<unk>", "P", "UW", "N"),
                source_id="tape 3",
            ),
            Utterance(
                id="r3",
                text="spoon",
                inventory="cmu39",
                canonical=("S", "P", "UW", "N"),
                realized=("P", "UW", "N"),
                source_id="tape 3",
            ),
        ],
    )
    found, skipped = observed_errors(str(path), LEXICON)
    assert [(one.text.text, one.operations, one.source_id) for one in found] == [
        ("the", (Substitution(0, "DH", "D"),), "r1"),
        ("rabbit", (Substitution(0, "R", "W"),), "r1"),
        ("spoon", (Deletion(0, "S"),), "tape 3"),
    ]
    assert skipped == [Skipped("spoon", "a sound of unknown identity was heard in it (<unk>)")]


def test_errors_that_can_be_read_in_two_ways_are_not_copied(tmp_path):
    path = tmp_path / "two.tsv"
    path.write_text("word\tcanonical\trealized\nmama\tM AA M AH\tM AH\n", encoding="utf-8")
    # M AA M AH -> M AH: without M AA, without AA M, or the first M and the last AH with AA M gone.
    found, (skipped,) = observed_errors(str(path), LEXICON)
    assert found == []
    assert skipped.text == "mama"
    assert skipped.reason.startswith("its errors can be read in several ways")


def test_an_addition_copies_them_and_keeps_their_source(table, design_settings):
    sizes = {"train": 1, "dev": 0, "test_seen": 0, "test_unseen": 0}
    settings = design_settings(sizes=sizes, share=0, addition=Addition(count=4, observed=table))
    first, *copies = draw_design(settings, LEXICON, UniformSource(), obey).items
    assert first.operations == ()
    assert [item.id[:11] for item in copies] == ["train-00001", "train-00002", "train-00003", "train-00004"]
    assert {item.source for item in copies} == {"observed"}
    assert {item.text: item.source_id for item in copies} == {
        "rabbit": "child7", "spoon": "spoon/del@0:S", "kitten": "child8", "mama": "child9",
    }  # fmt: skip
    assert {item.design_id for item in copies} >= {"rabbit/sub@0:R>W", "mama/del@0:M+del@3:AH0"}
    more = design_settings(sizes=sizes, share=0, addition=Addition(count=5, observed=table))
    with pytest.raises(
        PedkitError, match=r"at most 4 copies of observed errors, .*; 2 cannot be copied, but got 5"
    ):
        draw_design(more, LEXICON, UniformSource(), obey)


def test_what_the_other_splits_or_other_test_sets_have_is_not_copied(tmp_path, design_settings):
    path = tmp_path / "observed.tsv"
    rows = {"write": "R AY T", "right": "R AY T", "knight": "N AY T", "spoon": "S P UW N"}
    lines = [f"{word}\t{phones}\t{phones[:-1]}D" for word, phones in rows.items()]
    path.write_text("\n".join(["word\tcanonical\trealized", *lines, ""]), encoding="utf-8")
    write_manifest(tmp_path / "test.jsonl", [Utterance(id="a", text="Night!")])
    lexicon = Lexicon(
        {
            "write": ["R AY1 T"],
            "right": ["R AY1 T"],
            "knight": ["N AY1 T"],
            "night": ["N AY1 T"],
            "spoon": ["S P UW1 N"],
        }
    )
    held_out = tmp_path / "words.txt"
    held_out.write_text("write\n", encoding="utf-8")
    addition = Addition(count=1, observed=str(path), words=WordSettings(not_in=[str(tmp_path / "test.jsonl")]))
    for split in ("dev", "test_seen", "test_unseen"):
        sizes = dict.fromkeys(("train", "dev", "test_seen", "test_unseen"), 0) | {split: 1}
        words = WordSettings(texts=str(held_out))
        plan = design_settings(sizes=sizes, share=0, words=words, addition=addition)
        design = draw_design(plan, lexicon, UniformSource(), obey)
        assert [(item.split, item.text) for item in design.items] == [(split, "write"), ("train", "spoon")]
        told = "it, or a word that sounds like it, is in dev or in a test set"
        assert design.skipped == [
            Skipped("write", told),
            Skipped("right", told),
            Skipped("knight", "it is kept for testing by a manifest of synthetic.words.not_in"),
        ]
    plan = design_settings(
        sizes=sizes | {"train": 1, "test_unseen": 0},
        share=0,
        words=words,
        addition=Addition(count=4, observed=str(path)),
    )
    copied = draw_design(plan, lexicon, UniformSource(), obey).items
    assert sorted(item.text for item in copied) == ["knight", "right", "spoon", "write", "write"]


def test_a_copy_beside_its_twin_without_errors(table, design_settings):
    sizes = {"train": 0, "dev": 0, "test_seen": 0, "test_unseen": 0}
    errors = ErrorSettings(minimal_pairs="voices")
    plan = design_settings(sizes=sizes, addition=Addition(count=4, observed=table, errors=errors))
    items = draw_design(plan, LEXICON, UniformSource(), obey).items
    assert [bool(item.operations) for item in items] == [True, False, True, False]
    assert [item.text for item in items[::2]] == [item.text for item in items[1::2]]


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"words": WordSettings(texts="list.txt")}, "words.texts=null"),
        ({"words": WordSettings(level="word")}, "words.level=null"),
        ({"words": WordSettings(min_phones=4)}, "words.min_phones=3"),
        ({"words": WordSettings(max_phones=4)}, "words.max_phones=8"),
        ({"errors": ErrorSettings(share=0.5)}, "errors.share=1.0"),
        ({"errors": ErrorSettings(share=1.0, per_item=3)}, "errors.per_item=null"),
        ({"errors": ErrorSettings(share=1.0, where=Where(phones="vowels"))}, "errors.where=null"),
        ({"errors": ErrorSettings(minimal_pairs="voices", phonotactics="legal")}, "errors.phonotactics=null"),
    ],
)
def test_settings_that_copies_do_not_look_at_are_refused(settings, key):
    with pytest.raises(PedkitError) as caught:
        Addition(count=2, observed="x.tsv", **settings)
    assert str(caught.value) == (
        f"observed errors are copied as they are, so addition.{key.partition('=')[0]} would change nothing "
        f"(leave it out, or say synthetic.addition.{key})"
    )
    Addition(count=2, observed="x.tsv", words=WordSettings(lexicon="mine.dict", not_in=["test.jsonl"]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("word\tcanonical\nspoon\tS P UW N\n", "expected a table with the columns word, canonical, realized"),
        (
            "word\tcanonical\trealized\nspoon\tS P UW N\tS P ü N\n",
            r"bad\.tsv:2: expected phones .* 'realized', but got 'ü'",
        ),
        ("word\tcanonical\trealized\nspoon\tS P UW N\t\n", r"bad\.tsv:2: expected phones in 'realized'"),
        ("word\tcanonical\trealized\n", r"bad\.tsv: expected words that were said with an error"),
        ("word\tcanonical\trealized\nspoon\tS P UW N\tS P UW1 N\n", "expected words that were said with an error"),
    ],
)
def test_a_table_that_cannot_be_used_says_so(tmp_path, content, message):
    path = tmp_path / "bad.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(PedkitError, match=message):
        observed_errors(str(path), LEXICON)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"count": 0, "observed": "x.tsv"}, "an addition of 1 item or more, but got 0"),
        ({"count": 1}, "either observed errors or a source of errors"),
        (
            {"count": 3, "source": UniformSource(), "errors": ErrorSettings(minimal_pairs="voices")},
            "an even number of items with minimal_pairs=voices, but the addition has 3",
        ),
        ({"count": 1, "observed": "x.tsv", "source": UniformSource()}, "either observed errors or a source"),
    ],
)
def test_an_addition_that_cannot_be_used_says_so(values, message):
    with pytest.raises(PedkitError, match=message):
        Addition(**values)
