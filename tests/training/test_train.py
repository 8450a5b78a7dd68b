from __future__ import annotations

import csv
import json
import logging
import os
import signal

import pytest
import torch
from pytorch_lightning import Callback

from pedkit.data.audio import load_audio
from pedkit.data.manifest import iter_manifest
from pedkit.errors import PedkitError
from pedkit.models import CtcModule
from pedkit.recognizers import Clip, CtcRecognizer
from pedkit.scoring import Item, Scorer, ScoringSettings
from pedkit.training import read_run, run_training, train
from pedkit.training.run_training import _build_all


def _metrics(folder):
    with (folder / "metrics.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row.pop("train_utterances_per_second")
    return rows


def _weights(folder):
    return torch.load(folder / "checkpoints" / "last.ckpt", weights_only=True)["state_dict"]


def test_it_learns_and_the_run_folder_can_be_used(config, tones, tmp_path):
    part = f"{{manifest: {tones / 'train.jsonl'}, repeat: 8}}"
    per = train(config("trainer.max_epochs=6", f"data.train=[{part}]", "model.learning_rate=1e-2"))
    run = tmp_path / "run"
    record = read_run(run)
    assert per == record["kept"]["dev_per"] < 0.25
    assert (record["status"], record["selected_on"], record["name"]) == ("finished", "all", "tones")
    assert [(entry["role"], entry["name"]) for entry in record["data"]] == [
        ("train", None), ("dev", "near"), ("dev", "far"),
    ]  # fmt: skip
    kept = record["kept"]
    assert (run / kept["checkpoint"]).is_file()
    assert f"epoch{kept['epoch']:03d}-" in kept["checkpoint"]
    [row] = [row for row in _metrics(run) if row["dev_per"] and float(row["dev_per"]) == float(f"{per:.7g}")][:1]
    assert int(row["epoch"]) == kept["epoch"]  # the first of equals, in every file counted from 1

    recognizer = CtcRecognizer.from_run(run)
    dev = [u for name in ("dev", "other") for u in iter_manifest(tones / f"{name}.jsonl")]
    heard = recognizer.transcribe([Clip(u, load_audio(u.audio)) for u in dev])
    items = [Item(u.id, u.canonical, u.realized, p.phones) for u, p in zip(dev, heard, strict=True)]
    assert Scorer(ScoringSettings("cmu39")).total(items).per.value == per
    assert (recognizer.name, recognizer.inventory) == ("tones", "cmu39")
    assert recognizer.config_hash == record["config_hash"]


def test_an_interrupted_run_continues_bit_for_bit(config, tmp_path, monkeypatch):
    whole = config("trainer.max_epochs=4", "trainer.log_every_n_steps=1", output_dir=tmp_path / "whole")
    parts = config("trainer.max_epochs=4", "trainer.log_every_n_steps=1", output_dir=tmp_path / "parts")
    train(whole)

    step = CtcModule.training_step

    def interrupted(self, batch, batch_idx):
        if self.current_epoch == 2 and batch_idx == 1:
            raise KeyboardInterrupt
        return step(self, batch, batch_idx)

    monkeypatch.setattr(CtcModule, "training_step", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(parts)
    assert read_run(tmp_path / "parts")["reason"] == "stopped by Ctrl-C"
    monkeypatch.undo()
    train(parts)

    one, two = _weights(tmp_path / "whole"), _weights(tmp_path / "parts")
    assert one.keys() == two.keys()
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert read_run(tmp_path / "whole")["kept"] == read_run(tmp_path / "parts")["kept"]
    rows = _metrics(tmp_path / "parts")
    assert rows == _metrics(tmp_path / "whole")
    steps = [int(row["step"]) for row in rows]
    assert steps == sorted(set(steps))


def test_the_rate_of_every_step_is_logged(config, tmp_path):
    # 20 words in batches of 8 are 3 an epoch (as the sampler cuts them); 2 epochs; 3 steps of warm-up to 1e-3.
    train(config("trainer.log_every_n_steps=1", "model.learning_rate=1e-3"))
    rates = [float(row["learning_rate"]) for row in _metrics(tmp_path / "run") if row["learning_rate"]]
    total = len(rates)
    down = [1e-3 * (total - step) / (total - 3) for step in range(3, total)]
    assert rates == pytest.approx([1e-3 / 3, 2e-3 / 3, 1e-3, *down])


def test_a_finished_run_is_reported_not_repeated(config, tmp_path, caplog):
    first = train(config())
    before = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*")}
    with caplog.at_level(logging.INFO):
        assert train(config()) == first
    assert "finished already" in caplog.text
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*")} == before


def test_a_run_killed_after_its_last_epoch_is_only_written_down(config, tmp_path):
    train(config())
    record = read_run(tmp_path / "run")
    killed = {**record, "status": "running", "kept": {**record["kept"], "checkpoint": "checkpoints/removed.ckpt"}}
    (tmp_path / "run" / "run.json").write_text(json.dumps(killed), encoding="utf-8")
    before = (tmp_path / "run" / "metrics.csv").read_bytes()
    assert train(config()) == record["kept"]["dev_per"]
    assert read_run(tmp_path / "run")["kept"] == record["kept"]
    assert read_run(tmp_path / "run")["status"] == "finished"
    assert (tmp_path / "run" / "metrics.csv").read_bytes() == before


def test_a_kept_checkpoint_that_is_gone_is_named(config, tmp_path):
    train(config())
    kept = tmp_path / "run" / read_run(tmp_path / "run")["kept"]["checkpoint"]
    kept.unlink()
    with pytest.raises(PedkitError, match="the checkpoint that this run kept is gone"):
        train(config())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"status": None}, "expected status to be"),
        ({"kept": "best.ckpt"}, "expected kept to be"),
        ({"data": "a.jsonl"}, "expected data to be"),
    ],
)
def test_a_run_record_of_another_form_is_named(tmp_path, change, message):
    (tmp_path / "run.json").write_text(json.dumps({"status": "finished", **change}), encoding="utf-8")
    with pytest.raises(PedkitError, match=message) as error:
        read_run(tmp_path)
    assert str(error.value).startswith(f"{tmp_path / 'run.json'}: ")


class _Terminated(Callback):
    """Has the process terminated in the second epoch, as a cluster does before its time is up."""

    def on_train_epoch_start(self, trainer, *_):
        if trainer.current_epoch == 1:
            os.kill(os.getpid(), signal.SIGTERM)


def test_sigterm_is_said_and_the_run_continues(config, tmp_path, monkeypatch):
    handler = signal.getsignal(signal.SIGTERM)
    with monkeypatch.context() as patch:
        patch.setattr(run_training, "_build_all", lambda *given: [*_build_all(*given), _Terminated()])
        with pytest.raises(PedkitError, match="stopped by SIGTERM; files already made stay"):
            train(config("trainer.max_epochs=3"))
    assert signal.getsignal(signal.SIGTERM) == handler
    assert read_run(tmp_path / "run")["reason"].startswith("stopped by SIGTERM")
    train(config("trainer.max_epochs=3"))
    assert len(_metrics(tmp_path / "run")) >= 3


def test_a_dev_set_cannot_be_called_all(config):
    with pytest.raises(PedkitError, match="expected another name of a dev set than 'all'"):
        train(config("+data.dev.all=${data.dev.near}"))


def test_a_model_that_hears_only_blanks_is_said_to(config, caplog):
    with caplog.at_level(logging.WARNING):
        train(config())
    assert "the model hears nothing but the blank yet" in caplog.text


def test_mixed_precision_trains(config, tmp_path):
    train(config("trainer.precision=bf16-mixed"))
    weights = _weights(tmp_path / "run")
    assert {value.dtype for value in weights.values()} == {torch.float32}
    assert all(torch.isfinite(value).all() for value in weights.values())


def test_another_configuration_does_not_touch_the_folder(config):
    train(config("trainer.max_epochs=1"))
    with pytest.raises(
        PedkitError, match=r"holds another run \(different: model\.learning_rate, trainer\.max_epochs\)"
    ):
        train(config("model.learning_rate=0.5"))


def test_the_model_is_in_training_mode_although_it_came_in_evaluation_mode(config, monkeypatch):
    modes = []
    step = CtcModule.training_step

    def watched(self, batch, batch_idx):
        modes.append({module.training for module in self.encoder.modules()})
        return step(self, batch, batch_idx)

    start = CtcModule.__init__

    def in_evaluation_mode(self, *args, **kwargs):
        start(self, *args, **kwargs)
        self.encoder.eval()

    monkeypatch.setattr(CtcModule, "training_step", watched)
    monkeypatch.setattr(CtcModule, "__init__", in_evaluation_mode)
    train(config())
    assert modes
    assert all(mode == {True} for mode in modes)


def test_clips_too_short_for_their_phones_are_counted_and_named_once(config, tones, tmp_path, caplog):
    lines = [json.loads(line) for line in (tones / "train.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["audio"]["path"] = str(tones / line["audio"]["path"])
    lines[3]["realized"] = ["AA"] * 40  # needs 79 frames
    (tmp_path / "train.jsonl").write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        train(config(f"data.train=[{tmp_path / 'train.jsonl'}]"))
    messages = [record.getMessage() for record in caplog.records if "left out of the loss" in record.getMessage()]
    assert len(messages) == 1
    assert "utterance 'train3' has" in messages[0]
    assert "too few for its 40 phones" in messages[0]
    counts = [float(row["train_unalignable"]) for row in _metrics(tmp_path / "run") if row["train_unalignable"]]
    assert counts == [1.0, 1.0]


def test_a_missing_file_names_the_command_that_makes_it(config, tmp_path):
    need = f"requires=[{{file: {tmp_path / 'words.jsonl'}, command: python -m synthetic}}]"
    with pytest.raises(PedkitError, match=r"words\.jsonl: no such file \(make it with: python -m synthetic\)"):
        train(config(need))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("model.learning_rate=abc", "expected model.learning_rate to be a number, but got 'abc'"),
        ("trainer.max_epochs=x", "expected trainer.max_epochs to be a whole number or null, but got 'x'"),
        ("seed=abc", "expected seed to be a whole number, but got 'abc'"),
        ("seed=-1", "expected seed to be from 0 to 4294967295, but got -1"),
        ("data.train=[{manifest: a, repeat: x}]", "expected repeat to be a number, but got 'x'"),
        ("data.num_workers=-1", "expected 'num_workers' to be 0 or more, but got -1"),
        ("callbacks.progress.bar=2", "expected callbacks.progress.bar to be true or false or null, but got 2"),
        ("model.encoder.num_attention_heads=3", "expected num_attention_heads of the encoder to divide"),
        ("model.encoder.hidden_size=-4", "expected hidden_size of the encoder to be 1 or more, but got -4"),
        ("model.learning_rate=-1", "expected learning_rate to be 0 or more, but got -1"),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_one_sentence(config, override, sentence):
    with pytest.raises(PedkitError) as caught:
        train(config(override))
    assert sentence in str(caught.value)


def test_a_device_that_is_not_there_is_said_before_any_data_are_read(config, monkeypatch, tmp_path):
    from pytorch_lightning.accelerators import CUDAAccelerator, MPSAccelerator

    for accelerator in (CUDAAccelerator, MPSAccelerator):
        monkeypatch.setattr(accelerator, "auto_device_count", lambda: 0)
    with pytest.raises(PedkitError, match=r"trainer\.accelerator is gpu, but torch finds no such device"):
        train(config("trainer=gpu", "trainer.max_epochs=1", f"data.train=[{tmp_path / 'nothing.jsonl'}]"))


def test_a_missing_recording_is_named_with_its_line(config, tones, tmp_path):
    lines = [json.loads(line) for line in (tones / "dev.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["audio"]["path"] = str(tones / line["audio"]["path"])
    lines[2]["audio"]["path"] = str(tmp_path / "gone.wav")
    manifest = tmp_path / "dev.jsonl"
    manifest.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    with pytest.raises(PedkitError) as caught:
        train(config(f"data.dev={{near: {manifest}}}"))
    assert str(caught.value) == f"{manifest}:3: utterance 'dev2': {tmp_path / 'gone.wav'}: no such audio file"
    assert read_run(tmp_path / "run")["reason"] == str(caught.value)


def test_what_must_be_said_is_named(config):
    with pytest.raises(
        PedkitError, match=r"the setting data\.dev must be given \(add data\.dev=\.\.\. to the command"
    ):
        train(config("data.dev=???"))
    with pytest.raises(PedkitError, match=r"the setting name must be given"):
        train(config("name=???"))


def test_a_fault_of_a_setting_is_the_sentence_of_its_class(config):
    with pytest.raises(PedkitError, match="expected select_on to be all or one of near, far, but got 'middle'"):
        train(config("select_on=middle"))
    with pytest.raises(PedkitError, match="has no field 'hiden_size'"):
        train(config("+model.encoder.hiden_size=3"))  # in the folder of the first failure, which kept nothing
