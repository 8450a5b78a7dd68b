"""The reference problems of the mixed models, with answers from R (tests/fairness/cases/README.md)."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from pedkit.fairness import Observation

FOLDER = Path(__file__).parent / "cases"


def expected(case):
    return json.loads((FOLDER / f"{case}.json").read_text(encoding="utf-8"))


def observations(case, attributes, covariates=()):
    with (FOLDER / f"{case}.csv").open(encoding="utf-8", newline="") as stream:
        return [
            Observation(
                f"u{number}",
                row["speaker"],
                case,
                {name: row[name] for name in attributes},
                {"per": (int(row["errors"]), int(row["ref_len"]))},
                {name: float(row[name]) for name in covariates},
            )
            for number, row in enumerate(csv.DictReader(stream))
        ]


def rows(*groups, attribute="accent", metric="per"):
    """Observations from ``(value, [(speaker, errors, length), ...])`` pairs."""
    return [
        Observation(f"{value}{number}", speaker, "c", {attribute: value}, {metric: (errors, length)})
        for value, utterances in groups
        for number, (speaker, errors, length) in enumerate(utterances)
    ]
