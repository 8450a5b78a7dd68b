import os
import pickle
import signal
import threading
import time
from pathlib import Path

import pytest
import worker_functions

from pedkit.errors import PedkitError
from synthetic.speaking import Failure, Workers

SQUARES = [("square", number) for number in range(40)]


def answers(orders, prepare=worker_functions.prepare, **settings):
    with Workers(prepare, **settings) as workers:
        return list(workers.answers(orders))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_job_is_answered_once(count):
    found = answers(SQUARES, count=count)
    assert sorted(found) == [(("square", number), number * number) for number in range(40)]


def test_one_process_answers_in_order():
    assert [order for order, _ in answers(SQUARES, count=1)] == SQUARES


def test_several_processes_share_the_work():
    found = answers([("process", number) for number in range(12)], count=3)
    processes = {process for _, process in found}
    assert len(processes) == 3
    assert os.getpid() not in processes


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (("exit", 3), "the process ended with exit code 3"),
        (("kill", signal.SIGKILL), "the process ended with SIGKILL"),
        (("sleep", 600), "took longer than 2 s"),
    ],
)
@pytest.mark.parametrize("count", [1, 2])
def test_a_job_that_breaks_its_process_fails_alone(order, reason, count):
    found = dict(answers([*SQUARES[:7], order, *SQUARES[7:]], count=count, time_limit=2))
    assert found.pop(order) == Failure(reason)
    assert found == {("square", number): number * number for number in range(40)}


@pytest.mark.parametrize("count", [1, 2])
def test_a_job_whose_process_was_ended_once_is_done_by_another(tmp_path, count):
    order = ("exit once", str(tmp_path / "ended"))
    found = dict(answers([*SQUARES[:7], order, *SQUARES[7:]], count=count))
    assert (tmp_path / "ended").exists()
    assert found.pop(order) is None
    assert found == {("square", number): number * number for number in range(40)}


def test_jobs_that_break_their_processes_one_after_the_other():
    orders = [("exit", number) for number in range(1, 6)]
    found = dict(answers([*orders, *SQUARES], count=2))
    assert [found[order] for order in orders] == [
        Failure(f"the process ended with exit code {number}") for number in range(1, 6)
    ]
    assert len(found) == 45


def test_what_a_job_had_to_wait_for_is_not_its_own_time():
    orders = [("sleep", 0.5 + number / 1000) for number in range(5)]
    assert dict(answers(orders, count=1, time_limit=2)) == dict.fromkeys(orders)


def test_a_program_that_a_lost_job_started_ends_with_it(tmp_path):
    found = dict(answers([("start a program", str(tmp_path / "pid"))], count=1, time_limit=2))
    assert found.popitem()[1] == Failure("took longer than 2 s")
    program = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while state(program) not in ("", "Z"):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def state(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_an_error_that_concerns_the_whole_run_comes_out_as_it_is():
    with pytest.raises(PedkitError) as caught:
        answers([*SQUARES, ("refuse", "cat")], count=2)
    assert str(caught.value) == "utterance 'cat': the disk is full (make room)"


def test_a_fault_shows_where_it_was_in_the_other_process():
    with pytest.raises(RuntimeError, match=r"worker_functions\.py(.|\n)*ZeroDivisionError: here"):
        answers([("fault", "here")], count=1)


def test_what_cannot_be_built_is_said_in_its_own_words():
    with pytest.raises(PedkitError, match=r"^the engine is not installed \(pip install it\)$"):
        answers(SQUARES, prepare=worker_functions.prepare_nothing, count=2)


def test_no_room_is_a_sentence_and_no_fault_of_ours():
    with pytest.raises(PedkitError, match=r"^engine: no space left on device$"):
        answers(SQUARES, prepare=worker_functions.prepare_without_room, count=2)


def test_a_process_that_dies_before_it_is_ready_is_not_started_for_ever():
    with pytest.raises(PedkitError, match="could not be made ready to work: the process ended with SIGKILL"):
        answers(SQUARES, prepare=worker_functions.prepare_and_die, count=2)


@pytest.mark.parametrize("count", [1, 2])
def test_jobs_may_come_while_others_are_done(count):
    with Workers(worker_functions.prepare, count=count) as workers:
        for order in SQUARES[:30]:
            workers.submit(order)
        workers.submit(("exit", 3))
        found = dict(workers.answers(SQUARES[30:]))
        assert found.pop(("exit", 3)) == Failure("the process ended with exit code 3")
        assert found == {("square", number): number * number for number in range(40)}
        assert list(workers.answers()) == []


def test_what_is_submitted_is_begun_before_anybody_asks(tmp_path):
    with Workers(worker_functions.prepare, count=1) as workers:
        workers.submit(("start a program", str(tmp_path / "pid")))
        deadline = time.monotonic() + 30
        while not (tmp_path / "pid").exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_nothing_to_do():
    assert answers([], count=2) == []


def test_processes_and_their_temporary_files_end_with_the_block():
    with Workers(worker_functions.prepare, count=2) as workers:
        processes = {process for _, process in workers.answers([("process", number) for number in range(8)])}
        scratch = Path(workers._scratch)
        assert scratch.is_dir()
        assert (scratch / "in-use").is_file()  # so that a later run removes it where this one is killed
        with pytest.raises(KeyboardInterrupt):
            raise KeyboardInterrupt
    assert not scratch.exists()
    assert {state(process) for process in processes} == {""}


def test_beside_other_threads_processes_are_started_afresh():
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        workers = Workers(worker_functions.prepare, count=1)
        assert workers._context.get_start_method() == "spawn"
        with workers:
            assert list(workers.answers(SQUARES[:3])) == [(("square", n), n * n) for n in range(3)]
    finally:
        stop.set()
        thread.join()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"count": 0}, "expected one worker or more, but got 0"),
        ({"time_limit": 0}, "expected a time limit over 0 seconds, but got 0"),
    ],
)
def test_numbers_that_cannot_be_used(settings, message):
    with pytest.raises(PedkitError, match=f"^{message}$"):
        Workers(worker_functions.prepare, **settings)


def test_errors_survive_the_way_from_one_process_to_another():
    error = PedkitError("no", file="a", line=2, utterance="u", hint="h")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
