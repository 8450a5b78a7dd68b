"""The commands that presets name for PEDBench's manifests run as they stand there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pedkit.data.prepare import parse_options
from pedkit.data.reader_options import reader_of
from pedkit.data.readers.pedbench import SETS
from pedkit.hints import check_arguments

CONF = Path(__file__).parents[2] / "conf"
COMMANDS = sorted(
    {
        found
        for folder in ("evaluation", "experiment")
        for file in (CONF / folder).glob("*.yaml")
        for found in re.findall(r"pedkit prepare [^#\n]+", file.read_text(encoding="utf-8"))
    }
)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_a_preset_gives_options_that_the_reader_takes(command):
    words = shlex.split(command)
    options = parse_options([words[i + 1] for i, word in enumerate(words) if word == "--option"])
    check_arguments(reader_of(words[2]), options)
    for one in options.get("sets", []):
        assert one in SETS
