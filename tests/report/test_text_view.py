from pedkit.report.text_view import stacked


def test_cells_of_a_column_are_padded_to_the_widest():
    assert stacked(["t͡ʃ", None, "ã", "sub"]) == ("t͡ʃ ", "-  ", "ã  ", "sub")
