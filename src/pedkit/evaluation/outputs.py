"""The files of an evaluation, written while utterances stream past."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from pedkit.evaluation.alignment_text import ALIGNMENT_COLUMNS, AlignmentText
from pedkit.evaluation.result import Evaluation, ScoredUtterance
from pedkit.evaluation.rows import (
    CONFUSION_COLUMNS,
    PHONE_COLUMNS,
    UTTERANCE_COLUMNS,
    confusion_rows,
    phone_rows,
    tiers,
    utterance_row,
)
from pedkit.report.file_names import file_name
from pedkit.report.tables import StreamedCsv, StreamedText, write_csv, write_json
from pedkit.report.textgrid import write_textgrid


class Outputs:
    """Writes one row an utterance and one row a column; the files get their names when all is written.

    Args:
        folder: Where to write; made if absent.
        per_reference: Which phones the pair view compares the prediction with.
        textgrids: Also write a Praat TextGrid an utterance.

    Raises:
        OSError: The folder cannot be written to.
    """

    def __init__(self, folder: str | Path, *, per_reference: str = "realized", textgrids: bool = False) -> None:
        self.folder = Path(folder)
        self._textgrids = textgrids
        self._view = AlignmentText(on_realized=per_reference == "realized")
        with ExitStack() as stack:
            self._utterances = stack.enter_context(StreamedCsv(self.folder / "utterances.csv", UTTERANCE_COLUMNS))
            self._alignment = stack.enter_context(StreamedCsv(self.folder / "alignment.csv", ALIGNMENT_COLUMNS))
            self._text = stack.enter_context(StreamedText(self.folder / "alignment.txt"))
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)

    def add(self, system: str, scored: ScoredUtterance) -> None:
        """Write one scored utterance."""
        self._utterances.rows([utterance_row(system, scored)])
        lines, text = self._view.of(system, scored.alignment)
        self._alignment.stream.write(lines)
        self._text.stream.write(text)
        if self._textgrids:
            folder = self.folder / "textgrids" / file_name(system)
            write_textgrid(folder / file_name(scored.item.id, ".TextGrid"), *tiers(scored))

    def finish(self, evaluation: Evaluation) -> None:
        """Write the tables of sums and, last of all, ``scores.json``."""
        systems = list(evaluation.systems.values())
        write_csv(self.folder / "confusions.csv", CONFUSION_COLUMNS, confusion_rows(systems))
        write_csv(self.folder / "phones.csv", PHONE_COLUMNS, phone_rows(systems))
        if evaluation.fairness is not None:
            from pedkit.evaluation.fairness_files import write_fairness

            write_fairness(self.folder, evaluation.fairness)
        write_json(self.folder / "scores.json", evaluation.to_json())
