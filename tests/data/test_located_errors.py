import json

import pytest
from torch.utils.data import DataLoader

from pedkit.data.dataset import PhoneDataset
from pedkit.data.located import located
from pedkit.data.manifest import write_manifest
from pedkit.errors import PedkitError


@pytest.mark.parametrize("workers", [0, 1])
def test_a_recording_that_vanishes_is_named_with_its_line_from_a_loader_process_too(
    make_utterance, tmp_path, workers
):
    clips = [make_utterance(f"u{i}", 0.2) for i in range(2)]
    write_manifest(tmp_path / "m.jsonl", clips)
    data = PhoneDataset(clips)
    path = tmp_path / clips[1].audio.path
    path.unlink()
    with pytest.raises(PedkitError) as caught:
        list(DataLoader(data, batch_size=2, collate_fn=data.collate, num_workers=workers))
    error = located(caught.value, [tmp_path / "m.jsonl"])
    assert str(error) == f"{tmp_path / 'm.jsonl'}:2: utterance 'u1': {path}: no such audio file"


def test_other_errors_stay_as_they_are(tmp_path):
    (tmp_path / "m.jsonl").write_text(json.dumps({"id": "a"}) + "\n", encoding="utf-8")
    for error in (PedkitError("the disk is full"), PedkitError("x\npedkit.errors.PedkitError: the disk is full")):
        assert located(error, [tmp_path / "m.jsonl"]) is error
