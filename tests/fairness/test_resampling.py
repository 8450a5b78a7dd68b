import numpy as np
import pytest

from pedkit.fairness.bootstrap import minus_total, weighted_sum
from pedkit.fairness.resampling import bootstrap_columns, bootstrap_ratios, derived_seed, draw_counts


@pytest.fixture
def draw():
    return np.random.default_rng(5)


def boot_of(values, seed=0, resamples=400):
    columns = np.asarray(values, dtype=float).reshape(len(values), -1)
    return bootstrap_ratios(columns, np.ones_like(columns), resamples=resamples, rng=np.random.default_rng(seed))


def test_every_resample_draws_as_many_speakers_as_there_are():
    times = draw_counts(7, 500, np.random.default_rng(0))
    assert times.shape == (500, 7)
    assert (times.sum(axis=1) == 7).all()
    # Each speaker is drawn once on average; 3,500 draws with a share of 1/7 have a deviation of 20.7.
    assert times.sum(axis=0) == pytest.approx(500, abs=5 * 20.7)


def test_replicates_are_ratios_of_sums_over_the_drawn_speakers(draw):
    errors, phones = draw.integers(0, 9, (6, 2)).astype(float), draw.integers(5, 50, (6, 2)).astype(float)
    boot = bootstrap_ratios(errors, phones, resamples=50, rng=np.random.default_rng(3))
    times = draw_counts(6, 50, np.random.default_rng(3))
    assert boot.estimate == pytest.approx(errors.sum(axis=0) / phones.sum(axis=0))
    for replicate, drawn in enumerate(times):
        index = np.repeat(np.arange(6), drawn.astype(int))
        rates = errors[index].sum(axis=0) / phones[index].sum(axis=0)
        assert boot.estimate + boot.deviations[:, replicate] == pytest.approx(rates)
        spread = errors[index] - rates * phones[index]
        variance = (spread**2).sum(axis=0) / phones[index].sum(axis=0) ** 2 * 6 / 5
        assert boot.variances[:, replicate] == pytest.approx(variance)


def test_a_mean_has_the_usual_standard_error(draw):
    values = draw.gamma(4, size=(9, 1))
    boot = boot_of(values)
    assert boot.variance == pytest.approx(values.var(ddof=1) / 9)
    assert boot.df == pytest.approx(8)


def test_blocks_of_memory_change_nothing(draw, monkeypatch):
    values = draw.random((11, 3))
    whole = boot_of(values)
    monkeypatch.setattr("pedkit.fairness.resampling._BLOCK", 50)
    assert boot_of(values).deviations == pytest.approx(whole.deviations, abs=1e-15)


def test_columns_with_the_same_speakers_share_the_draws_and_others_keep_theirs(draw):
    rates, valid = draw.random((8, 3)), np.ones((8, 3))
    rates[2, 1] = valid[2, 1] = 0
    both, sizes = bootstrap_columns(rates, valid, resamples=200, seed=4)
    assert sizes.tolist() == [8, 7, 8]
    for column in range(3):
        alone, _ = bootstrap_columns(rates[:, [column]], valid[:, [column]], resamples=200, seed=4)
        assert both.deviations[column] == pytest.approx(alone.deviations[0], abs=1e-15)
    assert both.estimate[1] == pytest.approx(np.delete(rates[:, 1], 2).mean())


def test_a_speaker_whose_denominator_is_0_is_drawn_too_and_a_resample_of_such_alone_is_infinite():
    errors, phones = np.array([[1.0], [3.0]]), np.array([[10.0], [0.0]])
    boot, sizes = bootstrap_columns(errors, phones, resamples=200, seed=4)
    times = draw_counts(2, 200, np.random.default_rng(4))
    assert (sizes.tolist(), boot.estimate.tolist()) == ([2], [0.4])
    judged = times[:, 0] > 0
    rates = (times @ errors / np.where(judged, times[:, 0], 1)[:, None] / 10)[:, 0]
    assert boot.estimate + boot.deviations[0, judged] == pytest.approx(rates[judged])
    assert np.isposinf(boot.deviations[0, ~judged]).all()
    assert 0 < (~judged).sum() < 200


def test_a_column_without_speakers_is_undefined_and_one_speaker_has_no_spread():
    rates, valid = np.array([[0.2, 0.4], [0.3, 0.0]]), np.array([[1.0, 0.0], [1.0, 0.0]])
    boot, sizes = bootstrap_columns(rates, valid, resamples=100, seed=0)
    assert (sizes.tolist(), boot.estimate[0]) == ([2, 0], 0.25)
    assert np.isnan(boot.estimate[1])
    single, sizes = bootstrap_columns(rates[:1], valid[:1], resamples=100, seed=0)
    assert (sizes.tolist(), single.estimate[0], single.variance[0]) == ([1, 0], 0.2, 0.0)
    assert single.deviations.strides[1] == 0  # a view of one number


def test_seeds_belong_to_names():
    assert derived_seed(0, "gender", "f") == derived_seed(0, "gender", "f")
    others = {derived_seed(0, "gender", "m"), derived_seed(1, "gender", "f"), derived_seed(0, "genderf")}
    assert len(others | {derived_seed(0, "gender", "f")}) == 4


def test_a_weighted_sum_is_a_stratified_bootstrap(draw):
    groups = [draw.gamma(4, size=n) for n in (5, 9, 12)]
    parts = [boot_of(values, seed) for seed, values in enumerate(groups)]
    weights = [np.array([len(values) / 26]) for values in groups]
    total = weighted_sum(parts, weights)
    assert total.estimate == pytest.approx(np.concatenate(groups).mean())
    disparity = minus_total(parts[1], total, weights[1])
    assert disparity.estimate == pytest.approx(groups[1].mean() - np.concatenate(groups).mean())

    means = [(part.estimate[:, None] + part.deviations)[0] for part in parts]
    overall = sum(w * mean for w, mean in zip(weights, means, strict=True))
    assert disparity.estimate + disparity.deviations[0] == pytest.approx(means[1] - overall)

    c = np.array([-5 / 26, 1 - 9 / 26, -12 / 26])
    variances = np.array([values.var(ddof=1) / len(values) for values in groups])
    assert disparity.variance == pytest.approx((c**2 * variances).sum())
    sizes = np.array([5, 9, 12])
    assert disparity.df == pytest.approx((c**2 * variances).sum() ** 2 / (c**4 * variances**2 / (sizes - 1)).sum())
    influence = [w * (values - values.mean()) / len(values) for w, values in zip(c, groups, strict=True)]
    flat = np.concatenate(influence)
    assert disparity.acceleration == pytest.approx((flat**3).sum() / (6 * (flat**2).sum() ** 1.5))
    inner = np.array([part.variances[0] for part in parts])
    assert disparity.variances[0] == pytest.approx((c[:, None] ** 2 * inner).sum(axis=0))


def test_a_group_without_weight_may_be_undefined(draw):
    values = draw.random((6, 2))
    nothing, _ = bootstrap_columns(values[:, :1], np.zeros((6, 1)), resamples=400, seed=0)
    total = weighted_sum([boot_of(values[:, 0]), nothing], [np.array([1.0]), np.array([0.0])])
    assert total.estimate == pytest.approx(values[:, 0].mean())
    assert np.isfinite(total.deviations).all()
