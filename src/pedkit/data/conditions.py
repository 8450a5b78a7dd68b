"""Conditions on utterances: ``gender=female``, ``age>=18``, a duration, what must be there."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pedkit.data.keys import has, key_value
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge, "<=": operator.le, "!=": operator.ne, "=": operator.eq, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
_FORM = re.compile(r"(?P<key>[\w.-]+?)\s*(?P<operator>>=|<=|!=|=|>|<)\s*(?P<value>.+)")


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison, such as ``gender=female`` or ``age>=18``; a missing value meets no condition.

    Args:
        text: ``KEY OPERATOR VALUE`` with an operator out of ``= != < <= > >=``; the key is a group key or a field
            of the utterance. ``=`` takes several values parted by ``|``. Numbers are compared as numbers.

    Raises:
        PedkitError: The text has another form.
    """

    text: str
    key: str = field(init=False)
    _operator: str = field(init=False)
    _values: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        match = _FORM.fullmatch(self.text.strip())
        if match is None:
            raise PedkitError(f"expected a condition such as gender=female or age>=18, but got {self.text!r}")
        values = tuple(value.strip() for value in match["value"].split("|"))
        if len(values) > 1 and match["operator"] not in ("=", "!="):
            raise PedkitError(f"expected one value after {match['operator']}, but got {self.text!r}")
        object.__setattr__(self, "key", match["key"])
        object.__setattr__(self, "_operator", match["operator"])
        object.__setattr__(self, "_values", values)

    def __call__(self, utterance: Utterance) -> bool:
        """Return whether an utterance meets it.

        Raises:
            PedkitError: A number is to be compared with a text.
        """
        value = key_value(utterance, self.key)
        if value is None:
            return False
        results = [self._compare(value, wanted, utterance) for wanted in self._values]
        return all(results) if self._operator == "!=" else any(results)

    def unmet(self, utterances: Iterable[Utterance]) -> list[str]:
        """Return the values of ``=`` that no utterance has: most likely typing errors."""
        if self._operator != "=":
            return []
        there = [u for u in utterances if key_value(u, self.key) is not None]
        return [v for v in self._values if not any(self._compare(key_value(u, self.key), v, u) for u in there)]

    def _compare(self, value: object, wanted: str, utterance: Utterance) -> bool:
        compare = _OPERATORS[self._operator]
        if isinstance(value, bool):
            return compare(str(value).lower(), wanted.lower())
        if not isinstance(value, int | float):
            return compare(str(value), wanted)
        try:
            return compare(value, float(wanted))
        except ValueError:
            raise PedkitError(
                f"expected a number to compare '{self.key}' with, but got {wanted!r}", utterance=utterance.id
            ) from None


@dataclass(frozen=True, slots=True)
class Conditions:
    """All conditions at once; those that are empty or ``None`` ask for nothing.

    Args:
        where: Comparisons that must all hold.
        present: Fields or group keys that must be there.
        lacking: Fields or group keys that must be missing.
        min_seconds: Least length of the recording (or part).
        max_seconds: Largest length.
    """

    where: Sequence[Condition] = ()
    present: Sequence[str] = ()
    lacking: Sequence[str] = ()
    min_seconds: float | None = None
    max_seconds: float | None = None

    def __call__(self, utterance: Utterance) -> bool:
        """Return whether an utterance meets all of them.

        Raises:
            PedkitError: A length is asked for, and the manifest does not say it.
        """
        return (
            all(condition(utterance) for condition in self.where)
            and all(has(utterance, key) for key in self.present)
            and not any(has(utterance, key) for key in self.lacking)
            and self._lasts(utterance)
        )

    def _lasts(self, utterance: Utterance) -> bool:
        if self.min_seconds is None and self.max_seconds is None:
            return True
        if utterance.audio is None or utterance.audio.duration is None:
            raise PedkitError(
                "expected the manifest to say how long it lasts ('audio.duration')",
                utterance=utterance.id,
                hint="prepare the corpus without --no-durations",
            )
        seconds = utterance.audio.duration
        return (self.min_seconds is None or seconds >= self.min_seconds) and (
            self.max_seconds is None or seconds <= self.max_seconds
        )
