import re
from pathlib import Path

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser

CONF = Path(__file__).parents[2] / "conf" / "evaluate.yaml"
EXAMPLES = [
    (key, example)
    for key, comment in re.findall(r"(?m)^(\w+): \S+ # (.*)$", CONF.read_text(encoding="utf-8"))
    for example in re.findall(r"as (\[\[?.*?\]\]?)(?=,? |;|$)", comment)
]


def test_examples_are_found():
    assert {"groups", "merge_pairs", "soft_extra_pairs"} <= {key for key, _ in EXAMPLES}


@pytest.mark.parametrize(("key", "example"), EXAMPLES)
def test_what_a_comment_shows_can_be_written_on_the_command_line(key, example):
    [override] = OverridesParser.create().parse_overrides([f"{key}={example}"])
    assert isinstance(override.value(), list)
