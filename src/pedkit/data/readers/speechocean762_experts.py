"""What single experts of speechocean762 marked, as ``scores-detail.json`` writes it.

``(X)`` is 0 (wrong or missed), ``{X}`` 1 (heavy accent), no mark 2 (right); ``[X]`` is an inserted phone (corpus
README). Marks may span several phones. ``scores.json``, the file of record, has the means and no insertions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pedkit.errors import PedkitError

_TOKEN = re.compile(r"\[[^\]]*\]|[(){}]|[^\s\[\](){}]+")
_MARKS = {"(": 0, "{": 1, ")": 2, "}": 2}


@dataclass(frozen=True, slots=True)
class ExpertWord:
    """One expert's view of a word.

    Attributes:
        marks: 0, 1 or 2 for each canonical phone.
        inserted: Phones inserted before each canonical phone and after the last, without stress.
    """

    marks: tuple[int, ...]
    inserted: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, text: str, length: int) -> ExpertWord:
        """Read an expert's string, such as ``B (EH0) [L] R``, for a word of ``length`` canonical phones.

        Raises:
            PedkitError: It has another number of canonical phones.
        """
        marks: list[int] = []
        slots: list[list[str]] = [[]]
        mark = 2
        for token in _TOKEN.findall(text):
            if token in _MARKS:
                mark = _MARKS[token]
            elif token.startswith("["):
                slots[-1].extend(phone.rstrip("012") for phone in token[1:-1].split())
            else:
                marks.append(mark)
                slots.append([])
        if len(marks) != length:
            raise PedkitError(f"expected {length} phones beside the inserted ones, but an expert wrote {text!r}")
        return cls(tuple(marks), tuple(map(tuple, slots)))


def agreed_insertions(experts: Sequence[ExpertWord], votes: int) -> list[tuple[str, ...]]:
    """Return the phones inserted before each canonical phone of a word, and after the last.

    Args:
        experts: The experts' views of the word.
        votes: How many experts must have heard the same phone in the same slot.

    Returns:
        ``len(canonical) + 1`` tuples: slot k stands before canonical phone k.
    """
    agreed = []
    for slot in zip(*(expert.inserted for expert in experts), strict=True):
        heard: Counter[tuple[str, int]] = Counter()
        for phones in slot:
            seen: Counter[str] = Counter()
            for phone in phones:  # the second R of one expert agrees only with the second R of another
                heard[phone, seen[phone]] += 1
                seen[phone] += 1
        agreed.append(tuple(phone for (phone, _), count in heard.items() if count >= votes))
    return agreed
