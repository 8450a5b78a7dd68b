"""Each utterance of a manifest with its prediction: streaming, in any order, and no id is lost silently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from sys import intern

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

CHOICES = ("error", "empty")
EXTRA_CHOICES = ("error", "ignore")
MISSING = "missing"
"""Status of the prediction that stands in for a missing one; it is none of `STATUSES`, so no file can have it."""


def match(
    utterances: Iterable[Utterance],
    predictions: Iterable[Prediction],
    *,
    split: str | None = None,
    missing: str = "error",
    extra: str = "error",
) -> Iterator[tuple[Utterance, Prediction]]:
    """Yield each utterance of the split with its prediction, in the order of the manifest.

    Where both files have the same order, only one prediction is in memory at a time.

    Args:
        utterances: The manifest.
        predictions: The predictions, ids unique.
        split: Keep utterances of this split only; ``None`` keeps all.
        missing: ``empty`` scores an utterance without prediction as if nothing was heard (status `MISSING`).
        extra: ``ignore`` allows predictions whose id is not in the manifest.

    Raises:
        PedkitError: An utterance has no prediction, a prediction no utterance, or no utterance is of the split.
    """
    waiting: dict[str, Prediction] = {}
    others: set[str] = set()
    stream = iter(predictions)
    found = 0
    for utterance in (rest := iter(utterances)):
        if split is not None and utterance.split != split:
            others.add(utterance.id)
            continue
        found += 1
        prediction = _next(utterance.id, waiting, stream)
        if prediction is None:
            if missing == "error":
                more = sum(u.id not in waiting and (split is None or u.split == split) for u in rest)
                raise PedkitError(
                    "there is no prediction for this utterance" + (f", nor for {more} others" if more else ""),
                    utterance=utterance.id,
                    hint="missing=empty scores it as if nothing was heard",
                )
            prediction = Prediction(id=utterance.id, status=MISSING)
        yield utterance, prediction
    if not found:
        raise PedkitError("there is no utterance" + (f" of the split '{split}'" if split is not None else ""))
    unasked = [*waiting, *(prediction.id for prediction in stream)]  # to the end: there may be broken lines
    if extra == "error":
        _refuse_extra(unasked, others)


def _next(name: str, waiting: dict[str, Prediction], stream: Iterator[Prediction]) -> Prediction | None:
    """Return the prediction of an utterance; those that come before it wait for theirs."""
    if name in waiting:
        return waiting.pop(name)
    for prediction in stream:
        if prediction.id == name:
            return prediction
        # Files in another order wait here whole, so each phone is stored once.
        waiting[prediction.id] = replace(prediction, phones=tuple(map(intern, prediction.phones)))
    return None


def _refuse_extra(names: list[str], others: set[str]) -> None:
    unknown = [name for name in names if name not in others]
    if unknown:
        more = f", nor are {len(unknown) - 1} others" if len(unknown) > 1 else ""
        raise PedkitError(
            f"this predicted utterance is not in the manifest{more}",
            utterance=unknown[0],
            hint="extra=ignore leaves such predictions out",
        )
