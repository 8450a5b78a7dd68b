"""What hearing cost: requests, tokens, money and waiting, added up over predictions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from pedkit.data.prediction import Prediction
from pedkit.errors import PedkitError
from pedkit.recognizers.hosted.tokens import Tokens

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """Prices of a million tokens, as the service's own list says; ``None``: unknown, and so is the cost.

    Attributes:
        input: Text that is sent.
        input_audio: Audio that is sent.
        input_cached: Of ``input``, what the service found in its own cache.
        output: What is written, hidden reasoning included.
        currency: Of all of them.
    """

    input: float | None = None
    input_audio: float | None = None
    input_cached: float | None = None
    output: float | None = None
    currency: str = "USD"

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if isinstance(value, int | float) and not 0 <= value < math.inf:
                raise PedkitError(f"expected recognizer.prices.{one.name} to be 0 or more, but got {value}")

    def of(self, tokens: Tokens) -> float | str:
        """Return the cost of one request, or why it is not known."""
        if tokens.input is None or tokens.output is None:
            return "the server does not say how many tokens it used"
        audio = tokens.input_audio
        if audio is None:
            if self.input != self.input_audio:
                return "the server does not say how many of the tokens sent are audio"
            audio = 0
        cached = tokens.input_cached or 0
        if cached and self.input_cached is None:
            return "the price input_cached is not known"
        if cached and audio and self.input != self.input_audio:
            return "the server does not say how many of the tokens in its cache are audio"
        parts = {"input": max(0, tokens.input - audio - cached), "input_audio": audio, "output": tokens.output}
        parts["input_cached"] = cached
        total = 0.0
        for name, number in parts.items():
            price = getattr(self, name)
            if number and price is None:
                return f"the price {name} is not known"
            total += number * (price or 0.0) / _MILLION
        return total


def usage_of(predictions: Iterable[Prediction], prices: Prices, *, model: str, server: str) -> dict[str, Any]:
    """Return what predictions used, as plain data.

    Args:
        predictions: Of one recognizer.
        prices: Of its service.
        model: Name of the model that was asked.
        server: Name of the machine.

    Returns:
        ``answers`` and how many of them came ``from_cache``; ``requests`` that these answers took, retries
        included; ``unanswered`` predictions; ``tokens`` by kind, a sum or null where an answer does not say;
        ``cost`` of all answers, those from the cache included, with ``value`` null and a ``reason`` where a
        price or number is missing; ``seconds`` a request took; ``models`` that the server says it used.
    """
    used, from_cache, requests, unanswered = [], 0, 0, 0
    seconds: list[float] = []
    models: Counter[str] = Counter()
    for one in predictions:
        if one.usage is None:
            unanswered += 1
            continue
        used.append(Tokens.from_json(one.usage))
        from_cache += bool(one.usage.get("from_cache"))
        requests += int(one.usage.get("requests", 1))
        seconds += [] if one.seconds is None else [one.seconds]
        models[one.revision or "not said"] += 1
    return {
        "model": model,
        "server": server,
        "answers": len(used),
        "from_cache": from_cache,
        "requests": requests,
        "unanswered": unanswered,
        "tokens": {one.name: _sum([getattr(tokens, one.name) for tokens in used]) for one in fields(Tokens)},
        "cost": _cost(used, prices),
        "prices_per_million_tokens": asdict(prices),
        "seconds": _spread(seconds),
        "models": dict(models),
    }


def _sum(numbers: Sequence[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None


def _cost(used: Sequence[Tokens], prices: Prices) -> dict[str, Any]:
    costs = [prices.of(tokens) for tokens in used]
    reasons = [cost for cost in costs if isinstance(cost, str)]
    value = None if reasons else math.fsum(cost for cost in costs if not isinstance(cost, str))
    return {"value": value, "currency": prices.currency, "reason": reasons[0] if reasons else None}


def _spread(seconds: list[float]) -> dict[str, float | None]:
    """Return median, 95th percentile and maximum (nearest rank), ``None`` where there is nothing."""
    ordered = sorted(seconds)

    def rank(share: float) -> float | None:
        return ordered[math.ceil(share * len(ordered)) - 1] if ordered else None

    return {"median": rank(0.5), "p95": rank(0.95), "max": rank(1.0)}
