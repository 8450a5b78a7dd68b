"""Where a hosted model is, and the key that opens it: read from the environment, repeated nowhere."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from pedkit.errors import PedkitError
from pedkit.recognizers.protocol import RecognizerStoppedError

_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
_PIECE = 8
"""Characters of a key in a row that are hidden wherever they stand in a message; fewer may be a word."""
_SERVICES = (
    *("openai.com", "googleapis.com", "azure.com", "openrouter.ai", "mistral.ai", "amazonaws.com"),
    *("aliyuncs.com", "huggingface.co", "groq.com", "together.xyz", "fireworks.ai", "deepinfra.com", "nvidia.com"),
)
"""Services that can never be a server of one's own."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of an OpenAI-compatible server.

    Args:
        base_url: What stands before ``/chat/completions``, such as ``http://localhost:8000/v1``.
        api_key_env: Name of the environment variable that holds the key; ``None`` where the server wants none.

    Raises:
        PedkitError: The address is none, or could hold a secret; the name cannot be one of a variable.
    """

    base_url: str
    api_key_env: str | None = None

    def __post_init__(self) -> None:
        if not self.base_url.isprintable() or " " in self.base_url:
            raise PedkitError("expected base_url without blanks and control characters")
        parts = _split(self.base_url)
        if parts.username is not None or parts.password is not None:
            raise PedkitError(
                "base_url holds a user name or password, which would be written into the run folder",
                hint="put the key into an environment variable and name it in api_key_env",
            )
        if parts.query or parts.fragment:
            raise PedkitError(
                "expected base_url without '?' and '#', where a key could stand",
                hint="put the key into an environment variable and name it in api_key_env",
            )
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise PedkitError(
                f"expected base_url to be an address such as http://localhost:8000/v1, but got {self.base_url!r}"
            )
        if self.api_key_env is not None and not _VARIABLE.fullmatch(self.api_key_env):
            raise PedkitError(  # which may be the key itself, so it is not repeated
                "expected api_key_env to be the name of an environment variable in capital letters, such as "
                "OPENAI_API_KEY, not the key itself"
            )

    @property
    def host(self) -> str:
        """Name of the machine, with the port where one is given."""
        return _split(self.base_url).netloc

    @property
    def address(self) -> str:
        """Machine and path, which together say what answers: a gateway has other models behind other paths."""
        return self.host.lower() + _split(self.base_url).path.rstrip("/")

    @property
    def is_here(self) -> bool:
        """Whether the machine is this one."""
        name = _split(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return name == "localhost" or name.endswith(".localhost")

    @property
    def is_a_service(self) -> bool:
        """Whether the machine is known to be of a service that others run."""
        name = (_split(self.base_url).hostname or "").rstrip(".")
        return any(name == one or name.endswith(f".{one}") for one in _SERVICES)

    def key(self) -> str | None:
        """Return the key, ``None`` where the server wants none.

        Raises:
            RecognizerStoppedError: The variable is not set, or holds what cannot be sent.
        """
        if self.api_key_env is None:
            return None
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            raise RecognizerStoppedError(
                f"{self.host} needs a key, but the environment variable {self.api_key_env} is not set",
                hint=f"export {self.api_key_env}=..., or recognizer.api_key_env=null for a server without keys",
            )
        if not key.isascii() or not key.isprintable() or " " in key:
            raise RecognizerStoppedError(
                f"the environment variable {self.api_key_env} holds signs that no key has",
                hint="a blank, a line break or a quotation mark was probably copied with it",
            )
        return key


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise PedkitError(f"base_url cannot be read: {error}") from None
    return parts


_ESCAPE = re.compile(r"\\(?:u00([2-7][0-9a-fA-F])|.)", re.DOTALL)


def unescaped(text: str) -> str:
    r"""Return the same JSON with the signs that keys are made of as themselves, so that a key in it can be seen.

    >>> print(unescaped(r'{"a": "\u0073k-1\/2 \u03b8 \u0022"}'))
    {"a": "sk-1/2 \u03b8 \u0022"}
    """
    return _ESCAPE.sub(_sign, text)


def _sign(escape: re.Match[str]) -> str:
    if escape[0] == r"\/":
        return "/"
    sign = chr(int(escape[1], 16)) if escape[1] else '"'
    return escape[0] if sign in ('"', "\\", "\x7f") else sign


def without_key(text: str, key: str | None) -> str:
    """Return a message without the key, or any eight signs of it in a row.

    >>> without_key("no such key: canary-0123456789", "canary-0123456789")
    'no such key: ***'
    """
    if not key:
        return text
    size = min(_PIECE, len(key))
    pieces = {key[i : i + size] for i in range(len(key) - size + 1)}
    return "".join(_masked(text, pieces, size))


def _masked(text: str, pieces: set[str], size: int) -> Iterator[str]:
    hidden_until = -1
    for place, sign in enumerate(text):
        if text[place : place + size] in pieces:
            if hidden_until < place:
                yield "***"
            hidden_until = place + size
        if place >= hidden_until:
            yield sign
