"""Labels on the answer only: everything that the model is given, and all padding, is left out of the loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from pedkit.errors import PedkitError

IGNORED = -100
"""Label of a token that is not trained on."""


def answer_ids(tokenizer: Any, prompt: str, answer: str, end_token: str) -> tuple[list[int], list[int]]:
    """Return the token ids of a prompt and of the answer with its end token.

    Raises:
        PedkitError: Read together they are other tokens than one after the other, so that a model which has
            generated its answer alone would have been trained on something else.
    """
    ends = answer + end_token
    together, first, second = (
        tokenizer(text, add_special_tokens=False)["input_ids"] for text in (prompt + ends, prompt, ends)
    )
    if together != first + second:
        raise PedkitError(
            f"the tokens at the border of the prompt {prompt[-20:]!r} and the answer {answer[:20]!r} run together",
            hint="end the prompt, or the template's answer turn, with a line break or control token",
        )
    return first, second


def padded(rows: Sequence[Sequence[int]], fill: int, *, left: bool) -> torch.Tensor:
    """Return rows of ids as one tensor (rows, longest), filled on the left or right."""
    longest = max(len(row) for row in rows)
    fills = ([fill] * (longest - len(row)) for row in rows)
    return torch.tensor(
        [[*pad, *row] if left else [*row, *pad] for pad, row in zip(fills, rows, strict=True)], dtype=torch.long
    )
