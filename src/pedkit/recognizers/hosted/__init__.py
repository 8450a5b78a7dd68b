"""Audio language models behind an OpenAI-compatible server: vLLM, GPT-Audio, Gemini."""

from pedkit.recognizers.hosted.recognizer import HostedRecognizer

__all__ = ["HostedRecognizer"]
