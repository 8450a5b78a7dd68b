"""Opening a manifest of 100,000 lines: pedkit against `json.loads` and pandas on the same file.

    python bench/manifest_opening.py [--lines 100000]

Lines are those of a corpus of sentences: 30 phones twice, eight words with times, five group keys; 1.6 kB each.
pedkit checks every value, sees double ids and makes utterances; `json.loads` makes dictionaries, pandas a table.
Medians of three interleaved runs, each in a process of its own, in CPU time. Claimed: at most 0.5 of `json.loads`.
No audio is opened, and none is held.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from pedkit.phones import get_inventory

ROUNDS, CLAIM = 3, 0.5
READ = {
    "pedkit": "from pedkit.data.manifest import read_manifest as read",
    "json.loads": "import json\ndef read(path): return [json.loads(line) for line in open(path, 'rb')]",
    "pandas.read_json": "import pandas\ndef read(path): return pandas.read_json(path, lines=True)",
}
MEASURE = """
import resource, sys, time
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
start = time.process_time()
rows = read(sys.argv[1])
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(rows))
"""


def write_manifest(path: Path, lines: int) -> None:
    chance = random.Random(0)
    phones = get_inventory("cmu39").phones
    with path.open("w", encoding="utf-8") as stream:
        for number in range(lines):
            canonical = chance.choices(phones, k=30)
            realized = [chance.choice(phones) if chance.random() < 0.04 else phone for phone in canonical]
            words = [
                {
                    "text": f"word{i}",
                    "start": i * 3,
                    "end": i * 3 + 3,
                    "start_time": i / 3,
                    "end_time": (i + 1) / 3,
                }
                for i in range(8)
            ]
            speaker = number // 100
            groups = {
                "gender": "female",
                "age": 20 + speaker % 50,
                "age_group": "adult",
                "l1": "hindi",
                "native": False,
            }
            line = {
                "id": f"s{speaker}_{number}",
                "audio": {"path": f"audio/s{speaker}/{number}.flac", "duration": 2.75},
                "text": "eight words that somebody reads from a sheet", "language": "eng", "split": "train",
                "corpus": "bench", "inventory": "cmu39", "canonical": canonical, "realized": realized,
                "level": "sentence", "speaker": f"bench:s{speaker}", "may_upload": False, "words": words,
                "groups": groups, "groups_raw": {"sex": "F", "age": str(20 + speaker % 50)},
            }  # fmt: skip
            stream.write(json.dumps(line) + "\n")


def measure(reader: str, path: Path) -> tuple[float, float]:
    """Return CPU seconds of one reading and the process's largest memory in MB."""
    command = [sys.executable, "-c", reader + MEASURE, str(path)]
    seconds, memory, _ = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), float(memory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", type=int, default=100_000)
    lines = parser.parse_args().lines
    readers = {
        name: code for name, code in READ.items() if name.partition(".")[0] != "pandas" or find_spec("pandas")
    }
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in readers}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "manifest.jsonl"
        write_manifest(path, lines)
        print(f"{lines} lines, {path.stat().st_size / 1e6:.0f} MB")
        for _ in range(ROUNDS):
            for name, code in readers.items():
                found[name].append(measure(code, path))
    seconds = {name: statistics.median(s for s, _ in runs) for name, runs in found.items()}
    for name, runs in found.items():
        memory = statistics.median(m for _, m in runs)
        print(f"  {name:<17} {seconds[name]:6.2f} s CPU  {memory:6.0f} MB")
    ratio = seconds["pedkit"] / seconds["json.loads"]
    print(f"manifest opening: {ratio:.2f} times json.loads (claimed: at most {CLAIM:.2f})")
    raise SystemExit(0 if ratio <= CLAIM else 1)


if __name__ == "__main__":
    main()
