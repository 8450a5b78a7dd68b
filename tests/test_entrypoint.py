import errno
import sys

import pytest

from pedkit.entrypoint import INTERRUPTED, explain, run
from pedkit.errors import PedkitError


def _leave_with(error, capsys):
    def main():
        raise error

    with pytest.raises(SystemExit) as left:
        run(main)
    return left.value.code, capsys.readouterr().err


def test_pedkit_error_is_one_sentence_without_traceback(capsys):
    code, text = _leave_with(PedkitError("no such file", file="x.jsonl"), capsys)
    assert code == 1
    assert text == "error: x.jsonl: no such file\n"


def test_ctrl_c_has_its_own_exit_code_and_says_what_stays(capsys):
    code, text = _leave_with(KeyboardInterrupt(), capsys)
    assert code == INTERRUPTED == 130
    assert text.count("\n") == 1
    assert "continues" in text


def test_read_only_folder_names_the_path(capsys):
    code, text = _leave_with(OSError(errno.EROFS, "Read-only file system", "/out"), capsys)
    assert code == 1
    assert text == "error: /out: read-only file system\n"


def test_a_fault_of_ours_keeps_its_traceback(capsys):
    code, text = _leave_with(ZeroDivisionError("division by zero"), capsys)
    assert code == 1
    assert "Traceback" in text
    assert text.rstrip().endswith("error: unexpected ZeroDivisionError; please report the lines above")


def test_cause_of_a_wrapped_error_is_what_people_read():
    outer = RuntimeError("Error in call to target 'x'")
    outer.__cause__ = PedkitError("rate must be positive")
    assert explain(outer) == "rate must be positive"


def test_success_returns_quietly(capsys):
    run(lambda: 0.25)
    assert capsys.readouterr().err == ""


def test_hydras_own_line_is_left_out_and_others_pass(capsys):
    def main():
        sys.stderr.write("Error executing job with overrides: ['a=1']\n")
        sys.stderr.write("a warning\n")

    run(main)
    assert capsys.readouterr().err == "a warning\n"
