"""What a report page shows, as plain data: everything is computed before it comes here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Column:
    """One column of an aligned utterance; a gap is ``None``."""

    canonical: str | None
    realized: str | None
    predicted: str | None
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One utterance worth looking at.

    Attributes:
        system: Name of the system that heard it.
        id: Id of the utterance.
        text: What was to be read.
        facts: Speaker, groups and what else identifies it, already as text.
        errors: Edit operations between reference and prediction.
        reference: Reference phones.
        columns: The alignment.
        unnamed: Sounds of unknown identity (``<unk>``, ``err``), which the reference phones leave out.
        judged: False where nobody annotated what was said: there are no realized phones, and errors for outcomes.
        audio: ``data:`` address of the clip, ``None`` where there is no audio.
    """

    system: str
    id: str
    errors: int
    reference: int
    columns: tuple[Column, ...]
    text: str = ""
    facts: str = ""
    unnamed: int = 0
    judged: bool = True
    audio: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemDetail:
    """Pair counts of one system: what was heard for what.

    Attributes:
        confusions: ``(realized, predicted) -> count`` over one direct alignment; a gap is ``None``.
        flags: Canonical phone -> outcome -> count.
    """

    confusions: Mapping[tuple[str | None, str | None], int]
    flags: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPage:
    """One test set on the page.

    Attributes:
        key: Short name, used in addresses and file names.
        title: Name for readers.
        description: One or two sentences: what these recordings are.
        facts: Label -> text (utterances, speakers, reference).
        scores: The whole content of ``scores.json``.
        details: System name -> pair counts.
        examples: The worst utterances, worst first.
        warnings: Sentences that must stand beside the numbers.
        fairness: The whole content of ``fairness.json``; ``None`` where no groups were compared.
    """

    key: str
    title: str
    scores: Mapping[str, Any]
    details: Mapping[str, SystemDetail]
    description: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[Example, ...] = ()
    warnings: tuple[str, ...] = ()
    fairness: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A whole report.

    Attributes:
        title: Heading of the page.
        sets: The test sets, in order.
        notes: Plain-language notes under the heading.
        inventory: Order of the phones in tables and maps.
        provenance: Label -> text for the footer (commit, checkpoint, seed, data hashes).
        licences: Label -> text for the footer.
        created: When, as text.
        words: True where words of texts were scored, and nothing is known of phones.
    """

    title: str
    sets: tuple[SetPage, ...]
    notes: tuple[str, ...] = ()
    inventory: tuple[str, ...] = ()
    provenance: Mapping[str, str] = field(default_factory=dict)
    licences: Mapping[str, str] = field(default_factory=dict)
    created: str = ""
    words: bool = False
