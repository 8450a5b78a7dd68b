"""Files that hold one JSON object, such as ``run.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pedkit.data.atomic import write_text
from pedkit.errors import PedkitError


def read_object(path: str | Path, *, missing: str = "no such file", hint: str | None = None) -> dict[str, Any]:
    """Return the object in a UTF-8 file, with or without a byte order mark.

    Args:
        path: The file.
        missing: What to say where there is no such file.
        hint: What to try then.

    Raises:
        PedkitError: The file is missing, unreadable or not JSON, or it holds something else than an object.
    """
    try:
        value = json.loads(Path(path).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise PedkitError(missing, file=path, hint=hint) from None
    except OSError as error:
        raise PedkitError(f"cannot be read: {error.strerror}", file=path) from None
    except json.JSONDecodeError as error:
        raise PedkitError(f"not a JSON file: {error.msg}", file=path, line=error.lineno) from None
    except (ValueError, RecursionError) as error:  # other bytes than UTF-8, numbers of thousands of digits
        raise PedkitError(f"not a JSON file: {error}", file=path) from None
    if not isinstance(value, dict):
        raise PedkitError(f"expected a JSON object, but got {type(value).__name__}", file=path)
    return value


def write_object(path: str | Path, value: Mapping[str, Any]) -> None:
    """Write an object, whole or not at all; what JSON does not know, such as a path, is written as text."""
    write_text(path, json.dumps(dict(value), ensure_ascii=False, indent=1, default=str) + "\n")
