"""From a request to its answer: tries, waits, and the decision to give up."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.recognizers.hosted.completion import Completion, completion_of
from pedkit.recognizers.hosted.fault import Fault
from pedkit.recognizers.hosted.tokens import Tokens
from pedkit.recognizers.hosted.traffic import Clock, RateLimiter, Traffic
from pedkit.recognizers.hosted.transport import Transport
from pedkit.recognizers.protocol import RecognizerStoppedError

_LONGEST_PAUSE = 3600.0
"""Seconds that a server may ask all requests to wait without ending the run."""
_PAUSE_TO_TELL = 30.0


@dataclass(frozen=True, slots=True)
class Answered:
    """A completion, the seconds its request took, and the number of requests that it needed."""

    completion: Completion
    seconds: float
    tries: int


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Why a clip got no answer."""

    reason: str


class Asker:
    """Asks a server until it answers; threads may share one.

    Args:
        transport: Sends one request.
        traffic: The limits.
        clock: The time.
        seed: Of the random part of the waits.
    """

    def __init__(self, transport: Transport, traffic: Traffic, clock: Clock, seed: int | None = None) -> None:
        self._transport, self._traffic, self._clock = transport, traffic, clock
        self._limiter = RateLimiter(traffic.requests_per_minute, clock)
        self._jitter = random.Random(seed)
        self._lock, self._unanswered = threading.Lock(), 0

    def ask(self, body: Mapping[str, Any], utterance: str) -> Answered | Unanswered | None:
        """Return the answer to a request, or why there is none; ``None`` where the run was stopped meanwhile.

        Args:
            body: The request.
            utterance: Id of the utterance, for errors.

        Raises:
            RecognizerStoppedError: No request can succeed, or too many in a row have not.
        """
        begun = self._clock.now()
        for tries in range(1, self._traffic.max_tries + 1):
            if not self._limiter.wait():
                return None
            sent = self._clock.now()
            answer = self._transport.send(body)
            seconds = self._clock.now() - sent
            found = answer if isinstance(answer, Fault) else completion_of(answer)
            if isinstance(found, Fault) and found.remedy == "withheld":
                found = Completion("", "content_filter", found.reason, None, Tokens())
            if isinstance(found, Completion):
                self._count(None, utterance)
                return Answered(found, seconds, tries)
            if found.remedy == "stop":
                raise RecognizerStoppedError(found.reason, utterance=utterance, hint=found.hint)
            if found.remedy == "clip":
                return Unanswered(found.reason)
            wait = self._traffic.wait_before(tries, self._jitter)
            if found.retry_after is not None:
                self._hold(found.retry_after, found.reason, utterance)
                wait = max(wait, found.retry_after)
            spent = self._clock.now() - begun
            if tries == self._traffic.max_tries or spent + wait > self._traffic.max_wait:
                return self._given_up(found, tries, spent, utterance)
            if not self._clock.sleep(wait):
                return None
        raise AssertionError("max_tries is 1 or more")

    def _hold(self, seconds: float, reason: str, utterance: str) -> None:
        """Let all requests wait, or stop where the server asks for more than anybody would sit through."""
        if seconds > max(_LONGEST_PAUSE, self._traffic.max_wait):
            raise RecognizerStoppedError(
                f"{reason}; it asks to wait {seconds:g} s",
                utterance=utterance,
                hint="answers that came are kept; the same command continues later; "
                "recognizer.traffic.max_wait=SECONDS waits that long",
            )
        if self._limiter.hold(seconds) and seconds >= _PAUSE_TO_TELL:
            print(f"waiting {seconds:g} s, as the server asks: {reason}", file=sys.stderr, flush=True)

    def _given_up(self, fault: Fault, tries: int, spent: float, utterance: str) -> Unanswered:
        asked = "" if fault.retry_after is None else f" (it asks to wait {fault.retry_after:g} s)"
        often = f"{tries} {'try' if tries == 1 else 'tries'}"
        reason = f"no answer after {often} in {spent:.0f} s: {fault.reason}{asked}"
        self._count(reason, utterance)
        return Unanswered(reason)

    def _count(self, reason: str | None, utterance: str) -> None:
        """Count clips without an answer in a row."""
        with self._lock:
            self._unanswered = 0 if reason is None else self._unanswered + 1
            if reason is not None and self._unanswered >= self._traffic.stop_after:
                raise RecognizerStoppedError(
                    f"{self._unanswered} clips one after another got no answer, the last: {reason}",
                    utterance=utterance,
                    hint="answers that came are kept; the same command continues",
                )
