"""How every entry point ends: the value, or one clear sentence and an exit code that is not 0."""

from __future__ import annotations

import contextlib
import difflib
import errno
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TextIO, cast

from pedkit.errors import PedkitError

STOPPED = "stopped by Ctrl-C; files already made stay, and the same command continues from them"
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells expect it."""
_FEW = 12
"""So many choices of a configuration group are all shown; of more, the close ones."""

_FROM_A_WORKER = "pedkit.errors.PedkitError: "
"""What stands before the sentence where an error comes out of a loader process, after its traceback."""


def run(main: Callable[[], Any]) -> None:
    """Run ``main`` (a function under the Hydra decorator, or any other) and exit with a sentence on failure.

    A `PedkitError`, a wrong override, a file-system error and Ctrl-C each become one sentence on stderr; any
    other exception is a fault of pedkit and keeps its traceback. Set ``PEDKIT_TRACEBACK=1`` to see all of them.
    Warnings are one line too, without the place in the code.
    """
    os.environ.setdefault("HYDRA_FULL_ERROR", "1")  # let Hydra raise, so that we word the message
    # OpenMP threads that wait by spinning take a busy machine's cores from one another: an epoch of the demo took
    # 37 s instead of 5 s. OpenMP reads this once, when torch is first imported.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    _share_hydras_store()
    _multirun_first()
    try:
        with _warnings_in_one_line(), contextlib.redirect_stderr(cast("TextIO", _WithoutHydrasLine(sys.stderr))):
            main()
    except KeyboardInterrupt:
        _leave(STOPPED, INTERRUPTED)
    except BrokenPipeError:  # the reader, such as head, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    except Exception as error:
        sentence = explain(error)
        if sentence is None or os.environ.get("PEDKIT_TRACEBACK") == "1":
            traceback.print_exc()
        _leave(sentence or f"unexpected {type(error).__name__}; please report the lines above", 1)


def _share_hydras_store() -> None:
    """Let Hydra pass its store of configurations on instead of copying it, where Hydra is used at all.

    For each group that ``--help`` lists it copies the whole store three times, although it changes none of the
    copies and reads only copies of what is inside: two thirds of the time.
    """
    if "hydra" in sys.modules:
        from hydra.core.config_store import ConfigStore

        ConfigStore.__deepcopy__ = lambda self, _memo: self  # type: ignore[attr-defined]


def _multirun_first() -> None:
    """Let ``-m`` stand anywhere: between overrides Hydra's parser refuses all that come after it."""
    if "hydra" in sys.modules:
        sys.argv[1:] = sorted(sys.argv[1:], key=lambda word: word not in ("-m", "--multirun"))


@contextlib.contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    before = warnings.formatwarning
    warnings.formatwarning = lambda message, *_, **__: f"warning: {' '.join(str(message).split())}\n"
    try:
        yield
    finally:
        warnings.formatwarning = before


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
        return str(error).rpartition(_FROM_A_WORKER)[2].strip()
    if isinstance(error, OSError) and (error.filename is not None or error.errno == errno.ENOSPC):
        place = "" if error.filename is None else f"{error.filename}: "
        return place + (error.strerror or type(error).__name__).lower()
    if type(error).__name__ == "MisconfigurationException":  # Lightning's, which only says what cannot be
        return str(error)
    package = _raised_in(error) if type(error) is ValueError else type(error).__module__.partition(".")[0]
    if package in ("hydra", "omegaconf"):
        return explain(error.__cause__) if isinstance(error.__cause__, PedkitError) else _hydra_sentence(error)
    # hydra.utils.instantiate wraps what a constructor raised: the cause is the message people need.
    if error.__cause__ is not None:
        return explain(error.__cause__)
    return None


def _raised_in(error: BaseException) -> str:
    """Return the package whose code raised an error."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return str(frames[-1].f_globals.get("__name__")).partition(".")[0] if frames else ""


def _hydra_sentence(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    if lines[0].startswith("Config group override"):  # says neither which nor what to do
        lines = ["expected a preset by its name where a group is chosen, as in model=log_mel"]
    quoted = lines[0].split("'")[1] if lines[0].count("'") > 1 else lines[0]
    if type(error).__name__ == "OverrideParseException":
        text: str = error.override  # type: ignore[attr-defined]
        hint = "values with commas, blanks or brackets go in quotes: 'key=\"a, b\"'"
        if not text.isascii():
            hint = "in a list each symbol outside ASCII goes in quotes: 'key=[[t,\"ʃ\"]]'"
        return f"the argument {text!r} is not of the form key=value ({hint})"
    if lines[0].startswith("Could not override"):
        inner = str(getattr(error.__cause__, "full_key", "")).removeprefix(f"{quoted}.")
        if f"{quoted}.{inner}" == getattr(error.__cause__, "full_key", None):
            return (
                f"{quoted} has no '{inner}', and {{...}} only changes keys that are there "
                f"(+{quoted}.{inner}=value adds it, ~{quoted}.KEY takes KEY away)"
            )
        return f"there is no setting '{quoted}' (--cfg job shows all of them, +{quoted}=value adds a new one)"
    if full_key := getattr(error, "full_key", None):
        return f"the setting {full_key} cannot be used: {lines[0]}"
    if any(line.startswith("Available options") for line in lines):
        notes = ("Available options", "Config search path", "provider")
        options = [line for line in lines[1:] if not line.startswith(notes)]
        wanted = quoted.rsplit("/", 1)[-1]
        close = difflib.get_close_matches(wanted, options, n=3, cutoff=0.4) if len(options) > _FEW else options
        return f"{lines[0].rstrip('.')} (available: {', '.join(close or options)})"
    if error.__cause__ is not None:
        lines.append(f"({str(error.__cause__).splitlines()[0]})")
    return " ".join(lines)


def _leave(sentence: str, code: int) -> None:
    sys.stdout.flush()
    sentence = " ".join(sentence.split("\n"))  # a message from elsewhere, such as a recognizer's, may have several
    print(f"error: {sentence}", file=sys.stderr, flush=True)
    raise SystemExit(code)
