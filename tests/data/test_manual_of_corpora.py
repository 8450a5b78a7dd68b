"""The manual keeps up with the code: a page, a row and facts for every reader, links that lead somewhere."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
import soundfile
from typer.testing import CliRunner

from pedkit.cli.main import app
from pedkit.data.corpora import corpus_facts
from pedkit.data.readers import READERS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
GENERIC = {"hub", "kaldi", "pedbench", "table"}
"""Readers of other people's corpora: licence and source are whatever was read."""


@pytest.mark.parametrize("corpus", sorted(READERS))
def test_every_reader_has_a_page_and_a_row(corpus):
    page = (ROOT / f"docs/corpora/{corpus}.md").read_text(encoding="utf-8")
    assert f"pedkit prepare {corpus} " in page
    assert corpus in GENERIC or "licence" in page.lower()
    assert f"\n| [{corpus}]({corpus}.md) |" in (ROOT / "docs/corpora/README.md").read_text(encoding="utf-8")


def test_every_corpus_has_facts_for_its_data_card():
    assert set(READERS) - GENERIC <= set(corpus_facts())
    for facts in corpus_facts().values():
        assert all((facts.name, facts.licence, facts.source, facts.citation, facts.published))


def test_rows_and_table_are_sorted():
    rows = re.findall(
        r"^\| \[(\w+)\]", (ROOT / "docs/corpora/README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert rows == sorted(rows)
    assert list(corpus_facts()) == sorted(corpus_facts())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        path, _, heading = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-") for name in headings}
            assert heading in anchors, target


def test_commands_of_the_manual_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place, (folder, split) in enumerate([("a", "train"), ("b", "test")]):
        lines = []
        for number in range(12):
            name = f"{folder}{number}"
            clip = tmp_path / folder / f"{name}.wav"
            clip.parent.mkdir(exist_ok=True)
            soundfile.write(clip, np.random.default_rng(100 * place + number).normal(0, 0.1, 16000), 16000)
            lines.append(
                {"id": name, "speaker": name, "split": split, "audio": f"{folder}/{name}.wav",
                 "inventory": "cmu39", "canonical": "S", "realized": "S",
                 "groups": {"gender": "female", "age": 10, "l1": "hindi"}}
            )  # fmt: skip
        (tmp_path / f"{split}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        for line in lines:
            line["audio"] = f"{line['id']}.wav"
        (tmp_path / folder / "manifest.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    manual = (ROOT / "docs/manifest_tools.md").read_text(encoding="utf-8")
    commands = re.search(r"```sh\n(.*?)```", manual, re.DOTALL)[1].splitlines()
    assert [command.split()[1] for command in commands] == ["check", "mix", "filter", "split"]
    for command in commands:
        result = CliRunner().invoke(app, shlex.split(command)[1:])
        assert result.exit_code == 0, result.output + result.stderr
    assert (tmp_path / "CARD.md").is_file()
    (snippet,) = re.findall(r"```python\n(.*?)```", manual, re.DOTALL)
    exec(compile(snippet, "manifest_tools.md", "exec"), {})
