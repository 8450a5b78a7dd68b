"""Time of `python train.py --help`, against importing torch alone.

    python bench/help_start.py

The help is composed by Hydra and must load neither torch nor a plotting or audio library. Interleaved, medians of
five runs after one that is not counted; in CPU time, which a busy machine does not stretch, and in wall time.
"""

from __future__ import annotations

import statistics
import sys
import time

from evaluate_end_to_end import RUNS, cpu_seconds
from evaluate_start import UNWANTED, imported

COMMANDS = {
    "train.py --help": [sys.executable, "train.py", "--help"],
    "import torch": [sys.executable, "-c", "import torch"],
}


def main() -> None:
    found = imported(COMMANDS["train.py --help"]) & (UNWANTED | {"numba", "pandas"})
    wall: dict[str, list[float]] = {name: [] for name in COMMANDS}
    cpu: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, command in COMMANDS.items():
            start = time.perf_counter()
            cpu[name].append(cpu_seconds(command))
            wall[name].append(time.perf_counter() - start)
    for name in COMMANDS:
        print(
            f"  {name:<16} {statistics.median(wall[name]):5.2f} s wall {statistics.median(cpu[name]):5.2f} s CPU"
        )
    ours, peer = (statistics.median(cpu[name]) for name in COMMANDS)
    print(f"\ntrain.py --help takes {ours:.2f} s of CPU (target 2), {ours / peer:.2f} of importing torch alone")
    if found:
        raise SystemExit(f"train.py --help imported {', '.join(sorted(found))}")


if __name__ == "__main__":
    main()
