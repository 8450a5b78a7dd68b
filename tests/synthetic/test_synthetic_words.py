import random

from pedkit.phones import Lexicon
from synthetic.design.words import shuffled_words

LEXICON = Lexicon(
    {
        "cat": ["K AE1 T"],
        "rite": ["R AY1 T"],
        "right": ["R AY1 T", "R IY1 T"],
        "it's": ["IH1 T S"],
        "naïve": ["N AY2 IY1 V"],
        "eye": ["AY1"],
        "abandoned": ["AH0 B AE1 N D AH0 N D"],
        "schwas": ["SH W AH0 Z"],
    }
)


def draw(seed):
    return list(shuffled_words(LEXICON, random.Random(seed), min_phones=3, max_phones=8))


def test_short_alphabetic_words_with_a_stress_are_drawn_and_one_of_two_homophones():
    drawn = dict(draw(1))
    assert drawn.pop("rite", None) or drawn.pop("right") == ("R", "AY1", "T")
    assert drawn == {"cat": ("K", "AE1", "T"), "abandoned": ("AH0", "B", "AE1", "N", "D", "AH0", "N", "D")}


def test_the_seed_decides_the_order_and_every_order_comes_up():
    assert draw(3) == draw(3)
    orders = {tuple("rhyme" if w in ("rite", "right") else w for w, _ in draw(seed)) for seed in range(100)}
    assert len(orders) == 6
    assert {w for seed in range(100) for w, _ in draw(seed)} >= {"rite", "right"}


def test_excluded_words_and_what_sounds_like_them_are_left_out():
    lexicon = Lexicon.cmudict()
    drawn = dict(
        shuffled_words(lexicon, random.Random(1), min_phones=3, max_phones=3, excluded=["night", "the", "cat"])
    )
    assert not {"night", "knight", "nite", "cat", "kat", "catt"} & set(drawn)
    assert "dog" in drawn
