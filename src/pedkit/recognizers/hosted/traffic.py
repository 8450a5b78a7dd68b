"""How fast, how often and how long a server is asked."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import dataclass, fields
from typing import Protocol

from pedkit.errors import PedkitError

_DAY = 86400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Limits on requests.

    Attributes:
        concurrency: Requests that are on their way together.
        requests_per_minute: Most requests begun in a minute, evenly spaced, retries included; ``None`` for any.
        timeout: Seconds without a sign of the server after which a request has failed.
        max_tries: Most requests for one clip.
        max_wait: Seconds for one clip, from its first request, after which no further one is begun.
        first_wait: Seconds between the first two tries; doubles each time, less a random part.
        longest_wait: Longest such wait; a longer one that the server asks for is kept.
        stop_after: Clips one after another that got no answer, after which the run stops.
    """

    concurrency: int = 4
    requests_per_minute: float | None = None
    timeout: float = 120.0
    max_tries: int = 6
    max_wait: float = 600.0
    first_wait: float = 1.0
    longest_wait: float = 60.0
    stop_after: int = 5

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name in ("concurrency", "max_tries", "stop_after"):
                if value < 1:
                    raise PedkitError(f"expected recognizer.traffic.{one.name} to be 1 or more, but got {value}")
            elif value is not None and value <= 0:
                raise PedkitError(f"expected recognizer.traffic.{one.name} to be more than 0, but got {value:g}")
        if self.timeout > _DAY:  # sockets take no number of seconds that is far larger
            raise PedkitError(
                f"expected recognizer.traffic.timeout to be a day at most, but got {self.timeout:g} s"
            )

    def wait_before(self, tries: int, jitter: random.Random) -> float:
        """Return the seconds between try number ``tries`` and the next: exponential, the upper half at random."""
        longest: float = min(self.longest_wait, self.first_wait * 2.0 ** min(tries - 1, 30))
        return longest * jitter.uniform(0.5, 1.0)


class Clock(Protocol):
    """Time that passes."""

    def now(self) -> float:
        """Return seconds from any beginning."""
        ...

    def sleep(self, seconds: float) -> bool:
        """Let seconds pass; return False where the wait was ended by `stop`."""
        ...

    def stop(self) -> None:
        """End every wait, of now and later."""
        ...

    def start(self) -> None:
        """Let waits be waits again."""
        ...


class SystemClock:
    """The computer's."""

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def now(self) -> float:
        """Return seconds from any beginning."""
        return time.monotonic()

    def sleep(self, seconds: float) -> bool:
        """Let seconds pass; return False where the wait was ended by `stop`."""
        return not self._stopped.wait(min(seconds, threading.TIMEOUT_MAX))

    def stop(self) -> None:
        """End every wait, of now and later."""
        self._stopped.set()

    def start(self) -> None:
        """Let waits be waits again."""
        self._stopped.clear()


class RateLimiter:
    """Begins requests no faster than allowed; all threads share one.

    Args:
        requests_per_minute: Most in a minute; they are spaced evenly, so that no minute has more. ``None``: any.
        clock: The time.
    """

    def __init__(self, requests_per_minute: float | None, clock: Clock) -> None:
        self._interval = 0.0 if requests_per_minute is None else 60.0 / requests_per_minute
        self._clock, self._lock = clock, threading.Lock()
        self._next = self._held = clock.now()

    def wait(self) -> bool:
        """Wait for the turn of a request; return False where the waits were ended."""
        while True:
            with self._lock:
                begin = max(self._clock.now(), self._next)
                self._next = begin + self._interval
            if not self._clock.sleep(max(0.0, begin - self._clock.now())):
                return False
            with self._lock:
                if self._held <= begin:
                    return True  # else the server has asked for a pause meanwhile: take a later turn

    def hold(self, seconds: float) -> bool:
        """Begin no request for so many seconds, as a server asked by ``Retry-After``.

        Returns:
            Whether this begins a pause; False where requests wait already.
        """
        with self._lock:
            now = self._clock.now()
            begins = self._held <= now
            self._held = max(self._held, now + seconds)
            self._next = max(self._next, self._held)
        return begins
