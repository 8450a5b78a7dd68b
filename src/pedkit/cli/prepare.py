"""``pedkit prepare CORPUS``: read a corpus as it was released and write its manifest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def prepare(
    corpus: Annotated[str, typer.Argument(help="Name of the corpus, for example speechocean762 or timit.")],
    root: Annotated[Path, typer.Option(help="Folder of the corpus as it was released.")],
    out: Annotated[Path, typer.Option(help="Manifest to write (one JSON line an utterance).")],
    durations: Annotated[
        bool, typer.Option(help="Read each clip's length from its file; without it no audio is opened.")
    ] = True,
    option: Annotated[
        list[str] | None, typer.Option(help="Option of the reader as key=value; may be given several times.")
    ] = None,
) -> None:
    """Read a corpus as it was released and write its manifest."""
    from pedkit.data.prepare import parse_options
    from pedkit.data.prepare import prepare as prepare_corpus

    print(prepare_corpus(corpus, root, out, durations=durations, **parse_options(option or [])))
