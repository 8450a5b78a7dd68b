"""Kokoro's model is put together of four parts when it is first asked for: by one process at a time."""

import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from synthetic.engines import kokoro


@pytest.mark.skipif(sys.platform == "win32", reason="files are locked by flock")
def test_the_model_is_put_together_by_one_at_a_time(tmp_path, monkeypatch):
    inside, most, found = [], [], []

    def model_path():
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.1)
        inside.pop()
        return str(tmp_path / "model.onnx")

    (tmp_path / "vocab.json").write_text("{}")
    monkeypatch.setattr(kokoro, "_of_package", lambda: tmp_path / "vocab.json")
    package = SimpleNamespace(import_module=lambda _: SimpleNamespace(model_path=model_path))
    monkeypatch.setattr(kokoro, "importlib", package)
    threads = [threading.Thread(target=lambda: found.append(kokoro._assembled())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [Path(tmp_path / "model.onnx")] * 3
    assert most == [1, 1, 1]
