"""Soft PER forgives real errors, so nothing of it may reach a rate of detection."""

import pytest

from pedkit.errors import PedkitError
from pedkit.evaluation.score import score
from pedkit.fairness import METRICS
from tests.evaluation.made_up_speakers import write_corpus

DETECTION = [metric for metric in METRICS if metric not in ("per", "soft_per", "pfer", "wer")]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder, accents={"english": 3, "indian": 3}, utterances=2)
    return folder


def scored(corpus, **settings):
    return score(
        predictions=corpus / "first.jsonl", manifest=corpus / "manifest.jsonl", groups=["accent"],
        fairness={"metrics": ["soft_per", *DETECTION], "resamples": 100, "model": False}, **settings,
    )  # fmt: skip


def test_no_soft_setting_moves_a_detection_rate(corpus):
    strict = scored(corpus, soft_preset="none")
    for settings in ({}, {"soft_extra_pairs": [["t", "d"], ["s", "z"]]}, {"soft_cost": 0.5}, {"soft_tiers": [1]}):
        soft = scored(corpus, **settings)
        assert soft["first"].counts.soft_per.value < strict["first"].counts.soft_per.value
        assert soft["first"].counts.mdd() == strict["first"].counts.mdd()
        rows = zip(*(r.fairness["systems"]["first"]["by_group"] for r in (soft, strict)), strict=True)
        for one, other in rows:
            assert (one == other) == (one["metric"] != "soft_per"), one["metric"]


def test_there_is_no_soft_alignment_of_detection_and_no_soft_detection_rate(corpus):
    with pytest.raises(PedkitError, match="'tie' to be one of phonetic, plain, features, but got 'soft'"):
        scored(corpus, tie="soft")
    with pytest.raises(PedkitError, match=r"expected a metric out of .* but got 'soft_frr'"):
        score(
            predictions=corpus / "first.jsonl", manifest=corpus / "manifest.jsonl", groups=["accent"],
            fairness={"metrics": ["soft_frr"]},
        )  # fmt: skip
