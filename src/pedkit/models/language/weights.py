"""The weights of a checkpoint: the adapters of a module, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from torch import Tensor, isfinite, nn

from pedkit.errors import PedkitError

ADAPTED = "adapted."
"""What the names of weights start with in a checkpoint of `AudioLanguageModule`, whose attribute the model is."""


def trained_names(module: nn.Module, prefix: str = "") -> frozenset[str]:
    """Return the names of the parameters that train."""
    return frozenset(prefix + name for name, value in module.named_parameters() if value.requires_grad)


def require_names(wanted: frozenset[str], found: Iterable[str], file: Path | None = None) -> None:
    """Check that a checkpoint holds exactly these weights.

    Raises:
        PedkitError: One is missing or strange; torch's lenient loading would take the rest without a word.
    """
    names = set(found)
    missing, strange = sorted(wanted - names), sorted(names - wanted)
    if missing or strange:
        which = f"it lacks {missing[0]}" if missing else f"it holds {strange[0]}"
        raise PedkitError(f"the checkpoint holds other adapters than those of this model: {which}", file=file)


def load_weights(model: nn.Module, state: Mapping[str, Tensor], file: Path) -> Any:
    """Put the weights of a checkpoint into the adapters of a model.

    Args:
        model: The model in peft's wrapper.
        state: Names, with the prefix `ADAPTED`, and values.
        file: The checkpoint, for messages.

    Raises:
        PedkitError: The names or shapes are not those of the model, or a value is no number.
    """
    require_names(trained_names(model, ADAPTED), state, file)
    broken = next((name for name in sorted(state) if not bool(isfinite(state[name]).all())), None)
    if broken is not None:
        raise PedkitError(f"the adapters hold values that are no numbers, first in {broken}", file=file)
    try:
        return model.load_state_dict({name.removeprefix(ADAPTED): state[name] for name in state}, strict=False)
    except RuntimeError as error:
        reason = str(error).split("\n")[1].strip() if "\n" in str(error) else str(error)
        raise PedkitError(f"the adapters do not fit the model ({reason})", file=file) from None
