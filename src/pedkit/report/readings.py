"""Plain sentences made from the numbers, for readers who do not know the measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pedkit.report.measures import Rate, rate
from pedkit.report.numbers import count, counted, percent
from pedkit.report.reference_words import reference_words


def readings(title: str, scores: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each system of a test set: errors in hearing, errors found, false alarms."""
    sentences = []
    for name, system in scores["systems"].items():
        parts = list(_parts(system, reference_words(scores).phones))
        who = _who(title, name, scores)
        sentences.append(f"{who}: {'; '.join(parts)}." if parts else f"{who}: no rate is defined.")
    return sentences


def conclusions(title: str, scores: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each system: does it do better than hearing the intended phones, or nothing?

    Against a G2P reference the intended phones are right by definition, and nothing is said of transcripts.

    Args:
        title: Name of the test set.
        scores: Content of ``scores.json``; without its reference rows nothing is concluded.
    """
    references = scores.get("references", {})
    if not {"accept_all", "empty"} <= set(references):
        return []
    accept_all, empty = references["accept_all"], references["empty"]
    is_g2p = reference_words(scores).is_g2p
    sentences = []
    for name, system in scores["systems"].items():
        parts = []
        per, least = rate(system, "per"), rate(accept_all, "per")
        if not is_g2p and per["value"] is not None and least["value"] is not None:
            word = _than(least["value"] - per["value"])
            against = f"PER {percent(per)} % against {percent(least)} %"
            parts.append(f"as a transcript it is {word} the intended phones that accept-all repeats ({against})")
        f1, marks = rate(system, "f1"), {"accept-all": rate(accept_all, "f1"), "empty": rate(empty, "f1")}
        if f1["value"] is not None and all(mark["value"] is not None for mark in marks.values()):
            best = max(marks, key=lambda one: marks[one]["value"])
            gain = f1["value"] - marks[best]["value"]
            against = " and ".join(f"{percent(mark)} % of {one}" for one, mark in marks.items())
            than = f"{_than(gain)} {'both' if gain > 0 else best}"
            parts.append(f"in finding errors it is {than} (F1 {percent(f1)} % against {against})")
        if parts:
            sentences.append(f"{_who(title, name, scores)}: {'; '.join(parts)}.")
    return sentences


def _who(title: str, name: str, scores: Mapping[str, Any]) -> str:
    return f"{title}, {name}" if len(scores["systems"]) > 1 else title


def _than(gain: float) -> str:
    return "better than" if gain > 0 else "worse than" if gain < 0 else "no better than"


def _parts(system: Mapping[str, Any], reference: str) -> Iterator[str]:
    per, far, frr, wer = (rate(system, key) for key in ("per", "far", "frr", "wer"))
    if wer["value"] is not None:
        yield f"{counted(wer['numerator'], 'error')} on {_words(wer, 'word')} (WER {percent(wer)} %)"
    if per["value"] is not None:
        phones = f"{_words(per, 'phone')}{reference}"
        yield f"{counted(per['numerator'], 'error')} on {phones} (PER {percent(per)} %)"
    if far["value"] is not None:
        found = far["denominator"] - far["numerator"]
        yield f"{count(found)} of {_words(far, 'pronunciation error')} noticed"
    if frr["value"] is not None:
        made_of = f"{count(frr['numerator'])} of {count(frr['denominator'])}"
        yield f"{_false_alarms(system['mdd'])}FRR {percent(frr)} % ({made_of})"


def _words(found: Rate, noun: str) -> str:
    return counted(found["denominator"], noun)


def _false_alarms(mdd: Mapping[str, Any]) -> str:
    """Return what FR is made of: phones said correctly, and phones heard where nobody said one."""
    by_type = mdd.get("counts_by_type")
    if by_type is None:
        return ""
    rejected, added = by_type["FR_sub"] + by_type["FR_del"], by_type["FR_ins"]
    correct = counted(by_type["TA"] + rejected, "correctly said phone")
    heard = f", {counted(added, 'phone')} heard where the reference has none" if added else ""
    return f"false alarms: {count(rejected)} of {correct}{heard}: "
