"""What a G2P engine is, and the check that its answers belong to the lines that were asked."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol

from pedkit.errors import PedkitError


@dataclass(frozen=True, slots=True)
class IpaLine:
    """The IPA of one line of text.

    Attributes:
        text: IPA, words parted by blanks where the engine keeps words apart; empty where it said nothing.
        foreign: Language code -> IPA of the parts that the engine took for words of another language.
    """

    text: str
    foreign: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


class IpaEngine(Protocol):
    """Turns lines of text in one language into IPA."""

    @property
    def name(self) -> str:
        """Engine, version and voice, as they are recorded with each reference."""

    def transcribe(self, lines: Sequence[str]) -> list[IpaLine]:
        """Return one answer a line; no line is blank or holds line breaks."""


def transcribe(engine: IpaEngine, lines: Sequence[str]) -> list[IpaLine]:
    """Return one answer for each line, blank lines included, whatever the engine does with those.

    Raises:
        PedkitError: The engine returned another number of answers than it got lines, so that nobody can say which
            answer belongs to which line.
    """
    plain = [" ".join(line.split()) for line in lines]
    asked = [line for line in plain if any(character.isalnum() for character in line)]
    answers = engine.transcribe(asked) if asked else []
    if len(answers) != len(asked):
        raise PedkitError(f"expected {len(asked)} answers of {engine.name}, one a line, but got {len(answers)}")
    following = iter(answers)
    return [next(following) if any(map(str.isalnum, line)) else IpaLine("") for line in plain]


def package_version(name: str) -> str:
    """Return the installed version of a package."""
    return importlib.metadata.version(name)


def not_installed(what: str, extra: str) -> PedkitError:
    """Return the error for an engine that is missing."""
    return PedkitError(f"{what} is not installed", hint=f"pip install 'pedkit[{extra}]' brings it")
