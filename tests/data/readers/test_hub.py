"""Local data sets in the forms that the Hub has; nothing is fetched."""

import io
import json
import sys
import wave

import pytest

from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_hub
from pedkit.data.readers.hub_audio import HubAudio
from pedkit.errors import PedkitError

datasets = pytest.importorskip("datasets")
pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

MAP = {"id": "key", "audio": "audio", "realized": "ipa", "groups.gender": "sex", "speaker": "who.name"}
OPTIONS = {"columns": MAP, "inventory": "ipa", "phones": "flat", "language": "deu"}


@pytest.fixture(autouse=True)
def no_network(monkeypatch, tmp_path):
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    datasets.disable_progress_bars()


def clip(level):
    """Return the bytes of a WAV file of a tenth of a second."""
    stream = io.BytesIO()
    with wave.open(stream, "wb") as file:
        file.setparams((1, 2, 16000, 1600, "NONE", ""))
        file.writeframes(bytes([level, 0]) * 1600)
    return stream.getvalue()


def write_split(folder, name, keys):
    features = datasets.Features(
        {
            "key": datasets.Value("string"),
            "audio": datasets.Audio(sampling_rate=16000),
            "ipa": datasets.Value("string"),
            "sex": datasets.ClassLabel(names=["male", "female"]),
            "who": {"name": datasets.Value("string")},
        }
    )
    rows = {
        "key": list(keys),
        "audio": [{"bytes": clip(number), "path": f"{key}.wav"} for number, key in enumerate(keys)],
        "ipa": ["ˈapfəl"] * len(keys),
        "sex": [1, None, 0][: len(keys)],
        "who": [{"name": f"s{key}"} for key in keys],
    }
    folder.mkdir(parents=True, exist_ok=True)
    table = pyarrow.table(rows).cast(features.arrow_schema)
    parquet.write_table(table, folder / f"{name}-00000-of-00001.parquet")


@pytest.fixture
def repository(tmp_path):
    """A data set as the Hub stores it: Parquet files by split, recordings inside."""
    write_split(tmp_path / "apples" / "data", "train", ("a/1", "a2", "a3"))
    write_split(tmp_path / "apples" / "data", "validation", ("b1",))
    return tmp_path / "apples"


@pytest.mark.parametrize("streaming", [False, True])
def test_parquet_with_recordings_inside(repository, tmp_path, streaming):
    out = tmp_path / "clips"
    summary = prepare("hub", repository, tmp_path / "m.jsonl", audio_out=str(out), streaming=streaming, **OPTIONS)
    assert str(summary).endswith(
        "4 utterances of apples (train 3, dev 1) by 4 speakers, 0.00 h, 4 without canonical phones"
    )
    first, second, third, fourth = read_manifest(tmp_path / "m.jsonl")
    assert (first.id, first.realized, first.language) == ("a/1", ("a", "p", "f", "ə", "l"), "deu")
    assert (first.groups, first.groups_raw) == ({"gender": "female"}, {"sex": "female"})
    assert (second.groups, third.groups) == ({}, {"gender": "male"})
    assert (first.speaker, first.split, fourth.split) == ("apples:sa/1", "train", "dev")
    assert first.audio.duration == 0.1
    assert sorted(path.name for path in out.iterdir()) == ["a2.wav", "a3.wav", "a_1-773232ab.wav", "b1.wav"]
    assert (out / "a2.wav").read_bytes() == clip(1)
    assert fourth.audio.path == str(out / "b1.wav")


def test_recordings_inside_need_a_folder(repository):
    with pytest.raises(
        PedkitError, match=r"apples \[train\]:1: utterance 'a/1': the data set holds .*\(audio_out=FOLDER\)"
    ):
        next(read_hub(repository, **OPTIONS))
    without = {name: column for name, column in MAP.items() if name != "audio"}
    assert next(read_hub(repository, **{**OPTIONS, "columns": without})).audio is None


def test_a_split_a_limit_and_row_numbers(repository):
    columns = {"id": "hub_row", "extra.name": "audio.path"}
    assert [u.id for u in read_hub(repository, columns=columns, limit=2)] == ["train-1", "train-2", "validation-1"]
    (utterance,) = read_hub(repository, columns=columns, split="validation")
    assert utterance.extra == {"name": "b1.wav", "key": "b1", "ipa": "ˈapfəl", "sex": "female"}
    constants = {"split": "test"}
    assert {u.split for u in read_hub(repository, columns=columns, constants=constants)} == {"test"}
    with pytest.raises(PedkitError, match=r"there is no split 'dev' \(there are: train, validation\)"):
        read_hub(repository, columns=columns, split="dev")


def test_a_data_set_saved_to_disk(repository, tmp_path):
    datasets.load_dataset(str(repository)).save_to_disk(tmp_path / "saved")
    utterances = list(read_hub(tmp_path / "saved", audio_out=str(tmp_path / "clips"), **OPTIONS))
    assert [u.id for u in utterances] == ["a/1", "a2", "a3", "b1"]
    single = list(read_hub(tmp_path / "saved" / "validation", audio_out=str(tmp_path / "clips"), **OPTIONS))
    assert [(u.id, u.split) for u in single] == [("b1", "dev")]


def test_files_with_recordings_beside_them(tmp_path):
    (tmp_path / "list.jsonl").write_text(json.dumps({"id": "a", "audio": "x.wav", "realized": ["a"]}) + "\n")
    (utterance,) = read_hub(tmp_path / "list.jsonl", inventory="ipa", audio_folder="wav")
    assert utterance.audio.path == str(tmp_path / "wav" / "x.wav")
    assert (utterance.realized, utterance.split, utterance.corpus) == (("a",), "train", "list")


def test_a_column_for_the_split_goes_before_the_data_sets_own(tmp_path):
    lines = [{"id": "a", "split": "test"}, {"id": "b", "split": "eval"}]
    (tmp_path / "list.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [u.split for u in read_hub(tmp_path / "list.jsonl")] == ["test", "eval"]
    columns = {"id": "id"}
    assert [u.split for u in read_hub(tmp_path / "list.jsonl", columns=columns)] == ["train", "train"]
    with pytest.raises(PedkitError, match="'split' is both a column and a constant"):
        list(read_hub(tmp_path / "list.jsonl", constants={"split": "test"}))


def test_faults_name_split_and_row(repository):
    with pytest.raises(PedkitError, match=r"apples \[train\]: there is no column 'clip' for 'audio'"):
        list(read_hub(repository, columns={"id": "key", "audio": "clip"}))
    with pytest.raises(PedkitError, match=r"apples \[train\]:2: utterance 'female': this id stands already"):
        list(read_hub(repository, columns={"id": "sex"}, values={"id": {"None": "female"}}, split="train"))


def test_data_sets_that_are_not_there(tmp_path):
    with pytest.raises(PedkitError, match=r"/no/such/folder: expected a data set of the Hub \(owner/name\)"):
        read_hub("/no/such/folder", columns={"id": "id"})
    with pytest.raises(PedkitError, match="nobody/nothing: the data set cannot be loaded: Couldn't reach"):
        read_hub("nobody/nothing", columns={"id": "id"})
    (tmp_path / "a.xls").write_text("")
    with pytest.raises(PedkitError, match=r"expected a file that ends in one of \.parquet"):
        read_hub(tmp_path / "a.xls", columns={"id": "id"})
    (tmp_path / "broken.parquet").write_text("no parquet")
    with pytest.raises(PedkitError, match=r"broken\.parquet: the data set cannot be loaded"):
        read_hub(tmp_path / "broken.parquet", columns={"id": "id"})


def test_options_are_checked(repository):
    for wrong in ({"limit": 0}, {"limit": True}, {"streaming": "yes"}, {"config": 3}, {"audio_out": 1}):
        with pytest.raises(PedkitError, match=f"expected '{next(iter(wrong))}' to be"):
            read_hub(repository, columns={"id": "key"}, **wrong)


def test_without_the_extra(repository, monkeypatch):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(PedkitError, match=r"needs the library 'datasets' \(pip install 'pedkit\[hub\]'\)"):
        read_hub(repository, columns={"id": "key"})


class TestAudio:
    def test_formats_are_told_from_the_bytes(self, tmp_path):
        find = HubAudio(tmp_path, tmp_path / "out")
        for start, ending in (
            (b"fLaC", ".flac"), (b"OggS", ".ogg"), (b"NIST_1A", ".sph"), (b"ID3", ".mp3"), (b"\xff\xfb", ".mp3"),
        ):  # fmt: skip
            assert find({"bytes": start + b"...", "path": "x.wav"}, "u").endswith(f"/out/u{ending}")
        assert find(clip(0), "v").endswith("/out/v.wav")
        with pytest.raises(PedkitError, match=r"but its bytes begin with b'\.\.\.\.ftyp'"):
            find(b"....ftypM4A", "u")
        with pytest.raises(PedkitError, match="but the row has neither"):
            find({"bytes": None, "path": None}, "u")

    def test_another_recording_of_the_same_id_replaces_the_file(self, tmp_path):
        find = HubAudio(tmp_path, tmp_path)
        for data in (clip(1), clip(1), clip(2)):
            path = find(data, "u")
        assert [file.name for file in tmp_path.iterdir()] == ["u.wav"]
        assert (tmp_path / "u.wav").read_bytes() == clip(2)
        assert path == str(tmp_path / "u.wav")

    def test_two_processes_do_not_write_the_same_half_file(self, tmp_path):
        (tmp_path / "u.wav.part").write_bytes(b"another process is writing")
        HubAudio(tmp_path, tmp_path)(clip(1), "u")
        assert (tmp_path / "u.wav").read_bytes() == clip(1)
        assert (tmp_path / "u.wav.part").read_bytes() == b"another process is writing"
