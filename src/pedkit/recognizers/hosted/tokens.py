"""`Tokens`: what a request used, as far as the server says; what it does not say is unknown, never 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one request; ``None`` where the server does not say.

    Attributes:
        input: Everything sent, audio included.
        input_audio: Those of ``input`` that are audio.
        input_cached: Those of ``input`` that the service found in its own cache.
        output: Everything written, hidden reasoning included.
        reasoning: Those of ``output`` that are hidden reasoning.
    """

    input: int | None = None
    input_audio: int | None = None
    input_cached: int | None = None
    output: int | None = None
    reasoning: int | None = None

    @classmethod
    def of(cls, usage: Any) -> Tokens:
        """Read ``usage`` of a chat completion.

        OpenAI counts hidden reasoning in ``completion_tokens``; Gemini's endpoint has answered with
        ``completion_tokens`` without it and only ``total_tokens`` with it. So ``output`` is the larger of
        ``completion_tokens`` and ``total_tokens - prompt_tokens``.
        """
        if not isinstance(usage, Mapping):
            return cls()
        sent, written, total = (
            _count(usage, key) for key in ("prompt_tokens", "completion_tokens", "total_tokens")
        )
        rest = None if total is None or sent is None else total - sent
        outputs = [number for number in (written, rest) if number is not None]
        of_input, of_output = usage.get("prompt_tokens_details"), usage.get("completion_tokens_details")
        return cls(
            input=sent,
            input_audio=_count(of_input, "audio_tokens"),
            input_cached=_count(of_input, "cached_tokens"),
            output=max(outputs) if outputs else None,
            reasoning=_count(of_output, "reasoning_tokens"),
        )

    def to_json(self) -> dict[str, int]:
        """Return what is known."""
        return {key: value for key, value in asdict(self).items() if value is not None}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Tokens:
        """Read what `to_json` wrote; other keys are ignored."""
        return cls(**{one.name: _count(value, one.name) for one in fields(cls)})


def _count(mapping: Any, key: str) -> int | None:
    value = mapping.get(key) if isinstance(mapping, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
