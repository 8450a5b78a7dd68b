"""Imported by programs before anything slow: Ctrl-C while they are still importing is a sentence too."""

from __future__ import annotations

import sys
from types import TracebackType

from pedkit.entrypoint import STOPPED

_usual = sys.excepthook


def _say(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        print(f"error: {STOPPED}", file=sys.stderr, flush=True)
    else:
        _usual(kind, error, trace)


sys.excepthook = _say
