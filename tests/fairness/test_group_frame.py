import json

import numpy as np
import pytest

from pedkit.errors import PedkitError
from pedkit.fairness import GroupFrame, Observation, speakers_needed
from tests.fairness.made_up_groups import everything, frame, row, seen, speakers


def test_a_speaker_counts_once_whatever_the_number_of_utterances():
    rows = [
        seen("1", "c:s", 1, 10, accent="a"),
        seen("2", "c:s", 9, 30, accent="a"),
        seen("3", "c:t", 5, accent="a"),
    ]
    found = row(frame(rows), "a")
    assert (found.n_speakers, found.n_utterances) == (2, 3)
    assert found.mean == pytest.approx((10 / 40 + 5 / 10) / 2)
    assert (found.pooled.value, found.pooled.numerator, found.pooled.denominator) == (0.3, 15, 50)


def test_a_speakers_rate_may_be_the_mean_over_utterances():
    rows = [
        seen("1", "c:s", 1, 10, accent="a"),
        seen("2", "c:s", 9, 30, accent="a"),
        seen("3", "c:s", 0, 0, accent="a"),
    ]
    assert row(frame(rows, speaker_rate="mean_of_utterances"), "a").mean == pytest.approx((0.1 + 0.3) / 2)
    with pytest.raises(PedkitError, match="pooled, mean_of_utterances, but got 'median'"):
        frame(rows, speaker_rate="median")


def test_intersections_are_groups_and_a_missing_part_makes_the_whole_unknown():
    rows = [
        seen("1", "c:1", 1, accent="a", gender="f"),
        seen("2", "c:2", 2, accent="a", gender="m"),
        seen("3", "c:3", 3, accent="b", gender="unknown"),
        seen("4", "c:4", 4, accent="b"),
    ]
    table = frame(rows, attributes=["gender", ("gender", "accent")])
    assert [(r.attribute, r.value, r.mean) for r in table.by_group] == [
        ("gender", "f", 0.1),
        ("gender", "m", 0.2),
        ("gender", "unknown", 0.35),
        ("gender & accent", "f & a", 0.1),
        ("gender & accent", "m & a", 0.2),
        ("gender & accent", "unknown", 0.35),
    ]


def test_corpora_are_never_pooled_unless_asked():
    rows = speakers("a", [1, 3]) + [seen(f"d{k}", f"d:{k}", 5 + k, corpus="d", accent="a") for k in range(2)]
    table = frame(rows)
    assert [(r.corpus, r.mean) for r in table.by_group] == [("c", 0.2), ("d", 0.55)]
    assert [(r.corpus, r.mean) for r in table.overall] == [("c", 0.2), ("d", 0.55)]
    pooled = frame(rows, pool_corpora=True)
    assert [(r.corpus, r.mean, r.n_speakers) for r in pooled.by_group] == [
        ("all corpora", pytest.approx(0.375), 4)
    ]


def test_a_speaker_id_in_two_pooled_corpora_is_refused():
    rows = [seen("1", "s", 1, accent="a"), seen("2", "s", 1, corpus="d", accent="a")]
    assert [r.n_speakers for r in frame(rows).by_group] == [1, 1]
    with pytest.raises(PedkitError, match=r"utterance '2': speaker 's' is in corpus 'c' and in 'd'"):
        frame(rows, pool_corpora=True)


def test_two_kinds_of_reference_are_never_pooled():
    rows = [seen("1", "c:1", 1, accent="a"), seen("2", "c:2", 1, accent="a", reference="G2P reference")]
    with pytest.raises(
        PedkitError, match=r"utterance '2': counted against G2P reference, but '1' against realized"
    ):
        frame(rows)
    apart = [rows[0], seen("2", "d:2", 2, corpus="d", accent="a", reference="G2P reference")]
    assert [r.mean for r in frame(apart).by_group] == [0.1, 0.2]
    with pytest.raises(PedkitError, match="never pooled"):
        frame(apart, pool_corpora=True)


def test_without_speaker_ids_there_are_point_estimates_only():
    rows = [*speakers("a", [1, 2, 3]), seen("x", None, 4, accent="b"), seen("y", "c:y", 6, accent="b")]
    table = frame(rows)
    known, anonymous = row(table, "a"), row(table, "b")
    assert (known.mean, known.interval.low is None) == (pytest.approx(0.2), False)
    assert (anonymous.mean, anonymous.sd, anonymous.n_speakers) == (None, None, None)
    assert (anonymous.pooled.value, anonymous.pooled.disparity) == (0.5, pytest.approx(0.5 - 16 / 50))
    why = "1 of 2 utterances has no speaker id"
    assert anonymous.reason == anonymous.interval.reason == anonymous.pooled.interval.reason == why
    assert anonymous.flags == ("no_speaker_ids",)
    assert (table.overall[0].mean, table.overall[0].pooled.value) == (None, 0.32)
    assert (known.from_speaker_mean.value, known.from_mean_of_group_means.value) == (None, None)
    assert "no speaker id" in known.from_speaker_mean.interval.reason
    [pair], [gap], [omnibus] = table.pairwise(), table.difference(), table.omnibus()
    assert (pair.p, pair.difference, pair.stars) == (None, None, "")
    assert (pair.reason, gap.value, gap.p) == (f"{why}: b", None, None)
    assert omnibus.welch_anova.reason == omnibus.kruskal_wallis.reason == f"{why} in group 'b'"
    assert table.notes == [
        "c: 1 of 5 utterances has no speaker id; groups with such utterances have no interval and no test"
    ]
    everything(table)


def test_a_speaker_with_two_values_is_named_and_never_gets_a_star():
    rows = speakers("a", [1, 1, 1, 2]) + speakers("b", [8, 9, 8, 8]) + speakers("d", [8, 9, 9, 7])
    rows.append(seen("slip", "c:a0", 3, accent="b"))
    table = frame(rows)
    assert (row(table, "a").n_speakers, row(table, "b").n_speakers) == (4, 5)
    assert row(table, "b").mean == pytest.approx((0.8 + 0.9 + 0.8 + 0.8 + 0.3) / 5)
    assert row(table, "b").interval.low is not None
    pairs = {(p.row, p.column): p for p in table.pairwise()}
    assert pairs["a", "b"].reason == "1 speaker(s) in both groups, for example 'c:a0'"
    assert (pairs["a", "b"].p, pairs["a", "b"].stars, pairs["a", "b"].hedges_g) == (None, "", None)
    assert pairs["a", "d"].stars == "***"
    why = "1 speaker is in several groups: 'c:a0' in 'a' and 'b'"
    assert table.omnibus()[0].welch_anova.reason == row(table, "a").from_speaker_mean.interval.reason == why
    assert (table.difference()[0].value, table.difference()[0].p) == (pytest.approx(0.825 - 0.125), None)
    assert table.notes == [f"c, accent: {why}; groups that share speakers are not compared"]
    everything(table)


def test_speakers_with_nothing_to_judge_are_dropped_and_counted():
    rows = [*speakers("a", [1, 2, 3]), seen("n", "c:n", 2, 0, accent="a"), seen("o", "c:o", 0, 0, accent="b")]
    table = frame(rows)
    assert (row(table, "a").n_speakers, row(table, "a").n_dropped) == (3, 1)
    assert row(table, "a").mean == pytest.approx(0.2)
    assert row(table, "a").pooled.value == 8 / 30  # the error without a reference phone still happened
    empty = row(table, "b")
    assert (empty.mean, empty.pooled.value, empty.n_speakers, empty.n_dropped) == (None, None, 0, 1)
    assert empty.reason == empty.interval.reason == "no speaker with a value"
    assert table.pairwise()[0].reason == "b has no speaker with a value"
    everything(table)


def test_metrics_may_be_defined_for_different_speakers():
    rows = [
        Observation(str(k), f"c:{k}", "c", {"accent": "a"}, {"per": (k, 10), "far": (k, 0 if k == 1 else 5)})
        for k in range(1, 5)
    ]
    both = {r.metric: r for r in frame(rows, metrics=["per", "far"]).by_group}
    [alone] = frame(rows, metrics=["per"]).by_group
    assert both["per"] == alone
    assert (both["far"].n_speakers, both["far"].mean) == (3, pytest.approx((2 + 3 + 4) / 15))


@pytest.mark.parametrize("ci", ["auto", "paper", "bca", "percentile", "t", "bootstrap-t"])
def test_another_group_changes_no_interval(ci):
    draw = np.random.default_rng(0)
    rows = speakers("a", draw.integers(0, 9, 12)) + speakers("b", draw.integers(0, 9, 25))
    fewer, more = frame(rows, ci=ci), frame(rows + speakers("aa", [1, 2, 9]), ci=ci)
    for value in ("a", "b"):
        assert row(fewer, value).interval == row(more, value).interval
    assert fewer.to_json() == frame(rows[::-1], ci=ci).to_json()
    if ci != "t":
        assert row(frame(rows, ci=ci, seed=1), "a").interval != row(fewer, "a").interval


def test_the_interval_of_a_disparity_is_drawn_jointly_and_by_group():
    draw = np.random.default_rng(7)
    groups = {"a": draw.integers(0, 90, 25), "b": draw.integers(20, 60, 30), "d": draw.integers(30, 99, 45)}
    rows = [r for name, errors in groups.items() for r in speakers(name, errors, phones=100)]
    table = frame(rows, ci="percentile", resamples=20_000)
    rng = np.random.default_rng(1)
    means = {n: e[rng.integers(0, len(e), (20_000, len(e)))].mean(axis=1) / 100 for n, e in groups.items()}
    overall = sum(len(groups[n]) * m for n, m in means.items()) / 100
    for name in groups:
        found = row(table, name)
        for interval, center in (
            (found.from_speaker_mean.interval, overall),
            (found.from_mean_of_group_means.interval, sum(means.values()) / 3),
        ):
            expected = np.quantile(means[name] - center, [0.025, 0.975])
            # The deviation of such an end over seeds is about 0.0006.
            assert [interval.low, interval.high] == pytest.approx(expected.tolist(), abs=0.004)


def test_a_pooled_rate_has_an_interval_with_speakers_as_the_unit():
    draw = np.random.default_rng(3)
    sizes, errors = draw.integers(20, 400, 40), draw.integers(0, 20, 40)
    rows = [
        seen(str(k), f"c:{k}", int(e), int(n), accent="a")
        for k, (e, n) in enumerate(zip(errors, sizes, strict=True))
    ]
    found = row(frame(rows, ci="percentile", resamples=20_000), "a")
    index = np.random.default_rng(1).integers(0, 40, (20_000, 40))
    expected = np.quantile(errors[index].sum(axis=1) / sizes[index].sum(axis=1), [0.025, 0.975])
    assert [found.pooled.interval.low, found.pooled.interval.high] == pytest.approx(expected.tolist(), abs=0.0012)


def test_groups_of_one_are_fixed_in_one_disparity_and_undefined_in_the_other():
    table = frame(speakers("a", [1, 2, 3, 5, 8]) + speakers("b", [2, 3, 3, 4, 6]) + speakers("d", [9]))
    a, d = row(table, "a"), row(table, "d")
    assert a.from_speaker_mean.interval.low is not None
    assert a.from_speaker_mean.interval.reason == "groups of one speaker are taken as fixed: d"
    assert a.from_mean_of_group_means.interval.reason == "the spread of a group of one speaker is unknown: d"
    assert a.from_mean_of_group_means.interval.low is None
    assert (d.interval.reason, d.from_speaker_mean.interval.reason) == ("one speaker", "one speaker")
    assert d.flags == ("few_speakers", "one_speaker")


def test_groups_without_any_difference_are_undefined_and_have_no_stars():
    table = frame(speakers("a", [2, 2, 2], phones=10) + speakers("b", [6, 6], phones=30))
    for found in table.by_group:
        assert (
            found.interval.reason == found.from_speaker_mean.interval.reason == "all speakers have the same value"
        )
        assert (found.mean, found.flags) == (pytest.approx(0.2), ("few_speakers", "same_value"))
    [pair] = table.pairwise()
    assert (pair.p, pair.p_permutation, pair.stars, pair.reason) == (
        None,
        None,
        "",
        "data are essentially constant",
    )
    everything(table)


def test_one_group_is_a_table_without_tests():
    table = frame(speakers("a", [1, 2, 3]))
    assert (table.pairwise(), len(table.by_group)) == ([], 1)
    [gap], [omnibus] = table.ratio(), table.omnibus()
    assert (gap.value, gap.worst, gap.best, gap.reason) == (
        None,
        None,
        None,
        "fewer than two groups of two speakers or more",
    )
    assert omnibus.welch_anova.reason == "fewer than two groups"
    assert table.notes == ["c, accent: fewer than two named groups, nothing to compare"]


def test_of_f1_more_is_better():
    rows = speakers("a", [8, 9, 9], metric="f1") + speakers("b", [3, 4, 5], metric="f1")
    table = frame(rows, metrics=["f1"])
    [gap] = table.difference()
    assert (gap.worst, gap.best, gap.value) == ("b", "a", pytest.approx(26 / 30 - 0.4))
    assert row(table, "b").ratio_to_best == pytest.approx(0.4 / (26 / 30))
    assert table.pairwise()[0].prob_row_worse == 0


def test_permutation_tests_are_made_where_groups_are_small():
    draw = np.random.default_rng(0)
    rows = [r for name, n in (("a", 30), ("b", 40), ("d", 5)) for r in speakers(name, draw.integers(0, 9, n))]
    table = frame(rows)
    for wanted, made in (("small", [False, True, True]), ("all", [True] * 3), ("none", [False] * 3)):
        assert [p.p_permutation is not None for p in table.pairwise(permutation=wanted)] == made


def test_too_many_values_get_no_pair_tables():
    rows = [seen(f"{k}{j}", f"c:{k}{j}", k % 7 + j, accent=f"{k:02}") for k in range(61) for j in range(2)]
    table = frame(rows, ci="t")
    assert (table.pairwise(), len(table.by_group)) == ([], 61)
    assert table.notes == ["c, accent: 61 groups are too many for pair tables (at most 60)"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rows": []}, "at least one observation"),
        ({"metrics": ["wer"]}, r"no observation has the metric 'wer' \(there are: per\)"),
        ({"attributes": ["acent"]}, "no utterance has the group key 'acent'"),
        ({"ci": "normal"}, "expected 'ci' to be one of auto"),
        ({"resamples": 10}, "from 100 to 1,000,000 resamples, but got 10"),
        ({"resamples": 10**12}, "from 100 to 1,000,000 resamples, but got 1000000000000"),
        ({"resamples": 1000.5}, "expected resamples to be .*, but got 1000.5"),
        ({"rows": [1, 2]}, "expected observations, but got 1"),
        ({"metrics": []}, r"at least one metric, but got none \(there are: per\)"),
        ({"attributes": [()]}, r"the name of an attribute, or several, but got \(\)"),
        ({"rows": [*speakers("a", [1]), *speakers("a", [1])]}, "utterance 'a0': the utterance was observed twice"),
    ],
)
def test_what_cannot_be_is_one_sentence(wrong, message):
    with pytest.raises(PedkitError, match=message):
        frame(**({"rows": speakers("a", [1, 2])} | wrong))


def test_json_holds_every_table_and_no_nan():
    table = frame(speakers("a", [1, 2, 3]) + speakers("b", [5, 6, 9]) + speakers("d", [4]))
    found = json.loads(everything(table))
    assert list(found) == [
        "settings",
        "notes",
        "overall",
        "by_group",
        "difference",
        "ratio",
        "omnibus",
        "pairwise",
    ]
    assert found["settings"] == {
        "metrics": ["per"],
        "ci": "auto",
        "resamples": 200,
        "seed": 0,
        "attributes": ["accent"],
        "pool_corpora": False,
        "speaker_rate": "pooled",
        "level": 0.95,
    }
    assert [(p["row"], p["column"], p["p"] is None) for p in found["pairwise"]] == [
        ("a", "b", False),
        ("a", "d", True),
        ("b", "d", True),
    ]
    assert found["by_group"][0]["interval"]["method"] == "t"
    assert found["by_group"][2]["interval"] == {"low": None, "high": None, "method": None, "reason": "one speaker"}


def test_how_many_speakers_a_gap_takes():
    draw = np.random.default_rng(0)
    a, b = draw.integers(0, 9, 12), draw.integers(2, 6, 7)
    table = frame(speakers("a", a) + speakers("b", b) + speakers("d", [3]))
    rows = table.speakers_needed(0.1)
    assert [(r.row, r.column, r.n_row, r.n_column) for r in rows] == [
        ("a", "b", 12, 7),
        ("a", "d", 12, 1),
        ("b", "d", 7, 1),
    ]
    spread = float((a / 10).std(ddof=1)), float((b / 10).std(ddof=1))
    assert rows[0].needed == speakers_needed(0.1, spread)[0]
    assert (rows[1].needed, rows[1].reason) == (None, "n/a (1 speaker): d")
    with pytest.raises(PedkitError, match="expected a gap"):
        table.speakers_needed(0)
    more = frame(speakers("a", a) + speakers("b", b) + speakers("d", [3, 5, 7])).speakers_needed(0.1)
    assert more[0].needed == speakers_needed(0.1, spread, alpha=0.05 / 3)[0]


def test_one_name_is_a_list_of_one():
    rows = [*speakers("a", [1, 2]), *speakers("b", [3, 5])]
    table = GroupFrame(observations=rows, metrics="per", attributes="accent", ci="t")
    assert (table.metrics, table.attributes) == (("per",), ("accent",))


@pytest.mark.parametrize("seed", [-1, 1.5, "x", True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(PedkitError, match="expected seed to be"):
        _ = frame([*speakers("a", [1, 2]), *speakers("b", [3, 5])], seed=seed).by_group


def test_an_unknown_choice_of_permutation_tests_is_refused():
    with pytest.raises(PedkitError, match="'permutation' to be one of small, all, none, but got 'some'"):
        frame([*speakers("a", [1, 2]), *speakers("b", [3, 5])]).pairwise(permutation="some")
