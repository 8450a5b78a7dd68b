from __future__ import annotations

import math

import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.models import PhoneVocabulary
from pedkit.models.articulatory import ArticulatoryHeads, feature_values

WIDTH = 6


def test_features_of_three_phones_by_hand():
    # panphon: voice - for s and +  for z and i; syl + for i; high + for i, 0 nowhere among these three.
    names, values = feature_values(PhoneVocabulary(["S", "Z", "IY"], "cmu39"))
    table = {name: [values[phone][k] for phone in (1, 2, 3)] for k, name in enumerate(names)}
    assert table["voi"] == [(1,), (3,), (3,)]
    assert table["syl"] == [(1,), (1,), (3,)]
    assert table["hi"] == [(1,), (1,), (3,)]
    assert "nas" not in table  # none of them is nasal


def test_a_diphthong_has_two_values_where_its_targets_differ():
    names, values = feature_values(PhoneVocabulary(["AY", "AA", "S"], "cmu39"))
    assert values[1][names.index("hi")] == (1, 3)
    assert values[1][names.index("syl")] in {(3,), (3, 1)}
    assert values[2][names.index("hi")] == (1,)


def test_an_own_symbol_that_shares_a_name_with_a_spelt_phone_has_its_own_values():
    ids = {"t": 1, "d": 2, "z": 3}
    spelt = PhoneVocabulary.of_ids(ids, "ipa", spellings={"t": "d"})
    assert feature_values(spelt) == feature_values(PhoneVocabulary.of_ids(ids, "ipa"))


def test_the_whole_inventory_has_features(vocabulary):
    names, values = feature_values(vocabulary)
    assert len(values) == 39
    assert len(names) == len(set(names)) == len(next(iter(values.values())))
    assert {"syl", "son", "voi", "nas", "hi", "lo", "back", "round"} <= set(names)
    assert "hitone" not in names  # tones are no part of English phones
    assert len({tuple(v) for v in values.values()}) > 36  # they tell nearly all phones apart


def test_the_loss_by_hand():
    # S and Z differ in voice alone: one feature. All logits 0: blank, - and + have 1/3 each (0 does not occur).
    heads = ArticulatoryHeads(PhoneVocabulary(["S", "Z"], "cmu39"), WIDTH)
    assert heads.features == ("voi",)
    torch.nn.init.zeros_(heads.heads.weight)
    torch.nn.init.zeros_(heads.heads.bias)
    # Two frames, S: of the nine paths S_, _S and SS collapse to -.
    loss = heads(torch.randn(1, 2, WIDTH), torch.tensor([2]), [[1]])
    assert loss.item() == pytest.approx(-math.log(3 / 9))
    # S Z: of nine paths one is -+; the loss is per value.
    loss = heads(torch.randn(1, 2, WIDTH), torch.tensor([2]), [[1, 2]])
    assert loss.item() == pytest.approx(-math.log(1 / 9) / 2)
    # S S needs three frames: the pair is left out, and nothing is left.
    assert heads(torch.randn(1, 2, WIDTH), torch.tensor([2]), [[1, 1]]).item() == 0.0


def test_it_is_the_mean_of_one_ctc_loss_a_feature(vocabulary):
    torch.manual_seed(0)
    heads = ArticulatoryHeads(vocabulary, WIDTH)
    hidden, frames = torch.randn(2, 30, WIDTH, requires_grad=True), torch.tensor([30, 22])
    labels = [[1, 15, 15, 30], [7, 2]]
    loss = heads(hidden, frames, labels)
    _, values = feature_values(vocabulary)
    logits = heads.heads(hidden).reshape(2, 30, len(heads.features), 4)
    expected = []
    for feature in range(len(heads.features)):
        possible = [0, *(k for k in (1, 2, 3) if heads.possible[feature, k])]
        log_probs = logits[:, :, feature, possible].log_softmax(-1).transpose(0, 1)
        for row, ids in enumerate(labels):
            targets = [possible.index(v) for phone in ids for v in values[phone][feature]]
            one = torch.nn.functional.ctc_loss(
                log_probs[:, row : row + 1], torch.tensor([targets]), frames[row : row + 1],
                torch.tensor([len(targets)]), reduction="sum",
            )  # fmt: skip
            expected.append(one / len(targets))
    torch.testing.assert_close(loss, torch.stack(expected).mean())
    loss.backward()
    assert torch.isfinite(hidden.grad).all()


def test_phones_that_panphon_does_not_know_add_nothing():
    vocabulary = PhoneVocabulary.of_ids({"s": 4, "z": 5, "5": 6}, "ipa", size=7)
    names, values = feature_values(vocabulary)
    assert (names, values) == (("voi",), {4: ((1,),), 5: ((3,),), 6: ((),)})
    hidden, frames = torch.randn(1, 5, WIDTH), torch.tensor([5])
    heads = ArticulatoryHeads(vocabulary, WIDTH)
    assert torch.equal(heads(hidden, frames, [[4, 6, 5]]), heads(hidden, frames, [[4, 5]]))


def test_inventories_without_features():
    with pytest.raises(PedkitError, match=r"articulatory features, cmu39 or ipa, but got 'timit39'"):
        ArticulatoryHeads(PhoneVocabulary.of_inventory("timit39"), WIDTH)
    with pytest.raises(PedkitError, match="no articulatory feature tells the 1 phones of the vocabulary apart"):
        ArticulatoryHeads(PhoneVocabulary(["S"], "cmu39"), WIDTH)
