"""`FairnessSettings`: what is compared between groups, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypedDict

from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_audio import AudioMeasures
from pedkit.evaluation.observing import Observer
from pedkit.fairness.gap_of_sets import check_sets
from pedkit.fairness.group_table import LEAST_RESAMPLES, MOST_RESAMPLES
from pedkit.fairness.metrics import WORD_METRICS, check_metric
from pedkit.hints import keywords

PHONE_METRICS = ("per", "soft_per", "frr", "far")
LEAST_MODEL_RESAMPLES, MOST_MODEL_RESAMPLES = 39, 100_000
"""With 19 the smallest p value would be 0.05, and nothing would ever be claimed."""


class Sets(TypedDict):
    """Two sets of groups."""

    reference: list[str]
    compared: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FairnessSettings:
    """How groups are compared (docs/fairness.md says what each choice means).

    Attributes:
        metrics: Names of `pedkit.fairness.METRICS`; ``None``: PER, Soft PER, FRR and FAR, or WER for words.
        ci: Interval of a group's mean.
        resamples: Bootstrap resamples of intervals.
        seed: Of every random number.
        pool_corpora: True lets speakers of several corpora share a group.
        model: True fits mixed models, which need the extra ``glmm``; ``None`` fits them where it is installed.
        model_resamples: Data sets of the parametric bootstrap that gives a model's p value where speakers are few.
        covariates: Further terms of the models: ``duration`` and ``snr_db`` (measured from the audio where the
            manifest does not state them), keys of ``groups`` or ``extra``, or attributes.
        prompt: True gives what was read an effect of its own in the models.
        faas: True computes FAAS in its published form, or the form by name. It needs the extra ``glmm``.
        sets: Two sets of groups (``reference`` and ``compared``), such as languages, whose means are compared.

    Raises:
        PedkitError: A value is out of its range.
    """

    metrics: tuple[str, ...] | None = None
    ci: Literal["auto", "paper", "bca", "percentile", "t", "bootstrap-t"] = "auto"
    resamples: int = 10_000
    seed: int = 0
    pool_corpora: bool = False
    model: bool | None = None
    model_resamples: int = 199
    covariates: tuple[str, ...] = ()
    prompt: bool = False
    faas: bool | Literal["published", "offset"] = False
    sets: Sets | None = None

    def __post_init__(self) -> None:
        for metric in self.metrics or ():
            check_metric(metric)
        if self.sets is not None:
            _check_sets(self.sets)
        for key, least, most in (
            ("resamples", LEAST_RESAMPLES, MOST_RESAMPLES),
            ("model_resamples", LEAST_MODEL_RESAMPLES, MOST_MODEL_RESAMPLES),
            ("seed", 0, None),
        ):
            value = getattr(self, key)
            if value < least or (most is not None and value > most):
                allowed = f"{least} or more" if most is None else f"from {least} to {most:,}"
                raise PedkitError(f"expected 'fairness.{key}' to be {allowed}, but got {value}")

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> FairnessSettings:
        """Build settings from plain keywords, as a configuration or a call gives them; one name is a list of one.

        Raises:
            PedkitError: A keyword is unknown, or a value of another kind.
        """
        return cls(**keywords(cls, settings, place="fairness", lists=("metrics", "covariates")))

    def check_groups(self, groups: Iterable[str]) -> None:
        """Raise a `PedkitError` where something is asked for beyond the defaults and no groups are to be compared.

        Args:
            groups: Keys of the groups.
        """
        asked = {
            "metrics": self.metrics is not None,
            "model": self.model is True,
            "covariates": bool(self.covariates),
            "prompt": self.prompt,
            "faas": self.faas_form is not None,
            "sets": self.sets is not None,
        }
        found = [f"fairness.{name}" for name, is_asked in asked.items() if is_asked]
        if found and not any(groups):
            ask = "asks" if len(found) == 1 else "ask"
            raise PedkitError(
                f"{', '.join(found)} {ask} for a comparison, but there are no groups",
                hint="add groups=[gender], or other keys of the manifest",
            )

    def measured(self, *, words: bool) -> tuple[str, ...]:
        """Return the metrics to compare.

        Args:
            words: True where words of texts were scored, not phones.

        Raises:
            PedkitError: A metric that was asked for cannot be had from what was scored.
        """
        wrong = [name for name in self.metrics or () if (name in WORD_METRICS) != words]
        if wrong:
            raise PedkitError(
                f"'{wrong[0]}' cannot be compared where {'words' if words else 'phones'} are scored",
                hint=None if words else "metric=wer scores the words of texts",
            )
        return self.metrics or (tuple(WORD_METRICS) if words else PHONE_METRICS)

    def observer(
        self,
        groups: Iterable[str],
        *,
        profile: str = "full",
        words: bool = False,
        measures: AudioMeasures | None = None,
    ) -> Observer:
        """Return what collects the observations of one system; see `Observer` and `measured` for the arguments."""
        return Observer(
            metrics=self.measured(words=words),
            attributes=groups,
            profile=profile,
            covariates=self.covariates,
            prompt=self.prompt,
            measures=measures,
        )

    @property
    def faas_form(self) -> Literal["published", "offset"] | None:
        """Form of FAAS, ``None`` where none is asked for."""
        if isinstance(self.faas, bool):
            return "published" if self.faas else None
        return self.faas

    def to_json(self) -> dict[str, Any]:
        """Return every setting."""
        return asdict(self)


def _check_sets(sets: Sets) -> None:
    try:
        check_sets(sets["reference"], sets["compared"])
    except PedkitError as error:
        raise PedkitError(f"fairness.sets: {error.message}", hint=error.hint) from None
