import json

import pytest
from miniature_set import utterance, write_set
from typer.testing import CliRunner

from pedkit.data.manifest import read_manifest
from pedkit.errors import PedkitError
from synthetic.made_set import MadeSet
from synthetic.review.__main__ import app
from synthetic.review.agreement import VerdictAgreement
from synthetic.review.merge import merge_reviews
from synthetic.review.verdicts import Review, read_reviews


@pytest.fixture
def made(tmp_path):
    items = [utterance(f"w{k}", "B AH T", "B AH D", split="train" if k < 3 else "test") for k in range(5)]
    return MadeSet(write_set(tmp_path / "made", items))


@pytest.fixture
def sheet(made, tmp_path):
    """Return a function that writes the CSV file of a reviewer, as the page does."""

    def write(reviewer, *rows, name=None):
        path = tmp_path / f"{name or reviewer}.csv"
        lines = [f"{made.mark},{reviewer},{row}\r\n" for row in rows]
        path.write_text("\ufeffset,reviewer,id,verdict,note\r\n" + "".join(lines), encoding="utf-8", newline="")
        return path

    return write


def ids(made, split):
    return [one.id for one in read_manifest(made.folder / f"{split}.reviewed.jsonl")]


def test_a_file_of_the_page_is_read_as_it_was_written(made, sheet):
    path = sheet("anna", "w0,accept,", 'w1,reject,"says ""bat"", not bad"', "w2,,only a note")
    assert read_reviews(path, made.mark, made.utterances) == [
        Review(made.mark, "anna", "w0", "accept"),
        Review(made.mark, "anna", "w1", "reject", 'says "bat", not bad'),
    ]


def test_a_spreadsheet_may_have_been_in_between(made, tmp_path):
    path = tmp_path / "bob.csv"
    path.write_text("Verdict;id;Note\nACCEPT ;w0;NA\n;;\nunsure;w1;\n", encoding="utf-16")
    assert read_reviews(path, made.mark, made.utterances) == [
        Review(made.mark, "bob", "w0", "accept", "NA"),
        Review(made.mark, "bob", "w1", "unsure"),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_spreadsheet_may_change_the_encoding(made, tmp_path, encoding):
    path = tmp_path / "anna.csv"
    path.write_text("reviewer;id;verdict;note\nAndré;w0;accept;“naïve” – fine\n", encoding=encoding)
    assert read_reviews(path, made.mark, made.utterances) == [
        Review(made.mark, "André", "w0", "accept", "“naïve” – fine")
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("w9,accept,", r"anna\.csv:3: utterance 'w9': there is no such recording in this set"),
        ("w0,reject,", r"anna\.csv:3: utterance 'w0': this id stands already on line 2"),
        ("w1,maybe,", r"anna\.csv:3: expected accept, reject, unsure or nothing as verdict, but got 'maybe'"),
        ("w1,accept", r"anna\.csv:3: expected 5 cells as in the first line, but got 4"),
    ],
)
def test_a_faulty_line_is_named(made, sheet, row, message):
    with pytest.raises(PedkitError, match=message):
        read_reviews(sheet("anna", "w0,accept,", row), made.mark, made.utterances)


def test_files_of_another_set_or_of_two_people_are_refused(made, sheet, tmp_path):
    path = sheet("anna", "w0,accept,")
    with pytest.raises(PedkitError, match=rf"anna\.csv:2: this verdict is of another set \({made.mark}\), not of"):
        read_reviews(path, "0" * 12, made.utterances)
    path.write_text(path.read_text() + f"{made.mark},bob,w1,accept,\n")
    with pytest.raises(PedkitError, match=r"anna\.csv:3: expected one reviewer a file, but got bob after anna"):
        read_reviews(path, made.mark, made.utterances)
    path.write_text("id,note\nw0,x\n")
    with pytest.raises(PedkitError, match=r"anna\.csv:2: expected a column 'verdict', but got id, note"):
        read_reviews(path, made.mark, made.utterances)
    with pytest.raises(PedkitError, match=r"again\.csv: another of these files is anna's too"):
        merge_reviews(made, [sheet("anna", "w0,accept,"), sheet("anna", "w1,accept,", name="again")])


def test_kappa_is_cohens():
    # Cohen (1960) by hand, n = 10: both accept 4, both reject 2, both unsure 1; accept/reject 2, reject/accept 1.
    first = dict(enumerate(["accept"] * 4 + ["reject"] * 2 + ["unsure"] + ["accept"] * 2 + ["reject"]))
    second = dict(enumerate(["accept"] * 4 + ["reject"] * 2 + ["unsure"] + ["reject"] * 2 + ["accept"]))
    found = VerdictAgreement.of(first | {99: "accept"}, second | {98: "reject"})
    assert found.items == 10
    assert (found.observed.numerator, found.observed.denominator) == (7, 10)
    # pe = (6 * 5 + 3 * 4 + 1 * 1) / 100 = 0.43; kappa = (0.7 - 0.43) / (1 - 0.43) = 27 / 57
    assert (found.kappa.numerator, found.kappa.denominator) == (10 * 7 - 43, 100 - 43)
    assert found.to_json()["counts"]["accept"] == {"accept": 4, "reject": 2, "unsure": 0}


def test_kappa_without_variation_or_without_recordings_is_undefined():
    same = VerdictAgreement.of({1: "accept", 2: "accept"}, {1: "accept", 2: "accept"})
    assert same.observed.value == 1.0
    assert (same.kappa.value, same.kappa.reason) == (None, "both give one and the same verdict everywhere")
    none = VerdictAgreement.of({1: "accept"}, {2: "accept"})
    assert (none.observed.value, none.kappa.value) == (None, None)
    assert none.kappa.reason == "there is nothing both have judged"


def test_what_everybody_accepted_is_kept(made, sheet):
    files = [
        sheet("anna", "w0,accept,", "w1,accept,", "w2,reject,flat", "w3,accept,"),
        sheet("bob", "w1,unsure,hm", "w0,accept,", "w2,reject,"),
    ]
    record = merge_reviews(made, files)
    assert (ids(made, "train"), ids(made, "test")) == (["w0"], ["w3"])
    assert record["kept"] == {"train": 1, "test": 1}
    assert record["unreviewed"] == 1
    assert record["reviewers"] == {
        "anna": {"accept": 3, "reject": 1, "unsure": 0},
        "bob": {"accept": 1, "reject": 1, "unsure": 1},
    }
    [pair] = record["agreement"]
    assert (pair["first"], pair["second"], pair["observed"]["value"]) == ("anna", "bob", 2 / 3)
    assert record["disagreements"] == [
        {
            "id": "w1",
            "reviews": {"anna": {"verdict": "accept", "note": ""}, "bob": {"verdict": "unsure", "note": "hm"}},
        }
    ]
    assert record == json.loads((made.folder / "reviews.json").read_text())
    [kept] = read_manifest(made.folder / "train.reviewed.jsonl")
    assert kept.extra["reviews"] == {"anna": "accept", "bob": "accept"}


def test_one_who_accepts_is_enough_where_any_is_kept_and_the_unreviewed_can_stay(made, sheet):
    files = [sheet("anna", "w0,accept,", "w1,reject,"), sheet("bob", "w0,reject,", "w1,reject,")]
    merge_reviews(made, files, keep="any")
    assert (ids(made, "train"), ids(made, "test")) == (["w0"], [])
    merge_reviews(made, files, keep="any", with_unreviewed=True)
    assert (ids(made, "train"), ids(made, "test")) == (["w0", "w2"], ["w3", "w4"])


def test_files_may_come_one_after_the_other(made, sheet):
    merge_reviews(made, [sheet("bob", "w0,accept,", "w1,reject,")])
    merge_reviews(made, [sheet("anna", "w0,accept,")])
    merge_reviews(made, [sheet("anna", "w1,accept,", "w0,unsure,")])  # anna thought again
    lines = [json.loads(line) for line in (made.folder / "reviews.jsonl").read_text().splitlines()]
    assert [(one["id"], one["reviewer"], one["verdict"]) for one in lines] == [
        ("w0", "anna", "unsure"), ("w0", "bob", "accept"), ("w1", "anna", "accept"), ("w1", "bob", "reject"),
    ]  # fmt: skip


def test_verdicts_of_a_set_that_was_made_anew_are_refused(made, sheet):
    merge_reviews(made, [sheet("bob", "w0,accept,")])
    target = made.folder / "reviews.jsonl"
    target.write_text(target.read_text().replace(made.mark, "0" * 12))
    with pytest.raises(PedkitError, match=r"reviews\.jsonl:1: these verdicts are of another set \(000000000000\)"):
        merge_reviews(made, [sheet("anna", "w0,accept,")])


@pytest.mark.parametrize(
    "change",
    [{"verdict": "maybe"}, {"id": ["w0"]}, {"note": None}, {"more": "x"}],
)
def test_a_changed_line_of_earlier_verdicts_is_named(made, sheet, change):
    merge_reviews(made, [sheet("bob", "w0,accept,")])
    target = made.folder / "reviews.jsonl"
    target.write_text(json.dumps(json.loads(target.read_text()) | change) + "\n")
    with pytest.raises(PedkitError, match=r"reviews\.jsonl:1: expected a verdict of a reviewer"):
        merge_reviews(made, [sheet("anna", "w0,accept,")])


def test_a_file_without_verdicts_does_not_wipe_out_earlier_ones(made, sheet):
    merge_reviews(made, [sheet("anna", "w0,accept,")])
    before = (made.folder / "reviews.jsonl").read_text()
    with pytest.raises(PedkitError, match=r"anna\.csv: there is no verdict in this file"):
        merge_reviews(made, [sheet("anna", "w0,,only a note")])
    assert (made.folder / "reviews.jsonl").read_text() == before


@pytest.mark.parametrize(
    "line", [{"accepted": True}, {"id": 3, "accepted": True}, {"id": "w0", "accepted": "yes"}]
)
def test_a_changed_line_of_the_recognizer_is_named(made, sheet, line):
    (made.folder / "acceptance.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(PedkitError, match=r"acceptance\.jsonl:1: expected a verdict of a recognizer"):
        merge_reviews(made, [sheet("anna", "w0,accept,")])


def test_people_are_compared_with_the_recognizer(made, sheet):
    verdicts = {"w0": True, "w1": False, "w2": False, "w3": True, "w4": True}
    lines = [json.dumps({"id": name, "accepted": accepted}) for name, accepted in verdicts.items()]
    (made.folder / "acceptance.jsonl").write_text("\n".join(lines) + "\n")
    record = merge_reviews(made, [sheet("anna", "w0,accept,", "w1,reject,", "w2,accept,")])
    [pair] = record["agreement"]
    assert (pair["first"], pair["second"]) == ("anna", "recognizer")
    assert pair["counts"]["accept"] == {"accept": 1, "reject": 1, "unsure": 0}
    assert pair["counts"]["reject"] == {"accept": 0, "reject": 1, "unsure": 0}


def test_the_command_says_who_agrees_on_what(made, sheet):
    files = [sheet("anna", "w0,accept,", "w1,reject,too short"), sheet("bob", "w0,accept,", "w1,accept,")]
    done = CliRunner().invoke(app, ["merge", str(made.folder), *map(str, files)])
    assert done.exit_code == 0
    # Of two recordings one is the same; pe = (1 * 2 + 1 * 0) / 4 = 0.5, so kappa is 0.
    assert done.output.splitlines() == [
        "anna: 1 accept, 1 reject, 0 unsure",
        "bob: 2 accept, 0 reject, 0 unsure",
        "anna and bob: the same verdict on 1 of 2 (50.0 %), Cohen's kappa 0.000",
        "  w1: anna reject (too short); bob accept",
        f"{made.folder}: kept train.reviewed.jsonl (1), test.reviewed.jsonl (0); judged by nobody: 3",
    ]


def test_the_command_writes_a_page_of_a_selection(made, tmp_path):
    made.write_selection("accepted", lambda one: one.id in ("w1", "w4"), {})
    out = tmp_path / "review.html"
    done = CliRunner().invoke(
        app, ["page", str(made.folder), "--out", str(out), "--reviewer", "bob", "--of", "accepted"]
    )
    assert done.exit_code == 0
    assert done.output.startswith(f"{out}: 2 recordings for bob to judge (0.0 MB)")
    assert '"w4"' in out.read_text()
    assert '"w0"' not in out.read_text()


def test_a_wrong_word_on_the_command_line_is_one_sentence(made, sheet):
    done = CliRunner().invoke(app, ["merge", str(made.folder), str(sheet("anna", "w0,accept,")), "--keep", "most"])
    assert done.exit_code == 1
    assert "error: expected --keep to be" in done.output
