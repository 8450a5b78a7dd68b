"""`Scorer`: items in, counts and alignments out, in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from pedkit.errors import PedkitError
from pedkit.phones import get_inventory
from pedkit.scoring.alignment import Alignment
from pedkit.scoring.costs import CostTables
from pedkit.scoring.counts import Counts
from pedkit.scoring.detection import Said
from pedkit.scoring.encode import Encoded, encode_batch
from pedkit.scoring.fields import FIELDS
from pedkit.scoring.item import Item
from pedkit.scoring.pipeline import ScoredBatch, score_batch
from pedkit.scoring.reference_rows import reference_prediction
from pedkit.scoring.settings import ScoringSettings
from pedkit.scoring.symbols import SymbolTable
from pedkit.scoring.views import BatchViews, ColumnMaker


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of one utterance.

    Attributes:
        id: Its name.
        counts: Its counts.
        alignment: Its columns. It refers to the arrays of its batch, so keep only as many as memory holds.
    """

    id: str
    counts: Counts
    alignment: Alignment


class Scorer:
    """Scores utterances under one set of settings.

    Args:
        settings: What to compare with what, and how.
        references: Trivial systems to score beside the predictions (`reference_rows.REFERENCE_ROWS`).

    Attributes:
        references: Trivial system -> its counts on all utterances scored so far. It vanishes at the first one of
            which nobody can say what it would hear.

    Example:
        >>> scorer = Scorer(ScoringSettings(inventory="cmu39"))
        >>> item = Item("u1", canonical=("TH", "IH"), realized=("S", "IH"), predicted=("S", "IH"))
        >>> [scored] = scorer.score([item])
        >>> scored.counts.mdd().CD, scored.counts.per.value
        (1, 0.0)
    """

    def __init__(self, settings: ScoringSettings, references: Iterable[str] = ()) -> None:
        self.settings = settings
        self.references = {row: Counts.zero() for row in references}
        self._symbols = SymbolTable(get_inventory(settings.inventory))
        self._tables = CostTables(settings, self._symbols)
        self._maker = ColumnMaker(self._symbols.symbols)

    @property
    def soft_coverage(self) -> int:
        """Number of pairs of phones that Soft PER knows for the language (`pedkit.phones.SoftPhones.coverage`)."""
        return self._tables.soft_coverage

    def score(self, items: Iterable[Item]) -> Iterator[Scored]:
        """Yield the score of each utterance, in order.

        Raises:
            PedkitError: An item cannot be scored (`encode.encode_batch`) or an id comes twice; the error names
                the utterance, and everything before its batch has been yielded.
        """
        for batch in self._batches(items):
            views = BatchViews(batch, self._maker)
            for k, item in enumerate(batch.encoded.items):
                yield Scored(item.id, Counts(batch.counts[k]), Alignment(views, k))

    def total(self, items: Iterable[Item]) -> Counts:
        """Return the summed counts of all utterances.

        Raises:
            PedkitError: As `score`.
        """
        vector = np.zeros(len(FIELDS), dtype=np.int64)
        for batch in self._batches(items):
            vector += batch.counts.sum(axis=0)
        return Counts(vector)

    def _batches(self, items: Iterable[Item]) -> Iterator[ScoredBatch]:
        seen: set[str] = set()
        stream = iter(items)
        while batch := list(islice(stream, self.settings.batch_size)):
            for item in batch:
                if item.id in seen:
                    raise PedkitError("expected each id once, but this one came before", utterance=item.id)
                seen.add(item.id)
            encoded = encode_batch(batch, self._symbols, self.settings.per_reference)
            self._tables.refresh()
            scored = score_batch(encoded, self._tables, self.settings)
            self._score_references(encoded, scored.detection.said)
            yield scored

    def _score_references(self, encoded: Encoded, said: Said) -> None:
        for row in list(self.references):
            heard = [reference_prediction(item, row) for item in encoded.items]
            known = [phones for phones in heard if phones is not None]
            if len(known) < len(heard):
                del self.references[row]
                continue
            batch = score_batch(encoded.hearing(known, self._symbols), self._tables, self.settings, said)
            self.references[row] += Counts(batch.counts.sum(axis=0))
