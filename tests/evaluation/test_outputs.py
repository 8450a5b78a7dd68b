"""What stands in the files is what stands in scores.json, worked out again from the rows."""

import csv
import json
from collections import Counter

import pytest
from praatio import textgrid

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.evaluation.score import score
from pedkit.evaluation.words import score_words
from pedkit.scoring import MddCounts


def rows(path):
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture
def written(manifest, predictions, write, tmp_path):
    other = write(
        "the, other.jsonl",
        [{"id": "a", "phones": "S IH NG K"}, {"id": "b", "phones": "G K AE T T"}, {"id": "c", "phones": ""}],
    )
    score(predictions=[predictions, other], manifest=manifest, output_dir=tmp_path / "out", groups=["gender"])
    return tmp_path / "out"


def test_every_file_is_there_and_complete(written):
    names = ("alignment.csv", "alignment.txt", "confusions.csv", "phones.csv", "scores.json", "utterances.csv")
    assert sorted(file.name for file in written.iterdir()) == sorted(names)


@pytest.mark.parametrize("system", ["mine", "the, other"])
def test_detection_counts_and_rates_come_out_of_the_grid_rows(written, system):
    stated = json.loads((written / "scores.json").read_text())["systems"][system]["mdd"]
    kinds = Counter(
        "_".join(filter(None, (row["outcome"], row["type"])))
        for row in rows(written / "alignment.csv")
        if row["system"] == system and row["view"] == "grid"
    )
    again = MddCounts.of(kinds)
    assert stated["counts_by_type"] == dict(again.by_type)
    assert stated["rates"] == {name: rate.to_json() for name, rate in again.rates().items()}


@pytest.mark.parametrize("system", ["mine", "the, other"])
def test_error_rates_come_out_of_the_pair_rows_and_of_the_utterances(written, system):
    per = json.loads((written / "scores.json").read_text())["systems"][system]["per"]
    pairs = [r for r in rows(written / "alignment.csv") if r["system"] == system and r["view"] == "pair"]
    assert all(row["canonical"] == "" and row["outcome"] == "" for row in pairs)
    kinds = Counter(row["type"] for row in pairs)
    assert kinds["sub"] + kinds["del"] + kinds["ins"] == per["numerator"]
    assert sum(row["realized"] != "-" for row in pairs) == per["denominator"]
    utterances = [row for row in rows(written / "utterances.csv") if row["system"] == system]
    for column, kind in (("substitutions", "sub"), ("deletions", "del"), ("insertions", "ins")):
        assert sum(int(row[column]) for row in utterances) == kinds[kind]


@pytest.mark.parametrize("system", ["mine", "the, other"])
def test_confusions_and_phones_are_counts_of_the_same_rows(written, system):
    alignment = [row for row in rows(written / "alignment.csv") if row["system"] == system]
    heard = Counter((r["realized"], r["predicted"]) for r in alignment if r["view"] == "pair")
    said = Counter(
        (r["canonical"], r["realized"])
        for r in alignment
        if r["view"] == "grid" and (r["canonical"], r["realized"]) != ("-", "-")
    )
    stated = {"heard": Counter(), "said": Counter()}
    for row in rows(written / "confusions.csv"):
        if row["system"] == system:
            stated[row["view"]][row["reference"], row["heard"]] += int(row["count"])
    assert stated == {"heard": heard, "said": said}
    outcomes = Counter(
        (r["canonical"], r["outcome"]) for r in alignment if r["view"] == "grid" and r["canonical"] != "-"
    )
    for row in rows(written / "phones.csv"):
        if row["system"] == system:
            assert all(
                int(row[name]) == outcomes[row["canonical"], name] for name in ("TA", "FR", "FA", "CD", "DE", "DU")
            )


def test_a_phone_inserted_by_the_system_is_an_insertion_everywhere(written):
    heard = [
        row
        for row in rows(written / "confusions.csv")
        if row["system"] == "the, other" and row["reference"] == "-"
    ]
    assert [(row["view"], row["heard"], row["count"]) for row in heard] == [
        ("heard", "G", "1"),
        ("heard", "T", "1"),
        ("said", "L", "1"),
    ]


def test_the_text_view_lines_up(written):
    blocks = (written / "alignment.txt").read_text().split("\n\n")
    assert blocks[0].splitlines() == [
        "mine | a",
        "canonical  TH IH NG K",
        "realized   S  IH NG K",
        "predicted  S  IH N  K",
        "outcome    CD TA FR TA",
    ]


def test_the_text_view_of_a_g2p_reference_has_no_outcomes(write, tmp_path):
    manifest = write("m.jsonl", [{"id": "a", "inventory": "ipa", "language": "deu", "canonical": ["t͡ʃ", "iː"]}])
    path = write("p.jsonl", [{"id": "a", "phones": ["ʃ", "iː", "z"]}])
    settings = {"projection": "none", "per_reference": "canonical"}
    score(predictions=path, manifest=manifest, output_dir=tmp_path / "out", **settings)
    lines = (tmp_path / "out" / "alignment.txt").read_text().splitlines()
    assert lines[1:4] == ["reference  t͡ʃ  iː -", "predicted  ʃ   iː z", "error      sub    ins"]


def test_a_run_that_stops_leaves_what_it_had_and_the_older_result(written, manifest, write):
    older = (written / "scores.json").read_text()
    broken = write("broken.jsonl", ['{"id": "a", "phones": "S IH NG K"}\n', "{\n"])
    with pytest.raises(PedkitError, match=r"broken.jsonl:2: not a JSON line"):
        score(predictions=broken, manifest=manifest, output_dir=written)
    assert (written / "scores.json").read_text() == older
    assert rows(written / "alignment.csv")
    assert (written / "alignment.csv.partial").exists()


@pytest.mark.parametrize("place", ["pedkit.evaluation.fairness.compare_groups", "pedkit.report.tables.json.dump"])
def test_what_stops_after_the_last_utterance_leaves_the_older_result_whole(
    manifest, predictions, write, tmp_path, *, monkeypatch, place
):
    out, settings = tmp_path / "out", {"groups": ["gender"], "fairness": {"model": False}, "textgrids": True}
    score(predictions={"s": predictions}, manifest=manifest, output_dir=out, **settings)
    older = files_of(out)
    assert {"fairness.json", "scores.json", "utterances.csv", "b.TextGrid"} <= set(older)
    empty = write("empty.jsonl", [{"id": name, "phones": ""} for name in "abc"])

    def stops(*_args, **_settings):
        raise PedkitError("nothing can be compared")

    monkeypatch.setattr(place, stops)
    with pytest.raises(PedkitError, match="nothing can be compared"):
        score(predictions={"s": empty}, manifest=manifest, output_dir=out, **settings)
    assert {name: content for name, content in files_of(out).items() if name in older} == older
    lines = (out / "utterances.csv.partial").read_text().splitlines()
    assert [line.split(",")[1] for line in lines] == ["id", "a", "b", "c"]  # nothing that was scored is lost
    monkeypatch.undo()
    score(predictions={"s": empty}, manifest=manifest, output_dir=out, **settings)
    assert files_of(out).keys() == older.keys()
    assert all(files_of(out)[name] != older[name] for name in ("scores.json", "utterances.csv", "b.TextGrid"))


def test_a_result_has_no_parts_of_the_older_one(written, manifest, predictions, write):
    compared = {"groups": ["gender"], "fairness": {"model": False}}
    score(predictions=predictions, manifest=manifest, output_dir=written, **compared)
    (written / "report.html").write_text("the older one")
    (written / "mine.csv").write_text("no part of a result")
    assert (written / "fairness.json").exists()
    score(predictions=predictions, manifest=manifest, output_dir=written)
    phones = {"alignment.csv", "alignment.txt", "confusions.csv", "phones.csv"}
    assert set(files_of(written)) == phones | {"scores.json", "utterances.csv", "mine.csv"}
    said = [Utterance(id="a", text="turn it off")]
    score_words(predictions={"s": [Prediction(id="a", raw="turn")]}, manifest=said, output_dir=written)
    assert set(files_of(written)) == {"scores.json", "utterances.csv", "mine.csv"}


def test_files_of_a_folder_without_a_result_stay(manifest, predictions, tmp_path):
    (tmp_path / "report.html").write_text("of something else")
    score(predictions=predictions, manifest=manifest, output_dir=tmp_path)
    assert (tmp_path / "report.html").read_text() == "of something else"


def files_of(folder):
    """Return name -> content of all files but TextGrids that are being written."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.parents[1].name != "textgrids.partial"]
    return {file.name: file.read_bytes() for file in files}


def test_textgrids_hold_the_columns_where_the_phones_were_heard(tmp_path):
    said = Utterance(
        id="rec/1",
        inventory="cmu39",
        canonical=("K", "AE", "T"),
        realized=("K", "AE", "T"),
        audio=Audio("x.wav", duration=1.0),
    )
    heard = Prediction(id="rec/1", phones=("K", "T"), times=((0.1, 0.3), (0.5, 0.7)), confidences=(0.5, 0.987))
    score(predictions={"s": [heard]}, manifest=[said], output_dir=tmp_path, textgrids=True)
    grid = textgrid.openTextgrid(
        str(tmp_path / "textgrids" / "s" / "rec%2F1.TextGrid"), includeEmptyIntervals=True
    )
    assert grid.maxTimestamp == 1.0
    # middles 0.2, (0.4), 0.6: columns meet at 0.3 and 0.5
    assert [tuple(entry) for entry in grid.getTier("canonical").entries] == [
        (0, 0.3, "K"),
        (0.3, 0.5, "AE"),
        (0.5, 1.0, "T"),
    ]
    assert [entry[2] for entry in grid.getTier("outcome").entries] == ["TA", "FR", "TA"]
    assert [tuple(e) for e in grid.getTier("predicted times").entries if e[2]] == [
        (0.1, 0.3, "K"),
        (0.5, 0.7, "T"),
    ]
    assert [tuple(e) for e in grid.getTier("confidence").entries if e[2]] == [
        (0.1, 0.3, "0.50"),
        (0.5, 0.7, "0.99"),
    ]


RATE = {"value", "numerator", "denominator", "reason"}


def test_scores_json_follows_the_schema(written):
    scores = json.loads((written / "scores.json").read_text())
    assert set(scores) == {"systems", "references", "settings", "versions"}
    assert set(scores["references"]) == {"accept_all", "empty", "perfect"}
    for system in scores["systems"].values():
        assert {"per", "pfer", "soft_per", "mdd", "mdd_profiles", "spans", "groups", "dropped", "statuses"} <= set(
            system
        )
        assert set(system["per"]) == set(system["pfer"]) == set(system["soft_per"]) == RATE
        assert set(system["mdd"]) >= {"profile", "counts", "counts_by_type", "rates"}
        assert set(system["mdd"]["counts"]) == {"TA", "FR", "FA", "CD", "DE", "DU"}
        assert all(set(rate) == RATE for rate in system["mdd"]["rates"].values())
        assert {"frr", "far", "der_li", "der_pedbench", "precision", "recall", "f1"} <= set(system["mdd"]["rates"])
        assert set(system["mdd_profiles"]) == {"no_spurious", "canonical_only", "kaldi3"}
        assert all(m["profile"] == name for name, m in system["mdd_profiles"].items())
        assert set(system["groups"]["gender"]["toy"]) == {"female", "male"}
    assert {"profile", "tie", "inventory", "projection", "policy", "language", "manifest"} <= set(
        scores["settings"]
    )
    assert len(scores["settings"]["predictions"]["mine"]["sha256"]) == 64
    assert {"pedkit", "python", "numpy", "numba"} == set(scores["versions"])


def test_no_output_says_a_bare_der(written):
    for file in written.iterdir():
        assert '"der"' not in file.read_text().lower()


def test_another_profile_moves_to_the_front(manifest, predictions):
    system = score(predictions=predictions, manifest=manifest, profile="canonical_only").to_json()["systems"][
        "mine"
    ]
    assert system["mdd"]["profile"] == "canonical_only"
    assert system["mdd"]["counts"] == {"TA": 6, "FR": 2, "FA": 0, "CD": 1, "DE": 0, "DU": 0}
    assert "full" in system["mdd_profiles"]


def test_an_id_of_any_length_gets_a_textgrid(tmp_path):
    names = ["x" * 300 + last for last in "ab"]
    said = [Utterance(id=n, inventory="cmu39", canonical=("K",), realized=("K",)) for n in names]
    heard = [Prediction(id=n, phones=("K",)) for n in names]
    score(predictions={"s" * 300: heard}, manifest=said, output_dir=tmp_path, textgrids=True)
    [folder] = (tmp_path / "textgrids").iterdir()
    assert len(list(folder.glob("*.TextGrid"))) == 2
    assert (tmp_path / "scores.json").exists()
