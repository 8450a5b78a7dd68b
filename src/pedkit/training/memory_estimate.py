"""How much memory a training will take, from one forward pass of one clip."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

ADAM_BYTES = 8
"""Two averages of 32 bits for each trained weight."""


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """Bytes that a training holds at once; libraries, decoded audio and the allocator's reserve come on top.

    Attributes:
        weights: All weights.
        gradients: Gradients of the trained ones.
        optimizer: The two averages of AdamW.
        activations: What the largest batch keeps for its backward pass.
        saved: Weights that a checkpoint holds: all of them, or the adapters of a frozen model.
    """

    weights: int
    gradients: int
    optimizer: int
    activations: int
    saved: int

    @property
    def total(self) -> int:
        """The sum."""
        return self.weights + self.gradients + self.optimizer + self.activations

    @property
    def checkpoint(self) -> int:
        """Bytes of one checkpoint on disk."""
        return self.saved + self.optimizer


def estimate_memory(
    module: nn.Module, probe: nn.Module, *, samples: int, clips: int, precision: str
) -> MemoryEstimate:
    """Estimate the memory of a training with AdamW.

    What a clip keeps for its backward pass grows with the number of clips and not otherwise, so one clip is
    measured and multiplied.

    Args:
        module: All that is trained.
        probe: What takes ``(waveforms, lengths)`` as a training step does.
        samples: Length of the longest clip of the largest batch.
        clips: Clips in it.
        precision: Lightning's name, such as ``bf16-mixed``.
    """
    weights = list(module.parameters())
    trained = [p for p in weights if p.requires_grad]
    return MemoryEstimate(
        weights=sum(p.numel() * p.element_size() for p in weights),
        gradients=sum(p.numel() * p.element_size() for p in trained),
        optimizer=sum(p.numel() * ADAM_BYTES for p in trained),
        activations=clips * kept_for_backward(probe, samples, precision),
        saved=sum(value.numel() * value.element_size() for value in module.state_dict().values()),
    )


def kept_for_backward(probe: nn.Module, samples: int, precision: str = "32-true") -> int:
    """Return the bytes that one clip of ``samples`` samples keeps for its backward pass, weights aside."""
    weights = {p.untyped_storage().data_ptr() for p in probe.parameters()}
    kept: dict[int, tuple[int, Any]] = {}  # the storages are held: an address that is freed may come again

    def note(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            kept[storage.data_ptr()] = (storage.nbytes(), storage)
        return tensor

    half = torch.autocast("cpu", torch.bfloat16) if "16" in precision else nullcontext()
    training = probe.training
    probe.train()
    with half, torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        output = probe(torch.zeros(1, samples), torch.tensor([samples]))
        del output
    probe.train(training)
    return sum(size for size, _ in kept.values())
