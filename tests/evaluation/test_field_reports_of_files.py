"""What went wrong for users of neighbouring projects, from files to files, with the place of each report."""

import csv
import json
from collections import Counter

import pytest

from pedkit.data.references import Referencer
from pedkit.errors import PedkitError
from pedkit.evaluation.score import score


@pytest.fixture
def scored(write, tmp_path):
    """Score ``id -> (canonical, realized, predicted)`` and return the output folder."""

    def _scored(utterances, manifest_keys=None, prediction_keys=None, **settings):
        manifest, predictions = [], []
        for name, (canonical, realized, predicted) in utterances.items():
            line = {"id": name, "inventory": "cmu39", "canonical": canonical, "realized": realized}
            manifest.append(line | (manifest_keys or {}))
            predictions.append({"id": name, "phones": predicted} | (prediction_keys or {}))
        paths = write("p.jsonl", predictions), write("m.jsonl", manifest)
        score(predictions=paths[0], manifest=paths[1], output_dir=tmp_path / "out", **settings)
        return tmp_path / "out"

    return _scored


def rows(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def system(folder):
    return json.loads((folder / "scores.json").read_text(encoding="utf-8"))["systems"]["p"]


def test_every_table_counts_the_same_errors(scored):  # kaldi-asr/kaldi 4798, mittagessen/kraken 782
    folder = scored({"swap": ("AA B", "AA B", "B AA"), "tease": ("T IY", "T IY", "T IY S")})
    fields = system(folder)["fields"]
    assert [fields[name] for name in ("substitutions", "deletions", "insertions")] == [0, 1, 2]
    by_utterance = [
        (int(r["substitutions"]), int(r["deletions"]), int(r["insertions"]))
        for r in rows(folder / "utterances.csv")
    ]
    assert by_utterance == [(0, 1, 1), (0, 0, 1)]
    kinds = Counter(r["type"] for r in rows(folder / "alignment.csv") if r["view"] == "pair")
    assert kinds == {"": 3, "del": 1, "ins": 2}
    inserted = [
        (r["heard"], r["count"])
        for r in rows(folder / "confusions.csv")
        if r["view"] == "heard" and r["reference"] == "-"
    ]
    assert ("S", "1") in inserted


def test_no_reference_phones_is_null_with_a_reason(scored):  # jitsi/jiwer 98
    rate = system(scored({"silent": ("", "", "T IY S")}))["per"]
    assert rate == {"value": None, "numerator": 3, "denominator": 0, "reason": "no reference phones"}


@pytest.mark.parametrize("spelled", ["d͡ʒʌdʒ", "dʒʌd͡ʒ", "ʤʌʤ"])
def test_affricates_stay_whole(write, spelled):  # CUNY-CL/wikipron 78, phonikud/phonikud 78
    lines = [("judge", "JH AH JH"), ("church", "CH ER CH"), ("hat shop", "HH AE T SH AA P")]
    manifest = write("m.jsonl", [{"id": i, "inventory": "cmu39", "canonical": p, "realized": p} for i, p in lines])
    heard = {"judge": {"pred": spelled}, "church": {"pred": "tʃɜːtʃ"}, "hat shop": {"pred": "hæt ʃɑp"}}
    path = write("transcription.json", [json.dumps(heard)])
    counts = score(predictions=path, manifest=manifest)["transcription"].counts
    assert (counts.per.numerator, counts.per.denominator) == (0, 12)


def test_the_two_inventories_called_39(write):  # cageyoko/CTC-Attention-Mispronunciation 7
    line = {"id": "a", "inventory": "timit61", "canonical": "zh ao dx el q tcl", "realized": "zh ao dx el q tcl"}
    manifest = write("m.jsonl", [line])
    heard = write("p.jsonl", [{"id": "a", "phones": "ZH AO T AH L T", "inventory": "cmu39"}])
    result = score(predictions=heard, manifest=manifest)["p"]
    assert (result.counts.per.numerator, result.counts.per.denominator) == (0, 6)
    assert result.dropped["realized"] == {"q": 1}
    folded = write("f.jsonl", [{"id": "a", "phones": "sh aa dx l sil", "inventory": "timit39"}])
    with pytest.raises(
        PedkitError, match="the prediction is in the inventory 'timit39', the reference in 'timit61'"
    ):
        score(predictions=folded, manifest=manifest, projection="none")


def test_a_mark_is_an_error_without_a_name(scored):  # jimbozhang/speechocean762 10
    # THREE said S R* IY: the system that hears S R IY names one error and misses the other.
    folder = scored({"three": ("TH R IY", "S R IY", "S R IY")}, {"flags": {"1": "star"}})
    assert system(folder)["mdd"]["counts"] == {"TA": 1, "FR": 0, "FA": 1, "CD": 1, "DE": 0, "DU": 0}
    with pytest.raises(PedkitError, match=r"utterance 'odd'.*'DZ'"):
        scored({"odd": ("D", "DZ", "D")})


@pytest.mark.parametrize(
    ("variant", "counts", "used"),
    [
        ("best", {"TA": 3, "FR": 0, "FA": 0, "CD": 0, "DE": 0, "DU": 0}, "best: either(2)"),
        ("first", {"TA": 2, "FR": 0, "FA": 0, "CD": 1, "DE": 0, "DU": 0}, "first: either"),
    ],
)
def test_an_alternate_pronunciation_is_no_error(write, tmp_path, variant, counts, used):  # speechbrain 2227
    # EITHER said and heard as AY DH ER; the dictionary has IY DH ER first.
    reference = Referencer(variant=variant).of("EITHER", ["AY", "DH", "ER"])
    keys = {"canonical": list(reference.canonical), "canonical_variant": reference.variant}
    manifest = write("m.jsonl", [{"id": "a", "inventory": "cmu39", "realized": "AY DH ER", **keys}])
    path = write("p.jsonl", [{"id": "a", "phones": "AY DH ER"}])
    score(predictions=path, manifest=manifest, output_dir=tmp_path / "out")
    assert system(tmp_path / "out")["mdd"]["counts"] == counts
    assert system(tmp_path / "out")["per"]["value"] == 0
    [row] = rows(tmp_path / "out" / "utterances.csv")
    assert row["canonical_variant"] == used


def test_the_is_said_in_two_ways(write):  # Azure speech SDK 1530
    said = ("DH", "IY", "EH", "N", "D")
    utterance = {"id": "a", "inventory": "cmu39", "realized": list(said)}
    path = write("p.jsonl", [{"id": "a", "phones": list(said)}])
    errors = {}
    for variant in ("best", "first"):
        canonical = list(Referencer(variant=variant).of("the end", said).canonical)
        result = score(predictions=path, manifest=write("m.jsonl", [utterance | {"canonical": canonical}]))["p"]
        errors[variant] = result.counts["canonical_realized_distance"]
    assert errors == {"best": 0, "first": 1}


def test_rows_without_a_group_stay_in_the_table(write):  # fairlearn/fairlearn 1155
    accents = ["a", "a", "a", "a", "b", "b", None]
    lines = [
        {
            "id": str(k),
            "inventory": "cmu39",
            "realized": "T",
            "groups": {} if accent is None else {"accent": accent},
        }
        for k, accent in enumerate(accents)
    ]
    path = write("p.jsonl", [{"id": str(k), "phones": "T"} for k in range(len(accents))])
    result = score(predictions=path, manifest=write("m.jsonl", lines), groups=["accent"]).to_json()
    groups = result["systems"]["p"]["groups"]["accent"]["unknown"]
    assert {name: group["n_utterances"] for name, group in groups.items()} == {"a": 4, "b": 2, "unknown": 1}
