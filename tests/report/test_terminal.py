import io

from rich.console import Console

from pedkit.report.terminal import print_scores


def test_each_row_is_one_line_also_in_a_narrow_terminal(scores):
    stream = io.StringIO()
    print_scores({"toy_words_seen_in_training": scores, "real": scores}, Console(file=stream, width=80))
    lines = stream.getvalue().splitlines()
    rows = [line.split() for line in lines]
    assert ["toy_words_seen_in_training", "30.0", "25.0", "25.0", "50.0", "–", "30.0", "–", "–", "–"] in rows
    assert ["empty", "30.0", "25.0", "25.0", "50.0", "–", "30.0", "–", "–", "–"] in rows
    assert "der_li" in stream.getvalue()
