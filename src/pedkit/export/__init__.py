"""What leaves pedkit: a trained model as a folder that transformers loads, with a model card."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pedkit.export.folder import export_run
    from pedkit.export.push import push_folder

_LAZY = {"export_run": "folder", "push_folder": "push"}

__all__ = ["export_run", "push_folder"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f"pedkit.export.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'pedkit.export' has no attribute {name!r}")
