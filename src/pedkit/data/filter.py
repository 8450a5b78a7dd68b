"""`filter_manifest`: the utterances of a manifest that meet conditions, and of these all or a seeded sample."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pedkit.close_names import did_you_mean
from pedkit.data.conditions import Conditions
from pedkit.data.draw import draw
from pedkit.data.keys import FIELDS, key_value
from pedkit.data.located import located
from pedkit.data.manifest import write_manifest
from pedkit.data.moving import read_for
from pedkit.data.provenance import write_provenance
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError


def filter_manifest(
    manifest: str | Path,
    out: str | Path,
    conditions: Conditions,
    *,
    sample: int | None = None,
    per: str | None = None,
    seed: int = 0,
    settings: dict[str, Any] | None = None,
    command: str | None = None,
) -> int:
    """Write the utterances that meet ``conditions``, in their order.

    Args:
        manifest: The manifest.
        out: Manifest to write; how it was made stands beside it (`write_provenance`).
        conditions: What an utterance must meet.
        sample: Keep so many of them, drawn at random; all of a group that has fewer.
        per: Draw ``sample`` for each value of this group key or field; those that lack it are a group.
        seed: Seed of the drawing.
        settings: The conditions as they were given, for the record.
        command: The command line, for the record.

    Returns:
        The number of utterances written.

    Raises:
        PedkitError: The manifest cannot be read, a key is nowhere in it, or nothing is left.
    """
    if sample is not None and sample < 1:
        raise PedkitError(f"expected 'sample' to be 1 or more, but got {sample!r}")
    if per is not None and sample is None:
        raise PedkitError("expected 'per' to come with 'sample', but got it alone")
    utterances = list(read_for(manifest, out))
    keys = [*(c.key for c in conditions.where), *conditions.present, *conditions.lacking]
    require_keys(utterances, [*keys, *([per] if per else [])], manifest)
    try:
        for condition in conditions.where:
            for value in condition.unmet(utterances):
                raise PedkitError(f"no utterance has the {condition.key} {value!r}", file=manifest)
        kept = [utterance for utterance in utterances if conditions(utterance)]
    except PedkitError as error:
        raise located(error, [manifest]) from None
    if not kept:
        raise PedkitError(f"none of {len(utterances)} utterances meets all conditions", file=manifest)
    if sample is not None:
        kept = _sampled(kept, sample, per, seed)
    count = write_manifest(out, kept)
    record = {**(settings or {}), "sample": sample, "per": per, "seed": seed}
    write_provenance(out, verb="filter", settings=record, inputs=[manifest], outputs={out: count}, command=command)
    return count


def require_keys(utterances: Sequence[Utterance], keys: Sequence[str], manifest: str | Path) -> None:
    """Refuse a key that is neither a field nor a group of any utterance: a typing error would find nothing.

    Raises:
        PedkitError: There is such a key.
    """
    known = set(FIELDS).union(*(utterance.groups for utterance in utterances))
    for key in keys:
        if key not in known:
            hint = did_you_mean(key, sorted(known)) or f"there are {', '.join(sorted(known))}"
            raise PedkitError(f"no utterance has a field or group {key!r}", file=manifest, hint=hint)


def _sampled(utterances: Sequence[Utterance], sample: int, per: str | None, seed: int) -> list[Utterance]:
    groups: defaultdict[object, list[str]] = defaultdict(list)
    for utterance in utterances:
        groups[None if per is None else key_value(utterance, per)].append(utterance.id)
    chosen = set().union(*(draw(names, sample, seed) for names in groups.values()))
    return [utterance for utterance in utterances if utterance.id in chosen]
