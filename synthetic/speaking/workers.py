"""Processes that answer jobs. One that dies or takes too long is replaced; a job on which two did costs itself."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import shutil
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Generic, TypeVar

from pedkit.errors import PedkitError
from synthetic.engines.scratch import scratch_folder
from synthetic.speaking.worker_process import STOP, Raised, Ready, serve

Job = TypeVar("Job")
Answer = TypeVar("Answer")

_AHEAD = 4  # jobs that a process is given at once, so that it never waits for this one
_WITH_THREADS = frozenset({"torch", "onnxruntime"})  # whose threads Python does not count
_START_LIMIT = 120.0  # seconds in which a process has to build what it needs


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job has no answer, in words."""

    reason: str


@dataclass(slots=True)
class _Worker(Generic[Job]):
    process: BaseProcess
    connection: Connection
    jobs: deque[Job] = field(default_factory=deque)
    ready: bool = False
    since: float = field(default_factory=time.monotonic)  # when the job at work, or the start, began


class Workers(Generic[Job, Answer]):
    """Processes that start at once, while the caller goes on, and end with the ``with`` block.

    Processes are forked where that is safe (Linux, no other thread), which takes no time; elsewhere they
    are started afresh, and everything handed over must be picklable.

    Args:
        prepare: Called once in each process; returns the function from a job to its answer. An exception of that
            function ends the run; what concerns one job belongs in its answer.
        count: Number of processes, one a processor where ``None``.
        time_limit: Seconds a job may take.

    Raises:
        PedkitError: A number cannot be used.
    """

    def __init__(
        self, prepare: Callable[[], Callable[[Job], Answer]], *, count: int | None = None, time_limit: float = 60.0
    ) -> None:
        if count is not None and count < 1:
            raise PedkitError(f"expected one worker or more, but got {count}")
        if not time_limit > 0:
            raise PedkitError(f"expected a time limit over 0 seconds, but got {time_limit}")
        self._prepare, self._time_limit = prepare, time_limit
        self._count = count or _processors()
        self._context = _context()
        self._workers: list[_Worker[Job]] = []
        self._waiting: deque[Job] = deque()
        self._done: deque[tuple[Job, Answer | Failure]] = deque()
        self._broken_once: list[Job] = []
        self._scratch = ""

    def __enter__(self) -> Workers[Job, Answer]:
        self._scratch = str(scratch_folder(self, "workers"))
        self._workers = [self._start() for _ in range(self._count)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            with contextlib.suppress(OSError):
                worker.connection.send(STOP)
        for worker in self._workers:
            _end(worker.process)
            worker.connection.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def submit(self, job: Job) -> None:
        """Have a job done while the caller goes on; its answer is among `answers`.

        Raises:
            PedkitError: As `answers`.
        """
        self._waiting.append(job)
        if all(len(worker.jobs) == _AHEAD for worker in self._workers):
            self._listen(0)
        self._hand_out()

    def answers(self, jobs: Iterable[Job] = ()) -> Iterator[tuple[Job, Answer | Failure]]:
        """Yield each job submitted before, and each of ``jobs``, with its answer, in the order they are done.

        Raises:
            PedkitError: A process cannot do anything at all, or a job's error concerns the whole run.
        """
        self._waiting.extend(jobs)
        while self._hand_out() or self._done:
            while self._done:
                yield self._done.popleft()
            if any(worker.jobs for worker in self._workers):
                self._listen(min(self._left(worker) for worker in self._workers))

    def _start(self) -> _Worker[Job]:
        here, there = self._context.Pipe()
        arguments = (there, self._prepare, os.getpid(), self._scratch)
        process = self._context.Process(target=serve, args=arguments, daemon=True)
        process.start()
        there.close()  # else the death of the process would not close the connection
        return _Worker(process, here)

    def _hand_out(self) -> bool:
        """Give every process something to do; return whether any has."""
        for _ in range(_AHEAD):
            for worker in self._workers:
                if self._waiting and len(worker.jobs) < _AHEAD:
                    job = self._waiting.popleft()
                    if worker.ready and not worker.jobs:
                        worker.since = time.monotonic()
                    worker.jobs.append(job)
                    with contextlib.suppress(OSError):  # a dead process is found out when it is listened to
                        worker.connection.send(job)
        return any(worker.jobs for worker in self._workers)

    def _left(self, worker: _Worker[Job]) -> float:
        """Return the seconds a process still has for what it is at."""
        limit = self._limit(worker)
        return worker.since + limit - time.monotonic() if worker.jobs or not worker.ready else limit

    def _limit(self, worker: _Worker[Job]) -> float:
        return self._time_limit if worker.ready else _START_LIMIT

    def _listen(self, seconds: float) -> None:
        """Take the answers that come within some seconds, and give up on what takes too long."""
        ready = wait([worker.connection for worker in self._workers], timeout=max(0.0, seconds))
        for worker in [worker for worker in self._workers if worker.connection in ready]:
            self._receive(worker)
        for worker in [worker for worker in self._workers if self._left(worker) <= 0]:
            self._give_up(worker, f"took longer than {self._limit(worker):g} s")

    def _receive(self, worker: _Worker[Job]) -> None:
        try:
            answer: Any = worker.connection.recv()
        except (EOFError, ConnectionError):
            self._give_up(worker, f"the process ended with {_cause(worker.process)}")
            return
        worker.since = time.monotonic()
        if isinstance(answer, Raised):
            raise answer.error
        if isinstance(answer, Ready):
            worker.ready = True
        else:
            self._done.append((worker.jobs.popleft(), answer))

    def _give_up(self, worker: _Worker[Job], reason: str) -> None:
        """Put a new process in the place of one that broke.

        The job it broke on, if any, has failed only if it broke a process before: one may also be ended from
        outside or be held up by the machine, and the same jobs must get the same answers then.
        """
        _kill(worker.process)
        worker.connection.close()
        if not worker.ready:
            raise PedkitError(f"a process could not be made ready to work: {reason}")
        self._workers[self._workers.index(worker)] = self._start()
        if worker.jobs:
            job = worker.jobs[0]
            if not any(job is broken for broken in self._broken_once):
                self._broken_once.append(job)
            else:
                self._done.append((worker.jobs.popleft(), Failure(reason)))
            self._waiting.extendleft(reversed(worker.jobs))


def _context() -> ForkContext | SpawnContext:
    alone = threading.active_count() == 1 and _WITH_THREADS.isdisjoint(sys.modules)
    if sys.platform == "linux" and alone:
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context("spawn")


def _processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cause(process: BaseProcess) -> str:
    process.join(1.0)
    code = process.exitcode
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"exit code {code}"


def _end(process: BaseProcess) -> None:
    """Let a process finish what it is at, but not for long."""
    process.join(0.5)
    if process.is_alive():
        _kill(process)


def _kill(process: BaseProcess) -> None:
    """End a process and the programs it started."""
    if process.pid is not None and hasattr(os, "killpg"):
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()
