import pytest

from pedkit.errors import PedkitError
from pedkit.phones import Lexicon
from synthetic.design import Carriers, UniformSource, draw_design
from synthetic.design.text import Text
from synthetic.output.refusals import refusals

TRAIN = {"dev": 0, "test_seen": 0, "test_unseen": 0}


def obey(_engine, request):
    return request.phones


@pytest.mark.parametrize(("level", "lines", "least"), [("sentence", 24, 4), ("passage", 10, 25)])
def test_the_shipped_carriers(cmudict, level, lines, least):
    carriers = Carriers(level=level).read(cmudict)
    assert len(carriers) == lines
    for carrier in carriers:
        words = len(carrier.words_before) + len(carrier.words_after)
        assert words >= least
        assert carrier.words_before
        assert carrier.words_after
        assert carrier.words_before[-1][0] not in ("a", "an")


def test_a_carrier_around_a_word():
    (carrier,) = [c for c in Carriers(level="sentence").read(Lexicon.cmudict()) if c.before == "Please say "]
    word = Text("cat", (("cat", ("K", "AE1", "T")),))
    around = carrier.around(word, "sentence")
    assert around.text == "Please say cat again after me."
    assert [text for text, _ in around.words] == ["Please", "say", "cat", "again", "after", "me"]
    assert around.level == "sentence"
    # 'say' ends with EY, 'again' begins with AH.
    assert carrier.takes(("K", "AE1", "T"), ("K", "AE1", "T"))
    assert not carrier.takes(("K", "AE1", "T"), ("EY1", "K", "AE1", "T"))
    assert not carrier.takes(("S", "OW1", "F", "AH0"), ("S", "OW1", "F"))


@pytest.mark.parametrize("level", ["sentence", "passage"])
def test_embedding_keeps_word_error_and_voice(design_settings, cmudict, level):
    words = draw_design(design_settings(per_item=(1, 2)), cmudict, UniformSource(), obey).items
    settings = design_settings(per_item=(1, 2), carriers=Carriers(level=level))
    longer = draw_design(settings, cmudict, UniformSource(), obey).items
    assert len(longer) == len(words) == 70
    for word, item in zip(words, longer, strict=True):
        start, end = item.target_span
        assert item.level == level
        assert item.canonical[start:end] == word.canonical
        assert [w.text for w in item.words if w.start == start] == [word.text]
        assert (item.id, item.design_id, item.source_id) == (word.id, word.design_id, word.source_id)
        assert item.operations == tuple(operation.moved(start) for operation in word.operations)
        # Outside the word all is said as it should be.
        more = len(item.realized) - len(item.canonical)
        assert item.realized[:start] == item.canonical[:start]
        assert item.realized[start : end + more] == word.realized
        assert item.realized[end + more :] == item.canonical[end:]
        own, other = item.request, word.request
        assert (own.voice, own.rate, own.pitch, own.noise_seed) == (
            other.voice, other.rate, other.pitch, other.noise_seed,
        )  # fmt: skip
        assert len(own.word_starts) == len(item.words)


def test_pairs_stand_in_one_carrier(design_settings, cmudict):
    settings = design_settings(minimal_pairs="voices", carriers=Carriers(level="sentence"))
    items = draw_design(settings, cmudict, UniformSource(), obey).items
    for edited, twin in zip(items[::2], items[1::2], strict=True):
        assert edited.text == twin.text
        assert edited.canonical == twin.realized


def test_what_no_carrier_takes_is_named(tmp_path, design_settings):
    table = tmp_path / "own.txt"
    table.write_text("# mine\nbig {} now\n", encoding="utf-8")
    lexicon = Lexicon({"big": ["B IH1 G"], "now": ["N AW1"], "got": ["G AA1 T"], "cat": ["K AE1 T"]})
    carriers = Carriers(level="sentence", table=str(table))
    settings = design_settings(sizes={"train": 3, **TRAIN}, share=0, carriers=carriers)
    design = draw_design(settings, lexicon, UniformSource(), obey)
    # After 'big' no G at the beginning, before 'now' no N at the end; 'now' itself is too short to be drawn.
    assert {item.text for item in design.items} == {"big big now", "big cat now"}
    assert [(skipped.text, skipped.reason) for skipped in design.skipped] == [("got", "no carrier takes it")]
    (line,) = refusals(design, {}, {})
    assert line["id"].startswith("train-0000")
    assert line["id"].endswith("-got")
    assert line["text"] == "got"
    assert line["id"] not in {item.id for item in design.items}


def test_every_request_that_the_self_check_looked_at_is_counted(design_settings, cmudict):
    """Without carriers one an item; with them the word alone too, and each carrier that the engine refused."""
    asked = []

    def mumble(_engine, request):
        asked.append(request)
        return request.phones[1:] if len(asked) % 5 == 0 else request.phones

    for changes in ({}, {"carriers": Carriers(level="sentence")}, {"minimal_pairs": "voices"}):
        design = draw_design(design_settings(**changes), cmudict, UniformSource(), mumble)
        probes = sum(request.phones == ("HH", "AH0", "L", "OW1") for request in asked)
        assert probes == 10  # five voices at two ends of the ranges
        assert design.checked == len(asked) - probes
        asked.clear()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"own\.txt: expected carriers, one a line, but there are none"),
        ("big cat\n", r"own\.txt:1: expected a carrier with \{\} once, where the word goes, but got 'big cat'"),
        ("big {} {}\n", r"own\.txt:1: expected a carrier with \{\} once"),
        ("big {} cat\nhuge {} cat\n", r"own\.txt:2: expected words of the lexicon, .* no pronunciation of 'huge'"),
    ],
)
def test_carriers_that_cannot_be_used_say_so(tmp_path, content, message):
    table = tmp_path / "own.txt"
    table.write_text(content, encoding="utf-8")
    lexicon = Lexicon({"big": ["B IH1 G"], "cat": ["K AE1 T"]})
    with pytest.raises(PedkitError, match=message):
        Carriers(level="sentence", table=str(table)).read(lexicon)
