import math
import sys
from dataclasses import replace

import pytest
from glmm_cases import expected, observations, rows

from pedkit.errors import PedkitError
from pedkit.fairness import Observation, rate_model

pytest.importorskip("glmm", reason="needs the extra 'glmm'")

A = observations("glmm_a", ["accent", "gender"], ["snr_db"])
C = observations("glmm_c", ["region"])
R_NAMES = {
    "(Intercept)": "(intercept)",
    "accentB": "accent=B",
    "accentC": "accent=C",
    "genderm": "gender=m",
    "snr_db": "snr_db",
    "regionsouth": "region=south",
}


def model_a(observed=A, **settings):
    return rate_model(observed, metric="per", attribute="accent", covariates=["gender", "snr_db"], **settings)


def check_against(model, answer, tolerance):
    full = model.full
    for name, value in answer["coef"].items():
        found = full.coefficients[R_NAMES[name]]
        assert found.value == pytest.approx(value, abs=tolerance["coef_abs"])
        assert found.se == pytest.approx(answer["se"][name], rel=tolerance["se_rel"])
    assert full.sigmas["speaker"] == pytest.approx(answer["sigma_speaker"], abs=tolerance["sigma_abs"])
    assert full.loglik == pytest.approx(answer["loglik"], abs=tolerance["loglik_abs"])
    assert model.test.statistic == pytest.approx(answer["lrt"]["stat"], abs=tolerance["lrt_abs"])
    assert model.test.df == answer["lrt"]["df"]
    assert model.p == pytest.approx(answer["lrt"]["p"], rel=tolerance["p_rel"])


@pytest.mark.parametrize(("points", "key"), [(1, "laplace"), (25, "adaptive_gauss_hermite_25")])
def test_three_accents_with_covariates_as_in_r(points, key):
    case = expected("glmm_a")
    model = model_a(quadrature=points)
    check_against(model, case["rate_model"][key], case["tolerance"])
    assert (len(model.rows), model.rows.n_speakers) == (471, 40)
    assert model.p_method == "likelihood ratio, chi-squared"
    assert model.flags == {}


@pytest.mark.parametrize(("points", "key"), [(1, "laplace"), (25, "adaptive_gauss_hermite_25")])
def test_a_singular_fit_is_the_plain_glm_and_is_flagged(points, key):
    case = expected("glmm_c")
    model = rate_model(C, metric="per", attribute="region", quadrature=points)
    check_against(model, case["rate_model"][key], case["tolerance"])
    assert model.full.sigmas["speaker"] == 0
    assert model.flags == {"boundary_speaker": "the estimated variance between speakers is 0 (a singular fit)"}
    # with one covariate of two values the plain GLM has the pooled rates as its estimates
    north, south = model.groups
    assert south.ratio.value == pytest.approx((379 / 1971) / (283 / 2056), abs=1e-6)
    assert (north.totals.rate, south.totals.rate) == (283 / 2056, 379 / 1971)


def test_a_group_without_errors_keeps_its_test_and_has_rate_0():
    case = expected("glmm_a")["derived_zero_error_group"]
    silent = [
        replace(one, sums={"per": (0, one.sums["per"][1])}) if one.groups["accent"] == "C" else one for one in A
    ]
    model = model_a(silent)
    for name, value in case["coef_without_C"].items():
        assert model.full.coefficients[R_NAMES[name]].value == pytest.approx(value, abs=0.002)
    assert model.full.sigmas["speaker"] == pytest.approx(case["sigma_speaker"], abs=0.002)
    assert model.full.loglik == pytest.approx(case["loglik_full_limit"], abs=0.01)
    assert model.reduced.loglik == pytest.approx(case["loglik_reduced"], abs=0.01)
    assert model.test.statistic == pytest.approx(case["lrt"]["stat"], abs=0.02)
    assert (model.test.df, model.p) == (case["lrt"]["df"], pytest.approx(case["lrt"]["p"], rel=0.02))
    group = model.groups[2]
    assert group.totals.rate == group.ratio.value == 0
    assert (group.coefficient.value, group.coefficient.se) == (-math.inf, None)
    assert (group.ratio.low, group.ratio.high) == (None, None)
    assert model.flags == {"no_errors": "no error was counted in C: estimated rate 0, no standard error"}
    written = model.to_json()["groups"][2]
    assert (written["coefficient"], written["rate_ratio"]["value"]) == (None, 0.0)
    extremes = model.worst_to_best
    assert (extremes.worst, extremes.best, extremes.ratio.reason) == ("B", "C", "the rate below the line is 0")


def test_without_errors_in_the_first_group_another_is_the_reference():
    silent = [
        replace(one, sums={"per": (0, one.sums["per"][1])}) if one.groups["accent"] == "A" else one for one in A
    ]
    assert model_a(silent).reference == "B"
    with pytest.raises(PedkitError, match="no error was counted in 'accent=A'"):
        model_a(silent, reference="A")


def test_another_reference_turns_ratios_round():
    model = model_a(reference="B")
    assert model.groups[0].coefficient.value == pytest.approx(-0.339704, abs=0.002)
    assert model.groups[1].ratio.reason == "the reference"
    low, high = model.groups[0].ratio.low, model.groups[0].ratio.high
    assert (math.log(low), math.log(high)) == pytest.approx(
        (-0.339704 - 2.0301 * 0.169628, -0.339704 + 2.0301 * 0.169628), abs=0.002
    )
    extremes = model.worst_to_best
    assert (extremes.worst, extremes.best) == ("B", "C")
    assert math.log(extremes.ratio.value) == pytest.approx(0.339705 + 0.143275, abs=0.002)


SPEAKERS = [("s1", 3, 20), ("s1", 0, 30), ("s2", 4, 25), ("s3", 9, 31)]
OTHERS = [("s4", 2, 20), ("s5", 1, 30), ("s6", 6, 25)]


def plain(*groups, **settings):
    settings.setdefault("test", "chi-squared")
    return rate_model(rows(*groups), metric="per", attribute="accent", **settings)


def test_an_empty_reference_is_left_out_and_counted():
    without = plain(("a", SPEAKERS), ("b", OTHERS))
    with_empty = plain(("a", SPEAKERS), ("b", [*OTHERS, ("s6", 2, 0)]))
    assert with_empty.rows.left_out == {"denominator 0": 1}
    assert with_empty.full.loglik == without.full.loglik


def test_a_missing_value_leaves_its_row_out_of_this_model_only():
    model = plain(("a", SPEAKERS), ("b", OTHERS), ("unknown", [("s7", 9, 9)]))
    assert model.rows.left_out == {"no accent": 1}
    assert [group.totals.value for group in model.groups] == ["a", "b"]
    some = [replace(one, covariates={} if number == 5 else {"snr_db": number}) for number, one in enumerate(A)]
    assert rate_model(some, metric="per", attribute="accent", covariates=["snr_db"]).rows.left_out == {
        "no snr_db": 1
    }
    assert rate_model(some, metric="per", attribute="accent").rows.left_out == {}


def test_more_errors_than_phones_are_kept():
    model = plain(("a", SPEAKERS), ("b", [*OTHERS, ("s6", 7, 2)]))
    assert model.rows.left_out == {}
    assert model.groups[1].totals.errors == 16


def test_fractional_errors_are_refused_or_said():
    observed = rows(("a", SPEAKERS), ("b", [*OTHERS, ("s6", 0.5, 9)]))
    with pytest.raises(PedkitError, match="not whole numbers"):
        rate_model(observed, metric="per", attribute="accent")
    model = rate_model(observed, metric="per", attribute="accent", allow_fractional=True, test="chi-squared")
    assert model.flags["quasi_likelihood"].startswith("error counts are not whole numbers")


def test_no_error_at_all_and_one_group_give_a_reason_and_no_test():
    silent = plain(("a", [("s1", 0, 20), ("s2", 0, 20)]), ("b", [("s3", 0, 9)]))
    assert (silent.p, silent.test.statistic, silent.test.reason) == (None, None, "no error was counted")
    alone = plain(("a", SPEAKERS))
    assert (alone.p, alone.test.reason) == (None, "'accent' has one group: a")
    assert alone.flags == {"no_model": "'accent' has one group: a"}
    assert alone.to_json()["groups"][0]["rate"] == 16 / 106


def test_a_group_of_one_speaker_is_fitted_and_marked():
    model = plain(("a", SPEAKERS), ("b", [("s4", 6, 20), ("s4", 7, 20)]))
    assert model.groups[1].one_speaker
    assert model.groups[1].coefficient.se > 0
    assert model.flags["one_speaker"] == "one speaker: b; the group cannot be told apart from the speaker"


def test_groups_that_are_speakers_have_no_test():
    each = plain(("a", [("s1", 3, 20), ("s1", 5, 20)]), ("b", [("s2", 1, 20), ("s2", 2, 20)]))
    assert each.test.reason == "every group has one speaker, so groups cannot be told apart from speakers"
    one = plain(("a", [("s1", 3, 20), ("s1", 5, 20)]), ("b", [("s1", 1, 20), ("s1", 2, 20)]))
    assert one.test.reason == "there is one speaker"
    assert each.p is one.p is None


def test_a_speaker_in_two_groups_is_counted():
    model = plain(("a", SPEAKERS), ("b", [*OTHERS, ("s1", 2, 9)]))
    assert model.flags["several_groups"] == "1 speakers are in several groups of 'accent'"


def test_a_covariate_that_separates_is_said_and_the_rest_is_estimated():
    quiet = {"s2": 1.0}  # the only speaker with the covariate makes no error
    observed = [
        replace(one, covariates={"noise": quiet.get(one.speaker, 0.0)})
        for one in rows(("a", [("s1", 3, 20), ("s2", 0, 25), ("s3", 9, 31)]), ("b", OTHERS))
    ]
    settings = {"metric": "per", "attribute": "accent", "test": "chi-squared"}
    model = rate_model(observed, covariates=["noise"], **settings)
    rest = rate_model([one for one in observed if one.speaker != "s2"], **settings)
    assert model.full.coefficients["noise"].value == -math.inf
    assert model.full.loglik == pytest.approx(rest.full.loglik, abs=1e-9)
    assert model.test.statistic == pytest.approx(rest.test.statistic, abs=1e-9)
    assert "separation" in model.flags


def test_an_attribute_that_equals_a_covariate_has_no_test():
    observed = [replace(one, groups={"accent": one.groups["accent"], "room": one.groups["accent"]}) for one in A]
    model = rate_model(observed, metric="per", attribute="accent", covariates=["room"])
    assert (model.p, model.test.df) == (None, 0)
    assert model.test.reason == "the attribute cannot be told apart from the covariates"
    assert model.groups[1].coefficient.reason == "it cannot be told apart from the other columns of the model"


def test_below_20_speakers_the_p_value_is_a_parametric_bootstrap():
    few = [one for one in C if int(one.speaker[1:]) % 4 < 2]
    model = rate_model(few, metric="per", attribute="region", resamples=199)
    assert model.rows.n_speakers == 12
    assert model.p == (model.bootstrap.exceeding + 1) / 200
    assert model.p_method == "likelihood ratio, parametric bootstrap of 199"
    again = rate_model(few, metric="per", attribute="region", resamples=199)
    assert again.bootstrap == model.bootstrap
    assert rate_model(few, metric="per", attribute="region", test="chi-squared").bootstrap is None
    assert rate_model(C, metric="per", attribute="region").bootstrap is None  # 24 speakers


def test_a_prompt_effect_takes_up_what_prompts_share():
    # Six speakers read the same four prompts; the rate depends on the prompt alone.
    observed = [
        Observation(f"{s}{k}", f"s{s}", "c", {"accent": "ab"[s % 2]}, {"per": (errors, 40)}, prompt=f"p{k}")
        for s in range(6)
        for k, errors in enumerate((1, 4, 9, 16))
    ]
    model = rate_model(observed, metric="per", attribute="accent", prompt=True, test="chi-squared")
    assert model.formula == "per errors ~ accent + offset(log(denominator)) + (1 | speaker) + (1 | prompt)"
    assert model.full.sigmas["speaker"] == 0
    assert model.full.sigmas["prompt"] == pytest.approx(1.0, abs=0.25)  # sd of the log rates is 1.02
    assert model.test.statistic == pytest.approx(0, abs=1e-6)
    with pytest.raises(PedkitError, match="quadrature=25 works with one random effect, but the model has 2"):
        rate_model(observed, metric="per", attribute="accent", prompt=True, quadrature=25)


def test_intersections_of_attributes():
    model = rate_model(A, metric="per", attribute=("gender", "accent"))
    assert [group.totals.value for group in model.groups] == ["f & A", "f & B", "f & C", "m & A", "m & B", "m & C"]
    assert model.test.df == 5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"metric": "f1"}, "'f1' is not a rate of errors"),
        ({"metric": "cer"}, "expected a metric out of"),
        ({"metric": "wer"}, "no observation has sums of 'wer'"),
        ({"attribute": "acent"}, "no observation has the attribute or covariate 'acent'"),
        ({"covariates": ["snr"]}, "no observation has the attribute or covariate 'snr'"),
        ({"covariates": ["accent"]}, "expected every term of the model once"),
        ({"quadrature": 2}, "expected quadrature to be odd"),
        ({"reference": "D"}, r"'accent' has no group 'D' to compare with \(there are: A, B, C\)"),
        ({"test": "wald"}, "expected test to be one of auto, chi-squared, bootstrap"),
        ({"resamples": 9}, "at least 19 resamples"),
    ],
)
def test_what_cannot_be_modelled_is_refused(settings, message):
    with pytest.raises(PedkitError, match=message):
        rate_model(A, **{"metric": "per", "attribute": "accent"} | settings)


def test_a_model_needs_speakers_and_one_corpus():
    settings = {"metric": "per", "attribute": "accent"}
    with pytest.raises(PedkitError, match="a mixed model needs speaker ids"):
        rate_model([replace(one, speaker=None) for one in A], **settings)
    two = [replace(one, corpus="d" if number > 300 else "c") for number, one in enumerate(A)]
    with pytest.raises(PedkitError, match="one corpus, but got several: c, d"):
        rate_model(two, **settings)
    some = [replace(one, speaker=None if number == 7 else one.speaker) for number, one in enumerate(A)]
    assert rate_model(some, **settings).rows.left_out == {"no speaker": 1}
    with pytest.raises(PedkitError, match="there are no observations"):
        rate_model([], **settings)


def test_without_the_extra_the_error_names_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "glmm", None)
    with pytest.raises(PedkitError, match=r"need the package 'glmm'.*pip install 'pedkit\[glmm\]'"):
        model_a()
