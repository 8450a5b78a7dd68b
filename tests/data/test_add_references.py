import json
import re

import pytest

from pedkit.data.add_references import add_references
from pedkit.data.manifest import file_hash, read_manifest, write_manifest
from pedkit.data.mix import mix
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError


def manifest(tmp_path, *utterances):
    path = tmp_path / "m.jsonl"
    write_manifest(path, utterances)
    return path


def said(name, text, language="eng", **fields):
    return Utterance(id=name, text=text, language=language, **fields)


def test_english_gets_phones_where_it_has_none(tmp_path):
    path = manifest(
        tmp_path,
        said("a", "the cat"),
        said("b", "the cat", inventory="cmu39", canonical=("K", "AE", "T")),
        said("c", "zqyx"),
        Utterance(id="d"),
        said("e", "either", inventory="cmu39", realized=("AY", "DH", "ER"), extra={"score": 3}),
    )
    summary = add_references(path, path)
    a, b, c, d, e = read_manifest(path)
    assert (a.canonical, a.inventory) == (("DH", "AH", "K", "AE", "T"), "cmu39")
    assert [word.text for word in a.words] == ["the", "cat"]
    assert b == said("b", "the cat", inventory="cmu39", canonical=("K", "AE", "T"))
    assert (c.canonical, c.extra["reference"]["unpronounced"]) == (None, ["zqyx"])
    assert d == Utterance(id="d")
    assert (e.canonical, e.canonical_variant) == (("AY", "DH", "ER"), "best: either(2)")
    assert e.extra == {"score": 3, "reference": {"lexicon": "cmudict"}}
    assert (dict(summary.made), summary.kept, summary.unpronounced) == ({"cmudict": 2}, 2, 1)
    assert "canonical phones added: 2 by cmudict; left without, because the text cannot be pronounced: 1" in str(
        summary
    )


@pytest.mark.parametrize("phones", ["auto", "cmu39"])
def test_a_tag_of_english_is_english(tmp_path, phones):
    tags = ("en", "en-GB", "EN_us", "eng")
    path = manifest(tmp_path, *(said(tag, "cat", tag) for tag in tags))
    add_references(path, path, phones=phones)
    made = read_manifest(path)
    assert [(u.inventory, u.canonical) for u in made] == [("cmu39", ("K", "AE", "T"))] * 4
    assert [u.language for u in made] == list(tags)  # as they were


def test_how_it_was_made_stands_beside_it(tmp_path):
    path, out = manifest(tmp_path, said("a", "cat")), tmp_path / "out.jsonl"
    add_references(path, out, command="pedkit reference ...")
    record = json.loads((tmp_path / "out.provenance.json").read_text())
    assert (record["verb"], record["command"]) == ("reference", "pedkit reference ...")
    assert record["settings"] == {
        "phones": "auto", "backend": "auto", "unknown_words": "skip", "numerals": "refuse",
    }  # fmt: skip
    assert record["inputs"] == [{"path": str(path), "sha256": file_hash(path)}]
    assert record["outputs"] == [{"path": str(out), "sha256": file_hash(out), "utterances": 1}]


def test_the_record_of_a_manifest_that_is_replaced_goes_into_that_of_the_new_one(tmp_path):
    path, out = manifest(tmp_path, said("a", "cat")), tmp_path / "out.jsonl"
    mix([path], out)
    mixed, digest = json.loads((tmp_path / "out.provenance.json").read_text()), file_hash(out)
    add_references(out, tmp_path / "." / "out.jsonl")
    record = json.loads((tmp_path / "out.provenance.json").read_text())
    assert record["inputs"] == [{"path": str(out), "sha256": digest, "made": mixed}]
    assert record["outputs"][0]["sha256"] == file_hash(out) != digest
    with pytest.raises(PedkitError, match=r"gone\.jsonl: no such file"):
        add_references(tmp_path / "gone.jsonl", tmp_path / "gone.jsonl")


@pytest.mark.espeak
def test_ipa_in_several_languages(tmp_path):
    pytest.importorskip("espeakng_loader", reason="needs the extra 'g2p'")
    path = manifest(tmp_path, said("a", "me llamo", "spa"), said("b", "church"), said("c", "2 casas", "es-MX"))
    out = tmp_path / "out.jsonl"
    summary = add_references(path, out, phones="ipa", backend="espeak")
    a, b, c = read_manifest(out)
    assert (" ".join(a.canonical), a.inventory) == ("m e ʎ a m o", "ipa")
    assert " ".join(b.canonical) == "tʃ ɜː tʃ"
    assert c.canonical is None
    assert a.extra["reference"]["g2p"] == "espeak-ng 1.52.0 (es)"
    assert dict(summary.made) == {"espeak-ng 1.52.0 (es)": 1, "espeak-ng 1.52.0 (en-us)": 1}
    add_references(path, out, backend="espeak", numerals="engine")
    a, b, c = read_manifest(out)
    assert (a.inventory, b.inventory) == ("ipa", "cmu39")
    assert " ".join(c.canonical) == "d o s k a s a s"
    assert len(read_manifest(path)) == 3  # the input is as it was
    assert read_manifest(path)[0].canonical is None


@pytest.mark.parametrize(
    ("utterance", "options", "message"),
    [
        (said("x", "zqyx"), {"unknown_words": "stop"}, "no pronunciation of 'zqyx'"),
        (said("x", "cat", None), {}, "utterance 'x': expected a language"),
        (
            said("x", "chat", "fra"),
            {"phones": "cmu39"},
            "no dictionary in cmu39 for the language 'fra' (phones=ipa)",
        ),
        (said("x", "Katze", "deu"), {}, "no G2P for the language 'deu'"),
        (
            said("x", "cat", target_span=(4, 9)),
            {},
            "m.jsonl:1: utterance 'x': 'target_span' points past the 3 canonical phones",
        ),
        (said("x", "cat", flags={3: "star"}), {}, "'x': 'flags' points past the 3 canonical phones"),
        (
            said("x", "cat", inventory="timit61", realized=("k",)),
            {},
            "'x': canonical phones in cmu39 cannot stand beside realized ones in timit61",
        ),
        (said("x", "cat"), {"phones": "sampa"}, "expected 'phones' to be one of auto, cmu39, ipa"),
        (said("x", "cat"), {"unknown_words": "guess"}, "expected 'unknown_words'"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(tmp_path, utterance, options, message):
    path = manifest(tmp_path, utterance)
    with pytest.raises(PedkitError, match=re.escape(message)):
        add_references(path, tmp_path / "out.jsonl", **options)
    assert not (tmp_path / "out.jsonl").exists()
