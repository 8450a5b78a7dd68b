"""The reference problems of cases/README.md: values from R and from four million resamples."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from pedkit.fairness import GroupFrame, Observation
from pedkit.fairness.intervals import bca_bias, bca_ends, bca_levels, percentile_ends
from pedkit.fairness.permutation import permutation_test
from pedkit.fairness.resampling import bootstrap_ratios, derived_seed

CASES = Path(__file__).parent / "cases"
UNDEFINED = {"undefined: one speaker": "one speaker"}
UNDEFINED["undefined: all speakers have the same value"] = "all speakers have the same value"


def named(value):
    """The cases test their group "unknown" like any other; `GroupFrame` leaves one of that name out of tests."""
    return "unstated" if value == "unknown" else value


@pytest.fixture(scope="module", params=["welch_a", "welch_b"])
def case(request):
    expected = json.loads((CASES / f"{request.param}.json").read_text(encoding="utf-8"))
    with (CASES / f"{request.param}.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            Observation(
                id=row["speaker"],
                speaker=row["speaker"],
                corpus="c",
                groups={"group": named(row["group"])},
                sums={"per": (float(row["per"]), 1.0) if row["per"] else (0.0, 0.0)},
            )
            for row in csv.DictReader(file)
        ]
    return rows, expected


def frame(rows, ci="auto"):
    return GroupFrame(observations=rows, metrics=["per"], attributes=["group"], ci=ci)


def values(rows, group):
    found = [row.sums["per"] for row in rows if row.groups["group"] == named(group)]
    return np.array([numerator for numerator, denominator in found if denominator])


def close(value):
    return pytest.approx(value, rel=1e-6, abs=1e-15)


def test_means_and_both_disparities(case):
    rows, expected = case
    table = frame(rows)
    [overall] = table.overall
    assert overall.mean == close(expected["overall_mean_of_speakers"])
    assert overall.n_dropped == expected["n_missing_dropped"]
    assert [row.value for row in table.by_group] == [named(group) for group in expected["groups"]]
    for row, group in zip(table.by_group, expected["groups"].values(), strict=True):
        assert (row.n_speakers, row.mean) == (group["n_speakers"], close(group["mean"]))
        assert row.sd == (None if group["sd"] is None else close(group["sd"]))
        assert row.from_speaker_mean.value == close(group["disparity_from_speaker_mean"])
        assert row.from_mean_of_group_means.value == close(group["disparity_from_mean_of_group_means"])
        assert row.mean - row.from_mean_of_group_means.value == close(expected["mean_of_group_means"])


def margins(group, kind):
    ties = 0.0006 if group["n_speakers"] < 10 else 0.0
    return [5 * sd + ties for sd in group[f"{kind}_mc_sd_at_10000"]]


def assert_ends(found, group, kind):
    for end, expected, margin in zip(found, group[kind], margins(group, kind), strict=True):
        assert end == pytest.approx(expected, abs=margin)


def test_intervals_and_the_rule_of_the_bias_study(case):
    rows, expected = case
    for row, group in zip(frame(rows, ci="paper").by_group, expected["groups"].values(), strict=True):
        if group.get("ci", True) is None:
            assert (row.interval.low, row.interval.high, row.interval.method) == (None, None, None)
            assert row.interval.reason == row.t_interval.reason == UNDEFINED[group["ci_method"]]
            continue
        assert row.interval.method == group["paper_rule"]
        assert_ends((row.interval.low, row.interval.high), group, group["paper_rule"])
    for kind in ("bca", "percentile", "t"):
        for row, group in zip(frame(rows, ci=kind).by_group, expected["groups"].values(), strict=True):
            if "bca" not in group:
                assert row.interval.low is None
            elif kind == "t":
                assert [row.interval.low, row.interval.high] == close(group["t_interval"])
            else:
                assert_ends((row.interval.low, row.interval.high), group, kind)


def test_the_parts_of_bca(case):
    rows, expected = case
    for name, group in expected["groups"].items():
        if "bca" not in group:
            continue
        column = values(rows, name)[:, None]
        rng = np.random.default_rng(derived_seed(0, name))
        boot = bootstrap_ratios(column, np.ones_like(column), resamples=10_000, rng=rng)
        assert boot.acceleration == close(group["acceleration"])
        # A share of 0.5 of 10,000 replicates has a standard deviation of 0.005, and z0 one of 0.0125.
        bias = bca_bias(boot)
        assert bias == pytest.approx(group["z0"], abs=5 * 0.0125)
        exact = bca_levels(np.array([group["z0"]]), boot.acceleration)
        assert [level.item() for level in exact] == pytest.approx(group["bca_adjusted_levels"], abs=2e-4)
        if group["R_boot_200000_bca"] is not None:  # R counts ties otherwise: 0.0006
            for kind, ends in (("bca", bca_ends(boot)), ("percentile", percentile_ends(boot))):
                for end, theirs, sd in zip(
                    ends, group[f"R_boot_200000_{kind}"], group[f"{kind}_mc_sd_at_10000"], strict=True
                ):
                    assert end == pytest.approx(theirs, abs=5 * sd + 0.0006)


def test_pairs(case):
    rows, expected = case
    found = frame(rows).pairwise()
    assert [(p.row, p.column) for p in found] == [(named(p["row"]), named(p["col"])) for p in expected["pairs"]]
    defined = [pair for pair in expected["pairs"] if "p" in pair]
    for pair, theirs in zip(found, expected["pairs"], strict=True):
        assert pair.difference == close(theirs["diff"])
        assert pair.n_tests == len(defined) == expected.get("n_defined_tests", len(defined))
        if "undefined" in theirs:
            assert [pair.t, pair.df, pair.p, pair.p_holm, pair.p_bh, pair.p_games_howell] == [None] * 6
            assert [pair.p_permutation, pair.interval.low, pair.interval.high, pair.detectable_gap] == [None] * 4
            assert (pair.stars, pair.stars_holm, pair.stars_bh) == ("", "", "")
            assert pair.reason == pair.interval.reason
            assert ("constant" in pair.reason) == ("constant" in theirs["undefined"])
            assert ("1 speaker" in pair.reason) == ("not enough" in theirs["undefined"])
            continue
        assert (pair.t, pair.df, pair.p) == (close(theirs["t"]), close(theirs["df"]), close(theirs["p"]))
        assert (pair.p_holm, pair.p_bh) == (close(theirs["p_holm"]), close(theirs["p_bh"]))
        assert (pair.interval.low, pair.interval.high) == (close(theirs["ci_low"]), close(theirs["ci_high"]))
        assert (pair.stars, pair.stars_holm, pair.stars_bh) == tuple(
            theirs[name] for name in ("stars", "stars_holm", "stars_bh")
        )
        assert pair.hedges_g == close(theirs["hedges_g_pooled_sd"])
        assert pair.d_average_variance == close(theirs["cohen_d_average_variance"])
        assert pair.prob_row_worse == close(theirs["prob_row_higher"])


def test_exact_permutation(case):
    rows, expected = case
    pairs = [pair for pair in expected["pairs"] if "n_permutations" in pair]
    assert pairs
    for pair in pairs:
        test = permutation_test(values(rows, pair["row"]), values(rows, pair["col"]), seed=0)
        assert (test.p, test.splits, test.exact) == (
            close(pair["exact_permutation_p_studentised"]),
            pair["n_permutations"],
            True,
        )


def test_tests_of_all_groups_together(case):
    rows, expected = case
    [omnibus] = frame(rows).omnibus()
    kruskal, anova = expected["kruskal"], expected["welch_anova"]
    assert (omnibus.kruskal_wallis.statistic, omnibus.kruskal_wallis.p) == (
        close(kruskal["H"]),
        close(kruskal["p"]),
    )
    if "undefined" in anova:
        assert omnibus.welch_anova.p is omnibus.welch_anova.statistic is None
        assert anova["undefined"] in omnibus.welch_anova.reason
    else:
        assert (omnibus.welch_anova.statistic, omnibus.welch_anova.p) == (close(anova["F"]), close(anova["p"]))
        assert omnibus.welch_anova.df == close(tuple(anova["df"]))
