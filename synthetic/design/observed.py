"""Errors that somebody observed, copied one by one: from a table or a manifest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pedkit.data.manifest import iter_manifest
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, strip_stress
from synthetic.arpabet import CMU39, base, split_stress
from synthetic.design.edits import apply_all, unambiguous
from synthetic.design.error_counts import Columns, aligned
from synthetic.design.operations import Deletion, Insertion, Operation, Pronunciation, Substitution
from synthetic.design.text import Skipped, Text

if TYPE_CHECKING:
    from pedkit.data.readers.cells import Row

_COLUMNS = ("word", "canonical", "realized")


@dataclass(frozen=True, slots=True)
class Observed:
    """One word with the errors that somebody made in it.

    Attributes:
        text: The word.
        operations: The errors, at canonical positions.
        source_id: The recording in which they were heard; ``None`` where it is not known.
    """

    text: Text
    operations: tuple[Operation, ...]
    source_id: str | None


def observed_errors(path: str, lexicon: Lexicon) -> tuple[list[Observed], list[Skipped]]:
    """Return the words with errors of a table or a manifest, and those that cannot be copied.

    Stress comes from the pronunciation of the word in the lexicon that agrees with the canonical phones.

    Args:
        path: A manifest (``.jsonl``) with canonical and realized phones, whose words with errors are taken; or a
            table (TSV) with the columns word, canonical, realized (CMU-39 without stress, between blanks) and
            perhaps source, the recording.
        lexicon: Where stress comes from.

    Raises:
        PedkitError: The file cannot be read, a phone is not in CMU-39 (file and line), or there is no error in it.
    """
    rows = _of_manifest(path) if path.endswith(".jsonl") else _of_table(Path(path))
    found: list[Observed] = []
    skipped: list[Skipped] = []
    for word, columns, source_id in rows:
        made = _observed(word, columns, source_id, lexicon)
        (found if isinstance(made, Observed) else skipped).append(made)  # type: ignore[arg-type]
    if not found and not skipped:
        raise PedkitError("expected words that were said with an error, but there are none", file=path)
    return found, skipped


def _of_manifest(path: str) -> Iterator[tuple[str, Columns, str | None]]:
    for utterance, columns, words in aligned(iter_manifest(path)):
        for word, (start, end) in words:
            if any(canonical != realized for canonical, realized in columns[start:end]):
                yield word, columns[start:end], utterance.source


def _of_table(path: Path) -> Iterator[tuple[str, Columns, str | None]]:
    from pedkit.data.readers.cells import read_table  # brings all readers along
    from pedkit.scoring import Item, Scorer, ScoringSettings

    rows = read_table(path, delimiter="\t")
    if rows and not set(_COLUMNS) <= rows[0].cells.keys():
        raise PedkitError(f"expected a table with the columns {', '.join(_COLUMNS)}", file=path)
    items = []
    for row in rows:
        canonical, realized = _phones(row, "canonical", path), _phones(row, "realized", path)
        if canonical != realized:
            items.append((row, Item(str(row.line), canonical, realized, realized)))
    scorer = Scorer(ScoringSettings(inventory="cmu39", soft_preset="none"))
    for (row, _), scored in zip(items, scorer.score(item for _, item in items), strict=True):
        columns: Columns = [(column.canonical, column.realized) for column in scored.alignment.columns]
        yield row.written["word"].strip(), columns, row.cells.get("source")


def _phones(row: Row, name: str, path: Path) -> tuple[str, ...]:
    phones = strip_stress(row.written[name].split())
    if unknown := [phone for phone in phones if phone not in CMU39]:
        raise PedkitError(
            f"expected phones of CMU-39 in '{name}', but got {unknown[0]!r}", file=path, line=row.line
        )
    if not phones:
        raise PedkitError(f"expected phones in '{name}'", file=path, line=row.line)
    return phones


def _observed(word: str, columns: Columns, source_id: str | None, lexicon: Lexicon) -> Observed | Skipped:
    canonical = tuple(phone for phone, _ in columns if phone is not None)
    realized = [phone for _, phone in columns if phone is not None]
    if unknown := [phone for phone in realized if phone not in CMU39]:
        return Skipped(word, f"a sound of unknown identity was heard in it ({unknown[0]})")
    if not canonical or not realized:
        return Skipped(word, "nothing was said, or nothing should have been")
    variants = [v for v in lexicon.pronunciations(word) if strip_stress(v) == canonical]
    if not variants:
        return Skipped(word, f"no pronunciation in the lexicon is {' '.join(canonical)}")
    operations = tuple(_operations(columns, variants[0]))
    if not unambiguous(operations, variants[0]):
        return Skipped(word, f"its errors can be read in several ways ({' '.join(map(str, operations))})")
    if strip_stress(apply_all(operations, variants[0])) in {strip_stress(v) for v in lexicon.pronunciations(word)}:
        return Skipped(word, "what was said is another pronunciation of it in the lexicon")
    return Observed(Text(word, ((word, variants[0]),)), operations, source_id)


def _operations(columns: Columns, canonical: Pronunciation) -> Iterator[Operation]:
    at = 0
    for phone, heard in columns:
        if phone is None:
            yield Insertion(at, _stressed(str(heard), ""))
            continue
        if heard is None:
            yield Deletion(at, canonical[at])
        elif heard != phone:
            yield Substitution(at, canonical[at], _stressed(heard, split_stress(canonical[at])[1]))
        at += 1


def _stressed(phone: str, stress: str) -> str:
    """Return a realized phone with the stress of the vowel that it stands for, if it is a vowel."""
    return phone + (stress or "0") if base(phone) in CMU39.vowels else phone
