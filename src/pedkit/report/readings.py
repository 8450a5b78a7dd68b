"""Plain sentences made from the numbers, for readers who do not know the measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pedkit.report.measures import rate


def readings(title: str, scores: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each system of a test set: errors in hearing, errors found, false alarms."""
    sentences = []
    for name, system in scores["systems"].items():
        who = f"{title}, {name}" if len(scores["systems"]) > 1 else title
        per, far, frr, wer = (rate(system, key)["value"] for key in ("per", "far", "frr", "wer"))
        parts = []
        if wer is not None:
            parts.append(f"{_of_hundred(wer)} errors per 100 words")
        if per is not None:
            parts.append(f"{_of_hundred(per)} errors per 100 phones")
        if far is not None:
            parts.append(f"{_of_hundred(1 - far)} of 100 pronunciation errors are noticed")
        if frr is not None:
            parts.append(f"{_of_hundred(frr)} of 100 correctly said phones raise a false alarm")
        sentences.append(f"{who}: {', '.join(parts)}." if parts else f"{who}: no rate is defined.")
    return sentences


def _of_hundred(value: float) -> str:
    number = 100 * value
    if 0 < number < 1:
        return "fewer than 1"
    return f"{number:.0f}"
