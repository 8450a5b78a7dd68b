import gc
import json

import pytest

from pedkit.data.jsonl import read_jsonl, write_jsonl
from pedkit.data.manifest import (
    file_hash,
    iter_manifest,
    read_manifest,
    read_predictions,
    write_manifest,
)
from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.garbage import without_garbage_collection


def test_audio_paths_start_at_the_manifests_folder(tmp_path):
    path = tmp_path / "sets" / "m.jsonl"
    inside, outside = tmp_path / "sets" / "audio" / "a.flac", tmp_path / "b.flac"
    written = [Utterance(id="a", audio=Audio(str(inside))), Utterance(id="b", audio=Audio(str(outside)))]
    assert write_manifest(path, written) == 2
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["audio"]["path"] for line in lines] == ["audio/a.flac", str(outside)]
    assert [u.audio.path for u in read_manifest(path)] == [str(inside), str(outside)]


@pytest.mark.parametrize("slow", [False, True])
def test_a_recording_has_the_same_path_from_whichever_folder_it_is_named(tmp_path, slow):
    """Leaks are seen by comparing paths."""
    paths = ["../a/audio/x.wav", "./../a//audio/./x.wav", f"{tmp_path}/sets/../a/audio/x.wav"]
    lines = [{"id": str(n), "audio": path, **({"canonical": "S"} if slow else {})} for n, path in enumerate(paths)]
    path = tmp_path / "sets" / "m.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert {u.audio.path for u in read_manifest(path)} == {str(tmp_path / "a" / "audio" / "x.wav")}
    assert [u.audio.path for u in iter_manifest(path, folder="")] == paths


def test_a_double_id_names_both_lines(tmp_path):
    path = tmp_path / "m.jsonl"
    path.write_text('{"id": "a"}\n\n{"id": "a"}\n')
    with pytest.raises(PedkitError) as error:
        read_manifest(path)
    assert str(error.value) == f"{path}:3: utterance 'a': this id stands already on line 1"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"id": "a"}\n{"id": \n', ":2: not a JSON line"),
        (b'{"id": "a", "extra": {"x": NaN}}\n', ":1: not a usable JSON line: NaN is not a number"),
        (b'{"id": "a", "text": "\\ud800"}\n', ":1: not a usable JSON line: it holds half a surrogate pair"),
        (b"[1]\n", ":1: expected a JSON object, but got list"),
        (b'{"id": "\xff"}\n', ":1: expected UTF-8 text"),
    ],
)
def test_a_broken_line_names_file_and_line(tmp_path, content, message):
    path = tmp_path / "m.jsonl"
    path.write_bytes(content)
    with pytest.raises(PedkitError) as error:
        list(read_jsonl(path))
    assert str(error.value).startswith(f"{path}{message}")


@pytest.mark.parametrize("content", ['{"id": "a"} {"id": "b"}\n\n', '{"id": "a"}\n{"id":\n"b"}{"id": "c"}\n'])
def test_one_line_is_one_utterance(tmp_path, content):
    path = tmp_path / "m.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(PedkitError, match="not a JSON line"):
        read_manifest(path)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\n\n"])
def test_the_number_of_a_line_counts_all_lines(tmp_path, line_end):
    lines = [json.dumps({"id": f"u{number}", "text": "x" * 300}) for number in range(2000)]
    lines[1500] = '{"id": 5}'
    path = tmp_path / "m.jsonl"
    path.write_text(line_end.join(lines), encoding="utf-8", newline="")
    with pytest.raises(PedkitError) as error:
        read_manifest(path)
    assert str(error.value).startswith(f"{path}:{1500 * line_end.count(chr(10)) + 1}: ")
    lines[1500] = lines[0]
    path.write_text(line_end.join(lines), encoding="utf-8", newline="")
    with pytest.raises(PedkitError, match=r"this id stands already on line 1$"):
        read_manifest(path)


def test_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(PedkitError, match="no such file"):
        read_manifest(tmp_path / "nothing.jsonl")


def test_writing_is_all_or_nothing(tmp_path):
    path = tmp_path / "m.jsonl"
    write_jsonl(path, [{"id": "old"}])

    def lines():
        yield {"id": "new"}
        raise RuntimeError("stopped in the middle")

    with pytest.raises(RuntimeError):
        write_jsonl(path, lines())
    assert path.read_text() == '{"id": "old"}\n'
    assert [p.name for p in tmp_path.iterdir()] == ["m.jsonl"]


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "clip\udce9.wav"])
def test_what_json_cannot_hold_names_the_utterance_and_leaves_no_file(tmp_path, value):
    with pytest.raises(PedkitError, match=r"utterance 'b': cannot be written as JSON in UTF-8"):
        write_jsonl(tmp_path / "m.jsonl", [{"id": "a"}, {"id": "b", "x": value}])
    assert list(tmp_path.iterdir()) == []


def test_byte_order_mark_and_ipa_are_read(tmp_path):
    path = tmp_path / "m.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + '{"id": "a", "realized": ["t͡ʃ"]}\n'.encode())
    assert read_manifest(path)[0].realized == ("t͡ʃ",)


def test_predictions_round_trip(tmp_path):
    path = tmp_path / "p.jsonl"
    heard = Prediction(
        id="a", phones=("S", "IH"), confidences=(0.5, 1.0), times=((0.0, 0.1), (0.1, 0.2)), seconds=0.3
    )
    silent = Prediction(id="b", status="empty", reason="only blanks")
    write_jsonl(path, [heard.to_dict(), silent.to_dict()])
    assert read_predictions(path) == {"a": heard, "b": silent}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": "a"}, "the key 'phones' is missing"),
        ({"id": "a", "phones": ["S"], "status": "fine"}, "expected 'status' to be one of"),
        ({"id": "a", "phones": ["S"], "confidences": [0.1, 0.2]}, "one entry a phone (1)"),
        (
            {"id": "a", "phones": ["S"], "confidences": ["high"]},
            "expected 'confidences' to be a finite number",
        ),
        ({"id": "a", "phones": ["S"], "confidences": [2]}, "expected 'confidences' from 0 to 1, but got [2]"),
        ({"id": "a", "phones": ["S"], "times": [[2, 1]]}, "expected 'times' with 0 <= start <= end"),
        ({"id": "a", "phones": ["S"], "times": [0.1]}, "expected 'times' to hold [start, end] pairs"),
        ({"id": "a", "phones": ["S"], "seconds": "long"}, "'seconds' cannot be 'long'"),
        ({"id": "a", "phones": [["S"]]}, "expected each phone of 'phones' to be one symbol"),
    ],
)
def test_a_malformed_prediction_names_file_line_and_utterance(tmp_path, line, message):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(line) + "\n")
    with pytest.raises(PedkitError) as error:
        read_predictions(path)
    assert str(error.value).startswith(f"{path}:1: utterance 'a': ")
    assert message in str(error.value)


def test_the_garbage_collector_is_as_it_was_after_reading():
    def fail():
        with without_garbage_collection():
            assert not gc.isenabled()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    gc.disable()
    try:
        with without_garbage_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_file_hash_is_sha256(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    assert file_hash(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
