from pedkit.scoring import Item, Scorer, ScoringSettings, display_width, grid_text, pair_text


def test_width_of_combining_marks():
    assert display_width("t͡ʃ") == 2
    assert display_width("ã") == display_width("a\u0303") == 1
    assert display_width("n\u032a\u030a") == 1
    assert display_width("tʰ") == 2
    assert display_width("音") == 2
    assert display_width("") == 0


def test_grid_as_text():
    [scored] = Scorer(ScoringSettings(inventory="cmu39")).score(
        [Item("x", ("P", "R", "AA"), ("P", "AH", "R", "AO"), ("P", "R", "AO", "S"))]
    )
    assert grid_text(scored.alignment) == (
        "canonical  P  -  R  AA -\nrealized   P  AH R  AO -\npredicted  P  -  R  AO S\noutcome    TA FA TA CD FR"
    )


def test_pairs_as_text():
    [scored] = Scorer(ScoringSettings(inventory="cmu39")).score([Item("x", None, ("T", "IY"), ("T", "IH", "S"))])
    assert pair_text(scored.alignment) == "reference  T IY -\npredicted  T IH S\n           = S  I"


def test_an_utterance_without_phones():
    [scored] = Scorer(ScoringSettings(inventory="cmu39")).score([Item("x", (), (), ())])
    assert grid_text(scored.alignment) == "canonical\nrealized\npredicted\noutcome"
    assert scored.alignment.columns == scored.alignment.pairs() == []
