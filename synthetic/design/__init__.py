"""What is to be said: words, typed errors, and the plan of a whole set."""

from synthetic.design.cast import Cast
from synthetic.design.item import DesignItem, DesignWord
from synthetic.design.operations import Deletion, Edited, Insertion, Operation, Substitution
from synthetic.design.plan import Design, Refusal, draw_design
from synthetic.design.settings import SPLITS, DesignSettings
from synthetic.design.sources import ErrorSource, NeighbourSource, UniformSource

__all__ = [
    "SPLITS",
    "Cast",
    "Deletion",
    "Design",
    "DesignItem",
    "DesignSettings",
    "DesignWord",
    "Edited",
    "ErrorSource",
    "Insertion",
    "NeighbourSource",
    "Operation",
    "Refusal",
    "Substitution",
    "UniformSource",
    "draw_design",
]
