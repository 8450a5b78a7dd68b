"""Asking engines: what a text with its errors asks of a voice, and whether the engine would say that."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from pedkit.errors import PedkitError
from synthetic.design.cast import Cast, drawn
from synthetic.design.drawing import Placed
from synthetic.design.edits import apply_all
from synthetic.design.operations import Pronunciation
from synthetic.design.text import Text
from synthetic.engines.protocol import SpeechRequest

_PROBE = ("HH", "AH0", "L", "OW1")
Spoken = Callable[[str, SpeechRequest], Pronunciation | None]

_PATIENCE = 50
"""So many requests refused with an error, and none granted: the fault is taken to be the voice's."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A text that an engine would not say as asked.

    Attributes:
        engine: Which engine.
        text: What should have been said, in letters.
        requested: The realized pronunciation it was asked for.
        spoken: What it would say instead; ``None`` where it refused the request.
        reason: Why it refused the request, in its own words.
    """

    engine: str
    text: str
    requested: Pronunciation
    spoken: Pronunciation | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """How a text is said: which engine and voice, how fast, how high, and the seed of its noise."""

    engine: str
    voice: str
    rate: float | None
    pitch: float | None
    noise_seed: int

    def request(self, text: Text, placed: tuple[Placed, ...]) -> SpeechRequest:
        """Return the request to say a text with its errors."""
        words = [
            apply_all((p.operation for p in placed if p.word == index), phones)
            for index, (_, phones) in enumerate(text.words)
        ]
        starts = tuple(itertools.accumulate(map(len, words), initial=0))[:-1]
        return SpeechRequest(
            phones=tuple(phone for word in words for phone in word),
            voice=self.voice,
            rate=self.rate,
            pitch=self.pitch,
            noise_seed=self.noise_seed,
            word_starts=starts,
        )


class Asking:
    """Makes requests and keeps what was refused.

    Args:
        casts: The voices of each engine.
        spoken: What an engine would say, from its name and a request.

    Attributes:
        refused: What the engines would not say.
        checked: How often one was asked.
    """

    def __init__(self, casts: Mapping[str, Cast], spoken: Spoken) -> None:
        self._casts, self._spoken = casts, spoken
        self.refused: list[Refusal] = []
        self.checked = 0
        self._errors: Counter[tuple[str, str]] = Counter()

    def expect_ranges(self, splits: Collection[str]) -> None:
        """Make sure that each voice of these splits exists and has the ends of the ranges of rate and pitch.

        Raises:
            PedkitError: One cannot.
        """
        for engine, cast in self._casts.items():
            ends = zip(cast.rate or (None, None), cast.pitch or (None, None), strict=True)
            voices = dict.fromkeys(voice for split in splits for voice in cast.voices(split))
            for (rate, pitch), voice in itertools.product(ends, voices):
                try:
                    self._spoken(engine, SpeechRequest(phones=_PROBE, voice=voice, rate=rate, pitch=pitch))
                except PedkitError as error:
                    raise PedkitError(str(error), hint="see voices, rate and pitch in synthetic.speech") from None

    def delivery(self, speaker: tuple[str, str], rng: random.Random) -> Delivery:
        """Return how an engine's voice says the next text."""
        engine, voice = speaker
        cast = self._casts[engine]
        return Delivery(engine, voice, drawn(cast.rate, rng), drawn(cast.pitch, rng), rng.randrange(1 << 31))

    def granted(self, engine: str, text: str, request: SpeechRequest) -> bool:
        """Return whether an engine would say what is requested, as far as it knows; keep it where not.

        Raises:
            PedkitError: A voice refuses everything with an error.
        """
        self.checked += 1
        speaker = engine, request.voice
        try:
            spoken, reason = self._spoken(engine, request), None
        except PedkitError as error:
            if self._errors[speaker] + 1 == _PATIENCE:
                raise
            self._errors[speaker] += 1 if self._errors[speaker] >= 0 else 0
            spoken, reason = None, str(error)
        else:
            self._errors[speaker] = -_PATIENCE  # it speaks: what it refuses is the request's fault
        if reason is None and (spoken is None or spoken == request.phones):
            return True
        self.refused.append(Refusal(engine, text, request.phones, spoken, reason))
        return False
