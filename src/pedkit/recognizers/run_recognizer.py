"""`from_run`: the recognizer for a run folder, whatever kind of model it holds."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pedkit.errors import PedkitError
from pedkit.recognizers.protocol import Recognizer
from pedkit.recognizers.run import run_checkpoint

KINDS = {
    "ctc": ("CTC model", "pedkit.recognizers.ctc", "CtcRecognizer"),
    "audio_language_model": ("audio language model", "pedkit.recognizers.language", "LanguageRecognizer"),
}
"""Kind in ``run.json`` -> what people call it, and the module and class with a ``from_run``."""


def from_run(
    run_dir: str | Path,
    *,
    checkpoint: str | None = None,
    device: str = "cpu",
    batch_size: int = 16,
    decoder: Callable[..., Any] | None = None,
    prompt: Any | None = None,
    force_prompt: bool = False,
    constrained: bool = False,
) -> Recognizer:
    """Load the kept checkpoint of a run folder.

    Args:
        run_dir: A folder written by ``train.py``.
        checkpoint: Another checkpoint, relative to the folder; the one kept on dev PER where ``None``.
        device: Where to run.
        batch_size: Clips decoded together.
        decoder: Of CTC models: what turns logits into phones; greedily where ``None``.
        prompt: Of audio language models: another prompt than that of the training.
        force_prompt: Of audio language models: take a prompt that the model was not trained with.
        constrained: Of audio language models: admit only valid answers while decoding.

    Raises:
        PedkitError: The folder is not a run folder, its model is of an unknown kind, or an option is of no use to
            its kind.
    """
    kind = run_checkpoint(run_dir, checkpoint).kind
    if kind not in KINDS:
        raise PedkitError(f"expected a model of the kind {' or '.join(KINDS)}, but got {kind!r}", file=run_dir)
    title, module, name = KINDS[kind]
    load = getattr(importlib.import_module(module), name).from_run
    options = {"decoder": decoder, "prompt": prompt, "force_prompt": force_prompt, "constrained": constrained}
    taken = inspect.signature(load).parameters
    _refuse_useless({key: value for key, value in options.items() if key not in taken}, title, run_dir)
    own = {key: value for key, value in options.items() if key in taken}
    recognizer: Recognizer = load(run_dir, checkpoint=checkpoint, device=device, batch_size=batch_size, **own)
    return recognizer


def _refuse_useless(options: Mapping[str, Any], title: str, run_dir: str | Path) -> None:
    for name, value in options.items():
        if value and str(value) != "greedy":  # the usual decoder means what every model does without one
            raise PedkitError(f"{name} is set, but the run holds a model of another kind: {title}", file=run_dir)
