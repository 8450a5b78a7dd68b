"""`split_manifest`: train, dev and test (or folds) of a manifest that share no speaker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from msgspec.structs import replace

from pedkit.data.assignment import assign_splits
from pedkit.data.filter import require_keys
from pedkit.data.keys import key_value
from pedkit.data.located import located
from pedkit.data.manifest import write_manifest
from pedkit.data.moving import read_for
from pedkit.data.provenance import write_provenance
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

SHARES = {"train": Fraction(8, 10), "dev": Fraction(1, 10), "test": Fraction(1, 10)}


def split_manifest(
    manifest: str | Path,
    out: str | Path,
    *,
    shares: Mapping[str, Fraction] | None = None,
    folds: int | None = None,
    by: Sequence[str] = ("speaker",),
    stratify: str | None = None,
    keep: Sequence[str] = (),
    seed: int = 0,
    command: str | None = None,
) -> Counter[str]:
    """Write a manifest with new splits (see `assign_splits`).

    Args:
        manifest: The manifest.
        out: Manifest to write; how it was made stands beside it (`write_provenance`).
        shares: Split -> share of the utterances that are shared out; 8 : 1 : 1 of train, dev and test where
            ``None``, without those that are kept.
        folds: Make so many equal splits instead, ``fold0``, ``fold1``, ...
        by: Fields or group keys that no two splits may have in common: ``speaker``, ``source_id``.
        stratify: Field or group key whose values are shared out alike.
        keep: Splits of the manifest that stay as they are; the others are shared out anew.
        seed: Seed of the order.
        command: The command line, for the record.

    Returns:
        Number of utterances by split, the kept ones first.

    Raises:
        PedkitError: The manifest cannot be read, an argument is out of range, or units cannot be kept apart.
    """
    shares = _shares(shares, folds, keep)
    utterances = list(read_for(manifest, out))
    require_keys(utterances, [*by, *([stratify] if stratify else [])], manifest)
    for name in keep:
        if not any(utterance.split == name for utterance in utterances):
            raise PedkitError(
                f"expected utterances of the split {name!r} to keep, but there are none", file=manifest
            )
    free = [utterance for utterance in utterances if utterance.split not in keep]
    try:
        _check_kept_apart(utterances, keep, by)
        splits = assign_splits(free, shares, by=by, stratify=stratify, seed=seed)
    except PedkitError as error:
        raise located(error, [manifest]).at(file=manifest) from None
    chosen = {utterance.id: split for utterance, split in zip(free, splits, strict=True)}
    result = [replace(utterance, split=chosen.get(utterance.id, utterance.split)) for utterance in utterances]
    count = write_manifest(out, result)
    settings = {
        "shares": {name: str(share) for name, share in shares.items()},
        "by": list(by), "stratify": stratify, "keep": list(keep), "seed": seed,
    }  # fmt: skip
    write_provenance(
        out, verb="split", settings=settings, inputs=[manifest], outputs={out: count}, command=command
    )
    counts = Counter(str(utterance.split) for utterance in result)
    return Counter({name: counts[name] for name in (*keep, *shares)})


def parse_shares(pairs: Iterable[str]) -> dict[str, Fraction]:
    """Read ``train=0.8`` pairs of a command line.

    Raises:
        PedkitError: A pair has another form, a name stands twice, or parts of 1 do not add up to it.
    """
    shares: dict[str, Fraction] = {}
    for pair in pairs:
        name, _, number = pair.partition("=")
        try:
            share = Fraction(number.strip())
        except (ValueError, ZeroDivisionError):
            share = Fraction(0)
        if not name or share <= 0 or name in shares:
            raise PedkitError(f"expected each split once with a share above 0, as train=0.8, but got {pair!r}")
        shares[name] = share
    total = sum(shares.values())
    if shares and min(shares.values()) < 1 and total != 1:
        raise PedkitError(
            f"expected shares below 1 to add up to 1, but {', '.join(shares)} add up to {float(total):.6g}",
            hint="give each split that is left a share, or whole numbers as in train=8 dev=1",
        )
    return shares


def _shares(
    shares: Mapping[str, Fraction] | None, folds: int | None, keep: Sequence[str]
) -> Mapping[str, Fraction]:
    if folds is not None:
        if shares is not None:
            raise PedkitError("expected either shares or folds, but got both")
        if folds < 2:
            raise PedkitError(f"expected 2 folds or more, but got {folds!r}")
        shares = {f"fold{number}": Fraction(1) for number in range(folds)}
    elif shares is None:
        shares = {name: share for name, share in SHARES.items() if name not in keep}
    for name in keep:
        if name in shares:
            raise PedkitError(f"the split {name!r} is kept as it is, so it can get no share of the others")
    return shares


def _check_kept_apart(utterances: Sequence[Utterance], keep: Sequence[str], by: Sequence[str]) -> None:
    for key in by:
        kept = {key_value(u, key): u.split for u in utterances if u.split in keep}
        for utterance in utterances:
            value = key_value(utterance, key)
            if utterance.split not in keep and value is not None and value in kept:
                raise PedkitError(
                    f"its {key} {value!r} is in the kept split {kept[value]!r}, too", utterance=utterance.id
                )
