"""Time of `evaluate.py predictions=` on 200 utterances, from the command to the table.

    python bench/evaluate_start.py [--utterances 200]

The first run compiles the kernels where nobody has yet and is not counted. Medians of five runs, in wall time and
in CPU time. The first run also lists every module it imports: no torch, no audio library, no plotting.
The peer is a jiwer loop on the same files (`evaluate_end_to_end.py`).
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from evaluate_end_to_end import ROOT, RUNS, cpu_seconds, evaluate, peer, write_input

UNWANTED = frozenset(
    {"torch", "torchaudio", "pytorch_lightning", "transformers", "soundfile", "soxr", "matplotlib", "wandb"}
)


def imported(command: list[str]) -> set[str]:
    """Run a Python program and return the top-level packages that it imports."""
    python, *rest = command
    done = subprocess.run(
        [python, "-X", "importtime", *rest], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = (line for line in done.stderr.splitlines() if line.startswith("import time:"))
    return {line.rsplit("|", 1)[1].strip().split(".")[0] for line in lines}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--utterances", type=int, default=200)
    count = parser.parse_args().utterances
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_input(folder, count)
        commands = {"evaluate.py": evaluate(folder), "jiwer loop": peer(folder)}
        found = imported(commands["evaluate.py"]) & UNWANTED
        wall: dict[str, list[float]] = {name: [] for name in commands}
        cpu: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(RUNS):
            for name, command in commands.items():
                start = time.perf_counter()
                cpu[name].append(cpu_seconds(command))
                wall[name].append(time.perf_counter() - start)
    for name in commands:
        print(
            f"  {name:<12} {statistics.median(wall[name]):5.2f} s wall {statistics.median(cpu[name]):5.2f} s CPU"
        )
    print(f"\nevaluate.py on {count} utterances: {statistics.median(wall['evaluate.py']):.2f} s (target 3)")
    if found:
        raise SystemExit(f"evaluate.py imported {', '.join(sorted(found))}")
    print("torch, audio libraries and plotting were not imported")


if __name__ == "__main__":
    main()
