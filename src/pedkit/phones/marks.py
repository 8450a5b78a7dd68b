"""The symbols that stand in a phone sequence or an alignment and are not phones."""

from __future__ import annotations

GAP = "-"
"""How an alignment prints "nothing here"; never a phone."""

UNUSABLE_PHONES = ("<unk>", "err")
"""Symbols of annotators that say "something else was said": they equal no phone (docs/scoring.md)."""
