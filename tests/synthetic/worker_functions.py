"""What the processes of `test_workers.py` do; a module of its own, so that started-afresh processes find it."""

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from pedkit.errors import PedkitError


def obey(order):
    """Do what an order says: ``(verb, argument)``."""
    verb, argument = order
    if verb == "square":
        return argument * argument
    if verb == "sleep":
        time.sleep(argument)
    if verb == "exit":
        os._exit(argument)
    if verb == "exit once" and not Path(argument).exists():
        Path(argument).touch()
        os._exit(1)
    if verb == "kill":
        os.kill(os.getpid(), argument)
    if verb == "refuse":
        raise PedkitError("the disk is full", utterance=argument, hint="make room")
    if verb == "fault":
        raise ZeroDivisionError(argument)
    if verb == "start a program":
        program = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        Path(argument).write_text(str(program.pid))
        time.sleep(600)
    if verb == "process":
        time.sleep(0.05)
        return os.getpid()
    return None


def prepare():
    return obey


def prepare_nothing():
    raise PedkitError("the engine is not installed", hint="pip install it")


def prepare_without_room():
    raise OSError(errno.ENOSPC, "No space left on device", "engine")


def prepare_and_die():
    os.kill(os.getpid(), signal.SIGKILL)
