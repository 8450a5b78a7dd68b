"""From what a language model wrote to phones: rules that never raise."""

from pedkit.models.answers.answer import Answer
from pedkit.models.answers.parse import parse_answer

__all__ = ["Answer", "parse_answer"]
