"""Grapheme to phoneme: engines that pronounce text, each behind one small file, all of them optional."""

from pedkit.data.g2p.engine import IpaEngine, IpaLine, transcribe
from pedkit.data.g2p.english import EspeakWords
from pedkit.data.g2p.languages import BACKENDS, LANGUAGES, open_engine

__all__ = ["BACKENDS", "LANGUAGES", "EspeakWords", "IpaEngine", "IpaLine", "open_engine", "transcribe"]
