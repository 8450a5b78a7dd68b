"""What ``evaluate.py`` runs: predictions or a recognizer, manifests, scores, a table, a report."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict, get_type_hints

from pedkit.building import build, check
from pedkit.data.json_file import write_object
from pedkit.errors import PedkitError
from pedkit.evaluation.asked_keys import check_asked
from pedkit.evaluation.fairness_models import check_extras
from pedkit.evaluation.fairness_settings import FairnessSettings
from pedkit.evaluation.outputs import PAGE
from pedkit.evaluation.result import Evaluation
from pedkit.evaluation.score import score
from pedkit.evaluation.seen import recipe_of, used_by_recognizer
from pedkit.evaluation.settings import ScoreSettings
from pedkit.evaluation.test_sets import EvaluationSet, stamp_seen
from pedkit.hints import conform
from pedkit.provenance import RUN_FILE
from pedkit.report.terminal import print_groups, print_scores, print_usage, print_words

if TYPE_CHECKING:
    from omegaconf import DictConfig

    from pedkit.evaluation.words import WordEvaluation

SCORE_KEYS = frozenset(ScoreSettings.__dataclass_fields__)

FOREIGN_PROMPT = (
    "The model was asked with another prompt than the one that it was trained with (recognizer.force_prompt): "
    "its answers say nothing about the trained prompt."
)
"""Stands at the top of the report."""

_File = Annotated[str, "one path"]


class _Settings(TypedDict):
    """What this file reads of the configuration beside the settings of the scores."""

    recognizer: dict[str, Any]
    evaluation: dict[str, Any] | None
    predictions: _File | list[_File] | None
    format: str
    manifest: _File | None
    output_dir: _File | None
    report: bool | None
    textgrids: bool
    allow_seen: bool
    groups: str | list[str] | None
    metric: Literal["phones", "wer"]
    fairness: dict[str, Any] | None


def evaluate(cfg: DictConfig) -> Mapping[str, Evaluation | WordEvaluation]:
    """Score predictions, or hear test sets with a recognizer and score what it heard.

    Args:
        cfg: A configuration composed from ``conf/evaluate.yaml``.

    Returns:
        Name of the test set -> its evaluation.

    Raises:
        PedkitError: Something is missing or does not fit, a test set served to train the model, or clips failed;
            everything that could be computed is written before the last is raised.
    """
    from omegaconf import OmegaConf

    settings: dict[str, Any] = OmegaConf.to_container(cfg, resolve=True)  # type: ignore[assignment]
    for key, hint in get_type_hints(_Settings, include_extras=True).items():
        conform(settings.get(key), hint, key)
    for key in ("manifest", "output_dir"):
        if settings[key] == "":
            raise PedkitError(f"expected {key} to be one path, but got ''")
    _check_settings(settings)  # before hours of hearing
    if settings["predictions"] is not None:
        return (_score_files if settings["metric"] == "phones" else _score_texts)(settings)
    return _hear(settings, OmegaConf.to_yaml(cfg, resolve=True))


def _check_settings(settings: Mapping[str, Any]) -> None:
    words = settings["metric"] == "wer"
    if settings["fairness"] is not None:
        compare = FairnessSettings.of(settings["fairness"])
        compare.measured(words=words)
        check_extras(compare)
        if settings["predictions"] is not None or settings["groups"] is not None:
            compare.check_groups(settings["groups"] or ())
    if words and settings["predictions"] is None:
        raise PedkitError("metric=wer compares texts that were heard already", hint="add predictions=FILE")
    if not words:
        ScoreSettings.of(_score_settings(settings) | {"groups": settings["groups"] or ()})
    if settings["predictions"] is not None and settings["manifest"] is None:
        raise PedkitError("predictions= needs the manifest they are predictions of", hint="add manifest=FILE")
    if settings["predictions"] is not None and settings["output_dir"] is None and settings["report"]:
        raise PedkitError("a report needs a place", hint="add output_dir=DIR")


def _score_files(settings: Mapping[str, Any]) -> dict[str, Evaluation]:
    name = Path(settings["manifest"]).stem
    result = score(
        predictions=settings["predictions"],
        manifest=settings["manifest"],
        output_dir=settings["output_dir"],
        format=settings["format"],
        textgrids=settings["textgrids"],
        fairness=settings["fairness"],
        **_score_settings(settings) | {"groups": settings["groups"] or ()},
    )
    print_scores({name: result.to_json()})
    if result.fairness is not None:
        print_groups(result.fairness)
    if settings["output_dir"] is None:
        print("output_dir=DIR writes scores.json and every table")
        return {name: result}
    if settings["report"]:
        one = EvaluationSet.of(name, settings["manifest"])
        _report({name: result}, {name: one}, Path(settings["output_dir"]), title=f"Predictions on {name}")
    print(f"written to {settings['output_dir']}")
    return {name: result}


def _score_texts(settings: Mapping[str, Any]) -> dict[str, WordEvaluation]:
    from pedkit.evaluation.words import WORD_KEYS, score_words

    name = Path(settings["manifest"]).stem
    result = score_words(
        predictions=settings["predictions"],
        manifest=settings["manifest"],
        output_dir=settings["output_dir"],
        format=settings["format"],
        fairness=settings["fairness"],
        **{key: settings[key] for key in WORD_KEYS} | {"groups": settings["groups"] or ()},
    )
    print_words({name: result.to_json()})
    if result.fairness is not None:
        print_groups(result.fairness)
    if result.output_dir is None:
        print("output_dir=DIR writes scores.json and every table")
        return {name: result}
    if settings["report"]:
        from pedkit.evaluation.words.report_page import word_page
        from pedkit.report.html import write_report

        print(f"report: {write_report(result.output_dir / PAGE, word_page(name, result))}")
    print(f"written to {result.output_dir}")
    return {name: result}


def _hear(settings: Mapping[str, Any], config_yaml: str) -> dict[str, Evaluation]:
    sets = _sets(settings)
    folder = _output_dir(settings)
    for one in sets.values():  # before a model is loaded, and hours of hearing
        _check_keys(one, settings)
    absent = [f"recognizer.{key}" for key, value in settings["recognizer"].items() if value == "???"]
    if absent:
        raise PedkitError(f"the setting {absent[0]} must be given", hint=f"add {absent[0]}=... to the command")
    check(settings["recognizer"], "recognizer")
    run_dir = settings["recognizer"].get("run_dir")
    used = used_by_recognizer(settings["recognizer"])
    stamps = stamp_seen(sets.values(), used, allow_seen=settings["allow_seen"])

    from pedkit.evaluation.hear import hear_and_score
    from pedkit.evaluation.usage import read_usage
    from pedkit.secrets import refuse_secrets

    refuse_secrets(settings)
    recognizer = build(settings["recognizer"], "recognizer")
    preset: Mapping[str, Any] = settings["evaluation"] if settings["manifest"] is None else {}
    folders = {name: folder / name if preset else folder for name in sets}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(config_yaml, encoding="utf-8")
    chosen = _score_settings(settings) | {"fairness": settings["fairness"]}
    evaluations, faults = hear_and_score(recognizer, sets, folders, chosen, textgrids=settings["textgrids"])
    record, replaces = _record(recognizer, sets, folders, stamps, faults), (folder / RUN_FILE).exists()
    write_object(folder / RUN_FILE, record)
    print_scores({name: evaluation.to_json() for name, evaluation in evaluations.items()})
    usage = read_usage(folders)
    if usage:
        print_usage(usage)
    if settings["report"] in (True, None):
        provenance = {"model": f"{recognizer.name} ({run_dir})" if run_dir else recognizer.name}
        provenance |= recipe_of(run_dir)
        provenance |= {key: str(record[key]) for key in ("revision", "config_hash", "git_commit", "command")}
        provenance |= {} if record["prompt"] is None else {"prompt": record["prompt"]}
        title, notes = preset.get("title") or f"What {recognizer.name} hears", list(preset.get("notes") or ())
        if getattr(recognizer, "foreign_prompt", False):
            notes.append(FOREIGN_PROMPT)
        times = {one["name"]: one["processing_time"] for one in record["data"]}
        texts = {"title": title, "notes": notes, "stamps": stamps, "provenance": provenance, "times": times}
        texts["usage"] = usage
        _report(evaluations, sets, folder, **texts)
    elif replaces:
        (folder / PAGE).unlink(missing_ok=True)  # of the older result
    print(f"written to {folder}")
    if faults:
        raise PedkitError("; ".join(faults), hint="the same command tries them again; everything else is written")
    return evaluations


def _sets(settings: Mapping[str, Any]) -> dict[str, EvaluationSet]:
    """Return the test sets: the manifest of the command line, or those of the preset."""
    if settings["manifest"] is not None:
        if settings["output_dir"] is None:
            raise PedkitError("a manifest of your own needs a place for its results", hint="add output_dir=DIR")
        chosen = {"split": settings["split"], "groups": settings["groups"] or []}
        described = {Path(settings["manifest"]).stem: {"manifest": settings["manifest"], **chosen}}
    else:
        described = (settings["evaluation"] or {}).get("test_sets") or {}
    if not described:
        raise PedkitError("there is no test set", hint="add manifest=FILE, or choose a preset: evaluation=demo")
    if settings["manifest"] is None and settings["split"] is not None:
        raise PedkitError(
            "split= is for a manifest of your own: each test set of a preset names its own split",
            hint=f"add manifest=FILE, or set evaluation.test_sets.{next(iter(described))}.split",
        )
    sets = {name: EvaluationSet.of(name, values) for name, values in described.items()}
    if settings["fairness"] is not None and settings["groups"] is None:
        FairnessSettings.of(settings["fairness"]).check_groups(key for one in sets.values() for key in one.groups)
    return sets


def _output_dir(settings: Mapping[str, Any]) -> Path:
    """Return the folder of the command line, or of the preset."""
    folder = settings["output_dir"] or (settings["evaluation"] or {}).get("output_dir")
    if not folder:
        raise PedkitError("the preset names no place for its results", hint="add output_dir=DIR")
    return Path(folder)


def _check_keys(one: EvaluationSet, settings: Mapping[str, Any]) -> None:
    """Raise where a manifest is missing, or no utterance in it has a group key or covariate that is asked for."""
    compare = None if settings["fairness"] is None else FairnessSettings.of(settings["fairness"])
    groups = one.groups if settings["groups"] is None else ScoreSettings.of({"groups": settings["groups"]}).groups
    try:
        check_asked(one.utterances(), groups, compare)
    except PedkitError as error:
        raise error.at(file=one.manifest) from None


def _score_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key in SCORE_KEYS}


def _report(
    evaluations: Mapping[str, Evaluation], sets: Mapping[str, EvaluationSet], folder: Path, **texts: Any
) -> None:
    from pedkit.evaluation.report_page import build_page
    from pedkit.report.html import write_report

    print(f"report: {write_report(folder / PAGE, build_page(evaluations, sets, **texts))}")


def _record(
    recognizer: Any,
    sets: Mapping[str, EvaluationSet],
    folders: Mapping[str, Path],
    stamps: Mapping[str, str],
    faults: list[str],
) -> dict[str, Any]:
    """Return what the output folder says of itself."""
    from pedkit.provenance import command, git_commit, versions

    return {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command(),
        "recognizer": recognizer.name,
        "revision": getattr(recognizer, "revision", None),
        "config_hash": getattr(recognizer, "config_hash", None),
        "prompt": _prompt(recognizer),
        "git_commit": git_commit(),
        "versions": versions("torch", "transformers", "numpy"),
        "data": [
            {
                "name": name,
                "path": str(one.manifest),
                "sha256": one.sha256(),
                "split": one.split,
                "seen": stamps.get(name),
                "processing_time": _processing_time(one, folders[name]),
            }
            for name, one in sets.items()
        ],
        "faults": faults,
    }


def _prompt(recognizer: Any) -> str | None:
    """Return what an audio language model was asked, and whether it was trained to be; else ``None``."""
    digest = getattr(recognizer, "prompt_hash", None)
    if digest is None:
        return None
    foreign = ", not the one it was trained with" if getattr(recognizer, "foreign_prompt", False) else ""
    return f"{recognizer.prompt.name} ({digest[:12]}){foreign}"


def _processing_time(one: EvaluationSet, folder: Path) -> dict[str, Any]:
    """Return ``rtf`` and ``rtfx`` of the clips of a test set."""
    from pedkit.data.manifest import read_predictions
    from pedkit.evaluation.identity import PREDICTIONS
    from pedkit.evaluation.processing_time import audio_durations, processing_time

    heard = read_predictions(folder / PREDICTIONS)
    return processing_time(heard.values(), audio_durations(one.utterances())).to_json()
