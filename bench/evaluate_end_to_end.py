"""Speed of `evaluate.py predictions= manifest= output_dir=`, reading and writing every file, against a plain loop.

    python bench/evaluate_end_to_end.py [--utterances 30000]

Input: the utterances of `scoring_speed.py`, written as a manifest and a predictions file. Every program runs as a
process of its own on one core. What counts is its CPU time (user and system, interpreter start included): waiting
for other work on the machine is not in it. Each number is the median of interleaved runs.

The peer is what people write themselves: json for reading, jiwer for the three pairwise alignments of published
scripts (canonical-realized, canonical-predicted, and realized-predicted for PER), csv and json for writing. It has
no PFER, no Soft PER and no grid. A second peer adds PFER by panphon and runs on a part of the utterances.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from scoring_speed import make_items

ROOT = Path(__file__).resolve().parents[1]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
RUNS = 5
PANPHON_PART = 500  # utterances of a run of the second peer: 20 drown in the noise of its start


def write_input(folder: Path, count: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        (folder / "manifest.jsonl").open("w") as manifest,
        (folder / "predictions.jsonl").open("w") as predictions,
    ):
        for item in make_items(count):
            line = {
                "id": item.id,
                "inventory": "cmu39",
                "language": "eng",
                "corpus": "bench",
                "canonical": item.canonical,
                "realized": item.realized,
                "speaker": f"bench:{int(item.id) % 100}",
                "groups": {"gender": ("female", "male")[int(item.id) % 2]},
            }
            manifest.write(json.dumps(line) + "\n")
            predictions.write(json.dumps({"id": item.id, "phones": item.predicted, "status": "ok"}) + "\n")


def cpu_seconds(command: list[str]) -> float:
    """Run a command on one core and return its user and system seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, env=os.environ | ONE_THREAD, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def evaluate(folder: Path) -> list[str]:
    files = {"manifest": "manifest.jsonl", "predictions": "predictions.jsonl", "output_dir": "out"}
    return [
        sys.executable,
        "evaluate.py",
        *(f"{key}={folder / name}" for key, name in files.items()),
        "groups=[gender]",
        "fairness=null",  # has a program of its own: fairness_speed.py
    ]


def peer(folder: Path, *, with_pfer: bool = False) -> list[str]:
    return [sys.executable, __file__, "--peer", str(folder), *(["--pfer"] if with_pfer else [])]


def run_peer(folder: Path, *, with_pfer: bool) -> None:
    """Score the files in ``folder`` as a script around the published tools would."""
    import jiwer

    if with_pfer:
        from panphon.distance import Distance

        from pedkit.phones import ARPABET_TO_IPA

        distance = Distance()
    heard = {line["id"]: line["phones"] for line in map(json.loads, (folder / "predictions.jsonl").open())}
    total = dict.fromkeys(("substitutions", "deletions", "insertions", "phones", "pfer"), 0.0)
    out = folder / "peer"
    out.mkdir(exist_ok=True)
    with (
        (out / "utterances.csv").open("w", newline="") as first,
        (out / "alignment.csv").open("w", newline="") as second,
    ):
        utterances, alignment = csv.writer(first), csv.writer(second)
        for line in map(json.loads, (folder / "manifest.jsonl").open()):
            phones = {"canonical": line["canonical"], "realized": line["realized"], "predicted": heard[line["id"]]}
            for a, b in (("canonical", "realized"), ("canonical", "predicted"), ("realized", "predicted")):
                found = jiwer.process_words(" ".join(phones[a]), " ".join(phones[b]))
                for chunk in found.alignments[0]:
                    for k in range(
                        max(chunk.ref_end_idx - chunk.ref_start_idx, chunk.hyp_end_idx - chunk.hyp_start_idx)
                    ):
                        x = phones[a][chunk.ref_start_idx + k] if chunk.type != "insert" else "-"
                        y = phones[b][chunk.hyp_start_idx + k] if chunk.type != "delete" else "-"
                        alignment.writerow((line["id"], a, b, x, y, chunk.type))
            errors = (found.substitutions, found.deletions, found.insertions)
            utterances.writerow((line["id"], *errors, *map(" ".join, phones.values())))
            for name, number in zip(total, (*errors, len(phones["realized"])), strict=False):
                total[name] += number
            if with_pfer:
                said, predicted = (
                    "".join(map(ARPABET_TO_IPA.get, phones[key])) for key in ("realized", "predicted")
                )
                total["pfer"] += distance.hamming_feature_edit_distance(predicted, said)
    (out / "scores.json").write_text(json.dumps(total))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--utterances", type=int, default=30_000)
    parser.add_argument("--peer", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--pfer", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer is not None:
        run_peer(arguments.peer, with_pfer=arguments.pfer)
        return
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # inherited by the processes
    count = arguments.utterances
    with tempfile.TemporaryDirectory() as temporary:
        whole, part, none = (Path(temporary) / name for name in ("whole", "part", "none"))
        for folder, size in ((whole, count), (part, PANPHON_PART), (none, 0)):
            write_input(folder, size)
        commands = {
            "evaluate.py": evaluate(whole),
            "jiwer loop": peer(whole),
            "jiwer and panphon loop": peer(part, with_pfer=True),
            "its start": peer(none, with_pfer=True),
        }
        cpu_seconds(commands["evaluate.py"])  # compiles the kernels where nobody has yet
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(RUNS):
            for name, command in commands.items():
                times[name].append(cpu_seconds(command))
    seconds = {name: statistics.median(values) for name, values in times.items()}
    report(seconds, count)


def report(seconds: dict[str, float], count: int) -> None:
    ours, jiwer = seconds["evaluate.py"] / count, seconds["jiwer loop"] / count
    panphon = (seconds["jiwer and panphon loop"] - seconds["its start"]) / PANPHON_PART
    print(f"{count} utterances of 40 phones, files to files, one core, CPU time, median of {RUNS} runs\n")
    for name, value in (("evaluate.py", ours), ("jiwer loop", jiwer), ("jiwer and panphon loop", panphon)):
        print(f"  {name:<24} {1e6 * value:10.0f} us an utterance {1 / value:10,.0f} utterances/s")
    print(f"\nevaluate.py: {1 / ours:,.0f} utterances a second (target 2,000)")
    print(f"against the jiwer loop (PER and three alignments only): {jiwer / ours:.1f} times as fast")
    print(f"against the loop that also computes PFER with panphon: {panphon / ours:,.0f} times as fast")


if __name__ == "__main__":
    main()
