"""`CtcEncoder`: any transformers CTC model, taking padded waveforms and saying what came out of which frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor, nn

from pedkit.errors import PedkitError
from pedkit.models.padding import inside

MIN_FRAMES_PER_SECOND = 20.0
"""Fast speech has 15 to 20 phones a second, and CTC needs a frame for each and one more between equal ones."""


@dataclass(frozen=True, slots=True)
class CtcOutput:
    """What a `CtcEncoder` returns.

    Attributes:
        logits: Unnormalised scores, shape ``(batch, frames, vocabulary)``.
        frames: Number of frames of each clip, shape ``(batch,)``, int64; later ones are padding.
    """

    logits: Tensor
    frames: Tensor


class FrontEnd(Protocol):
    """How a family of models takes waveforms.

    Attributes:
        samples_per_frame: Samples a CTC frame stands for.
        min_samples: Shortest clip that gives a frame.
        max_samples: Longest clip the model can take, ``None`` where there is no limit.
        batch_invariant: Whether a clip gives the same logits alone and in a padded batch.
    """

    samples_per_frame: int
    min_samples: int
    max_samples: int | None
    batch_invariant: bool

    def inputs(self, waveforms: Tensor, lengths: Tensor) -> dict[str, Tensor]:
        """Return the keyword arguments of the model's ``forward``."""
        ...

    def frame_lengths(self, lengths: Tensor) -> Tensor:
        """Return the number of frames of clips of ``lengths`` samples."""
        ...


class CtcEncoder(nn.Module):
    """A transformers CTC model with its front end.

    Args:
        model: A model with a CTC head ``lm_head``.
        front_end: How it takes waveforms; see `pedkit.models.families.front_end_of`.
        sample_rate: Hz.

    Raises:
        PedkitError: The model gives fewer than 20 frames a second.
    """

    def __init__(self, model: nn.Module, front_end: FrontEnd, *, sample_rate: int = 16000) -> None:
        super().__init__()
        self.model: Any = model
        self.front_end: Any = front_end  # a module where it has buffers
        self.sample_rate = sample_rate
        self.lora: dict[str, Any] | None = None
        if self.frames_per_second < MIN_FRAMES_PER_SECOND:
            raise PedkitError(
                f"an encoder of type {self.model_type!r} gives {self.frames_per_second:g} frames a second, "
                f"but phones need at least {MIN_FRAMES_PER_SECOND:g}",
                hint="choose an encoder with shorter frames: wav2vec2, hubert, wavlm, wav2vec2-bert, whisper",
            )

    @property
    def model_type(self) -> str:
        """The ``model_type`` of the transformers configuration."""
        return str(self.model.config.model_type)

    @property
    def seconds_per_frame(self) -> float:
        """Seconds from one frame's start to the next."""
        return float(self.front_end.samples_per_frame / self.sample_rate)

    @property
    def frames_per_second(self) -> float:
        """Frames a second."""
        return float(self.sample_rate / self.front_end.samples_per_frame)

    @property
    def batch_invariant(self) -> bool:
        """Whether a clip gives the same logits alone and in a padded batch; otherwise evaluate one at a time."""
        return bool(self.front_end.batch_invariant)

    def frame_lengths(self, lengths: Tensor) -> Tensor:
        """Return the number of frames of clips of ``lengths`` samples, shape ``(batch,)``; 0 for too short."""
        frames: Tensor = self.front_end.frame_lengths(lengths)
        return frames.clamp(min=0)

    def freeze_feature_encoder(self) -> None:
        """Stop training the convolutional feature encoder.

        Raises:
            PedkitError: The family has none.
        """
        freeze = getattr(self.model, "freeze_feature_encoder", None)
        if freeze is None:
            raise PedkitError(
                f"an encoder of type {self.model_type!r} has no convolutional feature encoder to freeze",
                hint="set freeze_feature_encoder: false",
            )
        freeze()

    def forward(self, waveforms: Tensor, lengths: Tensor) -> CtcOutput:
        """Return logits and frame counts.

        Args:
            waveforms: Samples in [-1, 1], shape ``(batch, samples)``; what lies beyond a clip's end is ignored.
            lengths: True number of samples of each clip, shape ``(batch,)``.

        Raises:
            PedkitError: A clip is longer than the model can take.
        """
        longest, shortest = self.front_end.max_samples, self.front_end.min_samples
        if longest is not None and waveforms.shape[1] > longest:
            raise PedkitError(
                f"a clip of {waveforms.shape[1] / self.sample_rate:.1f} s is longer than the "
                f"{longest / self.sample_rate:g} s that an encoder of type {self.model_type!r} can take",
                hint="set max_seconds for the data, or split long recordings",
            )
        if waveforms.shape[1] < shortest:
            waveforms = nn.functional.pad(waveforms, (0, shortest - waveforms.shape[1]))
        inputs = self.front_end.inputs(waveforms * inside(lengths, waveforms.shape[1]), lengths)
        return CtcOutput(self.model(**inputs).logits, self.frame_lengths(lengths))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object from which `encoder_from_dict` builds the same model with fresh weights."""
        config: Mapping[str, Any] = self.model.config.to_dict()
        normalize = getattr(self.front_end, "normalize", None)
        return {"model_type": self.model_type, "config": dict(config), "normalize": normalize, "lora": self.lora}
