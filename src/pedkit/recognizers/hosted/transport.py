"""One request to an OpenAI-compatible server through the library ``openai``."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Protocol

from pedkit.recognizers.hosted.endpoint import Endpoint, without_key
from pedkit.recognizers.hosted.fault import Fault, fault_of_status
from pedkit.recognizers.protocol import RecognizerStoppedError

_LONGEST_CAUSE = 200
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
        # The account of OpenAI is nothing for other servers.
        left_out = {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
        headers: dict[str, Any] = {} if self._endpoint.host == "api.openai.com" else left_out
        client = openai.OpenAI(
            api_key=key or "none",
            base_url=self._endpoint.base_url,
            timeout=self._timeout,
            max_retries=0,
            default_headers=headers,
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )
        self._made = client, key

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
            text = str(raw.http_response.text)
        except openai.APITimeoutError:
            return Fault("again", f"{host} did not answer within {self._timeout:g} s")
        except openai.APIConnectionError as error:
            cause = without_key(str(error.__cause__ or error), key)[:_LONGEST_CAUSE]
            return Fault("again", f"the connection to {host} failed: {cause or type(error.__cause__).__name__}")
        except openai.APIStatusError as error:
            said = without_key(error.response.text, key)
            return fault_of_status(error.status_code, error.response.headers, said, self._endpoint, model)
        except openai.OpenAIError as error:
            return Fault("stop", f"the library openai cannot send this: {without_key(str(error), key)}")
        # A server that echoes its request must not bring the key into the cache or the predictions.
        return text.replace(key, "***") if key and len(key) >= len("sk-12345") else text
