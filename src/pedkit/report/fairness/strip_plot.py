"""Every speaker as a dot: shows the few who carry a group's mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from pedkit.report.fairness.axis import Axis
from pedkit.report.fairness.interval_chart import LABEL, label, tick_text
from pedkit.report.svg import WIDTH, figure

_ROW = 40
_LANES = (0, 5, -5, 10, -10, 3, -3, 8, -8)
"""How far neighbours stand above or below the middle, in turn: no dot hides another of nearly the same value."""


@dataclass(frozen=True, slots=True)
class Strip:
    """The speakers of one group.

    Attributes:
        label: Name of the group.
        below: Small text under it.
        speakers: Name of a speaker -> value.
        mean: Where the tick stands, ``None`` for no tick.
        series: Number of the colour, from 0.
    """

    label: str
    below: str
    speakers: Mapping[str, float]
    mean: float | None
    series: int = 0


def strip_plot(strips: Sequence[Strip], *, title: str, unit: str = "%") -> str:
    """Return the figure; values are in the unit of the axis."""
    values = [value for strip in strips for value in strip.speakers.values()]
    axis = Axis.linear(values, LABEL, WIDTH - 20)
    bottom = _ROW * len(strips)
    body = []
    for tick in axis.ticks:
        x = axis.at(tick)
        body.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>')
        body.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 15}">{tick_text(tick)}{escape(unit)}</text>')
    for k, strip in enumerate(strips):
        y = _ROW * k
        body.append(label(strip.label, LABEL - 10, y + 18))
        body.append(f'<text class="label small" x="{LABEL - 10}" y="{y + 31}">{escape(strip.below)}</text>')
        for place, (name, value) in enumerate(sorted(strip.speakers.items(), key=lambda pair: pair[1])):
            height = y + _ROW / 2 + _LANES[place % len(_LANES)]
            body.append(
                f'<circle class="dot s{strip.series}" cx="{axis.at(value):.1f}" cy="{height:g}" r="3.5">'
                f"<title>{escape(name)}: {value:.1f}{escape(unit)}</title></circle>"
            )
        if strip.mean is not None:
            x = axis.at(strip.mean)
            body.append(f'<line class="mean" x1="{x:.1f}" x2="{x:.1f}" y1="{y + 5}" y2="{y + _ROW - 5}"/>')
    return figure(body, bottom + 24, title)
