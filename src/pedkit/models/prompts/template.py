"""`PromptTemplate`: the wording of a prompt, one versioned JSON file each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from pedkit.close_names import guess
from pedkit.data.json_file import read_object
from pedkit.errors import PedkitError
from pedkit.phones import get_inventory

_FOLDER = Path(__file__).with_name("templates")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_ALLOWED = {
    "system": frozenset({"phones", "count", "key", "example"}),
    "user": frozenset({"phones", "count", "key", "example"}),
    "scripted": frozenset({"phones", "count", "key", "example", "text", "canonical"}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTemplate:
    """The wording of a prompt, with ``{placeholders}``.

    Attributes:
        name: Name of the template.
        version: Counted from 1; a change of wording is a new version, and old ones stay.
        system: System prompt. ``{phones}`` is the inventory in IPA, ``{count}`` its size, ``{key}`` the key of the
            answer, ``{example}`` a whole answer.
        user: User prompt; the recording stands before it.
        scripted: What scripted prompts add after ``user``: ``{text}`` is the intended text, ``{canonical}`` its
            phones in IPA. ``None``: the template has no scripted form.
        example: CMU-39 phones of the answer that the placeholder ``{example}`` shows.
        inventory: Inventory of the answer.
        key: Key of the answer's JSON object.
        ours: True where the wording is pedkit's own and not that of a paper.
    """

    name: str
    version: int
    system: str
    user: str
    scripted: str | None = None
    example: str = ""
    inventory: str = "cmu39"
    key: str = "transcription"
    ours: bool = True

    def __post_init__(self) -> None:
        if self.inventory != "cmu39":
            raise PedkitError(f"expected a prompt for the inventory 'cmu39', but got {self.inventory!r}")
        for phone in self.example.split():
            get_inventory(self.inventory).index(phone)
        for part, allowed in _ALLOWED.items():
            unknown = set(_PLACEHOLDER.findall(getattr(self, part) or "")) - allowed
            if unknown:
                raise PedkitError(
                    f"the part '{part}' of a prompt cannot hold {{{min(unknown)}}}{guess(min(unknown), allowed)}",
                    hint=f"its placeholders are {', '.join(sorted(allowed))}",
                )

    def to_dict(self) -> dict[str, Any]:
        """Return the template as a run folder or a file holds it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> PromptTemplate:
        """Build a template; ``system``, ``user`` and ``scripted`` may be lists of lines.

        Raises:
            PedkitError: A key is missing, unknown, or of another type.
        """
        known = {field.name: field for field in fields(cls)}
        for key in content:
            if key not in known:
                raise PedkitError(f"a prompt has no key {key!r}{guess(key, known)}")
        for key in ("name", "version", "system", "user"):
            if content.get(key) in (None, "", []):
                raise PedkitError(f"a prompt needs the key {key!r}")
        return cls(**{key: _value(key, value) for key, value in content.items() if value is not None})


def fill(wording: str, values: Mapping[str, str]) -> str:
    """Return the wording with its placeholders filled; braces inside values stay what they are."""
    return _PLACEHOLDER.sub(lambda match: values[match[1]], wording)


def template_names() -> tuple[str, ...]:
    """Return the names of the shipped templates."""
    return tuple(sorted({file.stem.rsplit("_v", 1)[0] for file in _FOLDER.glob("*.json")}))


def load_template(name: str = "cmu39_json", version: int | None = None) -> PromptTemplate:
    """Return a shipped template, or that of a JSON file.

    Args:
        name: Name of a shipped template, or path of a ``.json`` file of the same form.
        version: Version of a shipped template; the newest where ``None``.

    Raises:
        PedkitError: There is none, or the file is no template.
    """
    if name.endswith(".json"):
        return _read(Path(name))
    known = template_names()
    if name not in known:
        raise PedkitError(
            f"expected the name of a prompt ({', '.join(known)}) or a .json file, "
            f"but got {name!r}{guess(name, known)}"
        )
    versions = {int(file.stem.rsplit("_v", 1)[1]): file for file in _FOLDER.glob(f"{name}_v*.json")}
    chosen = max(versions) if version is None else version
    if chosen not in versions:
        raise PedkitError(f"the prompt {name!r} has the versions {sorted(versions)}, but not {version!r}")
    return _read(versions[chosen])


def _read(file: Path) -> PromptTemplate:
    try:
        return PromptTemplate.from_dict(read_object(file))
    except PedkitError as error:
        raise error.at(file=file) from None


def _value(key: str, value: Any) -> Any:
    if key in _ALLOWED and isinstance(value, list) and all(isinstance(line, str) for line in value):
        value = "\n".join(value)
    kind = {"version": int, "ours": bool}.get(key, str)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise PedkitError(f"the key {key!r} of a prompt cannot be {value!r}")
    if isinstance(value, str) and not value.isascii() and _HALF_PAIR.search(value):
        raise PedkitError(f"the key {key!r} of a prompt holds half a surrogate pair, which no request can spell")
    return value
