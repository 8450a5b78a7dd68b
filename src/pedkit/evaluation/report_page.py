"""From evaluations to the page that shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pedkit.evaluation.clips import audio_address
from pedkit.evaluation.processing_time import speed_facts
from pedkit.evaluation.result import STATUS_NAMES, Evaluation, ScoredUtterance, SystemResult
from pedkit.evaluation.test_sets import EvaluationSet
from pedkit.evaluation.usage import usage_facts
from pedkit.report.numbers import count, counted
from pedkit.report.page import Column, Example, Page, SetPage, SystemDetail

EXAMPLE_GROUPS = ("age_group", "gender", "accent", "l1")


def build_page(
    evaluations: Mapping[str, Evaluation],
    sets: Mapping[str, EvaluationSet],
    *,
    title: str,
    notes: Sequence[str] = (),
    stamps: Mapping[str, str] | None = None,
    provenance: Mapping[str, str] | None = None,
    times: Mapping[str, Mapping[str, Any]] | None = None,
    usage: Mapping[str, Mapping[str, Any]] | None = None,
) -> Page:
    """Return the page of one or several test sets.

    Args:
        evaluations: Name of the test set -> its evaluation.
        sets: Name -> what the set is.
        title: Heading of the page.
        notes: Plain-language notes under the heading.
        stamps: Name of a set -> sentence that must stand beside its numbers.
        provenance: Label -> text for the footer.
        times: Name of a set -> how long hearing it took, as `ProcessingTime.to_json` says.
        usage: Name of a set -> what a hosted recognizer used for it, as its ``usage.json`` says.
    """
    stamps = stamps or {}
    facts = {name: speed_facts(one) for name, one in (times or {}).items()}
    for name, one in (usage or {}).items():
        facts[name] = facts.get(name, {}) | usage_facts(one)
    pages = [
        _set_page(sets[name], evaluation, stamps.get(name), facts.get(name, {}))
        for name, evaluation in evaluations.items()
    ]
    seen = [f"{sets[name].heading}: {sentence}" for name, sentence in stamps.items()]
    return Page(
        title=title,
        sets=tuple(pages),
        notes=(*seen, *notes),
        inventory=next((evaluation.inventory for evaluation in evaluations.values()), ()),
        provenance=dict(provenance or {}) | _data(evaluations, sets),
        licences={sets[name].heading: sets[name].licence for name in evaluations if sets[name].licence},
        created=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


def _data(evaluations: Mapping[str, Evaluation], sets: Mapping[str, EvaluationSet]) -> dict[str, str]:
    """Return for each set which data it is."""
    rows = {}
    for name, evaluation in evaluations.items():
        file, split = evaluation.settings["manifest"], evaluation.settings["split"]
        parts = [str(sets[name].manifest), f"split {split}" if split else ""]
        parts.append(f"sha256 {file['sha256'][:16]}" if file["sha256"] else "")
        rows[sets[name].heading] = ", ".join(filter(None, parts))
    return rows


def _set_page(one: EvaluationSet, evaluation: Evaluation, stamp: str | None, facts: Mapping[str, str]) -> SetPage:
    scores = evaluation.to_json()
    return SetPage(
        key=one.name,
        title=one.heading,
        description=one.description,
        scores=scores,
        details={name: _detail(system) for name, system in evaluation.systems.items()},
        facts=_facts(evaluation) | dict(facts),
        fairness=evaluation.fairness,
        examples=tuple(
            _example(name, scored) for name, system in evaluation.systems.items() for scored in system.worst
        ),
        warnings=(*([stamp] if stamp else []), *one.warnings, *_warnings(evaluation)),
    )


def _detail(system: SystemResult) -> SystemDetail:
    confusions = Counter[tuple[str | None, str | None]]()
    for pair, number in system.pairs.items():
        confusions[pair.reference, pair.predicted] += number
    return SystemDetail(confusions=confusions, flags=system.outcomes_by_phone())


def _facts(evaluation: Evaluation) -> dict[str, str]:
    system = next(iter(evaluation.systems.values()))
    counts = system.counts
    speakers = "unknown" if None in system.speakers else count(len(system.speakers))
    unnamed = counts["unusable_phones"]
    return {
        "utterances": count(counts["utterances"]),
        "speakers": speakers,
        "reference phones": count(counts["reference_phones"]),
        **({"unnamed sounds (<unk>), left out of PER": count(unnamed)} if unnamed else {}),
        "compared with": counts.reference,
        **dict(_without_phones(evaluation)),
    }


def _without_phones(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Yield for each system how many utterances it gave no phones for, and why."""
    for name, system in evaluation.systems.items():
        label = "without phones" if len(evaluation.systems) == 1 else f"without phones: {name}"
        found = {status: system.statuses[status] for status in STATUS_NAMES if status != "ok"}
        parts = ", ".join(f"{count(number)} {status}" for status, number in found.items() if number)
        yield label, f"{count(sum(found.values()))} ({parts})" if parts else "0"


def _warnings(evaluation: Evaluation) -> list[str]:
    sentences = []
    for name, system in evaluation.systems.items():
        counts = system.counts
        dropped = sum(system.dropped.get("predicted", {}).values())
        if dropped:
            sentences.append(
                f"{name}: {counted(dropped, 'predicted symbol')} without counterpart in the inventory left out; "
                "scores.json lists them."
            )
        if counts["without_realized"]:
            sentences.append(
                f"{name}: {counted(counts['without_realized'], 'utterance')} without annotated phones: no part "
                "in the detection rates."
            )
    return sentences


def _columns(scored: ScoredUtterance) -> Iterator[Column]:
    """Yield the columns; a phone that the corpus marks as wrong without naming another one gets a star."""
    place = -1
    for column in scored.columns:
        place += column.canonical is not None
        realized = column.realized
        if column.canonical is not None and realized == column.canonical and place in scored.item.flags:
            realized = f"{realized}*"
        yield Column(column.canonical, realized, column.predicted, column.outcome or column.type or "ok")


def _example(system: str, scored: ScoredUtterance) -> Example:
    utterance = scored.utterance
    facts = [f"speaker {utterance.speaker.rsplit(':', 1)[-1]}"] if utterance.speaker else []
    facts += [str(utterance.groups[key]) for key in EXAMPLE_GROUPS if key in utterance.groups]
    rate = scored.counts.per
    return Example(
        system=system,
        id=utterance.id,
        text=utterance.text or "",
        facts=" · ".join(facts),
        errors=round(rate.numerator),
        reference=round(rate.denominator),
        unnamed=scored.counts["unusable_phones"],
        judged=scored.item.realized is not None,
        columns=tuple(_columns(scored)),
        audio=audio_address(utterance.audio),
    )
