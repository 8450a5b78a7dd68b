import json

import numpy as np
import pytest
import soundfile

from pedkit.data.manifest import read_predictions
from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Audio, Utterance
from pedkit.evaluation.identity import Identity
from pedkit.evaluation.transcribe import transcribe


class Counter:
    """Hears as many phones AH as the clip has tenths of a second."""

    name, inventory, sample_rate = "counter", "cmu39", 16000

    def __init__(self, poison=()):
        self.heard, self.poison = [], set(poison)

    def transcribe(self, batch):
        names = [clip.utterance.id for clip in batch]
        if self.poison.intersection(names):
            raise RuntimeError("out of memory")
        self.heard += names
        return [
            Prediction(id=c.utterance.id, phones=("AH",) * round(10 * c.seconds), inventory="cmu39") for c in batch
        ]


@pytest.fixture
def clips(tmp_path):
    utterances = []
    for name, seconds in (("short", 0.2), ("long", 0.5), ("middle", 0.3)):
        path = tmp_path / f"{name}.flac"
        soundfile.write(path, np.zeros(round(16000 * seconds)), 16000)
        utterances.append(Utterance(id=name, audio=Audio(str(path))))
    return utterances


def test_the_longest_come_first_and_every_line_is_a_prediction(clips, tmp_path):
    result = transcribe(Counter(), clips, tmp_path / "out" / "predictions.jsonl")
    assert (result.written, result.resumed, result.failed) == (3, 0, ())
    lines = [json.loads(line) for line in result.path.read_text().splitlines()]
    assert [(line["id"], len(line["phones"])) for line in lines] == [("long", 5), ("middle", 3), ("short", 2)]


def test_a_second_run_hears_only_what_is_missing_and_drops_a_cut_line(clips, tmp_path):
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"id": "long", "phones": ["B"], "status": "ok"}\n{"id": "middle", "pho')
    recognizer = Counter()
    result = transcribe(recognizer, clips, path)
    assert recognizer.heard == ["middle", "short"]
    assert (result.written, result.resumed) == (2, 1)
    assert {name: p.phones for name, p in read_predictions(path).items()}["long"] == ("B",)


def test_one_bad_clip_of_a_batch_fails_alone_and_is_tried_again(clips, tmp_path):
    path = tmp_path / "predictions.jsonl"
    result = transcribe(Counter(poison=["middle"]), clips, path)
    assert result.failed == (("middle", "out of memory"),)
    assert {name: p.status for name, p in read_predictions(path).items()} == {
        "long": "ok",
        "middle": "failed",
        "short": "ok",
    }
    recognizer = Counter()
    assert transcribe(recognizer, clips, path).failed == ()
    assert recognizer.heard == ["middle"]


def test_unreadable_and_absent_audio_fail_with_a_reason(clips, tmp_path):
    broken = tmp_path / "broken.flac"
    broken.write_bytes(b"not audio")
    bad = [Utterance(id="broken", audio=Audio(str(broken))), Utterance(id="none"), *clips]
    result = transcribe(Counter(), bad, tmp_path / "p.jsonl")
    assert [name for name, _ in result.failed] == ["broken", "none"]
    assert "broken.flac" in result.failed[0][1]
    assert result.failed[1][1] == "the manifest names no audio"


def identity(**changes):
    common = {"recognizer": "r", "revision": "aaaabbbbcccc", "config_hash": None, "manifest_sha256": "m"}
    return Identity(**common | {"split": None} | changes)


def set_aside(folder):
    return sorted(path.read_text() for path in folder.glob("predictions.*.jsonl"))


def test_predictions_of_another_checkpoint_are_set_aside(tmp_path):
    predictions = tmp_path / "predictions.jsonl"
    identity().claim(tmp_path)
    predictions.write_text("old")
    identity().claim(tmp_path)
    assert predictions.read_text() == "old"
    identity(revision="ddddeeeeffff").claim(tmp_path)
    assert not predictions.exists()
    [kept] = tmp_path.glob("predictions.*.jsonl")
    assert kept.name.startswith("predictions.aaaabbbb.")
    assert kept.read_text() == "old"


@pytest.mark.parametrize(
    "other", [{"decoder": "beam 3"}, {"prompt_hash": "p"}, {"manifest_sha256": "n"}, {"revision": "pr/1"}]
)
def test_going_back_to_an_identity_takes_up_what_it_heard(tmp_path, other):
    predictions = tmp_path / "predictions.jsonl"
    identity().claim(tmp_path)
    predictions.write_text("first")
    identity(**other).claim(tmp_path)
    predictions.write_text("other")
    identity().claim(tmp_path)
    assert (predictions.read_text(), set_aside(tmp_path)) == ("first", ["other"])
    identity(**other).claim(tmp_path)
    assert (predictions.read_text(), set_aside(tmp_path)) == ("other", ["first"])


def test_no_set_aside_file_is_ever_replaced(tmp_path):
    for number in range(3):  # nobody knows whose they are: the note is gone
        (tmp_path / "predictions.jsonl").write_text(str(number))
        identity().claim(tmp_path)
        (tmp_path / "identity.json").unlink()
    assert set_aside(tmp_path) == ["0", "1", "2"]


def test_a_crash_between_setting_aside_and_taking_up_mixes_nothing(tmp_path, monkeypatch):
    predictions = tmp_path / "predictions.jsonl"
    identity().claim(tmp_path)
    predictions.write_text("first")
    identity(decoder="beam").claim(tmp_path)
    predictions.write_text("beam")
    monkeypatch.setattr("pedkit.evaluation.identity.write_object", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        identity().claim(tmp_path)
    monkeypatch.undo()
    identity(decoder="beam").claim(tmp_path)
    assert (predictions.read_text(), set_aside(tmp_path)) == ("beam", ["first"])
