"""From the files of reviewers to `reviews.jsonl`, their agreement, and manifests of what they accepted."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeGuard

from pedkit.data.json_file import write_object
from pedkit.data.jsonl import read_jsonl, write_jsonl
from pedkit.errors import PedkitError
from synthetic.made_set import MadeSet
from synthetic.review.agreement import VerdictAgreement
from synthetic.review.verdicts import VERDICTS, Review, read_reviews

Keep = Literal["all", "any"]
SELECTION = "reviewed"
"""The manifests of what reviewers accepted are called ``SPLIT.reviewed.jsonl``."""


def merge_reviews(
    made: MadeSet, files: Sequence[str | Path], *, keep: Keep = "all", with_unreviewed: bool = False
) -> dict[str, Any]:
    """Take the verdicts of reviewers into a set.

    Verdicts of reviewers who handed in a file earlier stay; a new file of the same reviewer takes the place of the
    old one.

    Args:
        made: The set; it gains ``reviews.jsonl``, ``reviews.json`` and ``SPLIT.reviewed.jsonl``.
        files: CSV files of the page, one a reviewer.
        keep: ``all``: keep what everybody accepted who judged it; ``any``: what at least one accepted.
        with_unreviewed: Keep what nobody has judged too.

    Returns:
        The record, as ``reviews.json`` holds it.

    Raises:
        PedkitError: A file cannot be used (`read_reviews`), two are of one reviewer, or ``reviews.jsonl`` is of
            another set.
    """
    whole = MadeSet(made.folder)
    target = made.folder / "reviews.jsonl"
    new = _read(files, whole)
    reviews = [one for one in _earlier(target, whole) if one.reviewer not in new]
    reviews += itertools.chain.from_iterable(new.values())
    position = {name: index for index, name in enumerate(whole.utterances)}
    reviews.sort(key=lambda one: (position[one.id], one.reviewer))
    write_jsonl(target, (one.to_json() for one in reviews))

    verdicts: dict[str, dict[str, str]] = {}
    for one in reviews:
        verdicts.setdefault(one.id, {})[one.reviewer] = one.verdict
    kept = {name for name, found in verdicts.items() if _kept(found.values(), keep)}
    counts = made.write_selection(
        SELECTION,
        lambda one: one.id in kept or (with_unreviewed and one.id not in verdicts),
        {name: {"reviews": found} for name, found in verdicts.items()},
    )
    record = {
        "set": whole.mark,
        "reviewers": _counts(reviews),
        "agreement": _agreements(reviews, made.folder / "acceptance.jsonl"),
        "keep": keep,
        "with_unreviewed": with_unreviewed,
        "kept": counts,
        "unreviewed": sum(name not in verdicts for name in made.utterances),
        "disagreements": _disagreements(reviews),
    }
    write_object(made.folder / "reviews.json", record)
    return record


def _read(files: Sequence[str | Path], made: MadeSet) -> dict[str, list[Review]]:
    """Return the verdicts of each reviewer."""
    found: dict[str, list[Review]] = {}
    for path in files:
        own = read_reviews(path, made.mark, made.utterances)
        if not own:  # taken in, it would wipe out what its reviewer has handed in before
            raise PedkitError("there is no verdict in this file", file=path)
        reviewer = own[0].reviewer
        if reviewer in found:
            raise PedkitError(f"another of these files is {reviewer}'s too", file=path)
        found[reviewer] = own
    return found


def _earlier(path: Path, made: MadeSet) -> list[Review]:
    if not path.exists():
        return []
    reviews = []
    for number, line in read_jsonl(path):
        try:
            review = Review(**line)
        except TypeError:
            review = None
        if review is None or review.verdict not in VERDICTS or not all(map(_is_text, line.values())):
            raise PedkitError("expected a verdict of a reviewer", file=path, line=number)
        if review.set != made.mark or review.id not in made.utterances:
            raise PedkitError(
                f"these verdicts are of another set ({review.set}), not of this one ({made.mark})",
                file=path,
                line=number,
                hint="delete the file if the set was made anew",
            )
        reviews.append(review)
    return reviews


def _kept(verdicts: Any, keep: Keep) -> bool:
    accepted = [verdict == "accept" for verdict in verdicts]
    return all(accepted) if keep == "all" else any(accepted)


def _counts(reviews: Sequence[Review]) -> dict[str, dict[str, int]]:
    """Return reviewer -> verdict -> number of recordings."""
    found = {one.reviewer: Counter[str]() for one in reviews}
    for one in reviews:
        found[one.reviewer][one.verdict] += 1
    return {name: {verdict: found[name][verdict] for verdict in VERDICTS} for name in sorted(found)}


def _agreements(reviews: Sequence[Review], acceptance: Path) -> list[dict[str, Any]]:
    """Return the agreement of each pair of reviewers, and of each with the recognizer where one has verified."""
    by_reviewer: dict[str, dict[str, str]] = {}
    for one in reviews:
        by_reviewer.setdefault(one.reviewer, {})[one.id] = one.verdict
    pairs = [
        (first, second, by_reviewer[second]) for first, second in itertools.combinations(sorted(by_reviewer), 2)
    ]
    machine = _machine_verdicts(acceptance)
    if machine:
        pairs += [(name, "recognizer", machine) for name in sorted(by_reviewer)]
    return [
        {"first": first, "second": second, **VerdictAgreement.of(by_reviewer[first], verdicts).to_json()}
        for first, second, verdicts in pairs
    ]


def _machine_verdicts(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    verdicts = {}
    for number, line in read_jsonl(path):
        name, accepted = line.get("id"), line.get("accepted")
        if not _is_text(name) or not isinstance(accepted, bool | None):
            raise PedkitError("expected a verdict of a recognizer", file=path, line=number)
        if accepted is not None:
            verdicts[name] = "accept" if accepted else "reject"
    return verdicts


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)


def _disagreements(reviews: Sequence[Review]) -> list[dict[str, Any]]:
    """Return what reviewers judged differently, in the order of the manifests."""
    found: dict[str, dict[str, Mapping[str, str]]] = {}
    for one in reviews:
        found.setdefault(one.id, {})[one.reviewer] = {"verdict": one.verdict, "note": one.note}
    return [
        {"id": name, "reviews": own}
        for name, own in found.items()
        if len({one["verdict"] for one in own.values()}) > 1
    ]
