"""Which group is highest, by three estimates of one gap; by hand."""

from pedkit.report.fairness.content import slices
from pedkit.report.fairness.estimates import disagreement
from tests.report.fairness.made_up_content import group, make_content, make_system, pair


def disagreeing(means, pooled, ratios=None, covariates=()):
    groups = [
        group(name, mean) | {"pooled": {"value": together, "numerator": 1, "denominator": 2}}
        for name, mean, together in zip("abc", means, pooled, strict=False)
    ]
    model = None
    if ratios:
        rows = [
            {"value": name, "rate_ratio": {"value": ratio}} for name, ratio in zip("abc", ratios, strict=False)
        ]
        model = {"p": 0.24, "bootstrap": None, "groups": rows, "flags": {}, "worst_to_best": None}
    content = make_content({"s": make_system(groups, [pair(groups[0], groups[1], 0.5)], model=model)})
    content["settings"]["covariates"] = list(covariates)
    [one] = slices(content)
    return disagreement(one, "s", "per")


def test_nothing_is_said_where_all_estimates_agree():
    assert disagreeing((0.3, 0.2), (0.31, 0.22), (1.0, 0.8)) == ""
    assert disagreeing((0.3, 0.2, 0.1), (0.31, 0.1, 0.22)) == ""  # the highest is the same


def test_equal_means_beside_unequal_sums_are_explained():
    assert disagreeing((0.8171, 0.8168), (0.802, 0.722), (1.0, 0.9)) == (
        "The estimates do not point the same way: the mean over speakers is equal for a and b, the rate of all "
        "utterances together is highest for a, the rate ratio of the mixed model is highest for a. The mean "
        "counts every speaker once; together, speakers who said more weigh more; the ratio weighs in between, "
        "nearer to the mean the more speakers differ."
    )


def test_without_a_model_two_estimates_are_compared():
    assert disagreeing((0.3, 0.2), (0.2, 0.3)) == (
        "The estimates do not point the same way: the mean over speakers is highest for a, the rate of all "
        "utterances together is highest for b. The mean counts every speaker once; together, speakers who said "
        "more weigh more."
    )


def test_a_model_with_covariates_names_them():
    assert disagreeing((0.3, 0.2), (0.3, 0.2), (1.0, 1.2), ["snr_db"]).endswith(
        "nearer to the mean the more speakers differ, and holds snr db equal."
    )


def test_what_some_group_lacks_is_no_estimate():
    assert disagreeing((0.3, 0.2), (0.3, None), (1.0, 0.8)) == ""
