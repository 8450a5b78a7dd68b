"""A small version of bench/fairness_simulation.py, with its seeds."""

import pytest

from bench.fairness_simulation import (
    DESIGNS,
    DISTRIBUTIONS,
    MIXED,
    SMALL,
    TESTS,
    coverage,
    level,
    stars_of_equal_groups,
)


def within(share, earlier, repetitions):
    """Return whether a share is within four standard deviations of the earlier value."""
    return abs(share - earlier) <= 4 * (earlier * (1 - earlier) / repetitions) ** 0.5 + 0.005


@pytest.mark.parametrize("design", ["20 v 20", "6 v 6", "20 v 3", "20 v 20, overdispersed"])
def test_speakers_as_the_unit_keep_the_level_and_utterances_do_not(design):
    chosen, place = DESIGNS[design], list(DESIGNS).index(design)
    for name in ("Welch on speaker rates", "Poisson, no speaker effect"):
        test = TESTS[name]
        assert within(level(test, chosen, 250), test.earlier[place], 250)


def test_permutation_keeps_its_level_where_welch_does_not():
    assert (
        level(TESTS["permutation, studentised"], DESIGNS["20 v 3"], 150) <= 0.05 + 4 * (0.05 * 0.95 / 150) ** 0.5
    )


@pytest.mark.parametrize(("groups", "earlier"), [(3, 0.12), (8, 0.51)])
def test_raw_stars_come_by_chance_and_holms_seldom(groups, earlier):
    raw, _, adjusted = stars_of_equal_groups(groups, 200)
    assert within(raw, earlier, 200)
    assert adjusted <= 0.05 + 2 * (0.05 * 0.95 / 200) ** 0.5


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("speakers", [5, 8, 12, 20])
def test_the_default_interval_covers_nine_times_out_of_ten(distribution, speakers):
    [default, percentile] = coverage(
        distribution, speakers, ["auto", "percentile"], repetitions=800, resamples=1000
    )
    assert default >= 0.90 - 2 * (0.9 * 0.1 / 800) ** 0.5
    if speakers == 5:  # what the bias study's rule gives here
        assert within(percentile, {"gamma, skewness 1": 0.82, "lognormal, sd 0.6": 0.79}[distribution], 800)


@pytest.mark.skipif(not set(MIXED) <= set(TESTS), reason="needs the extra 'glmm'")
def test_a_mixed_model_keeps_its_level_only_with_an_effect_a_speaker():
    design = DESIGNS["20 v 20"]
    assert within(level(MIXED["mixed model"], design, 120), 0.058, 120)
    assert within(level(MIXED["one random effect a row"], design, 60), 0.522, 60)


@pytest.mark.slow
@pytest.mark.skipif(not set(MIXED) <= set(TESTS), reason="needs the extra 'glmm'")
@pytest.mark.parametrize("name", SMALL)
def test_the_default_test_stays_at_nine_in_a_hundred_with_few_speakers(name):
    test = MIXED["default of the mixed model"]
    assert level(test, SMALL[name], 150) <= 0.09 + 2 * (0.09 * 0.91 / 150) ** 0.5
