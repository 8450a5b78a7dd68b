import errno
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from hydra import compose, initialize_config_dir

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


def test_a_full_disk_is_one_sentence_although_it_names_no_file(capsys):
    _, text = _leave_with(OSError(errno.ENOSPC, "No space left on device"), capsys)
    assert text == "error: no space left on device\n"


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


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        (["trainer.max_epochs=[1,"], "the argument 'trainer.max_epochs=[1,' is not of the form key=value (val"),
        (["seed"], "the argument 'seed' is not of the form key=value (values with"),
        (["name=[[t,ʃ]]"], "the argument 'name=[[t,ʃ]]' is not of the form key=value (in a list each symbol"),
        (["foo=1"], "there is no setting 'foo' (--cfg job shows all of them, +foo=value adds a new one)"),
        (["data.dev={b: c}"], "data.dev has no 'b', and {...} only changes keys that are there (+data.dev.b=val"),
        (["trainer=foo"], "In 'train': Could not find 'trainer/foo' (available: cpu, ddp, debug, fsdp, gpu)"),
        (["model=5"], "expected a preset by its name where a group is chosen, as in model=log_mel"),
        (["callbacks.best=[1]"], "Error merging override callbacks.best=[1] (Cannot merge DictConfig with"),
        (["name=a,b"], "Ambiguous value for argument 'name=a,b' 1. To use it as a list, use key=[value1,value2]"),
    ],
)  # fmt: skip
def test_an_override_that_cannot_be_is_one_sentence(overrides, sentence, capsys):
    def main():
        with initialize_config_dir(str(Path(__file__).parents[1] / "conf"), version_base="1.3"):
            compose("train", overrides)

    with pytest.raises(SystemExit):
        run(main)
    text = capsys.readouterr().err
    assert text.startswith(f"error: {sentence}")
    assert text.count("\n") == 1


def test_multirun_may_stand_anywhere_on_the_command_line(monkeypatch):
    """argparse takes the overrides before ``-m`` for all there are."""
    monkeypatch.setattr(sys, "argv", ["train.py", "name=a", "-m", "seed=1,2", "trainer=cpu"])
    run(lambda: None)
    assert sys.argv == ["train.py", "-m", "name=a", "seed=1,2", "trainer=cpu"]


def test_an_interpolation_that_leads_nowhere_names_its_setting(capsys):
    def main():
        with initialize_config_dir(str(Path(__file__).parents[1] / "conf"), version_base="1.3"):
            return compose("train", ["name=${foo}"]).name

    with pytest.raises(SystemExit):
        run(main)
    assert capsys.readouterr().err == "error: the setting name cannot be used: Interpolation key 'foo' not found\n"


def test_a_message_of_several_lines_becomes_one(capsys):
    _, text = _leave_with(PedkitError("the recognizer failed: out\nof memory"), capsys)
    assert text == "error: the recognizer failed: out of memory\n"


def test_an_error_from_a_loader_process_loses_the_traceback_in_it():
    text = "Caught PedkitError in DataLoader worker process 0.\nTrace\npedkit.errors.PedkitError: a.wav: broken\n"
    assert explain(PedkitError(text)) == "a.wav: broken"


def test_what_lightning_refuses_is_a_sentence():
    from pytorch_lightning.utilities.exceptions import MisconfigurationException

    assert explain(MisconfigurationException("no such strategy")) == "no such strategy"


def test_a_warning_is_one_line_without_its_place(capsys):
    before = warnings.formatwarning

    def main():
        print(warnings.formatwarning(UserWarning("no Tier 2\nthere"), UserWarning, "soft.py", 3), end="")

    run(main)
    assert capsys.readouterr().out == "warning: no Tier 2 there\n"
    assert warnings.formatwarning is before


def test_ctrl_c_while_a_program_still_imports_is_a_sentence():
    code = "import pedkit.ctrl_c\nraise KeyboardInterrupt"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGINT
    assert done.stderr.startswith("error: stopped by Ctrl-C; files already made stay")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("program", ["train.py", "evaluate.py", "synthetic/__main__.py"])
def test_programs_import_it_before_anything_slow(program):
    lines = (Path(__file__).parents[1] / program).read_text(encoding="utf-8").splitlines()
    imports = [line.split()[1] for line in lines if line.startswith(("import ", "from "))]
    quick = {"__future__", "gc", "pathlib"}
    assert next(name for name in imports if name not in quick) == "pedkit.ctrl_c"
