"""What every speech engine offers: phones with stress in; samples, and the phones it really says, out."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pedkit.errors import PedkitError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class EngineNotInstalledError(PedkitError):
    """A speech engine, or the voices it needs, are not on this machine.

    Args:
        engine: Its name, for the message.
        hint: How to install it.
    """

    def __init__(self, engine: str, hint: str) -> None:
        super().__init__(f"the speech engine {engine} is not installed", hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechRequest:
    """A word, a sentence or a passage to be said.

    Attributes:
        phones: The realized pronunciation, ARPAbet with stress digits on vowels.
        voice: Name of a voice of the engine.
        rate: Speaking rate in the engine's own unit (each engine says which), ``None`` for the voice's own.
        pitch: Pitch in the engine's own unit, ``None`` for the voice's own.
        noise_seed: Seed of whatever the engine draws at random (breath, jitter).
        word_starts: Where the words begin: index of the first phone of each word that has any.

    Raises:
        PedkitError: There is no phone, or the word starts are not 0 and then rising below the number of phones.
    """

    phones: tuple[str, ...]
    voice: str
    rate: float | None = None
    pitch: float | None = None
    noise_seed: int = 0
    word_starts: tuple[int, ...] = (0,)

    def __post_init__(self) -> None:
        starts = self.word_starts
        rising = all(before < after for before, after in itertools.pairwise(starts))
        if not self.phones or not starts or starts[0] != 0 or not rising or starts[-1] >= len(self.phones):
            raise PedkitError(
                f"expected word starts that rise from 0 to less than the number of phones ({len(self.phones)}), "
                f"but got {list(starts)}"
            )

    def words(self) -> list[tuple[str, ...]]:
        """Return the phones of each word."""
        ends = (*self.word_starts[1:], len(self.phones))
        return [self.phones[start:end] for start, end in zip(self.word_starts, ends, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """What came out of an engine.

    Attributes:
        samples: float32 in [-1, 1], shape (samples,).
        sample_rate: In Hz.
        phones: What was said, in the notation of the request; whoever asked compares the two. ``None`` where the
            engine cannot say what it said (neural engines).
    """

    samples: NDArray[np.float32]
    sample_rate: int
    phones: tuple[str, ...] | None


@runtime_checkable
class SpeechEngine(Protocol):
    """An engine that can be told the phones.

    Each process builds its own, from a config with ``_target_``. Constructors are quick and raise an
    `EngineNotInstalledError` that says how to install what is missing. The methods may be called from several
    threads at once.

    Attributes:
        name: As manifests call it, without blanks (``espeak``).
        version: Name and version of the program behind it.
        licence: SPDX identifier of the engine's licence.
        reports_phones: Whether ``spoken`` and ``Speech.phones`` are ever other than ``None``.
    """

    name: str
    version: str
    licence: str
    reports_phones: bool

    def voices(self) -> Sequence[str]:
        """Return the names of the voices that are installed."""

    def voice_facts(self, voice: str) -> Mapping[str, str]:
        """Return what is known about a voice, in pedkit's group keys (``{"gender": "female"}``).

        Raises:
            PedkitError: There is no such voice, here and in all other methods.
        """

    def voice_licence(self, voice: str) -> str:
        """Return the licence of the voice, as an SPDX identifier where there is one."""

    def spoken(self, request: SpeechRequest) -> tuple[str, ...] | None:
        """Return the phones the engine would say, without making sound; ``None`` where it cannot know.

        Raises:
            PedkitError: The engine cannot say a phone of the request, or has no such rate or pitch.
        """

    def say(self, request: SpeechRequest) -> Speech:
        """Say it. The result depends on the request alone, not on what was said before.

        Raises:
            PedkitError: The engine cannot say it, makes no sound, crashes, or takes too long.
        """
