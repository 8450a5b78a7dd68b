import pytest

from pedkit.report.text_view import display_width, stacked


@pytest.mark.parametrize(
    ("text", "width"), [("t͡ʃ", 2), ("ã", 1), ("ə˞", 2), ("", 0), ("-", 1), ("音", 2), ("n̪̊", 1)]
)
def test_combining_marks_take_no_room(text, width):
    assert display_width(text) == width


def test_cells_of_a_column_are_padded_to_the_widest():
    assert stacked(["t͡ʃ", None, "ã", "sub"]) == ("t͡ʃ ", "-  ", "ã  ", "sub")
