"""``pedkit export RUN DIR --push OWNER/NAME`` against a hub on this machine, by huggingface_hub's own code."""

from __future__ import annotations

import base64
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from test_export_folder import write_run
from typer.testing import CliRunner

from pedkit.cli.main import app
from pedkit.errors import PedkitError
from pedkit.export import export_run, push_folder


class _Hub(BaseHTTPRequestHandler):
    """As much of the hub's protocol as an upload of small files needs."""

    seen: dict

    def do_GET(self):
        self._answer(200, {"id": "me/tiny", "sha": "0" * 40, "siblings": []})

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.seen["token"] = self.headers.get("Authorization")
        if self.headers.get("Authorization") != "Bearer hf_right":
            self._answer(401, {"error": "Invalid credentials"})
        elif self.path == "/api/repos/create":
            self.seen["created"] = json.loads(body)
            self._answer(200, {"url": f"{self.seen['url']}/me/tiny"})
        elif self.path == "/api/validate-yaml":
            self._answer(200, {"errors": [], "warnings": []})
        elif "/preupload/" in self.path:
            files = [{"path": one["path"], "uploadMode": "regular"} for one in json.loads(body)["files"]]
            self._answer(200, {"files": [one | {"shouldIgnore": False} for one in files]})
        elif "/commit/" in self.path:
            lines = [json.loads(line) for line in body.decode().splitlines()]
            self.seen["message"] = lines[0]["value"]["summary"]
            files = [line["value"] for line in lines if line["key"] == "file"]
            self.seen["files"] = {one["path"]: base64.b64decode(one["content"]) for one in files}
            self._answer(200, {"commitUrl": f"{self.seen['url']}/me/tiny/commit/abc", "commitOid": "abc"})
        else:
            self._answer(404, {})

    def _answer(self, status, value):
        text = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


@pytest.fixture
def hub(monkeypatch):
    """A hub on this machine; what it was told."""
    seen = {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Hub", (_Hub,), {"seen": seen}))
    seen["url"] = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", seen["url"])  # HF_ENDPOINT is read at import
    monkeypatch.setenv("HF_TOKEN", "hf_right")
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    yield seen
    server.shutdown()
    server.server_close()


def test_the_folder_arrives_in_a_private_repository(tmp_path, hub):
    out = export_run(write_run(tmp_path / "run"), tmp_path / "out")
    url = push_folder(out, "me/tiny")
    assert url == f"{hub['url']}/me/tiny/commit/abc"
    assert (hub["created"]["name"], hub["created"]["organization"]) == ("tiny", "me")
    assert hub["created"].get("private", True) is True
    assert hub["created"].get("visibility", "private") == "private"
    assert hub["files"] == {file.name: file.read_bytes() for file in out.iterdir()}
    assert hub["message"].startswith("tiny, checkpoint ")


def test_a_refusal_is_one_sentence_and_repeats_no_token(tmp_path, hub, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    out = export_run(write_run(tmp_path / "run"), tmp_path / "out")
    with pytest.raises(PedkitError, match=r"me/tiny could not be uploaded: .*401") as caught:
        push_folder(out, "me/tiny")
    assert "hf_wrong" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_hub_that_nobody_answers_for_is_one_sentence(tmp_path, hub, monkeypatch):
    """Connections refused and cut short are errors of the hub's HTTP client, whichever that is."""
    out = export_run(write_run(tmp_path / "run"), tmp_path / "out")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{unused.getsockname()[1]}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", nobody)
        with pytest.raises(PedkitError, match=r"me/tiny could not be uploaded: .+hf auth login") as caught:
            push_folder(out, "me/tiny")
    assert "\n" not in str(caught.value)


def test_an_upload_without_login_is_one_sentence(tmp_path, hub, monkeypatch):
    monkeypatch.delenv("HF_TOKEN")
    monkeypatch.setenv("HF_TOKEN_PATH", str(tmp_path / "none"))
    monkeypatch.setattr("huggingface_hub.constants.HF_TOKEN_PATH", str(tmp_path / "none"))
    out = export_run(write_run(tmp_path / "run"), tmp_path / "out")
    with pytest.raises(PedkitError, match=r"me/tiny could not be uploaded: .+hf auth login") as caught:
        push_folder(out, "me/tiny")
    assert "\n" not in str(caught.value)
    assert "files" not in hub


def test_only_exports_of_this_run_are_pushed(tmp_path):
    run = write_run(tmp_path / "run")
    (tmp_path / "folder").mkdir()
    arguments = ["export", str(run), str(tmp_path / "folder"), "--push", "me/tiny"]
    assert "this is no exported model" in CliRunner().invoke(app, arguments).stderr
    arguments[2] = str(tmp_path / "nowhere")
    assert f"first: pedkit export {run}" in CliRunner().invoke(app, arguments).stderr
    out = export_run(run, tmp_path / "out")
    record = json.loads((out / "pedkit.json").read_text())
    (out / "pedkit.json").write_text(json.dumps(record | {"revision": "other"}))
    arguments[2] = str(out)
    assert "holds another model" in CliRunner().invoke(app, arguments).stderr


def test_the_verb_writes_a_folder(tmp_path):
    run = write_run(tmp_path / "run")
    result = CliRunner().invoke(app, ["export", str(run), str(tmp_path / "out")])
    assert (result.exit_code, result.output.count("\n")) == (0, 1)
    assert (tmp_path / "out" / "model.safetensors").is_file()
