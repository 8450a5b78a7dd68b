"""Recognizers: everything that turns audio into phones, behind one small protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pedkit.recognizers.protocol import Clip, Recognizer, ScoringRecognizer

if TYPE_CHECKING:
    from pedkit.recognizers.ctc import CtcRecognizer

__all__ = ["Clip", "CtcRecognizer", "Recognizer", "ScoringRecognizer"]


def __getattr__(name: str) -> Any:
    if name == "CtcRecognizer":  # needs torch, which a list of protocols does not
        from pedkit.recognizers.ctc import CtcRecognizer

        return CtcRecognizer
    raise AttributeError(f"module 'pedkit.recognizers' has no attribute {name!r}")
