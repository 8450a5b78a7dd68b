"""`train`: from a configuration to the dev PER of the kept checkpoint."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omegaconf import DictConfig, OmegaConf

from pedkit.building import build
from pedkit.errors import PedkitError
from pedkit.training.ready import places_named, ready_data, ready_model, startable
from pedkit.training.run_folder import RunFolder

if TYPE_CHECKING:
    from pytorch_lightning import Trainer
    from pytorch_lightning.callbacks import Checkpoint

    from pedkit.training.step_plan import StepPlan

log = logging.getLogger(__name__)


def train(cfg: DictConfig) -> float:
    """Train a model, or continue or merely report a training that this configuration began before.

    Args:
        cfg: A configuration composed from ``conf/train.yaml``.

    Returns:
        The dev PER of the kept checkpoint (lower is better), which is what a sweep minimises; with ``steps`` what
        that says instead.

    Raises:
        PedkitError: Something the configuration asks for is missing or does not fit; the run folder says so too.
    """
    settings = startable(cfg)
    plan: StepPlan | None = build(settings["steps"], "steps") if settings.get("steps") else None
    folder = RunFolder(settings["output_dir"], settings)
    if folder.finished:
        log.info("%s is finished already; delete it or choose another output_dir to train again", folder.path)
    else:
        with folder.running(OmegaConf.to_yaml(cfg, resolve=True), name=settings["name"], seed=settings["seed"]):
            if plan is None:
                fit(settings, folder)
            else:
                plan.run(settings, folder)
    if plan is not None:
        return plan.value(folder.record)
    kept = folder.record.get("kept") or {}
    path = folder.path / str(kept.get("checkpoint"))
    if not path.is_file():
        raise PedkitError("the checkpoint that this run kept is gone", file=path)
    if folder.leads:
        log.info("kept %s: dev PER %.4f (epoch %d)", path, kept["dev_per"], kept["epoch"])
    return float(kept["dev_per"])


def fit(
    settings: Mapping[str, Any],
    folder: RunFolder,
    *,
    record: Checkpoint | None = None,
    schedule_steps: int | None = None,
) -> None:
    """Train in a run folder that is marked as running.

    Args:
        settings: The resolved configuration.
        folder: The folder.
        record: Writes into ``run.json`` what came of it; ``None`` keeps the checkpoint with the lowest dev PER.
        schedule_steps: Updates that the schedule of the learning rate spans; ``None`` = those of the training.

    Raises:
        PedkitError: Something does not fit, or no checkpoint was kept.
    """
    from pedkit.evaluation.seen import used_before
    from pedkit.training.accelerator import require_accelerator
    from pedkit.training.batch_seed import BatchSeed
    from pedkit.training.best_effort import build_loggers, ended
    from pedkit.training.checkpoints import AtomicCheckpointIO
    from pedkit.training.fault_state import FaultState
    from pedkit.training.planned_steps import PlannedSteps
    from pedkit.training.quiet import quiet
    from pedkit.training.run_record import RunRecord
    from pedkit.training.train_statistics import TrainStatistics

    with quiet():
        require_accelerator(settings["trainer"].get("accelerator"), settings["trainer"].get("devices"))
        data = ready_data(settings)
        folder.remember_data(used_data(settings["data"], data.data_hashes) + used_before(settings["model"]))
        folder.update(selected_on=settings["select_on"])
        module = ready_model(settings, data)
        _refuse_automatic(settings["trainer"], module)
        if folder.leads:
            folder.update(kind=module.kind, **module.describe(folder.path))
        callbacks = [TrainStatistics(module.means), *_build_all(settings, "callbacks")]
        callbacks += [BatchSeed(settings["seed"]), PlannedSteps(schedule_steps), FaultState(folder)]
        callbacks.append(record or RunRecord(folder))
        loggers = build_loggers(settings["logger"])
        trainer = build(
            settings["trainer"], "trainer", callbacks=callbacks, logger=loggers, plugins=[AtomicCheckpointIO()]
        )
        AtomicCheckpointIO.sweep_up(folder.path / "checkpoints")
        last = folder.last_checkpoint
        if last is not None:
            log.info("continuing from %s (%s)", last, _place(last))
        with ended(loggers), _ctrl_c(trainer), places_named(data):
            for logger in loggers:
                logger.log_hyperparams(dict(settings))
            trainer.fit(module, datamodule=data, ckpt_path=None if last is None else str(last), weights_only=True)
    for metric, sentence in module.hopeless.items():
        if float(trainer.callback_metrics.get(metric, 0.0)) == 1.0:
            log.warning(sentence)
    if record is None and folder.record.get("kept") is None:
        raise PedkitError("no checkpoint was kept: the dev PER was never a number", file=folder.path)


def _build_all(settings: Mapping[str, Any], group: str) -> list[Any]:
    """Build each object of a group; ``null`` switches one off."""
    return [build(one, f"{group}.{name}") for name, one in (settings[group] or {}).items() if one]


def _refuse_automatic(trainer: Mapping[str, Any], module: Any) -> None:
    """Refuse what Lightning does between batches for a model that makes its updates itself."""
    if module.automatic_optimization:
        return
    for key, usual, instead in (
        (
            "accumulate_grad_batches",
            1,
            "data.max_batch_size is the effective batch, model.microbatch a part of it",
        ),
        ("gradient_clip_val", None, "model.gradient_clip limits the gradient of the whole effective batch"),
    ):
        if trainer.get(key) not in (None, usual):
            raise PedkitError(
                f"trainer.{key} is {trainer[key]}, but this model makes its updates itself and expects "
                f"{usual or 'null'}",
                hint=instead,
            )


def used_data(data: Mapping[str, Any], hashes: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the ``data`` entries of ``run.json``.

    Args:
        data: The settings of the data module.
        hashes: Manifest -> sha256.
    """
    from pedkit.data.manifest_part import ManifestPart

    parts = [("train", None, ManifestPart.of(part)) for part in data["train"]]
    parts += [("dev", name, ManifestPart.of(part)) for name, part in data["dev"].items()]
    return [
        {"role": role, "name": name, "path": part.manifest, "sha256": hashes[part.manifest], "split": part.split}
        for role, name, part in parts
    ]


def _place(checkpoint: Path) -> str:
    """Return after which epoch and batch a checkpoint was written, both counted from 1.

    Raises:
        PedkitError: It is damaged, as after a full disk; nothing else says so in one sentence.
    """
    import torch

    try:
        state = torch.load(checkpoint, map_location="cpu", weights_only=True, mmap=True)
    except Exception:
        raise PedkitError(
            "the checkpoint is damaged",
            file=checkpoint,
            hint="delete it to begin the training anew, or choose another output_dir",
        ) from None
    try:
        batches = state["loops"]["fit_loop"]["epoch_loop.batch_progress"]["current"]["processed"]
        return f"epoch {state['epoch'] + 1}, after batch {batches}"
    except (LookupError, TypeError):
        return "which is none of a training"  # refused when it is loaded


@contextmanager
def _ctrl_c(trainer: Trainer) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM through: Lightning makes exits of both and leaves Ctrl-C switched off."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    except SystemExit:
        if trainer.received_sigterm:
            raise PedkitError(
                "stopped by SIGTERM; files already made stay, and the same command continues from them"
            ) from None
        if trainer.interrupted:
            raise KeyboardInterrupt from None
        raise
    finally:
        signal.signal(signal.SIGINT, before)
