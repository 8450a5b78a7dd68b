import re

import pytest

from pedkit.report.fairness.content import Slice, slices
from pedkit.report.fairness.faas import faas_parts
from pedkit.report.fairness.page import fairness_part
from pedkit.report.fairness.section import attribute_sections
from pedkit.report.fairness.sets import set_sentences
from pedkit.report.fairness.soft import soft_rows
from pedkit.report.html import render
from pedkit.report.page import Page, SetPage
from pedkit.report.soft_words import coverage
from tests.report.conftest import SOFT, rate, system
from tests.report.fairness.made_up_content import group, make_content, make_system


@pytest.fixture
def scores(three):
    return {"systems": {"s": system()}, "references": {}, "settings": SOFT, "versions": {}}


def page(content, scores):
    return render(
        Page(title="t", sets=(SetPage(key="x", title="X", scores=scores, details={}, fairness=content),))
    )


def test_groups_are_sorted_by_their_mean_and_numbers_by_size(three):
    [section] = attribute_sections(three)
    assert [row.group for row in section.metrics[0].systems[0].rows] == ["indian", "welsh", "english"]
    ages = make_content({"s": make_system([group("9", 0.1), group("10-14", 0.3), group("unknown", 0.9)], [])})
    [section] = attribute_sections(ages)
    rows = section.metrics[0].systems[0].rows
    assert [row.group for row in rows] == ["9", "10-14", "unknown (in no comparison)"]


def test_a_row_says_how_many_speakers_mean_interval_method_and_distance(three):
    [section] = attribute_sections(three)
    row = section.metrics[0].systems[0].rows[1]
    assert (row.group, row.few, row.speakers, row.utterances, row.mean) == ("welsh", True, "5", "40", "22.0")
    assert (row.interval, row.method, row.disparity, row.pooled, row.tip) == (
        "20.0 to 24.0",
        "BCa",
        "+2.0",
        "22.0",
        "22 / 100",
    )


def test_what_is_undefined_is_a_dash_with_its_reason():
    content = make_content({"s": make_system([group("a", 0.2, None), group("b", 0.1, 1)], [])})
    [section] = attribute_sections(content)
    first, second = section.metrics[0].systems[0].rows
    assert (first.mean, first.interval, first.method, first.speakers, first.pooled) == (
        "–",
        "–",
        "–",
        "unknown",
        "20.0",
    )
    assert "no speaker ids" in first.tip
    assert (second.mean, second.interval) == ("10.0", "–")
    assert "one speaker" in second.tip


def test_without_a_model_the_forest_shows_gaps_and_with_one_ratios(three):
    [section] = attribute_sections(three)
    part = section.metrics[0].systems[0]
    assert not part.forest_is_ratio
    assert re.findall(r'<text class="label"[^>]*>([^<]+)<', part.forest) == ["indian", "indian", "welsh"]
    assert "9.0 (+6.0 to +12.0)" in part.forest
    ratio = {"value": 1.4, "low": 1.1, "high": 1.8, "reason": None}
    groups = [{"value": name, "rate_ratio": dict(ratio, value=1.0, low=None) if name == "english" else ratio}
              for name in ("english", "indian", "welsh")]  # fmt: skip
    model = {
        "p": 0.01,
        "bootstrap": None,
        "groups": groups,
        "flags": {"a": "the variance is 0"},
        "reference": "english",
    }
    three["systems"]["s"]["models"] = [three["systems"]["s"]["omnibus"][0] | model]
    part = attribute_sections(three)[0].metrics[0].systems[0]
    assert (part.forest_is_ratio, part.reference, part.model) == (True, "english", "The variance is 0")
    assert "1.40 (1.10 to 1.80)" in part.forest
    assert "reference" in part.forest


def test_the_page_has_sentences_figures_and_tables_and_stays_one_file(three, scores):
    html = page(three, scores)
    assert "PER is higher for indian than for english" in html
    assert html.count('class="dot s0"') == 20 + 14 + 5
    assert "Differences between groups are differences in measured error" in html
    assert "url(" not in html
    assert not re.search(r"<h4>FAAS|PER beside Soft PER|Two sets of groups", html)
    assert "Groups compared" not in page(None, scores)


def test_words_have_a_page_without_phones(three):
    content = make_content(
        {"s": make_system([group("a", 0.2, metric="wer"), group("b", 0.3, metric="wer")], [])}, metric="wer"
    )
    scores = {"systems": {"s": {"wer": rate(20, 100), "groups": {}}}, "settings": {}, "versions": {}}
    one = SetPage(key="x", title="X", scores=scores, details={}, fairness=content)
    html = render(Page(title="t", sets=(one,), words=True))
    assert "20 errors on 100 words (WER 20.0 %)" in html
    assert re.search(r'data-tip="20 / 100">20\.0', html)
    assert "phone" not in re.sub(r"<style>.*</style>", "", html, flags=re.DOTALL).lower()


def test_soft_per_stands_beside_per_with_what_each_tier_forgave():
    fields = {"substitutions": 6, "deletions": 3, "insertions": 1, "soft_substitutions": 2, "soft_deletions": 3}
    fields |= {"soft_insertions": 1, "soft_tier1": 3, "soft_tier2": 1, "soft_unknown": 2, "soft_distance": 6 * 48}
    one = {"per": rate(10, 50), "soft_per": rate(6, 50), "fields": fields}
    groups = {"gender*accent": {"toy": {"f & x": one, "m & x": one}}}
    scores = {"systems": {"s": {"groups": groups}}, "settings": {}}
    first, second = soft_rows(scores, "s")
    assert (first.key, first.group, first.per, first.soft) == ("gender & accent", "f & x", "20.0", "12.0")
    assert (first.forgiven, first.by_class, first.by_pair, first.in_no_class) == ("40", "3", "1", "2")
    assert (second.key, second.group) == ("", "m & x")
    one["fields"] = fields | {"soft_distance": 8 * 48}  # each of the four soft-equal pairs costs half an error
    assert [row.forgiven for row in soft_rows(scores, "s")] == ["20", "20"]


@pytest.mark.parametrize(
    ("settings", "sentences"),
    [
        (
            {},
            "Its classes hold in every language. "
            "Its pairs of phones hold in one language each: 54 pairs for eng, 0 pairs for hin.",
        ),
        ({"soft_tiers": [1]}, "Its classes hold in every language. Its pairs of phones are not in use."),
        (
            {"soft_tiers": [2], "soft_tier1_scope": "listed"},
            "Its classes are not in use. "
            "Its pairs of phones hold in one language each: 54 pairs for eng, 0 pairs for hin.",
        ),
        (
            {"soft_tiers": [1], "soft_tier1_scope": "listed", "soft_cost": 0.5},
            "Its classes hold in the languages of AlloVera only: eng. Its pairs of phones are not in use. "
            "A substitution that they make soft-equal still costs 0.5 of an error.",
        ),
        (
            {"soft_tiers": [1], "soft_tier1_scope": "listed", "soft_coverage": {"hin": 0}},
            "Its classes hold in the languages of AlloVera only, to which none of these belongs. "
            "Its pairs of phones are not in use.",
        ),
        (
            {"soft_preset": "none", "soft_extra_pairs": [["t", "ɾ"]]},
            "It has no table. 1 further pair was added.",
        ),
        ({"soft_coverage": {}}, ""),
    ],
)
def test_where_soft_per_forgives_is_said_by_its_settings(settings, sentences):
    assert coverage(SOFT | {"soft_coverage": {"eng": 54, "hin": 0}} | settings) == sentences


def test_faas_stands_with_what_keeps_its_meaning_and_its_warnings():
    ratio = {"worst": "b", "best": "a", "ratio": {"value": 1.5, "low": 1.1, "high": 2.0}}
    category = {
        "likelihood_ratio": {"p": 0.02},
        "category_score": 50.0,
        "adjusted_score": 20.0,
        "worst_to_best": ratio,
    }
    category |= {"gap": {"value": 0.05, "low": -0.01, "high": 0.11}}
    score = {"corpus": "toy", "form": "published", "faas": 21.236, "categories": {"age_group": category}}
    score |= {"warnings": ["few"], "notes": ["many"]}
    content = {
        "systems": {"s": {"faas": [score, {"corpus": "x", "form": "offset", "faas": None, "faas_reason": "why"}]}}
    }
    first, second = faas_parts(content)
    assert (first.heading, first.value, first.warnings) == ("s, toy, published form", "21.24", ["few"])
    [row] = first.rows
    assert (row.category, row.score, row.p, row.adjusted) == ("age group", "50.0", "p = 0.02", "20.0")
    assert (row.ratio, row.gap) == ("1.50 (1.10 to 2.00), b to a", "5.0 (−1.0 to 11.0)")
    assert second.value == "undefined: why"


def test_two_sets_of_groups_are_one_sentence(three, scores):
    three["settings"]["sets"] = {"reference": ["eng", "spa"], "compared": ["hin"]}
    named = {"attribute": "language", "corpus": "toy", "metric": "per"}
    known = {"reference": 0.415, "compared": 0.565, "value": 0.3614, "reason": None}
    three["gap_between_sets"] = [named | known]
    assert fairness_part(three, scores).sets == [
        "PER: 41.5 % on average over eng, spa; 56.5 % over hin: +36 % relative to the first."
    ]
    assert "Two sets of groups" in page(three, scores)


def test_a_gap_between_sets_names_its_corpus_and_one_that_is_undefined_its_reason(three, scores):
    three["settings"]["sets"] = {"reference": ["eng"], "compared": ["hin"]}
    known = {"reference": 0.2, "compared": 0.3, "value": 0.5, "reason": None}
    missing = {"value": None, "reason": "model 's': no mean for hin (there are: eng)"}
    three["gap_between_sets"] = [
        {"attribute": "language", "corpus": corpus, "metric": metric} | found
        for corpus, found in (("A", known), ("B", missing))
        for metric in ("per", "far")
    ]
    wanted = [
        "PER by language, corpus A: 20.0 % on average over eng; 30.0 % over hin: +50 % relative to the first.",
        "FAR by language, corpus A: 20.0 % on average over eng; 30.0 % over hin: +50 % relative to the first.",
        "No gap between the two sets in PER, FAR by language, corpus B: model 's': no mean for hin (there are: "
        "eng).",
    ]
    assert set_sentences(three) == wanted
    assert set_sentences(three, ["per"]) == [wanted[0], wanted[2].replace(", FAR", "")]
    assert "corpus B: model &#39;s&#39;: no mean for hin" in page(three, scores)


def test_notes_on_what_was_asked_for_stand_first(three, scores):
    three["notes"] = ["'far' was asked for and is left out"]
    three["systems"]["s"]["notes"] = ["one"]
    assert fairness_part(three, scores).notes == ["'far' was asked for and is left out", "one"]


def test_the_rate_of_a_speaker_in_a_group_adds_up_all_entries_of_that_group(three):
    def entry(style, errors, judged):
        return {
            "speaker": "s1", "corpus": "toy", "groups": {"accent": "welsh", "style": style}, "n_utterances": 1,
            "numerators": {"per": errors}, "denominators": {"per": judged}, "rates": {},
        }  # fmt: skip

    three["systems"]["s"]["speakers"] = [entry("read", 4, 10), entry("free", 1, 40), entry("sung", 0, 0)]
    [one] = slices(three)
    assert one.speakers("s", "per") == {"welsh": {"s1": 0.1}}
    assert Slice(three, "style", "toy").speakers("s", "per") == {"read": {"s1": 0.4}, "free": {"s1": 0.025}}
    assert Slice(three, "accent & style", "toy").speakers("s", "per") == {
        "welsh & read": {"s1": 0.4},
        "welsh & free": {"s1": 0.025},
    }


def test_beside_the_ratios_of_a_model_stand_its_other_terms_and_flags(three, scores):
    ratios = {"english": (1.0, None, None), "indian": (1.4, 1.1, 1.8), "welsh": (1.1, 0.8, 1.5)}
    rows = [
        {"value": name, "rate_ratio": dict(zip(("value", "low", "high"), ratio, strict=True)) | {"reason": None}}
        for name, ratio in ratios.items()
    ]
    flags = {"one_speaker": "one speaker: Native American; the group cannot be told apart from the speaker"}
    model = {"p": 0.01, "bootstrap": None, "groups": rows, "flags": flags, "reference": "english"}
    three["systems"]["s"]["models"] = [three["systems"]["s"]["omnibus"][0] | model | {"worst_to_best": None}]
    three["settings"] |= {"covariates": ["snr_db"], "prompt": True}
    text = " ".join(page(three, scores).split())
    assert "The model also holds snr db, what was read; one speaker: Native American; the group cannot" in text


def test_speakers_left_out_are_counted_in_good_grammar(three):
    three["systems"]["s"]["by_group"][0]["n_dropped"] = 1
    tips = [row.tip for row in attribute_sections(three)[0].metrics[0].systems[0].rows]
    assert tips[2] == "20 / 100; 1 speaker left out: nothing to judge"


def test_without_speaker_ids_no_caption_speaks_of_means_over_speakers(scores):
    groups = [group("a", 0.2, None), group("b", 0.3, None)]
    content = make_content({"s": make_system(groups, [])})
    content["systems"]["s"]["overall"] = [group("toy", 0.25, None) | {"attribute": "overall"}]
    html = page(content, scores)
    assert "PER: all utterances together. Dashed: all groups together." in html
    assert "mean over speakers" not in html
    assert "mean over all speakers" not in html
    assert "every speaker counts once" not in html
    assert "Means and intervals need the speaker of every utterance." in " ".join(html.split())
    assert "Every speaker, PER" not in html
    assert "Every speaker, PER" in page(make_content({"s": make_system([group("a", 0.2)], [])}), scores)
