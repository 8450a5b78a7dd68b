"""Word error rates of texts that other toolkits wrote, by group: ``evaluate.py metric=wer``."""

from pedkit.evaluation.words.result import WordEvaluation
from pedkit.evaluation.words.score import score_words
from pedkit.evaluation.words.settings import WORD_KEYS, WordSettings

__all__ = ["WORD_KEYS", "WordEvaluation", "WordSettings", "score_words"]
