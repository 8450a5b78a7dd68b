"""`SpecAugment`: masks over time and features whose share of a clip is bounded, however short the clip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from pedkit.errors import PedkitError
from pedkit.models.encoder import CtcEncoder
from pedkit.models.families import features_of


@dataclass(frozen=True, slots=True)
class SpecAugment:
    """Sets stretches of frames and bands of features to zero (Park et al., Interspeech 2019, without warping).

    In transformers' own masking (``mask_time_prob``) a clip gets at least ``mask_time_min_masks`` masks of a fixed
    length: of a word of half a second, two masks of 200 ms hide three fifths. Here the masks of a clip together
    never hide more than ``max_share`` of its frames. Masks lie on CTC frames; where a family of models lets us see
    log-mel energies, these are masked, and the input of the transformer layers otherwise.

    Args:
        time_masks: Stretches of a clip.
        time_length: Most frames of one; its length is drawn from 0 to this.
        max_share: Most of a clip's frames that may be hidden by all its stretches.
        feature_masks: Bands of a clip.
        feature_share: Most of the features that one band may hide.

    Raises:
        PedkitError: A number is out of range.
    """

    time_masks: int = 2
    time_length: int = 10
    max_share: float = 0.2
    feature_masks: int = 0
    feature_share: float = 0.1

    def __post_init__(self) -> None:
        for name, least, most in (("time_masks", 0, None), ("time_length", 1, None), ("feature_masks", 0, None),
                                  ("max_share", 0, 1), ("feature_share", 0, 1)):  # fmt: skip
            value = getattr(self, name)
            if value < least or (most is not None and value > most):
                limits = f"{least} or more" if most is None else f"from {least} to {most}"
                raise PedkitError(f"expected spec_augment.{name} to be {limits}, but got {value}")

    def time_mask(self, frames: Tensor, size: int) -> Tensor:
        """Draw the frames to hide from torch's random numbers.

        Args:
            frames: Frames of each clip, shape ``(batch,)``.
            size: Frames of the padded batch.

        Returns:
            True where a frame is hidden, shape ``(batch, size)``.
        """
        mask = torch.zeros(len(frames), size, dtype=torch.bool)
        for row, number in zip(mask, frames.tolist(), strict=True):
            left = int(self.max_share * number)
            for _ in range(self.time_masks):
                length = _draw(min(self.time_length, left))
                start = _draw(number - length)
                row[start : start + length] = True
                left -= length
        return mask

    def feature_mask(self, clips: int, size: int) -> Tensor:
        """Draw the features to hide, shape ``(clips, size)``."""
        mask = torch.zeros(clips, size, dtype=torch.bool)
        for row in mask:
            for _ in range(self.feature_masks):
                length = _draw(int(self.feature_share * size))
                start = _draw(size - length)
                row[start : start + length] = True
        return mask

    def masked(self, features: Tensor, frames: Tensor, size: int) -> Tensor:
        """Return features with masks.

        Args:
            features: Shape ``(batch, time, features)``; several times may make a frame.
            frames: CTC frames of each clip, shape ``(batch,)``.
            size: CTC frames of the padded batch.
        """
        steps = torch.arange(features.shape[1]) // max(1, -(-features.shape[1] // max(1, size)))
        hidden = self.time_mask(frames, size)[:, steps.clamp(max=max(0, size - 1))][:, :, None]
        if self.feature_masks:
            hidden = hidden | self.feature_mask(len(features), features.shape[2])[:, None]
        return features.masked_fill(hidden.to(features.device), 0.0)

    @contextmanager
    def on(self, encoder: CtcEncoder, lengths: Tensor) -> Iterator[None]:
        """Mask what the encoder sees of clips of ``lengths`` samples while the context lasts."""
        frames = encoder.frame_lengths(lengths)
        module, time_last = features_of(encoder.model)

        def mask(_: Any, inputs: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
            features = inputs[0].transpose(1, 2) if time_last else inputs[0]
            size = max(1, int(frames.max()))
            features = self.masked(features, frames, size)
            return (features.transpose(1, 2) if time_last else features, *inputs[1:])

        handle = module.register_forward_pre_hook(mask)
        try:
            yield
        finally:
            handle.remove()


def _draw(most: int) -> int:
    """Return a whole number from 0 to ``most``."""
    return int(torch.randint(max(0, most) + 1, ()).item())
