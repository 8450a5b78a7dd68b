"""What is to be said: words, typed errors, and the plan of a whole set."""

from synthetic.design.asking import Refusal
from synthetic.design.cast import Cast
from synthetic.design.config import read_design_settings
from synthetic.design.confusion_source import ConfusionSource
from synthetic.design.embedding import Carriers
from synthetic.design.error_settings import ErrorSettings
from synthetic.design.estimated_source import EstimatedSource
from synthetic.design.item import DesignItem, DesignWord
from synthetic.design.listed_texts import read_lexicon
from synthetic.design.operations import Deletion, Edited, Insertion, Operation, Substitution
from synthetic.design.pattern_source import PatternSource
from synthetic.design.plan import Design, draw_design
from synthetic.design.settings import SPLITS, Addition, DesignSettings
from synthetic.design.sources import ErrorSource, NeighbourSource, UniformSource
from synthetic.design.where import Where
from synthetic.design.word_settings import WordSettings

__all__ = [
    "SPLITS",
    "Addition",
    "Carriers",
    "Cast",
    "ConfusionSource",
    "Deletion",
    "Design",
    "DesignItem",
    "DesignSettings",
    "DesignWord",
    "Edited",
    "ErrorSettings",
    "ErrorSource",
    "EstimatedSource",
    "Insertion",
    "NeighbourSource",
    "Operation",
    "PatternSource",
    "Refusal",
    "Substitution",
    "UniformSource",
    "Where",
    "WordSettings",
    "draw_design",
    "read_design_settings",
    "read_lexicon",
]
