"""Errors by type, words, agreement, phones used, Soft PER, symbols left out as the page shows them; by hand."""

from dataclasses import replace

import pytest

from pedkit.report.beside import beside_rows
from pedkit.report.html import render
from tests.report.conftest import SOFT


def rate(numerator, denominator):
    value = numerator / denominator if denominator else None
    reason = None if denominator else "no diagnosable error was flagged (CD + DE = 0)"
    return {"value": value, "numerator": numerator, "denominator": denominator, "reason": reason}


def use(f1, **languages):
    return {"macro": {"f1": f1, "languages": sum(v is not None for v in languages.values()),
                      "undefined": sum(v is None for v in languages.values())},
            "languages": {name: {"precision": f1, "recall": 0.5, "f1": v,
                                 "reason": None if v else "no predicted phones"}
                          for name, v in languages.items()}}  # fmt: skip


def system(**changes):
    counts = {"TA": 6, "FR": 1, "FA": 1, "CD": 1, "DE": 0, "DU": 1}
    return {
        "agreement": {"observed": rate(8, 10), "kappa": rate(3, 8), "f1": rate(4, 6), "diagnosis": rate(1, 1)},
        "inventory_f1": {"exact": use(0.75, eng=0.75), "fuzzy": use(0.9, eng=0.9)},
        "soft_per": rate(1, 8),
        "fields": {"reference_phones": 8, "deletions": 1, "insertions": 2, "soft_tier1": 1200, "soft_tier2": 34,
                   "soft_unknown": 5},
        "dropped": {"predicted": {"ʔ": 1}},
        "tr_range": None,
        "mdd": {"profile": "canonical_only", "counts": counts | {"DU": 0}},
        "mdd_profiles": {"full": {"counts": counts}},
    } | changes  # fmt: skip


def shown(*systems, **settings):
    rows = beside_rows({"systems": {str(k): one for k, one in enumerate(systems)}, "settings": SOFT | settings})
    return {row.title: [(cell.text, cell.tip) for cell in row.cells] for row in rows}


def test_rows_by_hand():
    # heard: 8 references, 1 deleted, 2 inserted, 1 left out: 10 symbols
    assert {title: cell for title, [cell] in shown(system()).items()} == {
        "Agreement, %": ("80.0", "8 / 10"),
        "Cohen's kappa": ("0.38", "80.0 % agreement"),
        "Same phone named, %": ("100.0", "1 / 1"),
        "Phones used, exact F1, %": ("75.0", "precision 75.0, recall 50.0"),
        "Phones used, fuzzy F1, %": ("90.0", "precision 90.0, recall 50.0"),
        "Soft PER, %": ("12.5", "1 / 8"),
        "Substitutions forgiven": ("1\u2009234", "1\u2009200 by class, 34 by pair; 5 phones in no class"),
        "Symbols left out, %": ("10.0", "1 / 10"),
    }


@pytest.mark.parametrize(
    ("settings", "soft", "title", "forgiven"),
    [
        (
            {},
            "PER that forgives variants of a phone, by reconstructed classes and pairs of phones. Never in place "
            "of PER.",
            "Substitutions forgiven",
            "How many errors of PER Soft PER lets pass, by reconstructed classes and pairs of phones.",
        ),
        (
            {"soft_tiers": [2], "soft_cost": 0.25},
            "PER in which a variant of a phone costs 0.25 of an error, by pairs of phones. Never in place of PER.",
            "Substitutions by variants",
            "Soft-equal by pairs of phones; each costs 0.25 of an error in Soft PER.",
        ),
        (
            {"soft_preset": "canonical", "soft_tiers": [1], "soft_extra_pairs": [["t", "ɾ"]], "soft_cost": 1.0},
            "With these settings it is the same as PER.",
            "Substitutions by variants",
            "Soft-equal by classes and added pairs; each costs 1 of an error in Soft PER.",
        ),
        (
            {"soft_preset": "none"},
            "With these settings it is the same as PER.",
            "Substitutions forgiven",
            "How many errors of PER Soft PER lets pass, by nothing.",
        ),
    ],
)
def test_the_sentences_on_soft_per_say_what_its_settings_do(settings, soft, title, forgiven):
    rows = {
        row.title: row.meaning for row in beside_rows({"systems": {"s": system()}, "settings": SOFT | settings})
    }
    assert (rows["Soft PER, %"], rows[title]) == (soft, forgiven)


def test_errors_by_type_and_words_by_hand():
    by_type = {"TA": 6, "FR_sub": 1, "FR_del": 0, "FR_ins": 2, "FA_sub": 1, "FA_del": 0, "FA_ins": 0,
               "CD_sub": 1, "CD_del": 2, "CD_ins": 0, "DE_sub": 1, "DE_del": 0, "DE_ins": 0,
               "DU_sub": 1, "DU_del": 0, "DU_ins": 0}  # fmt: skip
    spans = {"boundary": "left", "words": 5, "word_level": {"rates": {"f1": rate(4, 5)}}}
    edits = {
        f"{kind}_error_rate": rate(n, 8) for kind, n in (("substitution", 2), ("deletion", 1), ("insertion", 0))
    }
    full = system(mdd={"profile": "full", "counts_by_type": by_type}, spans={"words": spans}, **edits)
    found = shown(full)
    assert found["PER as S + D + I, %"] == [("25.0 + 12.5 + 0.0", "S 2 / 8, D 1 / 8, I 0 / 8")]
    assert found["Errors found, sub / del / ins, %"] == [
        ("75.0 / 100.0 / –", "3 of 4 substitutions, 2 of 2 deletions, 0 of 0 insertions")
    ]
    assert found["False alarms, sub / del / ins"] == [
        ("1 / 0 / 2", "1 heard as another phone, 0 not heard, 2 added")
    ]
    assert found["Words, F1 %"] == [("80.0", "4 / 5; 5 words, insertions at boundary: left")]
    target = spans | {"boundary": "both", "words": 1, "word_level": {"rates": {"f1": rate(0, 0)}}}
    [cell] = shown(full | {"spans": {"words": spans, "target": target}})["Words, F1 %"]
    assert cell == ("–", f"undefined: {rate(0, 0)['reason']}; 1 word, insertions at boundary: both")


def test_the_range_of_true_rejections_stands_beside_the_full_count():
    cells = shown(system(tr_range={"fewest": 1, "most": 3}), system())["True rejections, range"]
    assert cells == [("1 to 3", "2 by the tie rules"), ("–", "not computed")]


def test_what_is_undefined_says_why():
    agreement = {name: rate(0, 0) for name in ("observed", "kappa", "diagnosis")}
    found = shown(
        system(agreement=agreement, inventory_f1={"exact": use(None, eng=None), "fuzzy": use(None, eng=None)})
    )
    assert found["Cohen's kappa"] == [("–", "undefined: no diagnosable error was flagged (CD + DE = 0)")]
    assert found["Same phone named, %"][0][0] == "–"
    assert found["Phones used, exact F1, %"] == [("–", "undefined: no predicted phones")]


def test_several_languages_are_a_mean():
    several = {"exact": use(0.6, deu=0.7, spa=0.5, ita=None), "fuzzy": use(0.8, deu=0.9, spa=0.7)}
    found = shown(system(inventory_f1=several))
    assert found["Phones used, exact F1, %"] == [("60.0", "mean of 2 languages, 1 undefined")]
    assert found["Phones used, fuzzy F1, %"] == [("80.0", "mean of 2 languages")]


@pytest.fixture
def with_agreement(page, scores):
    # the hand-written page has no fields, so what is worked out from them is left out of it
    [[name, mine]] = scores["systems"].items()
    more = {key: value for key, value in system().items() if key in ("agreement", "inventory_f1")}
    return replace(page, sets=(replace(page.sets[0], scores=scores | {"systems": {name: mine | more}}),))


def test_the_page_has_one_line_for_each(with_agreement):
    html = render(with_agreement)
    section = html[html.index("Errors by type, words, agreement") : html.index("The utterances heard worst")]
    assert section.count('<th scope="row">') == 6
    assert 'data-tip="80.0 % agreement">0.38' in section
    assert "Cohen&#39;s kappa" in section
    assert section.count('class="left wrap">') == 6


def test_answers_of_a_language_model_by_hand():
    statuses = {"ok": 90, "empty": 2, "unparsable": 8, "failed": 1, "missing": 0, "recovered": 3}
    rules = {"json": 80, "fenced": 12, "text_before": 8, "json_one_key": 2}
    rows = shown(system(statuses=statuses, answers=rules))
    assert rows["Answers with phones, %"] == [("90.0", "100 answers, 2 empty, 8 unparsable, 3 recovered")]
    [(text, tip)] = rows["Answers by rule"]
    assert text == "json 80, fenced 12, text_before 8 ..."
    assert tip == "json 80, fenced 12, text_before 8, json_one_key 2"
    assert "Answers by rule" not in shown(system(statuses=statuses, answers={}))
