"""The loss of answers, for every family in the same way and without logits of tokens that are not trained on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from pedkit.models.language.labels import IGNORED


@dataclass(frozen=True)
class AnswerLoss:
    """Losses of a batch in nats, summed over tokens: divide by the tokens of the whole effective batch.

    Attributes:
        total: Sum over all answer tokens, with gradients; a number of shape ``()`` in float32.
        tokens: Answer tokens in the batch, end tokens included.
        per_answer: Sum of each answer, shape ``(batch,)``.
        tokens_per_answer: Tokens of each answer, shape ``(batch,)``.
    """

    total: torch.Tensor
    tokens: int
    per_answer: torch.Tensor
    tokens_per_answer: torch.Tensor


def answer_loss(base: Any, inputs: Mapping[str, torch.Tensor]) -> AnswerLoss:
    """Return the cross entropy of the labelled tokens of a batch.

    The vocabularies have 152,000 entries, so that the logits of one prompt of 500 tokens would fill 300 MB; only
    those that predict a labelled token are computed. Qwen2-Audio's own loss cannot be summed over batches.

    Args:
        base: The model.
        inputs: What `AudioLanguageModel.training_inputs` returns, on the model's device.
    """
    model_inputs = {name: value for name, value in inputs.items() if name != "labels"}
    hidden = base.model(**model_inputs, use_cache=False).last_hidden_state
    labels = inputs["labels"][:, 1:]
    rows, places = torch.nonzero(labels != IGNORED, as_tuple=True)
    logits = base.lm_head(hidden[rows, places]).float()
    losses = nn.functional.cross_entropy(logits, labels[rows, places], reduction="none")
    per_answer = losses.new_zeros(len(labels)).index_add(0, rows, losses)
    return AnswerLoss(losses.sum(), len(rows), per_answer, torch.bincount(rows, minlength=len(labels)))
