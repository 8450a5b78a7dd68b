"""Word error rates of texts against the texts of a manifest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.fairness_audio import AudioMeasures
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.evaluation.matching import match
from pedkit.evaluation.observing import Observer
from pedkit.evaluation.outputs import RESULT_FILES
from pedkit.evaluation.sources import ManifestSource, Predictions, PredictionSource, prediction_sources
from pedkit.evaluation.words.normal_form import normal_form
from pedkit.evaluation.words.result import WordEvaluation, WordResult
from pedkit.evaluation.words.settings import WordSettings
from pedkit.evaluation.words.texts import TEXT_READERS
from pedkit.fairness import word_error_sums
from pedkit.provenance import versions
from pedkit.report.tables import FilesTogether

WORD_COLUMNS = (
    "system",
    "id",
    "corpus",
    "split",
    "speaker",
    "status",
    "reference_words",
    "errors",
    "text",
    "heard",
)


@dataclass(frozen=True, slots=True)
class Compared:
    """One utterance with what was heard of it, both texts in one form."""

    utterance: Utterance
    prediction: Prediction
    text: str
    heard: str
    errors: int
    words: int

    def row(self, system: str) -> tuple[Any, ...]:
        """Return the row of ``utterances.csv``."""
        one = self.utterance
        who = (system, one.id, one.corpus, one.split, one.speaker, self.prediction.status)
        return (*who, self.words, self.errors, self.text, self.heard)


def score_words(
    *,
    predictions: str | Path | Iterable[str | Path] | Iterable[Prediction] | Mapping[str, Predictions],
    manifest: str | Path | Iterable[Utterance],
    output_dir: str | Path | None = None,
    format: str = "auto",
    fairness: Mapping[str, Any] | None = None,
    **settings: Any,
) -> WordEvaluation:
    """Score the words that one or several systems heard against the ``text`` of each utterance.

    Args:
        predictions: A file of texts (JSON lines, a table, or Kaldi's ``text``), several files, predictions whose
            ``raw`` is the text, or a mapping from names to files or predictions.
        manifest: A manifest, or utterances; each needs ``text``.
        output_dir: Where to write ``scores.json``, ``utterances.csv`` and the tables of groups; ``None`` writes
            nothing.
        format: ``auto``, or one of `texts.TEXT_READERS`.
        fairness: Settings of the comparison of groups (`FairnessSettings`); ``None`` leaves it out.
        **settings: See `WordSettings`.

    Raises:
        PedkitError: A file, line or setting cannot be used; file, line and utterance are named.

    Example:
        >>> said = Utterance(id="a", text="Turn it off, please.")
        >>> heard = Prediction(id="a", raw="turn it of please")
        >>> score_words(predictions={"mine": [heard]}, manifest=[said])["mine"].total.wer.value
        0.25
    """
    chosen = WordSettings.of(settings)
    source, systems = ManifestSource.of(manifest), prediction_sources(predictions, format, TEXT_READERS)
    compare = None if fairness is None else FairnessSettings.of(fairness)
    if compare is not None:
        compare.check_groups(chosen.groups)
    files = None if output_dir is None else FilesTogether(output_dir, RESULT_FILES)
    with files or nullcontext():
        results, observers = _results(source, systems, chosen, compare, files)
        evaluation = WordEvaluation(results, _record(chosen, source, systems), versions("jiwer"))
        if compare is not None and observers:
            from pedkit.evaluation.fairness import compare_groups

            evaluation.fairness = compare_groups(observers, compare, chosen.groups)
        if files is not None:
            if evaluation.fairness is not None:
                from pedkit.evaluation.fairness_files import write_fairness

                write_fairness(files, evaluation.fairness)
            files.json("scores.json", evaluation.to_json())
            evaluation.output_dir = files.folder
    return evaluation


def _results(
    source: ManifestSource,
    systems: Mapping[str, PredictionSource],
    chosen: WordSettings,
    compare: FairnessSettings | None,
    files: FilesTogether | None,
) -> tuple[dict[str, WordResult], dict[str, Observer]]:
    """Return by name of the system what was counted, and what the comparison of groups needs of each utterance."""
    table = None if files is None else files.csv("utterances.csv", WORD_COLUMNS)
    results, observers, measures = {}, {}, AudioMeasures()
    for name, heard in systems.items():
        results[name] = WordResult(name, chosen.groups)
        if compare is not None and chosen.groups:
            observers[name] = compare.observer(chosen.groups, words=True, measures=measures)
        for one in _compared(source, heard, chosen):
            results[name].add(one.utterance, one.prediction, one.errors, one.words)
            if name in observers:
                observers[name].add_words(one.utterance, one.errors, one.words)
            if table is not None:
                table.rows([one.row(name)])
        results[name].check_groups()
    return results, observers


def _compared(source: ManifestSource, heard: PredictionSource, chosen: WordSettings) -> Iterator[Compared]:
    for utterance, prediction in match(
        source, heard, split=chosen.split, missing=chosen.missing, extra=chosen.extra
    ):
        if utterance.text is None:
            raise source.located(PedkitError("the utterance has no text", utterance=utterance.id))
        if prediction.raw is None and prediction.status == "ok":
            raise heard.located(PedkitError("the prediction has no text", utterance=utterance.id))
        if prediction.status == "failed" and chosen.failed == "error":
            raise heard.located(
                PedkitError(
                    f"the recognizer failed: {prediction.reason or 'no reason given'}",
                    utterance=utterance.id,
                    hint="run the recognizer again, or failed=empty scores such utterances as nothing heard",
                )
            )
        said = normal_form(utterance.text, chosen.normal_form)
        text = normal_form(prediction.raw or "" if prediction.status == "ok" else "", chosen.normal_form)
        errors, words = word_error_sums(said, text)
        yield Compared(utterance, prediction, said, text, errors, words)


def _record(
    chosen: WordSettings, source: ManifestSource, systems: Mapping[str, PredictionSource]
) -> dict[str, Any]:
    files = {"manifest": source.to_json(), "predictions": {name: one.to_json() for name, one in systems.items()}}
    return chosen.to_json() | files
