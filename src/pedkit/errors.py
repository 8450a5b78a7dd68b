"""The one error type of pedkit: one clear sentence that says what came, where, and what to try next."""

from __future__ import annotations

from pathlib import Path

_LONGEST = 1000
"""Characters of a message or name that are shown; a mutilated file may have lines of any length."""


class PedkitError(ValueError):
    """An input, setting or environment that cannot be used.

    Args:
        message: What was expected and what came, in one sentence.
        file: The file concerned.
        line: Line number in ``file``, counted from 1.
        utterance: Id of the utterance concerned.
        hint: What to try next.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        utterance: str | None = None,
        hint: str | None = None,
    ) -> None:
        self.message, self.hint = message, hint
        self.file = None if file is None else str(file)
        self.line, self.utterance = line, utterance
        super().__init__(message)

    def __str__(self) -> str:
        where = self.file or ""
        if self.line is not None:
            where += f":{self.line}"
        parts = [where] if where else []
        if self.utterance is not None:
            parts.append(f"utterance '{_shortened(self.utterance)}'")
        parts.append(_shortened(self.message))
        text = ": ".join(parts)
        return f"{text} ({self.hint})" if self.hint else text

    def at(
        self, *, file: str | Path | None = None, line: int | None = None, utterance: str | None = None
    ) -> PedkitError:
        """Return the same error with the place filled in where it was still unknown."""
        return PedkitError(
            self.message,
            file=self.file if self.file is not None else file,
            line=self.line if self.line is not None else line,
            utterance=self.utterance if self.utterance is not None else utterance,
            hint=self.hint,
        )


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 4 :]} ({len(text)} characters)"
