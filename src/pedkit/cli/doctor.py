"""``pedkit doctor``: what this machine has, and what is missing for which job."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGES = (
    "pedkit", "torch", "torchaudio", "pytorch-lightning", "transformers", "peft", "hydra-core", "wandb",
    "jiwer", "panphon", "numpy", "numba", "soundfile", "espeakng-loader",
)  # fmt: skip
EXTRAS = {
    "glmm": ("glmm", "mixed models and FAAS"),
    "epitran": ("g2p", "reference phones of languages that espeak-ng lacks"),
    "datasets": ("hub", "data sets of the Hugging Face Hub"),
    "tensorboard": ("tensorboard", "logger=tensorboard"),
    "hydra-joblib-launcher": ("joblib", "sweeps with several jobs at a time"),
    "hydra-submitit-launcher": ("submitit", "sweeps on a SLURM cluster"),
    "hydra-ray-launcher": ("ray", "sweeps on a Ray cluster"),
    "hydra-optuna-sweeper": ("optuna", "searches instead of grids"),
}
"""Package -> the extra of pedkit that brings it, and what it is for."""

FREE_GIGABYTES = 2.0
"""Below this much free disk space a demo run may not end."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: ``ok`` is ``None`` where a thing is optional and absent."""

    name: str
    text: str
    ok: bool | None = True


def doctor() -> None:
    """Print what this machine has; exit code 1 where something that pedkit needs does not work."""
    findings = list(examine())
    width = max(len(finding.name) for finding in findings)
    marks = {True: "ok  ", False: "FAIL", None: "-   "}
    for finding in findings:
        print(f"{marks[finding.ok]} {finding.name:<{width}}  {finding.text}")
    if any(finding.ok is False for finding in findings):
        raise SystemExit(1)


def examine() -> Iterator[Finding]:
    """Yield the findings one by one; nothing here raises."""
    yield Finding("python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    for name in PACKAGES:
        yield _package(name)
    for name, (extra, use) in EXTRAS.items():
        found = _package(name)
        absent = Finding(name, f"absent; for {use}: pip install 'pedkit[{extra}]'", None)
        yield found if found.ok else absent
    yield _loads("torchaudio", "audio features of some models need it; pedkit works without")
    yield _loads("soundfile", "nothing can read audio without it", needed=True)
    yield _accelerator()
    yield _espeak()
    yield _wandb()
    free = shutil.disk_usage(Path.cwd()).free / 1e9
    yield Finding("disk", f"{free:.1f} GB free here", free >= FREE_GIGABYTES)


def _package(name: str) -> Finding:
    try:
        return Finding(name, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        optional = name in ("espeakng-loader", "torchaudio", "wandb")
        return Finding(name, "not installed", None if optional else False)


def _loads(module: str, use: str, *, needed: bool = False) -> Finding:
    label = f"{module} loads"
    try:
        importlib.import_module(module)
    except Exception as error:  # a broken binary may raise anything; saying so is this program's job
        return Finding(label, f"no: {type(error).__name__}: {error} ({use})", False if needed else None)
    return Finding(label, "yes")


def _accelerator() -> Finding:
    try:
        import torch

        if torch.cuda.is_available():
            return Finding("accelerator", _cuda(torch.cuda))
        if torch.backends.mps.is_available():
            return Finding("accelerator", "Apple GPU (mps)")
        cores = f"{os.cpu_count()} processor cores, of which torch uses {torch.get_num_threads()}"
        return Finding("accelerator", f"none; {cores} (OMP_NUM_THREADS)", None)
    except Exception as error:
        return Finding("accelerator", f"torch does not load: {error}", False)


def _cuda(cuda: Any) -> str:
    """Return name and memory of each GPU."""
    gpus = []
    for number in range(cuda.device_count()):
        free, total = cuda.mem_get_info(number)
        gpus.append(f"{cuda.get_device_name(number)} ({free / 1e9:.0f} of {total / 1e9:.0f} GB free)")
    return ", ".join(gpus)


def _wandb() -> Finding:
    from pedkit.training.wandb_login import wandb_login

    place = wandb_login()
    if place is None:
        return Finding("W&B login", "nobody is logged in; logger=wandb keeps runs on disk (wandb login)", None)
    return Finding("W&B login", f"by {place}")


def _espeak() -> Finding:
    label = "speech engine espeak-ng"
    if importlib.util.find_spec("espeakng_loader") is None:
        return Finding(label, "absent; synthetic speech needs it: pip install 'pedkit[tts]'", None)
    try:
        import ctypes

        import espeakng_loader

        ctypes.CDLL(espeakng_loader.get_library_path())
    except Exception as error:
        return Finding(label, f"does not load: {error}", False)
    return Finding(label, "loads")
