"""The answers that a constrained model may give, as an automaton over bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

_MOST_INDENT = 8
"""Spaces at the beginning of a line; bounded, so that no model can write white space for ever."""


@dataclass(slots=True)
class ByteAutomaton:
    """A deterministic automaton over bytes.

    Attributes:
        edges: State -> byte -> next state. State 0 is the start.
        final: States in which an answer may end.
    """

    edges: list[dict[int, int]] = field(default_factory=lambda: [{}])
    final: set[int] = field(default_factory=set)

    @property
    def alphabet(self) -> bytes:
        """All bytes on any edge, sorted."""
        return bytes(sorted({byte for edges in self.edges for byte in edges}))

    def run(self, text: bytes, state: int = 0) -> int | None:
        """Return the state after ``text``, or ``None`` where it is not admitted."""
        for byte in text:
            following = self.edges[state].get(byte)
            if following is None:
                return None
            state = following
        return state

    def accepts(self, text: str) -> bool:
        """Return whether ``text`` is a whole answer."""
        return self.run(text.encode()) in self.final

    def write(self, text: str, *starts: int) -> int:
        """Let ``text`` follow on each of ``starts``, and return the one state after it."""
        for byte in text.encode():
            starts = (self._step(byte, *starts),)
        return starts[0]

    def white_space(self, *starts: int) -> tuple[int, ...]:
        """Let nothing, one space or one indented line break follow; return the states after any of them."""
        space = self._step(ord(" "), *starts)
        line = [self._step(ord("\n"), *starts)]
        for _ in range(_MOST_INDENT):
            line.append(self._step(ord(" "), line[-1]))
        return (*starts, space, *line)

    def _step(self, byte: int, *starts: int) -> int:
        known = {self.edges[start][byte] for start in starts if byte in self.edges[start]}
        if not known:
            self.edges.append({})
        (target,) = known or {len(self.edges) - 1}  # two of them would be a mistake in a grammar, never in data
        for start in starts:
            self.edges[start][byte] = target
        return target


def answer_automaton(spellings: Iterable[str], key: str) -> ByteAutomaton:
    """Return the automaton of ``{"key": "..."}`` with phones separated by single spaces.

    White space between the parts of the JSON is free (nothing, one space, one indented line break).

    Args:
        spellings: The phones as an answer spells them; one may be the beginning of another.
        key: Key of the object.
    """
    grammar = ByteAutomaton()
    brace = grammar.write("{", 0)
    name = grammar.write(json.dumps(key, ensure_ascii=False), *grammar.white_space(brace))
    colon = grammar.write(":", *grammar.white_space(name))
    first = grammar.write('"', *grammar.white_space(colon))
    phone_ends = [grammar.write(spelling, first) for spelling in spellings]
    next_phone = grammar.write(" ", *phone_ends)
    grammar.edges[next_phone].update(grammar.edges[first])
    closed = grammar.write('"', first, *phone_ends)
    done = grammar.write("}", *grammar.white_space(closed))
    grammar.final.update(grammar.white_space(done))
    return grammar
