"""`CrossValidation`: how many updates to train for, found on held-out folds, then the training on everything."""

from __future__ import annotations

import csv
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from pedkit.data.atomic import replacing
from pedkit.data.json_file import write_object
from pedkit.data.manifest import file_hash
from pedkit.data.manifest_part import ManifestPart
from pedkit.errors import PedkitError
from pedkit.provenance import RUN_FILE
from pedkit.training.fixed_steps import FixedSteps
from pedkit.training.folds import Fold, make_folds
from pedkit.training.held_out_curve import HeldOutSteps
from pedkit.training.one_standard_error import Choice, one_standard_error
from pedkit.training.run_folder import FINISHED, RunFolder, read_run, without_place
from pedkit.training.run_training import train, used_data

log = logging.getLogger(__name__)

SCHEDULES = ("longest", "chosen")


class CrossValidation:
    """Cross-validates the number of updates, then trains on all recordings for that many.

    Each fold is a run folder of its own in ``folds/``; a finished one is not trained again, so that the same
    command continues wherever it was stopped. ``cross_validation.csv`` and ``.json`` hold the curves, ``run.json``
    what was chosen (``steps``) and the last weights (``kept``), whose ``dev_per`` is the mean held-out PER there.

    Args:
        folds: Number of folds.
        by: Field or group key that no two folds may have in common.
        longest: Updates of each fold.
        every: Updates between two scores of the held-out recordings: the grid, shared by all folds.
        schedule: Updates that the learning rate of the final training spans: ``longest`` gives every update the
            rate it had in the folds and stops early, ``chosen`` lets it fall to zero at the last.
        seed: Seed of the assignment to folds.
        count: What somebody else found, to be written beside it; it changes nothing.

    Raises:
        PedkitError: A number is out of range.
    """

    def __init__(
        self,
        *,
        folds: int = 5,
        by: str = "source_id",
        longest: int = 100,
        every: int = 1,
        schedule: str = "longest",
        seed: int = 0,
        count: int | None = None,
    ) -> None:
        if folds < 2:
            raise PedkitError(f"expected 2 folds or more, but got {folds}")
        if schedule not in SCHEDULES:
            raise PedkitError(f"expected schedule to be {' or '.join(SCHEDULES)}, but got {schedule!r}")
        self.measure = HeldOutSteps(longest=longest, every=every)
        self.updates = (folds + 1) * longest
        self.folds, self.by, self.seed, self.schedule, self.count = folds, by, seed, schedule, count

    def run(self, settings: Mapping[str, Any], folder: RunFolder) -> None:
        """Train the folds, choose, train on everything.

        Args:
            settings: The resolved configuration.
            folder: The run folder.

        Raises:
            PedkitError: A setting has no place here, the folds cannot be made, or a training fails.
        """
        _one_process(settings["trainer"])
        data = settings["data"]
        manifests = {ManifestPart.of(part).manifest for part in (*data["train"], *data["dev"].values())}
        folder.remember_data(used_data(data, {path: file_hash(path) for path in manifests}))
        place = folder.path / "folds"
        folds = make_folds(data["train"], place, folds=self.folds, by=self.by, seed=self.seed)
        curves = [self._curve(settings, folder, fold) for fold in folds]
        pers = [[point["errors"] / point["reference_phones"] for point in curve] for curve in curves]
        choice = one_standard_error(list(zip(*pers, strict=True)))
        steps = self._summary(choice)
        write_object(folder.path / "cross_validation.json", {**steps, "folds": _fold_rows(folds, curves)})
        _write_table(folder.path / "cross_validation.csv", self.measure.grid, pers, choice)
        folder.update(steps=steps)
        self._say(steps)
        span = self.measure.longest if self.schedule == "longest" else steps["chosen"]
        FixedSteps(count=steps["chosen"], schedule_steps=span).run(settings, folder)
        kept = {**folder.record["kept"], "dev_per": choice.means[choice.chosen], "dev_per_of": "cross-validation"}
        folder.update(kept=kept, selected_on="cross-validation", data=[*folder.record["data"], *_selectors(folds)])

    def value(self, record: Mapping[str, Any]) -> float:
        """Return the mean held-out PER at the chosen step."""
        return float(record["kept"]["dev_per"])

    def _curve(self, settings: Mapping[str, Any], folder: RunFolder, fold: Fold) -> Sequence[Mapping[str, Any]]:
        path = folder.path / "folds" / str(fold.number)
        if not (path / RUN_FILE).is_file() or read_run(path)["status"] != FINISHED:
            log.info("fold %d of %d: %d utterances held out", fold.number, self.folds, fold.utterances)
            train(OmegaConf.create(self._fold_settings(settings, path, fold)))
        curve: Sequence[Mapping[str, Any]] = read_run(path)["curve"]
        return curve

    def _fold_settings(self, settings: Mapping[str, Any], path: Path, fold: Fold) -> dict[str, Any]:
        moved = without_place(settings, str(settings["output_dir"]))
        scores = moved["callbacks"].get("dev_scores")
        if not scores:
            raise PedkitError("folds are compared by their dev scores, but callbacks.dev_scores is null")
        return {
            **moved,
            "name": f"{settings['name']}-fold{fold.number}",
            "output_dir": str(path),
            "select_on": "all",
            "data": {**moved["data"], "train": list(fold.train), "dev": dict(fold.held_out)},
            "callbacks": {**moved["callbacks"], "dev_scores": {**scores, "select_on": "all"}},
            "steps": {
                "_target_": "pedkit.training.HeldOutSteps",
                "longest": self.measure.longest,
                "every": self.measure.every,
            },
        }

    def _summary(self, choice: Choice) -> dict[str, Any]:
        grid = self.measure.grid
        return {
            "rule": "earliest step whose mean held-out PER is at most the lowest mean plus its standard error",
            "folds_by": self.by,
            "best": grid[choice.best],
            "best_per": choice.means[choice.best],
            "best_standard_error": choice.errors[choice.best],
            "threshold": choice.threshold,
            "chosen": grid[choice.chosen],
            "chosen_per": choice.means[choice.chosen],
            "found_by_others": self.count,
            "schedule": self.schedule,
        }

    def _say(self, steps: Mapping[str, Any]) -> None:
        log.info(
            "lowest mean held-out PER %.4f +- %.4f after %d updates; %d are enough (%.4f)",
            steps["best_per"], steps["best_standard_error"], steps["best"], steps["chosen"], steps["chosen_per"],
        )  # fmt: skip
        if steps["best"] == self.measure.longest:
            log.warning("the lowest PER is that of the last step: a larger steps.longest may find a lower one")


def _one_process(trainer: Mapping[str, Any]) -> None:
    if trainer.get("devices") not in (1, "1") or trainer.get("num_nodes", 1) != 1:
        raise PedkitError(
            f"a cross-validation trains its folds one after the other in one process, but trainer.devices is "
            f"{trainer.get('devices')}",
            hint="set trainer.devices=1",
        )


def _selectors(folds: Sequence[Fold]) -> list[dict[str, Any]]:
    """Return the ``data`` entries of the recordings on which the number of updates was chosen."""
    return [
        {"role": "dev", "name": f"fold {fold.number}", "path": path, "sha256": file_hash(path), "split": None}
        for fold in folds
        for path in fold.held_out.values()
    ]


def _fold_rows(folds: Sequence[Fold], curves: Sequence[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    return [
        {"fold": fold.number, "sources": fold.sources, "utterances": fold.utterances, "curve": list(curve)}
        for fold, curve in zip(folds, curves, strict=True)
    ]


def _write_table(path: Path, grid: Sequence[int], pers: Sequence[Sequence[float]], choice: Choice) -> None:
    with replacing(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["step", "mean_per", "standard_error", *(f"per_fold{i}" for i in range(1, len(pers) + 1))])
        for row in zip(grid, choice.means, choice.errors, *pers, strict=True):
            writer.writerow([row[0], *(f"{value:.6f}" for value in row[1:])])
