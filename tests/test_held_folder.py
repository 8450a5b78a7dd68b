"""Two evaluations into one folder: the second one leaves it alone."""

import subprocess
import sys

import pytest

from pedkit.errors import PedkitError
from pedkit.held_folder import held_folder

HOLD = """
import sys
from pathlib import Path
from pedkit.held_folder import held_folder
with held_folder(Path(sys.argv[1]), "held"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_folder_that_another_process_holds_is_refused_and_free_once_that_is_dead(tmp_path):
    folder = tmp_path / "out" / "set"
    command = [sys.executable, "-c", HOLD, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "held\n"
        with (
            pytest.raises(PedkitError, match="another process is writing predictions here") as caught,
            held_folder(folder, "another process is writing predictions here"),
        ):
            pass
        assert str(folder) in str(caught.value)
        other.kill()
    for _ in range(2):
        with held_folder(folder, "another process is writing predictions here"):
            pass
