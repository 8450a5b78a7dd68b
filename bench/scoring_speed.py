"""Speed of the evaluator against its peers, on one core, in the same run.

    python bench/scoring_speed.py [--utterances 10000]

Input: random CMU-39 utterances of 40 canonical phones; realized and predicted each come from the sequence before
by 15 % substitutions, 10 % deletions and 5 % insertions. Each number is the median of five interleaved runs, in
CPU time; the slow peers run on a part of the same utterances. Peers: panphon's Hamming feature edit distance; the
loop of PRiSM's evaluator, re-created from the panphon calls it makes for each utterance; rapidfuzz's editops.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable

from rapidfuzz.distance import Levenshtein

from pedkit.phones import ARPABET_TO_IPA, FEATURE_UNITS, get_inventory
from pedkit.scoring import Item, Scorer, ScoringSettings, edit_counts
from pedkit.scoring.columns import distances
from pedkit.scoring.costs import CostTables
from pedkit.scoring.symbols import SymbolTable

PHONES = get_inventory("cmu39").phones
LENGTH, SUBSTITUTED, DELETED, INSERTED = 40, 0.15, 0.10, 0.05
RUNS = 5
SLOW_PART = 20  # utterances of a panphon run


def noisy(phones: tuple[str, ...], draw: random.Random) -> tuple[str, ...]:
    out: list[str] = []
    for phone in phones:
        chance = draw.random()
        if chance >= DELETED:
            out.append(draw.choice(PHONES) if chance < DELETED + SUBSTITUTED else phone)
        if draw.random() < INSERTED:
            out.append(draw.choice(PHONES))
    return tuple(out)


def make_items(count: int) -> list[Item]:
    draw = random.Random(0)
    items = []
    for k in range(count):
        canonical = tuple(draw.choices(PHONES, k=LENGTH))
        realized = noisy(canonical, draw)
        items.append(Item(str(k), canonical, realized, noisy(realized, draw)))
    return items


def pfer_alone(items: list[Item]) -> Callable[[], object]:
    settings, table = ScoringSettings(inventory="cmu39", soft_preset="none"), SymbolTable(get_inventory("cmu39"))
    tables = CostTables(settings, table)

    def run() -> object:
        total = 0
        for start in range(0, len(items), settings.batch_size):
            batch = items[start : start + settings.batch_size]
            realized = table.encode([item.realized or () for item in batch])
            predicted = table.encode([item.predicted for item in batch])
            total += int(distances(realized, predicted, tables.feature, FEATURE_UNITS).sum())
        return total

    return run


def panphon_hamming(items: list[Item]) -> Callable[[], object]:
    from panphon.distance import Distance

    distance, pairs = Distance(), spelled(items)
    return lambda: [distance.hamming_feature_edit_distance(p, u) for u, p in pairs]


def prism_loop(items: list[Item]) -> Callable[[], object]:
    from panphon.distance import Distance

    distance, pairs = Distance(), spelled(items)

    def one(u: str, p: str) -> object:
        heard, said = distance.fm.ipa_segs(p), distance.fm.ipa_segs(u)
        return (
            distance.hamming_feature_edit_distance(p, u),
            distance.feature_edit_distance(p, u),
            distance.min_edit_distance(
                lambda _: 1, lambda _: 1, lambda x, y: int(x != y), [[]], heard, said
            ),
        )  # fmt: skip

    return lambda: [one(u, p) for u, p in pairs]


def spelled(items: list[Item]) -> list[tuple[str, str]]:
    def ipa(phones: tuple[str, ...]) -> str:
        return "".join(ARPABET_TO_IPA[phone] for phone in phones)

    return [(ipa(item.realized or ()), ipa(item.predicted)) for item in items]


def rapidfuzz_counts(references: list[tuple[str, ...]], predictions: list[tuple[str, ...]]) -> object:
    found = []
    for reference, predicted in zip(references, predictions, strict=True):
        tags = [operation.tag for operation in Levenshtein.editops(reference, predicted)]
        found.append((tags.count("replace"), tags.count("delete"), tags.count("insert")))
    return found


def microseconds(jobs: dict[str, tuple[Callable[[], object], int]]) -> dict[str, float]:
    """Return the median CPU time of each job in microseconds per utterance; jobs take turns."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for run, _ in jobs.values():  # first calls load compiled kernels and tables
        run()
    for _ in range(RUNS):
        for name, (run, utterances) in jobs.items():
            start = time.process_time()
            run()
            times[name].append((time.process_time() - start) / utterances * 1e6)
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--utterances", type=int, default=10_000)
    count = parser.parse_args().utterances
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    items = make_items(count)
    references, predictions = [item.realized or () for item in items], [item.predicted for item in items]
    scorer, part = Scorer(ScoringSettings(inventory="cmu39")), items[:SLOW_PART]
    cost = microseconds(
        {
            "everything": (lambda: sum(scored.counts for scored in scorer.score(items)), count),
            "PFER": (pfer_alone(items), count),
            "panphon Hamming": (panphon_hamming(part), len(part)),
            "PRiSM loop": (prism_loop(part), len(part)),
            "PER with S/D/I": (lambda: edit_counts(references, predictions), count),
            "editops": (
                lambda: [Levenshtein.editops(*p) for p in zip(references, predictions, strict=True)],
                count,
            ),
            "editops with S/D/I": (lambda: rapidfuzz_counts(references, predictions), count),
        }
    )
    print(f"{count} utterances of {LENGTH} phones, one core, median of {RUNS}\n")
    for name, value in cost.items():
        print(f"  {name:<20} {value:10.1f} us an utterance {1e6 / value:12,.0f} utterances/s")
    prism, hamming = cost["PRiSM loop"] / cost["everything"], cost["panphon Hamming"] / cost["PFER"]
    counted = cost["PER with S/D/I"] / cost["editops with S/D/I"]
    bare = cost["PER with S/D/I"] / cost["editops"]
    print()
    print(
        f"PER, PFER, Soft PER and MDD in every profile: {1e6 / cost['everything']:,.0f} a second (target 10,000)"
    )
    print(f"PFER against panphon's Hamming distance: {hamming:,.0f} times as fast (target 50)")
    print(f"everything against PRiSM's loop: {prism:,.0f} times as fast (target 200)")
    print(f"PER with S/D/I: {counted:.2f} times the time of editops with S/D/I (target below 2)")
    print(f"                {bare:.2f} times the time of editops alone, nothing counted")


if __name__ == "__main__":
    main()
