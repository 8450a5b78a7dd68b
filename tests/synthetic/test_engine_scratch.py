import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile

import pytest

from synthetic.engines.scratch import scratch_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files are locked by flock")


class Owner:
    pass


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_goes_with_its_owner(temporary):
    owner = Owner()
    folder = scratch_folder(owner, "x")
    (folder / "file").write_bytes(b"1")
    assert folder.parent == temporary
    del owner
    gc.collect()
    assert list(temporary.iterdir()) == []


def child(owner, answer):
    own = Owner()
    answer.send(str(scratch_folder(own, "x")))
    del owner


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # Python 3.12, on forks
def test_a_forked_process_removes_its_own_folder_and_no_other(temporary):
    owner = Owner()
    folder = scratch_folder(owner, "x")
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=child, args=(owner, there))
    process.start()
    other = here.recv()
    process.join()
    assert other != str(folder)
    assert list(temporary.iterdir()) == [folder]


def test_folders_of_killed_processes_are_removed_later_and_of_living_ones_never(temporary):
    program = (
        "import sys, tempfile\nfrom synthetic.engines.scratch import scratch_folder\n"
        "class Owner: pass\nowner = Owner()\nprint(scratch_folder(owner, 'x'), flush=True)\nsys.stdin.read()"
    )
    environment = {**os.environ, "TMPDIR": str(temporary)}
    command = [sys.executable, "-c", program]
    started = [
        subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    killed, living = (process.stdout.readline().strip() for process in started)
    started[0].send_signal(signal.SIGKILL)
    started[0].wait()
    for folder in (killed, living):
        os.utime(folder, (0, 0))
    owner = Owner()
    own = scratch_folder(owner, "x")
    assert {str(folder) for folder in temporary.iterdir()} == {str(own), living}
    for process in started:
        process.communicate("")
    assert list(temporary.iterdir()) == [own]


def test_what_a_removal_left_halfway_is_removed_later(temporary):
    half, young = temporary / "pedkit-x-half", temporary / "pedkit-x-young"
    for folder in (half, young):
        (folder / "inner").mkdir(parents=True)
    os.utime(half, (0, 0))
    owner = Owner()
    own = scratch_folder(owner, "x")
    assert set(temporary.iterdir()) == {own, young}
