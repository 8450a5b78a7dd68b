"""Time and memory of a mixed model on a large test set, on one core.

    python bench/mixed_model_speed.py [--utterances 100000] [--speakers 1000]

Four accents, gender, and duration as a covariate that differs from utterance to utterance; a random intercept a
speaker; the likelihood ratio of accent, so two fits. Peer in the same run: a Poisson regression on the same
design, statsmodels GEE with speakers as clusters where it is installed, else a GLM without any speaker effect by
iteratively reweighted least squares in numpy. Either answers less (no likelihood, or no speakers). CPU time.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

import numpy as np

from pedkit.fairness import Observation, rate_model

TARGET_SECONDS, TARGET_BYTES = 30, 2**30
ACCENTS, COVARIATES = 4, ("gender", "duration")


def simulated(utterances: int, speakers: int) -> list[Observation]:
    draw = np.random.default_rng(0)
    speaker = np.sort(draw.integers(0, speakers, utterances))
    effect, gender = draw.normal(0, 0.5, speakers), draw.integers(0, 2, speakers)
    accent = draw.integers(0, ACCENTS, speakers)
    length, duration = draw.integers(5, 40, utterances), draw.gamma(4, 1.0, utterances)
    rate = np.exp(-2 + 0.1 * accent[speaker] + 0.05 * duration + effect[speaker])
    errors = draw.poisson(length * rate)
    return [
        Observation(
            f"u{k}",
            f"s{s}",
            "c",
            {"accent": f"a{accent[s]}", "gender": "fm"[gender[s]]},
            {"per": (int(errors[k]), int(length[k]))},
            {"duration": float(duration[k])},
        )
        for k, s in enumerate(speaker.tolist())
    ]


def peer(observations: list[Observation]) -> tuple[str, float, float]:
    """Return name, seconds and the coefficient of the last accent of a Poisson regression without a likelihood."""
    y = np.array([one.sums["per"][0] for one in observations])
    offset = np.log([one.sums["per"][1] for one in observations])
    columns = [np.ones(len(y)), [one.groups["gender"] == "m" for one in observations]]
    columns += [[one.covariates["duration"] for one in observations]]
    columns += [[one.groups["accent"] == f"a{k}" for one in observations] for k in range(1, ACCENTS)]
    design = np.column_stack(columns).astype(float)
    started = time.process_time()
    try:
        from statsmodels.genmod.cov_struct import Exchangeable
        from statsmodels.genmod.families import Poisson
        from statsmodels.genmod.generalized_estimating_equations import GEE
    except ImportError:
        beta = np.zeros(design.shape[1])
        for _ in range(25):
            mean = np.exp(offset + design @ beta)
            step = np.linalg.solve(design.T @ (design * mean[:, None]), design.T @ (y - mean))
            beta += step
            if np.abs(step).max() < 1e-10:
                break
        return "numpy GLM", time.process_time() - started, float(beta[-1])
    speakers = np.array([one.speaker for one in observations])
    fit = GEE(y, design, groups=speakers, offset=offset, family=Poisson(), cov_struct=Exchangeable()).fit()
    return "statsmodels GEE", time.process_time() - started, float(fit.params[-1])


def peak_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--utterances", type=int, default=100_000)
    parser.add_argument("--speakers", type=int, default=1_000)
    chosen = parser.parse_args()
    observations = simulated(chosen.utterances, chosen.speakers)
    print(f"{chosen.utterances} utterances, {chosen.speakers} speakers, covariates: {', '.join(COVARIATES)}\n")
    times = {}
    for name, points in (("Laplace", 1), ("25-point quadrature", 25)):
        started = time.process_time()
        model = rate_model(
            observations, metric="per", attribute="accent", covariates=COVARIATES, quadrature=points
        )
        times[name] = time.process_time() - started
        last = model.groups[-1].coefficient.value
        print(
            f"  {name:<20} {times[name]:7.1f} s   accent a3 {last:.4f}, sigma {model.full.sigmas['speaker']:.3f}"
        )
    memory = peak_bytes()
    name, seconds, last = peer(observations)
    print(f"  {name:<20} {seconds:7.1f} s   accent a3 {last:.4f}")
    print()
    print(f"mixed model with its test: {times['Laplace']:.1f} s (target below {TARGET_SECONDS} s)")
    print(f"                           {times['Laplace'] / seconds:.1f} times the time of the {name}")
    print(f"peak memory: {memory / 2**20:,.0f} MiB, observations included (below {TARGET_BYTES / 2**20:,.0f})")
    return int(not (times["Laplace"] < TARGET_SECONDS and memory < TARGET_BYTES))


if __name__ == "__main__":
    sys.exit(main())
