from __future__ import annotations

import itertools
import math

import pytest

from pedkit.errors import PedkitError
from pedkit.models.ngram import END, START, PhoneNgram

PHONES = ("AA", "S", "T")
HEARD = [("S", "AA"), ("S", "T", "AA"), ("AA",)]
MORE = [*HEARD, ("T", "AA", "S", "S"), ("AA", "S", "AA"), ("T",)]


def test_witten_bell_by_hand():
    bigram = PhoneNgram.trained(HEARD, phones=PHONES, order=2)
    # Nine tokens: AA 3, S 2, T 1, ends 3; four kinds; each of the four gets (count + 4 / 4) / (9 + 4).
    unigram = {"AA": 4 / 13, "S": 3 / 13, "T": 2 / 13, END: 4 / 13}
    for phone, probability in unigram.items():
        assert math.exp(bigram.log_prob(phone)) == pytest.approx(probability)
    # After S: AA once, T once; two kinds, two tokens.
    assert math.exp(bigram.log_prob("AA", ["S"])) == pytest.approx((1 + 2 * 4 / 13) / 4)
    assert math.exp(bigram.log_prob("S", ["S"])) == pytest.approx((0 + 2 * 3 / 13) / 4)
    # After AA only the end, three times: one kind, three tokens.
    assert math.exp(bigram.log_prob(END, ["T", "AA"])) == pytest.approx((3 + 4 / 13) / 4)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_after_every_context_the_probabilities_sum_to_one(order):
    ngram = PhoneNgram.trained(MORE, phones=PHONES, order=order)
    table = ngram.table(PHONES)
    for context in itertools.product((START, *PHONES), repeat=3):
        total = sum(math.exp(ngram.log_prob(word, context)) for word in (*PHONES, END))
        assert total == pytest.approx(1.0)
    for row in table.scores:
        assert sum(map(math.exp, row)) == pytest.approx(1.0)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_the_table_walks_as_the_ngram_says(order):
    ngram = PhoneNgram.trained(MORE, phones=PHONES, order=order)
    table = ngram.table(PHONES)
    for sequence in itertools.product(PHONES, repeat=4):
        state, history = table.start, (START,)
        for phone in sequence:
            column = PHONES.index(phone)
            assert table.scores[state, column] == pytest.approx(ngram.log_prob(phone, history))
            state, history = table.following[state, column], (*history, phone)
        assert table.scores[state, -1] == pytest.approx(ngram.log_prob(END, history))


def test_perplexity():
    unigram = PhoneNgram.trained(HEARD, phones=PHONES, order=1)
    assert unigram.perplexity([("T",)]) == pytest.approx((2 / 13 * 4 / 13) ** -0.5)
    trigram = PhoneNgram.trained(HEARD, phones=PHONES, order=3)
    assert trigram.perplexity(HEARD) < unigram.perplexity(HEARD)
    with pytest.raises(PedkitError, match="at least one utterance to measure"):
        trigram.perplexity([])


def test_an_arpa_file_keeps_everything(tmp_path):
    ngram = PhoneNgram.trained(HEARD, phones=PHONES, order=3)
    ngram.save(tmp_path / "phones.arpa")
    text = (tmp_path / "phones.arpa").read_text(encoding="utf-8")
    assert text.startswith("\\data\\\nngram 1=5\nngram 2=")  # three phones, <s>, </s>
    assert text.endswith("\\end\\\n")
    again = PhoneNgram.load(tmp_path / "phones.arpa")
    assert (again.order, again.phones) == (3, PHONES)
    for context in itertools.product(PHONES, repeat=2):
        for word in (*PHONES, END):
            assert again.log_prob(word, context) == ngram.log_prob(word, context)


def test_an_arpa_file_of_another_tool(tmp_path):
    path = tmp_path / "other.arpa"
    path.write_text(
        "made by hand\n\n\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-1.0 <unk>\n-99 <s> -0.5\n-0.5 </s>\n"
        "-0.25 S -0.125\n\n\\2-grams:\n-0.1 <s> S\n\n\\end\\\n",
        encoding="utf-8",
    )
    ngram = PhoneNgram.load(path)
    assert ngram.log_prob("S", [START]) == pytest.approx(-0.1 * math.log(10))
    assert ngram.log_prob("S", ["S"]) == pytest.approx(-0.375 * math.log(10))  # backs off from S
    assert ngram.log_prob("AA", [START]) == pytest.approx(-1.5 * math.log(10))  # unknown, after <s>
    table = ngram.table(["S", "AA"])
    assert table.scores[table.start].tolist() == pytest.approx(
        [-0.1 * math.log(10), -1.5 * math.log(10), -math.log(10)]
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"bad.arpa: expected an n-gram of phones and </s>"),
        ("\\1-grams:\nmuch S\n", r"bad.arpa:2: not a line of 1-grams: 'much S'"),
        ("\\2-grams:\n-1 S\n", r"bad.arpa:2: not a line of 2-grams"),
        (b"\xff\xfe", "it is no UTF-8 text"),
    ],
)
def test_files_that_hold_no_ngram(tmp_path, content, message):
    path = tmp_path / "bad.arpa"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(PedkitError, match=message):
        PhoneNgram.load(path)


def test_what_cannot_be_trained():
    with pytest.raises(PedkitError, match="order of an n-gram to be 1 or more, but got 0"):
        PhoneNgram.trained(HEARD, phones=PHONES, order=0)
    with pytest.raises(PedkitError, match="at least one utterance to train"):
        PhoneNgram.trained([], phones=PHONES)
    with pytest.raises(PedkitError, match="is to have 3 phones, but not 'IY'"):
        PhoneNgram.trained([("S", "IY")], phones=PHONES)
