"""`refused.jsonl`: everything that was wanted and is not there, with the stage at which it was refused and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from synthetic.design import Design, DesignItem, Refusal
from synthetic.engines import SpeechEngine
from synthetic.speaking import Refused

_OTHER_PHONES = "other_phones"


def refusals(
    design: Design, refused: Mapping[str, Refused], engines: Mapping[str, SpeechEngine]
) -> Iterator[dict[str, Any]]:
    """Yield the lines of ``refused.jsonl``: what the design left out, then items that could not be said.

    Args:
        design: The design.
        refused: Why items have no audio, by id.
        engines: The engines, by the names that the design calls them.
    """
    for skipped in design.skipped:
        found = {"reason": skipped.reason, "text": skipped.text}
        yield {"id": skipped.id, "stage": "text", "error": "unusable", **found}
    for refusal in design.refused:
        yield _of_design(refusal, engines[refusal.engine].name)
    for item in design.items:
        if item.id in refused:
            yield _of_item(item, refused[item.id], engines[item.engine].name)


def _of_design(refusal: Refusal, engine: str) -> dict[str, Any]:
    said = None if refusal.spoken is None else list(refusal.spoken)
    return {
        "id": None,
        "stage": "design",
        "error": "engine_error" if said is None else _OTHER_PHONES,
        "reason": refusal.reason or f"the engine would say '{' '.join(said or ())}'",
        "text": refusal.text,
        "engine": engine,
        "requested": list(refusal.requested),
        "spoken": said,
    }


def _of_item(item: DesignItem, refused: Refused, engine: str) -> dict[str, Any]:
    return {
        "id": item.id,
        "stage": "speaking",
        "error": refused.error,
        "reason": refused.reason,
        "text": item.text,
        "engine": engine,
        "voice": item.request.voice,
        "operations": kinds(item),
        "requested": list(item.realized),
        "spoken": None if refused.spoken is None else list(refused.spoken),
    }


def kinds(item: DesignItem) -> list[str]:
    """Return the kinds of the designed errors, ``none`` where there are none."""
    return [operation.kind for operation in item.operations] or ["none"]


def statistics(lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return how many were refused, by stage, by what went wrong, by engine, and by kind of designed error."""
    return {
        "total": len(lines),
        "stages": _counted(line["stage"] for line in lines),
        "errors": _counted(line["error"] for line in lines),
        "engines": _counted(line["engine"] for line in lines if "engine" in line),
        "operations": _counted(kind for line in lines for kind in set(line.get("operations", ()))),
    }


def _counted(names: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
