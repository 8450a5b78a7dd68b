import pytest

from pedkit.data.references import Referencer
from pedkit.data.spoken_words import spoken_words
from pedkit.phones import Lexicon

CMUDICT = Lexicon.cmudict()


def forms(text):
    return [word.form for word in spoken_words(text, CMUDICT)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Call me, ISHMAEL!", ["call", "me", "ishmael"]),
        ("“don’t” they say: 'yes'", ["don't", "they", "say", "yes"]),
        ("'Cause the dogs' bowls' rims", ["'cause", "the", "dogs'", "bowls", "rims"]),
        ("an X-ray of my well-behaved cat", ["an", "x-ray", "of", "my", "well", "behaved", "cat"]),
        ("a non‑smokers’ room", ["a", "non-smokers'", "room"]),  # a hyphen that is not the keyboard's
        ("go in. At 5 a.m.", ["go", "in", "at", "5", "a.m."]),  # cmudict has an entry 'in.' of its own
        ("Mr. Smith, Corp.", ["mr.", "smith", "corp"]),
        ("the “U.S.” and us, U.S vs. VS", ["the", "u.s.", "and", "us", "u.s", "vs.", "vs"]),
        ("u.s. (Ph.D., e.g.)", ["u.s.", "ph.d.", "e.g."]),
        ("café naïve", ["cafe", "naive"]),
        ("and/or — well -- no...yes…", ["and", "or", "well", "no", "yes"]),
        ("... -- ' - \"", []),
        ("", []),
    ],
)
def test_words_are_found_as_the_dictionary_has_them(text, expected):
    assert forms(text) == expected


@pytest.mark.parametrize("text", ["1984", "5th", "A4", "&", "50%", "$3", "beca-", "zqy1x"])
def test_numerals_signs_and_broken_words_are_no_words_for_a_g2p(text):
    assert [(word.text, word.letters) for word in spoken_words(text, CMUDICT)] == [(text, False)]


def test_unknown_words_keep_their_spelling_and_may_go_to_a_g2p():
    words = spoken_words("The Zqyx's 'blorpy' Пётр", CMUDICT)
    assert [(word.text, word.form, word.letters) for word in words] == [
        ("The", "the", True),
        ("Zqyx's", "zqyx's", True),
        ("blorpy", "blorpy", True),
        ("Пётр", "пётр", False),
    ]


def test_a_word_that_has_its_dot_in_the_dictionary_is_shown_with_it():
    assert [word.text for word in spoken_words("A.M. vs. plan B.", CMUDICT)] == ["A.M.", "vs.", "plan", "B"]
    reference = Referencer().of("the U.S.")
    assert reference.canonical == ("DH", "AH", "Y", "UW", "EH", "S")
    assert [word.text for word in reference.words] == ["the", "U.S."]


def test_composed_and_decomposed_letters_are_the_same():
    assert forms("cafe\N{COMBINING ACUTE ACCENT}") == forms("caf\N{LATIN SMALL LETTER E WITH ACUTE}") == ["cafe"]
