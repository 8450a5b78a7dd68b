"""The review page: one HTML file that loads nothing from a network and keeps its progress in the browser."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pedkit.data.atomic import write_text
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.report.palette import palette
from synthetic.made_set import MadeSet
from synthetic.review.sheet import cards, chosen
from synthetic.review.verdicts import COLUMNS, VERDICTS

_TEMPLATE = Path(__file__).parent / "template"
_TYPES = {".flac": "audio/flac", ".wav": "audio/wav", ".ogg": "audio/ogg", ".mp3": "audio/mpeg"}


def write_page(
    made: MadeSet, out: Path, *, reviewer: str, sample: int | None = None, seed: int = 0, embed: bool = False
) -> int:
    """Write the page of one reviewer.

    Args:
        made: What to hear.
        out: The file to write.
        reviewer: Who will listen; decides the order, and whose progress the browser keeps.
        sample: Number of recordings to draw; all where ``None``. Every reviewer gets the same ones.
        seed: Of the sample and of the orders.
        embed: Put the recordings into the file. Otherwise it links to them, and they must stay where they are.

    Returns:
        The number of recordings on it.

    Raises:
        PedkitError: The sample cannot be drawn, or a recording is missing.
    """
    if not reviewer.strip():
        raise PedkitError("expected the name of a reviewer, but got an empty one")
    names = chosen(made.utterances, sample, seed, reviewer)
    utterances = [made.utterances[name] for name in names]
    items = [
        asdict(card) | {"audio": _address(one, out, embed)}
        for card, one in zip(cards(utterances), utterances, strict=True)
    ]
    file_name = re.sub(r"[^\w.-]+", "-", f"review-{made.mark}-{reviewer}.csv")
    data = {
        "set": made.mark,
        "reviewer": reviewer,
        "fileName": file_name,
        "columns": COLUMNS,
        "verdicts": VERDICTS,
        "items": items,
    }
    write_text(out, _render({"title": made.folder.name, "reviewer": reviewer, "count": len(items)}, data))
    return len(items)


def _render(shown: Mapping[str, object], data: Mapping[str, object]) -> str:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = palette() + (_TEMPLATE / "review.css").read_text(encoding="utf-8")
    script = "".join((_TEMPLATE / name).read_text(encoding="utf-8") for name in ("csv.js", "review.js"))
    # No text of a set may end the element or be taken for markup, so no < is left in it.
    plain = json.dumps(data, allow_nan=False).replace("<", "\\u003c")
    return environment.get_template("review.html.j2").render(
        **shown,
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
        data=Markup(plain),
    )


def _hash(text: str) -> str:
    """Return what a content security policy calls this text, so that the browser runs nothing else."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _address(utterance: Utterance, out: Path, embed: bool) -> str:
    """Return the address of a recording: relative to the page, or with the recording in it."""
    path = None if utterance.audio is None else Path(utterance.audio.path)
    if path is None or not path.is_file():
        raise PedkitError("this recording is missing", file=path, utterance=utterance.id)
    if not embed:
        return quote(Path(os.path.relpath(path, out.resolve().parent)).as_posix())
    kind = _TYPES.get(path.suffix.lower(), "application/octet-stream")
    return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"
