"""``pedkit check MANIFEST ...``: find what would go wrong later, before anything is trained or scored."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class AudioLevel(StrEnum):
    """How closely audio is looked at."""

    none = "none"
    header = "header"
    content = "content"


def check(
    manifests: Annotated[list[Path], typer.Argument(help="Manifests to look at, each alone and all together.")],
    *,
    audio: Annotated[
        AudioLevel,
        typer.Option(
            help="none: open no file. header: missing and unreadable files, files shorter than announced, "
            "channels, sample rates. content: decode every sample too: compressed files that break off, "
            "silence, clipping, the same audio twice."
        ),
    ] = AudioLevel.header,
    sample_rate: Annotated[int, typer.Option(help="Least sample rate in Hz; files below are a fault.")] = 16000,
    card: Annotated[
        Path | None, typer.Option(help="Write a data card (Markdown); reads every audio file.")
    ] = None,
    licence: Annotated[str | None, typer.Option(help="For the card: licence of a corpus of your own.")] = None,
    source: Annotated[str | None, typer.Option(help="For the card: where a corpus of your own is from.")] = None,
    show_all: Annotated[bool, typer.Option("--all", help="Print every fault and note.")] = False,
) -> None:
    """Look for faults in manifests; exit code 1 and a list where there are any.

    Broken lines, ids that stand twice, symbols outside the inventory, speakers and recordings in two splits, audio
    that cannot be used; counts, hours, phones and errors by split, speakers by group.
    """
    from pedkit.data.check import check as check_manifests

    report = check_manifests(*manifests, audio=audio.value, sample_rate=sample_rate)
    if card is not None:
        from pedkit.data.checking.card import write_card

        write_card(card, report, licence=licence, source=source)
    print(report.text(None) if show_all else report)
    if not report.ok:
        raise SystemExit(1)
