import itertools

import pytest

from pedkit.errors import PedkitError
from pedkit.scoring import Item, Scorer, ScoringSettings

GOOD = Item("good", ("T",), ("T",), ("T",))


def fails(item, match, **settings):
    scorer = Scorer(ScoringSettings(**{"inventory": "cmu39", "soft_preset": "none"} | settings))
    with pytest.raises(PedkitError, match=match):
        list(scorer.score([GOOD, item]))


@pytest.mark.parametrize(
    ("item", "match"),
    [
        (Item("u2", ("T",), ("T",), ("QQ",)), r"utterance 'u2': 'predicted': expected phones .*'QQ'"),
        (Item("u2", ("T",), ("",), ("T",)), r"utterance 'u2': 'realized': .*''"),
        (Item("u2", (None,), ("T",), ("T",)), r"utterance 'u2': 'canonical': .*None.*phones are strings"),
        (Item("u2", ("T",), (float("nan"),), ("T",)), r"utterance 'u2': 'realized': .*nan"),
        (
            Item("u2", ("T",), (["T"],), ("T",)),
            r"utterance 'u2': expected each phone of 'realized' to be a string",
        ),
        (Item("u2", ("T",), ("T",), ("-",)), r"utterance 'u2'.*'-'"),
        (Item("u2", ("T",), ("T",), "T"), r"utterance 'u2': expected 'predicted' to be a list.*split a string"),
        (Item("u2", ("T",), {"T": 1}, ("T",)), r"utterance 'u2': expected 'realized' to be a list"),
        (Item("u2", ("T",), ("T",), None), r"utterance 'u2': expected 'predicted' to be a list.*None"),
        (Item("u2", ("T",), None, ("T",)), r"utterance 'u2': expected 'realized' phones.*per_reference=canonical"),
        (Item("u2", None, None, ("T",)), r"utterance 'u2': expected 'realized' phones, but there are none$"),
        (Item("u2", ("<unk>",), ("T",), ("T",)), r"utterance 'u2'.*'canonical'"),
        (Item("u2", ("T",), ("T",), ("T",), frozenset({1})), r"utterance 'u2'.*'flags'.*1 canonical.*got 1"),
        (Item("u2", ("T",), ("T",), ("T",), frozenset({"0"})), r"utterance 'u2'.*'flags'.*got '0'"),
        (Item("u2", ("T",) * 9000, ("T",), ("T",)), r"utterance 'u2'.*at most 8192 phones, but got 9000"),
        (Item("good", ("T",), ("T",), ("T",)), r"utterance 'good'.*each id once"),
    ],
    ids=itertools.count(),
)
def test_mistakes_name_the_utterance(item, match):
    fails(item, match)


def test_the_gap_is_no_phone_of_the_open_inventory():
    fails(Item("u2", None, ("T",), ("-",)), r"utterance 'u2'.*'-'", inventory="ipa")
    fails(Item("u2", None, ("T",), ("a b",)), r"utterance 'u2'.*'a b'", inventory="ipa")


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({"inventory": "cmu40"}, "cmu40"),
        ({"inventory": "cmu39", "profile": "best"}, "'profile'"),
        ({"inventory": "cmu39", "tie": "random"}, "'tie'"),
        ({"inventory": "cmu39", "per_reference": "text"}, "'per_reference'"),
        ({"inventory": "cmu39", "soft_cost": 2.0}, "soft_cost"),
        ({"inventory": "cmu39", "batch_size": 0}, "batch_size"),
    ],
)
def test_settings_are_checked(values, match):
    with pytest.raises(PedkitError, match=match):
        ScoringSettings(**values)


def test_settings_are_written_without_what_changes_nothing():
    written = ScoringSettings(inventory="cmu39", batch_size=7).to_json()
    assert "batch_size" not in written
    assert (written["inventory"], written["profile"], written["tie"], written["u_aware"]) == (
        "cmu39", "full", "phonetic", True,
    )  # fmt: skip


def test_scoring_is_streamed():
    drawn = []

    def items():
        for k in range(10):
            drawn.append(k)
            yield Item(str(k), ("T",), ("T",), ("T",))

    scores = Scorer(ScoringSettings(inventory="cmu39", batch_size=3)).score(items())
    assert next(scores).id == "0"
    assert drawn == [0, 1, 2]
    assert [scored.id for scored in scores] == [str(k) for k in range(1, 10)]


def test_judged_and_unjudged_utterances_in_one_batch():
    scorer = Scorer(ScoringSettings(inventory="cmu39", per_reference="canonical"))
    items = [Item("a", ("T", "IY"), None, ("T", "IH")), Item("b", ("T", "IY"), ("T", "IH"), ("T", "IH", "S"))]
    first, second = scorer.score(items)
    assert [tuple(column) for column in first.alignment.columns] == [
        ("T", None, "T", None, None),
        ("IY", None, "IH", None, "sub"),
    ]
    assert (first.counts["mdd_utterances"], sum(first.counts.mdd().by_type.values())) == (0, 0)
    assert [column.outcome for column in second.alignment.columns] == ["TA", "CD", "FR"]
    assert (second.counts.per.numerator, second.counts.per.denominator) == (2, 2)


def test_an_utterance_without_canonical_shows_its_pairs():
    [scored] = Scorer(ScoringSettings(inventory="cmu39")).score([Item("a", None, ("T", "IY"), ("T",))])
    assert [tuple(column) for column in scored.alignment.columns] == [
        (None, "T", "T", None, None),
        (None, "IY", None, None, "del"),
    ]
    with pytest.raises(ValueError, match="'cost'"):
        scored.alignment.pairs("hard")


def test_an_open_inventory_grows_over_batches():
    scorer = Scorer(ScoringSettings(inventory="ipa", batch_size=1))
    first, second = scorer.score([Item("a", None, ("t",), ("d",)), Item("b", None, ("ø", "☃"), ("o", "t"))])
    assert first.counts["feature_distance"] == 2  # voicing, one of 24 features
    assert second.counts["feature_unknown"] == 1
    assert second.counts["substitutions"] == 2
    assert [pair.reference for pair in first.alignment.pairs()] == ["t"]
    fresh = Scorer(ScoringSettings(inventory="ipa")).total([Item("b", None, ("ø", "☃"), ("o", "t"))])
    assert fresh == second.counts


def test_timit_inventories_have_features_through_their_spelling():
    [scored] = Scorer(ScoringSettings(inventory="timit61")).score([Item("a", None, ("t", "iy"), ("d", "iy"))])
    assert scored.counts["feature_distance"] == 2
