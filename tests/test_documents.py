"""The documents name files that are there and show commands that any shell takes; git keeps licensed data out."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOP = ["README.md", "CONTRIBUTING.md", "THIRD_PARTY_NOTICES.md"]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PATH = re.compile(r"`((?:src|conf|docs|tests|synthetic|bench|data)/[\w./-]*|\w+\.(?:md|toml))`")
MADE = ("data/timit/", "data/pedbench/")
"""Where the presets look for manifests that users make of corpora that may not be passed on."""


def _text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def _commands(page: Path) -> list[str]:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    lines = "\n".join(block for language, block in blocks if language in ("", "sh")).replace("\\\n", " ")
    return re.findall(r"^(?:python|pedkit|pip|make) .*$", lines, re.MULTILINE)


@pytest.mark.parametrize("page", TOP)
def test_files_that_are_named_are_there(page):
    paths = [path for path in PATH.findall(_text(page)) if "NAME" not in path]
    assert len(paths) > 5
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_what_a_new_part_is_registered_in_stands_where_it_is_said():
    section = _text("CONTRIBUTING.md").split("## What a new part touches")[1]
    code = "\n".join(
        (ROOT / path).read_text(encoding="utf-8")
        for path in PATH.findall(section)
        if ".py" in path and "NAME" not in path
    )
    names = set(re.findall(r"`([A-Z_]{5,}|__all__)`", section))
    assert {"METRICS", "MEASURES", "READERS", "ENGINES", "KINDS", "WRITERS"} <= names
    for name in names:
        assert re.search(rf"^{name}\b.* = ", code, re.MULTILINE), name


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in PAGES])
def test_commands_are_taken_by_every_shell(page):
    for command in _commands(ROOT / page):
        for word in shlex.split(command, posix=False):
            bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", word)
            assert not re.search(r"[][{}*?~]", bare), f"zsh expands {word}: put it into quotes"
            assert bare != "#", f"an interactive zsh knows no comments: {command}"


def test_git_leaves_out_what_the_licences_keep_here():
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no clone")
    named = {path for page in PAGES for path in re.findall(r"--out (data/\S+)", page.read_text(encoding="utf-8"))}
    assert {folder for folder in MADE for path in named if path.startswith(folder)} == set(MADE)
    ignored = subprocess.run(
        ["git", "check-ignore", *named], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert set(ignored.stdout.split()) == named
    shipped = ["data/README.md", "data/speechocean762/x.flac", "data/unseen_voices/manifest.jsonl"]
    kept = subprocess.run(
        ["git", "check-ignore", "--no-index", *shipped], cwd=ROOT, capture_output=True, check=False
    )
    assert kept.returncode == 1
