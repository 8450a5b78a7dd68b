import json
import math
from dataclasses import replace

import pytest
from glmm_cases import expected, observations, rows

from pedkit.errors import PedkitError
from pedkit.fairness import faas
from pedkit.fairness.faas_result import NOTES
from pedkit.fairness.faas_score import _raw_scores
from pedkit.fairness.likelihood_ratio import LikelihoodRatio
from pedkit.fairness.poisson_fit import Coefficient, fit_terms

pytest.importorskip("glmm", reason="needs the extra 'glmm'")

CATEGORIES = ["gender", "first_language", "socioeconomic_bkgd", "ethnicity"]
B = observations("glmm_b", CATEGORIES)
CASE = expected("glmm_b")


@pytest.fixture(scope="module", params=["published", "offset"])
def both(request):
    return faas(B, categories=CATEGORIES, form=request.param), CASE["faas"][request.param]


def test_every_intermediate_number_as_in_r(both):
    found, answer = both
    tolerance, model = CASE["faas"]["tolerance"], CASE["tolerance"]
    assert list(found.weights) == [one.name for one in found.categories] == CATEGORIES
    assert found.mean_log_length == pytest.approx(answer["mean_log_ref"], abs=1e-9)
    assert found.full.loglik == pytest.approx(answer["loglik_full"], abs=model["loglik_abs"])
    assert found.null.loglik == pytest.approx(answer["loglik_null"], abs=model["loglik_abs"])
    assert found.full.sigmas["speaker"] == pytest.approx(answer["sigma_full"], abs=model["sigma_abs"])
    for category in found.categories:
        wanted = answer["categories"][category.name]
        assert [one.totals.value for one in category.groups] == wanted["levels"]
        rates = [one.predicted_rate for one in category.groups]
        assert rates == pytest.approx(wanted["predicted_rate"], rel=0.002)
        assert [one.raw_score for one in category.groups] == pytest.approx(wanted["raw_score"], abs=0.2)
        assert [one.proportion for one in category.groups] == pytest.approx(wanted["proportion"], abs=1e-12)
        assert category.score == pytest.approx(wanted["category_score"], abs=tolerance["category_score_abs"])
        assert category.test.statistic == pytest.approx(wanted["lrt"], abs=model["lrt_abs"])
        assert category.test.df == wanted["df"]
        assert category.test.p == pytest.approx(wanted["p"], rel=tolerance["p_rel"])
        assert category.multiplier == pytest.approx(wanted["multiplier"], rel=tolerance["p_rel"])
        adjusted = wanted["adjusted_score"]
        assert category.adjusted_score == pytest.approx(adjusted, rel=tolerance["p_rel"], abs=0.02)
    assert found.overall_score == pytest.approx(answer["overall_score"], abs=tolerance["overall_abs"])
    assert found.mean_utterance_error_rate == pytest.approx(answer["mean_utterance_error_rate"], abs=1e-12)
    assert found.corpus_error_rate == pytest.approx(answer["corpus_error_rate"], abs=1e-12)
    assert found.value == pytest.approx(answer["faas_mean_utterance_rate"], abs=tolerance["faas_abs"])
    assert found.value_of_corpus_rate == pytest.approx(answer["faas_corpus_rate"], abs=tolerance["faas_abs"])
    assert str(found) == "23.42"


def test_every_coefficient_as_in_r(both):
    found, answer = both
    for name, value in answer["full_coef"].items():
        attribute = next((one for one in CATEGORIES if name.startswith(one)), None)
        plain = {"(Intercept)": "(intercept)", "log_ref": "log(denominator + 1)"}
        ours = plain.get(name) or f"{attribute}={name.removeprefix(attribute)}"
        assert found.full.coefficients[ours].value == pytest.approx(value, abs=CASE["tolerance"]["coef_abs"])


def test_what_keeps_its_meaning_stands_beside_the_score(both):
    found, answer = both
    gender, language = found.categories[:2]
    assert (gender.extremes.worst, gender.extremes.best) == ("male", "female")
    assert gender.extremes.ratio.value == pytest.approx(math.exp(answer["full_coef"]["gendermale"]), rel=0.002)
    rates = answer["categories"]["gender"]["predicted_rate"]
    assert gender.gap.value == pytest.approx(rates[1] - rates[0], abs=2e-5)
    assert gender.gap.low < 0 < gender.gap.high  # p is 0.145
    assert gender.extremes.ratio.low < 1 < gender.extremes.ratio.high
    assert gender.sd_of_rates == pytest.approx((rates[1] - rates[0]) / math.sqrt(2), abs=2e-5)
    assert gender.warnings == ()
    assert language.warnings == ("'first_language': fewer than 10 speakers in Portuguese",)
    written = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert (written["notes"], written["form"]) == (list(NOTES), found.form)
    assert written["warnings"] == list(language.warnings)


def test_a_gap_has_the_interval_of_the_delta_method():
    # 60 speakers a group, one utterance each, all alike: 300 and 600 errors in 6,000 phones.
    observed = rows(
        ("a", [(f"a{k}", 5, 100) for k in range(60)]),
        ("b", [(f"b{k}", 10, 100) for k in range(60)]),
    )
    category = faas(observed, categories=["accent"], form="offset").categories[0]
    assert category.gap.value == pytest.approx(0.05, abs=1e-6)
    half = (
        1.980272 * math.sqrt(300 + 600) / 6000
    )  # t quantile of 118 degrees of freedom, variance of Poisson rates
    assert (category.gap.low, category.gap.high) == pytest.approx((0.05 - half, 0.05 + half), abs=1e-5)
    assert category.warnings[0].startswith("'accent': p = ")
    assert category.warnings[0].endswith("so the score is driven by how much data there is")


def test_references_of_one_length_leave_the_published_form_defined():
    observed = rows(
        ("a", [(f"a{k}", 5, 100) for k in range(30)]),
        ("b", [(f"b{k}", 10, 100) for k in range(10)]),
    )
    category = faas(observed, categories=["accent"]).categories[0]
    assert [one.predicted_rate for one in category.groups] == pytest.approx([0.05, 0.10], abs=1e-6)
    assert category.score == pytest.approx(75)


def test_a_group_without_errors_is_the_best_one():
    silent = [
        replace(one, sums={"per": (0, one.sums["per"][1])}) if one.groups["gender"] == "female" else one
        for one in B
    ]
    gender = faas(silent, categories=["gender"]).categories[0]
    assert (gender.groups[0].predicted_rate, gender.groups[0].raw_score) == (0.0, 100.0)
    assert gender.groups[1].raw_score == 0
    assert gender.score == pytest.approx(100 * gender.groups[0].proportion)
    assert gender.extremes.ratio.reason == "the rate below the line is 0"
    assert (gender.gap.value, gender.gap.low) == (gender.groups[1].predicted_rate, None)


def test_a_category_with_one_group_is_left_out_and_said():
    observed = [replace(one, groups=dict(one.groups) | {"country": "us"}) for one in B]
    found = faas(observed, categories=["gender", "country"])
    assert found.overall_score == found.categories[0].adjusted_score
    assert found.categories[1].score is None
    assert found.to_json()["warnings"] == ["'country' has no score and is left out: it has one group: us"]


def test_a_model_that_did_not_converge_is_the_first_reason(monkeypatch):
    def fit(*arguments, **settings):
        return replace(fit_terms(*arguments, **settings), converged=False, estimated=(), coefficients=Unfinished())

    class Unfinished(dict):
        def __missing__(self, name):
            return Coefficient(None, None, "the fit did not converge")

    monkeypatch.setattr("pedkit.fairness.faas_score.fit_terms", fit)
    found = faas(B, categories=["gender"])
    assert found.to_json()["faas_reason"] == "no category has a score"
    assert found.to_json()["warnings"] == [
        "'gender' has no score and is left out: the fit of the model with all categories did not converge"
    ]


def test_a_row_without_one_category_is_left_out_of_all_and_counted():
    some = [
        replace(one, groups={"gender": one.groups["gender"]}) if number < 3 else one
        for number, one in enumerate(B)
    ]
    found = faas(some, categories=["gender", "ethnicity"])
    assert (found.rows.left_out, len(found.rows)) == ({"no ethnicity": 3}, 2644)


def test_weights_of_categories():
    equal, one = (
        faas(B, categories=CATEGORIES[:2]),
        faas(B, categories=CATEGORIES[:2], weights={"gender": 3, "first_language": 1}),
    )
    a, b = (category.adjusted_score for category in equal.categories)
    assert equal.overall_score == pytest.approx((a + b) / 2)
    assert one.overall_score == pytest.approx((3 * a + b) / 4)
    with pytest.raises(PedkitError, match="expected a weight"):
        faas(B, categories=CATEGORIES[:2], weights={"gender": 1})
    with pytest.raises(PedkitError, match=r"a weight, 0 or more, for each of gender, .* but got"):
        faas(B, categories=CATEGORIES[:2], weights={"gender": math.nan, "first_language": 1})
    with pytest.raises(PedkitError, match="a weight above 0 for at least one category"):
        faas(B, categories=CATEGORIES[:2], weights={"gender": 0, "first_language": 0})


def test_equal_groups_all_get_100_whatever_a_fit_rounds():
    assert _raw_scores({"a": 0.1, "b": 0.1 + 1e-14, "c": 0.1}) == {"a": 100.0, "b": 100.0, "c": 100.0}
    assert _raw_scores({"a": 0.1, "b": 0.2, "c": 0.125}) == pytest.approx({"a": 100.0, "b": 0.0, "c": 75.0})


def test_an_overall_score_of_0_is_minus_infinity_and_null():
    found = faas(B, categories=["gender"])
    certain = replace(found.categories[0], test=LikelihoodRatio(1e4, 1, 0.0))
    none = replace(found, categories=(certain,))
    assert (none.value, str(none)) == (-math.inf, "-inf")
    written = none.to_json()
    assert (written["faas"], written["faas_reason"]) == (None, "minus infinity: the overall score is 0")


def test_without_errors_or_with_one_speaker_there_is_no_score():
    silent = faas(rows(("a", [("s1", 0, 9)]), ("b", [("s2", 0, 9)])), categories=["accent"])
    assert (silent.value, str(silent), silent.to_json()["faas_reason"]) == (
        None,
        "undefined",
        "no error was counted",
    )
    alone = faas(rows(("a", [("s1", 1, 9)]), ("b", [("s1", 3, 9)])), categories=["accent"])
    assert alone.to_json()["faas_reason"] == "there is one speaker"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"form": "offsets"}, "expected form to be one of published, offset"),
        ({"categories": []}, "expected categories, each once, but got none"),
        ({"categories": ["gender", "gender"]}, "each once"),
        ({"metric": "f1"}, "not a rate of errors"),
    ],
)
def test_settings_that_do_not_fit(settings, message):
    with pytest.raises(PedkitError, match=message):
        faas(B, **{"categories": ["gender"]} | settings)
