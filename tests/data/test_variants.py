from itertools import product

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from pedkit.data.variants import best_variants

PHONE = st.sampled_from("ABC")
SEQUENCE = st.lists(PHONE, max_size=4)
WORDS = st.lists(st.lists(SEQUENCE, min_size=1, max_size=3), max_size=4)


@given(WORDS, st.lists(PHONE, max_size=9))
def test_the_choice_is_the_first_of_the_best_of_all_choices(words, realized):
    def distance(choice):
        canonical = [phone for word, index in zip(words, choice, strict=True) for phone in word[index]]
        return Levenshtein.distance(canonical, realized)

    every = list(product(*(range(len(variants)) for variants in words)))
    assert best_variants(words, realized) == min(every, key=lambda choice: (distance(choice), choice))


def test_words_are_chosen_together():
    # Word by word, "A B" is perfect for the first word, but then the second costs 1 instead of 0.
    words = [[["A", "B"], ["A"]], [["B", "C", "D"]]]
    assert best_variants(words, ["A", "B", "C", "D"]) == (1, 0)


def test_of_equally_near_choices_the_first_word_decides():
    assert best_variants([[["A"], ["B"]], [["A"], ["B"]]], ["B"]) == (0, 1)
