import pytest

from pedkit.data.manifest import file_hash, write_manifest
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.seen import UsedData
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
