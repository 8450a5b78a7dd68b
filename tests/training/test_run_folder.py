from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pedkit.errors import PedkitError
from pedkit.provenance import config_hash, git_commit, versions
from pedkit.training import RunFolder, read_run
from pedkit.training.run_folder import PACKAGES


def _settings(path, **changes):
    return {"output_dir": str(path), "seed": 1, "best": {"dirpath": f"{path}/checkpoints"}, **changes}


def _run(path, **changes):
    return RunFolder(path, _settings(path, **changes))


def _finish(folder):
    with folder.running("a: 1\n", name="demo", seed=1):
        pass


def test_a_finished_run_says_what_it_was(tmp_path):
    folder = _run(tmp_path / "run")
    _finish(folder)
    record = read_run(folder.path)
    assert record["status"] == "finished"
    assert (record["name"], record["seed"], record["reason"]) == ("demo", 1, None)
    assert record["versions"] == versions(*PACKAGES)
    assert record["config_hash"] == folder.config_hash
    assert record["settings"]["best"]["dirpath"] == "${output_dir}/checkpoints"
    assert (folder.path / "config.yaml").read_text(encoding="utf-8") == "a: 1\n"
    assert _run(tmp_path / "run").finished


def test_a_failed_run_says_why_and_may_be_continued(tmp_path):
    folder = _run(tmp_path / "run")
    with pytest.raises(ValueError, match="no disk"), folder.running("", name="demo", seed=1):
        raise ValueError("no disk")
    assert (read_run(folder.path)["status"], read_run(folder.path)["reason"]) == ("failed", "no disk")
    assert "ValueError: no disk" in (folder.path / "train.log").read_text(encoding="utf-8")
    again = _run(tmp_path / "run")
    assert not again.finished
    assert again.last_checkpoint is None
    (folder.path / "checkpoints").mkdir()
    (folder.path / "checkpoints" / "last.ckpt").touch()
    assert again.last_checkpoint == folder.path / "checkpoints" / "last.ckpt"


def test_ctrl_c_is_named_as_such(tmp_path):
    folder = _run(tmp_path / "run")
    with pytest.raises(KeyboardInterrupt), folder.running("", name="demo", seed=1):
        raise KeyboardInterrupt
    assert read_run(folder.path)["reason"] == "stopped by Ctrl-C"


def test_a_folder_of_another_run_is_never_written_into(tmp_path):
    _finish(_run(tmp_path / "run", model={"width": 144, "depth": 3}))
    before = (tmp_path / "run" / "run.json").read_bytes()
    with pytest.raises(PedkitError, match=r"holds another run \(different: model\.width, seed\)"):
        _run(tmp_path / "run", model={"width": 256, "depth": 3}, seed=2)
    with pytest.raises(PedkitError, match=r"different: model\)"):
        _run(tmp_path / "run")
    assert (tmp_path / "run" / "run.json").read_bytes() == before


def test_a_run_that_failed_before_its_first_checkpoint_gives_the_folder_up(tmp_path):
    folder = _run(tmp_path / "run")
    with pytest.raises(ValueError, match="wrong setting"), folder.running("", name="demo", seed=1):
        raise ValueError("wrong setting")
    _finish(_run(tmp_path / "run", seed=2))
    assert read_run(folder.path)["settings"]["seed"] == 2


def test_a_folder_of_something_else_is_never_written_into(tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(PedkitError, match=r"not empty and holds no run \(it has thesis\.tex\)"):
        _run(tmp_path)


def test_a_moved_folder_is_still_the_same_run(tmp_path):
    _finish(_run(tmp_path / "here"))
    shutil.move(tmp_path / "here", tmp_path / "there")
    assert _run(tmp_path / "there").finished


def test_two_processes_do_not_write_one_run(tmp_path):
    folder = _run(tmp_path / "run")
    code = f"""
from pedkit.training import RunFolder
folder = RunFolder({str(folder.path)!r}, {_settings(folder.path)!r})
with folder.running("", name="demo", seed=1):
    pass
"""
    with folder.running("", name="demo", seed=1):
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "another process is writing this run" in other.stderr
    assert read_run(folder.path)["status"] == "finished"


def test_another_process_of_a_run_may_come_at_any_time(tmp_path, monkeypatch):
    """Launchers such as torchrun start all processes together; each looks whether the folder is free."""
    folder, write, met = _run(tmp_path / "run"), Path.write_text, []

    def late(path, *args, **options):
        written = write(path, *args, **options)
        with monkeypatch.context() as other:
            other.setenv("RANK", "1")
            met.append((path.name, _run(tmp_path / "run").leads))
        return written

    monkeypatch.setattr(Path, "write_text", late)
    _finish(folder)
    assert met == [("config.yaml", False)]


def test_manifests_must_not_change_under_a_run(tmp_path):
    folder = _run(tmp_path / "run")
    _finish(folder)
    folder.remember_data([{"role": "train", "path": "a.jsonl", "sha256": "1"}])
    again = _run(tmp_path / "run")
    again.remember_data([{"role": "train", "path": "a.jsonl", "sha256": "1"}])
    with pytest.raises(PedkitError, match=r"a\.jsonl: this manifest has changed since the run began"):
        again.remember_data([{"role": "train", "path": "a.jsonl", "sha256": "2"}])


def test_what_is_no_run_folder_is_named(tmp_path):
    with pytest.raises(PedkitError, match=r"run\.json: no such file, so this is not a run folder"):
        read_run(tmp_path)
    (tmp_path / "run.json").write_text("{", encoding="utf-8")
    with pytest.raises(PedkitError, match=r"run\.json:1: not a JSON file"):
        read_run(tmp_path)


def test_the_hash_of_a_configuration_does_not_depend_on_the_order_of_keys():
    assert config_hash({"a": 1, "b": [2]}) == config_hash(json.loads('{"b": [2], "a": 1}'))
    assert config_hash({"a": 1}) != config_hash({"a": 2})


def test_the_commit_is_known_in_a_clone_and_unknown_elsewhere(tmp_path):
    assert git_commit(tmp_path) is None
    for command in (
        ["init", "-q"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"],
    ):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    assert git_commit(tmp_path) is None  # a folder inside somebody else's repository
    (tmp_path / "code.py").touch()
    subprocess.run(["git", "-C", str(tmp_path), "add", "code.py"], check=True)
    head = subprocess.run(
        ["git", "-C", str(tmp_path), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert git_commit(tmp_path) == f"{head}-dirty"
    assert len(head) == 40
    assert Path(tmp_path / "code.py").is_file()
