"""A program that is asked line by line and answers within a time limit, for engines that offer no library."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from multiprocessing.util import Finalize

from pedkit.errors import PedkitError


class Conversation:
    """One running program.

    Args:
        command: Program and arguments.
        time_limit: Seconds an answer may take; a program that takes longer is killed.

    Raises:
        PedkitError: It cannot be started.
    """

    def __init__(self, command: Sequence[str], time_limit: float) -> None:
        self._name, self._time_limit = command[0], time_limit
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
            )
        except OSError as error:
            raise PedkitError(f"{command[0]} cannot be started: {error.strerror}") from None
        # A forked process that ends, or drops this object, must not end the program of its parent.
        self._finalizer = Finalize(self, _end, args=(self._process,), exitpriority=1)

    def ask(self, text: str, end: str) -> tuple[str, str]:
        """Send text and wait for an answer that ends with a line ``end``.

        Returns:
            What came before that line, and what the program wrote to its error stream meanwhile.

        Raises:
            PedkitError: The program ended, or did not answer in time. It is gone then.
        """
        assert self._process.stdin is not None
        if self._process.stdin.closed:
            raise self._ended()
        try:
            self._process.stdin.write(text.encode())
            return self._answer(end)
        except BrokenPipeError:
            raise self._ended() from None
        except PedkitError:
            self.close()
            raise

    def close(self) -> None:
        """End the program."""
        self._finalizer()

    def _answer(self, end: str) -> tuple[str, str]:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        mark = f"{end}\n".encode()
        answer, complaints = bytearray(), bytearray()
        deadline = time.monotonic() + self._time_limit
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ, answer)
            selector.register(self._process.stderr, selectors.EVENT_READ, complaints)
            while not answer.endswith(mark):
                ready = selector.select(max(0.0, deadline - time.monotonic()))
                if not ready:
                    raise PedkitError(f"{self._name} did not answer within {self._time_limit:g} seconds")
                for key, _ in ready:
                    piece = os.read(key.fd, 1 << 16)
                    key.data.extend(piece)
                    if not piece:
                        selector.unregister(key.fileobj)
                    if not piece and key.data is answer:
                        raise self._ended(bytes(complaints))
        complaints.extend(_rest(self._process.stderr.fileno()))
        return answer[: -len(mark)].decode(errors="replace"), complaints.decode(errors="replace")

    def _ended(self, complaints: bytes = b"") -> PedkitError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)  # it has closed its end; let it say its status before it is killed
        stderr = self._process.stderr
        if stderr is not None and not stderr.closed:
            complaints += _rest(stderr.fileno())
        self.close()
        text = complaints.decode(errors="replace").strip()
        return PedkitError(f"{self._name} ended with status {self._process.returncode}{text and ': ' + text}")


def _rest(descriptor: int) -> bytes:
    """Return what has been written to a pipe and not been read yet."""
    os.set_blocking(descriptor, False)
    with contextlib.suppress(BlockingIOError):
        return os.read(descriptor, 1 << 16)
    return b""


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)  # with what it started itself, which would keep the pipes open
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    process.wait()
