from typer.testing import CliRunner

from pedkit.cli.main import app
from pedkit.data.manifest import read_manifest


def test_phones_are_added_and_counted(tmp_path):
    path = tmp_path / "m.jsonl"
    path.write_text('{"id": "a", "text": "Six spoons", "language": "eng"}\n')
    result = CliRunner().invoke(app, ["reference", str(path), "--out", str(tmp_path / "out.jsonl")])
    assert result.exit_code == 0
    assert "canonical phones added: 1 by cmudict" in result.output
    assert " ".join(read_manifest(tmp_path / "out.jsonl")[0].canonical) == "S IH K S S P UW N Z"


def test_a_wrong_option_is_one_sentence(tmp_path):
    path = tmp_path / "m.jsonl"
    path.write_text('{"id": "a", "text": "Six", "language": "eng"}\n')
    result = CliRunner().invoke(app, ["reference", str(path), "--out", str(path), "--phones", "sampa"])
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "expected 'phones' to be one of auto, cmu39, ipa, but got 'sampa'" in result.stderr
