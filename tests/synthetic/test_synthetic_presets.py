import random
from collections import Counter

import pytest

from pedkit.errors import PedkitError
from pedkit.phones import Lexicon
from synthetic import settings
from synthetic.design import ConfusionSource, EstimatedSource, PatternSource, draw_design
from synthetic.design.asking import Asking
from synthetic.design.text import Text


def obey(_engine, request):
    return request.phones


@pytest.fixture
def drawn(make_config):
    """Return a function that draws the design of a preset with its own sizes, for an engine that obeys."""

    def draw(name, *overrides):
        cfg = make_config(f"synthetic={name}", *overrides, engine=None)
        lexicon = settings.design_lexicon(cfg)
        return draw_design(settings.design_settings(cfg), lexicon, settings.error_source(cfg), obey)

    return draw


def test_sc_is_sw_and_154_copies_of_child_patterns(drawn):
    sw, sc = drawn("sw"), drawn("sc")
    assert len(sw.items) == 396
    assert {(item.split, item.level, len(item.operations)) for item in sw.items} == {("train", "word", 1)}
    assert Counter(item.operations[0].kind for item in sw.items) == {
        "substitution": 198, "deletion": 99, "insertion": 99,
    }  # fmt: skip
    assert len(sc.items) == 550
    assert sc.items[:396] == sw.items
    added = sc.items[396:]
    assert [item.id.split("-")[1] for item in added] == [f"{number:05d}" for number in range(396, 550)]
    assert all(item.source.startswith("patterns:child: ") for item in added)
    assert all(len(item.operations) == 1 and item.split == "train" for item in added)
    assert all(item.source_id == item.design_id for item in sc.items)
    assert not {item.text for item in added} & {item.text for item in sw.items}
    patterns = {item.source for item in added}
    assert len(patterns) > 10


@pytest.mark.parametrize("level", ["sentence", "passage"])
def test_sentence_and_passage_embed_the_words_and_errors_of_sw(drawn, level):
    sw, longer = drawn("sw").items, drawn(level).items
    assert [item.design_id for item in longer] == [item.design_id for item in sw]
    assert {item.level for item in longer} == {level}
    for word, item in zip(sw, longer, strict=True):
        start, end = item.target_span
        assert item.canonical[start:end] == word.canonical


def test_own_observed_errors_in_sc(drawn, tmp_path):
    path = tmp_path / "own.tsv"
    path.write_text("word\tcanonical\trealized\tsource\nrabbit\tR AE B AH T\tW AE B AH T\tr1\n", encoding="utf-8")
    overrides = [f"synthetic.addition.observed={path}", "synthetic.addition.source=null"]
    small = ["synthetic.addition.count=1", "synthetic.sizes.train=2"]
    with pytest.raises(PedkitError, match=r"change nothing \(.* say synthetic\.addition\.words\.texts=null\)"):
        drawn("sc", *overrides, *small)
    design = drawn("sc", *overrides, "synthetic.addition.words.texts=null", *small)
    assert [(item.text, item.source, item.source_id) for item in design.items[2:]] == [
        ("rabbit", "observed", "r1")
    ]


def test_an_addition_of_pairs_needs_no_share(make_config):
    own = "{count: 4, errors: {minimal_pairs: voices}, source: {_target_: synthetic.design.UniformSource}}"
    addition = settings.design_settings(make_config(f"synthetic.addition={own}")).addition
    assert addition.errors.share == 0.5
    own = own.replace("voices", "voices, share: 1.0")
    with pytest.raises(PedkitError, match=r"but got a share of 1\.0 \(say share=0\.5 and rate=null beside it\)"):
        settings.design_settings(make_config(f"synthetic.addition={own}"))


def test_the_other_sources_are_built_by_their_names(make_config, tmp_path):
    patterns = settings.error_source(make_config("synthetic/source=patterns", "synthetic.source.tables=[korean]"))
    assert isinstance(patterns, PatternSource)
    assert patterns.name == "patterns:korean"
    manifest = tmp_path / "m.jsonl"
    manifest.write_text(
        '{"id": "u", "inventory": "cmu39", "canonical": ["K"], "realized": ["T"]}\n', encoding="utf-8"
    )
    estimated = settings.error_source(
        make_config("synthetic/source=estimated", f"synthetic.source.manifest={manifest}")
    )
    assert isinstance(estimated, EstimatedSource)
    table = tmp_path / "c.csv"
    table.write_text("system,view,reference,heard,count\na,heard,K,T,1\n", encoding="utf-8")
    confusions = settings.error_source(
        make_config("synthetic/source=confusions", f"synthetic.source.confusions={table}")
    )
    assert isinstance(confusions, ConfusionSource)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("synthetic.errors.share=1.5", "an error share from 0 to 1, but got 1.5"),
        ("synthetic.errors.rate=2", "an error rate from 0 to 1, or 'source', but got 2"),
        ("synthetic.errors.where.stress=loud", "synthetic.errors.where.stress to be .*stressed.* but got 'loud'"),
        ("synthetic.errors.where.phones=AA", "synthetic.errors.where.phones to be vowels or consonants or null"),
        ("+synthetic.errors.shares=1", "unknown setting 'synthetic.errors.shares'"),
        ("synthetic.addition={count: 0, observed: x.tsv}", "an addition of 1 item or more, but got 0"),
        ("synthetic.carriers={level: book}", "synthetic.carriers.level to be sentence or passage, but got 'book'"),
        ("synthetic.words.level=book", "synthetic.words.level to be word or sentence or passage or null"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(make_config, override, message):
    with pytest.raises(PedkitError, match=message):
        settings.design_settings(make_config(override))


def test_words_that_run_out_are_named_with_what_was_refused(design_settings):
    lexicon = Lexicon({"cat": ["K AE1 T"], "cab": ["K AE1 B"]})
    plan = design_settings(sizes={"train": 2, "dev": 0, "test_seen": 0, "test_unseen": 0}, share=0)

    def without_b(_engine, request):
        return tuple(phone for phone in request.phones if phone != "B")

    with pytest.raises(PedkitError, match="ran out in 'train'; the engines refused 1, the last one 'cab'"):
        draw_design(plan, lexicon, PatternSource(["child"]), without_b)


def test_a_phone_that_an_engine_cannot_say_refuses_the_word_and_a_broken_voice_stops(design_settings, cmudict):
    def without_s(_engine, request):
        if "S" in request.phones:
            raise PedkitError("there is no S here")
        return request.phones

    design = draw_design(design_settings(), cmudict, PatternSource(["child"]), without_s)
    assert len(design.items) == 70
    assert design.refused
    assert {(refusal.spoken, refusal.reason) for refusal in design.refused} == {(None, "there is no S here")}

    def broken(_engine, request):
        raise PedkitError(f"there is no voice '{request.voice}'")

    with pytest.raises(PedkitError, match=r"there is no voice '[fm]9'"):
        draw_design(design_settings(), cmudict, PatternSource(["child"]), broken)


def test_what_an_engine_cannot_know_is_granted(design_settings):
    asking = Asking(design_settings().casts, lambda _engine, _request: None)
    delivery = asking.delivery(("one", "f1"), random.Random(1))
    text = Text("cat", (("cat", ("K", "AE1", "T")),))
    assert asking.granted("one", "cat", delivery.request(text, ()))
    assert asking.refused == []
