"""``pedkit filter MANIFEST``: the utterances that meet conditions, all of them or a seeded sample."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Several = list[str] | None


def filter_(
    manifest: Annotated[Path, typer.Argument(help="Manifest to choose from.")],
    *,
    out: Annotated[Path, typer.Option(help="Manifest to write; its provenance stands beside it.")],
    split: Annotated[Several, typer.Option(help="Split; several are alternatives.")] = None,
    speaker: Annotated[Several, typer.Option(help="Speaker; several are alternatives.")] = None,
    corpus: Annotated[Several, typer.Option(help="Corpus; several are alternatives.")] = None,
    level: Annotated[Several, typer.Option(help="word, sentence or passage; several are alternatives.")] = None,
    where: Annotated[
        Several,
        typer.Option(
            help="Condition on a field or group: gender=female, l1=hindi|korean, age>=18. All must hold."
        ),
    ] = None,
    has: Annotated[Several, typer.Option(help="Field or group that must be there, such as realized.")] = None,
    lacks: Annotated[Several, typer.Option(help="Field or group that must be missing.")] = None,
    min_seconds: Annotated[float | None, typer.Option(help="Least length.")] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Largest length.")] = None,
    sample: Annotated[int | None, typer.Option(help="Keep so many of them, drawn at random.")] = None,
    per: Annotated[str | None, typer.Option(help="Draw --sample for each value of this field or group.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the drawing.")] = 0,
) -> None:
    """Choose utterances of a manifest by split, speaker, corpus, level, group, length or what is there."""
    from pedkit.cli.command_line import command_line
    from pedkit.data.conditions import Condition, Conditions
    from pedkit.data.filter import filter_manifest

    named = {"split": split, "speaker": speaker, "corpus": corpus, "level": level}
    texts = [f"{key}={'|'.join(values)}" for key, values in named.items() if values] + (where or [])
    conditions = Conditions(tuple(map(Condition, texts)), has or (), lacks or (), min_seconds, max_seconds)
    settings = {
        "where": texts, "has": has or [], "lacks": lacks or [],
        "min_seconds": min_seconds, "max_seconds": max_seconds,
    }  # fmt: skip
    count = filter_manifest(
        manifest, out, conditions, sample=sample, per=per, seed=seed, settings=settings, command=command_line()
    )
    print(f"{out}: {count} utterances of {manifest}")
