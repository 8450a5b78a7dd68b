"""Praat TextGrids: the aligned phones of one utterance as interval tiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

NOMINAL_SECONDS = 0.1
"""Width of a column where neither the length of the clip nor the times of its phones are known."""

Interval = tuple[float, float, str]
"""Start and end in seconds, and the label."""


def column_times(
    anchors: Sequence[tuple[float, float] | None], duration: float | None
) -> list[tuple[float, float]]:
    """Return start and end of each alignment column: in order, without overlap, none of length zero.

    A column's middle is the middle of its anchor, the time of the predicted phone in it; columns without one are
    spread evenly between their neighbours. Columns meet halfway between their middles.

    Args:
        anchors: Time of the predicted phone of each column, ``None`` where there is none.
        duration: Length of the clip in seconds; ``None`` takes the end of the last anchor, or a nominal width
            where there is no anchor either.
    """
    count = len(anchors)
    ends = [anchor[1] for anchor in anchors if anchor is not None]
    total = duration or (max(ends) if ends else NOMINAL_SECONDS * count)
    middles = _middles([None if a is None else (a[0] + a[1]) / 2 for a in anchors], total)
    edges = [0.0, *((a + b) / 2 for a, b in pairwise(middles)), total]
    return list(pairwise(edges)) if count else []


def _middles(known: Sequence[float | None], total: float) -> list[float]:
    """Fill in the missing middles; a middle that does not come after the one before it counts as missing."""
    fixed: list[tuple[int, float]] = [(-1, 0.0)]
    for index, middle in enumerate(known):
        if middle is not None and fixed[-1][1] < middle < total:
            fixed.append((index, middle))
    fixed.append((len(known), total))
    out = [0.0] * len(known)
    for (left, start), (right, end) in pairwise(fixed):
        for index in range(left + 1, right):
            out[index] = start + (end - start) * (index - left) / (right - left)
        if right < len(known):
            out[right] = end
    return out


def write_textgrid(path: str | Path, tiers: Mapping[str, Sequence[Interval]], duration: float) -> None:
    """Write interval tiers in Praat's long text form; gaps between intervals become empty intervals.

    Args:
        path: File to write.
        tiers: Name -> intervals in order of time.
        duration: End of every tier in seconds.
    """
    lines = [
        'File type = "ooTextFile"', 'Object class = "TextGrid"', "",
        "xmin = 0", f"xmax = {duration:.6f}", "tiers? <exists>", f"size = {len(tiers)}", "item []:",
    ]  # fmt: skip
    for number, (name, intervals) in enumerate(tiers.items(), start=1):
        filled = _filled(intervals, duration)
        lines += [
            f"    item [{number}]:", '        class = "IntervalTier"', f"        name = {_quoted(name)}",
            "        xmin = 0", f"        xmax = {duration:.6f}", f"        intervals: size = {len(filled)}",
        ]  # fmt: skip
        for index, (start, end, label) in enumerate(filled, start=1):
            lines += [
                f"        intervals [{index}]:", f"            xmin = {start:.6f}",
                f"            xmax = {end:.6f}", f"            text = {_quoted(label)}",
            ]  # fmt: skip
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _filled(intervals: Sequence[Interval], duration: float) -> list[Interval]:
    out: list[Interval] = []
    at = 0.0
    for start, end, label in (*intervals, (duration, duration, "")):
        if start - at > 5e-7:  # half of the last digit that is written
            out.append((at, start, ""))
        if end > start:
            out.append((max(start, at), end, label))
        at = max(at, end)
    return out


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
