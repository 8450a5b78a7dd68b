"""A run that is killed at any moment leaves nothing half-made, and the next one ends with the identical set."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import soundfile

SPEAKER = Path(__file__).with_name("slow_speaker.py")


def start(folder, *arguments):
    return subprocess.Popen(
        [sys.executable, str(SPEAKER), str(folder), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(folder):
    done = start(folder)
    output, _ = done.communicate(timeout=120)
    assert done.returncode == 0, output
    return output


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "set"
    finish(folder)
    return folder


def wait_for(condition, process):
    deadline = time.monotonic() + 60
    while not condition():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.002)


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals")

# Before the design stands, when it does, at the first word, in the middle, near the end, after the last word.
MOMENTS = {
    "audio folder": lambda folder: (folder / "audio").is_dir(),
    "design": lambda folder: (folder / "design.jsonl").exists(),
    "record": lambda folder: (folder / "run.json").exists(),
    **{f"{n} words": lambda folder, n=n: len(list(folder.glob("audio/*.flac"))) >= n for n in (1, 7, 60, 119)},
    "first manifest": lambda folder: (folder / "train.jsonl").exists(),
}


@pytest.mark.parametrize(
    "moment",
    [
        "record", "7 words", "119 words", "first manifest",
        *(pytest.param(n, marks=pytest.mark.slow) for n in ("audio folder", "design", "1 words", "60 words")),
    ],
)  # fmt: skip
def test_a_killed_run_is_finished_by_the_next_one(whole, contents, tmp_path, moment):
    folder = tmp_path / "set"
    run = start(folder)
    wait_for(lambda: MOMENTS[moment](folder), run)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    for path in folder.glob("audio/*.flac"):
        soundfile.read(path)  # every file that has its name is whole
    finish(folder)
    assert contents(folder) == contents(whole)


@pytest.mark.slow
def test_a_run_killed_again_and_again_comes_to_an_end(whole, contents, tmp_path):
    folder = tmp_path / "set"
    for words in (20, 50, 90):
        run = start(folder)
        wait_for(lambda words=words: len(list(folder.glob("audio/*.flac"))) >= words, run)
        os.kill(run.pid, signal.SIGKILL)
        run.communicate()
    assert "items are there already" in finish(folder)
    assert contents(folder) == contents(whole)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes in /proc")
def test_the_processes_of_a_killed_run_end_with_it(tmp_path):
    folder = tmp_path / "set"
    run = start(folder)
    wait_for(lambda: len(list(folder.glob("audio/*.flac"))) >= 5, run)
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    assert len(children) == 2
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes in /proc")
def test_ctrl_c_leaves_whole_files_and_no_processes(whole, contents, tmp_path):
    folder = tmp_path / "set"
    run = start(folder)
    wait_for(lambda: len(list(folder.glob("audio/*.flac"))) >= 5, run)
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=60)
    assert run.returncode == 130
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
    finish(folder)
    assert contents(folder) == contents(whole)


@pytest.mark.skipif(sys.platform != "linux", reason="the disk is full in forked processes only")
def test_a_full_disk_is_named_and_nothing_is_lost(whole, contents, tmp_path):
    folder = tmp_path / "set"
    run = start(folder, "50")  # late: what is said before the design stands is said again
    output, _ = run.communicate(timeout=120)
    assert run.returncode == 1
    assert output == (
        f"error: {folder}: cannot write here: no space left on device "
        "(make room or rights, or choose another folder with output_dir=)\n"
    )
    made = {path.name: path.stat().st_mtime_ns for path in (folder / "audio").iterdir()}
    assert 50 <= len(made) <= 100
    assert all(name.endswith(".flac") for name in made)
    finish(folder)
    after = {path.name: path.stat().st_mtime_ns for path in (folder / "audio").iterdir()}
    assert after.items() >= made.items()
    assert contents(folder) == contents(whole)
