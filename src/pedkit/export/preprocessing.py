"""How audio gets into an exported model and phones out of it, as files of transformers."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from pedkit.models.encoder import CtcEncoder
from pedkit.models.families import FILTER_BANK
from pedkit.models.vocabulary import PhoneVocabulary

BLANK = "<pad>"


def write_feature_extractor(folder: Path, encoder: CtcEncoder) -> None:
    """Write ``preprocessor_config.json``, by which ``AutoFeatureExtractor`` does what pedkit's front end does."""
    if encoder.model_type in FILTER_BANK:
        from transformers import SeamlessM4TFeatureExtractor

        stride = 2
        bins = encoder.model.config.feature_projection_input_dim // stride
        extractor = SeamlessM4TFeatureExtractor(
            feature_size=bins, num_mel_bins=bins, sampling_rate=encoder.sample_rate, stride=stride
        )
    else:
        from transformers import Wav2Vec2FeatureExtractor

        extractor = Wav2Vec2FeatureExtractor(
            sampling_rate=encoder.sample_rate,
            do_normalize=bool(encoder.front_end.normalize),
            return_attention_mask=encoder.batch_invariant,
        )
    extractor.save_pretrained(folder)


def write_tokenizer(folder: Path, vocabulary: PhoneVocabulary) -> None:
    """Write ``vocab.json`` and ``tokenizer_config.json``; transformers then decodes ids to phones.

    It groups equal neighbours first and drops blanks second, as CTC asks for, unless ``skip_special_tokens`` is
    set: then two equal phones with a blank between them become one.
    """
    from transformers import Wav2Vec2PhonemeCTCTokenizer

    table = {BLANK: vocabulary.blank}
    for number in range(vocabulary.size):
        if number != vocabulary.blank:
            table[vocabulary.phone(number) or f"<unused{number}>"] = number
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "vocab.json"
        file.write_text(json.dumps(table, ensure_ascii=False), encoding="utf-8")
        tokenizer = Wav2Vec2PhonemeCTCTokenizer(
            str(file), do_phonemize=False, phone_delimiter_token=" ", word_delimiter_token=None,
            pad_token=BLANK, unk_token=BLANK, bos_token=None, eos_token=None,
        )  # fmt: skip
    tokenizer.save_pretrained(folder)
