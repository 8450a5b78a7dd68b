"""Words a second of espeak-ng: through the library, with FLAC files, and against a process started for each word.

    python bench/synthetic_speed.py [--words 300]

Words are those of ``python -m synthetic``, seed 1. Each number is the median of five interleaved runs, in words a
second of CPU time on one core (that of the processes it starts included). The peer is the command ``espeak-ng``
started once a word, as scripts do it; where it is not installed, the library of the wheel in a fresh Python
process for each word. The last line is the whole program, from the command to the manifests, on all cores: the
median of five sets.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import espeakng_loader  # noqa: E402
from hydra import compose, initialize_config_dir  # noqa: E402

from synthetic import settings  # noqa: E402
from synthetic.design import DesignItem, draw_design  # noqa: E402
from synthetic.engines import SpeechEngine  # noqa: E402
from synthetic.engines.espeak import EspeakEngine  # noqa: E402
from synthetic.engines.espeak_spelling import spell  # noqa: E402
from synthetic.output import OutputFolder  # noqa: E402
from synthetic.post_processing import PostProcessing  # noqa: E402
from synthetic.speaking import Sayer, Spoken  # noqa: E402

RUNS = 5
PEER_PART = 10  # words of a run of the peer
LEAST = {"library": 300, "with FLAC": 100}
"""Words a second of one core that issue and documentation promise."""

FRESH = """
import ctypes, sys
lib = ctypes.CDLL(sys.argv[1])
lib.espeak_Initialize(2, 0, sys.argv[2].encode(), 0)
lib.espeak_SetVoiceByName(sys.argv[3].encode())
text = sys.argv[4].encode() + b"\\0"
lib.espeak_Synth(text, len(text), 0, 1, 0, 0x101, None, None)
lib.espeak_Synchronize()
"""


def design(words: int, engine: SpeechEngine) -> tuple[list[DesignItem], PostProcessing]:
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        sizes = f"{{train: {words}, dev: 0, test_seen: 0, test_unseen: 0}}"
        cfg = compose("synthesize", overrides=[f"synthetic.sizes={sizes}"])
    os.chdir(ROOT)
    drawn = draw_design(
        settings.design_settings(cfg),
        settings.design_lexicon(cfg),
        settings.error_source(cfg),
        lambda _, request: engine.spoken(request),
    )
    return drawn.items, settings.post_processing(cfg)


def alone(items: list[DesignItem]) -> None:
    command = shutil.which("espeak-ng")
    for item in items:
        text = spell(item.request.words(), "en-us")
        if command is not None:
            arguments = [command, "-v", item.request.voice, "-w", os.devnull, text]
        else:
            library, data = espeakng_loader.get_library_path(), espeakng_loader.get_data_path()
            arguments = [sys.executable, "-S", "-c", FRESH, str(library), str(data), item.request.voice, text]
        subprocess.run(arguments, check=True, capture_output=True)


def cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def pace(run: Callable[[], object], words: int) -> float:
    start = cpu()
    run()
    return words / (cpu() - start)


def measured(words: int, place: Path) -> dict[str, float]:
    """Return the median pace of each way to say words, in words a second of CPU time."""
    engine = EspeakEngine()
    items, processing = design(words, engine)

    def write() -> None:
        folder = OutputFolder(tempfile.mkdtemp(dir=place))
        say = Sayer({engine.name: lambda: engine}, processing, folder)()
        assert all(isinstance(say(item), Spoken) for item in items)

    runs: dict[str, tuple[Callable[[], object], int]] = {
        "library": (lambda: [engine.say(item.request) for item in items], len(items)),
        "with FLAC": (write, len(items)),
        "peer": (lambda: alone(items[:PEER_PART]), PEER_PART),
    }
    paces: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(RUNS):
        for name, (run, count) in runs.items():
            paces[name].append(pace(run, count))
    return {name: statistics.median(found) for name, found in paces.items()}


def whole_program(place: Path) -> float:
    """Return the seconds of ``python -m synthetic``, median of `RUNS` sets."""
    seconds = []
    for run in range(RUNS):
        command = [sys.executable, "-m", "synthetic", f"output_dir={place}/set-{run}"]
        start = time.perf_counter()
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=300)
    words = parser.parse_args().words
    # Nothing is deleted before the end: for half a minute ext4 is slow to make files where it deleted many.
    with tempfile.TemporaryDirectory() as place:
        medians = measured(words, Path(place))
        peer = "espeak-ng command" if shutil.which("espeak-ng") else "the library in a fresh process"
        print(f"{'':34}words/s of a core  ratio to {peer} a word")
        for name, found in medians.items():
            least = f"  (at least {LEAST[name]})" if name in LEAST else ""
            print(f"{name:34}{found:16.0f}  {found / medians['peer']:.1f}{least}")
        print(f"python -m synthetic, 940 words: {whole_program(Path(place)):.1f} s on {os.cpu_count()} cores")
    slow = [name for name, least in LEAST.items() if medians[name] < least]
    if slow:
        raise SystemExit(f"slower than promised: {', '.join(slow)}")


if __name__ == "__main__":
    main()
