"""`PhoneNgram`: which phone follows which, with interpolated Witten-Bell smoothing, in ARPA files."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pedkit.data.atomic import write_text
from pedkit.errors import PedkitError

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NgramTable:
    """An n-gram as arrays, for a search.

    Attributes:
        scores: Natural log-probability of each phone, and in the last column of the end, by state, shape
            ``(states, phones + 1)``.
        following: State after each phone, shape ``(states, phones)``.
        start: State at the beginning of an utterance.
    """

    scores: NDArray[np.float64]
    following: NDArray[np.int64]
    start: int


class PhoneNgram:
    """A back-off n-gram over phones.

    Args:
        log10: N-gram -> its log10 probability, as ARPA files have it.
        backoff: Context -> its log10 back-off weight; contexts that are missing have 0.

    Attributes:
        order: Length of the longest n-gram.

    Raises:
        PedkitError: There is no end ``</s>`` or no phone.
    """

    def __init__(self, log10: Mapping[Gram, float], backoff: Mapping[Gram, float]) -> None:
        self._log10, self._backoff = dict(log10), dict(backoff)
        self.order = max((len(gram) for gram in self._log10), default=0)
        self.phones = tuple(g[0] for g in self._log10 if len(g) == 1 and g[0] not in (START, END, UNKNOWN))
        if (END,) not in self._log10 or not self.phones:
            raise PedkitError(f"expected an n-gram of phones and {END}, but one of them is missing")

    @classmethod
    def trained(cls, sequences: Iterable[Sequence[str]], *, phones: Collection[str], order: int = 3) -> PhoneNgram:
        """Estimate an n-gram with interpolated Witten-Bell smoothing.

        ``P(w | h) = (c(h w) + T(h) P(w | h')) / (c(h) + T(h))``, where c counts, T(h) is the number of different
        phones (or ends) after h, h' is h without its first phone, and below the unigrams all phones and the end
        are equally likely (Witten and Bell 1991, method C; interpolated as in Chen and Goodman 1999, section 2.5).

        Args:
            sequences: The phones of each utterance.
            phones: All phones that can come; the unseen ones get a share too.
            order: Length of the longest n-gram; 1 has no context.

        Raises:
            PedkitError: The order is below 1, there is no utterance, or one has a phone that is not in ``phones``.
        """
        if order < 1:
            raise PedkitError(f"expected the order of an n-gram to be 1 or more, but got {order}")
        counts = _counts(sequences, frozenset(phones), order)
        words = (*dict.fromkeys(phones), END)
        log10: dict[Gram, float] = {(START,): -99.0}
        backoff: dict[Gram, float] = {}
        probability: dict[Gram, float] = {}
        for context in sorted(counts, key=lambda context: (len(context), context)):
            after = counts[context]
            kinds, total = len(after), sum(after.values())
            for word in words if not context else after:
                lower = probability[(*context[1:], word)] if context else 1 / len(words)
                gram: Gram = (*context, word)
                probability[gram] = (after[word] + kinds * lower) / (total + kinds)
                log10[gram] = math.log10(probability[gram])
            if context:
                backoff[context] = math.log10(kinds / (total + kinds))
        return cls(log10, backoff)

    def log_prob(self, phone: str, context: Sequence[str] = ()) -> float:
        """Return the natural log-probability of a phone, or of ``</s>``, after a context.

        Raises:
            PedkitError: The n-gram has neither the phone nor ``<unk>``.
        """
        history = tuple(context)[max(0, len(context) - self.order + 1) :]
        weight = 0.0
        while (*history, phone) not in self._log10:
            if not history:
                return math.log(10) * (weight + self._unknown(phone))
            weight += self._backoff.get(history, 0.0)
            history = history[1:]
        return math.log(10) * (weight + self._log10[(*history, phone)])

    def perplexity(self, sequences: Iterable[Sequence[str]]) -> float:
        """Return the perplexity a phone, the ends counted as phones."""
        total, number = 0.0, 0
        for sequence in sequences:
            history: Gram = (START,)
            for word in (*sequence, END):
                total, number = total + self.log_prob(word, history), number + 1
                history = (*history, word)
        if not number:
            raise PedkitError("expected at least one utterance to measure the perplexity on, but got none")
        return math.exp(-total / number)

    def table(self, phones: Sequence[str]) -> NgramTable:
        """Return the n-gram as arrays over given phones.

        Raises:
            PedkitError: The n-gram has neither one of the phones nor ``<unk>``.
        """
        contexts = {g[:k] for g in self._log10 for k in range(len(g))} | {g for g in self._backoff if g}
        ordered = sorted((c for c in contexts if len(c) < self.order), key=lambda c: (len(c), c))
        state = {context: number for number, context in enumerate(ordered)}
        column = {word: number for number, word in enumerate((*phones, END))}
        scores = np.zeros((len(state), len(column)))
        following = np.zeros((len(state), len(phones)), dtype=np.int64)
        scores[0] = [self._log10[word,] if (word,) in self._log10 else self._unknown(word) for word in column]
        seen: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for gram, value in self._log10.items():
            if gram[-1] in column:
                seen[state[gram[:-1]]].append((column[gram[-1]], value))
        for context, number in state.items():  # from short to long: a row starts as the one it backs off to
            if context:
                shorter = _longest(context[1:], state)
                scores[number] = scores[shorter] + self._backoff.get(context, 0.0)
                following[number] = following[shorter]
            for word, place in column.items():
                if (*context, word) in state and word != END:
                    following[number, place] = state[*context, word]
            for place, value in seen[number]:
                scores[number, place] = value
        return NgramTable(scores * math.log(10), following, _longest((START,), state))

    def _unknown(self, phone: str) -> float:
        if (UNKNOWN,) not in self._log10:
            raise PedkitError(
                f"the n-gram knows {len(self.phones)} phones, but not {phone!r}",
                hint="train one on phones of the model's inventory: pedkit ngram",
            )
        return self._log10[UNKNOWN,]

    def digest(self) -> str:
        """Return the sha256 of all probabilities and back-off weights."""
        tables = sorted(self._log10.items()), sorted(self._backoff.items())
        return hashlib.sha256(repr(tables).encode()).hexdigest()

    def save(self, path: str | Path) -> None:
        """Write an ARPA file, as SRILM, KenLM and other tools read it."""
        grams = [[g for g in self._log10 if len(g) == n] for n in range(1, self.order + 1)]
        lines = ["\\data\\", *(f"ngram {n}={len(some)}" for n, some in enumerate(grams, start=1)), ""]
        for n, some in enumerate(grams, start=1):
            lines.append(f"\\{n}-grams:")
            for gram in sorted(some):
                weight = f"\t{self._backoff[gram]!r}" if gram in self._backoff else ""
                lines.append(f"{self._log10[gram]!r}\t{' '.join(gram)}{weight}")
            lines.append("")
        write_text(path, "\n".join([*lines, "\\end\\", ""]))

    @classmethod
    def load(cls, path: str | Path) -> PhoneNgram:
        """Read an ARPA file.

        Raises:
            PedkitError: The file is missing or holds no n-gram.
        """
        log10: dict[Gram, float] = {}
        backoff: dict[Gram, float] = {}
        order = 0
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no UTF-8 text"
            raise PedkitError(f"the n-gram cannot be read: {reason}", file=path) from None
        for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
            if line.startswith("\\"):
                order = int(line[1:-7]) if line.endswith("-grams:") and line[1:-7].isdecimal() else 0
            elif line and order:
                try:
                    value, *words = line.split()
                    gram = tuple(words[:order])
                    log10[gram] = float(value)
                    if len(words) > order:
                        backoff[gram] = float(words[order])
                    if len(gram) != order:
                        raise ValueError
                except ValueError:
                    raise PedkitError(f"not a line of {order}-grams: {line!r}", file=path, line=number) from None
        try:
            return cls(log10, backoff)
        except PedkitError as error:
            raise error.at(file=path) from None


def _counts(sequences: Iterable[Sequence[str]], phones: frozenset[str], order: int) -> dict[Gram, Counter[str]]:
    """Return context -> how often each phone, or the end, came after it."""
    counts: dict[Gram, Counter[str]] = defaultdict(Counter)
    for sequence in sequences:
        unknown = [phone for phone in sequence if phone not in phones]
        if unknown:
            raise PedkitError(f"the n-gram is to have {len(phones)} phones, but not {unknown[0]!r}")
        words = (START, *sequence, END)
        for place in range(1, len(words)):
            for length in range(min(order, place + 1)):
                counts[words[place - length : place]][words[place]] += 1
    if not counts:
        raise PedkitError("expected at least one utterance to train an n-gram on, but got none")
    return counts


def _longest(context: Gram, state: Mapping[Gram, int]) -> int:
    """Return the state of the longest end of a context that is one."""
    while context not in state:
        context = context[1:]
    return state[context]
