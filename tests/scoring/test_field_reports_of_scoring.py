"""What went wrong for users of neighbouring projects; each row has its right answer worked out by hand."""

import csv
import io

import numpy as np
import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.scoring import (
    Counts,
    Diagnostics,
    Item,
    Scorer,
    ScoringSettings,
    display_width,
    pair_text,
    score_pairs,
    span,
)

CMU = ScoringSettings(inventory="cmu39")


def items(references, predictions):
    pairs = zip(references, predictions, strict=True)
    return [Item(str(k), None, tuple(r.split()), tuple(p.split())) for k, (r, p) in enumerate(pairs)]


def grid_types(c, u, p):
    [scored] = Scorer(CMU).score([Item("x", tuple(c.split()), tuple(u.split()), tuple(p.split()))])
    return scored


@pytest.mark.parametrize("batch_size", [1, 2])
def test_mean_of_ratios_is_impossible(batch_size):  # jitsi/jiwer 59
    settings = ScoringSettings(inventory="cmu39", batch_size=batch_size)
    counts = Scorer(settings).total(items(["AA B CH D", "EH"], ["AA B CH T", "IH"]))
    assert (counts.per.numerator, counts.per.denominator, counts.per.value) == (2, 5, 0.4)


def test_empty_references():  # jitsi/jiwer 98
    mixed = Scorer(CMU).total(items(["AA B", ""], ["AA B", "T"]))
    assert (mixed["insertions"], mixed["reference_phones"], mixed.per.value) == (1, 2, 0.5)
    nothing = Scorer(CMU).total(items([""], [""]))
    assert (nothing.per.numerator, nothing.per.value) == (0, None)
    only_insertions = Scorer(CMU).total(items([""], ["T IY S"]))
    assert (only_insertions["insertions"], only_insertions["reference_phones"]) == (3, 0)
    for rate in (only_insertions.per, only_insertions.pfer, only_insertions.soft_per):
        assert (rate.value, rate.reason) == (None, "no reference phones")


def test_input_types():  # huggingface/evaluate 152, facebookresearch/fairseq2 1411
    assert score_pairs("θ ɪ ŋ", ["θ ɪ ŋ"]).per.denominator == 3
    assert score_pairs("θ ɪ ŋ", ["θ ɪ ŋ"]).per.value == 0.0
    for container in (torch.tensor, np.array, list):
        counts = score_pairs([container([3, 7, 7, 2])], [container([3, 7, 2])])
        assert (counts.per.numerator, counts.per.denominator) == (1, 4)
        assert score_pairs(container([3, 7, 7, 2]), container([3, 7, 2])).per.value == 0.25
    with pytest.raises(PedkitError, match="got 2 references and 1 predictions"):
        score_pairs(["a", "b"], ["a"])


def test_ties_are_the_same_in_every_table():  # kaldi-asr/kaldi 4798, pzelasko/kaldialign 1
    scored = list(Scorer(CMU).score(items(["AA B", "T IY"], ["B AA", "T IY S"])))
    total = sum((one.counts for one in scored), Counts.zero())
    table = io.StringIO()
    writer = csv.writer(table)
    for one in scored:
        writer.writerows((one.id, *pair) for pair in one.alignment.pairs())
    types = [row[3] for row in csv.reader(io.StringIO(table.getvalue()))]
    assert (total["substitutions"], total["deletions"], total["insertions"]) == (0, 1, 2)
    assert [types.count(kind) for kind in ("sub", "del", "ins")] == [0, 1, 2]
    first, second = scored
    assert [first.counts[k] for k in ("substitutions", "deletions", "insertions")] == [0, 1, 1]
    assert [second.counts[k] for k in ("substitutions", "deletions", "insertions")] == [0, 0, 1]
    cells = [(c.reference, c.predicted, c.count) for c in Diagnostics([second.alignment]).confusions()]
    assert cells == [("IY", "IY", 1), ("T", "T", 1), (None, "S", 1)]


def test_feature_error_rate_is_divided_by_phones():  # dmort27/panphon 38
    counts = score_pairs([["tʰ", "d", "tʰ"]], [["t", "t", "t"]])
    assert counts["reference_phones"] == 3
    assert counts["feature_distance"] == 3 * 2  # one of 24 features each, in units of 1/48
    assert counts.pfer.value == 1 / 24


def test_look_alikes_are_equal():  # dmort27/panphon 18, phoible/dev 382
    references = ["ɡ ç ã", "n\u032a\u030a"]
    predictions = ["g c\u0327 a\u0303", "n\u030a\u032a"]
    counts = score_pairs(references, predictions)
    assert (counts.per.numerator, counts.per.denominator, counts["feature_unknown"]) == (0, 4, 0)


def test_printed_columns_line_up():  # jitsi/jiwer 92
    [scored] = Scorer(ScoringSettings(inventory="ipa")).score([Item("x", None, ("t͡ʃ", "iː", "z"), tuple("tʃiz"))])
    assert [scored.counts[k] for k in ("substitutions", "deletions", "insertions")] == [2, 0, 1]
    rows = pair_text(scored.alignment).splitlines()
    starts = []
    for row in rows:
        cells, position, inside = [], 0, False
        for character in row[11:]:
            if not character.isspace() and not inside:
                cells.append(position)
            inside, position = not character.isspace(), position + display_width(character)
        starts.append(cells)
    assert starts[0] == starts[1] == starts[2]
    assert sorted(rows[2].split()) == ["=", "I", "S", "S"]


def test_a_missing_last_sound_is_flagged():  # Azure-Samples/cognitive-services-speech-sdk 1511
    found = grid_types("B AH G Z", "B AH G", "B AH G")
    mdd = found.counts.mdd()
    assert (mdd.TA, mdd.by_type["CD_del"], mdd.rates()["f1"].value) == (3, 1, 1.0)
    assert span(found.alignment, 0, 4).flagged

    missed = grid_types("B AH G Z", "B AH G", "B AH G Z").counts.mdd()
    assert (missed.FA, missed.rates()["recall"].value, missed.rates()["f1"].value) == (1, 0.0, 0.0)

    false_alarm = grid_types("B AH G Z", "B AH G Z", "B AH G").counts.mdd()
    assert (false_alarm.TA, false_alarm.FR) == (3, 1)


def test_annotation_marks_of_speechocean():  # jimbozhang/speechocean762 10, 11
    # THREE: TH said as S, R marked R* (near-R), IY fine. The system hears S R IY: the named error is diagnosed,
    # the unnamed one missed.
    word = Item("three", ("TH", "R", "IY"), ("S", "R", "IY"), ("S", "R", "IY"), frozenset({1}))
    [scored] = Scorer(CMU).score([word])
    outcomes = [(column.outcome, column.type) for column in scored.alignment.columns]
    assert outcomes == [("CD", "sub"), ("FA", "sub"), ("TA", None)]
    [unknown] = Scorer(CMU).score([Item("x", ("R",), ("<unk>",), ("W",))])
    assert unknown.counts.mdd().DU == 1
    with pytest.raises(PedkitError, match=r"utterance 'bad'.*'DZ'"):
        list(Scorer(CMU).score([Item("good", None, ("R",), ("R",)), Item("bad", ("D",), ("DZ",), ("D",))]))


def test_two_inventories_called_39_do_not_mix():  # cageyoko/CTC-Attention-Mispronunciation 7
    with pytest.raises(PedkitError, match="inventory 'cmu39', but got 'dx'"):
        Scorer(CMU).total([Item("x", None, ("T",), ("dx",))])
