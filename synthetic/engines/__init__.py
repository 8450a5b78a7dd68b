"""Phone-controlled speech engines behind one small protocol."""

from synthetic.engines.available import ENGINES, Available, available_engines
from synthetic.engines.protocol import EngineNotInstalledError, Speech, SpeechEngine, SpeechRequest

__all__ = [
    "ENGINES",
    "Available",
    "EngineNotInstalledError",
    "Speech",
    "SpeechEngine",
    "SpeechRequest",
    "available_engines",
]
