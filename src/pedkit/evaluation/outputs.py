"""The files of an evaluation, written while utterances stream past."""

from __future__ import annotations

import shutil
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
from pedkit.report.tables import PARTIAL, FilesTogether
from pedkit.report.textgrid import write_textgrid

TEXTGRIDS = "textgrids"
PAGE = "report.html"
RESULT_FILES = (
    "utterances.csv", "alignment.csv", "alignment.txt", "confusions.csv", "phones.csv", "fairness_groups.csv",
    "fairness_pairs.csv", "fairness.json", "scores.json", PAGE,
)  # fmt: skip
"""What the folder of a result may hold beside TextGrids and what was heard; the page is made of the others."""


class Outputs:
    """Writes one row an utterance and one row a column; all files get their names together when all is written.

    Args:
        folder: Where to write; made if absent.
        per_reference: Which phones the pair view compares the prediction with.
        textgrids: Also write a Praat TextGrid an utterance.

    Raises:
        OSError: The folder cannot be written to.
    """

    def __init__(self, folder: str | Path, *, per_reference: str = "realized", textgrids: bool = False) -> None:
        self.folder = Path(folder)
        self._grids = self.folder / f"{TEXTGRIDS}{PARTIAL}" if textgrids else None
        self._view = AlignmentText(on_realized=per_reference == "realized")
        with ExitStack() as stack:
            self._files = stack.enter_context(FilesTogether(self.folder, RESULT_FILES))
            self._utterances = self._files.csv("utterances.csv", UTTERANCE_COLUMNS)
            self._alignment = self._files.csv("alignment.csv", ALIGNMENT_COLUMNS)
            self._text = self._files.text("alignment.txt")
            if self._grids is not None:
                shutil.rmtree(self._grids, ignore_errors=True)  # of a run that stopped
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None and self._grids is not None:
            _move(self._grids, self.folder / TEXTGRIDS)
        self._stack.__exit__(kind, error, trace)

    def add(self, system: str, scored: ScoredUtterance) -> None:
        """Write one scored utterance."""
        self._utterances.rows([utterance_row(system, scored)])
        lines, text = self._view.of(system, scored.alignment)
        self._alignment.stream.write(lines)
        self._text.stream.write(text)
        if self._grids is not None:
            folder = self._grids / file_name(system)
            write_textgrid(folder / file_name(scored.item.id, ".TextGrid"), *tiers(scored))

    def finish(self, evaluation: Evaluation) -> None:
        """Write the tables of sums and, last of all, ``scores.json``."""
        systems = list(evaluation.systems.values())
        self._files.table("confusions.csv", CONFUSION_COLUMNS, confusion_rows(systems))
        self._files.table("phones.csv", PHONE_COLUMNS, phone_rows(systems))
        if evaluation.fairness is not None:
            from pedkit.evaluation.fairness_files import write_fairness

            write_fairness(self._files, evaluation.fairness)
        self._files.json("scores.json", evaluation.to_json())


def _move(source: Path, target: Path) -> None:
    """Put the TextGrids of each system into ``target``; older ones of the same names are replaced."""
    for folder in source.iterdir():
        (target / folder.name).mkdir(parents=True, exist_ok=True)
        for file in folder.iterdir():
            file.replace(target / folder.name / file.name)
    shutil.rmtree(source)
