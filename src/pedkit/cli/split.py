"""``pedkit split MANIFEST``: train, dev and test, or folds, that share no speaker."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def split(
    manifest: Annotated[Path, typer.Argument(help="Manifest to split.")],
    *,
    out: Annotated[Path, typer.Option(help="Manifest to write; its provenance stands beside it.")],
    share: Annotated[
        list[str] | None,
        typer.Option(help="Share of a split: train=0.8; without any 0.8 train, 0.1 dev, 0.1 test, but kept ones."),
    ] = None,
    folds: Annotated[int | None, typer.Option(help="Make so many equal splits instead: fold0, fold1, ...")] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            help="What no two splits may have in common: speaker (as usual), source_id; several together."
        ),
    ] = None,
    stratify: Annotated[
        str | None, typer.Option(help="Field or group whose values are shared out alike, such as gender.")
    ] = None,
    keep: Annotated[list[str] | None, typer.Option(help="Split that stays as it is, without anybody new.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the order.")] = 0,
) -> None:
    """Give every utterance a split, so that no speaker (or --by) is in two of them."""
    from pedkit.cli.command_line import command_line
    from pedkit.data.split import parse_shares, split_manifest

    counts = split_manifest(
        manifest,
        out,
        shares=parse_shares(share) if share else None,
        folds=folds,
        by=by or ("speaker",),
        stratify=stratify,
        keep=keep or (),
        seed=seed,
        command=command_line(),
    )
    print(f"{out}: {', '.join(f'{name} {count}' for name, count in counts.items())}")
