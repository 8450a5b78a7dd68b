import random
from collections import Counter

import pytest

from pedkit.data.manifest import write_manifest
from pedkit.data.utterance import Utterance, Word
from pedkit.errors import PedkitError
from pedkit.phones import Lexicon, get_inventory, strip_stress
from synthetic.design import (
    Deletion,
    ErrorSettings,
    EstimatedSource,
    Insertion,
    PatternSource,
    Substitution,
    draw_design,
)
from synthetic.design.drawing import ErrorDrawer
from synthetic.design.error_counts import NOTHING, ErrorCounts, Surroundings
from synthetic.design.text import Text

INITIAL, FINAL, MEDIAL = Surroundings("#", "V"), Surroundings("V", "#"), Surroundings("C", "C")


def obey(_engine, request):
    return request.phones


def said(number, canonical, realized, words=()):
    return Utterance(
        id=f"u{number}",
        inventory="cmu39",
        canonical=tuple(canonical.split()),
        realized=tuple(realized.split()),
        words=tuple(Word(*word) for word in words),
    )


@pytest.fixture
def manifest(tmp_path):
    """``cat`` right, as ``tat``, with an S behind, and without T; then ``cat tat`` for ``cat cat``, two words."""
    path = tmp_path / "said.jsonl"
    utterances = [
        said(1, "K AE T", "K AE T"),
        said(2, "K AE T", "T AE T"),
        said(3, "K AE T", "K AE T S"),
        said(4, "K AE T", "K AE"),
        said(5, "K AE T K AE T", "K AE T T AE T", [("cat", 0, 3), ("cat", 3, 6)]),
        Utterance(id="u6", inventory="cmu39", canonical=("K",)),  # nobody listened
    ]
    write_manifest(path, utterances)
    return str(path)


def test_counts_by_hand(manifest):
    counts = ErrorCounts.of_manifest(manifest)
    assert counts.utterances == 5
    assert counts.said == {
        ("K", INITIAL, "K"): 4,
        ("K", INITIAL, "T"): 2,
        ("AE", MEDIAL, "AE"): 6,
        ("T", FINAL, "T"): 5,
        ("T", FINAL, NOTHING): 1,
    }
    # Six words with four places each; one phone behind the last.
    assert counts.inserted == {
        (Surroundings("#", "C"), NOTHING): 6,
        (Surroundings("C", "V"), NOTHING): 6,
        (Surroundings("V", "C"), NOTHING): 6,
        (Surroundings("C", "#"), NOTHING): 5,
        (Surroundings("C", "#"), "S"): 1,
    }


def test_without_smoothing_rates_are_frequencies(manifest):
    source = EstimatedSource(manifest, smoothing=0)
    assert source.rate("K", INITIAL, "T") == pytest.approx(2 / 6)
    assert source.rate("K", INITIAL, "G") == 0
    assert source.rate("T", FINAL, NOTHING) == pytest.approx(1 / 6)
    assert source.insertion_rate(Surroundings("C", "#"), "S") == pytest.approx(1 / 6)
    # Surroundings that never occurred take the rate of the phone anywhere, a phone that never occurred the overall
    # one: 2 substitutions in 18 phones, over the 23 other consonants.
    assert source.rate("K", FINAL, "T") == pytest.approx(2 / 6)
    assert source.rate("Z", FINAL, "S") == pytest.approx(2 / 18 / 23)
    assert source.rate("Z", FINAL, NOTHING) == pytest.approx(1 / 18)
    assert source.rate("Z", FINAL, "IY") == 0


def test_smoothed_rates_by_hand(manifest):
    source = EstimatedSource(manifest, smoothing=2)
    # P0 = 2/18/23; P(T|K) = (2 + 2 P0) / (6 + 2); then the same once more, for K is always initial here.
    prior = 2 / 18 / 23
    wider = (2 + 2 * prior) / 8
    assert source.rate("K", INITIAL, "T") == pytest.approx((2 + 2 * wider) / 8)
    assert source.rate("K", FINAL, "T") == pytest.approx(wider)
    # 24 places, one insertion: P(S) = (1 + 2 / (39 * 24)) / 26.
    anywhere = (1 + 2 / (39 * 24)) / 26
    assert source.insertion_rate(Surroundings("C", "#"), "S") == pytest.approx((1 + 2 * anywhere) / 8)
    # Rates of one phone add up to 1 with what is said right.
    cmu39 = get_inventory("cmu39")
    others = [phone for phone in cmu39.phones if phone not in cmu39.vowels and phone != "K"]
    right = (4 + 2 * (4 + 2 * (1 - 3 / 18)) / 8) / 8
    total = sum(source.rate("K", INITIAL, phone) for phone in [*others, NOTHING])
    assert total + right == pytest.approx(1)


def test_operations_have_the_rates_of_their_surroundings(manifest):
    source = EstimatedSource(manifest, smoothing=0)
    cat = ("K", "AE1", "T")
    # T for K stays apart from T at the end: AE1 lies between.
    assert source.operations("substitution", cat) == [(Substitution(0, "K", "T"), pytest.approx(2 / 6))]
    assert source.operations("deletion", cat) == [(Deletion(2, "T"), pytest.approx(1 / 6))]
    assert source.operations("insertion", cat) == [(Insertion(3, "S"), pytest.approx(1 / 6))]
    assert source.label(Deletion(2, "T"), cat) == source.name == "estimated"


def test_drawn_errors_come_as_often_as_in_the_population(manifest):
    source = EstimatedSource(manifest, smoothing=0)
    lexicon = Lexicon({"cat": ["K AE1 T"]})
    drawer = ErrorDrawer(ErrorSettings(rate="source"), lexicon, source)
    text, rng = Text("cat", (("cat", ("K", "AE1", "T")),)), random.Random(1)
    drawn = Counter()
    for _ in range(6000):
        drawn.update(str(placed.operation) for placed in drawer.draw_by_rate(text, rng))
    # Standard errors: 0.006 and 0.005. The insertion and the deletion at the end touch, and the earlier place
    # comes first: S stands only where T stayed.
    assert drawn["sub@0:K>T"] / 6000 == pytest.approx(2 / 6, abs=0.03)
    assert drawn["del@2:T"] / 6000 == pytest.approx(1 / 6, abs=0.025)
    assert drawn["ins@3:S"] / 6000 == pytest.approx(5 / 6 * 1 / 6, abs=0.025)
    assert set(drawn) == {"sub@0:K>T", "del@2:T", "ins@3:S"}


def test_a_design_estimated_from_a_population_has_its_errors(tmp_path, design_settings, cmudict):
    """Rates learned from 800 words of children, and the errors of 1,600 other words drawn by these rates."""
    sizes = {"train": 800, "dev": 0, "test_seen": 0, "test_unseen": 0}
    children = PatternSource(["child"], ["stopping", "velar fronting", "gliding", "epenthesis"])
    spoken = draw_design(design_settings(sizes=sizes, operations=None), cmudict, children, obey).items
    path = tmp_path / "population.jsonl"
    write_manifest(
        path,
        (
            said(k, " ".join(strip_stress(item.canonical)), " ".join(strip_stress(item.realized)))
            for k, item in enumerate(spoken)
        ),
    )
    settings = design_settings(sizes={**sizes, "train": 1600}, seed=8, rate="source", operations=None)
    drawn = draw_design(settings, cmudict, EstimatedSource(str(path), smoothing=0), obey).items

    def shares(items):
        errors = Counter(
            str(o).split("@")[0] + str(o).split(":")[1].rstrip("012") for i in items for o in i.operations
        )
        return {name: number / sum(len(i.canonical) for i in items) for name, number in errors.items()}

    before, after = shares(spoken), shares(drawn)
    # 400 errors in about 4,600 phones, and about 800 in 9,200: standard error of the difference 0.005.
    assert sum(after.values()) == pytest.approx(sum(before.values()), abs=0.02)
    # Half of the summed differences of the shares: 0 for the same distribution, 1 for another one; sampling alone
    # gives about 0.1 for these numbers and some 20 errors.
    apart = sum(abs(after.get(name, 0) - before.get(name, 0)) for name in before | after) / 2
    assert apart / sum(before.values()) < 0.25
    assert set(after) <= set(before)


def test_other_inventories_are_projected(tmp_path):
    path = tmp_path / "ipa.jsonl"
    write_manifest(path, [Utterance(id="u", inventory="ipa", canonical=("θ", "ɪ"), realized=("s", "ɪ"))])
    counts = ErrorCounts.of_manifest(path)
    assert counts.said == {("TH", INITIAL, "S"): 1, ("IH", Surroundings("C", "#"), "IH"): 1}


def test_sounds_of_unknown_identity_are_not_counted(tmp_path):
    path = tmp_path / "unknown.jsonl"
    write_manifest(path, [said(1, "K AE T", "<unk> AE T err")])
    counts = ErrorCounts.of_manifest(path)
    assert ("AE", MEDIAL, "AE") in counts.said
    assert not any(phone == "K" for phone, _, _ in counts.said)
    assert {phone for _, phone in counts.inserted} == {NOTHING}


def test_a_manifest_without_realized_phones_and_a_smoothing_below_zero(tmp_path, manifest):
    path = tmp_path / "nobody.jsonl"
    write_manifest(path, [Utterance(id="u", inventory="cmu39", canonical=("K",))])
    with pytest.raises(
        PedkitError, match=r"nobody\.jsonl: expected a manifest with canonical and realized phones"
    ):
        EstimatedSource(str(path))
    with pytest.raises(PedkitError, match="smoothing to be 0 or more, but got -1"):
        EstimatedSource(manifest, smoothing=-1)
