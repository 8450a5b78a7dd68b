"""The options of a reader, with their defaults and what its docstring says of them."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pedkit.close_names import guess
from pedkit.data.readers import READERS
from pedkit.errors import PedkitError

_ARGUMENT = re.compile(r"^    (?P<name>\w+): (?P<text>.*(?:\n {8}.*|\n *$)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ReaderOption:
    """One option: ``default`` is what holds where it is not given, ``text`` one paragraph."""

    name: str
    default: object
    text: str

    def __str__(self) -> str:
        text = textwrap.fill(self.text, 100, initial_indent="    ", subsequent_indent="    ")
        return f"{self.name}={_shown(self.default)}\n{text}"


def reader_of(corpus: str) -> Callable[..., Any]:
    """Return the reader of a corpus.

    Raises:
        PedkitError: There is none; those that there are, and a close one, are named.
    """
    if corpus not in READERS:
        raise PedkitError(_unknown("corpus", corpus, READERS))
    return READERS[corpus]


def reader_options(corpus: str) -> list[ReaderOption]:
    """Return the options of the reader of a corpus, in their order.

    Raises:
        PedkitError: There is no such corpus.
    """
    reader = reader_of(corpus)
    _, _, described = inspect.cleandoc(reader.__doc__ or "").partition("Args:\n")
    texts = {match["name"]: " ".join(match["text"].split()) for match in _ARGUMENT.finditer(described)}
    return [
        ReaderOption(name, parameter.default, texts.get(name, ""))
        for name, parameter in inspect.signature(reader).parameters.items()
        if name != "root"
    ]


def check_options(corpus: str, names: Iterable[str]) -> None:
    """Refuse options that the reader of a corpus does not have.

    Raises:
        PedkitError: There is no such corpus or option; those that there are, and a close one, are named.
    """
    known = [option.name for option in reader_options(corpus)]
    for name in names:
        if name not in known:
            raise PedkitError(_unknown(f"option of {corpus}", name, known))


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    options = sorted(known)
    return f"there is no {what} {name!r} (there are: {', '.join(options)}){guess(name, options)}"


def _shown(value: object) -> str:
    """Return a value as it would be written on the command line."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
