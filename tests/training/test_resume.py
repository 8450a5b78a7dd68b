from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from omegaconf import OmegaConf

from pedkit.errors import PedkitError
from pedkit.models import CtcModule
from pedkit.training import read_run, train
from pedkit.training.resume import resumed


@pytest.fixture
def stopped(config, tmp_path, monkeypatch):
    """A run that Ctrl-C met in its second epoch, after two checkpoints within it."""
    step = CtcModule.training_step

    def interrupted(self, batch, batch_idx):
        if (self.current_epoch, batch_idx) == (1, 2):
            raise KeyboardInterrupt
        return step(self, batch, batch_idx)

    monkeypatch.setattr(CtcModule, "training_step", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(config("data.max_batch_size=4", "callbacks.last.every_updates=1", "model.learning_rate=2e-3"))
    monkeypatch.undo()
    return tmp_path / "run"


def test_a_run_goes_on_by_its_own_settings_wherever_it_lies(stopped, tmp_path):
    moved = tmp_path / "elsewhere" / "renamed"
    moved.parent.mkdir()
    shutil.move(stopped, moved)
    checkpoint = torch.load(moved / "checkpoints" / "last.ckpt", weights_only=True)
    assert (checkpoint["epoch"], checkpoint["global_step"]) == (1, 7)
    cfg = resumed(moved, ["resume=somewhere"])
    assert (cfg.model.learning_rate, cfg.output_dir) == (2e-3, str(moved))
    assert cfg.callbacks.last.dirpath == f"{moved}/checkpoints"
    train(cfg)
    assert read_run(moved)["status"] == "finished"
    assert not stopped.exists()
    assert torch.load(moved / "checkpoints" / "last.ckpt", weights_only=True)["global_step"] == 10


def test_other_settings_are_refused(stopped):
    with pytest.raises(PedkitError, match=r"keeps its own settings, but the command also says seed=9"):
        resumed(stopped, [f"resume={stopped}", "seed=9"])


def test_settings_that_were_edited_in_the_folder_are_another_run(stopped):
    cfg = OmegaConf.load(stopped / "config.yaml")
    cfg.model.learning_rate = 1.0
    OmegaConf.save(cfg, stopped / "config.yaml")
    with pytest.raises(PedkitError, match=r"holds another run \(different: model\.learning_rate\)"):
        train(resumed(stopped))


def test_relative_paths_from_another_folder_are_warned_of(stopped, caplog, monkeypatch, tmp_path):
    began = Path.cwd()
    monkeypatch.chdir(tmp_path)
    resumed(stopped)
    assert f"the run began in {began}; relative paths are taken from here now" in caplog.text


def test_a_folder_without_a_run_is_named(tmp_path):
    with pytest.raises(PedkitError, match=r"run\.json: no such file, so this is not a run folder"):
        resumed(tmp_path)
    (tmp_path / "run.json").write_text(json.dumps({"status": "running"}), encoding="utf-8")
    with pytest.raises(PedkitError, match=r"config\.yaml: no such file, so the run cannot be resumed"):
        resumed(tmp_path)
    (tmp_path / "config.yaml").write_text("a: [", encoding="utf-8")
    with pytest.raises(PedkitError, match=r"config\.yaml: not a YAML file"):
        resumed(tmp_path)
    (tmp_path / "config.yaml").write_text("a: 1\n", encoding="utf-8")
    with pytest.raises(PedkitError, match=r"config\.yaml: expected the configuration of a run, with output_dir"):
        resumed(tmp_path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda _: {"weights": 1}, r"last\.ckpt: this is no checkpoint of a training \(delete it"),
        (
            lambda whole: {
                **whole,
                "state_dict": {**whole["state_dict"], "encoder.model.lm_head.bias": torch.zeros(3)},
            },
            r"of another model: encoder\.model\.lm_head\.bias is \(3,\) in it, and \(40,\) in the model",
        ),
    ],
)
def test_a_checkpoint_of_something_else_is_one_sentence(stopped, change, sentence):
    path = stopped / "checkpoints" / "last.ckpt"
    torch.save(change(torch.load(path, weights_only=True)), path)
    with pytest.raises(PedkitError, match=sentence):
        train(resumed(stopped))
