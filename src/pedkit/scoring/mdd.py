"""Mispronunciation detection and diagnosis: outcome counts under a profile, and the rates they give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pedkit.scoring.fields import ERROR_TYPES, OUTCOME_FIELDS, OUTCOMES
from pedkit.scoring.rate import Rate

PROFILES = ("full", "no_spurious", "canonical_only", "kaldi3")
"""Which columns count; docs/scoring.md, "Profiles"."""


class Decided(Protocol):
    """Anything counted by what was right and what was flagged: grid columns or words."""

    @property
    def TA(self) -> int: ...  # noqa: N802, D102
    @property
    def FR(self) -> int: ...  # noqa: N802, D102
    @property
    def FA(self) -> int: ...  # noqa: N802, D102
    @property
    def TR(self) -> int: ...  # noqa: N802, D102


@dataclass(frozen=True, slots=True)
class MddCounts:
    """Grid columns by outcome and type (Li, Qian and Meng 2017, IEEE/ACM TASLP 25:193-207, with insertions).

    Attributes:
        by_type: Number of columns for each name of ``fields.OUTCOME_FIELDS`` (``TA FR_sub FR_del ...``).
        profile: Which columns were kept.

    Example:
        >>> counts = MddCounts.of({"TA": 5, "FR_ins": 1, "FA_sub": 2, "CD_sub": 1})
        >>> counts.FR, counts.TR, counts.rates()["f1"].value
        (1, 1, 0.4)
    """

    by_type: Mapping[str, int]
    profile: str = "full"

    @classmethod
    def of(cls, by_type: Mapping[str, int], profile: str = "full") -> MddCounts:
        """Fill the types that are not named with 0 and drop the columns that ``profile`` leaves out.

        ``kaldi3`` is not a choice of columns but a count of its own (`Counts.mdd`), so nothing is dropped for it.
        """
        filled = {name: int(by_type.get(name, 0)) for name in OUTCOME_FIELDS}
        dropped = {
            "no_spurious": ("FR_ins",),
            "canonical_only": tuple(name for name in OUTCOME_FIELDS if name.endswith("_ins")),
        }.get(profile, ())
        return cls(filled | dict.fromkeys(dropped, 0), profile)

    def __add__(self, other: MddCounts) -> MddCounts:
        if self.profile != other.profile:
            raise ValueError(f"counts under '{self.profile}' and '{other.profile}' do not add up")
        return MddCounts({name: n + other.by_type[name] for name, n in self.by_type.items()}, self.profile)

    def _sum(self, outcome: str) -> int:
        return sum(self.by_type[f"{outcome}_{kind}"] for kind in ERROR_TYPES)

    @property
    def TA(self) -> int:  # noqa: N802 - the field's own abbreviations
        """True acceptances: said correctly, heard correctly."""
        return self.by_type["TA"]

    @property
    def FR(self) -> int:  # noqa: N802
        """False rejections: said correctly (or nothing there), flagged by the system."""
        return self._sum("FR")

    @property
    def FA(self) -> int:  # noqa: N802
        """False acceptances: an error that the system did not flag."""
        return self._sum("FA")

    @property
    def CD(self) -> int:  # noqa: N802
        """Correct diagnoses: an error flagged with the phone that was said."""
        return self._sum("CD")

    @property
    def DE(self) -> int:  # noqa: N802
        """Diagnosis errors: an error flagged with another phone than the one that was said."""
        return self._sum("DE")

    @property
    def DU(self) -> int:  # noqa: N802
        """Detected but undiagnosable: an error of unknown identity, flagged."""
        return self._sum("DU")

    @property
    def TR(self) -> int:  # noqa: N802
        """True rejections: CD + DE + DU."""
        return self.CD + self.DE + self.DU

    def rates(self) -> dict[str, Rate]:
        """Return every rate by name. A zero denominator gives a value of ``None`` with the reason."""
        detection = {name: rate(self) for name, rate in DETECTION_RATES.items()}
        return detection | {name: rate(self) for name, rate in DIAGNOSIS_RATES.items()}

    def to_json(self) -> dict[str, Any]:
        """Return the "mdd" object of ``scores.json``."""
        return {
            "profile": self.profile,
            "counts": {name: getattr(self, name) for name in OUTCOMES},
            "counts_by_type": dict(self.by_type),
            "rates": {name: rate.to_json() for name, rate in self.rates().items()},
        }


_CORRECT = "nothing was said correctly (TA + FR = 0)"
_FAULTY = "no error was made (FA + TR = 0)"
_FLAGGED = "nothing was flagged (TR + FR = 0)"
_DIAGNOSED = "no diagnosable error was flagged (CD + DE = 0)"
_NEITHER = "no error was made and nothing was flagged"
_NO_DIAGNOSIS = "no diagnosable error was made and nothing else was flagged"
_NOTHING = "nothing to judge"

DETECTION_RATES: dict[str, Callable[[Decided], Rate]] = {
    "frr": lambda m: Rate.of(m.FR, m.TA + m.FR, undefined=_CORRECT),
    "far": lambda m: Rate.of(m.FA, m.FA + m.TR, undefined=_FAULTY),
    "precision": lambda m: Rate.of(m.TR, m.TR + m.FR, undefined=_FLAGGED),
    "recall": lambda m: Rate.of(m.TR, m.FA + m.TR, undefined=_FAULTY),
    "f1": lambda m: Rate.of(2 * m.TR, 2 * m.TR + m.FR + m.FA, undefined=_NEITHER),
    "detection_accuracy": lambda m: Rate.of(m.TA + m.TR, m.TA + m.FR + m.FA + m.TR, undefined=_NOTHING),
}
"""Formulas of the rates that only ask whether an error was found."""

DIAGNOSIS_RATES: dict[str, Callable[[MddCounts], Rate]] = {
    "der_li": lambda m: Rate.of(m.DE, m.CD + m.DE, undefined=_DIAGNOSED),
    "der_pedbench": lambda m: Rate.of(m.FR + m.FA + m.DE, m.TA + m.FR + m.FA + m.TR, undefined=_NOTHING),
    "diagnosis_accuracy": lambda m: Rate.of(m.CD, m.CD + m.DE, undefined=_DIAGNOSED),
    "strict_f1": lambda m: Rate.of(2 * m.CD, 2 * (m.CD + m.DE) + m.FR + m.FA, undefined=_NO_DIAGNOSIS),
}
"""Formulas of the rates that ask what was heard; ``der_li`` is Li et al. 2017, ``der_pedbench`` is PEDBench's."""
