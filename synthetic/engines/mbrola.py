"""MBROLA as a speech engine: diphones with durations and F0 as inputs."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pedkit.errors import PedkitError
from synthetic.arpabet import CMU39, split_stress
from synthetic.engines.diphones import with_gaps
from synthetic.engines.mbrola_prosody import prosody
from synthetic.engines.phone_map import symbol
from synthetic.engines.phrases import phrases
from synthetic.engines.protocol import EngineNotInstalledError, Speech, SpeechRequest
from synthetic.engines.voices import FewVoices, Voice, expect_percent

_INSTALL = "apt-get install mbrola mbrola-us1 mbrola-us2 mbrola-en1 with the sources contrib and non-free"
_SAMPLE_RATE = 16_000
_EDGE_MS, _BETWEEN_MS = 120, 250  # pauses around and between phrases
_PAUSE = "_"
_ASPIRATED = frozenset({"P", "T", "K"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MbrolaVoice(Voice):
    """A voice of MBROLA.

    Attributes:
        notation: Column of the phone map.
        f0: Mean F0 of the recordings in Hz.
        aspirates: Whether it has aspirated plosives of their own (``p_h``).
    """

    notation: str = "mbrola_us"
    f0: float
    aspirates: bool = False


_LICENCE = "LicenseRef-MBROLA-voice"  # only with the program mbrola, and not to be sold
_VOICES: Mapping[str, MbrolaVoice] = {
    "us1": MbrolaVoice(gender="female", accent="american", licence=_LICENCE, f0=190, aspirates=True),
    "us2": MbrolaVoice(gender="male", accent="american", licence=_LICENCE, f0=115, aspirates=True),
    "us3": MbrolaVoice(gender="male", accent="american", licence=_LICENCE, f0=110),
    "en1": MbrolaVoice(gender="male", accent="british", licence=_LICENCE, f0=110, notation="mbrola_en1"),
}


class MbrolaEngine(FewVoices[MbrolaVoice]):
    """The program ``mbrola`` (see `SpeechEngine`).

    Rate and pitch are percent of the voice's own. Durations and the F0 contour are drawn from ``noise_seed``
    (`synthetic.engines.mbrola_prosody`). Each request is a process of its own, which costs 2 to 3 ms: in a process
    that goes on, what was said before changes the samples, and Debian has no library.

    Args:
        folder: Where the voices are; each has a folder with its name.
        time_limit: Seconds a request may take.

    Raises:
        EngineNotInstalledError: The program or all of its voices are missing.
    """

    name = "mbrola"
    licence = "AGPL-3.0-only"
    reports_phones = True

    def __init__(self, folder: str = "/usr/share/mbrola", time_limit: float = 20.0) -> None:
        program = shutil.which("mbrola")
        found = {name: Path(folder) / name / name for name in _VOICES}
        self._databases = {name: path for name, path in found.items() if path.is_file()}
        super().__init__({name: _VOICES[name] for name in self._databases})
        if program is None or not self._databases:
            raise EngineNotInstalledError("mbrola", _INSTALL)
        self._program, self._time_limit = program, time_limit
        self.version = "mbrola 3"

    def spoken(self, request: SpeechRequest) -> tuple[str, ...]:
        """Return the request's phones, with a mark such as ``<h-j>`` where the voice lacks the diphone."""
        voice = self._voice(request.voice)
        self._rate_and_pitch(request)
        written = [_symbols(phrase, voice) for phrase in _joined(request)]
        return with_gaps(request.phones, written, engine=self.name, voice=request.voice, pause=_PAUSE)

    def say(self, request: SpeechRequest) -> Speech:
        """Say it at 16 kHz."""
        said = self.spoken(request)
        if said != request.phones:
            gap = next(phone for phone in said if phone.startswith("<"))
            raise PedkitError(f"the voice {request.voice} of mbrola cannot join {gap[1:-1].replace('-', ' to ')}")
        raw = self._run(request.voice, self._pho(request))
        samples = np.frombuffer(raw, dtype="<i2").astype(np.float32) / np.float32(32768)
        return Speech(samples=samples, sample_rate=_SAMPLE_RATE, phones=said)

    def _rate_and_pitch(self, request: SpeechRequest) -> tuple[float, float]:
        rate = expect_percent("rate", request.rate, self.name) / 100
        return rate, self._voice(request.voice).pitch(request.pitch, self.name)

    def _pho(self, request: SpeechRequest) -> str:
        voice = self._voice(request.voice)
        rate, pitch = self._rate_and_pitch(request)
        f0 = voice.f0 * pitch
        rng = random.Random(request.noise_seed)
        parts = []
        for phrase in _joined(request):
            timed = prosody(phrase, rate=rate, f0=f0, rng=rng)
            written = zip(_symbols(phrase, voice), timed, strict=True)
            parts.append("".join(f"{name} {how.duration} 50 {how.f0}\n" for name, how in written))
        edge, between = f"{_PAUSE} {_EDGE_MS}\n", f"{_PAUSE} {round(_BETWEEN_MS / rate)}\n"
        return edge + between.join(parts) + edge

    def _run(self, voice: str, pho: str) -> bytes:
        command = [self._program, str(self._databases[voice]), "-", "-.raw"]
        try:
            done = subprocess.run(
                command, input=pho.encode(), capture_output=True, timeout=self._time_limit, check=False
            )
        except subprocess.TimeoutExpired:
            raise PedkitError(f"mbrola did not answer within {self._time_limit:g} seconds") from None
        except OSError as error:
            raise PedkitError(f"mbrola cannot be started: {error.strerror}", file=self._program) from None
        complaint = done.stderr.decode(errors="replace").strip()
        if done.returncode != 0 or complaint or not done.stdout:
            raise PedkitError(f"mbrola failed with status {done.returncode}: {complaint or 'no samples'}")
        return done.stdout


def _joined(request: SpeechRequest) -> list[list[str]]:
    return [[phone for word in phrase for phone in word] for phrase in phrases(request)]


def _symbols(phrase: Sequence[str], voice: MbrolaVoice) -> list[str]:
    written = [symbol(phone, voice.notation, "mbrola") for phone in phrase]
    if not voice.aspirates:
        return written
    return [
        f"{name}_h" if phone in _ASPIRATED and _is_aspirated(phrase, at) else name
        for at, (phone, name) in enumerate(zip(phrase, written, strict=True))
    ]


def _is_aspirated(phrase: Sequence[str], at: int) -> bool:
    """Return whether a plosive begins a stressed syllable: before a stressed vowel, not after S."""
    if at + 1 == len(phrase) or (at > 0 and phrase[at - 1] == "S"):
        return False
    following, stress = split_stress(phrase[at + 1])
    return following in CMU39.vowels and (at == 0 or stress in ("1", "2"))
