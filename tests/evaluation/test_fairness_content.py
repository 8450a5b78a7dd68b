"""Two sets of groups, entries of speakers, and metrics without anything to judge in ``fairness.json``."""

import pytest

from pedkit import Prediction, Utterance
from pedkit.evaluation.score import score
from pedkit.report.fairness.content import slices
from pedkit.report.fairness.figures import strips
from tests.evaluation.made_up_speakers import FAST


def compared(folder, **settings):
    result = score(
        predictions=folder / "first.jsonl",
        manifest=folder / "manifest.jsonl",
        groups=["gender", "accent"],
        fairness=FAST | {"metrics": ["per"]} | settings,
    )
    return result.fairness


def said(name, errors, of=2, **keys):
    """Return an utterance of some phones and its prediction, which lacks some of them."""
    phones = ("AA", "B") * (of // 2)
    keys = {"inventory": "cmu39", "canonical": phones, "realized": phones} | keys
    return Utterance(id=name, **keys), Prediction(id=name, phones=phones[: of - errors])


def content_of(pairs, groups, **settings):
    utterances, heard = zip(*pairs, strict=True)
    fairness = FAST | {"metrics": ["per"]} | settings
    return score(predictions={"s": heard}, manifest=utterances, groups=groups, fairness=fairness).fairness


def test_two_sets_of_groups_are_compared_by_their_unweighted_means(corpus):
    content = compared(corpus, sets={"reference": ["english", "welsh"], "compared": ["indian"]})
    means = {row["value"]: row["mean"] for row in content["systems"]["first"]["by_group"]}
    [gap] = content["gap_between_sets"]
    assert (gap["attribute"], gap["corpus"]) == ("accent", "made_up")  # no gender is in a set
    reference = (means["english"] + means["welsh"]) / 2
    assert gap["value"] == pytest.approx((means["indian"] - reference) / reference)
    [none] = compared(corpus, sets={"reference": ["english"], "compared": ["irish"]})["gap_between_sets"]
    assert none["value"] is None
    assert "irish" in none["reason"]


def test_each_corpus_has_its_own_gap_between_sets():
    pairs = [
        said(
            f"{corpus}{language}{k}",
            errors,
            corpus=corpus,
            groups={"l1": language},
            speaker=f"{corpus}{language}{k}",
        )
        for corpus, by_language in (("A", {"eng": 1, "hin": 2}), ("B", {"eng": 1, "hin": 1}), ("C", {"eng": 1}))
        for language, errors in by_language.items()
        for k in range(2)
    ]
    sets = {"reference": ["eng"], "compared": ["hin"]}
    content = content_of(pairs, ["l1"], sets=sets)
    rows = content["gap_between_sets"]
    assert [(row["corpus"], row["value"]) for row in rows] == [("A", 1.0), ("B", 0.0), ("C", None)]
    assert rows[2]["reason"] == (
        "model 's': no mean for hin (there are: eng); fairness.pool_corpora=true puts the corpora together"
    )
    absent = content_of(pairs, ["l1"], sets=sets | {"compared": ["hun"]})["gap_between_sets"]
    assert {row["reason"].split("; ")[-1] for row in absent} == {  # no corpus has it, and together they have not
        "model 's': no mean for hun (there are: eng, hin)",
        "model 's': no mean for hun (there are: eng)",
    }
    [row] = content_of(pairs, ["l1"], sets=sets, pool_corpora=True)["gap_between_sets"]
    assert (row["corpus"], row["reference"], row["compared"]) == ("all corpora", 0.5, 0.75)


def test_sets_that_no_group_is_in_have_a_row_for_every_attribute(corpus):
    rows = compared(corpus, sets={"reference": ["irish"], "compared": ["scottish"]})["gap_between_sets"]
    assert [row["attribute"] for row in rows] == ["gender", "accent"]
    assert {row["value"] for row in rows} == {None}


def test_a_speaker_in_several_styles_is_one_dot_at_the_rate_of_all_of_them():
    # each speaker: read, 2 of 2 phones wrong; free, 1 of 8
    pairs = [
        said(f"{k}{style}", errors, of, speaker=f"s{k}", groups={"gender": "fm"[k % 2], "style": style})
        for k in range(4)
        for style, errors, of in (("read", 2, 2), ("free", 1, 8))
    ]
    content = content_of(pairs, ["gender", "style"])
    first = content["systems"]["s"]["speakers"][0]
    assert first == {
        "speaker": "s0", "corpus": "unknown", "groups": {"gender": "f", "style": "read"}, "n_utterances": 1,
        "numerators": {"per": 2}, "denominators": {"per": 2}, "rates": {"per": 1.0},
    }  # fmt: skip
    by_gender, by_style = slices(content)
    assert by_gender.speakers("s", "per") == {"f": {"s0": 0.3, "s2": 0.3}, "m": {"s1": 0.3, "s3": 0.3}}
    assert by_style.speakers("s", "per")["free"] == dict.fromkeys(("s0", "s1", "s2", "s3"), 0.125)
    assert "s0: 30.0%" in strips(by_gender, "s", "per")


def test_a_metric_that_was_asked_for_and_has_nothing_to_judge_leaves_a_note():
    pairs = [said(f"u{k}", k % 2, speaker=f"s{k}", groups={"g": "ab"[k % 2]}, realized=None) for k in range(4)]
    utterances, heard = zip(*pairs, strict=True)

    def content(**settings):
        return score(
            predictions={"s": heard}, manifest=utterances, groups=["g"], per_reference="canonical",
            fairness=FAST | settings,
        ).fairness  # fmt: skip

    found = content(metrics=["per", "far"])
    assert found["settings"]["metrics"] == ["per"]
    assert found["notes"] == ["'far' was asked for and is left out: no utterance has anything to judge by it"]
    assert content()["notes"] == []  # nobody asked for FRR and FAR
