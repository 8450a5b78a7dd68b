"""The one evaluator: PER, PFER, Soft PER and MDD from one aligner. Counts first, rates last.

Importing this package is cheap; the compiled kernels are loaded when the first batch is scored.
"""

from pedkit.scoring.alignment import Alignment, Column, Pair
from pedkit.scoring.counts import Counts
from pedkit.scoring.fields import FIELDS, OUTCOME_FIELDS
from pedkit.scoring.item import Item
from pedkit.scoring.mdd import PROFILES, MddCounts
from pedkit.scoring.rate import Rate
from pedkit.scoring.scorer import Scored, Scorer
from pedkit.scoring.settings import ScoringSettings
from pedkit.scoring.symbols import GAP, UNUSABLE_PHONES

__all__ = [
    "FIELDS",
    "GAP",
    "OUTCOME_FIELDS",
    "PROFILES",
    "UNUSABLE_PHONES",
    "Alignment",
    "Column",
    "Counts",
    "Item",
    "MddCounts",
    "Pair",
    "Rate",
    "Scored",
    "Scorer",
    "ScoringSettings",
]
