"""An audio language model with its processor: from clips and conversations to loss, answers and adapters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from pedkit.models.language.families import Family

if TYPE_CHECKING:
    from pedkit.models.prompts import Conversation

Clip = NDArray[np.float32]
"""Samples of shape ``(samples,)`` at 16 kHz in [-1, 1]."""


@dataclass(frozen=True)
class Generated:
    """Answers of a batch: their texts, token ids without the end token, and which were cut off at the limit."""

    texts: list[str]
    token_ids: list[list[int]]
    cut_off: list[bool]


class AudioLanguageModel:
    """A model with its processor."""

    model: Any
    family: Family
    tokenizer: Any
    processor: Any
    name: str
    revision: str | None
    lora: dict[str, Any] | None

    @property
    def has_adapter(self) -> bool:
        """Whether LoRA adapters are in place."""
        raise NotImplementedError

    @property
    def end_ids(self) -> tuple[int, ...]:
        """Token ids that end an answer."""
        raise NotImplementedError

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        raise NotImplementedError

    def trainable_facts(self) -> dict[str, Any]:
        """Return and check what trains: ``modules``, ``parameters``."""
        raise NotImplementedError

    def train_mode(self) -> None:
        """Put the text model in training mode and everything frozen in evaluation mode."""

    def training_inputs(
        self,
        clips: Sequence[Clip],
        conversations: Sequence[Conversation],
        answers: Sequence[str],
        *,
        names: Sequence[str] | None = None,
    ) -> dict[str, torch.Tensor]:
        """Return inputs with labels on the answers and end tokens only.

        ``clips`` holds one clip for each audio mark of all conversations, in reading order; ``names`` the
        utterances of the conversations, for messages.
        """
        raise NotImplementedError

    def generation_inputs(
        self,
        clips: Sequence[Clip],
        conversations: Sequence[Conversation],
        *,
        names: Sequence[str] | None = None,
    ) -> dict[str, torch.Tensor]:
        """Return left-padded prompts."""
        raise NotImplementedError

    def generate(
        self,
        inputs: Mapping[str, torch.Tensor],
        *,
        max_new_tokens: int = 512,
        logits_processor: Sequence[Any] | None = None,
    ) -> Generated:
        """Answer greedily; every setting is explicit."""
        raise NotImplementedError

    def answer_log_likelihood(self, clip: Clip, conversation: Conversation, answer: str) -> float:
        """Return ln P(answer and end token | clip, prompt)."""
        raise NotImplementedError

    def save_adapter(self, folder: str | Path, facts: Mapping[str, Any]) -> None:
        """Write the adapter's weights, its configuration and ``facts``."""

    def load_adapter(self, folder: str | Path) -> dict[str, Any]:
        """Load the weights of a saved adapter into this model and return its facts."""
        raise NotImplementedError

    def merged_fp32(self) -> Any:
        """Return the plain model in fp32 with the adapter merged into its weights."""
        raise NotImplementedError
