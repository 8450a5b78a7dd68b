"""Whatever the data: a number or a reason, valid JSON, no warning, no crash."""

import json
import random

import pytest

from pedkit.errors import PedkitError
from pedkit.fairness import Observation, confounding, faas, rate_model

pytest.importorskip("glmm", reason="needs the extra 'glmm'")


def made_up(seed):
    draw = random.Random(seed)
    groups, rate = "abcd"[: draw.randint(1, 4)], draw.choice([0, 0, 0.05, 0.3, 2])
    observations = []
    for speaker in range(draw.randint(1, 8)):
        own = {"g": draw.choice(groups), "h": draw.choice(["x", "y", "unknown"])}
        for k in range(draw.randint(1, 6)):
            length = draw.choice([0, 1, 5, 40]) if draw.random() < 0.3 else draw.randint(3, 30)
            errors = sum(draw.random() < rate / 3 for _ in range(3 * max(length, 1)))
            observations.append(
                Observation(
                    f"{speaker} {k}",
                    f"s{speaker}" if draw.random() > 0.03 else None,
                    "c",
                    own | ({"g": "b"} if draw.random() < 0.1 else {}),
                    {"per": (errors if draw.random() > 0.2 else 0, length)},
                    {"z": draw.choice([0.0, 1.0, draw.uniform(0, 100)])} if draw.random() > 0.05 else {},
                    prompt=f"p{k % 3}",
                )
            )
    return observations


CALLS = {
    "bootstrap": lambda seen: rate_model(seen, metric="per", attribute="g", resamples=19),
    "covariates": lambda seen: rate_model(
        seen, metric="per", attribute=("g", "h"), covariates=["z"], test="chi-squared"
    ),
    "prompt": lambda seen: rate_model(
        seen, metric="per", attribute="g", covariates=["h", "z"], prompt=True, test="chi-squared"
    ),
    "quadrature": lambda seen: rate_model(seen, metric="per", attribute="g", quadrature=25, test="chi-squared"),
    "faas": lambda seen: faas(seen, categories=["g", "h"]),
    "faas with an offset": lambda seen: faas(seen, categories=["g"], form="offset"),
    "confounding": lambda seen: confounding(seen, ["g", "h"], covariates=["z"]),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_number_or_a_reason(call):
    answers = 0
    for seed in range(20):
        try:
            written = call(made_up(seed)).to_json()
        except PedkitError:
            continue  # one sentence about data that nothing can be made of
        answers += 1
        assert json.loads(json.dumps(written, allow_nan=False)) == written
        if "p" in written:
            reasons = (written["likelihood_ratio"]["reason"], written["flags"].get("bootstrap_failed"))
            assert (written["p"] is None) == any(reason is not None for reason in reasons)
            assert written["p"] is None or 0 <= written["p"] <= 1
        if "faas" in written:
            assert (written["faas"] is None) == (written["faas_reason"] is not None)
    assert answers >= 10
