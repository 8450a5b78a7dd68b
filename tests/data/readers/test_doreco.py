import shutil

import numpy as np
import pytest
import soundfile

from pedkit.data.audio import load_audio
from pedkit.data.check import check
from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_doreco
from pedkit.errors import PedkitError
from tests.data.readers.doreco_miniature import TALK, write_bundle

FIRST = "doreco_anal1239_talk_AB_0001_talk"


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_doreco(root, **options)}


def test_units_of_annotation(tmp_path):
    write_bundle(tmp_path)
    utterances = by_id(tmp_path)
    assert {
        name.removeprefix("doreco_anal1239_talk_"): " ".join(u.realized) for name, u in utterances.items()
    } == {
        "AB_0001_talk": "n aː t͡ʃ kʰ ɛ",
        "AB_0003_talk": "k͡p e",
        "AB_0001_talk_2": "tʼ u",
        "CD_0001_talk": "ŋ ʊ",
    }
    assert [utterance.text for utterance in utterances.values()] == ["na tSkE", "kpe", "t_>u", "null"]
    spans = [(u.audio.start, u.audio.duration) for u in utterances.values()]
    assert spans == [(0.5, pytest.approx(0.7)), (1.5, pytest.approx(0.4)), (1.9, pytest.approx(0.2)), (1.0, 0.3)]
    assert utterances[FIRST].audio.path.endswith("audio/doreco_anal1239_talk.wav")
    assert utterances[FIRST].extra == {
        "ref": "0001_talk",
        "rec_date": "2016-02-20",
        "genre": "conversation",
        "sound_quality": "bad",
        "labels": {"fp": 1},
        "licence": "CC BY-NC",
    }
    assert utterances["doreco_anal1239_talk_AB_0003_talk"].extra["labels"] == {"****": 1, "ui": 1}
    assert (
        "labels" not in utterances["doreco_anal1239_talk_CD_0001_talk"].extra
    )  # a pause within a word is silence
    assert (utterances[FIRST].language, utterances[FIRST].inventory) == ("anm", "ipa")
    assert (utterances[FIRST].canonical, utterances[FIRST].split) == (None, None)


def test_speech_with_a_label_may_count_or_go(tmp_path):
    write_bundle(tmp_path)
    found = [" ".join(utterance.realized) for utterance in by_id(tmp_path, labels="unk").values()]
    assert found == ["n aː <unk> t͡ʃ kʰ ɛ", "k͡p e <unk>", "tʼ u", "ŋ ʊ"]
    assert [utterance.text for utterance in by_id(tmp_path, labels="skip").values()] == ["t_>u", "null"]


def test_speakers(tmp_path):
    write_bundle(tmp_path)
    utterances = by_id(tmp_path)
    first, other = utterances[FIRST], utterances["doreco_anal1239_talk_CD_0001_talk"]
    assert (first.speaker, other.speaker) == ("doreco:anal1239_AB", "doreco:anal1239_CD")
    assert first.groups == {"gender": "female", "age": 76, "age_group": "adult"}
    assert first.groups_raw == {"spk_age": "76", "spk_age_c": "certain", "spk_sex": "f"}
    assert other.groups == {"gender": "male"}
    assert other.groups_raw == {"spk_age_c": "certain", "spk_sex": "m"}


def test_a_zero_too_many_and_strangers_to_the_metadata(tmp_path):
    talk = [("01", "a", "r1", ["a"], 0.0), ("XY", "a", "r2", ["a"], 0.5)]
    write_bundle(tmp_path, "yuca1254", talk, spk_code="1", spk_age="12", spk_sex="m")
    first, stranger = by_id(tmp_path).values()
    assert first.speaker == "doreco:yuca1254_1"
    assert first.groups == {"gender": "male", "age": 12, "age_group": "child"}
    assert (stranger.speaker, stranger.groups, stranger.groups_raw) == ("doreco:yuca1254_XY", {}, {})


@pytest.mark.parametrize(
    ("glottocode", "may_upload", "language"),
    [
        ("anal1239", False, "anm"),  # annotations CC BY, recordings CC BY-NC
        ("urum1249", False, "uum"),  # CC BY-NC-ND
        ("arap1274", True, "arp"),  # CC BY
        ("goem1240", None, "ank"),  # recordings in another archive
        ("sadu1234", True, "mis"),  # a language without a code
        ("sout3282", True, "eng"),
    ],
)
def test_licence_and_language_of_each_bundle(tmp_path, glottocode, may_upload, language):
    write_bundle(tmp_path, glottocode)
    utterance = next(iter(by_id(tmp_path).values()))
    assert utterance.may_upload is may_upload
    assert utterance.language == language


def test_a_language_of_a_later_version(tmp_path, caplog):
    write_bundle(tmp_path, "abcd1234")
    utterance = next(iter(by_id(tmp_path).values()))
    assert (utterance.language, utterance.may_upload) == ("und", None)
    assert "licence" not in utterance.extra
    assert caplog.messages == ["abcd1234 is no language of DoReCo 1.2: its code and licence are not known"]


def test_tables_with_tabs_and_phones_of_two_words(tmp_path):  # as in Evenki
    folder = write_bundle(tmp_path, "even1259", delimiter="\t")
    path = folder / "doreco_even1259_ph.csv"
    path.write_text(path.read_text().replace("\tw00009\t", "\tw00003 w00009\t"))
    assert [" ".join(u.realized) for u in by_id(tmp_path).values()] == ["n aː t͡ʃ kʰ ɛ", "k͡p e", "tʼ u", "ŋ ʊ"]


def test_extended_set_is_left_out(tmp_path):
    folder = write_bundle(tmp_path)
    path = folder / "doreco_anal1239_ph.csv"
    path.write_text(path.read_text().replace(",core,CD,", ",extended,CD,"))
    assert len(by_id(tmp_path)) == 3


def test_several_languages(tmp_path):
    write_bundle(tmp_path, "arap1274")
    write_bundle(tmp_path, "anal1239")
    assert [name[:15] for name in by_id(tmp_path)] == ["doreco_anal1239"] * 4 + ["doreco_arap1274"] * 4
    assert len(by_id(tmp_path, languages=["arap1274"])) == 4
    with pytest.raises(PedkitError, match=r"expected the file 'doreco_urum1249_ph.csv' in this folder"):
        by_id(tmp_path, languages=["urum1249"])
    with pytest.raises(PedkitError, match="expected 'languages' to be a list"):
        by_id(tmp_path, languages="arap1274")


def test_recordings_that_are_elsewhere(tmp_path):
    write_bundle(tmp_path, audio=False)
    with pytest.raises(
        PedkitError, match=rf"utterance '{FIRST}': expected the recording 'doreco_anal1239_talk.wav'"
    ):
        by_id(tmp_path)
    assert by_id(tmp_path, audio="optional")[FIRST].audio is None


def test_tables_of_another_language_are_refused(tmp_path):
    folder = write_bundle(tmp_path, "beja1238")
    path = folder / "doreco_beja1238_ph.csv"
    path.write_text(path.read_text().replace("beja1238,", "goro1270,"))
    with pytest.raises(PedkitError, match=r"ph.csv:2: expected phones of beja1238, but got goro1270 \(version 7"):
        by_id(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("n,0.5,", "n,half,"), r"ph.csv:3: expected a time in seconds, but got 'half'"),
        (("n,0.5,", "n,-1,"), r"ph.csv:3: expected a time in seconds, but got '-1'"),
        ((",n,0.5", ",%,0.5"), r"ph.csv:3: expected a phone in X-SAMPA, but got '%'"),
        (("w00002,p1,", "w99,p1,"), r"ph.csv:3: the word table has no word 'w99'"),
        (("w00002,p1,", "w00001,p1,"), r"ph.csv:3: the phone 'n' belongs to no unit \(ref '<p:>'\)"),
        ((",wd_ID,", ",word,"), r"ph.csv:1: expected a column 'wd_ID'"),
        ((",0.6,,", ",0.6,"), r"ph.csv:3: expected 11 cells as in the first line, but got 10"),
    ],
)
def test_broken_phone_tables(tmp_path, change, message):
    folder = write_bundle(tmp_path)
    path = folder / "doreco_anal1239_ph.csv"
    before = path.read_text()
    path.write_text(before.replace(*change, 1))
    assert path.read_text() != before
    with pytest.raises(PedkitError, match=message):
        by_id(tmp_path)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"spk_sex": "f/x"}, r"metadata.csv:2: expected a gender of f, m, .* but got 'x'"),
        ({"spk_age": "old/na"}, r"metadata.csv:2: expected an age of 1 to 120 whole years, but got 'old'"),
        ({"spk_age": "76/67/50"}, r"metadata.csv:2: expected 2 values of 'spk_age', but got '76/67/50'"),
    ],
)
def test_broken_metadata(tmp_path, changes, message):
    write_bundle(tmp_path, **changes)
    with pytest.raises(PedkitError, match=message):
        by_id(tmp_path)


def test_missing_parts(tmp_path):
    with pytest.raises(PedkitError, match="no such folder"):
        by_id(tmp_path / "nowhere")
    with pytest.raises(PedkitError, match=r"such as doreco_anal1239_ph.csv \(unzip them\)"):
        by_id(tmp_path)
    folder = write_bundle(tmp_path)
    shutil.copytree(folder, tmp_path / "doreco_anal1239_core_v1.1")
    with pytest.raises(PedkitError, match="the language lies there twice"):
        by_id(tmp_path)
    shutil.rmtree(tmp_path / "doreco_anal1239_core_v1.1")
    (folder / "doreco_anal1239_metadata.csv").unlink()
    with pytest.raises(
        PedkitError, match=r"expected the file 'doreco_anal1239_metadata.csv' of the corpus doreco"
    ):
        by_id(tmp_path)


@pytest.mark.parametrize("option", [{"labels": "keep"}, {"audio": "no"}])
def test_unknown_option_values_are_refused(tmp_path, option):
    with pytest.raises(PedkitError, match=rf"expected '{next(iter(option))}' to be one of"):
        by_id(tmp_path, **option)


def test_prepared_checked_and_heard(tmp_path):
    root = tmp_path / "corpus"
    write_bundle(root)
    ramp = np.arange(3 * 44100) / (3 * 44100)  # sample value = time / 3 s
    soundfile.write(root / "audio" / "doreco_anal1239_talk.wav", ramp, 44100, subtype="FLOAT")
    summary = prepare("doreco", root, tmp_path / "m.jsonl")
    assert (summary.utterances, summary.speakers, summary.without_canonical) == (4, 2, 4)
    assert summary.hours == pytest.approx((0.7 + 0.4 + 0.2 + 0.3) / 3600)
    report = check(tmp_path / "m.jsonl")
    assert report.ok
    assert report.splits["no split"].realized == 11
    samples = load_audio(read_manifest(tmp_path / "m.jsonl")[2].audio, 44100)  # from 1.9 s to 2.1 s
    assert len(samples) == 8820
    assert samples[0] * 3 == pytest.approx(1.9, abs=1e-4)


def test_the_order_of_the_rows_does_not_matter(tmp_path):
    write_bundle(tmp_path / "a")
    write_bundle(tmp_path / "b", talk=TALK[::-1])
    realized = [
        {name: utterance.realized for name, utterance in by_id(tmp_path / root).items()} for root in ("a", "b")
    ]
    assert realized[0] == realized[1]
