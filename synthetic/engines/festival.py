"""Festival as a speech engine: one process says all requests, with natural prosody and without its phone rules."""

from __future__ import annotations

import itertools
import re
import shutil
import string
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pedkit.errors import PedkitError
from synthetic.engines.conversation import Conversation
from synthetic.engines.diphones import with_gaps
from synthetic.engines.phone_map import symbol
from synthetic.engines.phrases import phrases
from synthetic.engines.protocol import EngineNotInstalledError, Speech, SpeechRequest
from synthetic.engines.radio_phones import read_segments
from synthetic.engines.scratch import scratch_folder
from synthetic.engines.syllables import stress_of, syllables
from synthetic.engines.voices import FewVoices, Voice, expect_percent

_INSTALL = "apt-get install festival festvox-kallpc16k festvox-kdlpc16k"
_PROGRAM = Path(__file__).with_name("festival.scm")
_END = "pedkit-end"
_PAUSE_KEPT = 0.4  # of the last pause; its second half is memory that festival's diphone synthesis never wrote
_REPLACED = re.compile(r"using default diphone \S+ for (\S+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FestivalVoice(Voice):
    """A voice of festival.

    Attributes:
        folder: Its folder below the voices of festival.
    """

    folder: str


_VOICES: Mapping[str, FestivalVoice] = {
    "kal_diphone": FestivalVoice(
        gender="male", accent="american", licence="MIT-Festival", folder="english/kal_diphone"
    ),
    "ked_diphone": FestivalVoice(
        gender="male", accent="american", licence="MIT-Festival", folder="english/ked_diphone"
    ),
    "cmu_us_slt_arctic_hts": FestivalVoice(
        gender="female",
        accent="american",
        licence="MIT-Festival AND BSD-3-Clause",
        has_pitch=False,
        folder="us/cmu_us_slt_arctic_hts",
    ),
}


class FestivalEngine(FewVoices[FestivalVoice]):
    """The program ``festival`` (see `SpeechEngine`), started once and told all requests.

    Rate and pitch are percent of the voice's own; ``cmu_us_slt_arctic_hts`` has no other pitch. Festival's rules
    after the lexicon (``PostLex``), which would turn an unstressed IH into a schwa, are off.

    Args:
        voices_folder: Where the voices are.
        time_limit: Seconds a request may take.

    Raises:
        EngineNotInstalledError: The program or all of its voices are missing.
    """

    name = "festival"
    licence = "MIT-Festival"
    reports_phones = True

    def __init__(self, voices_folder: str = "/usr/share/festival/voices", time_limit: float = 20.0) -> None:
        program = shutil.which("festival")
        places = {name: Path(voices_folder) / voice.folder for name, voice in _VOICES.items()}
        super().__init__({name: _VOICES[name] for name, place in places.items() if place.is_dir()})
        if program is None or not self._installed:
            raise EngineNotInstalledError("festival", _INSTALL)
        self._program, self._time_limit = program, time_limit
        self.version = f"festival {_version(program, time_limit)}".strip()
        self._lock = threading.Lock()
        self._conversation: Conversation | None = None
        self._wave = scratch_folder(self, "festival") / "speech.wav"

    def spoken(self, request: SpeechRequest) -> tuple[str, ...]:
        """Return the phones of the segments, with a mark such as ``<hh-k>`` where the voice lacks the diphone."""
        self._rate_and_pitch(request)
        with self._lock:
            return self._ask(request, "pedkit_segments")[0]

    def say(self, request: SpeechRequest) -> Speech:
        """Say it at 16 kHz, the HTS voice at 32 kHz."""
        rate, pitch = self._rate_and_pitch(request)
        with self._lock:
            said, times = self._ask(request, f'pedkit_say "{self._wave}" {rate:.4f} {pitch:.4f}')
            samples, sample_rate = _read_wave(self._wave)
        if times:
            samples[round((times[0] + _PAUSE_KEPT * (times[1] - times[0])) * sample_rate) :] = 0
        return Speech(samples=samples, sample_rate=sample_rate, phones=said)

    def _rate_and_pitch(self, request: SpeechRequest) -> tuple[float, float]:
        rate = expect_percent("rate", request.rate, self.name) / 100
        return rate, self._voice(request.voice).pitch(request.pitch, self.name)

    def _ask(self, request: SpeechRequest, function: str) -> tuple[tuple[str, ...], list[float]]:
        """Return the phones, and where festival states them the ends of the last phone and of the last pause."""
        entries, text = _lexicon_and_text(request)
        if self._conversation is None:
            self._conversation = Conversation([self._program, "--pipe", str(_PROGRAM)], self._time_limit)
        question = (
            f"(pedkit_voice '{request.voice})\n(set! pedkit_words '({entries}))\n"
            f'({function} "{text}")\n(format t "{_END}\\n")\n(fflush nil)\n'
        )
        try:
            answer, complaints = self._conversation.ask(question, _END)
        except PedkitError:
            self._conversation = None  # the next request starts another
            raise
        segments, _, times = answer.partition("|")
        if "ERROR" in complaints or not segments.split():
            raise PedkitError(f"festival failed: {complaints.strip() or 'it made no segments'}")
        said = read_segments(segments.split(), request.phones)
        if said == request.phones:
            # The table of missing diphones may be that of another version of the voice.
            replaced = tuple(f"<{pair}>" for pair in _REPLACED.findall(complaints))
            expected = self._with_gaps(request)
            said = said + replaced if expected == said else expected
        return said, [float(time) for time in times.split()]

    def _with_gaps(self, request: SpeechRequest) -> tuple[str, ...]:
        written = [
            [symbol(phone, "flite", self.name) for word in phrase for phone in word] for phrase in phrases(request)
        ]
        return with_gaps(request.phones, written, engine=self.name, voice=request.voice, pause="pau")


def _version(program: str, time_limit: float) -> str:
    """Return such as ``2.5.0``, or nothing where the program does not say."""
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=time_limit, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = re.search(r"System: ([\d.]*\d)", done.stdout)
    return found[1] if found else ""


def _lexicon_and_text(request: SpeechRequest) -> tuple[str, str]:
    """Return entries of a lexicon with one invented word for each word, and the text that says these words."""
    names = ("zqx" + "".join(letters) for letters in itertools.product(string.ascii_lowercase, repeat=3))
    entries, text = [], []
    for phrase in phrases(request):
        named = [(next(names), word) for word in phrase]
        entries += [f'("{name}" ("{name}" nil {_entry(word)}))' for name, word in named]
        text.append(" ".join(name for name, _ in named))
    return " ".join(entries), ", ".join(text)


def _entry(word: Sequence[str]) -> str:
    parts = []
    for syllable in syllables(word):
        written = " ".join(symbol(phone, "flite", "festival") for phone in syllable)
        parts.append(f"(({written}) {stress_of(syllable)})")
    return f"({' '.join(parts)})"


def _read_wave(path: Path) -> tuple[NDArray[np.float32], int]:
    import soundfile

    samples, sample_rate = soundfile.read(path, dtype="float32")
    path.unlink()
    return samples, sample_rate
