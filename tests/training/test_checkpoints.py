from __future__ import annotations

import math
import shutil

import pytest
import torch
from pytorch_lightning import LightningModule, Trainer
from torch.utils.data import DataLoader

from pedkit.errors import PedkitError
from pedkit.training.checkpoints import AtomicCheckpointIO, BestCheckpoint, LastCheckpoint
from pedkit.training.quiet import quiet

NAN = math.nan


class _Scripted(LightningModule):
    """Logs a given dev PER each epoch; its one weight says which epoch it is from."""

    def __init__(self, pers):
        super().__init__()
        self.pers = pers
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def training_step(self, batch):
        return (self.weight * batch).sum()

    def validation_step(self, batch):  # noqa: ARG002
        return None

    def on_validation_epoch_end(self):
        self.log("dev_per", self.pers[self.current_epoch])

    def on_train_epoch_end(self):
        with torch.no_grad():
            self.weight.fill_(float(self.current_epoch))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def _fit(folder, pers, epochs, resume=False, **last):
    best, last = BestCheckpoint(folder / "checkpoints"), LastCheckpoint(folder / "checkpoints", **last)
    with quiet():
        trainer = Trainer(
            max_epochs=epochs, callbacks=[best, last], plugins=[AtomicCheckpointIO()], logger=False,
            accelerator="cpu", enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0,
        )  # fmt: skip
        loader = DataLoader(torch.ones(2, 1))
        path = str(folder / "checkpoints" / "last.ckpt") if resume else None
        trainer.fit(_Scripted(pers), loader, loader, ckpt_path=path, weights_only=True)
    best.clear_superseded()
    return best


def _files(folder):
    return sorted(file.name for file in (folder / "checkpoints").iterdir())


def test_the_lowest_dev_per_is_kept_and_nan_never_wins(tmp_path):
    # keras #10863, Lightning #4468: the file lies directly in checkpoints/ with its PER in its name.
    best = _fit(tmp_path, [0.5, 0.3, 0.4, NAN, 0.45], 5)
    assert _files(tmp_path) == ["epoch002-dev_per0.3000.ckpt", "last.ckpt"]
    assert best.best_model_score.item() == pytest.approx(0.3)
    kept = torch.load(best.best_model_path, weights_only=True)
    assert (kept["epoch"], kept["state_dict"]["weight"].item()) == (1, 1.0)


def test_a_tie_keeps_the_earlier_epoch(tmp_path):
    _fit(tmp_path, [0.3, 0.3], 2)
    assert _files(tmp_path) == ["epoch001-dev_per0.3000.ckpt", "last.ckpt"]


def test_nan_in_the_first_epoch_does_not_stay(tmp_path):
    _fit(tmp_path, [NAN, 0.9], 2)
    assert _files(tmp_path) == ["epoch002-dev_per0.9000.ckpt", "last.ckpt"]


def test_the_last_checkpoint_is_of_every_epoch_not_only_of_the_best(tmp_path):
    _fit(tmp_path, [0.3, 0.5, 0.6], 3)
    assert torch.load(tmp_path / "checkpoints" / "last.ckpt", weights_only=True)["epoch"] == 2


def test_a_resumed_run_remembers_the_best(tmp_path):
    # Lightning #4911: two epochs (0.5, 0.3), stop, then two more (0.45, 0.40).
    pers = [0.5, 0.3, 0.45, 0.40]
    _fit(tmp_path, pers, 2)
    best = _fit(tmp_path, pers, 4, resume=True)
    assert best.best_model_score.item() == pytest.approx(0.3)
    assert _files(tmp_path) == ["epoch002-dev_per0.3000.ckpt", "last.ckpt"]


def test_a_moved_run_still_remembers_it_and_clears_up(tmp_path):
    pers = [0.5, 0.3, 0.45, 0.2]
    _fit(tmp_path / "here", pers, 3)
    shutil.move(tmp_path / "here", tmp_path / "there")
    best = _fit(tmp_path / "there", pers, 4, resume=True)
    assert best.best_model_path == str(tmp_path / "there" / "checkpoints" / "epoch004-dev_per0.2000.ckpt")
    assert _files(tmp_path / "there") == ["epoch004-dev_per0.2000.ckpt", "last.ckpt"]


def test_a_checkpoint_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    target = tmp_path / "checkpoints" / "last.ckpt"
    AtomicCheckpointIO().save_checkpoint({"epoch": 1}, target)

    def half(checkpoint, stream):
        stream.write(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", half)
    with pytest.raises(KeyboardInterrupt):
        AtomicCheckpointIO().save_checkpoint({"epoch": 2}, target)
    assert _files(tmp_path) == ["last.ckpt"]
    assert torch.load(target, weights_only=True) == {"epoch": 1}


def test_what_a_killed_process_left_half_written_is_swept_up(tmp_path):
    for name in ("last.ckpt", ".last.ckpt.abc123", "notes.txt"):
        (tmp_path / name).touch()
    AtomicCheckpointIO.sweep_up(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["last.ckpt", "notes.txt"]
    AtomicCheckpointIO.sweep_up(tmp_path / "not there yet")


def _steps_saved(folder, monkeypatch, **last):
    saved = []
    save = AtomicCheckpointIO.save_checkpoint

    def watched(self, checkpoint, path, storage_options=None):
        if str(path).endswith("last.ckpt"):
            saved.append(checkpoint["global_step"])
        save(self, checkpoint, path, storage_options)

    monkeypatch.setattr(AtomicCheckpointIO, "save_checkpoint", watched)
    _fit(folder, [0.5, 0.4], 2, **last)  # two updates an epoch
    return saved


def test_checkpoints_within_an_epoch_come_every_so_many_updates_or_minutes(tmp_path, monkeypatch):
    assert _steps_saved(tmp_path / "a", monkeypatch) == [2, 4]
    assert _steps_saved(tmp_path / "b", monkeypatch, every_updates=1) == [1, 2, 3, 4]
    assert _steps_saved(tmp_path / "c", monkeypatch, every_updates=3) == [2, 3, 4]
    assert _steps_saved(tmp_path / "d", monkeypatch, every_minutes=1e-9) == [1, 2, 3, 4]
    assert _steps_saved(tmp_path / "e", monkeypatch, every_minutes=60) == [2, 4]


@pytest.mark.parametrize("option", ["every_updates", "every_minutes"])
def test_an_interval_of_nothing_is_refused(tmp_path, option):
    with pytest.raises(PedkitError, match=f"expected '{option}' to be more than 0, but got 0"):
        LastCheckpoint(tmp_path, **{option: 0})
