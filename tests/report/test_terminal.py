import io

from rich.console import Console

from pedkit.report.terminal import print_scores


def test_the_table_fits_and_shows_systems_and_reference_rows(scores):
    stream = io.StringIO()
    print_scores({"toy_words_seen": scores, "real": scores}, Console(file=stream, width=80))
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    rows = [line.split() for line in lines]
    assert ["toy_words_seen", "30.0", "25.0", "25.0", "50.0", "–", "30.0", "–", "–", "–"] in rows
    assert ["empty", "30.0", "25.0", "25.0", "50.0", "–", "30.0", "–", "–", "–"] in rows
    assert "der_li" in stream.getvalue()
