"""A finished set of a few recordings, as `python -m synthetic` leaves it, and a recognizer that knows them."""

import json

import numpy as np
import soundfile
from rapidfuzz.distance import Levenshtein

from pedkit.data.manifest import file_hash, write_manifest
from pedkit.data.utterance import Audio, Utterance, Word
from pedkit.errors import PedkitError

RATE = 16000


def utterance(name, canonical, realized, *, split="train", voice="en-us+f3", engine="espeak", text=None):
    canonical, realized = tuple(canonical.split()), tuple(realized.split())
    text = text or name
    return Utterance(
        id=name,
        audio=Audio(path=f"audio/{name}.flac"),
        text=text,
        split=split,
        corpus="synthetic",
        inventory="cmu39",
        canonical=canonical,
        realized=realized,
        words=(Word(text, 0, len(canonical)),),
        target_span=(0, len(canonical)),
        level="word",
        speaker=f"{engine}:{voice}",
        extra={"engine": engine, "voice": voice, "design": {"type": "none"}},
    )


def write_set(folder, utterances):
    """Write manifests, recordings of 0.3 s of a tone, and the record of the run."""
    (folder / "audio").mkdir(parents=True)
    splits = list(dict.fromkeys(one.split for one in utterances))
    for number, one in enumerate(utterances):
        tone = 0.3 * np.sin(2 * np.pi * (200 + 20 * number) * np.arange(int(0.3 * RATE)) / RATE)
        soundfile.write(str(folder / one.audio.path), tone, RATE, subtype="PCM_16")
    for split in splits:
        write_manifest(folder / f"{split}.jsonl", [one for one in utterances if one.split == split])
    hashes = {split: file_hash(folder / f"{split}.jsonl") for split in splits}
    (folder / "run.json").write_text(json.dumps({"status": "complete", "settings": {}, "manifests": hashes}))
    return folder


class KnowingRecognizer:
    """Each phone more, less or other than what was said costs 6 nats.

    Args:
        said: Id -> what the recording really says, where that is not what its manifest says.
        unknown: A phone that it does not know.
    """

    name, inventory, sample_rate, revision = "knowing", "cmu39", RATE, "r1"

    def __init__(self, said=None, unknown=None):
        self.said, self.unknown, self.heard = said or {}, unknown, []

    def transcribe(self, batch):
        raise NotImplementedError

    def log_likelihood(self, clip, phones):
        phones = tuple(phones)
        if self.unknown in phones:
            raise PedkitError(f"'{self.unknown}' is not in the vocabulary")
        name = clip.utterance.id
        self.heard.append(name)
        said = tuple(self.said[name].split()) if name in self.said else clip.utterance.realized
        return -6.0 * Levenshtein.distance(said, phones)
