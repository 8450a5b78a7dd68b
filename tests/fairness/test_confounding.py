import json
import math

import pytest

from pedkit.errors import PedkitError
from pedkit.fairness import Observation, confounding


def speakers(cells, **covariates):
    """Two utterances a speaker; ``cells`` maps (gender, accent) to a number of speakers."""
    out = []
    for (gender, accent), number in cells.items():
        for k in range(number):
            groups = {"gender": gender, "accent": accent}
            numbers = {name: of(gender, accent, k) for name, of in covariates.items()}
            out += [
                Observation(f"{gender}{accent}{k}{u}", f"{gender}{accent}{k}", "c", groups, {}, numbers)
                for u in "xy"
            ]
    return out


CELLS = {("f", "a"): 10, ("f", "b"): 20, ("m", "a"): 30, ("m", "b"): 20}


def test_cramers_v_and_chi_squared_on_speakers():
    # By hand: chi-squared = 80 (10 x 20 - 20 x 30)^2 / (30 x 50 x 40 x 40) = 5.3333, V = sqrt(5.3333 / 80).
    pair = confounding(speakers(CELLS), ["gender", "accent"]).pairs[0]
    assert (pair.first, pair.second, pair.n_speakers) == ("gender", "accent", 80)
    assert pair.table == {"f": {"a": 10, "b": 20}, "m": {"a": 30, "b": 20}}
    assert pair.chi_squared == pytest.approx(16 / 3)
    assert pair.cramers_v == pytest.approx(math.sqrt(1 / 15))
    # R: pchisq(16/3, 1, lower.tail = FALSE)
    assert pair.p == pytest.approx(0.0209213, abs=1e-6)
    # of 80 speakers chance alone gives V squared 1/79, and the smaller side has 2 - 1/79 values
    assert pair.cramers_v_corrected == pytest.approx(math.sqrt((1 / 15 - 1 / 79) / (1 - 1 / 79)))
    assert pair.share_expected_below_5 == 0


def test_it_agrees_with_scipy_on_a_larger_table():
    from scipy.stats import chi2_contingency
    from scipy.stats.contingency import association

    cells = {
        (g, a): n
        for (g, row) in (("f", (3, 8, 2)), ("m", (6, 1, 9)), ("x", (2, 2, 4)))
        for a, n in zip("abc", row, strict=True)
    }
    pair = confounding(speakers(cells), ["gender", "accent"]).pairs[0]
    table = [[pair.table[g][a] for a in "abc"] for g in "fmx"]
    answer = chi2_contingency(table, correction=False)
    assert (pair.chi_squared, pair.df, pair.p) == pytest.approx((answer.statistic, answer.dof, answer.pvalue))
    assert pair.cramers_v == pytest.approx(association(table, method="cramer"))
    assert pair.share_expected_below_5 == (answer.expected_freq < 5).mean()


def test_one_that_tells_the_other():
    pair = confounding(speakers({("f", "a"): 7, ("m", "b"): 5}), ["gender", "accent"]).pairs[0]
    assert pair.cramers_v == pytest.approx(1)


def test_speakers_without_a_value_or_with_two_are_counted_not_used():
    observed = speakers(CELLS)
    observed += [
        Observation("n1", "nobody", "c", {"gender": "unknown", "accent": "a"}, {}),
        Observation("t1", "two", "c", {"gender": "f", "accent": "a"}, {}),
        Observation("t2", "two", "c", {"gender": "m", "accent": "a"}, {}),
    ]
    pair = confounding(observed, ["gender", "accent"]).pairs[0]
    assert (pair.n_speakers, pair.left_out) == (80, {"no gender": 1, "several values of gender": 1})


def test_an_attribute_with_one_value_has_a_reason():
    pair = confounding(speakers({("f", "a"): 3, ("f", "b"): 4}), ["gender", "accent"]).pairs[0]
    assert (pair.chi_squared, pair.reason) == (None, "'gender' has one value among these speakers")


def test_a_covariate_by_group():
    # Speaker means: f 1, 3 (mean 2); m 5, 7 (mean 6). Total sum of squares 20, between groups 16.
    snr = {"f": (1.0, 3.0), "m": (5.0, 7.0)}
    observed = speakers({("f", "a"): 2, ("m", "a"): 2}, snr_db=lambda g, _, k: snr[g][k])
    found = confounding(observed, ["gender"], covariates=["snr_db"])
    assert found.pairs == ()
    row = found.covariates[0]
    assert (row.means, row.n_speakers, row.eta_squared) == ({"f": 2, "m": 6}, {"f": 2, "m": 2}, pytest.approx(0.8))
    same = speakers({("f", "a"): 2, ("m", "a"): 2}, snr_db=lambda *_: 3.0)
    flat = confounding(same, ["gender", "accent"], covariates=["snr_db"]).covariates
    assert [one.reason for one in flat] == [
        "'snr_db' is the same for all speakers",
        "'accent' has fewer than two groups",
    ]
    json.dumps(found.to_json(), allow_nan=False)


def test_what_it_refuses():
    with pytest.raises(PedkitError, match="no observation has a speaker"):
        confounding([Observation("u", None, "c", {"gender": "f"}, {})], ["gender"])
    two = [Observation(c, c, c, {"gender": "f"}, {}) for c in "cd"]
    with pytest.raises(PedkitError, match="several: c, d"):
        confounding(two, ["gender"])
    with pytest.raises(PedkitError, match="no observation has the covariate 'snr'"):
        confounding(speakers(CELLS), ["gender"], covariates=["snr"])


def test_an_attribute_that_nobody_has_says_so():
    seen = [Observation(f"u{k}", f"s{k}", "c", {"g": "ab"[k % 2]}, {"per": (1, 10)}) for k in range(4)]
    [pair] = confounding(seen, ["h", "g"]).pairs
    assert (pair.n_speakers, pair.reason) == (0, "no speaker has one known value of both")
