"""`train`: from a configuration to the dev PER of the kept checkpoint."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, get_type_hints

from omegaconf import DictConfig, OmegaConf

from pedkit.building import build, check
from pedkit.errors import PedkitError
from pedkit.hints import conform
from pedkit.secrets import refuse_secrets
from pedkit.training.run_folder import RunFolder

if TYPE_CHECKING:
    from pytorch_lightning import Trainer
    from pytorch_lightning.callbacks import Checkpoint

    from pedkit.training.step_plan import StepPlan

log = logging.getLogger(__name__)

MAX_SEED = 2**32 - 1
"""The largest seed that numpy takes."""

_Part = Annotated[dict[str, Any], "a preset"]


class _Settings(TypedDict):
    """What this file reads of the configuration."""

    name: str
    seed: int
    select_on: str
    output_dir: str
    requires: list[dict[str, str]] | None
    data: _Part
    model: _Part
    trainer: _Part
    steps: dict[str, Any] | None
    callbacks: dict[str, dict[str, Any] | None]
    logger: dict[str, dict[str, Any] | None] | None


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
    settings = resolved(cfg)
    require(settings.get("requires") or ())
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


def resolved(cfg: DictConfig) -> dict[str, Any]:
    """Return the configuration as plain containers.

    Raises:
        PedkitError: A value that must be said (``???``) was not, one is of another kind, or one is a secret.
    """
    missing = list(missing_settings(cfg))
    if missing:
        raise PedkitError(f"the setting {missing[0]} must be given", hint=f"add {missing[0]}=... to the command")
    settings: dict[str, Any] = OmegaConf.to_container(cfg, resolve=True)  # type: ignore[assignment]
    refuse_secrets(settings)  # before a message could repeat one
    if settings.get("prompt") and "prompt" not in settings["model"]:
        raise PedkitError("prompt=... is for audio language models, and this model is none", hint="leave it out")
    for key, hint in get_type_hints(_Settings, include_extras=True).items():
        conform(settings.get(key), hint, key)
    if not 0 <= settings["seed"] <= MAX_SEED:
        raise PedkitError(f"expected seed to be from 0 to {MAX_SEED}, but got {settings['seed']}")
    return settings


def missing_settings(cfg: DictConfig, place: str = "") -> Iterator[str]:
    """Yield the dotted names of the values that must be said (``???``) and were not."""
    for key in map(str, cfg):
        if OmegaConf.is_interpolation(cfg, key):
            continue
        if OmegaConf.is_missing(cfg, key):
            yield f"{place}{key}"
        elif OmegaConf.is_dict(cfg[key]):
            yield from missing_settings(cfg[key], f"{place}{key}.")


def require(files: Iterable[Mapping[str, str]]) -> None:
    """Check that files exist which other commands make.

    Args:
        files: Mappings with ``file`` and the ``command`` that makes it.

    Raises:
        PedkitError: A file is missing; the command is named.
    """
    for need in files:
        if not Path(need["file"]).is_file():
            raise PedkitError("no such file", file=need["file"], hint=f"make it with: {need['command']}")


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
    from pytorch_lightning import seed_everything

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
        check(settings)
        require_accelerator(settings["trainer"].get("accelerator"), settings["trainer"].get("devices"))
        seed_everything(settings["seed"], workers=True, verbose=False)
        data = build(settings["data"], "data")
        with _places_named(data):
            data.setup()
        folder.remember_data(used_data(settings["data"], data.data_hashes) + used_before(settings["model"]))
        folder.update(selected_on=settings["select_on"])
        module = build(settings["model"], "model")
        _refuse_automatic(settings["trainer"], module)
        with _places_named(data):
            module.check_data(data.train_set, data.dev_sets)
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
        with ended(loggers), _ctrl_c(trainer), _places_named(data):
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
def _places_named(data: Any) -> Iterator[None]:
    """Say of an utterance that cannot be used where its manifest has it."""
    try:
        yield
    except PedkitError as error:
        raise data.located(error) from error


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
