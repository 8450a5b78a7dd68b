"""Tables as corpora bring them (CSV, TSV): rows of text, with what is missing told apart from what is written.

Cells stay text: ``007`` is no number, ``3,5`` no pair. What a cell means is for the reader of the corpus to say.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pedkit.errors import PedkitError

MISSING_MARKS = frozenset({"", "na", "n/a", "null", "none", "nan"})
"""What R, pandas, SQL, Python and people write for a missing value, in lower case."""

SAVE_AS_UTF8 = "save it as UTF-8"
_DELIMITERS = (",", ";")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table.

    Attributes:
        line: Line number in the file, counted from 1; where a cell holds line breaks, that of its first line.
        cells: Column name -> cell without blanks around it; ``None`` where the value is missing.
        written: The same as it stands in the file, for columns in which ``NA`` may be a value.
    """

    line: int
    cells: dict[str, str | None]
    written: dict[str, str]


def present(cell: str) -> str | None:
    """Return a cell without blanks around it, or ``None`` for blank, NA, N/A, null, None and nan in any case."""
    text = cell.strip()
    return None if text.lower() in MISSING_MARKS else text


def read_table(
    path: str | Path, *, delimiter: str | None = None, quoted: bool = True, encoding: str | None = None
) -> list[Row]:
    """Read a table whose first line names its columns.

    Columns without a name are left out, and so are blank lines. Column names stay as they are written.

    Args:
        path: The file.
        delimiter: One character; by default a tab where the first line has one, else the more frequent of comma
            and semicolon.
        quoted: Whether a cell may stand in double quotes. ``False`` takes quotes as text, which is what many TSV
            files want.
        encoding: Name of the encoding; by default UTF-8, with or without its mark, or UTF-16, told from the file.

    Raises:
        PedkitError: The file cannot be read or decoded, two columns have one name, or a line has another number
            of cells than the first; file and line are named.
    """
    return list(iter_table(path, delimiter=delimiter, quoted=quoted, encoding=encoding))


def iter_table(
    path: str | Path,
    *,
    delimiter: str | None = None,
    quoted: bool = True,
    encoding: str | None = None,
    hint: str = SAVE_AS_UTF8,
) -> Iterator[Row]:
    """Yield the rows of a table one at a time (see `read_table`, and `decoded` for the hint)."""
    text = decoded(Path(path), encoding, hint)
    records = _records(text, Path(path), delimiter or _delimiter(text), quoted)
    _, names = next(records, (1, []))
    _check_names(names, path)
    for line, cells in records:
        if len(cells) != len(names):
            raise PedkitError(
                f"expected {len(names)} cells as in the first line, but got {len(cells)}",
                file=path,
                line=line,
                hint="see whether the delimiter and the quotes are right",
            )
        written = {name: cell for name, cell in zip(names, cells, strict=True) if name.strip()}
        yield Row(line, {name: present(cell) for name, cell in written.items()}, written)


def decoded(path: Path, encoding: str | None = None, hint: str = SAVE_AS_UTF8) -> str:
    """Return the text of a file; by default UTF-8 or UTF-16, told from its first bytes.

    Args:
        path: The file.
        encoding: Name of its encoding.
        hint: What to try where none is named and the file has another.

    Raises:
        PedkitError: The file cannot be read, or is not in that encoding.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise PedkitError("no such file", file=path) from None
    except OSError as error:
        raise PedkitError(f"cannot be read: {error.strerror}", file=path) from None
    name = encoding or _sniffed(data)
    try:
        return data.decode(name)
    except LookupError:
        raise PedkitError(f"there is no encoding {name!r}", file=path) from None
    except UnicodeDecodeError as error:
        raise PedkitError(
            f"expected {name} text, but byte {error.start} is not",
            file=path,
            hint=None if encoding else hint,
        ) from None


def _sniffed(data: bytes) -> str:
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return name
    head = data[:200]
    if b"\0" not in head:
        return "utf-8"
    return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"


def _delimiter(text: str) -> str:
    head = text.lstrip().partition("\n")[0]
    return "\t" if "\t" in head else max(_DELIMITERS, key=head.count)


def _records(text: str, path: Path, delimiter: str, quoted: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the first line number and the cells of each record that is not blank."""
    if len(delimiter) != 1:
        raise PedkitError(f"expected a delimiter of one character, but got {delimiter!r}")
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        strict=True,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
    )
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        hint = "quoted=false takes quotes as text" if quoted else None
        raise PedkitError(f"not a table: {error}", file=path, line=line, hint=hint) from None


def _check_names(names: list[str], path: str | Path) -> None:
    counts = Counter(name.strip() for name in names if name.strip())
    if not counts:
        raise PedkitError("expected a first line with the names of the columns", file=path, line=1)
    name, count = counts.most_common(1)[0]
    if count > 1:
        raise PedkitError(f"two columns are called {name!r}", file=path, line=1)
