"""What can come instead of an answer, and what is to be done about it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from pedkit.recognizers.hosted.endpoint import Endpoint

Remedy = Literal["again", "clip", "withheld", "stop"]
"""``again``: the same request may succeed later. ``clip``: it never will. ``withheld``: the service refuses to
answer this one. ``stop``: no request will."""

_LATER = frozenset({408, 409, 425, 429})
_NO_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})
_FILTERED = frozenset({"content_filter", "content_policy_violation", "invalid_prompt"})
_LONGEST = 300
_TOO_LARGE, _BAD_REQUEST, _NO_KEY, _FORBIDDEN, _NOT_FOUND, _TOO_MANY = 413, 400, 401, 403, 404, 429
_SERVER_FAULTS = 500


@dataclass(frozen=True, slots=True)
class Fault:
    """Why no answer came.

    Attributes:
        remedy: What to do.
        reason: In words, without any secret.
        retry_after: Seconds that the server asks to wait.
        hint: What the user can try.
    """

    remedy: Remedy
    reason: str
    retry_after: float | None = None
    hint: str | None = None


def fault_of_status(status: int, headers: Mapping[str, str], text: str, endpoint: Endpoint, model: str) -> Fault:
    """Return the fault that an HTTP status other than 200 stands for.

    Args:
        status: The status.
        headers: Of the response, with lower-case names.
        text: Its body, already without the key.
        endpoint: Where the request went.
        model: What was asked for.
    """
    code, message = error_body(text)
    said = f" ({status}): {message}" if message else f" ({status})"
    reason, hint = _lasting(status, said, endpoint, model)
    fault = Fault("stop", reason, hint=hint)
    if status == _TOO_MANY and code in _NO_MONEY:
        fault = Fault("stop", f"the account at {endpoint.host} has no credit left{said}")
    elif status in _LATER or status >= _SERVER_FAULTS:
        fault = Fault("again", f"{endpoint.host} cannot answer now{said}", _retry_after(headers, text))
    elif status == _TOO_LARGE:
        fault = Fault("clip", f"the clip is too large for {endpoint.host}{said}")
    elif status == _BAD_REQUEST and code in _FILTERED:
        fault = Fault("withheld", message or str(code))
    return fault


def _lasting(status: int, said: str, endpoint: Endpoint, model: str) -> tuple[str, str | None]:
    """Return reason and hint of a status that every other request would get as well."""
    host, variable = endpoint.host, endpoint.api_key_env
    if status < _BAD_REQUEST:
        hint = "audio is not sent after a redirect; if you trust the address it leads to, make it base_url"
        return f"{host} redirects to another address ({status})", hint
    if status == _NO_KEY:  # without the server's words, which may repeat a part of the key
        if variable is None:
            return (
                f"{host} wants a key (401)",
                "recognizer.api_key_env=NAME says which environment variable holds it",
            )
        return f"{host} does not accept the key in the environment variable {variable} (401)", None
    if status == _FORBIDDEN:
        whose = "the request" if variable is None else f"the key in {variable}"
        return (
            f"{host} does not allow this request{said}",
            f"{whose} may lack access to this model, or your region",
        )
    if status == _NOT_FOUND:
        hint = "base_url usually ends in /v1; a LoRA adapter has the name that the server was started with"
        return f"{host} does not know the model {model!r}, or base_url is wrong{said}", hint
    return f"{host} refuses the request{said}", None


def error_body(text: str) -> tuple[str | None, str]:
    """Return code and message of an error as OpenAI, vLLM, Gemini (a list) and FastAPI write it."""
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None, _shortened(re.sub(r"<[^<>]*>", " ", text))
    value = value[0] if isinstance(value, list) and value else value
    error = value.get("error", value) if isinstance(value, Mapping) else value
    if not isinstance(error, Mapping):
        return None, _shortened(str(error or ""))
    inner = error.get("innererror")
    code = error.get("code") or error.get("type") or (inner.get("code") if isinstance(inner, Mapping) else None)
    return (str(code) if code else None), _shortened(str(error.get("message") or error.get("detail") or ""))


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]} ..."


def _retry_after(headers: Mapping[str, str], text: str) -> float | None:
    """Return the seconds to wait: ``retry-after-ms``, ``Retry-After``, or Google's ``retryDelay``."""
    milliseconds = _positive(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    given = headers.get("retry-after")
    seconds = _positive(given)
    if seconds is not None:
        return seconds
    if given is not None:
        when, now = _date(given), _date(headers.get("date")) or datetime.now(UTC)  # the server's clock, if it says
        return None if when is None else max(0.0, (when - now).total_seconds())
    delay = re.search(r'"retryDelay"\s*:\s*"([0-9.]+)s"', text)
    return _positive(delay.group(1)) if delay else None


def _date(text: str | None) -> datetime | None:
    try:
        when = parsedate_to_datetime(text or "")
    except (ValueError, IndexError, OverflowError):
        return None
    return when if when.tzinfo is not None else when.replace(tzinfo=UTC)


def _positive(text: str | None) -> float | None:
    try:
        value = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return value if 0 <= value < math.inf else None
