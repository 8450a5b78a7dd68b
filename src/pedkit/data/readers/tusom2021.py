"""Tusom2021: words and short phrases of East Tusom (Tibeto-Burman) in narrow phone transcription.

Source of the layout: GitHub dmort27/tusom2021. Decisions: ``docs/corpora/tusom2021.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from pedkit.data.readers.cells import decoded
from pedkit.data.readers.files import absolute, require_file, require_folder
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.phones import tokenize_ipa

CORPUS = "tusom2021"
SPLITS = ("train", "dev", "test")
_FIELDS = ("gloss", "no_tones", "tone_dias", "tone_letters")


def read_tusom2021(root: str | Path) -> Iterator[Utterance]:
    """Yield the recordings of the lists train, dev and test; 1,578, 230 and 447 in the full corpus.

    Realized phones are the transcriptions without tones, split into IPA symbols. Nothing is canonical.

    Args:
        root: The folder that holds ``data``, or ``data`` itself.

    Raises:
        PedkitError: A list is missing or not as documented.
    """
    folder = require_folder(root, CORPUS)
    lists = {split: require_file(folder, (f"data/{split}.yml", f"{split}.yml"), CORPUS) for split in SPLITS}
    return (
        _utterance(path, split, name, line, entry)
        for split, path in lists.items()
        for name, line, entry in _entries(path)
    )


def _utterance(path: Path, split: str, name: str, line: int, entry: Mapping[str, str]) -> Utterance:
    stem = name.removesuffix(".wav")
    realized = tokenize_ipa(entry["no_tones"])
    if not realized:
        raise PedkitError("expected a transcription under 'no_tones'", file=path, line=line, utterance=stem)
    return Utterance(
        id=stem,
        audio=Audio(path=absolute(path.parent / "wav" / name)),
        language="mis",
        split=split,
        corpus=CORPUS,
        inventory="ipa",
        realized=realized,
        speaker=f"{CORPUS}:speaker",
        may_upload=True,
        extra={field: entry[field] for field in _FIELDS if entry.get(field)},
    )


def _entries(path: Path) -> Iterator[tuple[str, int, dict[str, str]]]:
    """Yield name, line and fields of each entry; every value is text (a transcription ``no`` is no boolean)."""
    try:
        tree = yaml.compose(decoded(path), Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError) as error:
        place = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "not readable"
        line = None if place is None else place.line + 1
        raise PedkitError(f"not a YAML file: {problem}", file=path, line=line) from None
    for name, value in _pairs(tree, path):
        fields = {key: node.value for key, node in _pairs(value, path) if isinstance(node, yaml.ScalarNode)}
        line = value.start_mark.line + 1
        if not name.endswith(".wav") or "no_tones" not in fields:
            raise PedkitError(
                f"expected the name of a wav file and 'no_tones' under it, but got {name!r}", file=path, line=line
            )
        yield name, line, fields


def _pairs(node: yaml.Node | None, path: Path) -> Iterator[tuple[str, yaml.Node]]:
    if not isinstance(node, yaml.MappingNode):
        line = None if node is None else node.start_mark.line + 1
        raise PedkitError("expected names and values (a mapping)", file=path, line=line)
    seen: set[str] = set()
    for key, value in node.value:
        if key.value in seen:
            raise PedkitError(f"{key.value!r} stands twice", file=path, line=key.start_mark.line + 1)
        seen.add(key.value)
        yield str(key.value), value
