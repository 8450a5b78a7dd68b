"""What a run of ``python -m synthetic.verify`` prints at its end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

USEFUL = 0.5
"""Below this share of wrong labels refused, verdicts say little."""


def summary(folder: Path, record: Mapping[str, Any]) -> str:
    """Return the lines that say what stays, what was refused, and what the verdicts are worth.

    Args:
        folder: Of the set.
        record: What `synthetic.acceptance.verify.verify_set` returns.
    """
    overall = record["refused"]["overall"]
    accepted = ", ".join(f"{split}.accepted.jsonl ({n})" for split, n in record["accepted"].items())
    lines = [
        f"{folder}: {overall['items'] - overall['refused']} of {overall['items']} recordings accepted: {accepted}"
    ]
    for key, title in (("by_error_type", "error type"), ("by_engine", "engine")):
        shares = "; ".join(f"{name} {_share(one)}" for name, one in record["refused"][key].items())
        lines.append(f"refused by {title}: {shares}")
    wrong = record["wrong_labels_refused"]
    if wrong:
        lines.append(
            "wrong labels put on unedited recordings, refused: "
            + "; ".join(f"{kind} {_share(one)}" for kind, one in wrong.items())
        )
    refused, items = (sum(one[key] for one in wrong.values()) for key in ("refused", "items"))
    if items and refused < USEFUL * items:
        lines.append(
            f"warning: only {refused} of {items} wrong labels were refused, so this recognizer verifies little"
        )
    lines.append(f"reasons, scores and rivals: {folder / 'acceptance.jsonl'}; by voice: acceptance.json")
    return "\n".join(lines)


def _share(one: Mapping[str, Any]) -> str:
    return (
        f"{one['refused']} of {one['items']} ({100 * one['share']:.1f} %, "
        f"95 % interval {100 * one['low']:.1f} to {100 * one['high']:.1f})"
    )
