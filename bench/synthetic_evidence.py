"""What synthetic error speech teaches: by one engine, by several, and with errors of several designs.

    python bench/synthetic_evidence.py [--conditions one,engines] [--words 800] [--epochs 10] [--seeds 1,2]

Each condition is trained by itself with every seed, which draws words, errors, voices, weights and order. All have
the same number of words, half of them with one error (``none``: without), and of updates, and the model of
``model=log_mel``. Then they hear the words of other engines in ``data/unseen_voices``, the test speakers of
speechocean762, and new words by the voices and with the errors of their own training. Tables in Markdown are
printed and kept as ``evidence.md``.

Sets, run folders and predictions stay in ``--out``; what is there is not made again. So the command can be
stopped, several can work on different seeds or conditions at once, and a last one writes the table of all.
``key=value`` arguments go to the configuration of the trainings, as in ``model.warmup_steps=20``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from evidence.plan import BATCH, CONDITIONS, DEV, HELD_OUT, ROOT, SPEECHOCEAN, UNSEEN_VOICES, Plan
from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

from pedkit.data.conditions import Condition as Where
from pedkit.data.conditions import Conditions
from pedkit.data.filter import filter_manifest
from pedkit.data.prepare import prepare
from pedkit.entrypoint import run
from pedkit.errors import PedkitError

sys.path.insert(0, str(ROOT))  # for the program `synthetic`, which is not installed

ACCENTS = ("en-us", "en-gb", "en-gb-x-rp", "en-029")


def composed(name: str, overrides: Sequence[str]) -> DictConfig:
    with initialize_config_dir(str(ROOT / "conf"), version_base="1.3"):
        return compose(name, overrides=list(overrides))


def prepare_real(plan: Plan) -> None:
    """Write the manifest of the real recordings, and one of those whose errors may be copied."""
    if not plan.real.is_file():
        prepare("speechocean762", SPEECHOCEAN, plan.real)
    if not plan.real_train.is_file():
        filter_manifest(plan.real, plan.real_train, Conditions(where=[Where("split=train")]))


def synthesize_words(plan: Plan, condition: str, seed: int) -> None:
    from synthetic.synthesize import synthesize

    sizes = f"{{train: {plan.words}, dev: {DEV}, test_seen: {HELD_OUT}, test_unseen: 0}}"
    chosen = [one.format(real_train=plan.real_train) for one in CONDITIONS[condition].overrides]
    folder = plan.folder(condition, seed) / "synthetic"
    fixed = [
        f"synthetic.sizes={sizes}",
        f"seed={seed}",
        f"output_dir={folder}",
        f"synthetic.words.not_in=[{UNSEEN_VOICES}]",
    ]
    cfg = composed("synthesize", [*chosen, *fixed])
    if condition == "accents":
        voices = cfg.synthetic.speech.voices
        variants = [voice.partition("+")[2] for voice in voices.seen]
        voices.seen = [f"{accent}+{variant}" for accent in ACCENTS for variant in variants]
    synthesize(cfg)


def train_model(plan: Plan, condition: str, seed: int) -> None:
    from pedkit.training import train

    folder = plan.folder(condition, seed)
    train(
        composed(
            "train",
            [
                "experiment=manifests",
                f"name={condition}{seed}",
                f"data.train=[{folder / 'synthetic/train.jsonl'}]",
                f"data.dev={{held_out: {folder / 'synthetic/dev.jsonl'}}}",
                f"data.max_batch_size={BATCH}",
                f"trainer.limit_train_batches={plan.words // BATCH}",  # as many in every condition
                f"trainer.max_epochs={plan.epochs}",
                f"seed={seed}",
                f"output_dir={folder / 'train'}",
                *plan.training,
            ],
        )
    )


def hear(plan: Plan, condition: str, seed: int) -> None:
    from pedkit.evaluation.hear import hear_and_score
    from pedkit.recognizers import CtcRecognizer

    folder = plan.folder(condition, seed)
    sets = plan.test_sets(condition, seed)
    recognizer = CtcRecognizer.from_run(folder / "train")
    _, faults = hear_and_score(recognizer, sets, {name: folder / name for name in sets}, {})
    if faults:
        raise PedkitError("; ".join(faults))


def whole_numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def read_plan(arguments: Sequence[str] | None) -> Plan:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conditions", default=",".join(CONDITIONS), help="of these, parted by commas")
    parser.add_argument("--words", type=int, default=800, help="of each training")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seeds", type=whole_numbers, default="1,2", help="parted by commas")
    parser.add_argument("--out", type=Path, default=ROOT / "runs/evidence")
    parser.add_argument("training", nargs="*", metavar="key=value", help="settings of the trainings")
    given = parser.parse_args(arguments)
    conditions = tuple(given.conditions.split(","))
    if unknown := sorted(set(conditions) - set(CONDITIONS)):
        raise PedkitError(f"there is no condition '{unknown[0]}'", hint=f"there are {', '.join(CONDITIONS)}")
    if given.words < BATCH:
        raise PedkitError(f"expected {BATCH} words or more, but got {given.words}")
    return Plan(conditions, given.seeds, given.words, given.epochs, given.out.absolute(), tuple(given.training))


def main(arguments: Sequence[str] | None = None) -> None:
    from evidence.tables import tables

    plan = read_plan(arguments)
    prepare_real(plan)
    for one in plan.runs():
        synthesize_words(plan, *one)
    for one in plan.runs():
        train_model(plan, *one)
        hear(plan, *one)
    text = tables(plan)
    (plan.out / "evidence.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    run(main)
