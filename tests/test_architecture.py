"""docs/architecture.md names rooms, their imports, groups of conf/, dependencies and extras as they are."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "pedkit"
DOCUMENT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ROWS = re.findall(r"^\| `(?:src/pedkit/)?(\w+)/` \| ([^|`]+) \| .* \| .* \|$", DOCUMENT, re.MULTILINE)
SAID = {room: set() if names == "nothing" else set(names.split(", ")) for room, names in ROWS}
FOLDERS = {path.name: path for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
ROOMS = FOLDERS | {"synthetic": ROOT / "synthetic"}
TORCH = {"torch", "torchaudio", "pytorch_lightning", "transformers", "peft"}


def _imports(file: Path) -> set[str]:
    """Return the dotted names of all modules that a file imports, also inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
    return found


def _rooms_of(names: set[str]) -> set[str]:
    parts = [name.split(".") for name in names]
    return {part[1] for part in parts if part[0] == "pedkit" and len(part) > 1 and part[1] in FOLDERS}


def _loads_torch(file: Path) -> bool:
    return bool(TORCH & {name.split(".")[0] for name in _imports(file)})


def _between(begin: str, end: str) -> set[str]:
    (text,) = re.findall(re.escape(begin) + "(.*?)" + re.escape(end), DOCUMENT, re.DOTALL)
    return set(re.findall(r"`([\w-]+)`", text))


def test_every_room_has_a_row():
    assert set(SAID) == set(ROOMS)


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_a_room_imports_what_is_said(room):
    names = {name for file in ROOMS[room].rglob("*.py") for name in _imports(file)}
    assert _rooms_of(names) - {room} == SAID[room]


def test_torch_is_loaded_where_it_is_said():
    without = [*(PACKAGE / room for room in ("phones", "scoring", "fairness", "report")), ROOT / "synthetic"]
    without += [PACKAGE / "models" / "prompts", PACKAGE / "models" / "answers"]
    for folder in without:
        for file in folder.rglob("*.py"):
            assert not _loads_torch(file), file
    (named,) = re.findall(r"Only `([\w ]+)` load torch", DOCUMENT)
    files = [
        file for file in (PACKAGE / "data").rglob("*.py") if TORCH & {n.split(".")[0] for n in _imports(file)}
    ]
    assert sorted(named.split()) == sorted(file.stem for file in files)


def test_only_the_protocol_and_the_colours_are_used_where_it_is_said():
    for room, used, allowed in (
        ("evaluation", "recognizers", "pedkit.recognizers.protocol"),
        ("synthetic", "recognizers", "pedkit.recognizers.protocol"),
        ("synthetic", "report", "pedkit.report.palette"),
        ("models", "scoring", "pedkit.scoring.kernels.jit"),
    ):
        names = {name for file in ROOMS[room].rglob("*.py") for name in _imports(file)}
        modules = {name for name in names if name.startswith(f"pedkit.{used}")}
        assert modules
        assert all(name.startswith(allowed) for name in modules), modules


def test_helpers_verbs_and_programs_are_named():
    helpers = {
        name for names in re.findall(r"`src/pedkit/\{([\w,]+)\}\.py`", DOCUMENT) for name in names.split(",")
    }
    assert helpers == {path.stem for path in PACKAGE.glob("*.py")} - {"__init__"}
    (verbs,) = re.findall(r"one file a verb: `([\w ]+)`", DOCUMENT)
    assert set(verbs.split()) == {path.stem for path in (PACKAGE / "cli").glob("*.py")} - {
        "__init__",
        "main",
        "command_line",
    }
    for program in ("train.py", "evaluate.py"):
        assert len((ROOT / program).read_text(encoding="utf-8").splitlines()) <= 40


def test_groups_and_roots_of_the_configuration_are_named():
    roots, groups = re.findall(r"one a program: `([\w ]+)`; and one group a folder: `([\w ]+)`", DOCUMENT)[0]
    assert roots.split() == ["train", "evaluate", "synthesize", "verify"]
    assert set(roots.split()) == {path.stem for path in (ROOT / "conf").glob("*.yaml")}
    assert groups.split() == sorted(path.name for path in (ROOT / "conf").iterdir() if path.is_dir())


def test_dependencies_and_extras_are_named():
    required = {re.split(r"[^\w-]", line)[0] for line in PROJECT["dependencies"]}
    assert _between("Core dependencies: ", "\n\n") == required
    assert _between("Extras: ", "\n\n") == set(PROJECT["optional-dependencies"])


def test_the_protocols_stand_where_it_is_said():
    rows = re.findall(r"^\| (`[A-Z]\w+`.*?) \| (`.*?\.py`) \|", DOCUMENT, re.MULTILINE)
    assert len(rows) == 6
    for names, places in rows:
        code = "\n".join((ROOT / place).read_text(encoding="utf-8") for place in re.findall(r"`(.*?)`", places))
        for name in re.findall(r"`([A-Z]\w+)`", names):
            assert re.search(rf"^class {name}\(.*Protocol\)", code, re.MULTILINE), name
