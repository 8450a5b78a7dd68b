"""Of an engine that cannot say what it said nothing has checked the labels: that is said wherever people look."""

from synthetic.synthesize import synthesize

SENTENCE = "secretive cannot say what it said: its labels are what was asked for, and nobody has checked them"


def test_unchecked_labels_are_said_in_the_summary_and_in_the_card(make_config, tmp_path, capsys):
    record = synthesize(make_config(engine="secretive_engine.SecretiveEngine"))
    assert record["engines"][0]["reports_phones"] is False
    assert capsys.readouterr().out.splitlines()[-2].startswith(SENTENCE)
    assert SENTENCE in (tmp_path / "out" / "README.md").read_text()


def test_labels_that_were_checked_are_not_doubted(make_config, tmp_path, capsys):
    synthesize(make_config())
    assert "cannot say" not in capsys.readouterr().out
    assert "cannot say" not in (tmp_path / "out" / "README.md").read_text()
