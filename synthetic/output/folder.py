"""The output folder: files appear whole or not at all, and one run's files are never mixed with another's."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from multiprocessing.util import register_after_fork
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pedkit.data.atomic import half_files, write_bytes
from pedkit.data.json_file import read_object
from pedkit.data.jsonl import read_jsonl, write_jsonl
from pedkit.data.manifest import write_manifest
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.held_folder import held_folder
from synthetic.design import SPLITS, DesignItem

_RUN, _DESIGN = "run.json", "design.jsonl"
_OTHERS = ("README.md", "refused.jsonl", *(f"{split}.jsonl" for split in SPLITS))
"""Files beside the design and the record of the run."""
_PARTS = (
    ("settings", dict),
    ("self_check", dict),
    ("counts", dict),
    ("refused", dict),
    ("manifests", dict),
    ("audio_files", int),
)
"""Parts of the record of a finished set."""
_OF_AN_ITEM = re.compile(rf"(?:{'|'.join(SPLITS)})-\d{{5,}}-[a-z0-9-]*\.flac")


class OutputFolder:
    """Audio files, design, manifests, refusals, data card and run record of one set in one folder.

    Args:
        path: The folder; made where it is missing.

    Raises:
        PedkitError: Files cannot be written there.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.audio = self.path / "audio"
        self._run_file = self.path / _RUN
        self._design_file = self.path / _DESIGN
        with _writing(self.path):
            _expect_no_other_files(self.path)
            self.audio.mkdir(parents=True, exist_ok=True)
            probe = self.audio / "probe"
            write_bytes(probe, b"")
            probe.unlink()
            self._sweep()

    @classmethod
    @contextmanager
    def held(cls, path: str | Path) -> Iterator[OutputFolder]:
        """Keep other runs out of a folder while this one looks at what is there and adds to it.

        A run that is killed lets go of the folder, also where processes that it had started live on for a while.

        Raises:
            PedkitError: Another run is at work there, or files cannot be written there.
        """
        with ExitStack() as lock:
            with _writing(Path(path)):
                _expect_no_other_files(Path(path))  # a folder of something else does not gain a lock
                lock.enter_context(held_folder(Path(path), "another process is at work on this set"))
            register_after_fork(lock, ExitStack.close)  # a process that is forked later would hold it too
            yield cls(path)

    def _sweep(self) -> None:
        """Remove what a killed run was writing at the moment, and recordings of items that no design lists."""
        half = half_files(self.audio, "*.flac")
        for name in (_RUN, _DESIGN, *_OTHERS):
            half += half_files(self.path, name)
        if not self._design_file.exists() and not self._run_file.exists():
            # Said for a design that was never finished; the next one may have other items.
            half += (path for path in self.audio.glob("*.flac") if _OF_AN_ITEM.fullmatch(path.name))
        for left_over in half:
            left_over.unlink(missing_ok=True)

    def run_record(self) -> dict[str, Any] | None:
        """Return what ``run.json`` holds, or ``None`` where there is none.

        Raises:
            PedkitError: It is something else.
        """
        if not self._run_file.exists():
            return None
        try:
            record = read_object(self._run_file)
        except PedkitError:
            record = {}
        if not _is_record(record):
            raise PedkitError(
                "expected the record of an earlier run, but got something else",
                file=self._run_file,
                hint="delete the folder or choose another with output_dir=",
            )
        return record

    def write_run_record(self, record: Mapping[str, Any]) -> None:
        """Replace ``run.json``."""
        with _writing(self.path):
            write_bytes(self._run_file, json.dumps(record, indent=2, ensure_ascii=False).encode() + b"\n")

    def has_design(self) -> bool:
        """Return whether an earlier run has left its design here."""
        return self._design_file.exists()

    def keep_design(self, items: Iterable[DesignItem]) -> None:
        """Write ``design.jsonl``, or make sure that the one there says the same.

        Raises:
            PedkitError: The design there is another one.
        """
        lines = [item.to_dict() for item in items]
        if not self._design_file.exists():
            with _writing(self.path):
                write_jsonl(self._design_file, lines)
        elif [line for _, line in read_jsonl(self._design_file)] != lines:
            raise PedkitError(
                "this half-made set has another design than these settings give now (other versions made it)",
                file=self._design_file,
                hint="delete the folder or choose another with output_dir=",
            )

    def holds(self, splits: Iterable[str], audio_files: int) -> bool:
        """Return whether the manifests of these splits and this many audio files are there."""
        manifests = all(self.manifest(split).exists() for split in splits)
        return manifests and sum(1 for _ in self.audio.glob("*.flac")) >= audio_files

    def write_audio(self, item_id: str, samples: NDArray[np.float32], sample_rate: int) -> Audio:
        """Write mono 16-bit FLAC; return where it lies, for the manifest.

        Args:
            item_id: Names the file.
            samples: In [-1, 1], shape (samples,).
            sample_rate: In Hz.

        Raises:
            PedkitError: The samples would be clipped, or the file cannot be written.
        """
        import soundfile

        if not np.abs(samples).max() <= 1:
            raise PedkitError(f"expected samples from -1 to 1, but got {np.abs(samples).max()}", utterance=item_id)
        encoded = io.BytesIO()
        soundfile.write(encoded, samples, sample_rate, format="FLAC", subtype="PCM_16", compression_level=0.0)
        with _writing(self.path):
            write_bytes(self._audio_file(item_id), encoded.getvalue())
        return self._audio(item_id, samples.size / sample_rate)

    def made(self) -> dict[str, Audio]:
        """Return the audio that is there and can be read to its end, by item id."""
        import soundfile

        found = {}
        for path in self.audio.glob("*.flac"):
            try:
                samples, sample_rate = soundfile.read(str(path), dtype="int16")
            except soundfile.SoundFileError:  # a disk may lose the end of a file; the item is said anew
                continue
            found[path.stem] = self._audio(path.stem, len(samples) / sample_rate)
        return found

    def _audio_file(self, item_id: str) -> Path:
        return self.audio / f"{item_id}.flac"

    def _audio(self, item_id: str, duration: float) -> Audio:
        return Audio(path=f"{self.audio.name}/{item_id}.flac", duration=duration)

    def manifest(self, split: str) -> Path:
        """Return where the manifest of a split lies."""
        return self.path / f"{split}.jsonl"

    def write_manifest(self, split: str, utterances: Iterable[Utterance]) -> None:
        """Write the manifest of a split."""
        with _writing(self.path):
            write_manifest(self.manifest(split), utterances)

    def write_refusals(self, lines: Iterable[Mapping[str, Any]]) -> None:
        """Write ``refused.jsonl``."""
        with _writing(self.path):
            write_jsonl(self.path / "refused.jsonl", map(dict, lines))

    def write_card(self, text: str) -> None:
        """Write ``README.md``."""
        with _writing(self.path):
            write_bytes(self.path / "README.md", text.encode())


def _expect_no_other_files(folder: Path) -> None:
    """Make sure that nothing of anybody else's has a name that a set would take."""
    if (folder / _DESIGN).exists() or (folder / _RUN).exists():
        return
    for path in (folder / name for name in _OTHERS):
        if path.exists():
            raise PedkitError(
                "this file is of something else than a synthetic set, and would be replaced",
                file=path,
                hint="choose another folder with output_dir=",
            )


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise PedkitError(
            f"cannot write here: {(error.strerror or type(error).__name__).lower()}",
            file=folder,
            hint="make room or rights, or choose another folder with output_dir=",
        ) from None


def _is_record(record: Mapping[str, Any]) -> bool:
    """Return whether this is what a run wrote: all parts that the next run looks at are there."""
    if record.get("status") != "complete":
        return "status" in record and isinstance(record.get("settings"), dict)
    return all(isinstance(record.get(name), kind) for name, kind in _PARTS) and _can_be_told(record)


def _can_be_told(record: Mapping[str, Any]) -> bool:
    """Return whether a finished set's numbers are where its last line takes them from."""
    numbers = all(
        isinstance(counts, dict)
        and isinstance(counts.get("levels"), dict)
        and {"items", "with_error", "voices"} <= counts.keys()
        for counts in record["counts"].values()
    )
    stages = isinstance(record["refused"].get("stages"), dict)
    return numbers and stages and {"refused", "checked"} <= record["self_check"].keys()
