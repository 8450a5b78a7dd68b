from pedkit.scoring import Diagnostics, Item, Rate, Scorer, ScoringSettings

SCORER = Scorer(ScoringSettings(inventory="cmu39"))


def diagnose(*triples, flags=frozenset()):
    items = [
        Item(str(k), *(None if x is None else tuple(x.split()) for x in triple), flags)
        for k, triple in enumerate(triples)
    ]
    return Diagnostics(scored.alignment for scored in SCORER.score(items))


def test_confusions():
    # realized-predicted columns: S-S, IY-IH, T-gap; S-Z, IY-IY, gap-T, gap-AH
    found = diagnose((None, "S IY T", "S IH"), (None, "S IY", "Z IY T AH"))
    assert found.realized_phones == 5
    assert [(c.reference, c.predicted, c.count, c.share.value) for c in found.confusions()] == [
        ("IY", "IH", 1, 0.5),
        ("IY", "IY", 1, 0.5),
        ("S", "S", 1, 0.5),
        ("S", "Z", 1, 0.5),
        ("T", None, 1, 1.0),
        (None, "AH", 1, 0.2),
        (None, "T", 1, 0.2),
    ]
    assert {phone: rate.value for phone, rate in found.insertions_per_1000().items()} == {"AH": 200.0, "T": 200.0}


def test_canonical_phones_and_speaker_errors():
    found = diagnose(
        ("TH IH", "S IH", "TH EH"),  # TH: missed; IH: false flag
        ("TH IH", "S IH", "S IH T"),  # TH: diagnosed; spurious T
        ("TH IH", "TH IH AH", "TH IH"),  # missed insertion
    )
    rows = {row.phone: row for row in found.canonical_phones()}
    assert list(rows) == ["IH", "TH", None]
    assert (rows["TH"].correct, rows["TH"].faulty) == (1, 2)
    assert rows["TH"].missed == Rate(0.5, 1, 2)
    assert rows["TH"].false_flags == Rate(0.0, 0, 1)
    assert rows["IH"].false_flags == Rate(1 / 3, 1, 3)
    assert rows["IH"].missed.value is None
    assert (rows[None].faulty, rows[None].missed.value) == (1, 1.0)
    assert (rows[None].false_flags.value, rows[None].false_flags.numerator) == (None, 1)
    assert found.speaker_errors() == {("TH", "S"): 2, (None, "AH"): 1}


def test_marked_columns_are_errors():
    found = diagnose(("R", "R", "R"), flags=frozenset({0}))
    assert found.speaker_errors() == {("R", "R"): 1}
    [row] = found.canonical_phones()
    assert (row.correct, row.faulty, row.missed.value) == (0, 1, 1.0)


def test_nothing_at_all():
    found = Diagnostics()
    assert found.confusions() == found.canonical_phones() == []
    assert found.insertions_per_1000() == found.speaker_errors() == {}
