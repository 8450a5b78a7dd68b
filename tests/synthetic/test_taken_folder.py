import pytest

from pedkit.errors import PedkitError
from synthetic.output import OutputFolder


@pytest.mark.parametrize("name", ["README.md", "train.jsonl", "test_unseen.jsonl", "refused.jsonl"])
def test_files_of_something_else_are_not_replaced(tmp_path, name):
    """Such as those of a clone, where ``output_dir=.`` was said."""
    (tmp_path / name).write_text("mine")
    (tmp_path / "audio").mkdir()
    (tmp_path / "audio" / "train-00000-cat.flac").write_text("mine")
    with pytest.raises(PedkitError) as caught, OutputFolder.held(tmp_path):
        pass
    assert str(caught.value) == (
        f"{tmp_path / name}: this file is of something else than a synthetic set, and would be replaced "
        "(choose another folder with output_dir=)"
    )
    assert {path.name for path in tmp_path.iterdir()} == {name, "audio"}
    assert (tmp_path / name).read_text() == (tmp_path / "audio" / "train-00000-cat.flac").read_text() == "mine"


@pytest.mark.parametrize("own", ["design.jsonl", "run.json"])
def test_files_of_an_earlier_run_are(tmp_path, own):
    for name in ("README.md", "train.jsonl", own):
        (tmp_path / name).write_text("")
    OutputFolder(tmp_path)
