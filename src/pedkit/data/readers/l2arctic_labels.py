"""L2-ARCTIC's phone labels: ``AH0``, or ``CPL,PPL,tag`` with the canonical and the perceived phone label.

Tags: ``s`` substitution, ``d`` deletion (PPL is ``sil``), ``a`` addition (CPL is ``sil``). The order of cleaning
matters: blanks and fields first, stress digits last (``"AH0 "`` is AH). Decisions: ``docs/corpora/l2arctic.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pedkit.data.readers.textgrid import shown
from pedkit.errors import PedkitError
from pedkit.phones import get_inventory

ERR = "err"
"""The perceived sound is outside the annotators' inventory."""

STAR_POLICIES = ("strip", "error", "keep")

_SILENCES = frozenset({"", "SIL", "SP", "SPN", "PAU"})
_STRAY = re.compile(r"""[\s`'"()\[\]{}_*]+""")
_TAGS = {"s": "a substitution", "d": "a deletion", "a": "an addition"}


@dataclass(frozen=True, slots=True)
class PhoneLabel:
    """What one label says, in CMU-39 without stress.

    Attributes:
        canonical: The phone that should have been said; ``None`` for an addition or a silence.
        realized: The phone that was said or ``err``; ``None`` for a deletion or a silence.
        starred: Whether the perceived phone carried a ``*``, an accented variant of it.
        tag: ``s``, ``d``, ``a`` as written, or ``None``.
        notes: What is odd about the label, in words.
    """

    canonical: str | None
    realized: str | None
    starred: bool
    tag: str | None
    notes: tuple[str, ...]


def read_label(text: str) -> PhoneLabel:
    """Read one label of the tier ``phones``.

    Raises:
        PedkitError: A field is no phone, or the fields cannot be told apart.
    """
    fields = [field.strip() for field in text.split(",")]
    while len(fields) > 3 and not fields[-1]:
        fields.pop()
    if len(fields) > 3:
        raise PedkitError(f"expected one to three fields in the label {shown(text)}, but got {len(fields)}")
    notes = [f"stray marks in {shown(field)}" for field in fields if _STRAY.search(field.replace("*", ""))]
    if len(fields) == 1:
        return _plain(text, fields[0], notes)
    if len(fields) == 2 and fields[1] in _TAGS:
        raise PedkitError(
            f"expected two phones or three fields in the label {shown(text)}: {fields[1]!r} may be a tag"
        )
    canonical, realized = _phone(fields[0], text), _phone(fields[1], text)
    if canonical == ERR:
        raise PedkitError(f"expected a canonical phone in the label {shown(text)}, but got {shown(fields[0])}")
    starred = "*" in fields[1] and realized is not None
    tag = _STRAY.sub("", fields[2]).lower() if len(fields) == 3 else ""
    notes += _contradictions(tag, canonical, realized, starred)
    return PhoneLabel(canonical, realized, starred, tag if tag in _TAGS else None, tuple(notes))


def _plain(text: str, field: str, notes: Iterable[str]) -> PhoneLabel:
    phone = _phone(field, text)
    if phone == ERR:
        raise PedkitError(f"the label {shown(text)} does not say which phone was to be said")
    return PhoneLabel(phone, phone, "*" in field and phone is not None, None, tuple(notes))


def _phone(field: str, text: str) -> str | None:
    bare = _STRAY.sub("", field).rstrip("0123456789").upper()
    if bare in _SILENCES:
        return None
    if bare == "ERR":
        return ERR
    phone = "AH" if bare == "AX" else bare
    if phone not in get_inventory("cmu39"):
        raise PedkitError(f"the label {shown(text)} holds {shown(field)}, which is no phone of cmu39")
    return phone


def _contradictions(tag: str, canonical: str | None, realized: str | None, starred: bool) -> list[str]:
    if canonical is None or realized is None:
        meant = {(True, False): "a", (False, True): "d"}.get((canonical is None, realized is None))
    else:
        meant = "s"
    if tag not in _TAGS:
        return ["no tag" if not tag else f"unknown tag {shown(tag)}"]
    if meant is None:
        return [f"the tag says {_TAGS[tag]}, but both sides are silent"]
    if tag != meant:
        return [f"the tag says {_TAGS[tag]}, but the phones say {_TAGS[meant]}"]
    if canonical == realized and not starred:
        return ["the tag says a substitution, but both phones are the same"]
    return []
