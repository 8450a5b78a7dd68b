"""What every speech engine offers: phones with stress in; samples, and the phones it really says, out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechRequest:
    """One word to be said.

    Attributes:
        phones: ARPAbet with stress digits on vowels.
        voice: Name of a voice of the engine.
        rate: Speaking rate in words a minute.
        pitch: 0 to 99, 50 being the voice's own.
        noise_seed: Seed of whatever the engine draws at random (breath, jitter).
    """

    phones: tuple[str, ...]
    voice: str
    rate: int = 175
    pitch: int = 50
    noise_seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """What came out of an engine.

    Attributes:
        samples: float32 in [-1, 1], shape (samples,).
        sample_rate: In Hz.
        phones: What was said, in the notation of the request; whoever asked compares the two.
    """

    samples: NDArray[np.float32]
    sample_rate: int
    phones: tuple[str, ...]


class SpeechEngine(Protocol):
    """An engine that can be told the phones. Both methods may be called from several threads at once.

    Attributes:
        name: As manifests call it, without blanks (``espeak``).
        version: Name and version of the program behind it.
        licence: SPDX identifier of the engine's licence.
    """

    name: str
    version: str
    licence: str

    def spoken(self, request: SpeechRequest) -> tuple[str, ...]:
        """Return the phones the engine would say, without making sound."""

    def say(self, request: SpeechRequest) -> Speech:
        """Say it. The result depends on the request alone, not on what was said before."""

    def voice_facts(self, voice: str) -> Mapping[str, str]:
        """Return what the engine states about a voice, in pedkit's group keys (``{"gender": "female"}``)."""
