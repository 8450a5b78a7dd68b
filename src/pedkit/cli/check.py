"""``pedkit check MANIFEST``: find what would go wrong later, before anything is trained or scored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def check(
    manifest: Annotated[Path, typer.Argument(help="Manifest to look at.")],
    audio: Annotated[bool, typer.Option(help="Open each audio file too.")] = True,
) -> None:
    """Look for faults in a manifest: broken lines, unknown phones, missing audio, speakers in two splits."""
    from pedkit.data.check import check as check_manifest

    report = check_manifest(manifest, audio=audio)
    print(report)
    if not report.ok:
        raise SystemExit(1)
