"""`ScoreSettings`: everything that decides what a score of a predictions file means, written beside the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any, Literal

from pedkit.errors import PedkitError
from pedkit.evaluation.items import ENGLISH, ItemBuilder
from pedkit.hints import keywords
from pedkit.phones import ProjectionPolicy, language_code
from pedkit.scoring import REFERENCE_ROWS, ScoringSettings

_SoftPair = Annotated[tuple[str, str] | tuple[str, str, str], "two symbols, or two symbols and a language"]
_CHOICES = {"missing": ("error", "empty"), "failed": ("error", "empty"), "extra": ("error", "ignore")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSettings:
    """What to compare with what, and what to do where something is absent.

    Attributes:
        projection: ``cmu39`` projects English phones onto CMU-39; ``none`` scores them as they are;
            ``bias_study`` brings IPA on both sides into the bias study's form.
        policy: Choices of the projection for ambiguous symbols (`pedkit.phones.ProjectionPolicy`).
        merge_pairs: Pairs of IPA letters that the recognizer can only write as two tokens.
        prediction_inventory: Inventory of predictions that name none; ``None``: the utterance's.
        language: ISO 639-3 code (``eng``; ``en`` and ``en-GB`` are the same); ``None``: the manifest's, or English
            under ``projection=cmu39``.
        per_reference: Reference of PER, PFER and Soft PER: ``realized``, or ``canonical`` (a G2P reference).
        profile: Columns that the headline MDD counts keep: ``full no_spurious canonical_only kaldi3``.
        tie: How ties of the alignment are broken: ``phonetic plain features``.
        reference: Alignment of canonical and realized phones under the grid: ``computed``, or ``annotated``, the
            manifest's own (its key ``alignment``).
        u_aware: False leaves the realized phones out of the placement of predicted ones.
        tr_range: True also counts the fewest and the most true rejections over all equally good alignments.
        soft_preset: Preset of Soft PER, or a table file (``.json``).
        soft_extra_pairs: Further soft-equal pairs; a third entry is the one language in which a pair holds.
        soft_tier1_scope: ``universal``, or ``listed``: the first tier only in languages that AlloVera lists.
        soft_tiers: Tiers of the table that forgive: 1, 2 or both.
        soft_cost: Cost of a soft-equal substitution in [0, 1].
        missing: ``error``, or ``empty``: an utterance without prediction counts as all phones deleted.
        failed: ``error``, or ``empty``: the same for predictions with status ``failed``.
        extra: ``error``, or ``ignore`` predictions of ids that are not in the manifest.
        split: Score utterances of this split only.
        groups: Group keys of the manifest to break results down by.
        references: Systems to score beside the predictions: ``accept_all``, ``empty``, ``perfect``.
        worst: How many of the worst utterances to keep for the report.

    Raises:
        PedkitError: A value is none of those named.
    """

    projection: str = "cmu39"
    policy: Mapping[str, str] = field(default_factory=dict)
    merge_pairs: tuple[Annotated[tuple[str, str], "two symbols"], ...] = ()
    prediction_inventory: str | None = None
    language: str | None = None
    per_reference: str = "realized"
    profile: str = "full"
    tie: str = "phonetic"
    reference: str = "computed"
    u_aware: bool = True
    tr_range: bool = False
    soft_preset: str = "paper"
    soft_extra_pairs: tuple[_SoftPair, ...] = ()
    soft_tier1_scope: Literal["universal", "listed"] = "universal"
    soft_tiers: tuple[int, ...] = (1, 2)
    soft_cost: float = 0.0
    missing: str = "error"
    failed: str = "error"
    extra: str = "error"
    split: str | None = None
    groups: tuple[str, ...] = ()
    references: tuple[str, ...] = REFERENCE_ROWS
    worst: int = 5

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise PedkitError(
                    f"expected '{name}' to be one of {', '.join(allowed)}, but got {getattr(self, name)!r}"
                )
        if self.worst < 0:
            raise PedkitError(f"expected 'worst' to be 0 or more, but got {self.worst}")
        if self.projection == "cmu39" and self.language is not None and language_code(self.language) != ENGLISH:
            raise PedkitError(
                f"projection=cmu39 is for English, but the language is '{self.language}'",
                hint="projection=none scores the phones as they are",
            )
        unknown = sorted(set(self.references) - set(REFERENCE_ROWS))
        if unknown:
            raise PedkitError(f"expected 'references' to hold {', '.join(REFERENCE_ROWS)}, but got {unknown[0]!r}")
        # Checks the settings that the scorer reads; what a language lacks is said when it is scored.
        replace(self.scoring("cmu39", self.language or ENGLISH), language=ENGLISH).soft_phones()
        self.builder()

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> ScoreSettings:
        """Build settings from plain keywords, as a configuration or a call gives them; one name is a list of one.

        Raises:
            PedkitError: A keyword is unknown, or a value of another kind.
        """
        return cls(**keywords(cls, settings, lists=("groups", "references")))

    def builder(self) -> ItemBuilder:
        """Return a fresh builder of items, with its own counts of dropped symbols."""
        unknown = sorted(set(self.policy) - set(ProjectionPolicy.__dataclass_fields__))
        if unknown:
            raise PedkitError(
                f"unknown projection policy '{unknown[0]}'",
                hint=f"there are: {', '.join(ProjectionPolicy.__dataclass_fields__)}",
            )
        return ItemBuilder(
            projection=self.projection,
            policy=ProjectionPolicy(**self.policy),  # type: ignore[arg-type]
            prediction_inventory=self.prediction_inventory,
            merge_pairs=self.merge_pairs,
            annotated=self.reference == "annotated",
        )

    def spoken(self, language: str | None) -> str:
        """Return the ISO 639-3 code of an utterance's language.

        Args:
            language: What the manifest says.

        Raises:
            PedkitError: Neither the settings nor the manifest name one, or it is no code.
        """
        code = self.language or language or (ENGLISH if self.projection == "cmu39" else None)
        if code is None:
            raise PedkitError(
                "neither the manifest nor the settings name a language", hint="set language=eng or so"
            )
        return language_code(code)

    def scoring(self, inventory: str, language: str | None) -> ScoringSettings:
        """Return the scorer's settings for the inventory and language that the manifest turned out to have.

        Raises:
            PedkitError: No language is known, or a value is wrong.
        """
        return ScoringSettings(
            inventory=inventory,
            profile=self.profile,
            tie=self.tie,
            reference=self.reference,
            u_aware=self.u_aware,
            tr_range=self.tr_range,
            soft_preset=self.soft_preset,
            soft_extra_pairs=self.soft_extra_pairs,
            soft_tier1_scope=self.soft_tier1_scope,
            soft_tiers=self.soft_tiers,
            soft_cost=self.soft_cost,
            language=self.spoken(language),
            per_reference=self.per_reference,
        )

    def to_json(self) -> dict[str, Any]:
        """Return every setting, with the policy's defaults filled in."""
        return asdict(self) | {"policy": ProjectionPolicy(**self.policy).to_dict()}  # type: ignore[arg-type]
