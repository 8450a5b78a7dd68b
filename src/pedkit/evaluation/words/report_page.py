"""The report page of word error rates."""

from __future__ import annotations

from datetime import UTC, datetime

from pedkit.evaluation.words.result import WordEvaluation
from pedkit.report.numbers import count
from pedkit.report.page import Page, SetPage


def word_page(name: str, evaluation: WordEvaluation) -> Page:
    """Return the page of one manifest.

    Args:
        name: Name of the manifest.
        evaluation: What scoring it gave.
    """
    total = next(iter(evaluation.systems.values())).total
    file = evaluation.settings["manifest"]
    facts = {
        "utterances": count(total.utterances),
        "speakers": "unknown" if None in total.speakers else count(len(total.speakers)),
        "words": count(total.words),
    }
    one = SetPage(
        key="set", title=name, scores=evaluation.to_json(), details={}, facts=facts, fairness=evaluation.fairness
    )
    return Page(
        title=f"Words heard on {name}",
        sets=(one,),
        provenance={name: f"{file['path']}, sha256 {file['sha256'][:16]}"} if file["sha256"] else {},
        created=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        words=True,
    )
