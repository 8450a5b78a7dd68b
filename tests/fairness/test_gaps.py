import numpy as np
import pytest
from scipy import stats

from pedkit.errors import PedkitError
from pedkit.fairness import GroupFrame, Observation
from pedkit.fairness.gap_of_sets import gap_between_sets, language_gap, relative_gap
from pedkit.fairness.gaps import gap_row, log_ratio

A, B, C = np.array([0.1, 0.2, 0.3, 0.2]), np.array([0.5, 0.4, 0.6]), np.array([0.2, 0.6, 0.1, 0.4, 0.2])


def gap(groups, kind, metric="per", refused=None):
    return gap_row(groups, attribute="accent", corpus="c", metric=metric, kind=kind, refused=refused)


def test_the_widest_difference_has_an_interval_for_all_pairs_together():
    found = gap({"a": A, "b": B, "c": C}, "difference")
    theirs = stats.tukey_hsd(B, A, C, equal_var=False)
    assert (found.worst, found.best, found.value, found.n_groups) == ("b", "a", pytest.approx(0.3), 3)
    limits = theirs.confidence_interval()
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (limits.low[0, 1], limits.high[0, 1]), abs=1e-6
    )
    assert found.p == pytest.approx(theirs.pvalue[0, 1], abs=1e-7)
    assert found.interval.method == "Games-Howell"


def test_a_ratio_lives_on_the_log_scale():
    found = gap({"a": A, "b": B}, "ratio")
    assert found.value == pytest.approx(2.5)
    # Standard errors over means: 0.01 / 0.06 = 1/6 of the variance by hand.
    parts = A.var(ddof=1) / 4 / 0.04, B.var(ddof=1) / 3 / 0.25
    df = sum(parts) ** 2 / (parts[0] ** 2 / 3 + parts[1] ** 2 / 2)
    factor = np.exp(stats.t.ppf(0.975, df) * sum(parts) ** 0.5)  # of two groups the margin is that of t
    assert (found.interval.low, found.interval.high) == pytest.approx((2.5 / factor, 2.5 * factor), rel=1e-6)


def test_where_there_is_no_gap_to_state():
    assert gap({"a": A}, "difference").reason == "fewer than two groups of two speakers or more"
    assert gap({}, "ratio").value is None
    nothing = gap({"a": np.zeros(3), "b": B}, "ratio")
    assert (nothing.value, nothing.worst, nothing.reason) == (None, "b", "the lower of the two means is 0")
    flat = gap({"a": np.full(3, 0.2), "b": np.full(3, 0.4)}, "ratio")
    assert (flat.value, flat.p, flat.reason) == (pytest.approx(2), None, "data are essentially constant")
    refused = gap({"a": A, "b": B}, "difference", refused="speakers are shared")
    assert (refused.value, refused.p, refused.reason) == (pytest.approx(0.3), None, "speakers are shared")


def test_log_ratio_of_sets_by_hand():
    value, error, df = log_ratio([B, C], [A])
    assert value == pytest.approx(0.4 / 0.2)
    parts = [B.var(ddof=1) / 3 / 0.8**2, C.var(ddof=1) / 5 / 0.8**2, A.var(ddof=1) / 4 / 0.04]
    assert error == pytest.approx(sum(parts) ** 0.5)
    assert df == pytest.approx(sum(parts) ** 2 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 4 + parts[2] ** 2 / 3))


def test_the_published_gaps_between_languages():
    # Bias study (arXiv 2606.11639): 36.2 % in PER and 101 % in Soft PER, from means printed to three digits.
    assert relative_gap(0.415, 0.565).value == pytest.approx(0.362, abs=0.0025)
    assert relative_gap(0.280, 0.563).value == pytest.approx(1.01, abs=0.005)
    assert relative_gap(0.0, 0.1).reason == "the reference mean is 0"


@pytest.mark.parametrize("rates", [(float("nan"), 0.1), (0.1, float("inf")), (-0.1, 0.1)])
def test_what_is_no_error_rate_has_no_relative_gap(rates):
    with pytest.raises(PedkitError, match="expected two error rates"):
        relative_gap(*rates)


LANGUAGES = {"en": 0.2, "spa": 0.4, "fr": 0.6, "hi": 0.5, "bn": 0.5, "pa": 0.5, "ta": 0.5, "te": 0.6}
LANGUAGES |= {"ar": 0.6, "tr": 0.7, "sn": 0.1}


def test_languages_count_alike_and_then_models():
    other = dict.fromkeys(LANGUAGES, 0.8)
    found = language_gap({"one": LANGUAGES, "two": other})
    assert found.reference == pytest.approx((0.4 + 0.8) / 2)
    assert found.compared == pytest.approx((0.5 + 0.8) / 2)
    assert found.value == pytest.approx(0.05 / 0.6)
    assert found.interval.reason == "computed from means alone"


def test_a_model_without_a_language_is_named():
    lacking = {name: rate for name, rate in LANGUAGES.items() if name != "sn"} | {"ta": None}
    with pytest.raises(PedkitError, match="model 'two': no mean for ta, sna"):
        language_gap({"one": LANGUAGES, "two": lacking})
    with pytest.raises(PedkitError, match="at least one model"):
        language_gap({})


def test_two_sets_of_groups_have_an_interval():
    found = gap_between_sets({"a": A, "b": B, "c": C}, reference=["a"], compared=["b", "c"])
    assert (found.reference, found.compared, found.value) == pytest.approx((0.2, 0.4, 1.0))
    ratio, error, df = log_ratio([B, C], [A])
    factor = np.exp(stats.t.ppf(0.975, df) * error)
    assert (found.interval.low, found.interval.high) == pytest.approx((ratio / factor - 1, ratio * factor - 1))


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ({"a": np.zeros(3), "b": B}, "a mean is 0"),
        ({"a": A, "b": B[:1]}, "one speaker: b"),
        ({"a": np.full(3, 0.2), "b": np.full(3, 0.4)}, "data are essentially constant"),
    ],
)
def test_where_a_relative_gap_has_no_interval(groups, reason):
    found = gap_between_sets(groups, reference=["a"], compared=["b"])
    assert (found.interval.low, found.interval.reason) == (None, reason)


@pytest.mark.parametrize(
    ("reference", "compared", "message"),
    [
        ([], ["b"], "the set 'reference' is empty"),
        (["a"], [], "the set 'compared' is empty"),
        (["a", "b"], ["b"], "expected every group once in one of two sets, but 'b' stands there twice"),
        (["a", "a"], ["b"], "'a' stands there twice"),
    ],
)
def test_sets_that_are_empty_or_overlap_are_refused(reference, compared, message):
    with pytest.raises(PedkitError, match=message):
        gap_between_sets({"a": A, "b": B}, reference=reference, compared=compared)
    with pytest.raises(PedkitError, match=message):
        language_gap({"one": {"a": 0.1, "b": 0.2}}, reference, compared)


def test_groups_of_any_attribute_are_found_as_they_are_written():
    found = language_gap({"one": {"es": 0.1, "pa": 0.2, "en": 0.4}}, ["es", "pa"], ["en"])
    assert (found.reference, found.compared) == pytest.approx((0.15, 0.4))


@pytest.mark.parametrize(("asked", "there"), [("eng", "en"), ("en", "eng")])
def test_a_language_that_is_not_there_as_it_is_written_is_found_by_its_other_code(asked, there):
    found = language_gap({"one": {there: 0.1, "hin": 0.2}}, [asked], ["hi"])
    assert (found.reference, found.compared) == (0.1, 0.2)
    with pytest.raises(PedkitError, match=r"model 'one': .* but 'en.?' stands there twice"):
        language_gap({"one": {there: 0.1, "hin": 0.2}}, [asked], [there])


@pytest.mark.parametrize("asked", ["eng", "en"])
def test_a_language_under_both_of_its_codes_is_refused(asked):
    with pytest.raises(PedkitError, match=r"model 'm': 'en.?' and 'en.?' are both there, and may be one language"):
        language_gap({"m": {"en": 0.1, "eng": 0.5, "hi": 0.2}}, [asked], ["hin"])


def test_a_frame_gives_the_gap_between_sets_of_its_groups():
    rows = [
        Observation(f"{name}{k}", f"{name}{k}", "c", {"accent": name}, {"per": (value, 1)})
        for name, values in (("a", A), ("b", B), ("c", C))
        for k, value in enumerate(values)
    ]
    frame = GroupFrame(observations=rows, metrics=["per"], attributes=["accent"])
    found = frame.relative_gap("accent", metric="per", reference=["a"], compared=["b", "c"])
    assert found == gap_between_sets({"a": A, "b": B, "c": C}, reference=["a"], compared=["b", "c"])
    with pytest.raises(PedkitError, match="no mean for d"):
        frame.relative_gap("accent", metric="per", reference=["a"], compared=["d"])
    with pytest.raises(PedkitError, match="no table of 'f1' by 'accent' in corpus 'c'"):
        frame.relative_gap("accent", metric="f1", reference=["a"], compared=["b"])
    shared = [*rows, Observation("x", "a0", "c", {"accent": "b"}, {"per": (1, 4)})]
    frame = GroupFrame(observations=shared, metrics=["per"], attributes=["accent"])
    found = frame.relative_gap("accent", metric="per", reference=["a"], compared=["b"])
    assert found.interval.reason == "1 speaker is in several groups: 'a0' in 'a' and 'b'"
