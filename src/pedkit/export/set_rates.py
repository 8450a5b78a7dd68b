"""PER on test sets with an interval, from what ``evaluate.py`` wrote."""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pedkit.data.json_file import read_object
from pedkit.errors import PedkitError
from pedkit.provenance import RUN_FILE

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class SetRate:
    """PER on one test set.

    Attributes:
        name: Name of the test set; one that trained or chose the model is called ``(seen data)``.
        errors: Substitutions, deletions and insertions.
        phones: Reference phones.
        low: Lower end of the 95 % percentile bootstrap interval, ``None`` where there is one cluster only.
        high: Upper end.
        clusters: How many speakers (or utterances, where nobody names speakers) were drawn from.
        unit: ``speakers`` or ``utterances``.
    """

    name: str
    errors: int
    phones: int
    low: float | None
    high: float | None
    clusters: int
    unit: str

    @property
    def per(self) -> float:
        """Errors over reference phones."""
        return self.errors / self.phones


def rates_by_set(evaluation: str | Path, system: str, revision: str) -> list[SetRate]:
    """Return the PER of a system on every test set of an evaluation folder.

    Args:
        evaluation: What ``evaluate.py`` wrote: a folder with a folder a test set, or the one of a single set.
        system: Name of the system; where there is only one, whatever its name.
        revision: Hash of the weights that must have been evaluated.

    Raises:
        PedkitError: There is no test set, none with reference phones, or other weights were evaluated.
    """
    folder = Path(evaluation).absolute()
    alone = folder / "utterances.csv"
    tables = [alone] if alone.is_file() else sorted(folder.glob("*/utterances.csv"))
    if not tables:
        raise PedkitError("holds no evaluation (no utterances.csv)", file=evaluation)
    seen = _seen_sets(folder)
    rates = []
    for table in tables:
        _check_revision(table.parent / "predictions.jsonl", revision)
        with table.open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        names = {row["system"] for row in rows}
        name = table.parent.name
        if seen if table == alone else name in seen:
            name += " (seen data)"
        rate = _rate(name, [row for row in rows if row["system"] == system or len(names) == 1])
        if rate is not None:
            rates.append(rate)
    if not rates:
        raise PedkitError(f"holds no test set on which {system} was scored", file=evaluation)
    return rates


def _seen_sets(folder: Path) -> set[str]:
    """Return the names of the sets that ``allow_seen=true`` let through."""
    record = folder / RUN_FILE
    if not record.is_file():
        return set()
    data = read_object(record).get("data", ())
    return {one["name"] for one in data if one.get("seen")}


def _check_revision(predictions: Path, revision: str) -> None:
    if not predictions.is_file():
        return
    with predictions.open(encoding="utf-8") as stream:
        found = {json.loads(line).get("revision") for line in stream if line.strip()}
    if found - {None, revision}:
        raise PedkitError(
            "this evaluation is of other weights than those that are exported",
            file=predictions,
            hint="evaluate the run again, or leave out --evaluation",
        )


def _rate(name: str, rows: list[dict[str, str]]) -> SetRate | None:
    errors = [sum(int(row[kind]) for kind in ("substitutions", "deletions", "insertions")) for row in rows]
    phones = [int(row["reference_phones"]) for row in rows]
    if not sum(phones):
        return None
    spoken = all(row.get("speaker") for row in rows)
    labels = [row["speaker"] if spoken else str(number) for number, row in enumerate(rows)]
    sums: dict[str, list[int]] = {}
    for label, wrong, all_of_them in zip(labels, errors, phones, strict=True):
        pair = sums.setdefault(label, [0, 0])
        pair[0] += wrong
        pair[1] += all_of_them
    low, high = _interval(np.array(list(sums.values()), dtype=np.float64))
    return SetRate(name, sum(errors), sum(phones), low, high, len(sums), "speakers" if spoken else "utterances")


def _interval(sums: npt.NDArray[np.float64]) -> tuple[float | None, float | None]:
    """Return the ends of the percentile interval of a ratio of sums; clusters are drawn whole."""
    if len(sums) < 2:
        return None, None
    drawn = np.random.default_rng(0).integers(len(sums), size=(RESAMPLES, len(sums)))
    errors, phones = sums[drawn, 0].sum(axis=1), sums[drawn, 1].sum(axis=1)
    low, high = np.quantile(errors[phones > 0] / phones[phones > 0], [0.025, 0.975])
    return float(low), float(high)
