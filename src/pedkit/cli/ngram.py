"""``pedkit ngram MANIFEST...``: a phone n-gram for beam decoding."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def ngram(
    manifest: Annotated[list[Path], typer.Argument(help="Manifests to count phones in; never test data.")],
    *,
    out: Annotated[Path, typer.Option(help="ARPA file to write.")],
    order: Annotated[int, typer.Option(help="Length of the longest n-gram.")] = 3,
    split: Annotated[str | None, typer.Option(help="Take utterances of this split only.")] = None,
    inventory: Annotated[
        str, typer.Option(help="Inventory of the model; phones are projected onto it.")
    ] = "cmu39",
    target: Annotated[str, typer.Option(help="Which phones to count: realized, canonical.")] = "realized",
) -> None:
    """Count which phone follows which, for decoder=beam decoder.ngram=FILE."""
    from pedkit.models.ngram_training import ngram_of_manifests

    parts = [{"manifest": str(path), "split": split} for path in manifest]
    model = ngram_of_manifests(parts, order=order, inventory=inventory, target=target)
    model.save(out)
    print(f"{out}: {model.order}-gram of {len(model.phones)} phones")
