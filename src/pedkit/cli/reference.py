"""``pedkit reference MANIFEST``: canonical phones from text, for corpora that come without."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def reference(
    manifest: Annotated[Path, typer.Argument(help="Manifest whose utterances have text.")],
    *,
    out: Annotated[Path, typer.Option(help="Manifest to write, its provenance beside it; may be the same.")],
    phones: Annotated[
        str, typer.Option(help="cmu39 (English, by cmudict), ipa (eleven languages, by a G2P), or auto.")
    ] = "auto",
    backend: Annotated[str, typer.Option(help="Engine for ipa: auto, g2p+, espeak or epitran.")] = "auto",
    unknown_words: Annotated[str, typer.Option(help="skip, stop, or g2p (English in cmu39).")] = "skip",
    numerals: Annotated[str, typer.Option(help="For ipa: refuse, or engine.")] = "refuse",
) -> None:
    """Add canonical phones to utterances that have text and no phones to compare with."""
    from pedkit.cli.command_line import command_line
    from pedkit.data.add_references import add_references

    print(
        add_references(
            manifest,
            out,
            phones=phones,
            backend=backend,
            unknown_words=unknown_words,
            numerals=numerals,
            command=command_line(),
        )
    )
