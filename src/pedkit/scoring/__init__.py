"""The one evaluator: PER, PFER, Soft PER and MDD from one aligner. Counts first, rates last.

Importing this package is cheap; the compiled kernels are loaded when the first batch is scored.
"""

from pedkit.scoring.agreement import Agreement
from pedkit.scoring.alignment import Alignment
from pedkit.scoring.counts import Counts
from pedkit.scoring.diagnostics import CanonicalPhone, Confusion, Diagnostics
from pedkit.scoring.fields import FIELDS, OUTCOME_FIELDS
from pedkit.scoring.inventory_f1 import InventoryScore, inventory_f1, macro_inventory_f1
from pedkit.scoring.item import Item
from pedkit.scoring.mdd import PROFILES, MddCounts
from pedkit.scoring.pairs import edit_counts, score_pairs
from pedkit.scoring.rate import Rate
from pedkit.scoring.reference_rows import REFERENCE_ROWS, reference_prediction
from pedkit.scoring.scorer import Scored, Scorer
from pedkit.scoring.settings import ScoringSettings
from pedkit.scoring.spans import Span, WordDecisions, span
from pedkit.scoring.text import display_width, grid_text, pair_text
from pedkit.scoring.views import Column, Pair

__all__ = [
    "FIELDS",
    "OUTCOME_FIELDS",
    "PROFILES",
    "REFERENCE_ROWS",
    "Agreement",
    "Alignment",
    "CanonicalPhone",
    "Column",
    "Confusion",
    "Counts",
    "Diagnostics",
    "InventoryScore",
    "Item",
    "MddCounts",
    "Pair",
    "Rate",
    "Scored",
    "Scorer",
    "ScoringSettings",
    "Span",
    "WordDecisions",
    "display_width",
    "edit_counts",
    "grid_text",
    "inventory_f1",
    "macro_inventory_f1",
    "pair_text",
    "reference_prediction",
    "score_pairs",
    "span",
]
