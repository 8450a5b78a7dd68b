"""Each shipped preset on rows with the columns that its source is said to have."""

import json

import pytest

from pedkit.data.prepare import prepare
from pedkit.data.readers import read_mapped_table
from pedkit.data.readers.mapped import MappedSource
from pedkit.data.readers.presets import find_preset, shipped_presets
from pedkit.errors import PedkitError

ROWS = {
    "easycall": {
        "audio": "a.wav", "filename": "f10_02_Scendi.wav", "speaker": "f10", "text": "scendi",
        "dysarthria_severity": "3",
    },
    "fleurs": {
        "hub_row": "train-1", "id": 903, "num_samples": 108800, "path": "x/1000.wav", "audio": "1000.wav",
        "transcription": "el paciente", "raw_transcription": "El paciente.", "gender": "male", "lang_id": "es_419",
        "language": "Spanish", "lang_group_id": "western_european_we",
    },
    "ipapack": {
        "id": "c1", "start": 0,
        "supervisions": [{"id": "u-1", "custom": {"clean": "luədən hɛt", "orthographic": "lodin het"}}],
    },
    "mediaspeech": {"hub_row": "train-1", "audio": "a.flac", "sentence": "bonjour"},
    "ultrasuite": {"audio": "a.wav", "label": 1, "subject": "02F", "filename": "02F-001A.wav"},
    "vaani": {
        "hub_row": "train-1", "audio": "a.wav", "language": "Hindi", "gender": "Female", "state": "Bihar",
        "district": "Araria", "pincode": 854311, "stay(years)": "12", "isTranscriptionAvailable": "Yes",
        "transcript": "घर", "referenceImage": "i.jpg",
    },
    "vaani_hi": {
        "hub_row": "train-1", "audio": "a.wav", "split": "val", "latitude": 26.1, "longitude": 87.5,
        "pincode": 854311, "lang_sym": "<hin>",
    },
    "waxal": {
        "id": "w1", "speaker_id": "s1", "transcription": "maama", "language": "lug", "gender": "Female",
        "audio": "a.wav",
    },
}  # fmt: skip


def read(name):
    preset = shipped_presets()[name]
    source = MappedSource(name, preset.options, name, lambda value, _: value, preset.label)
    (utterance,) = source.utterances([(1, ROWS[name])])
    return utterance


def test_every_preset_has_a_row_here():
    assert sorted(shipped_presets()) == sorted(ROWS)


@pytest.mark.parametrize("name", sorted(ROWS))
def test_no_preset_claims_to_be_verified(name):
    assert shipped_presets()[name].verified is False
    utterance = read(name)
    assert utterance.extra["preset"] == f"{name} (unverified)"
    assert utterance.corpus == name
    assert utterance.may_upload is None


def test_what_the_rows_become():
    easycall = read("easycall")
    assert (easycall.id, easycall.speaker, easycall.text) == ("f10_02_Scendi.wav", "easycall:f10", "scendi")
    assert (easycall.groups, easycall.language) == ({"severity": 3}, "ita")
    fleurs = read("fleurs")
    assert (fleurs.id, fleurs.text, fleurs.groups) == ("train-1", "el paciente", {"gender": "male"})
    assert (fleurs.extra["sentence"], fleurs.extra["lang_id"]) == (903, "es_419")
    ipapack = read("ipapack")
    assert (ipapack.id, ipapack.text, ipapack.audio.path) == ("u-1", "lodin het", "u-1")
    assert (ipapack.canonical, ipapack.realized) == (("l", "u", "ə", "d", "ə", "n", "h", "ɛ", "t"), None)
    ultrasuite = read("ultrasuite")
    assert (ultrasuite.speaker, ultrasuite.extra["label"]) == ("ultrasuite:02F", 1)
    vaani = read("vaani")
    assert vaani.groups == {"gender": "female", "state": "bihar", "region": "araria"}
    assert (vaani.text, vaani.language, vaani.extra["language"]) == ("घर", None, "Hindi")
    vaani_hi = read("vaani_hi")
    assert (vaani_hi.split, vaani_hi.extra["latitude"], vaani_hi.extra["longitude"]) == ("dev", 26.1, 87.5)
    waxal = read("waxal")
    assert (waxal.speaker, waxal.groups, waxal.text) == ("waxal:s1", {"gender": "female"}, "maama")
    assert read("mediaspeech").text == "bonjour"


def test_prepare_says_that_nobody_has_tried_it(tmp_path):
    (tmp_path / "cuts.jsonl").write_text(json.dumps(ROWS["ipapack"]) + "\n")
    summary = prepare("table", tmp_path, tmp_path / "m.jsonl", durations=False, preset="ipapack", corpus="afr")
    assert str(summary).endswith(
        "1 utterances of afr (no split 1) by 0 speakers, by the preset ipapack (unverified)"
    )


def test_presets_that_cannot_be_had(tmp_path):
    with pytest.raises(PedkitError, match=r"no preset 'waxl' .*did you mean 'waxal'"):
        find_preset("waxl", "hub")
    with pytest.raises(PedkitError, match=r"'waxal' is for the reader hub, not table .*prepare hub"):
        read_mapped_table(tmp_path, preset="waxal")
    with pytest.raises(PedkitError, match="no such file of options"):
        read_mapped_table(tmp_path, preset=str(tmp_path / "no.json"))
    (tmp_path / "mine.json").write_text("[1]")
    with pytest.raises(PedkitError, match=r"mine\.json: expected a JSON object, but got list"):
        read_mapped_table(tmp_path, preset=str(tmp_path / "mine.json"))
    (tmp_path / "mine.json").write_text("{")
    with pytest.raises(PedkitError, match=r"mine\.json:1: not a JSON file"):
        read_mapped_table(tmp_path, preset=str(tmp_path / "mine.json"))
    (tmp_path / "mine.json").write_text('{"colums": {}}')
    with pytest.raises(PedkitError, match="the preset 'mine' holds the unknown option 'colums'"):
        read_mapped_table(tmp_path, preset=str(tmp_path / "mine.json"))
