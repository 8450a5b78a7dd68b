import json
import subprocess
import sys

import pytest

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.score import score
from pedkit.phones import FEATURE_UNITS, feature_distances, get_inventory


def rates(system):
    return {name: rate["value"] for name, rate in system["mdd"]["rates"].items()}


def test_counts_and_rates_worked_out_by_hand(manifest, predictions):
    system = score(predictions=predictions, manifest=manifest).to_json()["systems"]["mine"]
    # a: CD TA FR_sub TA; b: TA TA FR_del; c: TA TA FA_ins
    assert system["mdd"]["counts"] == {"TA": 6, "FR": 2, "FA": 1, "CD": 1, "DE": 0, "DU": 0}
    by_type = {name: number for name, number in system["mdd"]["counts_by_type"].items() if number}
    assert by_type == {"TA": 6, "FR_sub": 1, "FR_del": 1, "FA_ins": 1, "CD_sub": 1}
    assert (system["per"]["numerator"], system["per"]["denominator"], system["per"]["value"]) == (3, 10, 0.3)
    expected = {
        "frr": 2 / 8, "far": 1 / 2, "der_li": 0.0, "der_pedbench": 3 / 10, "precision": 1 / 3, "recall": 1 / 2,
        "f1": 2 / 5, "detection_accuracy": 7 / 10, "diagnosis_accuracy": 1.0, "strict_f1": 2 / 5,
    }  # fmt: skip
    assert rates(system) == pytest.approx(expected)


def test_pfer_charges_the_articulatory_distance_of_the_one_substitution(manifest, predictions):
    place = get_inventory("cmu39").index
    distance = feature_distances()[place("NG"), place("N")] / FEATURE_UNITS
    pfer = score(predictions=predictions, manifest=manifest)["mine"].counts.pfer
    assert pfer.numerator == pytest.approx(distance + 2)
    assert pfer.denominator == 10


def test_reference_rows_worked_out_by_hand(manifest, predictions):
    rows = score(predictions=predictions, manifest=manifest).to_json()["references"]
    assert {name: row["mdd"]["counts"] for name, row in rows.items()} == {
        "accept_all": {"TA": 8, "FR": 0, "FA": 2, "CD": 0, "DE": 0, "DU": 0},
        "empty": {"TA": 0, "FR": 8, "FA": 1, "CD": 0, "DE": 1, "DU": 0},
        "perfect": {"TA": 8, "FR": 0, "FA": 0, "CD": 2, "DE": 0, "DU": 0},
    }
    assert {name: row["per"]["numerator"] for name, row in rows.items()} == {
        "accept_all": 2,
        "empty": 10,
        "perfect": 0,
    }
    accept = rows["accept_all"]["mdd"]["rates"]
    assert (accept["precision"]["value"], accept["recall"]["value"], accept["f1"]["value"]) == (None, 0, 0)
    assert accept["precision"]["reason"] is not None
    assert rows["perfect"]["mdd"]["rates"]["f1"]["value"] == 1


def test_a_perfect_system_detects_what_cannot_be_named_and_misses_what_only_a_flag_says():
    utterances = [
        Utterance(id="unk", inventory="cmu39", canonical=("TH", "IY"), realized=("<unk>", "IY"), flags={0: "unk"}),
        Utterance(id="star", inventory="cmu39", canonical=("S", "IH"), realized=("S", "IH"), flags={1: "star"}),
    ]
    heard = [Prediction(id=u.id, phones=u.canonical) for u in utterances]
    result = score(predictions={"x": heard}, manifest=utterances, references=["perfect"])
    mdd = result.references["perfect"].mdd()
    assert (mdd.TA, mdd.FA, mdd.DU, mdd.FR) == (2, 1, 1, 0)
    assert result.references["perfect"].per.numerator == 0


def test_groups_add_up_and_name_the_corpus(manifest, predictions):
    groups = score(predictions=predictions, manifest=manifest, groups=["gender", "speaker"]).to_json()["systems"][
        "mine"
    ]["groups"]
    female, male = (groups["gender"]["toy"][value] for value in ("female", "male"))
    assert (
        female["n_utterances"],
        female["n_speakers"],
        female["per"]["numerator"],
        female["per"]["denominator"],
    ) == (2, 1, 2, 7)
    assert (male["n_utterances"], male["n_speakers"], male["per"]["numerator"], male["per"]["denominator"]) == (
        1,
        1,
        1,
        3,
    )
    assert list(groups["speaker"]["toy"]) == ["x:1", "x:2"]


def test_one_name_stands_for_a_list_of_one(manifest, predictions):
    result = score(predictions=predictions, manifest=manifest, groups="gender", references="empty")
    assert list(result["mine"].groups.keys) == ["gender"]
    assert list(result.references) == ["empty"]


def test_an_unknown_group_key_is_refused_with_a_suggestion(manifest, predictions):
    with pytest.raises(PedkitError, match=r"no utterance has the group key 'gendr' \(did you mean 'gender'\?\)"):
        score(predictions=predictions, manifest=manifest, groups=["gendr"])


def test_several_systems_stand_side_by_side_under_the_names_of_their_files(manifest, predictions, write):
    other = write("theirs.jsonl", [{"id": name, "phones": ""} for name in "abc"])
    result = score(predictions=[predictions, other], manifest=manifest)
    assert list(result.systems) == ["mine", "theirs"]
    assert result["theirs"].counts.per.value == 1
    assert result["theirs"].statuses == {"empty": 3}


def test_files_of_one_stem_are_told_apart_by_their_folder(manifest, predictions, tmp_path):
    paths = [tmp_path / folder / "text" for folder in ("one", "two")]
    for path in paths:
        path.parent.mkdir()
        path.write_text("a S IH N K\nb K AE\nc G OW\n")
    assert list(score(predictions=paths, manifest=manifest).systems) == ["one/text", "two/text"]
    with pytest.raises(PedkitError, match="given twice"):
        score(predictions=[predictions, predictions], manifest=manifest)


def test_objects_give_the_same_scores_as_files(manifest, predictions):
    from pedkit import read_manifest, read_predictions

    files = score(predictions=predictions, manifest=manifest).to_json()
    heard = list(read_predictions(predictions).values())
    objects = score(predictions={"mine": reversed(heard)}, manifest=read_manifest(manifest)).to_json()
    assert objects["systems"] == files["systems"]
    assert objects["references"] == files["references"]


def test_order_of_the_predictions_and_other_formats_change_nothing(manifest, predictions, write):
    expected = score(predictions=predictions, manifest=manifest)["mine"].counts
    backwards = write("text", ["c G OW\n", "b K AE\n", "a S IH N K\n"])
    table = write("table.csv", ["id,phones\n", "b,K AE\n", "a,S IH N K\n", "c,G OW\n"])
    for path in (backwards, table):
        assert score(predictions=path, manifest=manifest)[path.stem].counts == expected


def test_ipa_predictions_are_projected_and_what_is_dropped_is_listed(manifest, write):
    path = write(
        "transcription.json",
        [json.dumps({n: {"pred": p} for n, p in (("a", "sɪnk"), ("b", "kæʔ"), ("c", "ɡoʊ"))})],
    )
    system = score(predictions=path, manifest=manifest)["transcription"]
    assert system.counts.per.numerator == 3
    assert {role: dict(symbols) for role, symbols in system.dropped.items()} == {
        "canonical": {},
        "realized": {},
        "predicted": {"ʔ": 1},
    }
    kept = score(predictions=path, manifest=manifest, policy={"glottal": "T"})["transcription"]
    assert kept.counts.per.numerator == 2
    assert not kept.dropped["predicted"]


def test_a_flap_follows_the_canonical_phone_where_asked(write):
    manifest = write(
        "m.jsonl",
        [
            {"id": w, "inventory": "cmu39", "canonical": p, "realized": p}
            for w, p in (("ladder", "L AE D ER"), ("latter", "L AE T ER"))
        ],
    )
    path = write(
        "p.jsonl", [{"id": w, "phones": ["l", "æ", "ɾ", "ɚ"], "inventory": "ipa"} for w in ("ladder", "latter")]
    )
    assert score(predictions=path, manifest=manifest)["p"].counts["substitutions"] == 1
    assert (
        score(predictions=path, manifest=manifest, policy={"flap": "canonical"})["p"].counts["substitutions"] == 0
    )


def test_without_projection_phones_are_scored_as_written(write):
    manifest = write(
        "m.jsonl", [{"id": "a", "inventory": "ipa", "language": "deu", "canonical": "x ø", "realized": "x ø"}]
    )
    path = write("p.jsonl", [{"id": "a", "phones": "ç ø"}])
    result = score(predictions=path, manifest=manifest, projection="none")
    assert result["p"].counts.per.value == 0.5
    assert result.settings["inventory"] == "ipa"
    assert result.settings["language"] == "deu"
    with pytest.raises(
        PedkitError, match=r"utterance 'a': projection=cmu39 is for English, but the language is 'deu'"
    ):
        score(predictions=path, manifest=manifest)


@pytest.mark.parametrize("tag", ["en", "en-US", "en_gb", "ENG"])
def test_a_tag_of_english_is_english(manifest, predictions, write, tag):
    plain = score(predictions=predictions, manifest=manifest)
    lines = [json.loads(line) | {"language": tag} for line in manifest.read_text().splitlines()]
    lines[0]["language"] = "eng"  # two ways to write one language are one language
    tagged = score(predictions=predictions, manifest=write("m.jsonl", lines))
    asked = score(predictions=predictions, manifest=manifest, language=tag)
    for result in (tagged, asked):
        assert result.to_json()["systems"]["mine"] == plain.to_json()["systems"]["mine"]
        assert result.settings["soft_coverage"] == plain.settings["soft_coverage"]
    assert tagged.settings["language"] == "eng"


def test_each_language_has_its_own_soft_equal_pairs(write):
    # d and t are soft-equal in Russian (the second tier) and different phones in German.
    lines = [
        {"id": lang, "inventory": "ipa", "language": lang, "canonical": "d a", "realized": "d a"}
        for lang in ("deu", "rus")
    ]
    manifest, path = (
        write("m.jsonl", lines),
        write("p.jsonl", [{"id": n, "phones": "t a"} for n in ("deu", "rus")]),
    )
    result = score(predictions=path, manifest=manifest, projection="none", groups=["language"])
    by_language = {group.value: group.counts for group in result["p"].groups.groups()}
    assert {name: counts["soft_distance"] for name, counts in by_language.items()} == {"deu": 48, "rus": 0}
    assert by_language["rus"]["soft_tier2"] == 1
    assert result.settings["language"] == ["deu", "rus"]
    assert result.references["empty"]["deletions"] == 4
    # The shipped table tags 16 of its 90 pairs with German and 17 with Russian.
    assert result.settings["soft_coverage"] == {"deu": 16, "rus": 17}
    no_pairs = score(predictions=path, manifest=manifest, projection="none", soft_tiers=[1])["p"].counts
    assert no_pairs["soft_distance"] == 96
    german = [["t", "d", "de"]]
    mended = score(predictions=path, manifest=manifest, projection="none", soft_extra_pairs=german)["p"].counts
    assert (mended["soft_distance"], mended["soft_tier2"]) == (0, 2)


def test_g2p_references_are_said_and_never_pooled_with_detection(write):
    lines = [
        {"id": "a", "inventory": "cmu39", "canonical": "K AE T"},
        {"id": "b", "inventory": "cmu39", "canonical": "K AE T", "realized": "K AE P"},
    ]
    manifest, path = write("m.jsonl", lines), write("p.jsonl", [{"id": n, "phones": "K AE P"} for n in "ab"])
    with pytest.raises(PedkitError) as error:
        score(predictions=path, manifest=manifest)
    assert str(error.value).startswith(
        f"{manifest}:1: utterance 'a': the utterance has no realized phones (per_reference=canonical"
    )
    system = score(predictions=path, manifest=manifest, per_reference="canonical").to_json()["systems"]["p"]
    assert system["reference"] == "G2P reference"
    assert (system["per"]["numerator"], system["per"]["denominator"]) == (2, 6)
    assert system["fields"]["without_realized"] == 1
    assert system["mdd"]["counts"] == {"TA": 2, "FR": 0, "FA": 0, "CD": 1, "DE": 0, "DU": 0}


def test_statuses_are_counted_and_only_ok_is_scored_as_heard(manifest, write):
    lines = [
        {"id": "a", "phones": "S IH NG K", "status": "unparsable", "reason": "prose"},
        {"id": "b", "phones": [], "status": "ok"},
    ]
    path = write("p.jsonl", lines)
    with pytest.raises(PedkitError) as error:
        score(predictions=path, manifest=manifest)
    assert str(error.value).startswith(
        f"{path}: utterance 'c': there is no prediction for this utterance (missing=empty"
    )
    system = score(predictions=path, manifest=manifest, missing="empty").to_json()["systems"]["p"]
    assert system["statuses"] == {"ok": 0, "empty": 1, "unparsable": 1, "failed": 0, "missing": 1, "recovered": 0}
    assert system["per"]["value"] == 1
    assert system["fields"]["deletions"] == 10


def test_a_reason_in_a_file_is_not_taken_for_a_missing_prediction(manifest, write, tmp_path):
    lines = [
        {"id": "a", "status": "failed", "reason": "missing"},
        {"id": "b", "status": "unparsable", "reason": "missing"},
    ]
    result = score(
        predictions=write("p.jsonl", lines),
        manifest=manifest,
        failed="empty",
        missing="empty",
        output_dir=tmp_path / "out",
    )
    statuses = result.to_json()["systems"]["p"]["statuses"]
    assert statuses == {"ok": 0, "empty": 0, "unparsable": 1, "failed": 1, "missing": 1, "recovered": 0}
    rows = (tmp_path / "out" / "utterances.csv").read_text().splitlines()[1:]
    assert [row.split(",")[5] for row in rows] == ["failed", "unparsable", "missing"]
    with pytest.raises(PedkitError, match="expected 'status' to be one of"):
        score(predictions=write("p.jsonl", [{"id": "a", "status": "missing"}]), manifest=manifest)


def test_failed_clips_are_an_error_of_the_run_unless_scored_as_empty(manifest, write):
    lines = [
        {"id": "a", "phones": "S IH NG K"},
        {"id": "b", "status": "failed", "reason": "no such audio file"},
        {"id": "c", "phones": "G OW L"},
    ]
    path = write("p.jsonl", lines)
    with pytest.raises(PedkitError) as error:
        score(predictions=path, manifest=manifest)
    assert str(error.value).startswith(f"{path}:2: utterance 'b': the recognizer failed: no such audio file (run")
    assert score(predictions=path, manifest=manifest, failed="empty")["p"].counts.per.numerator == 3


@pytest.mark.parametrize("extra", ["error", "ignore"])
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a", "phones": "B"}\n', r"p.jsonl:4: utterance 'a': this id stands twice \(first on line 1\)"),
        ("not json\n", "p.jsonl:4: not a JSON line"),
    ],
)
def test_a_file_is_read_to_its_end(manifest, write, extra, line, message):
    whole = [{"id": name, "phones": "K"} for name in "abc"]
    with pytest.raises(PedkitError, match=message):
        score(predictions=write("p.jsonl", [*whole, line]), manifest=manifest, extra=extra)


def test_a_split_ignores_the_predictions_of_the_others_but_not_of_strangers(manifest, write):
    lines = [
        json.loads(line) | {"split": split}
        for line, split in zip(manifest.read_text().splitlines(), ("test", "dev", "test"), strict=True)
    ]
    manifest = write("m.jsonl", lines)
    path = write("p.jsonl", [{"id": name, "phones": "K"} for name in "abcz"])
    with pytest.raises(PedkitError) as error:
        score(predictions=path, manifest=manifest, split="test")
    assert str(error.value).startswith(f"{path}:4: utterance 'z': this predicted utterance is not in the manifest")
    assert score(predictions=path, manifest=manifest, split="test", extra="ignore")["p"].counts["utterances"] == 2
    with pytest.raises(PedkitError, match="there is no utterance of the split 'eval'"):
        score(predictions=path, manifest=manifest, split="eval")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"projection": "timit"}, "expected 'projection' to be one of cmu39, none, bias_study, but got 'timit'"),
        ({"policy": {"schwa": "ER"}}, "expected the projection policy 'schwa' to be one of AH, IH, but got 'ER'"),
        ({"policy": {"shwa": "AH"}}, "unknown projection policy 'shwa'"),
        ({"profile": "best"}, "expected 'profile' to be one of full"),
        ({"tie": "mine"}, "expected 'tie' to be one of"),
        ({"missing": "skip"}, "expected 'missing' to be one of error, empty, but got 'skip'"),
        ({"references": ["oracle"]}, "expected 'references' to hold accept_all, empty, perfect, but got 'oracle'"),
        ({"soft_preset": "loose"}, "loose"),
        ({"colour": "red"}, "unknown setting 'colour'"),
        ({"groups": 7}, "expected groups to be a list, but got 7"),
        ({"groups": [None]}, "expected groups[0] to be text, but got null"),
        ({"worst": -1}, "expected 'worst' to be 0 or more, but got -1"),
        ({"worst": True}, "expected worst to be a whole number, but got true"),
        ({"soft_cost": "x"}, "expected soft_cost to be a number, but got 'x'"),
        ({"projection": 5}, "expected projection to be text, but got 5"),
        ({"policy": "flap"}, "expected policy to be keys with values, but got 'flap'"),
        ({"policy": {"flap": 3}}, "expected policy.flap to be text, but got 3"),
        ({"policy": {"flap": "x"}}, "expected the projection policy 'flap' to be one of"),
        ({"merge_pairs": [["t"]]}, "expected merge_pairs[0] to be two symbols, but got ['t']"),
        ({"merge_pairs": [["t", "ʃ", "eng"]]}, "expected merge_pairs[0] to be two symbols"),
        ({"soft_extra_pairs": [["t", "ɾ", 1]]}, "expected soft_extra_pairs[0][2] to be text, but got 1"),
        ({"soft_extra_pairs": [["t"]]}, "expected soft_extra_pairs[0] to be two symbols, or two symbols and a"),
        ({"soft_tiers": [3]}, "expected tiers out of 1 and 2, but got (3,)"),
        ({"soft_tiers": 1}, "expected soft_tiers to be a list, but got 1"),
        ({"language": "deu"}, "projection=cmu39 is for English, but the language is 'deu'"),
        (
            {"language": "xx", "projection": "none"},
            "expected an ISO 639-3 code of three letters such as 'eng', but",
        ),
    ],
)
def test_wrong_settings_are_one_sentence(manifest, predictions, setting, message):
    with pytest.raises(PedkitError) as error:
        score(predictions=predictions, manifest=manifest, **setting)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"realized": "S IH NG Q"}, "utterance 'a': "),
        ({"inventory": None}, "utterance 'a': the utterance names no inventory"),
        ({"inventory": "timit39"}, "timit39"),
        (
            {"canonical": ["K", ""]},
            "utterance 'a': expected each phone of 'canonical' to be one symbol, but got ''",
        ),
        ({"realized": 7}, "utterance 'a': expected 'realized' to be a list of phones"),
        (
            {"realized": ["S", None]},
            "utterance 'a': expected each phone of 'realized' to be one symbol, but got None",
        ),
    ],
)
def test_bad_utterances_name_file_line_and_utterance(manifest, predictions, write, change, message):
    first, *rest = manifest.read_text().splitlines(keepends=True)
    changed = write("changed.jsonl", [json.loads(first) | change, *rest])
    with pytest.raises(PedkitError) as error:
        score(predictions=predictions, manifest=changed)
    assert str(error.value).startswith(f"{changed}:1: ")
    assert message in str(error.value)


def test_an_unknown_predicted_phone_names_the_predictions_file(manifest, write):
    path = write(
        "p.jsonl", [{"id": "c", "phones": "G OW"}, {"id": "a", "phones": "S QQ"}, {"id": "b", "phones": "K"}]
    )
    with pytest.raises(PedkitError) as error:
        score(predictions=path, manifest=manifest)
    assert str(error.value).startswith(f"{path}:2: utterance 'a': ")
    assert "'QQ'" in str(error.value)


def test_two_inventories_without_projection_are_refused(write):
    lines = [
        {"id": "a", "inventory": "cmu39", "language": "eng", "canonical": "K", "realized": "K"},
        {"id": "b", "inventory": "timit61", "canonical": "k", "realized": "k"},
    ]
    manifest, path = (
        write("m.jsonl", lines),
        write("p.jsonl", [{"id": "a", "phones": "K"}, {"id": "b", "phones": "k"}]),
    )
    with pytest.raises(PedkitError, match="two inventories in one manifest: 'cmu39' and 'timit61'"):
        score(predictions=path, manifest=manifest, projection="none")
    other = write("q.jsonl", [{"id": "a", "phones": "k", "inventory": "ipa"}])
    with pytest.raises(PedkitError, match="the prediction is in the inventory 'ipa', the reference in 'cmu39'"):
        score(predictions=other, manifest=manifest, projection="none", missing="empty")


def test_scoring_a_file_loads_no_torch_no_audio_and_no_plotting(manifest, predictions, tmp_path):
    code = (
        "import sys\nfrom pedkit import score\n"
        f"score(predictions={str(predictions)!r}, manifest={str(manifest)!r}, output_dir={str(tmp_path)!r})\n"
        "heavy = ('torch', 'torchaudio', 'soundfile', 'matplotlib', 'transformers')\n"
        "print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("projection", ["cmu39", "none"])
def test_arpabet_against_ipa_is_not_scored_as_nonsense(write, projection):
    line = {"id": "a", "inventory": "ipa", "language": "eng", "realized": "k ɑ ʃ", "canonical": "k æ ʃ"}
    manifest = write("m.jsonl", [line])
    path = write("p.jsonl", [{"id": "a", "phones": "K AA1 SH"}])
    with pytest.raises(PedkitError) as error:
        score(predictions=path, manifest=manifest, projection=projection)
    assert str(error.value) == (
        f"{path}:1: utterance 'a': expected IPA as in the manifest, but got the ARPAbet 'K AA1 SH' "
        "(prediction_inventory=cmu39 says what the predictions are in)"
    )


def test_arpabet_against_ipa_is_scored_where_its_inventory_is_named(write):
    manifest = write("m.jsonl", [{"id": "a", "inventory": "ipa", "realized": "k ɑ ʃ", "canonical": "k æ ʃ"}])
    path = write("p.jsonl", [{"id": "a", "phones": "K AA SH"}])
    assert score(predictions=path, manifest=manifest, prediction_inventory="cmu39")["p"].counts.per.value == 0


def test_a_result_shows_itself_in_one_line(manifest, predictions):
    # 10 realized phones; K AE for K AE T, S IH N K for S IH NG K, G OW for G OW L: 3 errors of 10
    assert repr(score(predictions=predictions, manifest=manifest)) == "Evaluation(mine: PER 0.3000)"
