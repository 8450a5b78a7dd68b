"""``pedkit prepare CORPUS``: read a corpus as it was released and write its manifest."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from pedkit.errors import PedkitError


class PrepareCommand(TyperCommand):
    """The verb, whose help lists the corpora; their readers are imported only then."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        from pedkit.data.readers import READERS

        self.epilog = f"Corpora: {', '.join(sorted(READERS))}."
        super().format_help(ctx, formatter)


def prepare(
    corpus: Annotated[str, typer.Argument(help="Name of the corpus, for example speechocean762 or timit.")],
    *,
    root: Annotated[Path | None, typer.Option(help="Folder of the corpus as it was released.")] = None,
    out: Annotated[Path | None, typer.Option(help="Manifest to write (one JSON line an utterance).")] = None,
    durations: Annotated[
        bool, typer.Option(help="Read each clip's length from its file; without it no audio is opened.")
    ] = True,
    channel: Annotated[
        int | None, typer.Option(min=0, help="Channel of recordings that have several, counted from 0.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="Option of the reader as key=value; may be given several times.")
    ] = None,
    options: Annotated[bool, typer.Option("--options", help="List the reader's options and do nothing.")] = False,
) -> None:
    """Read a corpus as it was released and write its manifest, all or nothing."""
    from pedkit.cli.command_line import command_line
    from pedkit.data.corpora import corpus_facts
    from pedkit.data.prepare import parse_options
    from pedkit.data.prepare import prepare as prepare_corpus
    from pedkit.data.reader_options import reader_of, reader_options

    if options:
        print("\n".join(map(str, reader_options(corpus))))
        return
    reader_of(corpus)
    for name, value in (("--root", root), ("--out", out)):
        if value is None:
            raise PedkitError(f"expected {name}", hint="pedkit prepare --help")
    assert root is not None
    assert out is not None
    given = parse_options(option or [])
    summary = prepare_corpus(
        corpus, root, out, durations=durations, channel=channel, command=command_line(), **given
    )
    print(summary)
    if corpus in corpus_facts():
        print(f"published: {corpus_facts()[corpus].published}")
