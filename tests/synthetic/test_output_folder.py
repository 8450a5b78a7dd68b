import errno
import multiprocessing
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import soundfile

from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError
from synthetic.output import OutputFolder


def test_audio_is_16_bit_flac_and_described_for_the_manifest(tmp_path):
    folder = OutputFolder(tmp_path / "set")
    samples = np.linspace(-0.7, 0.7, 8000, dtype=np.float32)
    audio = folder.write_audio("train-00000-cat", samples, 16000)
    assert audio == Audio(path="audio/train-00000-cat.flac", duration=0.5)
    assert folder.made() == {"train-00000-cat": audio}
    path = tmp_path / "set" / audio.path
    info = soundfile.info(path)
    assert (info.format, info.subtype, info.samplerate, info.channels) == ("FLAC", "PCM_16", 16000, 1)
    read, _ = soundfile.read(path, dtype="float32")
    assert np.abs(read - samples).max() <= 0.5 / 32768 + 1e-7


def test_files_of_a_killed_run_are_swept_up_and_whole_ones_stay(tmp_path, monkeypatch):
    folder = OutputFolder(tmp_path)
    folder.write_audio("whole", np.ones(10, dtype=np.float32) / 2, 16000)
    with monkeypatch.context() as killed:
        killed.setattr(Path, "replace", lambda *_: None)  # the process ends before the file gets its name
        folder.write_audio("half", np.ones(10, dtype=np.float32) / 2, 16000)
        folder.write_run_record({})
        folder.write_card("")
        folder.write_refusals([])
    assert len(list(tmp_path.glob(".*"))) == 3
    assert set(OutputFolder(tmp_path).made()) == {"whole"}
    assert [path.name for path in (tmp_path / "audio").iterdir()] == ["whole.flac"]
    assert [path.name for path in tmp_path.iterdir()] == ["audio"]


def test_recordings_of_a_design_that_was_never_finished_are_swept_up_and_other_files_stay(tmp_path):
    folder = OutputFolder(tmp_path)
    for name in ("train-00000-cat", "test_unseen-00001-a-cat", "train-00002-", "train-of-thought", "my-recording"):
        folder.write_audio(name, np.ones(10, dtype=np.float32) / 2, 16000)
    assert set(OutputFolder(tmp_path).made()) == {"train-of-thought", "my-recording"}
    folder.write_audio("train-00000-cat", np.ones(10, dtype=np.float32) / 2, 16000)
    folder.keep_design([])
    assert "train-00000-cat" in OutputFolder(tmp_path).made()


def test_a_second_run_leaves_the_folder_alone_until_the_first_has_ended(tmp_path):
    with OutputFolder.held(tmp_path / "set") as folder:
        folder.write_audio("train-00000-cat", np.ones(10, dtype=np.float32) / 2, 16000)
        with (
            pytest.raises(PedkitError, match=r"set: another process is at work on this set \(wait for it, or"),
            OutputFolder.held(tmp_path / "set"),
        ):
            pass
        assert set(folder.made()) == {"train-00000-cat"}
    with OutputFolder.held(tmp_path / "set") as folder:
        assert folder.made() == {}


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked there alone")
def test_a_process_that_outlives_its_run_does_not_hold_the_folder(tmp_path):
    context = multiprocessing.get_context("fork")
    there = context.Event()

    def linger():
        there.set()
        time.sleep(600)

    with OutputFolder.held(tmp_path):
        process = context.Process(target=linger, daemon=True)
        process.start()
        assert there.wait(60)
    try:
        with OutputFolder.held(tmp_path):
            assert process.is_alive()
    finally:
        process.kill()
        process.join()


@pytest.mark.parametrize("size", [0, 10, 50, -1])
def test_a_recording_that_lost_its_end_counts_as_missing(tmp_path, size):
    folder = OutputFolder(tmp_path)
    noise = np.random.default_rng(1).uniform(-0.5, 0.5, 5000).astype(np.float32)
    for name in ("whole", "cut"):
        folder.write_audio(name, noise, 16000)
    path = tmp_path / "audio" / "cut.flac"
    path.write_bytes(path.read_bytes()[:size])
    assert set(folder.made()) == {"whole"}


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(PedkitError) as caught, OutputFolder.held(tmp_path / "taken" / "set"):
        pass
    assert str(caught.value) == (
        f"{tmp_path / 'taken' / 'set'}: cannot write here: not a directory "
        "(make room or rights, or choose another folder with output_dir=)"
    )


@pytest.mark.parametrize("code", [errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_a_read_only_or_full_disk_is_one_sentence_and_leaves_nothing_half_made(tmp_path, monkeypatch, code):
    folder = OutputFolder(tmp_path)

    def fail(*_):
        raise OSError(code, "No such luck")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(PedkitError, match="cannot write here: no such luck"):
        folder.write_audio("a", np.ones(10, dtype=np.float32), 16000)
    with pytest.raises(PedkitError, match="cannot write here: no such luck"):
        OutputFolder(tmp_path)
    monkeypatch.undo()
    assert OutputFolder(tmp_path).made() == {}


def finished(counts="{}", refused='{"stages": {}}', self_check='{"checked": 1, "refused": 0}'):
    return (
        f'{{"status": "complete", "settings": {{}}, "self_check": {self_check}, "counts": {counts}, '
        f'"refused": {refused}, "manifests": {{}}, "audio_files": 0}}'
    )


def test_the_record_of_a_finished_set(tmp_path):
    (tmp_path / "run.json").write_text(finished())
    assert OutputFolder(tmp_path).run_record()["status"] == "complete"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "{}",
        "\xff",
        '{"status": "running", "settings": 3}',
        '{"status": "complete", "settings": {}}',
        "[" * 100_000,
        finished(counts='{"train": 5}'),
        finished(counts='{"train": {"items": 1, "with_error": 0, "voices": 1}}'),
        finished(refused="{}"),
        finished(self_check='{"checked": 1}'),
    ],
)
def test_a_broken_run_record_is_named(tmp_path, content):
    (tmp_path / "run.json").write_text(content, encoding="latin-1")
    with pytest.raises(PedkitError, match=r"run\.json: expected the record of an earlier run"):
        OutputFolder(tmp_path).run_record()


def test_a_new_folder_has_no_run_record(tmp_path):
    folder = OutputFolder(tmp_path)
    assert folder.run_record() is None
    folder.write_run_record({"status": "running", "settings": {"engine": "ɛ"}})
    assert folder.run_record() == {"status": "running", "settings": {"engine": "ɛ"}}
