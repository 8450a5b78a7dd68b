"""Every symbol of four real recognizers is mapped, expanded, or dropped on purpose."""

import hashlib
import json
from pathlib import Path

import pytest

from pedkit.phones import Projector, merge_pairs_for

DATA = Path(__file__).with_name("data") / "vocabularies"
DIPHTHONGS = {("a", "ɪ"), ("a", "ʊ"), ("e", "ɪ"), ("o", "ʊ"), ("ɔ", "ɪ"), ("ə", "ʊ")}
AFFRICATES = {("t", "ʃ"), ("d", "ʒ")}
DROPPED_ON_PURPOSE = {"ʔ", "ʔʲ", "ʔ̞", "ʕ", "ʡ", "ʡ̆", "ʡʼ", "ʢ", "ʡ͡ʢ", "??", "<unk>"}
DISPUTED = {"i.", "u.", "a."}  # espeak symbols that public audits read differently


def vocabulary(name):
    content = json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))
    return content.get("tokens", content)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("espeak_cv_ft_vocab", 392),
        ("zipa_unigram_127", 127),
        ("multipa_full_vocab_ipa", 292),
        ("phoneticxeus_ipa_vocab", 428),
    ],
)
def test_every_token_is_accounted_for(name, size):
    tokens = list(vocabulary(name))
    assert len(tokens) == size
    projector = Projector("ipa")
    for token in tokens:
        result = projector([token])
        assert projector.reason(token) not in ("", "unknown symbol"), token
        assert not projector.reason(token).startswith("read in parts"), token
        if projector.reason(token) == "mark without a letter before it":
            assert projector(["a", token]).phones[0] == "AA", token
        elif result.dropped:
            assert token in DROPPED_ON_PURPOSE or token[:2] in DISPUTED, token
        else:
            assert (1 <= len(result.phones) <= 3) != bool(result.ignored), token


def test_espeak_vocabulary_is_the_published_one():
    content = (DATA / "espeak_cv_ft_vocab.json").read_bytes()
    published = "d732ab2456c0c017930001dc9af0b41b3b93d25b2eb9740bf9d925508d7d87d0"
    assert hashlib.sha256(content).hexdigest() == published


def test_both_normal_forms_of_a_token_are_the_same_phone():
    ids = vocabulary("espeak_cv_ft_vocab")
    assert ids["u\u0303"] != ids["\u0169"]
    assert Projector("ipa")(["u\u0303", "\u0169"]).phones == ("UW", "UW")


def test_pairs_that_each_vocabulary_forces_apart():
    assert merge_pairs_for(vocabulary("espeak_cv_ft_vocab")) == ()
    assert set(merge_pairs_for(vocabulary("zipa_unigram_127"))) == DIPHTHONGS | AFFRICATES
    assert set(merge_pairs_for(vocabulary("multipa_full_vocab_ipa"))) == DIPHTHONGS
    assert set(merge_pairs_for(vocabulary("phoneticxeus_ipa_vocab"))) == DIPHTHONGS
