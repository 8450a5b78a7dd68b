"""Speaker-level sums: the observations of one corpus, split into the groups of one attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from pedkit.fairness.groups import UNKNOWN, value_order
from pedkit.fairness.observation import Observation

POOLED = "all corpora"
"""Name in place of a corpus where corpora were pooled on request."""

SPEAKER_RATES = ("pooled", "mean_of_utterances")
"""A speaker's rate: quotient of the sums over the speaker's utterances, or mean of their rates."""

Floats = NDArray[np.float64]
Attribute = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupSample:
    """The speakers of one group with their sums.

    Attributes:
        value: Value of the attribute; ``unknown`` where it is missing.
        speakers: Speaker ids in order; empty where an utterance of the group has no speaker id.
        rates: Rate of each speaker, NaN where undefined; shape (speakers, metrics).
        numerators: Sums of each speaker, shape (speakers, metrics).
        denominators: The same.
        total: Numerators and denominators of all utterances, shape (2, metrics).
        n_utterances: Number of utterances.
        n_without_speaker: How many of them have no speaker id.
    """

    value: str
    speakers: tuple[str, ...]
    rates: Floats
    numerators: Floats
    denominators: Floats
    total: Floats
    n_utterances: int
    n_without_speaker: int

    def values(self, metric: int) -> Floats:
        """Return the defined rates of one metric, one a speaker."""
        column: Floats = self.rates[:, metric]
        return column[~np.isnan(column)]

    @property
    def why_no_speakers(self) -> str | None:
        """Why nothing can be said about speakers; ``None`` where they are known."""
        return why_no_speakers(self.n_without_speaker, self.n_utterances)


def why_no_speakers(without: int, utterances: int) -> str | None:
    """Return why nothing can be said about speakers; ``None`` where every utterance has a speaker id.

    Args:
        without: Number of utterances without a speaker id.
        utterances: Number of utterances.
    """
    if not without:
        return None
    if utterances == 1:
        return "the only utterance has no speaker id"
    if without == utterances:
        return f"none of {utterances} utterances has a speaker id"
    return f"{without} of {utterances} utterances {'has' if without == 1 else 'have'} no speaker id"


class Corpus:
    """The observations of one corpus (or of several, pooled on request) as arrays.

    Args:
        name: Name of the corpus.
        observations: Its observations.
        metrics: Metrics to look at; an observation that lacks one has nothing to judge there.
        speaker_rate: One of `SPEAKER_RATES`.
    """

    def __init__(
        self, name: str, observations: Sequence[Observation], metrics: Sequence[str], speaker_rate: str
    ) -> None:
        self.name = name
        self._observations = observations
        sums = np.array([[seen.sums.get(m, (0.0, 0.0)) for m in metrics] for seen in observations], dtype=float)
        self._numerators, self._denominators = sums[:, :, 0], sums[:, :, 1]
        self._names, self._speakers = _coded([seen.speaker or "" for seen in observations])
        self._anonymous = np.array([seen.speaker is None for seen in observations])
        self._by_utterance = speaker_rate == "mean_of_utterances"

    def whole(self) -> GroupSample:
        """Return all speakers as one group, with the corpus's name as its value."""
        return self._sample(self.name, np.arange(len(self._observations)))

    def groups(self, attribute: Attribute) -> list[GroupSample]:
        """Return the groups of an attribute by value, ``unknown`` last.

        The value of several attributes together (an intersection) joins theirs by `` & ``; it is ``unknown`` where
        one of them is.
        """
        keys = (attribute,) if isinstance(attribute, str) else attribute
        values, codes = _coded([joined_value(seen, keys) for seen in self._observations])
        rows = {value: np.flatnonzero(codes == code) for code, value in enumerate(values)}
        return [self._sample(value, rows[value]) for value in sorted(values, key=label_order)]

    def _sample(self, value: str, rows: NDArray[np.intp]) -> GroupSample:
        anonymous = int(self._anonymous[rows].sum())
        numerators, denominators = self._numerators[rows], self._denominators[rows]
        total = np.stack([numerators.sum(axis=0), denominators.sum(axis=0)])
        if anonymous:
            none = np.empty((0, total.shape[1]))
            return GroupSample(value, (), none, none, none, total, len(rows), anonymous)
        speakers, index = np.unique(self._speakers[rows], return_inverse=True)
        errors, phones = (_add_up(part, index, len(speakers)) for part in (numerators, denominators))
        if self._by_utterance:
            judged = (denominators > 0).astype(float)
            rates = numerators / np.where(judged, denominators, 1.0) * judged
            rates = _quotient(_add_up(rates, index, len(speakers)), _add_up(judged, index, len(speakers)))
        else:
            rates = _quotient(errors, phones)
        names = tuple(self._names[speaker] for speaker in speakers)
        return GroupSample(value, names, rates, errors, phones, total, len(rows), 0)


def corpora_of(
    observations: Sequence[Observation], metrics: Sequence[str], *, pool: bool, speaker_rate: str = "pooled"
) -> list[Corpus]:
    """Split observations by corpus, or keep them together where ``pool`` is true.

    Raises:
        PedkitError: An utterance comes twice, two kinds of reference meet, or a speaker is in two corpora.
    """
    parts: dict[str, list[Observation]] = {}
    ids: set[tuple[str, str]] = set()
    home: dict[str, str] = {}
    for seen in observations:
        if (seen.corpus, seen.id) in ids:
            raise PedkitError("the utterance was observed twice", utterance=seen.id, hint="one system at a time")
        ids.add((seen.corpus, seen.id))
        if pool and seen.speaker is not None and home.setdefault(seen.speaker, seen.corpus) != seen.corpus:
            raise PedkitError(
                f"speaker '{seen.speaker}' is in corpus '{home[seen.speaker]}' and in '{seen.corpus}'",
                utterance=seen.id,
                hint="make speaker ids unique across corpora: corpus:speaker",
            )
        part = parts.setdefault(POOLED if pool else seen.corpus, [])
        if part and seen.reference != part[0].reference:
            raise PedkitError(
                f"counted against {seen.reference}, but '{part[0].id}' against {part[0].reference}",
                utterance=seen.id,
                hint="the two are never pooled: compare groups of each kind of utterance on their own",
            )
        part.append(seen)
    return [Corpus(name, parts[name], metrics, speaker_rate) for name in sorted(parts)]


def joined_value(seen: Observation, keys: Sequence[str]) -> str:
    """Return the value of one attribute, or of several joined by `` & ``; ``unknown`` where one is missing."""
    if len(keys) == 1:
        return seen.groups.get(keys[0], UNKNOWN)
    values = [seen.groups.get(key, UNKNOWN) for key in keys]
    return UNKNOWN if UNKNOWN in values else " & ".join(values)


def attribute_name(attribute: Attribute) -> str:
    """Return the name of an attribute, of several joined by `` & ``."""
    return attribute if isinstance(attribute, str) else " & ".join(attribute)


def label_order(value: str) -> list[tuple[bool, bool, float, str]]:
    """Sort values, also those of intersections, each part as `value_order` does."""
    return [value_order(part) for part in value.split(" & ")]


def _coded(texts: Sequence[str]) -> tuple[list[str], NDArray[np.intp]]:
    """Return the different texts in order, and the place of each text among them."""
    names = sorted(set(texts))
    places = {name: place for place, name in enumerate(names)}
    return names, np.fromiter((places[text] for text in texts), dtype=np.intp, count=len(texts))


def _add_up(values: Floats, index: NDArray[np.intp], number: int) -> Floats:
    return np.stack([np.bincount(index, column, minlength=number) for column in values.T], axis=1)


def _quotient(numerators: Floats, denominators: Floats) -> Floats:
    defined = denominators > 0
    return np.where(defined, numerators / np.where(defined, denominators, 1.0), np.nan)
