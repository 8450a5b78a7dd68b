"""Pages take their colours from one file; no variable is defined twice, and none is used that is not defined."""

import re
from pathlib import Path

import pytest

from pedkit.report.palette import palette

ROOT = Path(__file__).resolve().parents[2]
SHEETS = ("src/pedkit/report/template/style.css", "synthetic/review/template/review.css")


@pytest.mark.parametrize("sheet", SHEETS)
def test_each_colour_of_a_page_is_defined_once(sheet):
    own = (ROOT / sheet).read_text(encoding="utf-8")
    pages = palette() + own
    of_the_root = re.findall(r"^  (--[\w-]+):", pages, re.MULTILINE)
    assert len(of_the_root) == len(set(of_the_root)) > 10
    assert set(re.findall(r"var\((--[\w-]+)\)", pages)) <= set(re.findall(r"(--[\w-]+):", pages))
    assert "--paper" not in re.findall(r"(--[\w-]+):", own)
