import hashlib
import json
import shlex
from pathlib import Path

import numpy as np
import pytest
import soundfile
from typer.testing import CliRunner

from pedkit.cli.main import app
from pedkit.data.draw import draw
from pedkit.data.manifest import file_hash, read_manifest
from pedkit.data.mix import mix
from pedkit.errors import PedkitError


def write(path, names, **fields):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({"id": name, **fields}) + "\n" for name in names))
    return path


def ids(path):
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_a_plain_merge_keeps_all_in_order_and_records_where_it_is_from(tmp_path):
    a, b = write(tmp_path / "a.jsonl", "xyz"), write(tmp_path / "b.jsonl", "uv")
    out = tmp_path / "m.jsonl"
    assert mix([b, a], out, command="pedkit mix ...") == {str(b): 2, str(a): 3}
    assert ids(out) == ["u", "v", "x", "y", "z"]
    record = json.loads((tmp_path / "m.provenance.json").read_text())
    assert record["inputs"] == [{"path": str(b), "sha256": file_hash(b)}, {"path": str(a), "sha256": file_hash(a)}]
    assert record["outputs"] == [{"path": str(out), "sha256": file_hash(out), "utterances": 5}]
    assert (record["verb"], record["command"], record["settings"]["seed"]) == ("mix", "pedkit mix ...", 0)


def test_audio_goes_on_meaning_the_same_file(tmp_path):
    soundfile.write(tmp_path / "clip.wav", np.zeros(10), 16000)
    for folder in ("one", "two/deep"):
        write(tmp_path / folder / "m.jsonl", [folder], audio="clip.wav" if folder == "one" else "../clip.wav")
    absolute = write(tmp_path / "abs.jsonl", ["abs"], audio=str(tmp_path / "clip.wav"))
    parts = [tmp_path / "one/m.jsonl", tmp_path / "two/deep/m.jsonl", absolute]
    mix(parts, tmp_path / "out/mixed.jsonl")
    written = [
        json.loads(line)["audio"]["path"] for line in (tmp_path / "out/mixed.jsonl").read_text().splitlines()
    ]
    assert written == ["../one/clip.wav", "../two/clip.wav", str(tmp_path / "clip.wav")]
    read = [Path(u.audio.path).resolve() for u in read_manifest(tmp_path / "out/mixed.jsonl")]
    assert read == [tmp_path / "one/clip.wav", tmp_path / "two/clip.wav", tmp_path / "clip.wav"]


def test_the_result_does_not_depend_on_where_the_folders_lie(tmp_path):
    hashes = set()
    for home in ("here", "there/deeper"):
        write(tmp_path / home / "a/m.jsonl", "xyz", audio="x.wav")
        write(tmp_path / home / "b/m.jsonl", "uvw", audio="x.wav")
        mix(
            [tmp_path / home / "a/m.jsonl", tmp_path / home / "b/m.jsonl"],
            tmp_path / home / "m.jsonl",
            weights=[2, 1],
        )
        hashes.add(file_hash(tmp_path / home / "m.jsonl"))
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("weights", "total", "counts"),
    [
        ([1, 1], None, [6, 6]),
        ([1, 2], None, [5, 10]),
        (["1/3", 1], None, [3, 10]),
        ([0.5, 0.5], 4, [2, 2]),
        ([3, 1], 8, [6, 2]),
    ],
)
def test_proportions(tmp_path, weights, total, counts):
    a, b = write(tmp_path / "a.jsonl", "abcdef"), write(tmp_path / "b.jsonl", "ghijklmnop")
    taken = mix([a, b], tmp_path / "m.jsonl", weights=weights, total=total)
    assert list(taken.values()) == counts
    assert len(set(ids(tmp_path / "m.jsonl"))) == sum(counts)


def test_who_is_drawn_follows_from_seed_and_id_alone():
    def lots(seed, names):
        return sorted(names, key=lambda name: hashlib.sha256(f"{seed}:{name}".encode()).hexdigest())

    names = [f"utterance {number}" for number in range(50)]
    for seed in (0, 1):
        assert draw(reversed(names), 20, seed) == set(lots(seed, names)[:20])
    assert draw(names, 20, 0) != draw(names, 20, 1)
    assert draw(names, 99, 0) == set(names)


def test_clashing_ids(tmp_path):
    a = write(tmp_path / "a.jsonl", "xy", source_id="s")
    b = write(tmp_path / "b.jsonl", "yz")
    with pytest.raises(PedkitError, match=r"b.jsonl: utterance 'y': the id stands in .*a.jsonl, too \(ids=prefix"):
        mix([a, b], tmp_path / "m.jsonl")
    assert not (tmp_path / "m.jsonl").exists()
    mix([a, b], tmp_path / "m.jsonl", ids="prefix")
    assert [(u.id, u.source_id) for u in read_manifest(tmp_path / "m.jsonl")] == [
        ("a:x", "a:s"), ("a:y", "a:s"), ("b:y", None), ("b:z", None),
    ]  # fmt: skip


def test_prefixes_of_manifests_with_one_name_are_those_of_their_folders(tmp_path):
    parts = [write(tmp_path / name / "manifest.jsonl", "x") for name in ("timit", "l2arctic")]
    mix(parts, tmp_path / "m.jsonl", ids="prefix")
    assert ids(tmp_path / "m.jsonl") == ["timit:x", "l2arctic:x"]
    parts = [write(tmp_path / name / "data/manifest.jsonl", "x") for name in ("timit", "l2arctic")]
    mix(parts, tmp_path / "m.jsonl", ids="prefix")
    assert ids(tmp_path / "m.jsonl") == ["data-manifest-1:x", "data-manifest-2:x"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"weights": [1]}, "a weight for each of 2 manifests, but got 1"),
        ({"weights": [1, 0]}, "weights above 0, but got 1, 0"),
        ({"weights": [1, "much"]}, "weights to be numbers"),
        ({"weights": [1, 1], "total": 9}, "at most 4 utterances in these proportions, but got 9"),
        ({"weights": [1, 5]}, r"not one utterance of manifest number 1 would be taken \(give it a larger weight"),
        ({"weights": [1, 1], "total": 1}, "not one utterance of manifest number 1 would be taken"),
        ({"total": 2}, "'total' to be 1 or more and to come with weights"),
        ({"ids": "rename"}, "'ids' to be one of refuse, prefix"),
    ],
)
def test_wrong_settings(tmp_path, settings, message):
    parts = [write(tmp_path / "a.jsonl", "xy"), write(tmp_path / "b.jsonl", "uvw")]
    with pytest.raises(PedkitError, match=message):
        mix(parts, tmp_path / "m.jsonl", **settings)


def test_nothing_is_read_twice_or_written_over(tmp_path):
    a, empty = write(tmp_path / "a.jsonl", "xy"), write(tmp_path / "empty.jsonl", "")
    with pytest.raises(PedkitError, match="given twice"):
        mix([a, tmp_path / "." / "a.jsonl"], tmp_path / "m.jsonl")
    with pytest.raises(PedkitError, match="another file to write than the one that is read"):
        mix([a], a)
    with pytest.raises(PedkitError, match="number 2 holds none"):
        mix([a, empty], tmp_path / "m.jsonl", weights=[1, 1])
    with pytest.raises(PedkitError, match="at least one manifest"):
        mix([], tmp_path / "m.jsonl")


def test_the_command(tmp_path, monkeypatch):
    a, b = write(tmp_path / "a.jsonl", "xyz"), write(tmp_path / "b.jsonl", "uvw")
    arguments = ["mix", str(a), str(b), "--out", str(tmp_path / "m.jsonl"), "--weight", "1", "--weight", "3"]
    monkeypatch.setattr("sys.argv", ["/somewhere/bin/pedkit", *arguments])
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    assert result.output == f"{tmp_path / 'm.jsonl'}: 4 utterances (1 of {a}, 3 of {b})\n"
    record = json.loads((tmp_path / "m.provenance.json").read_text())
    assert record["settings"]["weights"] == ["1", "3"]
    assert record["command"] == shlex.join(["pedkit", *arguments])
