"""How numbers are printed: per cent with one decimal; what is undefined as a dash with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pedkit.report.measures import Rate

THIN_SPACE = "\u2009"
DASH = "–"
MINUS = "−"


def percent(rate: Rate, digits: int = 1) -> str:
    """Return the rate in per cent without the sign (``"12.3"``), or a dash where it is undefined."""
    value = rate.get("value")
    return DASH if value is None else f"{100 * value:.{digits}f}"


def count(number: float | None) -> str:
    """Return a count with thin spaces between thousands; a sum of feature distances keeps one decimal."""
    if number is None:
        return DASH
    text = f"{number:,.0f}" if float(number).is_integer() else f"{number:,.1f}"
    return text.replace(",", THIN_SPACE)


def counted(number: float, one: str, many: str | None = None) -> str:
    """Return a count with its noun: ``"1 speaker"``, ``"2 speakers"``; ``many`` is ``one`` with an s."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def number(value: float, digits: int = 1) -> str:
    """Return a number with a minus as wide as a digit where it is below 0: ``"1.2"``, ``"−1.2"``, ``"0.0"``."""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", MINUS)


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign, the minus as wide as the plus: ``"+1.2"``, ``"−1.2"``, ``"0.0"``."""
    text = f"{value:+.{digits}f}"
    return text[1:] if float(text) == 0 else text.replace("-", MINUS)


def fraction(rate: Rate) -> str:
    """Return where the rate comes from: ``"41 / 320"``, or why there is none."""
    if rate.get("value") is None:
        return f"undefined: {rate.get('reason') or 'zero denominator'}"
    return f"{count(rate.get('numerator'))} / {count(rate.get('denominator'))}"


def money(cost: Mapping[str, Any]) -> str:
    """Return a cost with its currency (``"0.0213 USD"``), or a dash where it is unknown."""
    return DASH if cost["value"] is None else f"{cost['value']:.4f} {cost['currency']}"
