"""How every entry point ends: the value, or one clear sentence and an exit code that is not 0."""

from __future__ import annotations

import contextlib
import difflib
import os
import sys
import traceback
from collections.abc import Callable
from typing import Any, TextIO, cast

from pedkit.errors import PedkitError

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells expect it."""
_FEW = 12
"""So many choices of a configuration group are all shown; of more, the close ones."""


def run(main: Callable[[], Any]) -> None:
    """Run ``main`` (a function under the Hydra decorator, or any other) and exit with a sentence on failure.

    A `PedkitError`, a wrong override, a file-system error and Ctrl-C each become one sentence on stderr; any
    other exception is a fault of pedkit and keeps its traceback. Set ``PEDKIT_TRACEBACK=1`` to see all of them.
    """
    os.environ.setdefault("HYDRA_FULL_ERROR", "1")  # let Hydra raise, so that we word the message
    # OpenMP threads that wait by spinning take a busy machine's cores from one another: an epoch of the demo took
    # 37 s instead of 5 s. OpenMP reads this once, when torch is first imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        with contextlib.redirect_stderr(cast("TextIO", _WithoutHydrasLine(sys.stderr))):
            main()
    except KeyboardInterrupt:
        _leave("stopped by Ctrl-C; files already made stay, and the same command continues from them", INTERRUPTED)
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except Exception as error:
        sentence = explain(error)
        if sentence is None or os.environ.get("PEDKIT_TRACEBACK") == "1":
            traceback.print_exc()
        _leave(sentence or f"unexpected {type(error).__name__}; please report the lines above", 1)


class _WithoutHydrasLine:
    """A stream that leaves out the line which Hydra writes before it raises: the sentence says it better."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return len(text) if text.startswith("Error executing job with overrides:") else self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def explain(error: BaseException) -> str | None:
    """Return the sentence for an error that a user can mend, ``None`` for a fault of pedkit itself."""
    if isinstance(error, PedkitError):
        return str(error)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {(error.strerror or type(error).__name__).lower()}"
    module = type(error).__module__
    if module.startswith(("hydra.errors", "omegaconf.errors")):
        return _hydra_sentence(error)
    # hydra.utils.instantiate wraps what a constructor raised: the cause is the message people need.
    if error.__cause__ is not None:
        return explain(error.__cause__)
    return None


def _hydra_sentence(error: BaseException) -> str:
    cause = error.__cause__ if isinstance(error.__cause__, PedkitError) else None
    if cause is not None:
        return str(cause)
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    first = lines[0] if lines else type(error).__name__
    if first.startswith("Could not override"):
        key = first.split("'")[1] if "'" in first else first
        return f"there is no setting '{key}' (--cfg job shows all of them, +{key}=value adds a new one)"
    options = [
        line for line in lines[1:] if not line.startswith(("Available options", "Config search path", "provider"))
    ]
    if any(line.startswith("Available options") for line in lines):
        wanted = first.split("'")[1].rsplit("/", 1)[-1] if "'" in first else first
        close = difflib.get_close_matches(wanted, options, n=3, cutoff=0.4) if len(options) > _FEW else options
        return f"{first.rstrip('.')} (available: {', '.join(close or options)})"
    return " ".join(lines[:2])


def _leave(sentence: str, code: int) -> None:
    sys.stdout.flush()
    print(f"error: {sentence}", file=sys.stderr, flush=True)
    raise SystemExit(code)
