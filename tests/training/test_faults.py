"""What can go wrong in the data and on the disk of a training: one clear sentence each, and nothing lost."""

from __future__ import annotations

import csv
import errno
import json
import logging
import os
from pathlib import Path

import pytest
import torch

from pedkit.data.audio import load_audio
from pedkit.data.dataset import PhoneDataset
from pedkit.errors import PedkitError
from pedkit.models import CtcModule
from pedkit.training import read_run, train


@pytest.fixture
def manifest(tones, tmp_path):
    """Write a copy of one of the tones' manifests with changes; return its path."""

    def make(name, change):
        lines = [json.loads(line) for line in (tones / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
        for line in lines:
            line["audio"]["path"] = str(tones / line["audio"]["path"])
        change(lines)
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    return make


def _rows(run):
    with (run / "metrics.csv").open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if row["dev_per"]]


def test_an_empty_dev_set_is_named(config, manifest):
    dev = manifest("dev", lambda lines: lines.clear())
    with pytest.raises(PedkitError, match=r"dev\.jsonl: .*(empty|no utterance)"):
        train(config(f"data.dev={{near: {dev}}}"))


def test_utterances_without_realized_phones_are_named_with_a_way_out(config, manifest):
    path = manifest("train", lambda lines: lines[4].pop("realized"))
    with pytest.raises(PedkitError) as caught:
        train(config(f"data.train=[{path}]"))
    assert str(caught.value) == (
        f"{path}:5: utterance 'train4': has no realized phones to learn from "
        "(target=canonical learns from what should have been said)"
    )


def test_a_phone_outside_the_vocabulary_is_named(config, manifest):
    path = manifest("train", lambda lines: lines[4].update(realized=["AA", "Q9"]))
    with pytest.raises(PedkitError, match=r"train\.jsonl:5: utterance 'train4': .*'cmu39', but got 'Q9'"):
        train(config(f"data.train=[{path}]"))


def test_clips_that_are_too_short_or_too_long_are_left_out_and_counted(config, caplog):
    with caplog.at_level(logging.WARNING):
        train(config("data.min_seconds=0.3", "data.max_seconds=0.4", "trainer.max_epochs=3"))
    # 60 ms, and 140 ms a phone: words of one phone last 0.2 s, of two 0.34 s, of three 0.48 s.
    assert "utterances left out, too short: train0, train1" in caplog.text
    assert "14 of 18 utterances left out, too long: train6, train7" in caplog.text


def test_nothing_left_to_learn_from_is_one_sentence(config):
    with pytest.raises(PedkitError, match=r"no train clip is left: 20 too short \(data\.min_seconds, "):
        train(config("data.min_seconds=5"))


def test_train_clips_without_a_single_phone_teach_nothing(config, manifest):
    path = manifest("train", lambda lines: [line.update(realized=["<unk>"]) for line in lines])
    with pytest.raises(PedkitError, match="nothing to learn: none of the 20 train clips has a phone"):
        train(config(f"data.train=[{path}]"))


@pytest.fixture
def vanishing(monkeypatch):
    """Let recordings of two utterances be unreadable from the second epoch on, as on a disk that fails."""
    read: dict[str, int] = {}

    def load(audio, rate):
        read[audio.path] = read.get(audio.path, 0) + 1
        if Path(audio.path).stem in ("train3", "train7") and read[audio.path] > 2:
            raise PedkitError("cannot be read: input/output error", file=audio.path)
        return load_audio(audio, rate)

    monkeypatch.setattr("pedkit.data.dataset.load_audio", load)


def test_audio_that_becomes_unreadable_is_skipped_counted_and_named_once(config, tmp_path, caplog, vanishing):
    """The first reading is the check at the start, the second that of the first epoch."""
    options = ("data.bad_audio=skip", "data.cache_seconds=0", "trainer.max_epochs=3")
    with caplog.at_level(logging.WARNING):
        train(config(*options))
    assert [row["train_unreadable"] for row in _rows(tmp_path / "run")] == ["0", "2", "2"]
    said = [one.getMessage() for one in caplog.records if "left out of its batch" in one.getMessage()]
    assert len(said) == 2
    assert "train3.wav: utterance 'train3': cannot be read: input/output error" in " ".join(said)


def test_a_batch_without_any_readable_clip_teaches_nothing(config, tmp_path, vanishing):
    options = ("data.bad_audio=skip", "data.cache_seconds=0", "data.max_batch_size=1", "model.weight_decay=0.0")
    train(config(*options))
    rows = _rows(tmp_path / "run")
    assert [row["train_unreadable"] for row in rows] == ["0", "2"]
    assert float(rows[1]["train_loss"]) < 100
    assert torch.load(tmp_path / "run/checkpoints/last.ckpt", weights_only=True)["global_step"] == 40


def test_audio_that_becomes_unreadable_stops_the_training_with_its_line(config, tones, vanishing, monkeypatch):
    monkeypatch.setattr(PhoneDataset, "_length", lambda _self, _utterance, audio: len(load_audio(audio)) / 16000)
    with pytest.raises(PedkitError, match=r"train\.jsonl:(4|8): utterance 'train[37]': .*input/output error"):
        train(config("data.cache_seconds=0", "trainer.max_epochs=4"))


def test_a_loss_that_is_no_number_stops_with_the_utterances_and_a_saved_state(config, tmp_path, monkeypatch):
    step = CtcModule.training_step
    names, weights = [], {}

    def poisoned(self, batch, batch_idx):
        if (self.current_epoch, batch_idx) == (1, 1):
            batch.waveforms[0, 0] = torch.nan
            names.extend(utterance.id for utterance in batch.utterances)
            weights.update({name: value.clone() for name, value in self.state_dict().items()})
        return step(self, batch, batch_idx)

    monkeypatch.setattr(CtcModule, "training_step", poisoned)
    with pytest.raises(PedkitError, match=r"the loss became nan at step 4, on the utterances train\d+") as caught:
        train(config("data.max_batch_size=8"))
    run = tmp_path / "run"
    record = read_run(run)
    assert (record["status"], record["reason"]) == ("failed", str(caught.value))
    assert ", ".join(names) in str(caught.value)
    assert record["stopped"] == {
        "checkpoint": "checkpoints/stopped.ckpt", "epoch": 2, "update": 4, "utterances": names,
    }  # fmt: skip
    saved = torch.load(run / "checkpoints" / "stopped.ckpt", weights_only=True)
    assert all(torch.equal(saved["state_dict"][name], value) for name, value in weights.items())
    assert torch.load(run / "checkpoints" / "last.ckpt", weights_only=True)["epoch"] == 0


def test_weights_that_are_no_numbers_never_become_a_checkpoint(config, tmp_path, monkeypatch, caplog):
    end = CtcModule.on_train_batch_end

    def spoilt(self, outputs, batch, batch_idx):
        if self.current_epoch == 1:
            next(self.parameters()).data.fill_(torch.nan)
        return end(self, outputs, batch, batch_idx)

    monkeypatch.setattr(CtcModule, "on_train_batch_end", spoilt)
    with pytest.raises(PedkitError, match=r"(a weight is no number after|the loss became nan at) step \d"):
        train(config("data.max_batch_size=8"))
    assert not (tmp_path / "run" / "checkpoints" / "stopped.ckpt").exists()
    assert read_run(tmp_path / "run")["stopped"]["checkpoint"] is None
    assert "no numbers either" in caplog.text
    assert torch.load(tmp_path / "run/checkpoints/last.ckpt", weights_only=True)["epoch"] == 0


def test_a_full_disk_leaves_the_checkpoint_before_and_can_be_continued(config, tmp_path, monkeypatch):
    """The disk ends in the middle of an array of the second last.ckpt: torch's writer hides the cause."""
    full = iter([False, False, True])
    save = torch.save

    class Disk:
        def __init__(self, stream, room):
            self.stream, self.room = stream, room

        def write(self, data):
            self.room -= len(data)
            if self.room < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return self.stream.write(data)

        def flush(self):
            self.stream.flush()

    monkeypatch.setattr(torch, "save", lambda obj, f: save(obj, Disk(f, 20_000) if next(full, False) else f))
    with pytest.raises(PedkitError) as caught:
        train(config())
    run = tmp_path / "run"
    assert str(caught.value) == (
        f"{run}/checkpoints/last.ckpt: the checkpoint cannot be written: no space left on device "
        "(nothing is lost: the checkpoint before it stays, and the same command continues from there)"
    )
    assert torch.load(run / "checkpoints" / "last.ckpt", weights_only=True)["epoch"] == 0
    assert not [file for file in (run / "checkpoints").iterdir() if file.name.startswith(".")]
    train(config())
    assert read_run(run)["status"] == "finished"
