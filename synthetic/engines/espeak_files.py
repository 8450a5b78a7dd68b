"""A private copy of what espeak-ng needs for English.

Copies of the library do not share global state. The engine looks through all of its 200
voice files for a voice whose file has another name, as ``en-US`` has, which costs more than the word itself: in
the copy the file is called ``en-us``. And the files of other accents replace phones (a final NG by N), even in
phoneme input: in the copy they do not.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from synthetic.engines.espeak_accents import ACCENTS, AMERICAN
from synthetic.engines.protocol import EngineNotInstalledError
from synthetic.engines.scratch import scratch_folder

_TABLES = ("phondata", "phonindex", "phontab", "intonations", "en_dict")


class EspeakFiles:
    """A temporary folder with the library's data; removed with the object.

    Raises:
        EngineNotInstalledError: The wheel ``espeakng-loader`` is not there.
    """

    def __init__(self) -> None:
        try:
            import espeakng_loader
        except ImportError:
            raise EngineNotInstalledError("espeak-ng", "pip install pedkit[tts] brings it") from None
        self._library = Path(espeakng_loader.get_library_path())
        folder = scratch_folder(self, "espeak")
        self._folder = folder
        self.data = folder / "espeak-ng-data"
        self._variants = self.data / "voices" / "!v"
        _copy_data(Path(espeakng_loader.get_data_path()), self.data)

    def library(self, name: str) -> Path:
        """Return the copy of the library with this name; each name is a library with a state of its own."""
        path = self._folder / f"{name}{self._library.suffix}"
        if not path.exists():
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


def _copy_data(source: Path, target: Path) -> None:
    target.mkdir()
    for name in _TABLES:
        shutil.copyfile(source / name, target / name)
    (target / "lang").mkdir()
    for name, accent in ACCENTS.items():
        lines = (source / "lang" / "gmw" / accent.file).read_bytes().splitlines(keepends=True)
        kept = lines if name == AMERICAN else [line for line in lines if not line.startswith(b"replace")]
        (target / "lang" / name).write_bytes(b"".join(kept))
    shutil.copytree(source / "voices" / "!v", target / "voices" / "!v")
