import subprocess
import sys

import pytest
from typer.testing import CliRunner

from pedkit.cli.doctor import examine
from pedkit.cli.main import app
from pedkit.version import __version__


def test_help_lists_the_verbs_and_loads_nothing_heavy():
    code = (
        "import sys\nfrom pedkit.cli.main import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('torch', 'numba', 'numpy', 'soundfile', 'matplotlib') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip().splitlines()[-1] == "[]"
    assert all(verb in out for verb in ("prepare", "check", "doctor"))


def test_version():
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"pedkit {__version__}\n")


def test_an_unknown_corpus_is_one_sentence(tmp_path):
    arguments = ["prepare", "atlantis", "--root", str(tmp_path), "--out", str(tmp_path / "m.jsonl")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert "atlantis" in result.stderr
    assert "speechocean762" in result.stderr


def test_help_of_prepare_lists_the_corpora():
    output = CliRunner().invoke(app, ["prepare", "--help"]).output
    assert all(corpus in output for corpus in ("l2arctic", "speechocean762", "timit", "voxangeles"))


def test_options_of_a_reader_are_listed_without_a_folder():
    result = CliRunner().invoke(app, ["prepare", "timit", "--options"])
    assert result.exit_code == 0
    assert "test=core\n    ``core`` = the 24 speakers of the core test set" in result.output


@pytest.mark.parametrize(("arguments", "lacking"), [([], "--root"), (["--root", "x"], "--out")])
def test_prepare_says_what_it_lacks(arguments, lacking):
    result = CliRunner().invoke(app, ["prepare", "timit", *arguments])
    assert result.exit_code == 1
    assert f"expected {lacking}" in result.stderr


def test_check_ends_with_1_on_a_faulty_manifest(tmp_path):
    path = tmp_path / "m.jsonl"
    path.write_text('{"id": "a", "inventory": "cmu39", "canonical": "K AE T", "realized": "K AE T"}\n')
    assert CliRunner().invoke(app, ["check", str(path), "--audio", "none"]).exit_code == 0
    path.write_text('{"id": "a", "inventory": "cmu39", "canonical": "K ÆÆ T", "realized": "K AE T"}\n')
    assert CliRunner().invoke(app, ["check", str(path), "--audio", "none"]).exit_code == 1


def test_ctrl_c_in_a_verb_is_worded_by_pedkit(monkeypatch, tmp_path):
    import pedkit.data.check

    def stop(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(pedkit.data.check, "check", stop)
    result = CliRunner().invoke(app, ["check", str(tmp_path / "m.jsonl")])
    assert result.exit_code == 130
    assert "stopped by Ctrl-C" in result.stderr


def test_doctor_names_what_is_absent_instead_of_raising(monkeypatch):
    def absent(name):
        raise importlib.metadata.PackageNotFoundError(name)

    import importlib.metadata

    monkeypatch.setattr(importlib.metadata, "version", absent)
    findings = {finding.name: finding for finding in examine()}
    assert findings["torch"].ok is False
    assert findings["espeakng-loader"].ok is None
    assert findings["torch"].text == "not installed"
    assert (findings["glmm"].ok, findings["epitran"].ok, findings["datasets"].ok) == (None, None, None)
    assert findings["glmm"].text == "absent; for mixed models and FAAS: pip install 'pedkit[glmm]'"


@pytest.mark.parametrize("name", ["python", "torchaudio loads", "accelerator", "speech engine espeak-ng", "disk"])
def test_doctor_reports_on(name):
    assert name in {finding.name for finding in examine()}


def test_doctor_says_who_is_logged_in_to_wandb_and_not_with_what(monkeypatch, tmp_path):
    monkeypatch.delenv("WANDB_API_KEY", raising=False)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    login = {finding.name: finding for finding in examine()}["W&B login"]
    assert (login.ok, login.text) == (None, "nobody is logged in; logger=wandb keeps runs on disk (wandb login)")
    monkeypatch.setenv("WANDB_API_KEY", "0123456789")
    login = {finding.name: finding for finding in examine()}["W&B login"]
    assert (login.ok, login.text) == (True, "by WANDB_API_KEY")
