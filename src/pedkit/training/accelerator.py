"""Whether this machine has what ``trainer.accelerator`` asks for, before any data are read."""

from __future__ import annotations

from pedkit.errors import PedkitError


def require_accelerator(name: str | None) -> None:
    """Check that torch finds the device.

    Args:
        name: As Lightning calls it: ``gpu`` (one of the following), ``cuda`` or ``mps``; Lightning judges others.

    Raises:
        PedkitError: It finds none.
    """
    from pytorch_lightning.accelerators import CUDAAccelerator, MPSAccelerator

    there = {"cuda": CUDAAccelerator.is_available(), "mps": MPSAccelerator.is_available()}
    there["gpu"] = any(there.values())
    if not there.get(name or "auto", True):
        raise PedkitError(
            f"trainer.accelerator is {name}, but torch finds no such device on this machine",
            hint="trainer=cpu trains without one; pedkit doctor shows what there is",
        )
