"""Audio of a manifest: what headers say, and, on request, what decoding every sample shows."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict

from pedkit.data.audio import SLACK_SECONDS, audio_info, chosen_channel, read_audio
from pedkit.data.audio_faults import ogg_breaks_off
from pedkit.data.checking.quality import clipped_share, is_silent
from pedkit.data.checking.recordings import RecordingCheck
from pedkit.data.checking.report import Report, SplitCounts
from pedkit.data.utterance import Audio, Utterance
from pedkit.errors import PedkitError

CLIPPED_FROM = 0.001
"""Share of clipped samples from which a recording is reported: 40 of the 40,000 of a sentence."""
FASTEST = 30
"""Phones a second; nobody speaks that fast (fast speech has 20). More means audio that is cut, or a wrong rate."""
_FEW = 5  # phones; of fewer, the first and last may be cut off a fast word


class AudioCheck:
    """Looks at audio files.

    Args:
        content: Decode every sample; otherwise only headers are read.
        sample_rate: Least sample rate in Hz; files below are a fault.
        recordings: Where digests of contents are collected.
    """

    def __init__(self, *, content: bool, sample_rate: int, recordings: RecordingCheck) -> None:
        self._content, self._least, self._recordings = content, sample_rate, recordings
        self._rates: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._first: dict[tuple[str, int], str] = {}
        self._sound: dict[str, bool] = {}

    def add(self, utterance: Utterance, counts: SplitCounts, report: Report) -> None:
        """Take in one utterance with audio."""
        audio = utterance.audio
        assert audio is not None
        try:
            self._check_end(audio)
            info = audio_info(audio)
            chosen_channel(audio, info.channels)
        except PedkitError as error:
            _unusable(error, utterance, report)
            return
        counts.seconds += info.seconds
        corpus = utterance.corpus or "no corpus"
        self._rates[corpus][info.sample_rate] += 1
        self._first.setdefault((corpus, info.sample_rate), utterance.id)
        place = f"{audio.path}: utterance '{utterance.id}'"
        phones = len(utterance.realized or utterance.canonical or ())
        if phones >= _FEW and phones > FASTEST * (info.seconds + SLACK_SECONDS):
            report.fault(
                "more phones than fit",
                f"{place}: {phones} phones in {info.seconds:.2f} s: cut off, or not at {info.sample_rate} Hz",
            )
        if self._content:
            self._listen(utterance, audio, place, report)

    def finish(self, report: Report) -> None:
        """Report what only the whole shows."""
        for corpus, found in self._rates.items():
            report.facts.rates.update(found)
            kinds = {
                rate: f"{found[rate]} at {rate} Hz (first '{self._first[corpus, rate]}')" for rate in sorted(found)
            }
            for rate, which in kinds.items():
                if rate < self._least:
                    report.fault("sample rate", f"{corpus}: utterances below {self._least} Hz: {which}")
            if len(kinds) > 1:
                report.notes.append(f"{corpus}: mixed sample rates: {', '.join(kinds.values())}")

    def _check_end(self, audio: Audio) -> None:
        if audio.path not in self._sound:
            self._sound[audio.path] = not ogg_breaks_off(audio.path)
        if not self._sound[audio.path]:
            raise PedkitError("the file breaks off: its last page is not the end of the stream", file=audio.path)

    def _listen(self, utterance: Utterance, audio: Audio, place: str, report: Report) -> None:
        try:
            samples, rate = read_audio(audio)
        except PedkitError as error:
            _unusable(error, utterance, report)
            return
        if is_silent(samples):
            report.fault("silent audio", f"{place}: nothing is to be heard")
            return
        share = clipped_share(samples)
        if share >= CLIPPED_FROM:
            report.fault("clipped audio", f"{place}: {share:.1%} of the samples stand at full scale")
        digest = hashlib.blake2b(str(rate).encode() + samples.tobytes(), digest_size=16).digest()
        self._recordings.add_content(utterance, digest, report)


def _unusable(error: PedkitError, utterance: Utterance, report: Report) -> None:
    kind = "truncated audio" if "breaks off" in error.message else "unreadable audio"
    report.fault(kind, str(error.at(utterance=utterance.id)))
