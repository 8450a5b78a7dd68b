import pytest

from pedkit.evaluation.words.normal_form import normal_form


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Turn it OFF, please!", "turn it off please"),
        ("It’s the dogs' 5 o'clock", "it's the dogs 5 o'clock"),
        ("well-known — so", "well known so"),
        ("ＦＵＬＬ ﬁne", "full fine"),
        ("naïve हिन्दी", "naïve हिन्दी"),
        ("  ...  ", ""),
    ],
)
def test_basic_form(text, words):
    assert normal_form(text) == words


def test_no_form_keeps_words_as_they_are():
    assert normal_form(" It's,  so\tBE ", "none") == "It's, so BE"
