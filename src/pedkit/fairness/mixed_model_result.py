"""`RateModel`: what a mixed model found, every number with the reason where it has none."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pedkit.fairness.likelihood_ratio import BootstrapP, LikelihoodRatio
from pedkit.fairness.model_rows import GroupTotals, ModelRows
from pedkit.fairness.poisson_fit import Coefficient, PoissonFit, finite
from pedkit.fairness.ratio import Ratio, WorstToBest, rate_ratio, worst_to_best
from pedkit.fairness.terms import column

NOT_FITTED = LikelihoodRatio(None, 0, None, "no model was fitted")


@dataclass(frozen=True, slots=True)
class RateGroup:
    """One group in a model.

    Attributes:
        totals: Utterances, speakers, errors and pooled rate.
        coefficient: Log of the rate ratio to the reference group; 0 for that group itself.
        ratio: The rate ratio with its 95 % interval.
        one_speaker: True where the difference cannot be told apart from that of one speaker.
    """

    totals: GroupTotals
    coefficient: Coefficient
    ratio: Ratio
    one_speaker: bool


@dataclass(frozen=True, slots=True)
class RateModel:
    """A fitted model of errors by group.

    Attributes:
        metric: Whose sums were modelled.
        attribute: The attribute that was tested.
        reference: The group that the others are compared with.
        covariates: The other fixed terms.
        quadrature: Points of the quadrature; 1 is the Laplace approximation.
        seed: Of the bootstrap.
        rows: What the model was fitted to, and what was left out.
        full: The model with the attribute; ``None`` where nothing could be fitted.
        reduced: The model without it.
        test: The likelihood ratio of the two.
        bootstrap: Its p value by parametric bootstrap, ``None`` where that was not asked for.
    """

    metric: str
    attribute: str
    reference: str | None
    covariates: tuple[str, ...]
    quadrature: int
    seed: int
    rows: ModelRows
    full: PoissonFit | None = None
    reduced: PoissonFit | None = None
    test: LikelihoodRatio = NOT_FITTED
    bootstrap: BootstrapP | None = None

    @property
    def formula(self) -> str:
        """The model in R's notation."""
        terms = [*self.covariates, self.attribute, "offset(log(denominator))"]
        return f"{self.metric} errors ~ {' + '.join(terms)} + " + " + ".join(
            f"(1 | {name})" for name in self.rows.clusters
        )

    @property
    def p(self) -> float | None:
        """The p value of the attribute: by bootstrap where there is one, else by the chi-squared distribution."""
        return self.test.p if self.bootstrap is None else self.bootstrap.p

    @property
    def p_method(self) -> str:
        """Where `p` comes from."""
        if self.bootstrap is None:
            return "likelihood ratio, chi-squared"
        return f"likelihood ratio, parametric bootstrap of {self.bootstrap.resamples}"

    @property
    def groups(self) -> tuple[RateGroup, ...]:
        """The groups in order of their values."""
        return tuple(self._group(totals) for totals in self.rows.groups(self.attribute))

    def _group(self, totals: GroupTotals) -> RateGroup:
        if totals.value == self.reference:
            coefficient, ratio = Coefficient(0.0, None, "the reference"), Ratio(1.0, None, None, "the reference")
        elif self.full is None:
            coefficient = Coefficient(None, None, self.test.reason)
            ratio = Ratio(None, None, None, self.test.reason)
        else:
            name = column(self.attribute, totals.value)
            coefficient, ratio = self.full.coefficients[name], rate_ratio(self.full, {name: 1.0})
        return RateGroup(totals, coefficient, ratio, totals.n_speakers == 1)

    @property
    def worst_to_best(self) -> WorstToBest | None:
        """The groups with the highest and the lowest estimated rate; ``None`` without a fit."""
        if self.full is None:
            return None
        return worst_to_best(self.full, self.attribute, {one.totals.value: one.coefficient for one in self.groups})

    @property
    def flags(self) -> dict[str, str]:
        """What a reader has to know, by a code."""
        groups, found = self.groups, {}
        alone = [group.totals.value for group in groups if group.one_speaker]
        silent = [group.totals.value for group in groups if not group.totals.errors]
        several = self.rows.in_several_groups(self.attribute)
        if self.rows.fractional:
            found["quasi_likelihood"] = (
                "error counts are not whole numbers: a quasi-likelihood, whose p is a rough guide"
            )
        if alone:
            found["one_speaker"] = (
                f"one speaker: {', '.join(alone)}; the group cannot be told apart from the speaker"
            )
        if silent:
            found["no_errors"] = (
                f"no error was counted in {', '.join(silent)}: estimated rate 0, no standard error"
            )
        if several:
            found["several_groups"] = f"{several} speakers are in several groups of '{self.attribute}'"
        return found | self._fit_flags()

    def _fit_flags(self) -> dict[str, str]:
        if self.full is None or self.reduced is None:
            return {"no_model": self.test.reason or "no model was fitted"}
        found = {}
        for name in self.full.at_boundary:
            found[f"boundary_{name}"] = f"the estimated variance between {name}s is 0 (a singular fit)"
        if not (self.full.converged and self.reduced.converged):
            found["not_converged"] = "a fit did not converge; its numbers are left out"
        if self._separated_by_covariates():
            found["separation"] = (
                "combinations of the model's terms have no error at all: their estimated rate is 0"
            )
        if self.bootstrap is not None and self.bootstrap.p is None:
            found["bootstrap_failed"] = (
                f"{self.bootstrap.failed} of {self.bootstrap.resamples} refits failed: no p value"
            )
        for kind in dict.fromkeys((*self.full.notes, *self.reduced.notes)):
            found[f"engine_{kind}"] = f"the engine reports: {kind.replace('_', ' ')}"
        return found

    def _separated_by_covariates(self) -> bool:
        """True where rows lost their weight although their group has errors."""
        if self.full is None:
            return False
        silent = [group.value for group in self.rows.groups(self.attribute) if not group.errors]
        return any(value not in silent for value in self.rows.values[self.attribute][self.full.separated])

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data; what is undefined is ``None`` with a reason."""
        extremes = self.worst_to_best
        return {
            "metric": self.metric,
            "attribute": self.attribute,
            "formula": self.formula,
            "reference": self.reference,
            "quadrature": self.quadrature,
            "n_utterances": len(self.rows),
            "n_speakers": self.rows.n_speakers,
            "left_out": dict(self.rows.left_out),
            "groups": [_group_json(group) for group in self.groups],
            "coefficients": {} if self.full is None else self.full.coefficients_json(),
            "sigma": {} if self.full is None else self.full.sigmas_json(),
            "loglik": None if self.full is None else finite(self.full.loglik),
            "loglik_reduced": None if self.reduced is None else finite(self.reduced.loglik),
            "likelihood_ratio": asdict(self.test),
            "bootstrap": None if self.bootstrap is None else asdict(self.bootstrap) | {"seed": self.seed},
            "p": self.p,
            "p_method": self.p_method,
            "worst_to_best": None if extremes is None else asdict(extremes),
            "flags": self.flags,
        }


def _group_json(group: RateGroup) -> dict[str, Any]:
    return (
        asdict(group.totals)
        | {"rate": group.totals.rate, "coefficient": finite(group.coefficient.value), "se": group.coefficient.se}
        | {"rate_ratio": asdict(group.ratio), "one_speaker": group.one_speaker}
    )
