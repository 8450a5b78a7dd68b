"""Kaldi data folders for tests: a generic one with segments, and two of PRiSM's evaluation sets."""

from __future__ import annotations

from pathlib import Path

import soundfile

from tests.data.mini_timit import sphere
from tests.data.readers.clips import noise, noise16

GENERIC = {
    "wav.scp": (
        "rec1 wav/rec1.wav\n"
        "rec2 /opt/kaldi/tools/sph2pipe_v2.5/sph2pipe -f wav -p -c 2 wav/rec2.sph |\n"
        "rec3\tflac -c -d -s 'wav/rec 3.flac' |\n"
    ),
    "segments": "s1-a rec1 0.00 0.50\ns1-b rec1 0.5 1.0\ns2-a rec2 0.25 -1\ns2-b rec3 0 0.10\n",
    "text": "s1-a THINK\ns1-b THE SEAT\ns2-a SHEEP\ns2-b\n",
    "utt2spk": "s1-a s1\ns1-b s1\ns2-a s2\ns2-b s2\n",
    "spk2utt": "s1 s1-a s1-b\ns2 s2-a s2-b\n",
    "spk2gender": "s1 f\ns2 m\n",
    "spk2age": "s1 9\ns2 NA\n",
    "spk2l1": "s1 Tamil\ns2 Dutch\n",
    "phones": "s1-a s ih1 ng k\ns1-b dh ah0 SIL s iy t\ns2-a sh ih p\ns2-b\n",
}

VOXANGELES = {
    "wav.scp": "abk-001\ttest_voxangeles/wavs/abk-001.wav\nzul-002\ttest_voxangeles/wavs/zul-002.wav\n",
    "text.good": "abk-001\tat͡sʼa\nzul-002\tiː ŋ ɡubo\nzul-003\ta\n",
    "text": "abk-001_pr <abk><pr><notimestamps>\nzul-002_pr <unk><pr>\nzul-003_pr <zul><pr>\n",
}

TIMIT = {
    "wav.scp": "dr1-fvmh0_sx206 test_timit/sx206.wav\n",
    "text.good": "dr1-fvmh0_sx206 ʃiɦæd\n",
    "text.lang": "dr1-fvmh0_sx206 <eng>\n",
}


def write_lists(folder: Path, lists: dict[str, str]) -> Path:
    """Write the lists of a data folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in lists.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def write_generic(root: Path) -> Path:
    """Write the generic folder with recordings of one second: a WAV, a two-channel SPHERE, and a FLAC file."""
    write_lists(root, GENERIC)
    (root / "wav").mkdir()
    soundfile.write(root / "wav" / "rec1.wav", noise("rec1", 1), 16000)
    soundfile.write(root / "wav" / "rec 3.flac", noise("rec3", 1), 16000)
    two = sphere(noise16("rec2", 2)).replace(b"channel_count -i 1", b"channel_count -i 2")
    (root / "wav" / "rec2.sph").write_bytes(two.replace(b"sample_count -i 32000", b"sample_count -i 16000"))
    return root


def write_prism(root: Path) -> Path:
    """Write PRiSM's folders of VoxAngeles and TIMIT with their recordings."""
    write_lists(root / "test_voxangeles", VOXANGELES)
    write_lists(root / "test_timit", TIMIT)
    (root / "test_voxangeles" / "wavs").mkdir()
    for name in ("test_voxangeles/wavs/abk-001", "test_voxangeles/wavs/zul-002", "test_timit/sx206"):
        soundfile.write(root / f"{name}.wav", noise(name, 0.5), 16000)
    return root
