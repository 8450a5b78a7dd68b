"""A server on this machine that speaks the chat-completions protocol and hears the first sample of a recording."""

import base64
import io
import json
import socket
import threading
import wave
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

USAGE = {
    "prompt_tokens": 300,
    "completion_tokens": 20,
    "total_tokens": 320,
    "prompt_tokens_details": {"audio_tokens": 100, "cached_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 0},
}
DROP = object()


def completion(content, *, finish="stop", refusal=None, usage=USAGE, model="listener-2026-11-01"):
    """Return a chat completion as the protocol has it."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [choice],
        "usage": usage,
    }


def error(message, code=None, kind="invalid_request_error"):
    """Return an error body as the protocol has it."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def first_sample(body):
    """Return the first sample of the last recording of a request; anything but mono 16-bit 16 kHz WAV raises."""
    audio = [part for turn in body["messages"] if isinstance(turn["content"], list) for part in turn["content"]]
    given = [part["input_audio"] for part in audio if part["type"] == "input_audio"][-1]
    assert given["format"] == "wav"
    with wave.open(io.BytesIO(base64.b64decode(given["data"], validate=True))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 16000)
        return int(np.frombuffer(file.readframes(file.getnframes()), "<i2")[0])


class ChatServer:
    """Answers each recording by ``answers[first sample]``, after what ``script`` says comes first.

    Attributes:
        bodies: Every request that came.
        headers: Their headers, names in lower case.
        script: What the next requests get: ``(status, headers, body)``, a chat completion, or ``DROP``.
        answered: First samples of the requests that got a completion.
        gate: A function that is called with the number of the request before it is answered.
    """

    def __init__(self, answers):
        self.answers, self.script = answers, []
        self.bodies, self.headers, self.answered, self.together = [], [], [], 0
        self.gate = lambda _number: None
        self._lock, self._now = threading.Lock(), 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                outer.handle(self)

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self._thread = threading.Thread(target=lambda: self.server.serve_forever(poll_interval=0.01), daemon=True)
        self._thread.start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self._thread.join()

    def handle(self, handler):
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self._lock:
            self._now += 1
            self.together = max(self.together, self._now)
            self.bodies.append(body)
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            number = len(self.bodies)
            step = self.script.pop(0) if self.script else None
        try:
            self.gate(number)
            self._reply(handler, body, step)
        except (BrokenPipeError, ConnectionResetError):
            handler.close_connection = True
        finally:
            with self._lock:
                self._now -= 1

    def _reply(self, handler, body, step):
        if step is DROP:
            handler.connection.shutdown(socket.SHUT_RDWR)
            handler.close_connection = True
        else:
            self._send(handler, *self._answer(handler.path, body, step(body) if callable(step) else step))

    def _answer(self, path, body, step):
        if isinstance(step, tuple):
            return step
        if path != "/v1/chat/completions":
            return 404, {}, error("no such path")
        try:
            sample = first_sample(body)
        except (AssertionError, IndexError, KeyError, ValueError, wave.Error, EOFError):
            return 400, {}, error("Invalid audio: expected mono 16 kHz WAV", "invalid_audio")
        with self._lock:
            self.answered.append(sample)
        return 200, {}, step or completion(self.answers[sample])

    @staticmethod
    def _send(handler, status, headers, body):
        content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "text/html" if isinstance(body, str) else "application/json")
        handler.send_header("Content-Length", str(len(content)))
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)
