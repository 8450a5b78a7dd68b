"""From an automaton over bytes to one over the tokens of any byte-level BPE tokenizer."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from pedkit.errors import PedkitError
from pedkit.models.language.answer_grammar import ByteAutomaton

_SAMPLE = '{"transcription": "t͡ʃ ə˞ ŋ"}'


@cache
def byte_characters() -> dict[str, int]:
    """Return the characters by which byte-level BPE vocabularies write bytes (GPT-2's ``bytes_to_unicode``)."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in printable]
    shifted = {chr(256 + place): byte for place, byte in enumerate(others)}
    return {chr(byte): byte for byte in printable} | shifted


def token_bytes(tokenizer: Any, alphabet: bytes | None = None) -> dict[int, bytes]:
    """Return the bytes of each token, special tokens left out.

    Args:
        tokenizer: A tokenizer of transformers over a byte-level BPE vocabulary.
        alphabet: Only tokens made of these bytes, which is faster.

    Raises:
        PedkitError: The vocabulary is no byte-level one.
    """
    try:
        added = tokenizer.added_tokens_decoder
    except (AttributeError, NotImplementedError):  # mistral-common shows its bytes only as text, with losses
        raise _no_bytes(tokenizer, "shows no bytes of its tokens") from None
    found = _vocabulary_bytes(tokenizer.get_vocab(), added, alphabet)
    for number, token in added.items():
        if not token.special:
            found[number] = token.content.encode()
    _check(tokenizer)
    return found


def _vocabulary_bytes(
    vocabulary: dict[str, int], added: dict[int, Any], alphabet: bytes | None
) -> dict[int, bytes]:
    table = byte_characters()
    characters = [c for c, byte in table.items() if alphabet is None or byte in alphabet]
    made_of = re.compile(f"[{re.escape(''.join(characters))}]+")
    return {
        number: bytes([table[character] for character in token])
        for token, number in vocabulary.items()
        if number not in added and made_of.fullmatch(token)
    }


def _check(tokenizer: Any) -> None:
    """Check on a sample that the bytes of tokens, joined, are the text."""
    names = tokenizer.convert_ids_to_tokens(tokenizer(_SAMPLE, add_special_tokens=False)["input_ids"])
    table = byte_characters()
    joined = bytes([table.get(character, 0) for name in names for character in name])
    if joined != _SAMPLE.encode():
        raise _no_bytes(tokenizer, f"cuts {_SAMPLE!r} into {' '.join(map(str, names[:8]))!r}")


def _no_bytes(tokenizer: Any, what: str) -> PedkitError:
    return PedkitError(
        f"expected a byte-level BPE tokenizer for constrained decoding, but {type(tokenizer).__name__} {what}",
        hint="leave constrained decoding off for this model",
    )


class TokenAutomaton:
    """Which tokens may follow in which state, and where they lead.

    Only tokens after which an answer can still be completed are admitted.

    Args:
        grammar: The automaton over bytes.
        tokens: Token id -> its bytes.

    Attributes:
        following: State -> token id -> next state.
        final: States in which an answer may end.

    Raises:
        PedkitError: No answer can be written with these tokens.
    """

    def __init__(self, grammar: ByteAutomaton, tokens: dict[int, bytes]) -> None:
        reached = _reached(grammar, tokens)
        alive = _alive(reached, grammar.final)
        if 0 not in alive:
            raise PedkitError("the tokenizer has no tokens for the answers that constrained decoding admits")
        self.final = frozenset(grammar.final)
        self.following = [
            {token: state for token, state in tokens_of.items() if state in alive} for tokens_of in reached
        ]


def _reached(grammar: ByteAutomaton, tokens: dict[int, bytes]) -> list[dict[int, int]]:
    """Return state -> token -> state after it. The beginnings that tokens share are walked once."""
    reached: list[dict[int, int]] = [{} for _ in grammar.edges]
    after = {b"": {state: state for state in range(len(grammar.edges))}}
    for number, text in tokens.items():
        for end in range(1, len(text) + 1):
            beginning = text[:end]
            if beginning not in after:
                before, byte = after[text[: end - 1]], text[end - 1]
                after[beginning] = {
                    start: grammar.edges[state][byte]
                    for start, state in before.items()
                    if byte in grammar.edges[state]
                }
            if not after[beginning]:
                break
        else:
            for start, state in after[text].items():
                reached[start][number] = state
    return reached


def _alive(reached: list[dict[int, int]], final: set[int]) -> set[int]:
    """Return the states from which a final state can be reached by tokens."""
    before: dict[int, set[int]] = {}
    for state, tokens in enumerate(reached):
        for following in tokens.values():
            before.setdefault(following, set()).add(state)
    alive, fresh = set(final), list(final)
    while fresh:
        new = before.get(fresh.pop(), set()) - alive
        alive |= new
        fresh += new
    return alive
