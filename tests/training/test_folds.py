from __future__ import annotations

import pytest

from pedkit.data.manifest import file_hash, iter_manifest, write_manifest
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError
from pedkit.training.folds import make_folds


def _utterance(name, source=None):
    return Utterance(
        id=name, audio=Audio(f"audio/{name}.wav"), inventory="cmu39", realized=("S",), source_id=source
    )


@pytest.fixture
def manifests(tmp_path):
    """Six copies of two recordings' errors, and eight items of their own; a seventh copy in another manifest."""
    copies = [_utterance(f"copy{i}", f"child{i % 2}") for i in range(6)]
    write_manifest(tmp_path / "a.jsonl", [*copies, *(_utterance(f"own{i}") for i in range(8))])
    write_manifest(tmp_path / "b.jsonl", [_utterance("other", "child0"), _utterance("alone")])
    return [str(tmp_path / "a.jsonl"), {"manifest": str(tmp_path / "b.jsonl"), "repeat": 3}]


def _ids(path):
    return {utterance.id for utterance in iter_manifest(path)}


def test_every_recording_is_held_out_once_and_never_learnt_in_the_same_fold(manifests, tmp_path):
    folds = make_folds(manifests, tmp_path / "folds", folds=5)
    held = [set().union(*(_ids(path) for path in fold.held_out.values())) for fold in folds]
    learnt = [set().union(*(_ids(part["manifest"]) for part in fold.train)) for fold in folds]
    everything = set().union(*held)
    assert len(everything) == 16 == sum(map(len, held))
    assert all(one | other == everything and not one & other for one, other in zip(held, learnt, strict=True))
    assert [fold.utterances for fold in folds] == list(map(len, held))
    assert max(map(len, held)) <= 16 / 5 + 4  # its share and the largest source
    assert sum(fold.sources for fold in folds) == 11  # two children and nine items of their own


def test_copies_of_one_recording_stay_together_across_manifests(manifests, tmp_path):
    for seed in range(5):
        folds = make_folds(manifests, tmp_path / str(seed), folds=5, seed=seed)
        homes = [
            {fold.number for fold in folds for path in fold.held_out.values() if names & _ids(path)}
            for names in ({"copy0", "copy2", "copy4", "other"}, {"copy1", "copy3", "copy5"})
        ]
        assert [len(home) for home in homes] == [1, 1]


def test_parts_keep_their_weight_and_recordings_their_place(manifests, tmp_path):
    folds = make_folds(manifests, tmp_path / "folds", folds=2)
    assert {(part["manifest"][-7:-6], part["repeat"]) for fold in folds for part in fold.train} == {
        ("1", 1.0), ("2", 3),
    }  # fmt: skip
    first = next(iter_manifest(folds[0].train[0]["manifest"]))
    assert first.audio.path == str(tmp_path / "audio" / f"{first.id}.wav")


def test_made_again_the_files_are_the_same(manifests, tmp_path):
    def hashes(seed):
        folds = make_folds(manifests, tmp_path / "folds", folds=5, seed=seed)
        return [file_hash(part["manifest"]) for fold in folds for part in fold.train]

    first = hashes(1)
    assert first == hashes(1)
    assert first != hashes(2)


def test_too_few_sources_are_refused(manifests, tmp_path):
    with pytest.raises(PedkitError, match="expected a source_id at least for each of 11 splits, but there are 10"):
        make_folds(manifests[:1], tmp_path / "folds", folds=11)
    with pytest.raises(PedkitError, match="expected every utterance to have 'speaker'"):
        make_folds(manifests, tmp_path / "folds", folds=2, by="speaker")
