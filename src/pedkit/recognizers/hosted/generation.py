"""`Generation`: every setting of the answer, as the request spells it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pedkit.errors import PedkitError
from pedkit.models.prompts import Prompt
from pedkit.phones import ARPABET_TO_IPA, get_inventory

_LONGEST_NAME = 64
"""Characters that OpenAI takes as the name of a schema."""
_OWN = frozenset({"model", "messages", "stream", "n", "response_format"})
"""Keys of a request that are not settings."""
_NAMED = frozenset({"max_tokens", "max_completion_tokens", "temperature", "top_p", "seed", "reasoning_effort"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """Settings of the answer; ``None`` leaves a key out of the request.

    Attributes:
        max_tokens: Most tokens of an answer, hidden reasoning included.
        max_tokens_name: Key of the request that says so; older servers know ``max_tokens`` only.
        temperature: 0 = greedy.
        top_p: Nucleus of the sampling.
        seed: Of the sampling.
        reasoning_effort: Level of hidden reasoning, such as ``low``.
        structured_output: ``json_schema`` makes the service keep to the JSON object, ``phones`` also to the phones
            of the inventory.
        extra_body: Further keys of the request, as the server names them.

    Raises:
        PedkitError: A number cannot be, or ``extra_body`` holds a key that other settings make.
    """

    max_tokens: int = 512
    max_tokens_name: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    temperature: float | None = 0.0
    top_p: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    structured_output: Literal["json_schema", "phones"] | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.max_tokens < 1:
            raise PedkitError(
                f"expected recognizer.generation.max_tokens to be 1 or more, but got {self.max_tokens}"
            )
        if taken := sorted((_OWN | _NAMED) & set(self.extra_body)):
            raise PedkitError(
                f"recognizer.generation.extra_body cannot hold {taken[0]!r}, which is made of other settings"
            )

    def to_body(self, prompt: Prompt) -> dict[str, Any]:
        """Return the keys of the request."""
        named = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "seed": self.seed,
            "reasoning_effort": self.reasoning_effort,
            "response_format": None if self.structured_output is None else self._format(prompt),
        }
        given = {key: value for key, value in {**named, **self.extra_body}.items() if value is not None}
        return {self.max_tokens_name: self.max_tokens, **given}

    def _format(self, prompt: Prompt) -> dict[str, Any]:
        key = prompt.template.key
        value: dict[str, Any] = {"type": "string"}
        if self.structured_output == "phones":
            phones = (ARPABET_TO_IPA[phone] for phone in get_inventory(prompt.inventory).phones)
            one = f"({'|'.join(re.escape(phone) for phone in phones)})"
            value["pattern"] = f"^({one}( {one})*)?$"
        schema = {"type": "object", "properties": {key: value}, "required": [key], "additionalProperties": False}
        name = re.sub(r"[^\w-]", "_", key, flags=re.ASCII)[:_LONGEST_NAME]
        return {"type": "json_schema", "json_schema": {"name": name, "strict": True, "schema": schema}}
