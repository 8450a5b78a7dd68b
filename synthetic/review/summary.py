"""What ``python -m synthetic.review merge`` prints at its end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

_SHOWN = 20


def summary(folder: Path, record: Mapping[str, Any]) -> str:
    """Return the lines that say who judged what, how far they agree, on what they do not, and what was kept.

    Args:
        folder: Of the set.
        record: What `synthetic.review.merge.merge_reviews` returns.
    """
    lines = [
        f"{name}: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        for name, counts in record["reviewers"].items()
    ]
    lines += [_agreement(pair) for pair in record["agreement"]]
    disagreements = record["disagreements"]
    lines += [_disagreement(one) for one in disagreements[:_SHOWN]]
    if len(disagreements) > _SHOWN:
        lines.append(f"  and {len(disagreements) - _SHOWN} more in reviews.json")
    kept = ", ".join(f"{split}.reviewed.jsonl ({count})" for split, count in record["kept"].items())
    lines.append(f"{folder}: kept {kept}; judged by nobody: {record['unreviewed']}")
    return "\n".join(lines)


def _agreement(pair: Mapping[str, Any]) -> str:
    same, kappa = pair["observed"], pair["kappa"]
    share = "" if same["value"] is None else f" ({100 * same['value']:.1f} %)"
    value = f"undefined ({kappa['reason']})" if kappa["value"] is None else f"{kappa['value']:.3f}"
    return (
        f"{pair['first']} and {pair['second']}: the same verdict on {same['numerator']} of {same['denominator']}"
        f"{share}, Cohen's kappa {value}"
    )


def _disagreement(one: Mapping[str, Any]) -> str:
    told = []
    for name, own in one["reviews"].items():
        note = f" ({own['note']})" if own["note"] else ""
        told.append(f"{name} {own['verdict']}{note}")
    return f"  {one['id']}: {'; '.join(told)}"
