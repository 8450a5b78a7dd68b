"""The line on the terminal about answers of a language model, by hand."""

from __future__ import annotations

import io

from rich.console import Console

from pedkit.report.answers import answers_line
from pedkit.report.terminal import print_scores

STATUSES = {"ok": 90, "empty": 2, "unparsable": 8, "failed": 1, "missing": 0, "recovered": 3}
RULES = {"json": 92, "fenced": 12, "text_before": 5, "cut_off": 3, "recovered": 3}
LINE = "90 of 100 answers hold phones, 2 empty, 8 unparsable (text_before 5, cut_off 3), 3 cut off and recovered"


def test_the_line():
    assert answers_line({"statuses": STATUSES, "answers": RULES}) == LINE
    clean = {"ok": 1200, "empty": 0, "unparsable": 0, "recovered": 0}
    assert answers_line({"statuses": clean, "answers": {"json": 1200}}) == (
        "1\u2009200 of 1\u2009200 answers hold phones"
    )


def test_a_system_without_answers_has_none():
    assert answers_line({"statuses": STATUSES, "answers": {}}) is None
    assert answers_line({}) is None


def test_it_stands_under_the_table():
    out = io.StringIO()
    systems = {"qwen": {"statuses": STATUSES, "answers": RULES}, "ctc": {"statuses": STATUSES, "answers": {}}}
    print_scores({"acted": {"systems": systems}}, Console(file=out))
    assert out.getvalue().splitlines()[-1] == f"qwen: {LINE}"
    out = io.StringIO()
    one = {"systems": {"qwen": systems["qwen"]}}
    print_scores({"acted": one, "authentic": one}, Console(file=out))
    assert out.getvalue().splitlines()[-2:] == [f"acted, qwen: {LINE}", f"authentic, qwen: {LINE}"]
