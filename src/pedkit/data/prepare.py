"""`prepare`: a corpus folder to a manifest, all or nothing."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pedkit.data.manifest import write_manifest
from pedkit.data.provenance import provenance_path, write_provenance
from pedkit.data.reader_options import check_options, reader_of
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.hints import check_arguments

_BARE_LIST = re.compile(r"\[([^\[\]{}\"]*[^\[\]{}\"\s][^\[\]{}\"]*)\]")
"""Words in square brackets, as a shell leaves them."""


@dataclass(slots=True)
class Summary:
    """What was written.

    Attributes:
        corpus: Name of the corpus, as the utterances have it.
        path: The manifest.
        utterances: Number of utterances.
        hours: Length of all recordings; ``None`` where no audio was opened.
        splits: Utterances by split.
        speakers: Number of speakers.
        without_canonical: Utterances without canonical phones.
        presets: Column-map presets that were used, with the mark ``(unverified)`` where nobody has tried them.
    """

    corpus: str
    path: Path
    utterances: int = 0
    hours: float | None = None
    splits: Counter[str] = field(default_factory=Counter)
    speakers: int = 0
    without_canonical: int = 0
    presets: set[str] = field(default_factory=set)

    def __str__(self) -> str:
        splits = ", ".join(f"{name} {count}" for name, count in self.splits.items())
        length = "" if self.hours is None else f", {self.hours:.2f} h"
        lacking = f", {self.without_canonical} without canonical phones" if self.without_canonical else ""
        preset = f", by the preset {' and '.join(sorted(self.presets))}" if self.presets else ""
        return (
            f"{self.path}: {self.utterances} utterances of {self.corpus} ({splits}) "
            f"by {self.speakers} speakers{length}{lacking}{preset}"
        )


def prepare(
    corpus: str,
    root: str | Path,
    out: str | Path,
    /,
    *,
    durations: bool = True,
    channel: int | None = None,
    command: str | None = None,
    **options: Any,
) -> Summary:
    """Read a corpus as it was released and write its manifest; the file appears only when it is complete.

    How it was made stands beside it (`pedkit.data.provenance.write_provenance`).

    Args:
        corpus: Name of a reader (`pedkit.data.readers.READERS`).
        root: Folder of the corpus.
        out: Manifest to write.
        durations: Open each recording's header, so that a missing or broken file stops here and not in the
            middle of a training, and write its length; ``False`` makes the manifest from the lists alone.
        channel: Which channel of recordings that have several, counted from 0, where the corpus does not say it.
        command: The command line, for the record.
        **options: Options of the reader (`pedkit.data.reader_options.reader_options`).

    Raises:
        PedkitError: The corpus or an option is unknown, the corpus is not as documented or has no utterance, a
            recording has several channels and nobody chooses one, or ``out`` is a file of the corpus.
    """
    check_options(corpus, options)
    if channel is not None and not durations:
        raise PedkitError("a channel can be chosen only where recordings are opened (without --no-durations)")
    check_arguments(reader_of(corpus), options)
    _refuse_to_overwrite(Path(out), Path(root))
    summary = Summary(corpus, Path(out))
    utterances = reader_of(corpus)(root, **options)
    checked = _checked(utterances, (lambda u: _measured(u, channel)) if durations else (lambda u: u))
    count = write_manifest(out, _some(_counted(checked, summary), root))
    settings = {"corpus": corpus, "root": str(root), "durations": durations, "options": options}
    settings |= {} if channel is None else {"channel": channel}
    write_provenance(out, verb="prepare", settings=settings, outputs={out: count}, command=command)
    return summary


def _refuse_to_overwrite(out: Path, root: Path) -> None:
    """Refuse to write over a file of the corpus; a manifest in its folder that pedkit made may be made anew."""
    corpus = root.resolve()
    inside = out.resolve() == corpus or corpus in out.resolve().parents
    if inside and out.is_file() and not provenance_path(out).is_file():
        raise PedkitError("expected another file to write, because this one belongs to the corpus", file=out)


def parse_options(pairs: Iterable[str]) -> dict[str, Any]:
    """Read ``name=value`` pairs of a command line; values are JSON where they can be, text otherwise.

    Words in square brackets need no quotation marks, as in Hydra: ``sets=[acted,authentic]``.

    Raises:
        PedkitError: A pair has no ``=``.
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise PedkitError(f"expected an option as name=value, but got {pair!r}")
        bare = _BARE_LIST.fullmatch(value)
        words = [word.strip() for word in bare[1].split(",")] if bare else []
        options[name] = _option_value(value, words or value)
    return options


def _option_value(text: str, otherwise: Any) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return otherwise


def _checked(utterances: Iterable[Utterance], measured: Callable[[Utterance], Utterance]) -> Iterator[Utterance]:
    seen: set[str] = set()
    for utterance in utterances:
        if utterance.id in seen:
            raise PedkitError("the corpus has this id twice", utterance=utterance.id)
        seen.add(utterance.id)
        yield measured(utterance)


def _some(utterances: Iterable[Utterance], root: str | Path) -> Iterator[Utterance]:
    count = 0
    for count, utterance in enumerate(utterances, start=1):  # noqa: B007 (the last one is used)
        yield utterance
    if not count:
        raise PedkitError("expected at least one utterance, but the corpus has none as it was read", file=root)


def _measured(utterance: Utterance, channel: int | None) -> Utterance:
    from pedkit.data.audio import audio_info, chosen_channel

    audio = utterance.audio
    if audio is None:
        return utterance
    try:
        info = audio_info(audio)
        audio = replace(audio, duration=info.seconds)
        if info.channels > 1 and audio.channel is None:
            if channel is None:
                raise PedkitError(
                    f"expected one channel, but the file has {info.channels}",
                    file=audio.path,
                    hint="--channel 0 takes the first of each such recording",
                )
            audio = replace(audio, channel=channel)
        chosen_channel(audio, info.channels)
    except PedkitError as error:
        raise error.at(utterance=utterance.id) from None
    return replace(utterance, audio=audio)


def _counted(utterances: Iterable[Utterance], summary: Summary) -> Iterator[Utterance]:
    seconds, speakers = 0.0, set()
    corpora: dict[str, None] = {}
    for utterance in utterances:
        summary.utterances += 1
        summary.splits[utterance.split or "no split"] += 1
        summary.without_canonical += utterance.canonical is None
        speakers.add(utterance.speaker)
        corpora |= {utterance.corpus: None} if utterance.corpus else {}
        if "preset" in utterance.extra:
            summary.presets.add(str(utterance.extra["preset"]))
        if utterance.audio is not None and utterance.audio.duration is not None:
            seconds += utterance.audio.duration
            summary.hours = seconds / 3600
        yield utterance
    summary.speakers = len(speakers - {None})
    summary.corpus = " and ".join(corpora) or summary.corpus
