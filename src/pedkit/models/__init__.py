"""Models that are trained: CTC encoders with their vocabularies, audio language models, a LightningModule each."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pedkit.models.beam_search import BeamDecoder
    from pedkit.models.collapse import ctc_collapse
    from pedkit.models.ctc_module import CtcModule
    from pedkit.models.decoding import GreedyDecoder
    from pedkit.models.encoder import CtcEncoder
    from pedkit.models.hub_phones import hub_vocabulary
    from pedkit.models.language.module import AudioLanguageModule
    from pedkit.models.loading import pretrained_encoder, random_encoder
    from pedkit.models.ngram import PhoneNgram
    from pedkit.models.vocabulary import PhoneVocabulary

_LAZY = {
    "AudioLanguageModule": "language.module",
    "BeamDecoder": "beam_search",
    "CtcEncoder": "encoder",
    "CtcModule": "ctc_module",
    "GreedyDecoder": "decoding",
    "PhoneNgram": "ngram",
    "PhoneVocabulary": "vocabulary",
    "ctc_collapse": "collapse",
    "hub_vocabulary": "hub_phones",
    "pretrained_encoder": "loading",
    "random_encoder": "loading",
}

__all__ = [
    "AudioLanguageModule",
    "BeamDecoder",
    "CtcEncoder",
    "CtcModule",
    "GreedyDecoder",
    "PhoneNgram",
    "PhoneVocabulary",
    "ctc_collapse",
    "hub_vocabulary",
    "pretrained_encoder",
    "random_encoder",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(f"pedkit.models.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'pedkit.models' has no attribute {name!r}")
