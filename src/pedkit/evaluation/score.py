"""Scoring predictions against a manifest: the one path behind the command and the Python call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.evaluation.outputs import Outputs
from pedkit.evaluation.result import Evaluation
from pedkit.evaluation.run import ScoringRun
from pedkit.evaluation.settings import ScoreSettings
from pedkit.evaluation.sources import ManifestSource, Predictions, PredictionSource, prediction_sources
from pedkit.garbage import without_garbage_collection
from pedkit.provenance import versions


def score(
    *,
    predictions: str | Path | Iterable[str | Path] | Iterable[Prediction] | Mapping[str, Predictions],
    manifest: str | Path | Iterable[Utterance],
    output_dir: str | Path | None = None,
    format: str = "auto",
    textgrids: bool = False,
    fairness: Mapping[str, Any] | None = None,
    **settings: Any,
) -> Evaluation:
    """Score one or several systems on one manifest.

    Args:
        predictions: A predictions file (pedkit, PRiSM, Kaldi ``text`` or CSV), several files, predictions, or a
            mapping from names to files or predictions.
        manifest: A manifest, or utterances; each needs ``inventory`` and ``realized`` (or ``canonical`` with
            ``per_reference="canonical"``), and both for mispronunciation detection.
        output_dir: Where to write ``scores.json`` and its tables; ``None`` writes nothing.
        format: ``auto``, or one of `formats.FORMATS`.
        textgrids: Also write a Praat TextGrid an utterance.
        fairness: How the groups of ``groups`` are compared (`FairnessSettings`, ``{}`` for its defaults); ``None``
            leaves them at sums.
        **settings: See `ScoreSettings`.

    Returns:
        Counts and rates of each system; `Evaluation.to_json` is what ``scores.json`` holds.

    Raises:
        PedkitError: A file, line, phone or setting cannot be used; file, line and utterance are named.

    Example:
        >>> from pedkit import Prediction, Utterance
        >>> said = Utterance(id="a", inventory="cmu39", canonical=("TH", "IH"), realized=("S", "IH"))
        >>> heard = Prediction(id="a", phones=("S", "IH"))
        >>> result = score(predictions={"mine": [heard]}, manifest=[said])
        >>> result["mine"].counts.per.value, result["mine"].counts.mdd().CD
        (0.0, 1)
    """
    chosen = ScoreSettings.of(settings)
    if not (fairness is None or isinstance(fairness, Mapping)):
        raise PedkitError(
            f"expected fairness to be a mapping of settings, but got {fairness!r}", hint="{} takes the defaults"
        )
    compare = None if fairness is None else FairnessSettings.of(fairness)
    run = ScoringRun(chosen, ManifestSource.of(manifest), compare)
    systems = prediction_sources(predictions, format)
    outputs = None
    if output_dir is not None:
        outputs = Outputs(output_dir, per_reference=chosen.per_reference, textgrids=textgrids)
    with outputs or nullcontext():
        with without_garbage_collection():
            for name, predicted in systems.items():
                run.score(name, predicted, outputs)
            evaluation = _evaluation(run, systems)
        if compare is not None and run.observers:
            from pedkit.evaluation.fairness import compare_groups

            evaluation.fairness = compare_groups(run.observers, compare, chosen.groups)
        if outputs is not None:
            outputs.finish(evaluation)
            evaluation.output_dir = outputs.folder
    return evaluation


def _evaluation(run: ScoringRun, systems: Mapping[str, PredictionSource]) -> Evaluation:
    files = {
        "manifest": run.manifest.to_json(),
        "predictions": {name: predicted.to_json() for name, predicted in systems.items()},
    }
    return Evaluation(
        systems=run.systems,
        references=run.references,
        settings=run.settings.to_json() | run.scorers.to_json() | files,
        versions=versions("numpy", "numba"),
        inventory=run.scorers.phones,
    )
