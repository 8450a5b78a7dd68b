"""IPA references from text in the eleven languages of the bias study."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from pedkit.data.g2p.engine import IpaEngine, IpaLine, transcribe
from pedkit.data.g2p.languages import open_engine
from pedkit.data.references import OOV_POLICIES, Reference
from pedkit.errors import PedkitError
from pedkit.phones.bias_study import NORMALISATION, bias_study_phones

NUMERALS = ("refuse", "engine")


class IpaReferencer:
    """Turns text into IPA phones, normalised as the bias study does (`bias_study_phones`).

    Args:
        language: ISO 639 code of one of the eleven languages.
        backend: See `open_engine`.
        numerals: A line with digits: ``refuse`` (nobody knows how they were read), or ``engine`` = as the engine
            reads them (espeak-ng speaks them in the language; Epitran cannot).
        oov: A line that is refused, or for which the engine has nothing: ``stop``, or ``skip`` = no canonical
            phones.
        engine: An engine of your own instead of ``backend``.

    Raises:
        PedkitError: An option is unknown, or the engine is not installed.
    """

    def __init__(
        self,
        language: str,
        backend: str = "auto",
        *,
        numerals: str = "refuse",
        oov: str = "stop",
        engine: IpaEngine | None = None,
    ) -> None:
        for name, value, allowed in (("numerals", numerals, NUMERALS), ("oov", oov, OOV_POLICIES)):
            if value not in allowed:
                raise PedkitError(f"expected '{name}' to be one of {', '.join(allowed)}, but got {value!r}")
        self.language, self.numerals, self.oov = language, numerals, oov
        self._engine = open_engine(language, backend) if engine is None else engine
        self._warned = False

    def of_lines(self, lines: Sequence[str]) -> list[Reference]:
        """Return one reference a line; engines are faster with many lines at once.

        Raises:
            PedkitError: A line cannot be pronounced and ``oov`` is ``stop``, or the engine's answers do not
                correspond to the lines.
        """
        refused = [self.numerals == "refuse" and any(map(str.isdigit, line)) for line in lines]
        asked = ["" if no else line for no, line in zip(refused, lines, strict=True)]
        answers = transcribe(self._engine, asked)
        return [self._reference(*parts) for parts in zip(lines, answers, refused, strict=True)]

    def of(self, text: str) -> Reference:
        """Return the reference of one line (see `of_lines`)."""
        return self.of_lines([text])[0]

    def _reference(self, text: str, answer: IpaLine, refused: bool) -> Reference:
        record: dict[str, Any] = {"g2p": self._engine.name, "normalisation": NORMALISATION}
        phones = bias_study_phones(answer.text)
        if not phones:
            if any(map(str.isalnum, text)):
                record["unpronounced"] = "numerals" if refused else "no answer of the engine"
                if self.oov == "stop":
                    raise self._unpronounceable(text, refused)
            return Reference(None, (), None, (), record)
        if answer.foreign:
            record["foreign"] = dict(answer.foreign)
            self._warn(text, answer)
        words, spoken = sum(any(map(str.isalnum, word)) for word in text.split()), len(answer.text.split())
        if words != spoken:
            record["words"] = {"text": words, "engine": spoken}
        return Reference(phones, (), None, (), record)

    def _unpronounceable(self, text: str, refused: bool) -> PedkitError:
        if refused:
            hint = "spell them out; numerals=engine takes the engine's reading, oov=skip leaves such lines out"
            return PedkitError(f"expected text without numerals, but got {text!r}", hint=hint)
        return PedkitError(
            f"{self._engine.name} does not pronounce {text!r}", hint="oov=skip leaves such lines out"
        )

    def _warn(self, text: str, answer: IpaLine) -> None:
        if self._warned:
            return
        self._warned = True
        parts = ", ".join(f"{language} '{ipa}'" for language, ipa in answer.foreign.items())
        warnings.warn(
            f"{self._engine.name} took parts of {text!r} for another language and used its phones: {parts}; each "
            "such line has them under 'foreign' in its record",
            stacklevel=4,
        )
