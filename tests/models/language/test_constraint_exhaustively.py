"""Every sequence of tokens of a tiny vocabulary, and every short answer over the whole inventory."""

import itertools
import json

import pytest

from pedkit.models.answers import parse_answer
from pedkit.models.language.answer_grammar import answer_automaton
from pedkit.models.language.token_automaton import TokenAutomaton
from pedkit.phones import ARPABET_TO_IPA

SOME = ("t", "t͡ʃ", "ə˞", "θ")
TIED = "t͡ʃ".encode()
ENDS = ['{"transcription', "{", '": "', '":', ' "', '"', '"}', "}", " ", "\n"]
PIECES = [*ENDS, " t", "θ", "ə˞", 'ə˞ θ"}', "t t", "x"]
TOKENS = [*(piece.encode() for piece in PIECES), TIED[:1], TIED[:2], TIED[1:3], TIED[2:], TIED[3:]]


def test_every_admitted_sequence_of_up_to_eight_tokens_is_an_answer_or_can_become_one():
    automaton = TokenAutomaton(answer_automaton(SOME, "transcription"), dict(enumerate(TOKENS)))
    found, front = set(), {(0, b"")}
    for _ in range(8):
        front = {
            (after, text + TOKENS[token])
            for state, text in front
            for token, after in automaton.following[state].items()
        }
        assert all(state in automaton.final or automaton.following[state] for state, _ in front)
        found |= {text.decode() for state, text in front if state in automaton.final}
    assert len(found) > 500
    for text in found:
        answer = parse_answer(text)
        value = json.loads(text)["transcription"]
        assert answer.outcome == "json", text
        assert " ".join(ARPABET_TO_IPA[phone] for phone in answer.phones) == value, text
        assert set(value.split()) <= set(SOME), text
    values = {json.loads(text)["transcription"] for text in found}
    assert values >= {" ".join(phones) for n in range(3) for phones in itertools.product(SOME, repeat=n)}


@pytest.mark.parametrize("key", ["transcription", 'say "it"', "back\\slash", "Lautschrift für 1", "two\nlines"])
def test_every_short_answer_over_the_inventory_is_admitted_under_any_key(key):
    grammar = answer_automaton(ARPABET_TO_IPA.values(), key)
    phones = list(ARPABET_TO_IPA.values())
    for length in range(3 if key == "transcription" else 2):
        for chosen in itertools.product(phones, repeat=length):
            content = {key: " ".join(chosen)}
            for form in ({}, {"indent": 2}, {"separators": (",", ":")}):
                text = json.dumps(content, ensure_ascii=False, **form)
                assert grammar.accepts(text), text
                assert not grammar.accepts(text[:-1])
                assert parse_answer(text, key=key).status == ("ok" if chosen else "empty")
