"""Constrained decoding: exactly the answers of the grammar, by whatever tokens; valid greedy answers unchanged."""

from __future__ import annotations

import random
import re

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    LogitsProcessor,
    LogitsProcessorList,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
)

from pedkit.errors import PedkitError
from pedkit.models.answers import parse_answer
from pedkit.models.language.answer_grammar import answer_automaton
from pedkit.models.language.constrained import AnswerConstraint
from pedkit.models.language.token_automaton import TokenAutomaton, byte_characters, token_bytes
from pedkit.phones import ARPABET_TO_IPA, get_inventory

PHONES = get_inventory("cmu39").phones
GRAMMAR = answer_automaton(ARPABET_TO_IPA.values(), "transcription")
_PHONE = "|".join(map(re.escape, sorted(ARPABET_TO_IPA.values(), key=len, reverse=True)))
_BLANK = r"(?: |\n {0,8})?"
# The same language by another means.
EXPRESSION = re.compile(
    rf'\{{{_BLANK}"transcription"{_BLANK}:{_BLANK}"(?:(?:{_PHONE})(?: (?:{_PHONE}))*)?"{_BLANK}\}}{_BLANK}'
)


def _answers(number: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    lines = [" ".join(ARPABET_TO_IPA[p] for p in rng.choices(PHONES, k=rng.randint(1, 12))) for _ in range(number)]
    return [f'{{"transcription": "{line}"}}' for line in lines]


@pytest.fixture(scope="module", params=["words apart", "across blanks"])
def tokenizer(request):
    """A byte-level BPE; trained across blanks, its tokens straddle the borders of phones and of characters."""
    bare = Tokenizer(models.BPE())
    bare.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=request.param == "words apart")
    bare.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=600, initial_alphabet=alphabet, special_tokens=["<|pad|>", "<|end|>"], show_progress=False
    )
    bare.train_from_iterator([*_answers(60, seed=0), "He said: think of a cat. " * 3], trainer)
    return PreTrainedTokenizerFast(tokenizer_object=bare, pad_token="<|pad|>", eos_token="<|end|>")


@pytest.fixture(scope="module")
def constraint(tokenizer):
    return AnswerConstraint(tokenizer, "cmu39", (tokenizer.eos_token_id,))


def _admitted(constraint, prompt, written, width):
    ids = torch.tensor([prompt + written])
    return set(constraint(ids, torch.zeros(1, width))[0].isfinite().nonzero()[:, 0].tolist())


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ('{"transcription": "t͡ʃ ə˞ t"}', True),
        ('{"transcription": ""}', True),
        ('{\n  "transcription":"aɪ"\n}\n', True),
        ('{"transcription": "t "}', False),
        ('{"transcription": "t  t"}', False),
        ('{"transcription": "tʃ"}', False),  # one phone needs its tie bar
        ('{"transcription": "a"}', False),  # only the beginning of a phone
        ('{"transcription": "r"}', False),
        ('{"transcription": "t"', False),
        ('{"transcription": "t"}}', False),
        ('{"phones": "t"}', False),
        ('{  "transcription": "t"}', False),
    ],
)
def test_the_grammar(text, accepted):
    assert GRAMMAR.accepts(text) is accepted
    assert bool(EXPRESSION.fullmatch(text)) is accepted


def test_the_grammar_is_that_of_the_expression_on_mutated_answers():
    rng = random.Random(1)
    accepted = 0
    for answer in _answers(2000, seed=2):
        place = rng.randrange(len(answer))
        text = (
            answer[:place]
            + rng.choice(["", " ", "\n", "t", "͡", "ʃ", '"', "}"])
            + answer[place + rng.randint(0, 1) :]
        )
        assert GRAMMAR.accepts(text) is bool(EXPRESSION.fullmatch(text)), text
        accepted += GRAMMAR.accepts(text)
    assert 100 < accepted < 1900


def test_tokens_are_known_by_their_bytes(tokenizer):
    found = token_bytes(tokenizer)
    assert len(found) == len(tokenizer) - 2  # no special tokens
    text = "ə˞ t͡ʃ «ß» 12\n"
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    assert b"".join(found[number] for number in ids) == text.encode()
    assert len(byte_characters()) == 256


def test_some_tokens_straddle_the_borders_of_phones_and_characters(tokenizer, request):
    """The cases that masks over whole phones get wrong."""
    found = token_bytes(tokenizer).values()
    assert any(token.startswith(b" ") and len(token) > 2 for token in found)  # a blank and a phone
    assert any(token[0] > 127 and GRAMMAR.run(b'{"transcription": "' + token) is None for token in found)
    if "across blanks" in request.node.name:
        assert any(b'"}' in token and token[0] > 127 for token in found)  # half a character and the object's end


def test_exactly_those_tokens_are_admitted_that_can_be_completed(tokenizer, constraint):
    """Every state met on random walks, every token of the vocabulary, against the automaton over bytes."""
    texts, rng, width = token_bytes(tokenizer), random.Random(3), len(tokenizer)
    for walk in range(12):
        written, said, state, prompt = [], b"", 0, [5, 6, walk]
        for _ in range(30):
            admitted = _admitted(constraint, prompt, written, width)
            expected = {number for number, text in texts.items() if GRAMMAR.run(text, state) is not None}
            if state in GRAMMAR.final:
                expected.add(tokenizer.eos_token_id)
            assert admitted == expected
            token = rng.choice(sorted(admitted))
            if token == tokenizer.eos_token_id:
                assert EXPRESSION.fullmatch(said.decode())
                assert parse_answer(said.decode()).outcome == "json"
                break
            written.append(token)
            said += texts[token]
            state = GRAMMAR.run(texts[token], state)


def test_every_token_of_a_valid_answer_is_admitted(tokenizer, constraint):
    end = tokenizer.eos_token_id
    for answer in ['{"transcription": ""}', *_answers(15, seed=4)]:
        ids = [*tokenizer(answer, add_special_tokens=False)["input_ids"], end]
        for place, token in enumerate(ids):
            assert token in _admitted(constraint, [9, 9], ids[:place], len(tokenizer))
        assert _admitted(constraint, [9, 9], ids, len(tokenizer)) == {end}  # a row that ended


class _Wants(LogitsProcessor):
    """Stands for a model that has learnt: its logits want one token after the other."""

    def __init__(self, prompt, wanted):
        self.prompt, self.wanted = prompt, wanted

    def __call__(self, input_ids, scores):
        place = input_ids.shape[1] - self.prompt
        for row, ids in enumerate(self.wanted):
            scores[row, ids[min(place, len(ids) - 1)]] += 100
        return scores


@pytest.fixture(scope="module")
def model(tokenizer):
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 1}
    config = Qwen2Config(vocab_size=len(tokenizer) + 40, num_key_value_heads=1, **sizes)  # padded, as real ones
    return Qwen2ForCausalLM(config).eval()


def _generate(model, tokenizer, ids, *processors, tokens=40, **how):
    how = {"do_sample": False, "num_beams": 1} | how
    out = model.generate(
        input_ids=ids, attention_mask=(ids != tokenizer.pad_token_id).long(), max_new_tokens=tokens,
        logits_processor=LogitsProcessorList(processors), eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id, **how,
    )  # fmt: skip
    return tokenizer.batch_decode(out[:, ids.shape[1] :], skip_special_tokens=True)


def test_a_valid_greedy_answer_is_unchanged_in_a_batch_of_unequal_ones(tokenizer, constraint, model):
    answers = ['{"transcription": "ə˞"}', '{\n "transcription": "t t͡ʃ aɪ t"\n}\n']
    wanted = [[*tokenizer(answer)["input_ids"], tokenizer.eos_token_id] for answer in answers]
    prompts = torch.tensor([[0, 0, 7, 8], [7, 8, 9, 10]])  # padded on the left
    wants = _Wants(4, wanted)
    assert _generate(model, tokenizer, prompts, wants) == answers
    assert _generate(model, tokenizer, prompts, wants, constraint) == answers


def test_an_untrained_model_can_only_write_phones(tokenizer, constraint, model):
    prompts = torch.tensor([[0, 0, 7, 8], [7, 8, 9, 10], [3, 4, 5, 6]])
    for seed, how in enumerate([{}, {"do_sample": True, "temperature": 2.0}, {"num_beams": 3}]):
        torch.manual_seed(seed)
        for text in _generate(model, tokenizer, prompts, constraint, tokens=60, **how):
            answer = parse_answer(text, cut_off=True)
            assert answer.inventory == "cmu39"
            assert not answer.left_out
            assert answer.outcome in ("json", "json+recovered", "cut_off")
            assert GRAMMAR.run(text.encode()) is not None or "\N{REPLACEMENT CHARACTER}" in text


def test_a_new_call_begins_anew_whatever_its_length(tokenizer, constraint):
    width, opening = len(tokenizer), set(tokenizer("{", add_special_tokens=False)["input_ids"])
    brace = next(iter(opening))
    assert brace in _admitted(constraint, [5, 6], [], width)
    assert brace not in _admitted(constraint, [5, 6], [brace], width)
    assert brace in _admitted(constraint, [5, 7, 8, 9], [], width)  # longer, but another prompt
    assert brace in _admitted(constraint, [5], [], width)
    assert brace in _admitted(constraint, [5], [], width)  # the same again


def test_beams_that_change_places_keep_their_states(tokenizer, constraint):
    """At the last step each row goes on from what the other one had written."""
    numbers = {text: number for number, text in token_bytes(tokenizer).items()}
    brace, blank, line, quote = (numbers[text] for text in (b"{", b" ", b"\n", b'"'))
    scores = torch.zeros(2, len(tokenizer))
    for rows in ([[7], [7]], [[7, brace]] * 2, [[7, brace, blank], [7, brace, line]]):
        constraint(torch.tensor(rows), scores)
    swapped = constraint(torch.tensor([[7, brace, line, blank], [7, brace, blank, quote]]), scores)
    letter = numbers[b"t"]
    assert swapped[0, [blank, quote, letter]].isfinite().tolist() == [True, True, False]
    assert swapped[1, [blank, quote, letter]].isfinite().tolist() == [False, False, True]


def test_what_was_forced_from_outside_is_named(tokenizer, constraint):
    (letter,) = tokenizer("H", add_special_tokens=False)["input_ids"]
    with pytest.raises(PedkitError, match=rf"the token {letter}, which it does not admit"):
        _admitted(constraint, [5], [], len(tokenizer)) and _admitted(constraint, [5], [letter], len(tokenizer))


def test_added_phones_are_tokens_too(tokenizer):
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_str(tokenizer.backend_tokenizer.to_str()), eos_token="<|end|>"
    )
    tokenizer.add_tokens(["d͡ʒ"])
    number = tokenizer.convert_tokens_to_ids("d͡ʒ")
    constraint = AnswerConstraint(tokenizer, "cmu39", (tokenizer.eos_token_id,))
    written = tokenizer('{"transcription": "', add_special_tokens=False)["input_ids"]
    assert number in _admitted(constraint, [5], [], len(tokenizer)) | _walk(
        constraint, [5], written, len(tokenizer)
    )


def _walk(constraint, prompt, written, width):
    for place in range(len(written) + 1):
        last = _admitted(constraint, prompt, written[:place], width)
    return last


def test_tokens_that_lead_nowhere_are_not_admitted():
    """A vocabulary without the letter that would have to follow is left out from where it cannot go on."""
    grammar = answer_automaton(["ab", "c"], "k")
    tokens = {0: b'{"k":"', 1: b"a", 2: b"c", 3: b'"}', 4: b"c "}
    automaton = TokenAutomaton(grammar, tokens)
    assert list(automaton.following[0]) == [0]
    assert set(automaton.following[automaton.following[0][0]]) == {2, 3, 4}  # nothing can follow a
    with pytest.raises(PedkitError, match="has no tokens for the answers"):
        TokenAutomaton(grammar, {0: b'{"k":"'})


def test_settings_that_cannot_be(tokenizer):
    with pytest.raises(PedkitError, match="ids of the tokens that end an answer"):
        AnswerConstraint(tokenizer, "cmu39", ())
    with pytest.raises(PedkitError, match="for the inventory 'cmu39', but got 'timit61'"):
        AnswerConstraint(tokenizer, "timit61", (1,))
    words = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.WordLevel({"a": 0, "<unk>": 1}, unk_token="<unk>")), eos_token="a"
    )
    with pytest.raises(PedkitError, match="expected a byte-level BPE tokenizer"):
        AnswerConstraint(words, "cmu39", (1,))
    with pytest.raises(PedkitError, match="object shows no bytes of its tokens"):
        AnswerConstraint(object(), "cmu39", (1,))
