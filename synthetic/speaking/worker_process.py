"""What runs in a process of `Workers`: jobs come in, answers go out, nothing else is shared."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from pedkit.entrypoint import explain
from pedkit.errors import PedkitError

STOP = None
"""Comes instead of a job when there are no more."""

_LOOK_AROUND = 1.0  # seconds between looks at whether the parent still lives


@dataclass(frozen=True, slots=True)
class Ready:
    """The process has built what it needs."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An error that concerns the whole run, not one job."""

    error: Exception


def serve(connection: Connection, prepare: Callable[[], Callable[[Any], Any]], parent: int, scratch: str) -> None:
    """Answer jobs until `STOP` comes or the parent is gone.

    Args:
        connection: Where jobs come from and answers go to, in the same order.
        prepare: Builds, in this process, the function from a job to its answer.
        parent: Process id of the parent. Siblings keep its end of the connection open, so a parent that was killed
            is noticed by its id alone.
        scratch: Folder for temporary files; the parent removes it, also where this process is killed.
    """
    _leave_the_terminal()
    tempfile.tempdir = scratch
    with contextlib.suppress(EOFError, ConnectionError):
        try:
            answer = prepare()
            connection.send(Ready())
            while _job_comes(connection, parent) and (job := connection.recv()) is not STOP:
                connection.send(answer(job))
        except (EOFError, ConnectionError):
            raise
        except PedkitError as error:
            # `PedkitError` itself: what is derived from it may not be picklable.
            connection.send(Raised(error.at()))
        except Exception as error:
            # Where there is no sentence it is a fault of ours, and the traceback of this process is what helps.
            sentence = explain(error)
            connection.send(Raised(PedkitError(sentence) if sentence else RuntimeError(traceback.format_exc())))


def _leave_the_terminal() -> None:
    """Become a group of its own: Ctrl-C is the parent's affair, and programs started here end with this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        os.setsid()


def _job_comes(connection: Connection, parent: int) -> bool:
    while os.getppid() == parent:
        if connection.poll(_LOOK_AROUND):
            return True
    return False
