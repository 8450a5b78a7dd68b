"""`AnswerConstraint`: decoding in which only answers over the inventory can be written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import LogitsProcessor

from pedkit.errors import PedkitError
from pedkit.models.answers.parse import KEY
from pedkit.models.language.answer_grammar import answer_automaton
from pedkit.models.language.token_automaton import TokenAutomaton, token_bytes
from pedkit.phones import ARPABET_TO_IPA


class AnswerConstraint(LogitsProcessor):  # type: ignore[misc]
    """Admits only the tokens by which ``{"transcription": "θ ɪ ŋ k"}`` can go on, for use in ``generate``.

    A greedy answer that is valid already stays what it is: every token of it is admitted, whichever way the
    tokenizer cuts it, and masking other tokens cannot make another one the most likely. Where the object is
    complete, only white space and an end token are admitted. Rows of a batch are independent; one object serves
    any number of calls of ``generate``, greedy, sampled or with beams.

    Args:
        tokenizer: A tokenizer of transformers over a byte-level BPE vocabulary.
        inventory: Inventory of the phones.
        end_ids: Token ids that end an answer.
        key: Key of the answer's object.

    Raises:
        PedkitError: The tokenizer is no byte-level one, there is no end token, or the inventory is another one.
    """

    def __init__(
        self, tokenizer: Any, inventory: str = "cmu39", end_ids: Sequence[int] = (), key: str = KEY
    ) -> None:
        if inventory != "cmu39":
            raise PedkitError(f"constrained decoding is for the inventory 'cmu39', but got {inventory!r}")
        if not end_ids:
            raise PedkitError("constrained decoding needs the ids of the tokens that end an answer, but got none")
        self.inventory, self.end_ids = inventory, tuple(end_ids)
        grammar = answer_automaton(ARPABET_TO_IPA.values(), key)
        self._automaton = TokenAutomaton(grammar, token_bytes(tokenizer, grammar.alphabet))
        self._ended = len(grammar.edges)
        self._admitted = self._table()
        self._prompt = self._seen = torch.empty(0, 0, dtype=torch.long)
        self._states: list[int] = []

    def __repr__(self) -> str:
        return f"AnswerConstraint({self.inventory})"

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """Return the scores with those of tokens that are not admitted at minus infinity.

        Args:
            input_ids: Prompt and answer so far, shape ``(rows, tokens)``.
            scores: Logits or log-probabilities of the next token, shape ``(rows, vocabulary)``.

        Raises:
            PedkitError: The answer so far is none that was admitted: another processor wrote into it.
        """
        self._follow(input_ids)
        admitted = self._fitting(scores)[torch.tensor(self._states, device=scores.device)]
        return scores.masked_fill(~admitted, -torch.inf)

    def _follow(self, input_ids: Tensor) -> None:
        """Bring the state of each row up to date with what it has written."""
        prompt = self._prompt.shape[1]
        goes_on = (
            (len(input_ids), input_ids.device) == (len(self._prompt), self._prompt.device)
            and input_ids.shape[1] > self._seen.shape[1]
            and torch.equal(input_ids[:, :prompt], self._prompt)
        )
        if not goes_on:  # a new call of generate: everything so far is its prompt
            self._prompt, self._states = input_ids, [0] * len(input_ids)
        else:
            seen = self._seen.shape[1]
            if not torch.equal(input_ids[:, :seen], self._seen):  # beams change places
                seen, self._states = prompt, [0] * len(input_ids)
            written = input_ids[:, seen:].tolist()
            self._states = [self._after(*row) for row in zip(self._states, written, strict=True)]
        self._seen = input_ids

    def _after(self, state: int, tokens: Sequence[int]) -> int:
        for token in tokens:
            if state == self._ended or (token in self.end_ids and state in self._automaton.final):
                return self._ended
            following = self._automaton.following[state].get(token)
            if following is None:
                raise PedkitError(f"constrained decoding met the token {token}, which it does not admit there")
            state = following
        return state

    def _table(self) -> Tensor:
        """Return which tokens each state admits, shape ``(states, vocabulary)``."""
        following = self._automaton.following
        width = 1 + max(*self.end_ids, *(token for tokens in following for token in tokens))
        table = torch.zeros(len(following) + 1, width, dtype=torch.bool)
        for state, tokens in enumerate(following):
            table[state, list(tokens)] = True
        for state in (*self._automaton.final, self._ended):
            table[state, list(self.end_ids)] = True
        return table

    def _fitting(self, scores: Tensor) -> Tensor:
        """Return the table on the device of the scores and as wide as they are (models pad their vocabulary)."""
        width = scores.shape[1]
        if self._admitted.device != scores.device or self._admitted.shape[1] != width:
            missing = max(0, width - self._admitted.shape[1])
            self._admitted = torch.nn.functional.pad(self._admitted, (0, missing))[:, :width].to(scores.device)
        return self._admitted
