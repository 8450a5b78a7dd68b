"""The numbers that every use of LoRA has, and their limits."""

from __future__ import annotations

from pedkit.errors import PedkitError


def expect_lora_numbers(*, r: int, alpha: float, dropout: float) -> None:
    """Check the rank, the scale and the dropout of low-rank updates.

    Raises:
        PedkitError: The rank is below 1, the scale is not above 0, or the dropout is not in [0, 1).
    """
    if r < 1:
        raise PedkitError(f"expected the rank r of LoRA to be 1 or more, but got {r}")
    if not alpha > 0:
        raise PedkitError(f"expected alpha of LoRA to be above 0, but got {alpha}")
    if not 0 <= dropout < 1:
        raise PedkitError(f"expected dropout of LoRA to be in [0, 1), but got {dropout}")
