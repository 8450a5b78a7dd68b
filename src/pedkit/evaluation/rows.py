"""The rows of the result tables, as views of what was scored."""

from __future__ import annotations

import csv
import functools
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pedkit.evaluation.result import ScoredUtterance, SystemResult
from pedkit.phones import FEATURE_UNITS
from pedkit.report.text_view import stacked
from pedkit.report.textgrid import Interval, column_times
from pedkit.scoring import GAP, OUTCOME_FIELDS, Column, Pair
from pedkit.scoring.fields import INDEX

_COUNTED = ("reference_phones", "substitutions", "deletions", "insertions")
UTTERANCE_COLUMNS = (
    "system", "id", "corpus", "split", "speaker", "status", *_COUNTED, "feature_distance", "soft_distance",
    *OUTCOME_FIELDS, "canonical", "realized", "predicted",
)  # fmt: skip
ALIGNMENT_COLUMNS = ("system", "id", "view", "column", "canonical", "realized", "predicted", "outcome", "type")
CONFUSION_COLUMNS = ("system", "view", "reference", "heard", "count")
PHONE_COLUMNS = ("system", "canonical", "TA", "FR", "FA", "CD", "DE", "DU")

_WHOLE = [INDEX[name] for name in _COUNTED]
_FRACTIONS = [INDEX[name] for name in ("feature_distance", "soft_distance")]
_OUTCOMES = slice(INDEX["TA"], INDEX["TA"] + len(OUTCOME_FIELDS))


def utterance_row(system: str, scored: ScoredUtterance) -> tuple[Any, ...]:
    """Return the row of ``utterances.csv``: counts, never rates, so that nobody averages ratios."""
    utterance, item, vector = scored.utterance, scored.item, scored.counts.to_array().tolist()
    sequences = (item.canonical, item.realized, item.predicted)
    return (
        system, utterance.id, utterance.corpus, utterance.split, utterance.speaker, scored.prediction.status,
        *(vector[place] for place in _WHOLE), *(vector[place] / FEATURE_UNITS for place in _FRACTIONS),
        *vector[_OUTCOMES], *(None if phones is None else " ".join(phones) for phones in sequences),
    )  # fmt: skip


def grid_lines(system: str, name: str, columns: Sequence[Column]) -> str:
    """Return the lines of ``alignment.csv`` for the three-row grid."""
    start = _csv_line((system, name, "grid"))
    return "".join([f"{start},{k},{cells}\n" for k, cells in enumerate(map(_grid_cells, columns))])


def pair_lines(system: str, name: str, pairs: Sequence[Pair], *, realized: bool) -> str:
    """Return the lines of ``alignment.csv`` for reference against prediction (PER and confusions).

    Args:
        system: Name of the system.
        name: Id of the utterance.
        pairs: The columns.
        realized: True where the reference is the realized phones; the cell of the other kind stays blank.
    """
    start = _csv_line((system, name, "pair"))
    cells = _pair_cells_realized if realized else _pair_cells_canonical
    return "".join([f"{start},{k},{text}\n" for k, text in enumerate(map(cells, pairs))])


# The same columns come again and again, and the text of each is made once: a hundred thousand rows a second.
@functools.cache
def _grid_cells(column: Column) -> str:
    phones = [GAP if phone is None else phone for phone in column[:3]]
    return _csv_line((*phones, column.outcome, column.type))


@functools.cache
def _pair_cells_realized(pair: Pair) -> str:
    return _csv_line(("", pair.reference or GAP, pair.predicted or GAP, "", pair.type))


@functools.cache
def _pair_cells_canonical(pair: Pair) -> str:
    return _csv_line((pair.reference or GAP, "", pair.predicted or GAP, "", pair.type))


def _csv_line(cells: Iterable[str | None]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(cells)
    return buffer.getvalue()


def text_block(system: str, scored: ScoredUtterance) -> str:
    """Return the aligned rows of ``alignment.txt``, with a heading and an empty line behind."""
    heading = f"{system} | {scored.item.id}"
    labels: tuple[str, ...] = ("reference", "predicted", "error    ")
    stacks: Iterable[tuple[str, ...]] = map(_pair_stack, scored.pairs)
    if scored.alignment.judged:
        labels = ("canonical", "realized ", "predicted", "outcome  ")
        stacks = map(_grid_stack, scored.columns)
    lines = map(" ".join, zip(*stacks, strict=True))
    text = [f"{label}  {line}".rstrip() for label, line in zip(labels, lines, strict=False)]
    return "\n".join([heading, *text, "", ""])


@functools.cache
def _grid_stack(column: Column) -> tuple[str, ...]:
    return stacked((column.canonical, column.realized, column.predicted, column.outcome))


@functools.cache
def _pair_stack(pair: Pair) -> tuple[str, ...]:
    return stacked((pair.reference, pair.predicted, pair.type or ""))


def tiers(scored: ScoredUtterance) -> tuple[dict[str, list[Interval]], float]:
    """Return TextGrid tiers and their common end in seconds.

    Columns stand where the predicted phones were heard; without times they are spread evenly over the clip.
    """
    prediction, heard = scored.prediction, scored.item.predicted
    times = prediction.times if prediction.times is not None and len(prediction.times) == len(heard) else ()
    following = iter(times)
    anchors = [next(following, None) if column.predicted is not None else None for column in scored.columns]
    audio = scored.utterance.audio
    edges = column_times(anchors, None if audio is None else audio.duration)
    end = edges[-1][1] if edges else (audio.duration or 0.0 if audio is not None else 0.0)
    names = ("canonical", "realized", "predicted", "outcome")
    found: dict[str, list[Interval]] = {
        name: [(*edge, getattr(column, name) or "") for edge, column in zip(edges, scored.columns, strict=True)]
        for name in names
    }
    if times:
        spoken = zip(times, heard, strict=True)
        found["predicted times"] = [(start, min(stop, end), phone) for (start, stop), phone in spoken]
    return found, end


def confusion_rows(systems: Iterable[SystemResult]) -> Iterator[tuple[str, str, str, str, int]]:
    """Return the rows of ``confusions.csv``, most frequent first within a view.

    View ``heard``: what the system heard for a reference phone, on their direct alignment. View ``said``: what
    speakers said for a canonical phone.
    """
    for system in systems:
        said: Counter[tuple[str, str]] = Counter()
        for column, number in system.grid.items():
            if column.canonical is not None or column.realized is not None:
                said[column.canonical or GAP, column.realized or GAP] += number
        heard = {(pair.reference or GAP, pair.predicted or GAP): n for pair, n in system.pairs.items()}
        for view, table in (("heard", heard), ("said", said)):
            for (reference, other), number in sorted(table.items(), key=lambda row: (-row[1], row[0])):
                yield system.name, view, reference, other, number


def phone_rows(systems: Iterable[SystemResult]) -> Iterator[tuple[Any, ...]]:
    """Return the rows of ``phones.csv``: outcomes of each canonical phone."""
    for system in systems:
        for phone, outcomes in sorted(system.outcomes_by_phone().items()):
            yield system.name, phone, *(outcomes[name] for name in PHONE_COLUMNS[2:])
