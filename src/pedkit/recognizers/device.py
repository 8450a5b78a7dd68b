"""Whether a model can run where the user wants it to."""

from __future__ import annotations

import torch

from pedkit.errors import PedkitError


def require_device(name: str) -> None:
    """Check that torch can use a device.

    Args:
        name: As torch calls it: ``cpu``, ``cuda``, ``cuda:1``, ``mps``.

    Raises:
        PedkitError: It cannot.
    """
    try:
        torch.zeros(1, device=name)
    except (RuntimeError, AssertionError) as error:  # a device without support is the second
        reason = str(error).strip().splitlines()[0].split(". ")[0]
        hint = "device=cpu can; pedkit doctor shows what there is"
        raise PedkitError(f"the device {name!r} cannot be used: {reason}", hint=hint) from None
