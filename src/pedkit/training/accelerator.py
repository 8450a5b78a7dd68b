"""Whether this machine has the devices that the trainer is to use, before any data are read."""

from __future__ import annotations

import os
from collections.abc import Sequence

from pedkit.errors import PedkitError


def require_accelerator(name: str | None, devices: int | str | Sequence[int] | None = None) -> None:
    """Check that torch finds the devices.

    Args:
        name: As Lightning calls it: ``gpu`` (one of the following), ``cuda``, ``mps`` or ``cpu``; Lightning judges
            others.
        devices: How many, or which, in Lightning's forms.

    Raises:
        PedkitError: There is no such device, or there are fewer. Lightning would start any number of processes on
            a CPU, which then wait for one another.
    """
    there = _graphics()
    there["cpu"] = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    have = there.get(name or "auto")
    if have is None:
        return
    if not have:
        raise PedkitError(
            f"trainer.accelerator is {name}, but torch finds no such device on this machine",
            hint="trainer=cpu trains without one; pedkit doctor shows what there is",
        )
    wanted = _number(devices)
    if wanted > have:
        what = "processor core" if name == "cpu" else "GPU"
        raise PedkitError(
            f"trainer.devices is {devices}, but this machine has {have} {what}{'s' if have > 1 else ''}",
            hint=f"set trainer.devices to at most {have}",
        )


def process_count(name: str | None, devices: int | str | Sequence[int] | None = None) -> int:
    """Return how many processes a training has on this machine; ``auto`` and -1 are one for each GPU.

    Args:
        name: See `require_accelerator`.
        devices: See `require_accelerator`.
    """
    return _number(devices) or max(1, _graphics().get("gpu" if name in (None, "auto") else name, 1))


def _graphics() -> dict[str, int]:
    """Return how many GPUs there are of each kind."""
    from pytorch_lightning.accelerators import CUDAAccelerator, MPSAccelerator

    there = {"cuda": CUDAAccelerator.auto_device_count()}
    there["mps"] = MPSAccelerator.auto_device_count() if MPSAccelerator.is_available() else 0  # it always counts 1
    there["gpu"] = max(there.values())
    return there


def _number(devices: int | str | Sequence[int] | None) -> int:
    """Return how many devices are asked for; 0 for as many as there are."""
    if isinstance(devices, str) and "," in devices:
        devices = [int(one) for one in devices.split(",") if one.strip().isdecimal()]
    if isinstance(devices, str):
        return int(devices) if devices.isdecimal() else 0
    if isinstance(devices, int):
        return max(devices, 0)
    return len(devices or ())
