"""`Completion`: what a server answered, read out of its JSON with distrust."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.recognizers.hosted.fault import Fault, error_body
from pedkit.recognizers.hosted.tokens import Tokens

_TOOLS = ("tool_calls", "function_call")


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer.

    Attributes:
        text: What the model wrote; empty where it wrote nothing.
        finish_reason: ``stop``, ``length`` (cut off at the limit), ``content_filter``, or a server's own word.
        refusal: The model's or the service's words where it declined to answer.
        model: The exact model that the server says it used.
        tokens: What was counted for the bill.
    """

    text: str
    finish_reason: str | None
    refusal: str | None
    model: str | None
    tokens: Tokens

    @property
    def cut_off(self) -> bool:
        """Whether the limit of tokens ended the answer."""
        return self.finish_reason == "length"

    @property
    def withheld(self) -> str | None:
        """Why there is no answer to parse, ``None`` where there is one."""
        words = f": {self.refusal}" if self.refusal else ""
        if self.finish_reason == "content_filter":
            return f"the content filter of the service held the answer back{words}"
        if self.cut_off and not self.text.strip():
            return "the limit of tokens was used up before the answer began"
        if self.finish_reason in _TOOLS and not self.text.strip():
            return "the model called a tool instead of answering"
        return f"the model refused to answer{words}" if self.refusal else None


def completion_of(text: str) -> Completion | Fault:
    """Read the body of a response with status 200.

    Returns:
        The completion, or a fault to try again after: a proxy's page, a body cut short, an error inside.
    """
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return Fault("again", "the server's answer is not JSON")
    wrong = _wrong(value, text)
    if wrong is not None:
        return Fault("again", wrong)
    first = value["choices"][0]
    message = first.get("message")
    message = message if isinstance(message, Mapping) else {}
    content = message.get("content")
    return Completion(
        text=_text(content),
        finish_reason=_string(first.get("finish_reason")),
        refusal=_string(message.get("refusal")) or _refusal(content),
        model=_string(value.get("model")),
        tokens=Tokens.of(value.get("usage")),
    )


def _wrong(value: Any, text: str) -> str | None:
    """Return why a JSON value is no chat completion, ``None`` where it is one."""
    if not isinstance(value, Mapping):
        return f"expected a JSON object from the server, but got {type(value).__name__}"
    if value.get("error"):
        said = error_body(text)[1]
        words = f": {said}" if said else ""
        return f"the server reported an error inside an answer with status 200{words}"
    choices = value.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return _wrong_choice(first) if isinstance(first, Mapping) else "the server's answer has no 'choices'"


def _wrong_choice(first: Mapping[str, Any]) -> str | None:
    message, finish = first.get("message"), first.get("finish_reason")
    if finish == "error":  # as gateways say that what is behind them failed in the middle
        return "the server broke the answer off with an error"
    if not isinstance(message, Mapping):
        return "the server's answer has no 'message'" if finish is None else None
    content = message.get("content")
    if not isinstance(content, str | list | None):
        return f"expected the text of an answer, but got {type(content).__name__}"
    return None


def _string(value: Any) -> str | None:
    return _writable(value) if isinstance(value, str) and value else None


def _writable(text: str) -> str:
    """Return the text without halves of surrogate pairs, which JSON can spell and UTF-8 cannot."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text(content: Any) -> str:
    """Return the text of ``content``: a string, nothing, or a list of parts."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, Mapping)]
        texts = [part.get("text") for part in parts if part.get("type", "text") in ("text", "output_text")]
        content = "".join(text for text in texts if isinstance(text, str))
    return _writable(content) if isinstance(content, str) else ""


def _refusal(content: Any) -> str | None:
    """Return the words of a part in which the model declines."""
    parts = content if isinstance(content, list) else []
    found = (_string(part.get("refusal")) for part in parts if isinstance(part, Mapping))
    return next((words for words in found if words), None)
