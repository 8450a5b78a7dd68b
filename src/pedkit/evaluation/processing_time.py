"""`ProcessingTime`: how fast a recognizer was, as `rtf` and as `rtfx`, never one under the name of the other."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.scoring.rate import Rate


@dataclass(frozen=True, slots=True)
class ProcessingTime:
    """Summed times of one system.

    Attributes:
        clips: Number of recordings in the sums.
        processing_seconds: Wall-clock time of the recognizer, without loading and warm-up.
        audio_seconds: Length of the same recordings.
        left_out: Why predictions are not in the sums -> how many.
        batch_sizes: Every batch size that was recorded; empty where none was.
        devices: Every device that was recorded.
    """

    clips: int
    processing_seconds: float
    audio_seconds: float
    left_out: Mapping[str, int]
    batch_sizes: tuple[int, ...]
    devices: tuple[str, ...]

    @property
    def rtf(self) -> Rate:
        """Real-time factor: processing time / audio time. Lower is faster; below 1 is faster than real time.

        The ASR-FairBench leaderboard prints this number under the name RTFx.
        """
        return Rate.of(self.processing_seconds, self.audio_seconds, undefined=self._undefined)

    @property
    def rtfx(self) -> Rate:
        """Inverse real-time factor of the Open ASR Leaderboard: audio time / processing time. Higher is faster."""
        return Rate.of(self.audio_seconds, self.processing_seconds, undefined=self._undefined)

    @property
    def _undefined(self) -> str:
        return "the time spent is 0" if self.clips else "no prediction has both a time and a known length of audio"

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "rtf": self.rtf.to_json(),
            "rtfx": self.rtfx.to_json(),
            "clips": self.clips,
            "left_out": dict(self.left_out),
            "batch_sizes": list(self.batch_sizes),
            "devices": list(self.devices),
        }


def speed_facts(times: Mapping[str, Any]) -> dict[str, str]:
    """Return both factors as texts for the report, each under its definition; nothing where they are undefined.

    Args:
        times: What `ProcessingTime.to_json` returns.
    """
    if times["rtf"]["value"] is None or times["rtfx"]["value"] is None:
        return {}
    sizes = [f"batch size {', '.join(map(str, times['batch_sizes']))}"] if times["batch_sizes"] else []
    how = ", ".join([*times["devices"], *sizes])
    return {
        "RTF: processing / audio time": f"{times['rtf']['value']:.3g}" + (f" ({how})" if how else ""),
        "RTFx: audio / processing time": f"{times['rtfx']['value']:.3g}",
    }


def processing_time(predictions: Iterable[Prediction], durations: Mapping[str, float]) -> ProcessingTime:
    """Add up the times of predictions.

    Args:
        predictions: Of one system. Those without ``seconds`` and those that failed are left out and counted.
        durations: Utterance id -> length of its audio in seconds.
    """
    spent, heard = [], []
    left_out: Counter[str] = Counter()
    batch_sizes: set[int] = set()
    devices: set[str] = set()
    for one in predictions:
        if one.status == "failed":
            left_out["failed"] += 1
        elif one.seconds is None:
            left_out["no time"] += 1
        elif one.id not in durations:
            left_out["no length of audio"] += 1
        else:
            spent.append(one.seconds)
            heard.append(durations[one.id])
            batch_sizes |= set() if one.batch_size is None else {one.batch_size}
            devices |= set() if one.device is None else {one.device}
    return ProcessingTime(
        clips=len(spent),
        processing_seconds=math.fsum(spent),
        audio_seconds=math.fsum(heard),
        left_out=dict(left_out),
        batch_sizes=tuple(sorted(batch_sizes)),
        devices=tuple(sorted(devices)),
    )


def audio_durations(utterances: Iterable[Utterance]) -> dict[str, float]:
    """Return utterance id -> seconds: as the manifest states it, else as the header of the file does.

    An utterance without audio, or whose file is not there, has none.
    """
    from pedkit.data.audio import audio_info

    found = {}
    for utterance in utterances:
        if utterance.audio is None:
            continue
        if utterance.audio.duration is not None:
            found[utterance.id] = utterance.audio.duration
            continue
        try:
            found[utterance.id] = audio_info(utterance.audio).seconds
        except PedkitError:
            continue  # scoring a predictions file needs no audio
    return found
