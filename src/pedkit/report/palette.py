"""The colours that all pages of pedkit share, in light and dark."""

from __future__ import annotations

from importlib import resources


def palette() -> str:
    """Return them as CSS variables of the root."""
    return resources.files("pedkit.report").joinpath("template/palette.css").read_text(encoding="utf-8")
