"""`ScoringSettings`: everything that decides what a score means; written beside every score."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from pedkit.errors import PedkitError
from pedkit.phones import FEATURE_UNITS, SoftPhones, get_inventory
from pedkit.phones.soft_table import SoftTable
from pedkit.scoring.mdd import PROFILES

TIES = ("phonetic", "plain", "features")
REFERENCES = ("realized", "canonical")
GRID_REFERENCES = ("computed", "annotated")


@dataclass(frozen=True, slots=True)
class ScoringSettings:
    """What to compare with what, and how.

    Attributes:
        inventory: Inventory of all phones (``cmu39 timit61 timit48 timit39 ipa``).
        profile: Grid columns that the headline MDD counts keep: ``full no_spurious canonical_only kaldi3``.
        tie: Second key of the aligner: fewest vowel/consonant clashes (``phonetic``), none (``plain``, the rule of
            Kaldi's align-text) or least articulatory-feature distance (``features``).
        reference: Where the grid's alignment of canonical and realized phones comes from: ``computed`` by the
            aligner, or ``annotated``, as the items bring it along.
        u_aware: False leaves the realized phones out of the placement of predicted phones (keys 2 to 4).
        tr_range: Also count the fewest and the most true rejections over all equally good alignments. It says how
            far any tie rule could move the detection rates; scoring takes some three times as long.
        soft_preset: Preset of `pedkit.phones.SoftPhones` for Soft PER, or a table file (``.json``); ``none`` makes
            Soft PER equal to PER.
        language: ISO 639-3 code of the language, for the second tier of Soft PER.
        soft_extra_pairs: Further soft-equal pairs; a third entry is the one language in which a pair holds.
        soft_tier1_scope: Whether the first tier holds in every language (``universal``) or only in those that
            AlloVera lists (``listed``).
        soft_tiers: Tiers of the table that forgive: 1, 2 or both.
        soft_cost: Cost of a soft-equal substitution in [0, 1], a multiple of 1/48.
        per_reference: What PER, PFER and Soft PER are computed against: the ``realized`` phones, or the
            ``canonical`` ones where the corpus has only a G2P reference.
        batch_size: Utterances aligned in one go; changes speed and memory, never a result.

    Raises:
        PedkitError: A value is not one of those named above.
    """

    inventory: str
    profile: str = "full"
    tie: str = "phonetic"
    reference: str = "computed"
    u_aware: bool = True
    tr_range: bool = False
    soft_preset: str = "paper"
    language: str = "eng"
    soft_extra_pairs: tuple[tuple[str, ...], ...] = ()
    soft_tier1_scope: Literal["universal", "listed"] = "universal"
    soft_tiers: tuple[int, ...] = (1, 2)
    soft_cost: float = 0.0
    per_reference: str = "realized"
    batch_size: int = 1024

    def __post_init__(self) -> None:
        get_inventory(self.inventory)
        for name, value, allowed in (
            ("profile", self.profile, PROFILES),
            ("tie", self.tie, TIES),
            ("reference", self.reference, GRID_REFERENCES),
            ("per_reference", self.per_reference, REFERENCES),
        ):
            if value not in allowed:
                raise PedkitError(f"expected '{name}' to be one of {', '.join(allowed)}, but got {value!r}")
        if self.tr_range and self.reference == "annotated":
            raise PedkitError(
                "tr_range goes over the alignments a tie rule chooses from; reference=annotated leaves no choice",
                hint="set one of the two",
            )
        units = self.soft_cost * FEATURE_UNITS
        if not 0 <= units <= FEATURE_UNITS or units != int(units):
            raise PedkitError(
                f"expected 'soft_cost' to be a multiple of 1/{FEATURE_UNITS} in [0, 1], but got {self.soft_cost!r}"
            )
        if self.batch_size < 1:
            raise PedkitError(f"expected 'batch_size' to be 1 or more, but got {self.batch_size!r}")

    def soft_phones(self) -> SoftPhones:
        """Return what decides about soft equality.

        Raises:
            PedkitError: The preset, the table file, the scope or a tier cannot be used.
        """
        preset = self.soft_preset
        return SoftPhones(
            SoftTable.load(preset) if preset.endswith(".json") else preset,
            self.language,
            inventory=self.inventory,
            extra_pairs=self.soft_extra_pairs,
            tier1_scope=self.soft_tier1_scope,
            tiers=self.soft_tiers,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the settings that can change a result, for ``scores.json``."""
        return {key: value for key, value in asdict(self).items() if key != "batch_size"}
