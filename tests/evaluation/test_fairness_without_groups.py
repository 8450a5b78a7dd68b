"""What is asked of the comparison of groups is refused where there are no groups, and before anything is heard."""

import json

import pytest
from omegaconf import OmegaConf

from pedkit import Prediction, Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.evaluate import evaluate
from pedkit.evaluation.score import score
from pedkit.evaluation.words import score_words
from tests.evaluation.test_evaluate import Parrot, configuration, hearing, recordings

__all__ = ["hearing", "recordings"]  # fixtures

SAID = Utterance(id="u", inventory="cmu39", canonical=("AA",), realized=("AA",), text="a")
SETS = {"reference": ["a"], "compared": ["b"]}


@pytest.mark.parametrize(
    ("fairness", "asks"),
    [
        ({"faas": "published"}, "fairness.faas asks"),
        ({"sets": SETS}, "fairness.sets asks"),
        ({"covariates": ["duration"]}, "fairness.covariates asks"),
        ({"model": True}, "fairness.model asks"),
        ({"prompt": True, "metrics": ["per"]}, "fairness.metrics, fairness.prompt ask"),
    ],
)
def test_what_is_asked_beyond_the_defaults_needs_groups(fairness, asks):
    message = rf"{asks} for a comparison, but there are no groups \(add groups=\[gender\], or other keys"
    with pytest.raises(PedkitError, match=message):
        score(predictions={"s": [Prediction(id="u", phones=("AA",))]}, manifest=[SAID], fairness=fairness)
    words = fairness | ({"metrics": ["wer"]} if "metrics" in fairness else {})
    with pytest.raises(PedkitError, match=message):
        score_words(predictions={"s": [Prediction(id="u", raw="a")]}, manifest=[SAID], fairness=words)


@pytest.mark.parametrize("fairness", [{}, {"model": False, "faas": False, "ci": "t", "pool_corpora": True}])
def test_how_groups_would_be_compared_may_be_said_without_groups(fairness):
    heard = {"s": [Prediction(id="u", phones=("AA",))]}
    assert score(predictions=heard, manifest=[SAID], fairness=fairness).fairness is None


def test_the_defaults_of_the_configuration_ask_for_nothing(recordings, tmp_path):
    heard = tmp_path / "heard.jsonl"
    heard.write_text("".join(json.dumps({"id": name, "phones": ["S", "IH"]}) + "\n" for name in "abc"))
    command = [f"predictions={heard}", f"manifest={recordings}"]
    assert evaluate(configuration(*command))["real"].fairness is None
    with pytest.raises(PedkitError, match=r"fairness\.faas asks for a comparison"):
        evaluate(configuration(*command, "fairness.faas=true"))


@pytest.mark.parametrize("groups", [None, []])
def test_it_is_refused_before_anything_is_heard(hearing, groups):
    hearing.evaluation.test_sets = {"toy": {"manifest": hearing.evaluation.test_sets.toy.manifest}}
    hearing.groups, hearing.fairness.covariates = groups, ["duration"]
    with pytest.raises(PedkitError, match=r"fairness\.covariates asks for a comparison, but there are no groups"):
        evaluate(hearing)
    assert Parrot.heard == 0


def test_a_set_without_groups_stands_beside_one_that_has_some(hearing):
    toy = OmegaConf.to_container(hearing.evaluation.test_sets.toy)
    hearing.evaluation.test_sets = {"toy": toy | {"groups": ["gender"]}, "bare": toy | {"groups": []}}
    hearing.fairness.metrics = ["per"]
    found = evaluate(hearing)
    assert (found["toy"].fairness["settings"]["metrics"], found["bare"].fairness) == (["per"], None)
