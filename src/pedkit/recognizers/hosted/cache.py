"""`AnswerCache`: every answer that was paid for, in a file that only grows."""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from pedkit.data.jsonl import dump_line, parse_line
from pedkit.errors import PedkitError
from pedkit.recognizers.hosted.completion import Completion
from pedkit.recognizers.hosted.tokens import Tokens
from pedkit.recognizers.protocol import RecognizerStoppedError


@dataclass(frozen=True, slots=True)
class Entry:
    """An answer with what was asked.

    Attributes:
        key: Hash of everything that the answer depends on (`pedkit.recognizers.hosted.request.Request.key`).
        completion: The answer.
        seconds: How long its request took.
        tries: How many requests it needed.
        asked: What was asked, for people: model, server, prompt, audio and settings.
    """

    key: str
    completion: Completion
    seconds: float
    tries: int
    asked: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        """Return the object of a line."""
        one = self.completion
        answer = {"text": one.text, "finish_reason": one.finish_reason, "refusal": one.refusal, "model": one.model}
        return {
            "key": self.key,
            **self.asked,
            "answer": {key: value for key, value in answer.items() if value is not None},
            "tokens": one.tokens.to_json(),
            "seconds": round(self.seconds, 3),
            "tries": self.tries,
        }

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> Entry:
        """Read the object of a line.

        Raises:
            KeyError: Or ``TypeError``, or ``AttributeError``: it is none.
        """
        answer = line["answer"]
        said = {name: answer.get(name) for name in ("finish_reason", "refusal", "model")}
        completion = Completion(
            text=answer["text"] + "",
            **{name: None if value is None else value + "" for name, value in said.items()},
            tokens=Tokens.from_json(line["tokens"]),
        )
        return cls(line["key"] + "", completion, line["seconds"] + 0.0, line["tries"] + 0, {})


class AnswerCache:
    """Answers by key, in a JSON-lines file that only grows.

    One process at a time works with a file: another one waits until this one has finished its batch, and then
    finds its answers, so that nothing is asked twice. A line is written at once and is on disk before the next
    request of its thread begins. A line that a kill cut off is completed or dropped by the next process.

    Args:
        path: The file; made where it is absent.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._entries: dict[str, Entry] = {}
        self._read = self._lines = 0
        self._writing = threading.Lock()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes out, and know what they have added.

        Raises:
            RecognizerStoppedError: A line is no answer, or the file cannot be used.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock = FileLock(f"{self.path}.lock")
            try:
                lock.acquire(timeout=0)
            except Timeout:
                print(f"waiting for another process that uses {self.path}", file=sys.stderr, flush=True)
                lock.acquire()
        except OSError as error:
            raise _unusable(self.path, error) from None
        try:
            self._refresh()
            yield
        finally:
            lock.release()

    def get(self, key: str) -> Entry | None:
        """Return the answer to a request, ``None`` where it was never asked."""
        return self._entries.get(key)

    def add(self, entry: Entry) -> None:
        """Keep an answer; it is on disk when this returns.

        Raises:
            RecognizerStoppedError: It cannot be written, so further answers would be lost as well.
        """
        line = dump_line(entry.to_json()).encode()
        with self._writing:
            try:
                with self.path.open("ab", buffering=0) as stream:
                    begin = stream.tell()
                    written = stream.write(line)
                    if written != len(line):
                        stream.truncate(begin)  # or the next line would stand behind a piece of this one
                        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                    os.fsync(stream.fileno())
            except OSError as error:
                raise _unusable(self.path, error) from None
            self._entries.setdefault(entry.key, entry)

    def _refresh(self) -> None:
        """Read the lines that this object does not know yet."""
        try:
            if self.path.stat().st_size < self._read:  # somebody has taken lines away
                self._read = self._lines = 0
            self._mend()
            with self.path.open("rb") as stream:
                stream.seek(self._read)
                for raw in stream:
                    self._lines += 1
                    self._read += len(raw)
                    if not raw.isspace():
                        entry = self._entry(raw)
                        self._entries.setdefault(entry.key, entry)
        except FileNotFoundError:
            return
        except OSError as error:
            raise _unusable(self.path, error) from None

    def _mend(self) -> None:
        """Complete a last line without its end, or drop it where its answer is not whole."""
        with self.path.open("rb+") as stream:
            stream.seek(self._read)
            rest = stream.read()
            if not rest or rest.endswith(b"\n"):
                return
            whole = rest[: rest.rfind(b"\n") + 1]
            try:
                Entry.from_json(parse_line(rest[len(whole) :], self.path, 0))
            except (PedkitError, KeyError, TypeError, AttributeError):
                stream.truncate(self._read + len(whole))
            else:
                stream.write(b"\n")

    def _entry(self, raw: bytes) -> Entry:
        try:
            return Entry.from_json(parse_line(raw, self.path, self._lines))
        except PedkitError as error:
            reason = error.message
        except (KeyError, TypeError, AttributeError) as error:
            reason = f"this is no answer of a hosted model ({error!r})"
        raise RecognizerStoppedError(
            reason,
            file=self.path,
            line=self._lines,
            hint="delete the line: its answer is asked for again; or name another cache_dir",
        )


def _unusable(path: Path, error: OSError) -> RecognizerStoppedError:
    return RecognizerStoppedError(f"the cache of answers cannot be used: {error.strerror}", file=path)
