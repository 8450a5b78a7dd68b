import pytest

from pedkit.data.json_file import write_object
from pedkit.data.manifest import file_hash, write_manifest
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.seen import UsedData, used_data
from pedkit.evaluation.test_sets import EvaluationSet, stamp_seen
from pedkit.evaluation.used_manifests import read_used


def manifest(path, *names):
    write_manifest(path, [Utterance(id=n, audio=Audio(path=f"{path.parent}/{n}.wav"), split=n) for n in names])
    return path


def test_recordings_shown_as_examples_are_refused_under_another_manifest(tmp_path):
    shown, test = manifest(tmp_path / "shown.jsonl", "a", "b"), manifest(tmp_path / "test.jsonl", "b", "c")
    used = (UsedData("examples", file_hash(shown), None, str(shown)),)
    with pytest.raises(
        PedkitError, match=r"1 of the 2 recordings .* served as examples in the prompt of this model"
    ):
        stamp_seen([EvaluationSet(name="t", manifest=test)], used, allow_seen=False)


def test_a_manifest_is_found_from_where_the_run_was_begun(tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    data = manifest(tmp_path / "there" / "data.jsonl", "a")
    entry = {"role": "train", "path": "data.jsonl", "sha256": file_hash(data)}
    write_object(tmp_path / "run.json", {"data": [entry], "working_directory": str(tmp_path / "there")})
    monkeypatch.chdir(tmp_path / "here")
    ((_, utterances),) = read_used(used_data(tmp_path))
    assert [one.id for one in utterances] == ["a"]
    manifest(tmp_path / "here" / "data.jsonl", "b")  # another file of the same name
    assert [one.id for _, read in read_used(used_data(tmp_path)) for one in read] == ["a"]


def test_parts_are_read_by_split_and_only_as_they_were(tmp_path):
    first, second = manifest(tmp_path / "first.jsonl", "a", "b"), manifest(tmp_path / "second.jsonl", "c")
    used = [
        UsedData("train", file_hash(first), "a", str(first)),
        UsedData("dev", file_hash(first), "b", str(first)),
        UsedData("dev", "another hash", None, str(second)),
        UsedData("dev", file_hash(second), None, str(tmp_path / "gone.jsonl")),
    ]
    read = [(entry.role, [one.id for one in utterances]) for entry, utterances in read_used(used)]
    assert read == [("train", ["a"]), ("dev", ["b"])]
