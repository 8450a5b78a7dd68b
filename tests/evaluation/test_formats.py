import json

import pytest

from pedkit.errors import PedkitError
from pedkit.evaluation.formats import detect_format, iter_predictions

TWICE = "utterance 'a': this id stands twice (first on line 1)"
ONE_SYMBOL = "utterance 'a': expected each phone of 'phones' to be one symbol, but got"


def read(path, format="auto"):
    return [(line, p.id, p.phones, p.inventory, p.status) for line, p in iter_predictions(path, format)]


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def test_pedkit_lines_take_lists_and_strings(tmp_path):
    path = write(tmp_path, "p.jsonl", '{"id": "a", "phones": ["K", "AE"]}\n\n{"id": "b", "phones": "K AE T"}\n')
    assert read(path) == [(1, "a", ("K", "AE"), None, "ok"), (3, "b", ("K", "AE", "T"), None, "ok")]


def test_kaldi_text_has_an_id_and_phones_and_may_have_no_phones(tmp_path):
    path = write(tmp_path, "text", "ref-hyp-1 K AE T\nsilent\n")
    assert read(path) == [(1, "ref-hyp-1", ("K", "AE", "T"), None, "ok"), (2, "silent", (), None, "empty")]


@pytest.mark.parametrize("separator", [",", "\t"])
def test_tables_need_id_and_phones_and_may_have_more(tmp_path, separator):
    rows = [
        ["id", "score", "phones", "status"],
        ["a", "1", "K AE", ""],
        ["b", "2", "", "unparsable"],
        ["c", "3", "", ""],
    ]
    path = write(tmp_path, "p.txt", "\n".join(separator.join(row) for row in rows) + "\n")
    assert detect_format(path) == "csv"
    assert read(path) == [
        (2, "a", ("K", "AE"), None, "ok"),
        (3, "b", (), None, "unparsable"),
        (4, "c", (), None, "empty"),
    ]


def test_a_quoted_id_may_hold_a_comma(tmp_path):
    path = write(tmp_path, "p.csv", 'id,phones\n"a,1",K AE\n')
    assert read(path) == [(2, "a,1", ("K", "AE"), None, "ok")]


PRISM = {
    "0": {"pred": [{"processed_transcript": "t͡ʃɪn"}], "passthrough": {"utt_id": "a"}},
    "1": {"pred": "θ ɪ ŋ", "passthrough": {"key": "b"}},
    "2": {"pred": ""},
}
PRISM_READ = [("a", ("t͡ʃ", "ɪ", "n"), "ipa", "ok"), ("b", ("θ", "ɪ", "ŋ"), "ipa", "ok"), ("2", (), "ipa", "empty")]


def test_prism_gives_ipa_under_its_own_ids(tmp_path):
    path = write(tmp_path, "transcription.json", json.dumps(PRISM))
    assert [row[1:] for row in read(path)] == PRISM_READ


def test_prism_shards_are_json_lines_of_the_same_objects(tmp_path):
    lines = "".join(json.dumps({key: value}) + "\n" for key, value in PRISM.items())
    path = write(tmp_path, "transcription.0.jsonl", lines)
    assert detect_format(path) == "prism"
    assert [row[1:] for row in read(path)] == PRISM_READ


def test_json_lines_are_told_from_prisms_object_by_their_content(tmp_path):
    path = write(tmp_path, "p.json", '{"id": "a", "phones": "K"}\n{"id": "b", "phones": "T"}\n')
    assert [row[1:3] for row in read(path)] == [("a", ("K",)), ("b", ("T",))]
    path = write(tmp_path, "transcription.json", json.dumps(PRISM, indent=1))
    assert [row[1:] for row in read(path)] == PRISM_READ


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("p.jsonl", '{"id": "a", "phones": []}\n{"id": "b", "phones": \n', ":2: not a JSON line"),
        ("p.jsonl", '{"id": "a", "phones": "K"}\n{"id": "a", "phones": "K"}\n', f":2: {TWICE}"),
        ("p.jsonl", '{"phones": "K"}\n', ":1: expected 'id' to be a non-empty string"),
        ("p.jsonl", '{"id": "a", "phones": ["K", null]}\n', f":1: {ONE_SYMBOL} None"),
        ("p.jsonl", '{"id": "a", "phones": ["K", ""]}\n', f":1: {ONE_SYMBOL} ''"),
        ("p.jsonl", '{"id": "a", "phones": ["K"], "confidences": [NaN]}\n', ":1: not a usable JSON line: NaN"),
        ("p.jsonl", '{"id": "a", "phones": 3}\n', ":1: utterance 'a': expected 'phones' to be a list of phones"),
        ("p.csv", "id,phones\na,K,T\n", ":2: expected 2 cells, but got 3"),
        ("p.csv", "id,phones\na,nan\n", ":2: utterance 'a': expected phones, but got 'nan'"),
        ("p.csv", "name,phones\na,K\n", ":1: expected one column id and one column phones, but got name, phones"),
        ("p.csv", "id,phones\ra,K\n", ":1: not a CSV line: new-line character seen in unquoted field"),
        ("text", "a K\na K\n", ":2: utterance 'a': this id stands twice"),
        ("t.json", '{"0": {"pred": 3}}', ": utterance '0': expected 'pred' to be a string"),
        ("t.json", '{"0": \n', ":2: not JSON"),
        ("t.json", "[1]", ": expected an object of utterances, but got list"),
        ("t.json", '{"0": NaN}', ": not usable JSON: NaN"),
        ("p.jsonl", "", ": the file is empty"),
        ("p.jsonl", '{"id": "a", "phones": "K", "phones": "T"}\n', ":1: not a usable JSON line: the key 'pho"),
        ("t.json", '{"0": {"pred": "k"}, "0": {"pred": "t"}}', ": not usable JSON: the key '0' stands twice"),
    ],
)  # fmt: skip
def test_bad_files_name_file_line_and_utterance(tmp_path, name, text, message):
    path = write(tmp_path, name, text)
    with pytest.raises(PedkitError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}{message}")


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a K\nb \xff\n")
    with pytest.raises(PedkitError) as error:
        read(path)
    assert str(error.value) == f"{path}:2: expected UTF-8 text, but byte 2 is not"


def test_bytes_that_are_no_text_are_found_in_a_file_of_one_object_too(tmp_path):
    path = tmp_path / "t.json"
    path.write_bytes(b'{"0":\n{"pred": "\xff"}}')
    with pytest.raises(PedkitError) as error:
        read(path)
    assert str(error.value) == f"{path}:2: expected UTF-8 text, but byte 16 is not"


def test_an_unknown_format_lists_the_known_ones(tmp_path):
    path = write(tmp_path, "text", "a K\n")
    with pytest.raises(PedkitError, match="auto or one of pedkit, prism, kaldi, csv, but got 'stm'"):
        read(path, "stm")


def test_a_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(PedkitError, match="no such file"):
        read(tmp_path / "none.jsonl")
