import numpy as np
import pytest
from glmm_cases import observations

from pedkit.fairness import bootstrap_p
from pedkit.fairness.likelihood_ratio import NestedModels, likelihood_ratio
from pedkit.fairness.model_rows import model_rows
from pedkit.fairness.terms import Term

pytest.importorskip("glmm", reason="needs the extra 'glmm'")


def nested(case, attribute, reference, base=()):
    names = [attribute, *base]
    rows = model_rows(observations(case, names), metric="per", attributes=names)
    return NestedModels(
        errors=rows.errors,
        base=[Term.categorical(name, rows.values[name], first) for name, first in dict(base).items()],
        tested=Term.categorical(attribute, rows.values[attribute], reference),
        clusters=rows.clusters,
        exposure=rows.exposure,
    )


def ratio(models):
    return likelihood_ratio(models.fit(full=True), models.fit(full=False))


def test_rows_of_one_speaker_add_up_without_moving_the_likelihood_ratio():
    models = nested("glmm_a", "accent", "A", {"gender": "f"})
    small = models.condensed()
    assert len(small.errors) == 40
    assert (small.errors.sum(), small.exposure.sum()) == (models.errors.sum(), models.exposure.sum())
    whole, condensed = ratio(models), ratio(small)
    assert condensed.statistic == pytest.approx(whole.statistic, abs=1e-6)
    assert condensed.p == pytest.approx(whole.p, rel=1e-6)


def test_a_statistic_beyond_all_draws_and_one_below_all():
    models = nested("glmm_c", "region", "north")
    beyond = bootstrap_p(models, statistic=1e6, resamples=39, rng=np.random.default_rng(0))
    assert (beyond.p, beyond.exceeding, beyond.failed) == (1 / 40, 0, 0)
    assert bootstrap_p(models, statistic=0.0, resamples=39, rng=np.random.default_rng(0)).p == 1
    stopped = bootstrap_p(models, statistic=0.0, resamples=999, rng=np.random.default_rng(0))
    assert (stopped.p, stopped.resamples, stopped.exceeding) == (1, 50, 50)


def test_with_many_errors_and_no_speaker_variance_it_nears_the_chi_squared_p():
    # 24 speakers with some 28 errors each and variance 0: P(chi-squared(1) > 1.0742) = 0.3.
    found = bootstrap_p(
        nested("glmm_c", "region", "north"), statistic=1.0742, resamples=499, rng=np.random.default_rng(0)
    )
    assert found.p == pytest.approx(0.3, abs=0.07)


def test_a_ratio_that_the_data_do_not_bound_has_no_interval():
    from pedkit.fairness.poisson_fit import Coefficient, PoissonFit
    from pedkit.fairness.ratio import rate_ratio

    def fit(se, df=1):
        known = {"accent=b": Coefficient(0.5, se)}
        return PoissonFit(known, ("accent=b",), np.array([[se**2]]), {}, -1.0, 2, df, True, np.zeros(3, bool), ())

    bounded = rate_ratio(fit(0.1), {"accent=b": 1.0})
    assert (bounded.value, bounded.low) == (pytest.approx(np.exp(0.5)), pytest.approx(np.exp(0.5 - 12.7062 * 0.1)))
    assert rate_ratio(fit(60.0), {"accent=b": 1.0}).reason == "the data do not bound the ratio"
    assert rate_ratio(fit(0.1, df=0), {"accent=b": 1.0}).reason.startswith("there are too few speakers")
