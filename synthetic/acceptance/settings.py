"""What decides whether a recording is accepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pedkit.errors import PedkitError


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceSettings:
    """The numbers behind the verdicts. All but ``neighbours`` can be changed without listening again.

    Attributes:
        unedited_refused: Share of the unedited recordings that may be refused, over 0 and under 1.
        threshold: Least score of an accepted recording, in nats a phone; calibrated where ``None``.
        within: Calibrate over the whole set (``None``), or within each ``engine`` or ``speaker`` (voice).
        neighbours: Number of phones, nearest in articulation, whose errors the realized phones compete with.

    Raises:
        PedkitError: A number is out of its range.
    """

    unedited_refused: float = 0.05
    threshold: float | None = None
    within: Literal["engine", "speaker"] | None = None
    neighbours: int = 4

    def __post_init__(self) -> None:
        if not 0 < self.unedited_refused < 1:
            raise PedkitError(f"expected unedited_refused over 0 and under 1, but got {self.unedited_refused}")
        if self.neighbours < 1:
            raise PedkitError(f"expected neighbours to be 1 or more, but got {self.neighbours}")
