"""``pedkit mix A.jsonl B.jsonl``: several manifests to one, all of each or in given proportions."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class IdPolicy(StrEnum):
    """What to do when an id stands in two manifests."""

    refuse = "refuse"
    prefix = "prefix"


def mix(
    manifests: Annotated[list[Path], typer.Argument(help="Manifests to merge, in this order.")],
    *,
    out: Annotated[Path, typer.Option(help="Manifest to write; its provenance stands beside it.")],
    weight: Annotated[
        list[str] | None,
        typer.Option(help="Proportion of a manifest, one each in their order; as many as possible are drawn."),
    ] = None,
    total: Annotated[int | None, typer.Option(help="With weights: at most so many utterances in all.")] = None,
    ids: Annotated[
        IdPolicy, typer.Option(help="An id in two manifests: refuse, or put the manifest's name before every id.")
    ] = IdPolicy.refuse,
    seed: Annotated[int, typer.Option(help="Seed of the drawing.")] = 0,
) -> None:
    """Merge manifests; audio paths are rewritten, clashing ids refused."""
    from pedkit.cli.command_line import command_line
    from pedkit.data.mix import mix as mix_manifests

    taken = mix_manifests(
        manifests, out, weights=weight, total=total, ids=ids.value, seed=seed, command=command_line()
    )
    parts = ", ".join(f"{count} of {manifest}" for manifest, count in taken.items())
    print(f"{out}: {sum(taken.values())} utterances ({parts})")
