"""Projection of recognizer symbols onto an inventory, one token to a sequence of phones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from pedkit.errors import PedkitError
from pedkit.phones.ipa import tokenize_ipa
from pedkit.phones.lookup import make_lookup
from pedkit.phones.policy import DEFAULT_POLICY, ProjectionPolicy
from pedkit.phones.projection_table import Entry
from pedkit.phones.sequence import IpaJoiner, Joined, merge_closures
from pedkit.phones.timit import RELEASES

#: Tokens remembered before starting afresh; a vocabulary has a few hundred, only endless nonsense reaches this.
MEMO_LIMIT = 100_000


@dataclass(frozen=True, slots=True)
class Projected:
    """One projected sequence.

    Attributes:
        phones: The phones in the target inventory.
        dropped: Source symbols that stood for a sound and became no phone.
        ignored: Source symbols that are no sound: boundaries, silence, special tokens of a model.
        unknown: Symbols kept among ``phones`` although no table knows them (target ``ipa`` only).
    """

    phones: tuple[str, ...]
    dropped: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


class Trace(NamedTuple):
    """Where the tokens of a sequence went.

    Attributes:
        spans: ``[start, end)`` of the phones that a token became or became part of, one a token; empty where it
            was dropped.
        boundaries: Place of the boundary before each token, and of the end of the sequence: a word over the tokens
            ``[i, j)`` is one over the phones ``[boundaries[i], boundaries[j])``, and neighbours never overlap.
    """

    spans: tuple[tuple[int, int], ...]
    boundaries: tuple[int, ...]


class Projector:
    """Turns symbols of one inventory into phones of another; what is lost is listed.

    Every token is looked up once and remembered. Lone marks (``ː``, ``ʰ``, ``˞``) belong to the letter before.

    Args:
        source: An inventory name, or ``arpabet`` for ARPAbet in either case, with or without stress digits.
        target: An inventory name.
        policy: The choices for ambiguous classes of symbols.
        merge_pairs: Pairs of IPA letters that the recognizer can only write as two tokens, to be read as one
            phone; see ``merge_pairs_for``. All other token boundaries are trusted: ``t``, ``ʃ`` stay two phones.

    Raises:
        PedkitError: There is no projection between the two inventories.
    """

    def __init__(
        self,
        source: str,
        target: str = "cmu39",
        policy: ProjectionPolicy = DEFAULT_POLICY,
        merge_pairs: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.source, self.target, self.policy = source, target, policy
        self._look_up = make_lookup(source, target, policy)
        self._joiner = IpaJoiner(merge_pairs) if source == "ipa" else None
        self._merges_closures = (
            source in ("timit61", "arpabet") and target == "cmu39" and policy.closures == "merge"
        )
        self._entries: dict[str, Entry] = {}
        self._phones: dict[str, tuple[str, ...]] = {}  # the entries that lose nothing: the fast way
        self._ignored: set[str] = set()
        self._joined: set[str] = set()

    def __call__(self, tokens: Sequence[str]) -> Projected:
        """Project one sequence.

        Args:
            tokens: Symbols. A plain string is taken as flat IPA text (``tokenize_ipa``), or as symbols separated
                by white space for the other sources.

        Raises:
            PedkitError: A token is not a non-empty string, or is outside a closed source inventory.
        """
        if isinstance(tokens, str):
            tokens = tokenize_ipa(tokens) if self.source == "ipa" else tokens.split()
        if len(self._entries) > MEMO_LIMIT:
            self._forget()
        self._learn_all(tokens)
        if not self._joined.isdisjoint(tokens):
            tokens = self._join(tokens).tokens
            self._learn_all(tokens)
        phones: list[str] = []
        lossy: list[str] = []
        fast = self._phones
        for token in tokens:
            if token in fast:
                phones += fast[token]
            else:
                phones += self._entries[token].phones
                lossy.append(token)
        return self._with_losses(phones, lossy) if lossy else Projected(tuple(phones))

    def trace(self, tokens: Sequence[str]) -> Trace:
        """Return where each token of a list went, so that whatever points at tokens can follow them.

        Raises:
            PedkitError: As when the tokens are projected.
        """
        self._learn_all(tokens)
        joined, owners = self._join(tokens)
        self._learn_all(joined)
        edges = [0, *accumulate(len(self._entries[token].phones) for token in joined)]
        spans = tuple((edges[owner], edges[owner + 1]) for owner in owners)
        # A mark comes after the letter that it is part of, a closure before the release that stands for both.
        late = [self._joiner is not None and owners.index(owner) < k for k, owner in enumerate(owners)]
        starts = (end if behind else start for (start, end), behind in zip(spans, late, strict=True))
        return Trace(spans, (*starts, edges[-1]))

    def reason(self, token: str) -> str:
        """Return why a token becomes what it becomes, in words."""
        self._learn_all((token,))
        return self._entries[token].reason

    def _with_losses(self, phones: list[str], lossy: list[str]) -> Projected:
        entries = self._entries
        return Projected(
            tuple(phones),
            dropped=tuple(symbol for token in lossy for symbol in entries[token].dropped),
            ignored=tuple(token for token in lossy if entries[token].ignored),
            unknown=tuple(token for token in lossy if entries[token].unknown),
        )

    def _join(self, tokens: Sequence[str]) -> Joined:
        if self._joined.isdisjoint(tokens):
            return Joined(list(tokens), list(range(len(tokens))))
        return merge_closures(tokens) if self._joiner is None else self._joiner.join(tokens, self._ignored)

    def _forget(self) -> None:
        for memo in (self._entries, self._phones, self._ignored, self._joined):
            memo.clear()

    def _learn_all(self, tokens: Iterable[str]) -> None:
        try:
            new = [token for token in tokens if token not in self._entries]
        except TypeError:
            raise PedkitError(f"expected a sequence of phones (strings), but got {tokens!r}") from None
        for token in new:
            self._learn(token)

    def _learn(self, token: str) -> None:
        if not isinstance(token, str) or not token:
            raise PedkitError(f"expected every phone to be a non-empty string, but got {token!r}")
        entry = self._entries[token] = self._look_up(token)
        if entry.ignored:
            self._ignored.add(token)
        elif not entry.dropped and not entry.unknown:
            self._phones[token] = entry.phones
        if self._joiner is not None:
            joins = self._joiner.concerns(token)
        else:
            joins = self._merges_closures and token.lower() in RELEASES
        if joins:
            self._joined.add(token)
