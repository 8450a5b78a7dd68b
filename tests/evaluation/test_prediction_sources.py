"""How systems are named after their files, and which lists of files are refused."""

import pytest

from pedkit.errors import PedkitError
from pedkit.evaluation.sources import prediction_sources


@pytest.fixture
def named(tmp_path, monkeypatch):
    """Write predictions files and return the names of the systems, each with its file."""
    monkeypatch.chdir(tmp_path)

    def _named(*files):
        for file in files:
            path = tmp_path / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("id,phones\na,K\n" if path.suffix == ".csv" else '{"id": "a", "phones": "K"}\n')
        return {name: str(source.path) for name, source in prediction_sources(files).items()}

    return _named


@pytest.mark.parametrize(
    "names",
    [
        {"x": "a/x.jsonl", "y": "b/y.jsonl"},
        {"a/x": "a/x.jsonl", "b/x": "b/x.jsonl"},
        {"b/x": "b/x.jsonl", "c/b/x": "c/b/x.jsonl"},
        {"x": "x.jsonl", "a/x": "a/x.jsonl"},
        {"x.csv": "x.csv", "x.jsonl": "x.jsonl"},
        {"x.csv": "a/x.csv", "x.jsonl": "a/x.jsonl"},
        {"x.jsonl": "a/x.jsonl", "a/x.csv": "a/x.csv", "b/x": "b/x.csv"},
        {"x.csv": "x.csv", "x.jsonl": "x.jsonl", "x.csv.jsonl": "x.csv.jsonl"},
    ],
)
def test_every_file_has_a_name_of_its_own(named, names):
    assert named(*names.values()) == names


def test_two_ways_of_writing_one_path_are_one_file(named, tmp_path):
    for other in ("a/../x.jsonl", str(tmp_path / "x.jsonl"), "x.jsonl"):
        (tmp_path / "a").mkdir(exist_ok=True)
        with pytest.raises(PedkitError, match="this predictions file is given twice"):
            named("x.jsonl", other)
