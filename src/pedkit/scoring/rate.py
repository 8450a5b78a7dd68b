"""`Rate`: a value with the two numbers it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of summed counts.

    Attributes:
        value: ``numerator / denominator``; ``None`` where the denominator is 0.
        numerator: What was counted.
        denominator: Out of how many.
        reason: Why the value is undefined; ``None`` where it is not.
    """

    value: float | None
    numerator: float
    denominator: float
    reason: str | None = None

    @classmethod
    def of(cls, numerator: float, denominator: float, *, undefined: str) -> Rate:
        """Divide, or give ``None`` with the reason ``undefined`` where the denominator is 0."""
        if denominator == 0:
            return cls(None, numerator, denominator, undefined)
        return cls(numerator / denominator, numerator, denominator)

    def to_json(self) -> dict[str, Any]:
        """Return the RATE object of ``scores.json``."""
        return {
            "value": self.value,
            "numerator": self.numerator,
            "denominator": self.denominator,
            "reason": self.reason,
        }
