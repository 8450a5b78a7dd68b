"""A private copy of what espeak-ng needs for English.

Copies of the library do not share global state. The engine looks through all of its 200
voice files for a voice whose file has another name, as ``en-US`` has, which costs more than the word itself: in
the copy the file is called ``en-us``. And the files of other accents replace phones (a final NG by N), even in
phoneme input: in the copy they do not.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

from pedkit.errors import PedkitError
from synthetic.engines.espeak_accents import ACCENTS, AMERICAN
from synthetic.engines.espeak_library import INSTALL_ANEW
from synthetic.engines.protocol import EngineNotInstalledError
from synthetic.engines.scratch import scratch_folder

_TABLES = ("phondata", "phonindex", "phontab", "intonations", "en_dict")


class EspeakFiles:
    """A temporary folder with the library's data; removed with the object.

    Raises:
        EngineNotInstalledError: The wheel ``espeakng-loader`` is not there.
        PedkitError: A file of it is missing or damaged, or there is no room for the copy.
    """

    def __init__(self) -> None:
        try:
            import espeakng_loader
        except ImportError:
            raise EngineNotInstalledError("espeak-ng", "pip install pedkit[tts] brings it") from None
        self._library = Path(espeakng_loader.get_library_path())
        try:
            source = Path(espeakng_loader.get_data_path())
        except RuntimeError as error:
            raise PedkitError(f"espeak-ng has no data: {error}", hint=INSTALL_ANEW) from None
        folder = scratch_folder(self, "espeak")
        self._folder = folder
        self.data = folder / "espeak-ng-data"
        self._variants = self.data / "voices" / "!v"
        with _copying():
            _expect_whole(self._library, *(source / name for name in _TABLES), *_accent_files(source))
            _copy_data(source, self.data)

    def library(self, name: str) -> Path:
        """Return the copy of the library with this name; each name is a library with a state of its own."""
        path = self._folder / f"{name}{self._library.suffix}"
        if not path.exists():
            with _copying():
                shutil.copyfile(self._library, path)
        return path

    def variants(self) -> list[str]:
        """Return the names of all voice variants, such as ``f3``."""
        return sorted(path.name for path in self._variants.iterdir())

    def gender(self, variant: str) -> str | None:
        """Return ``female`` or ``male`` where the variant's file says so."""
        for line in (self._variants / variant).read_text(encoding="utf-8", errors="replace").splitlines():
            key, *values = line.split()[:2] or [""]
            if key == "gender" and values:
                return values[0].lower()
        return None


def _expect_whole(*files: Path) -> None:
    """Make sure that files have the length which pip wrote down: one that was cut ends the process by a signal."""
    try:
        listed = metadata.files("espeakng-loader") or ()
    except metadata.PackageNotFoundError:  # installed by other means
        return
    names = {file.name for file in files}
    lengths = {str(entry.locate()): entry.size for entry in listed if entry.name in names}
    for file in files:
        length, there = lengths.get(str(file)), file.stat().st_size
        if length is not None and length != there:
            raise PedkitError(
                f"expected {length} bytes, as the wheel has them, but got {there}", file=file, hint=INSTALL_ANEW
            )


@contextmanager
def _copying() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        if error.filename2 is None:
            raise PedkitError(f"cannot be read: {reason}", file=error.filename, hint=INSTALL_ANEW) from None
        hint = "make room, or name another folder in TMPDIR"
        raise PedkitError(f"cannot be written: {reason}", file=error.filename2, hint=hint) from None


def _accent_files(source: Path) -> list[Path]:
    return [source / "lang" / "gmw" / accent.file for accent in ACCENTS.values()]


def _copy_data(source: Path, target: Path) -> None:
    target.mkdir()
    for name in _TABLES:
        shutil.copyfile(source / name, target / name)
    (target / "lang").mkdir()
    for name, file in zip(ACCENTS, _accent_files(source), strict=True):
        lines = file.read_bytes().splitlines(keepends=True)
        kept = lines if name == AMERICAN else [line for line in lines if not line.startswith(b"replace")]
        (target / "lang" / name).write_bytes(b"".join(kept))
    shutil.copytree(source / "voices" / "!v", target / "voices" / "!v")
