"""F1 of phone inventories and agreement of two annotators in scores.json, worked out by hand."""

import pytest

from pedkit.evaluation.score import score


@pytest.fixture
def two_languages(write):
    lines = [
        {"id": "d1", "language": "deu", "realized": "t a d a"},
        {"id": "d2", "language": "deu", "realized": "t a k"},
        {"id": "s1", "language": "spa", "realized": "p a"},
        {"id": "x1", "language": "ita", "realized": "m a"},
    ]
    heard = {"d1": "t a t a", "d2": "t a ɡ", "s1": "p a", "x1": ""}
    manifest = write("m.jsonl", [{"inventory": "ipa"} | line for line in lines])
    return write("p.jsonl", [{"id": name, "phones": phones} for name, phones in heard.items()]), manifest


def test_inventories_are_compared_by_language(two_languages):
    predictions, manifest = two_languages
    result = score(predictions=predictions, manifest=manifest, projection="none").to_json()["systems"]["p"]
    exact, fuzzy = result["inventory_f1"]["exact"], result["inventory_f1"]["fuzzy"]
    # deu: A = {t a ɡ}, B = {t a d k}: two common, P = 2/3, R = 2/4, F1 = 4/7
    assert exact["languages"]["deu"] == {
        "precision": pytest.approx(2 / 3), "recall": 0.5, "f1": pytest.approx(4 / 7), "reason": None,
    }  # fmt: skip
    assert exact["languages"]["spa"]["f1"] == 1
    assert exact["languages"]["ita"]["f1"] is None
    assert exact["languages"]["ita"]["reason"] == "no predicted phones"
    assert exact["macro"] == {"f1": pytest.approx((4 / 7 + 1) / 2), "languages": 2, "undefined": 1}
    # fuzzy: ɡ differs from k in voicing, d from t in voicing: one of 24 features each
    near = 23 / 24
    precision, recall = (2 + near) / 3, (2 + near + near) / 4
    assert fuzzy["languages"]["deu"]["precision"] == pytest.approx(precision)
    assert fuzzy["languages"]["deu"]["recall"] == pytest.approx(recall)
    assert fuzzy["languages"]["deu"]["f1"] == pytest.approx(2 * precision * recall / (precision + recall))


def test_sounds_of_unknown_identity_are_no_phones_of_the_language(write):
    manifest = write("m.jsonl", [{"id": "a", "inventory": "cmu39", "canonical": "T R", "realized": "T <unk>"}])
    path = write("p.jsonl", [{"id": "a", "phones": "T"}])
    system = score(predictions=path, manifest=manifest).to_json()["systems"]["p"]
    assert system["inventory_f1"]["exact"]["languages"] == {
        "eng": {"precision": 1.0, "recall": 1.0, "f1": 1.0, "reason": None}
    }


def test_a_second_annotation_is_a_system_and_agrees_as_far_as_it_does(manifest, write):
    # a: first TH>S; second hears the same and NG as N. b: both correct. c: only the first hears the added L.
    second = write(
        "second.jsonl", [{"id": n, "phones": p} for n, p in (("a", "S IH N K"), ("b", "K AE T"), ("c", "G OW"))]
    )
    agreement = score(predictions=second, manifest=manifest).to_json()["systems"]["second"]["agreement"]
    # columns: TA 7 (IH K, K AE T, G OW), FR 1 (NG), FA 1 (L), CD 1 (TH>S)
    assert agreement["observed"]["value"] == pytest.approx(8 / 10)
    po, pe = 8 / 10, (8 * 8 + 2 * 2) / 100
    assert agreement["kappa"]["value"] == pytest.approx((po - pe) / (1 - pe))
    assert agreement["f1"]["value"] == pytest.approx(2 / 4)
    assert agreement["diagnosis"]["value"] == 1
    assert agreement["profile"] == "full"


@pytest.mark.parametrize("inventory", ["cmu39", "timit61", "ipa"])
def test_a_second_annotation_may_hold_sounds_without_a_name(write, inventory):
    spelled = {"cmu39": ("T IY", "S"), "timit61": ("t iy", "s"), "ipa": ("t i", "s")}[inventory]
    said = {"id": "a", "inventory": "cmu39", "canonical": "T IY", "realized": "S IY"}
    second = {"id": "a", "inventory": inventory, "phones": f"<unk> {spelled[0].split()[1]} {spelled[1]} err"}
    result = score(predictions=write("second.jsonl", [second]), manifest=write("m.jsonl", [said]))["second"]
    # grid: T/S/<unk> DE, IY TA, S and err FR; realized S IY against <unk> IY S err: 1 substitution, 2 insertions
    assert result.counts.mdd().to_json()["counts"] == {"TA": 1, "FR": 2, "FA": 0, "CD": 0, "DE": 1, "DU": 0}
    assert (result.counts.per.numerator, result.counts["unusable_predicted"]) == (3, 2)
    assert sum(result.dropped["predicted"].values()) == 0
    # the phones it uses are IY and S, those of the reference too
    assert result.to_json()["inventory_f1"]["fuzzy"]["languages"]["eng"]["f1"] == 1.0
