"""PEDBench: Acted and Authentic after SW or SC are "seen words, unseen audio", whatever preset they come from."""

from __future__ import annotations

import pytest

from pedkit.data.manifest import file_hash, write_manifest
from pedkit.data.utterance import Audio, Utterance
from pedkit.evaluation.seen import UsedData
from pedkit.evaluation.test_sets import EvaluationSet, stamp_seen


def _manifest(path, texts, split=None):
    utterances = [
        Utterance(
            id=f"{path.stem}{n}", audio=Audio(f"{path.stem}{n}.wav"), text=text, split=split, inventory="cmu39"
        )
        for n, text in enumerate(texts)
    ]
    write_manifest(path, utterances)
    return path


def _used(path, role="train", split=None):
    return UsedData(role, file_hash(path), split, str(path))


def _stamp(path, *used):
    return stamp_seen([EvaluationSet.of("acted", str(path))], used, allow_seen=False).get("acted")


@pytest.fixture
def trained(tmp_path):
    return _manifest(tmp_path / "sw.jsonl", ["Think", "dog", "a  red cat"], split="train")


@pytest.mark.parametrize(
    ("texts", "seen"),
    [
        (["think", "DOG"], "2 of the 2"),
        (["think", "new"], "1 of the 2"),
        (["A red  cat", "think", "think", None], "3 of the 4"),
        (["think", "new", "words"], None),
        (["new"], None),
        ([None, None], None),
    ],
)
def test_a_set_whose_words_were_trained_on_says_so(trained, tmp_path, texts, seen):
    stamp = _stamp(_manifest(tmp_path / "acted.jsonl", texts), _used(trained))
    if seen is None:
        assert stamp is None
    else:
        assert stamp is not None
        assert stamp.startswith(f"Seen words, unseen audio: {seen} recordings say a text that was trained on.")


def test_dev_sets_other_splits_and_changed_manifests_teach_no_words(trained, tmp_path):
    acted = _manifest(tmp_path / "acted.jsonl", ["think"])
    assert _stamp(acted, _used(trained, split="train")) is not None
    assert _stamp(acted, _used(trained, role="dev")) is None
    assert _stamp(acted, _used(trained, split="dev")) is None
    before = _used(trained)
    _manifest(trained, ["think", "more"])
    assert _stamp(acted, before) is None
