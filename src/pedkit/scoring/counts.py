"""`Counts`: every integer that scoring knows, in one vector that adds up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.phones import FEATURE_UNITS
from pedkit.scoring.fields import FIELDS, INDEX, OUTCOME_FIELDS
from pedkit.scoring.mdd import PROFILES, MddCounts
from pedkit.scoring.rate import Rate

_OUTCOMES = slice(INDEX["TA"], INDEX["TA"] + len(OUTCOME_FIELDS))
_KALDI3 = slice(INDEX["kaldi3_TA"], INDEX["kaldi3_TA"] + len(OUTCOME_FIELDS))
_G2P, _UTTERANCES = INDEX["g2p_references"], INDEX["utterances"]
_NO_REFERENCE = "no reference phones"


class Counts:
    """Counts of one utterance, a group or a corpus; rates are computed from them and from nothing else.

    Everything is an integer (feature distances in units of 1/48), so a sum over utterances, batches or processes
    is the same number in every order. ``counts["substitutions"]`` reads a field of `fields.FIELDS`.

    Args:
        vector: int64, shape (fields,), in the order of `fields.FIELDS`. It is kept, not copied.
    """

    __slots__ = ("_vector",)

    def __init__(self, vector: NDArray[np.int64]) -> None:
        self._vector = vector

    @classmethod
    def zero(cls) -> Counts:
        """Return the counts of no utterance."""
        return cls(np.zeros(len(FIELDS), dtype=np.int64))

    @classmethod
    def from_array(cls, array: NDArray[np.int64]) -> Counts:
        """Build counts from the vector of `to_array`.

        Raises:
            PedkitError: The shape is another, a number is negative, or two kinds of reference are pooled.
        """
        vector = np.array(array, dtype=np.int64)
        if vector.shape != (len(FIELDS),) or (vector < 0).any() or not np.array_equal(vector, array):
            raise PedkitError(
                f"expected {len(FIELDS)} whole numbers of 0 or more, but got an array of shape {vector.shape}",
                hint="counts written by another version of pedkit cannot be read",
            )
        return cls(_checked(vector))

    @classmethod
    def from_fields(cls, fields: Mapping[str, int]) -> Counts:
        """Build counts from names and numbers; what is not named is 0 (``Counts.to_json()["fields"]``)."""
        unknown = sorted(set(fields) - set(FIELDS))
        if unknown:
            raise PedkitError(f"unknown field of counts: {unknown[0]!r}")
        return cls.from_array(np.array([fields.get(name, 0) for name in FIELDS], dtype=np.int64))

    def to_array(self) -> NDArray[np.int64]:
        """Return a copy of the vector, int64, shape (fields,)."""
        return self._vector.copy()

    def __getitem__(self, field: str) -> int:
        return int(self._vector[INDEX[field]])

    def __add__(self, other: Counts) -> Counts:
        return Counts(_checked(self._vector + other._vector))

    def __radd__(self, other: Any) -> Counts:
        if other == 0:  # the start value of sum()
            return self
        return NotImplemented

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and bool(np.array_equal(self._vector, other._vector))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Counts({', '.join(f'{k}={v}' for k, v in self.to_fields().items() if v)})"

    def to_fields(self) -> dict[str, int]:
        """Return every field by name."""
        return dict(zip(FIELDS, self._vector.tolist(), strict=True))

    @property
    def per(self) -> Rate:
        """Phone error rate: (substitutions + deletions + insertions) / reference phones, unit costs."""
        errors = self["substitutions"] + self["deletions"] + self["insertions"]
        return Rate.of(errors, self["reference_phones"], undefined=_NO_REFERENCE)

    @property
    def edit_rates(self) -> dict[str, Rate]:
        """The three parts of PER, each over reference phones: substitution, deletion and insertion error rate."""
        return {
            f"{kind}_error_rate": Rate.of(self[f"{kind}s"], self["reference_phones"], undefined=_NO_REFERENCE)
            for kind in ("substitution", "deletion", "insertion")
        }

    @property
    def pfer(self) -> Rate:
        """Phone feature error rate: as PER, but a substitution costs the articulatory-feature distance."""
        distance = self["feature_distance"] / FEATURE_UNITS
        return Rate.of(distance, self["reference_phones"], undefined=_NO_REFERENCE)

    @property
    def soft_per(self) -> Rate:
        """Soft PER: as PER, but soft-equal pairs cost nothing (or ``soft_cost``) inside the alignment."""
        distance = self["soft_distance"] / FEATURE_UNITS
        return Rate.of(distance, self["reference_phones"], undefined=_NO_REFERENCE)

    def mdd(self, profile: str = "full") -> MddCounts:
        """Return the outcomes under a profile.

        Raises:
            PedkitError: There is no profile of that name.
        """
        if profile not in PROFILES:
            raise PedkitError(f"expected 'profile' to be one of {', '.join(PROFILES)}, but got {profile!r}")
        columns = _KALDI3 if profile == "kaldi3" else _OUTCOMES
        by_type = dict(zip(OUTCOME_FIELDS, self._vector[columns].tolist(), strict=True))
        return MddCounts.of(by_type, profile)

    @property
    def tr_range(self) -> tuple[int, int] | None:
        """Fewest and most true rejections over all equally good alignments; ``None`` where not computed."""
        if not self["tr_range_utterances"] or self["tr_range_utterances"] != self["mdd_utterances"]:
            return None
        return self["tr_fewest"], self["tr_most"]

    @property
    def reference(self) -> str:
        """What the error rates were computed against, in words."""
        return "G2P reference" if self["g2p_references"] else "realized phones"

    def to_json(self, profile: str = "full") -> dict[str, Any]:
        """Return the object of one system in ``scores.json``, the MDD counts under ``profile`` first."""
        return {
            "reference": self.reference,
            "per": self.per.to_json(),
            **{name: rate.to_json() for name, rate in self.edit_rates.items()},
            "pfer": self.pfer.to_json(),
            "soft_per": self.soft_per.to_json(),
            "mdd": self.mdd(profile).to_json(),
            "tr_range": None
            if self.tr_range is None
            else dict(zip(("fewest", "most"), self.tr_range, strict=True)),
            "mdd_profiles": {p: self.mdd(p).to_json() for p in PROFILES if p != profile},
            "fields": self.to_fields(),
        }


def _checked(vector: NDArray[np.int64]) -> NDArray[np.int64]:
    if 0 < vector[_G2P] < vector[_UTTERANCES]:
        raise PedkitError(
            "error rates against a G2P reference and against realized phones are never pooled",
            hint="score the two kinds of utterances separately",
        )
    return vector
