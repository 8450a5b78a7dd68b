"""What is known about a voice, for the engines whose voices are few."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pedkit.close_names import did_you_mean
from pedkit.errors import PedkitError

_PERCENT = (25, 400)
V = TypeVar("V", bound="Voice")


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """A voice of an engine.

    Attributes:
        gender: ``female`` or ``male``.
        accent: Accent of English.
        licence: Of the voice; an SPDX identifier where there is one.
        has_pitch: Whether its pitch can be changed.
    """

    gender: str
    accent: str
    licence: str
    has_pitch: bool = True

    @property
    def facts(self) -> Mapping[str, str]:
        """The voice in pedkit's group keys."""
        return {"gender": self.gender, "accent": self.accent}

    def pitch(self, percent: float | None, engine: str) -> float:
        """Return a requested pitch relative to the voice's own.

        Raises:
            PedkitError: It is out of range, or the voice has no other pitch than its own.
        """
        if not self.has_pitch and percent is not None and percent != 100:
            raise PedkitError(
                f"this voice of {engine} ({self.gender}, {self.accent}) has only its own pitch, but got {percent}",
                hint="set pitch to null, or leave the voice out",
            )
        return expect_percent("pitch", percent, engine) / 100


class FewVoices(Generic[V]):
    """The part of `SpeechEngine` that is about voices, for engines that have a table of them.

    Args:
        installed: The voices that are installed, by name.
    """

    name: str

    def __init__(self, installed: Mapping[str, V]) -> None:
        self._installed = installed

    def voices(self) -> Sequence[str]:
        """Return the voices that are installed."""
        return list(self._installed)

    def voice_facts(self, voice: str) -> Mapping[str, str]:
        """Return gender and accent."""
        return self._voice(voice).facts

    def voice_licence(self, voice: str) -> str:
        """Return the licence of the voice."""
        return self._voice(voice).licence

    def _voice(self, name: str) -> V:
        expect_known(name, self._installed, self.name)
        return self._installed[name]


def expect_known(name: str, voices: Collection[str], engine: str) -> None:
    """Make sure that a voice is one of these.

    Raises:
        PedkitError: It is not; the ones that are installed are named.
    """
    if name not in voices:
        hint = did_you_mean(name, voices) or f"installed: {', '.join(voices)}"
        raise PedkitError(f"{engine} has no voice {name!r}", hint=hint)


def expect_percent(name: str, value: float | None, engine: str) -> float:
    """Return a rate or pitch in percent of the voice's own, 100 for ``None``.

    Raises:
        PedkitError: It is not from 25 to 400.
    """
    low, high = _PERCENT
    if value is None:
        return 100.0
    if not low <= value <= high:
        raise PedkitError(f"expected a {name} from {low} to {high} percent for {engine}, but got {value}")
    return value
