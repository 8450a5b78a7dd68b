import pytest

from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_sonos
from pedkit.errors import PedkitError
from tests.data.mini_sonos import entries, entry, write_sonos


def by_id(root, **options):
    return {utterance.id: utterance for utterance in read_sonos(root, **options)}


def test_splits_speakers_and_text(tmp_path):
    root = write_sonos(tmp_path / "svc_dataset")
    utterances = by_id(root)
    assert {name: (u.split, u.speaker, u.text) for name, u in utterances.items()} == {
        "audio_aaa": ("train", "sonos:1", "volume off"),
        "audio_bbb": ("train", "sonos:1", "Skip 2 songs!"),
        "audio_ccc": ("dev", "sonos:2", "play"),
        "audio_ddd": ("test", "sonos:007", "play zqyx"),
        "audio_eee": ("test", "sonos:3", "stop"),
    }
    assert utterances["audio_ccc"].audio.path.endswith("svc_dataset/audios/dev/audio_ccc.wav")
    assert utterances["audio_ccc"].audio.duration == 0.5
    assert {u.may_upload for u in utterances.values()} == {False}
    assert by_id(tmp_path) == utterances  # the folder around it


def test_groups_and_published_bins(tmp_path):
    utterances = by_id(write_sonos(tmp_path))
    assert utterances["audio_aaa"].groups == {
        "gender": "male",
        "age": 66,
        "age_group": "adult",
        "sonos_age_group": "55-100",
        "dialect": "mid-atlantic",
        "accent": "mid-atlantic",
    }
    assert utterances["audio_aaa"].groups_raw == {
        "age": "66",
        "age_group": "55-100",
        "dialectal_region": "USA Mid-Atlantic",
        "gender": "male",
        "user_group": "6",
    }
    # no dialect region: the accent is the ethnicity
    assert utterances["audio_ccc"].groups == {
        "gender": "female",
        "age": 9,
        "age_group": "child",
        "sonos_age_group": "9-16",
        "ethnicity": "latino",
        "accent": "latino",
    }
    assert utterances["audio_ddd"].groups == {}
    assert utterances["audio_eee"].groups == {"sonos_age_group": "42-54"}  # 'null' and 'N/A' are missing


def test_phones_are_those_of_the_normalised_text(tmp_path):
    utterances = by_id(write_sonos(tmp_path))
    assert " ".join(utterances["audio_bbb"].canonical) == "S K IH P T UW S AO NG Z"
    assert utterances["audio_ddd"].canonical is None
    assert utterances["audio_ddd"].extra["reference"]["unpronounced"] == ["zqyx"]
    assert utterances["audio_aaa"].extra["content"] == {"domain": "Music", "subdomain": "TransportControl"}
    assert utterances["audio_aaa"].extra["label"] == {"intent": "Mute", "slots": []}
    with pytest.raises(PedkitError, match=r"test_metadata.json: utterance 'audio_ddd': .*'zqyx'"):
        by_id(tmp_path, unknown_words="stop")
    assert by_id(tmp_path, canonical="none")["audio_aaa"].canonical is None


def test_a_recording_shorter_than_stated_is_told(tmp_path):
    metadata = entries()
    metadata["dev"]["audio_ccc"]["audioLengthMs"] = 900
    root = write_sonos(tmp_path / "corpus", metadata)
    with pytest.raises(PedkitError, match=r"audio_ccc.wav: .*expected audio from 0 to 0.9 s, but .* 0.5 s"):
        prepare("sonos", root, tmp_path / "m.jsonl")
    del metadata["dev"]["audio_ccc"]["audioLengthMs"]
    summary = prepare("sonos", write_sonos(tmp_path / "again", metadata), tmp_path / "m.jsonl")
    assert dict(summary.splits) == {"train": 2, "dev": 1, "test": 2}
    assert (summary.speakers, summary.without_canonical) == (4, 1)
    assert read_manifest(tmp_path / "m.jsonl")[2].audio.duration == 0.5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"speaker": None}, "expected an object under 'speaker', but got None"),
        ({"transcript": "stop"}, "expected an object under 'transcript', but got 'stop'"),
        ({"transcript": {"text": " "}}, r"expected transcript\.text, but it is missing"),
        ({"speaker": {"gender": "male"}}, r"expected speaker\.user_id, but it is missing"),
        ({"audioLengthMs": "4130"}, "expected milliseconds under 'audioLengthMs', but got '4130'"),
        ({"audioLengthMs": 0}, "expected milliseconds under 'audioLengthMs', but got 0"),
    ],
)
def test_faulty_entries_are_named(tmp_path, change, message):
    metadata = entries()
    metadata["test"]["audio_eee"] = {**entry("stop", "stop", "3"), **change}
    with pytest.raises(PedkitError, match=rf"test_metadata.json: utterance 'audio_eee': {message}"):
        by_id(write_sonos(tmp_path, metadata))


def test_half_an_archive_and_files_that_are_no_metadata(tmp_path):
    root = write_sonos(tmp_path)
    path = root / "metadata" / "test_metadata.json"
    path.write_text("[]")
    with pytest.raises(PedkitError, match="expected a JSON object, but got list"):
        by_id(root)
    path.write_text("{")
    with pytest.raises(PedkitError, match=r"test_metadata\.json:\d+: not a JSON file"):
        by_id(root)
    path.unlink()
    with pytest.raises(PedkitError, match=r"expected one file 'metadata/test_\*\.json' .*, but got 0"):
        by_id(root)
    for name in ("test_a.json", "test_b.json"):
        (root / "metadata" / name).write_text("{}")
    with pytest.raises(PedkitError, match="but got 2"):
        by_id(root)
