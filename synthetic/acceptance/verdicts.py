"""From log-likelihoods to verdicts, and to how much the verdicts can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from synthetic.acceptance.calibration import Threshold, calibrated
from synthetic.acceptance.forced_choice import Phones, Weighed, score
from synthetic.acceptance.settings import AcceptanceSettings

WHOLE_SET = "all"
"""Name of the one group where the threshold is calibrated over the whole set."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one recording.

    Attributes:
        accepted: Whether it stays.
        score: In nats a phone; ``None`` where it could not be weighed.
        rival: The strongest rival.
        reason: Why it was refused.
    """

    accepted: bool
    score: float | None = None
    rival: Phones | None = None
    reason: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what the line of ``acceptance.jsonl`` gains."""
        rival = None if self.rival is None else " ".join(self.rival)
        return {"score": self.score, "rival": rival, "accepted": self.accepted, "reason": self.reason}


def thresholds(
    utterances: Mapping[str, Utterance], weighed: Mapping[str, Weighed], settings: AcceptanceSettings
) -> dict[str, Threshold]:
    """Return the threshold of each group of recordings (`group`).

    Raises:
        PedkitError: A group has too few unedited recordings.
    """
    scores: dict[str, list[float]] = {group(one, settings): [] for one in utterances.values()}
    if settings.threshold is not None:
        return {name: Threshold(settings.threshold) for name in scores}
    for one in utterances.values():
        if one.realized == one.canonical and (likelihoods := weighed[one.id].likelihoods):
            scores[group(one, settings)].append(score(one.realized or (), likelihoods)[0])
    return {
        name: calibrated(found, settings.unedited_refused, "the set" if name == WHOLE_SET else f"'{name}'")
        for name, found in scores.items()
    }


def group(utterance: Utterance, settings: AcceptanceSettings) -> str:
    """Return the name of the recordings with which this one shares its threshold.

    Raises:
        PedkitError: The utterance names no engine or speaker, by which it was to be grouped.
    """
    if settings.within is None:
        return WHOLE_SET
    name = utterance.extra.get("engine") if settings.within == "engine" else utterance.speaker
    if name is None:
        raise PedkitError(f"expected this utterance to name its {settings.within}", utterance=utterance.id)
    return str(name)


def verdict(utterance: Utterance, weighed: Weighed, threshold: Threshold) -> Verdict:
    """Accept a recording whose score reaches the threshold."""
    if weighed.failed is not None:
        return Verdict(False, reason=f"could not be verified: {weighed.failed}")
    value, rival = score(utterance.realized or (), weighed.likelihoods)
    if value >= threshold.value:
        return Verdict(True, value, rival)
    what = "the canonical phones" if rival == utterance.canonical else "a near miss"
    reason = f"score {value:.3f} is below {threshold.value:.3f}; it sounds more like {' '.join(rival)} ({what})"
    return Verdict(False, value, rival, reason)


def decoys(
    utterances: Mapping[str, Utterance],
    weighed: Mapping[str, Weighed],
    found: Mapping[str, Threshold],
    settings: AcceptanceSettings,
) -> Iterator[tuple[str, bool]]:
    """Yield kind and refusal of every wrong label that an unedited recording can be given.

    The label is one of the near misses: what the manifest would say had the engine not carried out an error. The
    kind is ``substitution`` or ``deletion``. A recognizer that accepts many of them verifies nothing.
    """
    for one in utterances.values():
        likelihoods = weighed[one.id].likelihoods
        if one.realized != one.canonical or not likelihoods:
            continue
        threshold = found[group(one, settings)].value
        for label in likelihoods:
            if label != one.realized:
                kind = "deletion" if len(label) < len(one.realized or ()) else "substitution"
                yield kind, score(label, likelihoods)[0] < threshold
