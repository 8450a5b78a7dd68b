"""Which of several phone sequences did a recording say? A recognizer weighs each one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pedkit.data.audio import load_audio
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.phones import ARPABET_TO_IPA
from pedkit.recognizers.protocol import Clip, Recognizer, ScoringRecognizer
from synthetic.acceptance.near_misses import INVENTORY, Columns, doubted_column, near_misses

Phones = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a recognizer made of one recording.

    Attributes:
        id: Of the utterance.
        likelihoods: Phone sequence -> natural log-likelihood given the recording; the realized one first. Empty
            where the recording could not be weighed.
        failed: Why it could not.
    """

    id: str
    likelihoods: Mapping[Phones, float]
    failed: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the line of ``acceptance.jsonl``."""
        likelihoods = {" ".join(phones): value for phones, value in self.likelihoods.items()}
        return {"id": self.id, "likelihoods": likelihoods, "failed": self.failed}

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Weighed:
        """Read a line of ``acceptance.jsonl``.

        Raises:
            PedkitError: It is none.
        """
        try:
            likelihoods = {tuple(text.split()): float(value) for text, value in line["likelihoods"].items()}
            return cls(line["id"], likelihoods, line["failed"])
        except (KeyError, AttributeError, TypeError, ValueError):
            raise PedkitError("expected a line with id, likelihoods and failed") from None


@runtime_checkable
class ScoringAtOnce(Protocol):
    """What a recognizer may offer beside ``log_likelihood``, so that it hears each recording once only."""

    def log_likelihoods(self, clip: Clip, sequences: Iterable[Iterable[str]]) -> Sequence[float | None]:
        """Return the log-likelihood of each sequence, ``None`` for one that ``log_likelihood`` would refuse.

        Raises:
            PedkitError: Nothing of this clip can be weighed.
        """
        ...


class ForcedChoice:
    """Weighs the realized phones of an utterance against what else might have been said.

    Args:
        recognizer: Who listens. Its inventory is ``cmu39``, or ``ipa`` with a symbol for each phone of CMU-39.
        neighbours: As in `synthetic.acceptance.near_misses.near_misses`.

    Raises:
        PedkitError: The recognizer cannot weigh phones of CMU-39.
    """

    def __init__(self, recognizer: Recognizer, neighbours: int) -> None:
        if not isinstance(recognizer, ScoringRecognizer):
            raise PedkitError(
                f"expected a recognizer with log_likelihood, but {recognizer.name} cannot weigh phones"
            )
        if recognizer.inventory not in (INVENTORY, "ipa"):
            raise PedkitError(
                f"expected a recognizer of {INVENTORY} or ipa, but {recognizer.name} hears {recognizer.inventory}"
            )
        self._recognizer, self._neighbours = recognizer, neighbours

    def weigh(self, utterance: Utterance, columns: Columns) -> Weighed:
        """Return the log-likelihood of the realized phones and of each rival.

        A rival that the recognizer cannot weigh (it has more phones than the recording has frames, or one that the
        recognizer does not know) is left out.
        """
        realized = utterance.realized or ()
        sequences = [realized, *near_misses(columns, self._neighbours, doubted_column(utterance, columns))]
        try:
            if utterance.audio is None:
                raise PedkitError("the manifest names no audio")
            rate = getattr(self._recognizer, "sample_rate", 16000)
            found = self._likelihoods(Clip(utterance, load_audio(utterance.audio, rate), rate), sequences)
        except (PedkitError, OSError) as error:
            return Weighed(utterance.id, {}, getattr(error, "message", None) or str(error))
        likelihoods = {phones: value for phones, value in zip(sequences, found, strict=True) if value is not None}
        if len(likelihoods) == 1:
            return Weighed(utterance.id, {}, "there is nothing else that the recognizer could have heard")
        return Weighed(utterance.id, likelihoods)

    def _likelihoods(self, clip: Clip, sequences: Sequence[Phones]) -> Sequence[float | None]:
        """Return the likelihood of the first sequence, and of each other one that can be weighed."""
        spelled = [self._spelled(phones) for phones in sequences]
        if isinstance(self._recognizer, ScoringAtOnce):
            found = self._recognizer.log_likelihoods(clip, spelled)
            if found[0] is not None:
                return found
        first = self._recognizer.log_likelihood(clip, spelled[0])  # says why, where it cannot
        return [first, *(self._likelihood(clip, phones) for phones in spelled[1:])]

    def _likelihood(self, clip: Clip, phones: Phones) -> float | None:
        try:
            return self._recognizer.log_likelihood(clip, phones)
        except PedkitError:
            return None

    def _spelled(self, phones: Phones) -> Phones:
        if self._recognizer.inventory == INVENTORY:
            return phones
        return tuple(ARPABET_TO_IPA[phone] for phone in phones)


def score(phones: Phones, likelihoods: Mapping[Phones, float]) -> tuple[float, Phones]:
    """Return the score of a phone sequence and its strongest rival.

    The score is L(phones) / |phones| minus the largest L(rival) / |rival|, in nats a phone: over 0 where the
    sequence wins the forced choice. Each log-likelihood is divided by its own number of phones because a
    recognizer that is not sure of itself finds shorter sequences likelier, whatever was said.

    Args:
        phones: One of the sequences of ``likelihoods``, which has two or more.
        likelihoods: Phone sequence -> natural log-likelihood L.
    """
    normalised = {one: value / len(one) for one, value in likelihoods.items()}
    own = normalised.pop(phones)
    rival = max(normalised, key=normalised.__getitem__)
    return own - normalised[rival], rival
