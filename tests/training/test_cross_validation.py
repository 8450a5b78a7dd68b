"""``steps=fixed`` and ``steps=cv`` on tones: so many updates, found on folds or given."""

from __future__ import annotations

import csv
import json
import math
from typing import NamedTuple

import pytest
import torch

from pedkit.data.manifest import iter_manifest
from pedkit.errors import PedkitError
from pedkit.evaluation.seen import seen_roles, used_data
from pedkit.models import CtcModule
from pedkit.models.optimization import rate_factor
from pedkit.training import read_run, train
from pedkit.training.dry_run import dry_run
from pedkit.training.fixed_steps import LastWeights
from pedkit.training.one_standard_error import one_standard_error

STEPS = ["steps=cv", "steps.folds=3", "steps.longest=8", "steps.every=2", "trainer.log_every_n_steps=1"]
ALONE = ["~data.dev.near", "~data.dev.far"]  # no dev set


def _rows(file):
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _rates(run):
    return [float(row["learning_rate"]) for row in _rows(run / "metrics.csv") if row["learning_rate"]]


def _last(run):
    return torch.load(run / "checkpoints" / "last.ckpt", weights_only=True)


def test_one_command_finds_the_number_of_updates_and_trains_on_everything(config, tones, tmp_path):
    value = train(config(*STEPS, *ALONE, "steps.count=25", "steps.schedule=longest"))
    run = tmp_path / "run"
    record = read_run(run)
    table = _rows(run / "cross_validation.csv")
    assert [int(row["step"]) for row in table] == [2, 4, 6, 8]
    pers = [[float(row[f"per_fold{fold}"]) for fold in (1, 2, 3)] for row in table]
    choice = one_standard_error(pers)
    assert (record["steps"]["best"], record["steps"]["chosen"]) == (2 + 2 * choice.best, 2 + 2 * choice.chosen)
    assert value == record["kept"]["dev_per"] == record["steps"]["chosen_per"]
    assert value == pytest.approx(choice.means[choice.chosen], abs=1e-6)
    assert (record["kept"]["dev_per_of"], record["selected_on"]) == ("cross-validation", "cross-validation")
    assert record["steps"]["found_by_others"] == 25

    folds = json.loads((run / "cross_validation.json").read_text(encoding="utf-8"))["folds"]
    assert [fold["utterances"] for fold in folds] == [7, 7, 6]
    for fold, column in zip(folds, zip(*pers, strict=True), strict=True):
        own = [point["errors"] / point["reference_phones"] for point in fold["curve"]]
        assert own == pytest.approx(column, abs=1e-6)
        held = list(iter_manifest(run / "folds" / f"{fold['fold']}-held_out.jsonl"))
        assert {point["reference_phones"] for point in fold["curve"]} == {sum(len(u.realized) for u in held)}
        assert not (run / "folds" / str(fold["fold"]) / "checkpoints").exists()

    last, chosen = _last(run), record["steps"]["chosen"]
    assert (last["global_step"], record["kept"]["step"]) == (chosen, chosen)
    assert record["kept"]["checkpoint"] == "checkpoints/last.ckpt"
    expected = [1e-3 * 1.5 * rate_factor(step, 3, 8) for step in range(chosen)]
    assert _rates(run) == pytest.approx(expected)  # the rates of the folds, cut off
    assert _rates(run / "folds" / "1") == pytest.approx([1.5e-3 * rate_factor(step, 3, 8) for step in range(8)])


def test_all_recordings_are_seen_and_so_are_copies_of_their_manifests(config, tones, tmp_path):
    train(config(*STEPS, *ALONE, "steps.folds=2", "steps.longest=4", "steps.every=4"))
    used = used_data(tmp_path / "run")
    entry = read_run(tmp_path / "run")["data"][0]
    assert (entry["role"], entry["path"]) == ("train", str(tones / "train.jsonl"))
    assert seen_roles(used, entry["sha256"], None) == ("train",)
    held = [(one.role, one.path[-16:]) for one in used if one.role == "dev"]
    assert held == [("dev", "1-held_out.jsonl"), ("dev", "2-held_out.jsonl")]


def test_an_interrupted_cross_validation_continues_where_it_was(config, tmp_path, monkeypatch):
    whole = config(*STEPS, *ALONE, output_dir=tmp_path / "whole")
    parts = config(*STEPS, *ALONE, output_dir=tmp_path / "parts")
    train(whole)
    begun, step = [], CtcModule.training_step

    def interrupted(self, batch, batch_idx):
        begun.append(self.global_step)
        if begun.count(0) == 2 and self.global_step == 5:  # within the second fold
            raise KeyboardInterrupt
        return step(self, batch, batch_idx)

    monkeypatch.setattr(CtcModule, "training_step", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(parts)
    assert read_run(tmp_path / "parts")["status"] == "failed"
    first = (tmp_path / "parts" / "folds" / "1" / "run.json").stat().st_mtime_ns
    begun.clear()
    train(parts)
    assert begun.count(0) == 2  # the third fold and the final training; the second went on from its last epoch
    assert (tmp_path / "parts" / "folds" / "1" / "run.json").stat().st_mtime_ns == first
    for name in ("cross_validation.csv", "cross_validation.json"):
        assert (tmp_path / "parts" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    one, two = (_last(tmp_path / name)["state_dict"] for name in ("whole", "parts"))
    assert all(torch.equal(one[name], two[name]) for name in one)


def test_a_given_number_of_updates_is_trained_and_the_last_weights_are_kept(config, tmp_path, caplog):
    caplog.set_level("INFO")
    value = train(config("steps=fixed", "steps.count=4", "trainer.log_every_n_steps=1"))
    record = read_run(tmp_path / "run")
    assert _last(tmp_path / "run")["global_step"] == record["kept"]["step"] == 4
    assert record["kept"]["epoch"] == 2  # of 3 batches each
    assert value == record["kept"]["dev_per"]
    assert _rates(tmp_path / "run") == pytest.approx([1.5e-3 * rate_factor(step, 3, 4) for step in range(4)])
    assert [file.name for file in (tmp_path / "run" / "checkpoints").iterdir()] == ["last.ckpt"]
    assert caplog.messages[-1].endswith("last.ckpt: the weights after 4 updates")


@pytest.fixture
def validated(monkeypatch):
    """Let the model hear all phones after the update ``right``, and none after others; note the weights scored."""
    scored = {}

    class Heard(NamedTuple):
        phones: tuple[str, ...]
        inventory: None = None

        def shares(self):
            return {}

    def hear(self, batch, *_):
        scored[self.global_step] = {name: value.clone() for name, value in self.state_dict().items()}
        right = self.global_step == scored["right"]
        return {"heard": [Heard(one.realized if right else ()) for one in batch.utterances]}

    monkeypatch.setattr(CtcModule, "validation_step", hear)
    return scored


@pytest.mark.parametrize(
    ("count", "options"),
    [(2, []), (3, []), (4, []), (5, ["trainer.check_val_every_n_epoch=3"]), (4, ["+trainer.min_epochs=9"])],
)
def test_the_dev_per_is_of_the_kept_weights_wherever_in_an_epoch_they_are(
    config, tmp_path, validated, count, options
):
    """Of 3 batches an epoch."""
    validated["right"] = count
    assert train(config("steps=fixed", f"steps.count={count}", "model.warmup_steps=1", *options)) == 0.0
    last = _last(tmp_path / "run")["state_dict"]
    assert all(torch.equal(last[name], value) for name, value in validated[count].items())


def test_a_run_killed_after_its_last_checkpoint_still_knows_its_dev_per(config, tmp_path, validated, monkeypatch):
    """A checkpoint is due after each update, but the one of the last waits for its dev scores."""
    validated["right"] = 4
    cfg = config("steps=fixed", "steps.count=4", "callbacks.last.every_updates=1")
    with monkeypatch.context() as killed:
        killed.setattr(LastWeights, "on_fit_end", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            train(cfg)
    assert "kept" not in read_run(tmp_path / "run")
    assert train(cfg) == 0.0


def test_without_a_dev_set_nothing_is_scored_and_no_number_invented(config, tmp_path):
    value = train(config("steps=fixed", "steps.count=3", *ALONE))
    assert math.isnan(value)
    assert read_run(tmp_path / "run")["kept"]["dev_per"] is None
    with pytest.raises(PedkitError, match="expected at least one dev set to choose the checkpoint on"):
        train(config(*ALONE, output_dir=tmp_path / "chosen"))


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["steps=cv", "steps.longest=7", "steps.every=2"], "a multiple of the steps of the grid"),
        (["steps=cv", "steps.folds=1"], "expected 2 folds or more"),
        (["steps=cv", "steps.schedule=none"], "expected schedule to be longest or chosen"),
        (["steps=cv", "steps.folds=21"], "expected a source_id at least for each of 21 splits, but there are 20"),
        (["steps=cv", "trainer.devices=2"], "one process, but trainer.devices is 2"),
        (["steps=cv", "trainer.accumulate_grad_batches=2"], "needs trainer.accumulate_grad_batches=1"),
        (["steps=cv", "callbacks=early_stopping"], "which early stopping would cut short"),
        (["steps=cv", "callbacks.last=null"], "callbacks.last, which writes them, is switched off"),
        (["steps=fixed", "steps.count=3", "callbacks.last=null"], "callbacks.last, which writes them, is"),
        (["steps=fixed", "steps.count=0"], "expected 1 or more updates"),
        (["steps=fixed", "steps.count=9", "steps.schedule_steps=8"], "a schedule that is no shorter"),
        (["steps=fixed", "steps.count=many"], "steps.count"),
    ],
)
def test_what_cannot_be_is_one_sentence(config, overrides, message):
    with pytest.raises(PedkitError, match=message):
        train(config(*overrides))


@pytest.mark.parametrize(
    ("overrides", "updates"),
    [(["steps=fixed", "steps.count=7"], 7), (["steps=cv", "steps.folds=3", "steps.longest=8"], 32)],
)
def test_a_dry_run_counts_the_updates_of_the_folds_too(config, overrides, updates):
    assert dry_run(config(*overrides)).updates == updates
