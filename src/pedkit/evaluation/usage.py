"""What hosted recognizers cost, beside their predictions and in the report."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pedkit.data.json_file import read_object
from pedkit.data.manifest import read_predictions
from pedkit.evaluation.identity import PREDICTIONS
from pedkit.recognizers.protocol import HostedProtocol, Recognizer
from pedkit.report.numbers import count, money
from pedkit.report.tables import write_json

USAGE = "usage.json"


def write_usage(recognizer: Recognizer, folder: Path) -> None:
    """Write ``usage.json`` over the predictions of a folder, where the recognizer sends audio elsewhere.

    It is summed anew from the predictions, so that resumed and stopped runs count like others.
    """
    path = folder / PREDICTIONS
    if isinstance(recognizer, HostedProtocol) and path.exists():
        write_json(folder / USAGE, recognizer.usage(read_predictions(path).values()))


def read_usage(folders: Mapping[str, Path]) -> dict[str, dict[str, Any]]:
    """Return name of a set -> content of its ``usage.json``, for the sets that have one."""
    paths = {name: folder / USAGE for name, folder in folders.items()}
    return {name: read_object(path) for name, path in paths.items() if path.exists()}


def usage_facts(usage: Mapping[str, Any]) -> dict[str, str]:
    """Return label -> text for the report."""
    tokens, seconds = usage["tokens"], usage["seconds"]
    audio = "" if tokens["input_audio"] is None else f" ({count(tokens['input_audio'])} of audio)"
    facts = {
        "asked": f"{usage['model']} at {usage['server']}",
        "answers": f"{count(usage['answers'])} ({count(usage['from_cache'])} from the cache)",
        "requests": count(usage["requests"]),
        "tokens sent": count(tokens["input"]) + audio,
        "tokens written": count(tokens["output"]),
        "cost of all answers": money(usage["cost"]),
    }
    if usage["cost"]["reason"] is not None:
        facts["cost of all answers"] += f" ({usage['cost']['reason']})"
    if seconds["median"] is not None:
        facts["seconds a request"] = f"median {seconds['median']:.2f}, 95 % within {seconds['p95']:.2f}"
    return facts
