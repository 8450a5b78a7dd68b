"""The normalisation of IPA of the bias study (arXiv 2606.11639), one function for references and predictions.

The study names its steps (special tokens, white space, stress, symbol variants, cutting into phones), but its
Table 3, which lists them, is not public. This is a **reconstruction**; numbers made with it say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pedkit.phones.ipa import TIE, is_boundary, normalize_ipa, tokenize_ipa

NORMALISATION = "bias study (reconstruction)"
"""How references and reports name this normalisation."""

_SPECIAL_TOKEN = re.compile(
    r"<[^<>]*>"  # <pad>, <s>, <unk>, <laugh>
    r"|\[[A-Z_]+\]"  # [PAD], [UNK], [SIL]
    r"|\([a-z]{2,3}(?:-[a-z]+)?\)"  # (en), (fr-fr): espeak's marks of a change of language
    r"|\bWORD_BOUNDARY\b|\bPHONE_BOUNDARY\b"  # G2P+
)
_VARIANTS = str.maketrans({TIE: None, "ᵻ": "ɨ", "ᵿ": "ʉ"})


def bias_study_phones(phones: str | Sequence[str]) -> tuple[str, ...]:
    """Return IPA phones in the normal form in which the bias study's references and predictions are compared.

    1. Special tokens go: ``<unk>``, ``[PAD]``, ``WORD_BOUNDARY``, espeak's ``(en)``.
    2. White space, word boundaries, stress marks and syllable dots go. So do the borders between tokens, because
       recognizers cut differently (``t ʃ`` or ``tʃ``) and a prediction has no words.
    3. Symbol variants become one: `normalize_ipa` (look-alike letters, ligatures, composed and decomposed marks),
       no tie bars (``t͡ʃ`` is ``tʃ``), espeak's ``ᵻ ᵿ`` are ``ɨ ʉ``. Length, nasality, aspiration and other marks
       stay: they contrast in some of the eleven languages.
    4. What is left is cut into phones: a letter and its marks; the English affricates and diphthongs are one phone
       each (`tokenize_ipa`).

    Args:
        phones: Flat IPA text, or the tokens of a recognizer.
    """
    text = phones if isinstance(phones, str) else " ".join(phones)
    form = normalize_ipa(_SPECIAL_TOKEN.sub(" ", text)).translate(_VARIANTS)
    return tokenize_ipa("".join(character for character in form if not is_boundary(character)))
