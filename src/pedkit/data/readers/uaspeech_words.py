"""Which word a recording of UASpeech is of: from its word list or its master label files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pedkit.data.readers.cells import read_table
from pedkit.data.readers.files import read_lines
from pedkit.data.readers.uaspeech_files import RecordedWord
from pedkit.errors import PedkitError

_LIST_NAMES = ("speaker_wordlist.csv", "speaker_wordlist.tsv", "uaspeech_wordlist.csv")
_FILE_COLUMNS, _WORD_COLUMN = ("FILE NAME", "FILE_NAME"), "WORD"
_LABEL_FILE = re.compile(r'"(?:.*/)?([^/"]+)\.lab"')


@dataclass(frozen=True, slots=True)
class PromptedWords:
    """Words by name of the word list (``CW1``, ``B2_UW7``) or by file.

    Attributes:
        file: Where they are from.
        words: Name -> word.
        by_file: Whether a name is that of a file without its ending, instead of a word id.
    """

    file: Path
    words: Mapping[str, str]
    by_file: bool

    def of(self, recording: RecordedWord) -> str:
        """Return the word of a recording.

        Raises:
            PedkitError: The list lacks it.
        """
        name = recording.id if self.by_file else recording.list_name
        if name not in self.words:
            raise PedkitError(f"{self.file.name} has no word for {name}")
        return self.words[name]


def find_words(root: Path, wordlist: str | None) -> PromptedWords:
    """Return the prompted words.

    Args:
        root: The corpus.
        wordlist: A CSV or TSV copy of the sheet ``Word_filename`` of ``speaker_wordlist.xls``, with the columns
            WORD and FILE NAME; by default one of that name in ``root`` or ``doc``, else the label files
            ``mlf/<speaker>/<speaker>_word.mlf``.

    Raises:
        PedkitError: Neither is there, or one is not as documented.
    """
    if wordlist is not None:
        return _from_list(Path(wordlist))
    for folder in (root, root / "doc"):
        for name in _LIST_NAMES:
            if (folder / name).is_file():
                return _from_list(folder / name)
    label_files = sorted(root.glob("mlf/*/*_word.mlf"))
    if not label_files:
        raise PedkitError(
            "expected doc/speaker_wordlist.csv or mlf/<speaker>/<speaker>_word.mlf of UASpeech in this folder",
            file=root,
            hint="save the sheet Word_filename of speaker_wordlist.xls as CSV, or give it as wordlist=FILE",
        )
    words: dict[str, str] = {}
    for path in label_files:
        words |= _from_labels(path)
    return PromptedWords(root / "mlf", words, by_file=True)


def _from_list(path: Path) -> PromptedWords:
    words: dict[str, str] = {}
    for row in read_table(path):
        name = next((row.cells[column] for column in _FILE_COLUMNS if column in row.cells), None)
        # A cell may be the word "none" or "null": it is taken as it is written.
        word = row.written.get(_WORD_COLUMN, "").strip()
        if name is None or not word:
            raise PedkitError("expected the columns WORD and FILE NAME with a word each", file=path, line=row.line)
        if words.setdefault(name.upper(), word) != word:
            raise PedkitError(f"{name} has two words", file=path, line=row.line)
    return PromptedWords(path, words, by_file=False)


def _from_labels(path: Path) -> dict[str, str]:
    """Read an HTK master label file: ``"*/F02_B1_C1_M2.lab"``, the word, a line with a dot."""
    words: dict[str, str] = {}
    name: str | None = None
    for number, line in read_lines(path):
        match = _LABEL_FILE.fullmatch(line.strip())
        if match is not None:
            name = match[1].upper()
        elif line.strip() == ".":
            name = None
        elif name is not None:
            if name in words:
                raise PedkitError(f"{name} has two words", file=path, line=number)
            words[name] = line.split()[-1]
        elif not line.startswith("#!MLF!#"):
            raise PedkitError(f"expected the name of a label file, but got {line!r}", file=path, line=number)
    return words
