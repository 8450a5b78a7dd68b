"""Where CORAAL's files are: transcripts, recordings and metadata of its components, at any depth."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pedkit.errors import PedkitError

log = logging.getLogger(__name__)

_RECORDING = re.compile(r"(?P<component>[A-Z]{3})_se\d+_ag\d+_[fm]_\d+_\d+")
_METADATA = re.compile(r"(?P<component>[A-Z]{3})_metadata_.*\.txt", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recording:
    """One recording: its id (``ATL_se0_ag1_f_01_1``), component, transcript and audio."""

    id: str
    component: str
    transcript: Path
    audio: Path


def find_recordings(root: Path, *, skip_missing: bool) -> list[Recording]:
    """Return all recordings below ``root``, sorted by id.

    Args:
        root: The folder into which the archives were unpacked.
        skip_missing: Leave out recordings of which only the audio or only the transcript is there.

    Raises:
        PedkitError: There is none, one lies there twice, or one is not complete.
    """
    transcripts, audio = _by_name(root, ".txt"), _by_name(root, ".wav")
    if not transcripts:
        raise PedkitError(
            "expected transcripts such as 'ATL_se0_ag1_f_01_1.txt' of the corpus coraal below this folder",
            file=root,
        )
    incomplete = sorted(transcripts.keys() ^ audio.keys())
    if incomplete and not skip_missing:
        name = incomplete[0]
        lacking = "recording" if name in transcripts else "transcript"
        more = f" (and {len(incomplete) - 1} more like it)" if len(incomplete) > 1 else ""
        raise PedkitError(
            f"there is no {lacking} of {name}{more}",
            file=transcripts.get(name) or audio[name],
            hint="unpack the other archives too; missing=skip leaves such recordings out",
        )
    if incomplete:
        log.warning("recordings of coraal left out, because audio or transcript is missing: %d", len(incomplete))
    return [
        Recording(name, name[:3], transcripts[name], audio[name])
        for name in sorted(transcripts.keys() & audio.keys())
    ]


def find_metadata(root: Path, components: Iterable[str]) -> list[Path]:
    """Return the metadata file of each component.

    Raises:
        PedkitError: A component has none, or more than one.
    """
    found: dict[str, list[Path]] = {}
    for path in sorted(root.rglob("*.txt")):
        if (match := _METADATA.fullmatch(path.name)) is not None:
            found.setdefault(match["component"].upper(), []).append(path)
    paths = []
    for component in components:
        files = found.get(component, [])
        if len(files) != 1:
            names = ", ".join(str(path.relative_to(root)) for path in files) or "none"
            raise PedkitError(
                f"expected one file '{component}_metadata_<date>.txt' of the corpus coraal below this folder, "
                f"but got {names}",
                file=root,
            )
        paths += files
    return paths


def _by_name(root: Path, suffix: str) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in sorted(root.rglob("*")):
        if path.suffix.lower() != suffix or _RECORDING.fullmatch(path.stem) is None:
            continue  # guides, metadata, and the ._ files that macOS puts into archives
        if path.stem in found:
            raise PedkitError(f"{path.name} lies there twice; the other is {found[path.stem]}", file=path)
        found[path.stem] = path
    return found
