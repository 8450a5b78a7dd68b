"""How far a long piece of work is: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

_EVERY = 10.0  # seconds between lines, and before the first


class Progress:
    """Shows on stderr how many of ``total`` are done; nothing where all is done within a few seconds.

    Args:
        total: How many there are.
        what: What they are, in the plural.
    """

    def __init__(self, total: int, what: str) -> None:
        self.total, self.what, self.done = total, what, 0
        self._started = self._last = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> Progress:
        if self.total and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress as Bar

            self._bar = Bar(console=Console(stderr=True), transient=True)
            self._bar.start()
            self._bar.add_task(self.what, total=self.total)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self) -> None:
        """Count one more."""
        self.done += 1
        if self._bar is not None:
            self._bar.advance(self._bar.task_ids[0])
            return
        now = time.monotonic()
        if now - self._last >= _EVERY and self.done < self.total:
            self._last = now
            pace = self.done / (now - self._started)
            print(
                f"{self.done} of {self.total} {self.what}, {pace:.3g} a second, "
                f"{(self.total - self.done) / pace:.0f} s left",
                file=sys.stderr,
                flush=True,
            )
