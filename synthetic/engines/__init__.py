"""Phone-controlled speech engines behind one small protocol."""

from synthetic.engines.protocol import Speech, SpeechEngine, SpeechRequest

__all__ = ["Speech", "SpeechEngine", "SpeechRequest"]
