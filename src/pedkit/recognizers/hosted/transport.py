"""One request to an OpenAI-compatible server through the library ``openai``."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping
from typing import Any, Protocol

from pedkit.recognizers.hosted.endpoint import Endpoint, unescaped, without_key
from pedkit.recognizers.hosted.fault import Fault, fault_of_status
from pedkit.recognizers.protocol import RecognizerStoppedError

_LONGEST_CAUSE = 200
_LONGEST_ERROR = 100_000
"""Bytes of an error's body that are looked at."""
_SECRETS = re.compile(r"//[^/@\s]*@")
"""User name and password of a proxy."""
_LOGGERS = ("httpcore", "httpcore2", "httpx", "httpx2")


class Transport(Protocol):
    """Sends requests, each once, between `open` and `close`."""

    def open(self) -> None:
        """Make ready for requests.

        Raises:
            RecognizerStoppedError: None could be sent.
        """
        ...

    def close(self) -> None:
        """Close connections."""
        ...

    def send(self, body: Mapping[str, Any]) -> str | Fault:
        """Return the body of a response with status 200, or what came instead."""
        ...


class OpenAITransport:
    """The library ``openai`` with its own retries and redirects off: both are decided here.

    Args:
        endpoint: Where to send.
        timeout: Longest wait in seconds for a connection, and for each next piece of the answer.
    """

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self._endpoint, self._timeout = endpoint, timeout
        self._made: tuple[Any, str | None] | None = None

    def open(self) -> None:
        """Make the client.

        Raises:
            RecognizerStoppedError: ``openai`` is not installed, or the key is missing.
        """
        key = self._endpoint.key()
        try:
            import openai
        except ImportError:
            raise RecognizerStoppedError(
                "hosted recognizers need the library openai", hint="pip install 'pedkit[hosted]'"
            ) from None
        for name in _LOGGERS:  # at DEBUG they write down headers, in which a server may repeat the key
            logger = logging.getLogger(name)
            logger.setLevel(max(logger.level, logging.WARNING))
        headers: dict[str, Any] = {name: openai.Omit() for name in self._left_out()}
        headers["Authorization"] = openai.Omit() if key is None else f"Bearer {key}"
        try:
            client = openai.OpenAI(
                api_key=key or "none",
                base_url=self._endpoint.base_url,
                timeout=self._timeout,
                max_retries=0,
                default_headers=headers,
                # A proxy of the environment is no way to this machine.
                http_client=openai.DefaultHttpxClient(
                    follow_redirects=False, trust_env=not self._endpoint.is_here
                ),
            )
        except Exception as error:  # proxies and certificates of the environment fail in many ways
            raise RecognizerStoppedError(
                f"no connection to {self._endpoint.host} can be made: {_SECRETS.sub('//***@', str(error))}",
                hint="the environment names proxies (HTTPS_PROXY, ALL_PROXY) and certificates (SSL_CERT_FILE)",
            ) from None
        self._made = client, key

    def _left_out(self) -> list[str]:
        """Return the headers that the library would take from the environment, and that are nothing for here."""
        lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
        custom = [line.split(":", 1)[0].strip() for line in lines if ":" in line]
        account = [] if self._endpoint.host == "api.openai.com" else ["OpenAI-Organization", "OpenAI-Project"]
        return [*custom, *account]

    def close(self) -> None:
        """Close the client with its connections."""
        if self._made is not None:
            self._made[0].close()
        self._made = None

    def send(self, body: Mapping[str, Any]) -> str | Fault:
        """Return the body of a response with status 200, or what came instead; the key is in neither."""
        import openai

        assert self._made is not None, "open() comes before send()"
        client, key = self._made
        rest = {name: value for name, value in body.items() if name not in ("model", "messages")}
        host, model = self._endpoint.host, str(body["model"])
        try:
            raw = client.chat.completions.with_raw_response.create(
                model=model,
                messages=body["messages"],
                extra_body=rest,
                extra_headers={} if key is not None else {"Authorization": openai.Omit()},
            )
            text = _text(raw.http_response.content)
        except openai.APITimeoutError:
            return Fault("again", f"{host} did not answer within {self._timeout:g} s")
        except openai.APIConnectionError as error:
            cause = without_key(str(error.__cause__ or error), key)[:_LONGEST_CAUSE]
            return Fault("again", f"the connection to {host} failed: {cause or type(error.__cause__).__name__}")
        except openai.APIStatusError as error:
            said = without_key(unescaped(_text(error.response.content[:_LONGEST_ERROR])), key)
            return fault_of_status(error.status_code, error.response.headers, said, self._endpoint, model)
        except (openai.OpenAIError, ValueError, OverflowError) as error:
            return Fault("stop", f"the library openai cannot send this: {without_key(str(error), key)}")
        return _kept(text, key)


def _text(content: bytes) -> str:
    """Return a body as text. JSON is UTF-8 (RFC 8259), whatever a server says of it."""
    return content.decode("utf-8-sig", "replace")


def _kept(text: str, key: str | None) -> str:
    """Return a body without the key, which a server that echoes its request must not bring into any file."""
    if key is None or len(key) < len("sk-12345"):
        return text
    text = unescaped(text)
    # What is no answer may be shown in a message; an answer may hold pieces of a key that are words.
    return text.replace(key, "***") if '"choices"' in text else without_key(text[:_LONGEST_ERROR], key)
