import pytest

from synthetic.engines.syllables import stress_of, syllables


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("K AE1 T", ["K AE1 T"]),
        ("D AY0 JH EH1 S T IH0 NG", ["D AY0", "JH EH1", "S T IH0 NG"]),  # s t begins an English word
        ("S IH1 NG ER0", ["S IH1 NG", "ER0"]),  # ng does not
        ("AE1 T L AH0 S", ["AE1 T", "L AH0 S"]),  # nor does t l
        ("M OW1 AH0", ["M OW1", "AH0"]),
        ("EH1 K S T R AH0", ["EH1 K", "S T R AH0"]),
        ("P S T", ["P S T"]),
        ("NG AE1 P", ["NG AE1 P"]),
    ],
)
def test_syllables(word, parts):
    found = syllables(word.split())
    assert [" ".join(part) for part in found] == parts


def test_stress_is_primary_or_secondary():
    assert [stress_of(part.split()) for part in ("K AE1 T", "K AE2 T", "K AE0 T", "S T")] == [1, 1, 0, 0]
