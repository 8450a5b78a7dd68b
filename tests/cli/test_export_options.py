"""Options of ``pedkit export`` that would do nothing are refused, and help texts are clean."""

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from pedkit.cli.main import app


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--push", "me/x", "--evaluation", "e"], "--evaluation cannot go with --push"),
        (["--push", "me/x", "--licence", "mit"], "--licence cannot go with --push"),
        (["--push", "me/x", "--merge", "--device", "cpu"], "--merge, --device cannot go with --push"),
        (["--public"], "--public is for a repository on the hub (add --push OWNER/NAME)"),
        (["--device", "cuda"], "--device is where a merged model is measured (add --merge"),
    ],
)
def test_options_that_would_do_nothing_are_refused(tmp_path, options, message):
    result = CliRunner().invoke(app, ["export", str(tmp_path / "run"), str(tmp_path / "out"), *options])
    assert result.exit_code == 1
    assert message in result.stderr


@pytest.mark.parametrize("verb", sorted(get_command(app).commands))
def test_no_help_text_has_two_blanks_in_a_row(verb):
    texts = [option.help for option in get_command(app).commands[verb].params if option.help]
    assert [text for text in texts if "  " in text] == []
