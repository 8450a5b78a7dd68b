import sys
import time

import pytest

from pedkit.errors import PedkitError
from synthetic.engines.conversation import Conversation

PROGRAM = """
import sys, time, os
for line in sys.stdin:
    if line == "hang\\n": time.sleep(60)
    if line == "crash\\n": sys.stderr.write("out of ideas\\n"); sys.exit(3)
    if line == "long\\n": sys.stdout.write("x" * 300_000)
    sys.stderr.write("hm\\n"); sys.stderr.flush()
    sys.stdout.write(line + "done\\n"); sys.stdout.flush()
"""


@pytest.fixture
def conversation():
    started = Conversation([sys.executable, "-c", PROGRAM], time_limit=5)
    yield started
    started.close()


def test_one_process_answers_again_and_again(conversation):
    assert [conversation.ask(f"{word}\n", "done") for word in ("a", "b", "c")] == [
        ("a\n", "hm\n"), ("b\n", "hm\n"), ("c\n", "hm\n"),
    ]  # fmt: skip


def test_an_answer_longer_than_a_pipe_is_whole(conversation):
    answer, _ = conversation.ask("long\n", "done")
    assert len(answer) == 300_005


def test_a_program_that_hangs_is_ended_in_time():
    conversation = Conversation([sys.executable, "-c", PROGRAM], time_limit=0.5)
    conversation.ask("a\n", "done")
    start = time.monotonic()
    with pytest.raises(PedkitError, match=r"did not answer within 0\.5 seconds"):
        conversation.ask("hang\n", "done")
    assert time.monotonic() - start < 30
    assert conversation._process.poll() is not None


def test_a_program_that_crashes_says_what_it_said(conversation):
    with pytest.raises(PedkitError, match="ended with status 3: out of ideas"):
        conversation.ask("crash\n", "done")
    with pytest.raises(PedkitError, match="ended with status 3"):
        conversation.ask("a\n", "done")


def test_a_program_that_is_not_there():
    with pytest.raises(PedkitError, match="no-such-program cannot be started: No such file"):
        Conversation(["no-such-program"], time_limit=1)
