"""Recognizers: everything that turns audio into phones, behind one small protocol."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from pedkit.recognizers.protocol import Clip, Recognizer, ScoringRecognizer

if TYPE_CHECKING:
    from pedkit.recognizers.ctc import CtcRecognizer
    from pedkit.recognizers.language import LanguageRecognizer
    from pedkit.recognizers.run_recognizer import from_run

_LAZY = {  # need torch, which a list of protocols does not
    "CtcRecognizer": "ctc",
    "LanguageRecognizer": "language",
    "from_run": "run_recognizer",
}

__all__ = ["Clip", "CtcRecognizer", "LanguageRecognizer", "Recognizer", "ScoringRecognizer", "from_run"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f"pedkit.recognizers.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'pedkit.recognizers' has no attribute {name!r}")
