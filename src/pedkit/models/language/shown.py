"""What an audio language model is trained on, token by token, as text for people."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from torch import Tensor

from pedkit.models.language.labels import IGNORED


def shown_tokens(tokenizer: Any, input_ids: Tensor, labels: Tensor) -> str:
    """Return the tokens of one conversation in reading order, those with loss apart from those without.

    Args:
        tokenizer: The model's tokenizer.
        input_ids: Shape ``(tokens,)``, without padding.
        labels: Shape ``(tokens,)``; -100 where there is no loss.
    """
    lines = []
    pairs = zip(input_ids.tolist(), labels.tolist(), strict=True)
    for trained, run in groupby(pairs, key=lambda pair: pair[1] != IGNORED):
        ids = [number for number, _ in run]
        lines.append(f"  {'WITH loss' if trained else 'without loss'}, {len(ids)} tokens:")
        if trained:
            lines += [f"    {number:>7}  {tokenizer.decode([number])!r}" for number in ids]
        else:
            lines += [f"    {line}" for line in _text(tokenizer, ids).splitlines()]
    return "\n".join(lines)


def _text(tokenizer: Any, ids: list[int]) -> str:
    """Return decoded tokens; one that stands many times in a row, as that of audio does, is written once."""
    parts: list[str] = []
    waiting: list[int] = []
    for number, run in groupby(ids):
        times = len(list(run))
        if times < 4:
            waiting += [number] * times
            continue
        parts += [tokenizer.decode(waiting), f"{tokenizer.decode([number])} x {times} "]
        waiting = []
    return "".join([*parts, tokenizer.decode(waiting)])
