"""`mix`: several manifests to one, all of each or in given proportions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from msgspec.structs import replace

from pedkit.data.draw import draw
from pedkit.data.manifest import write_manifest
from pedkit.data.manifest_names import manifest_names
from pedkit.data.moving import read_for
from pedkit.data.provenance import write_provenance
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError

ID_POLICIES = ("refuse", "prefix")


def mix(
    manifests: Sequence[str | Path],
    out: str | Path,
    *,
    weights: Sequence[Fraction | float | str] | None = None,
    total: int | None = None,
    ids: str = "refuse",
    seed: int = 0,
    command: str | None = None,
) -> dict[str, int]:
    """Merge manifests, in the order given; each utterance comes at most once.

    Args:
        manifests: The manifests.
        out: Manifest to write; how it was made stands beside it (`write_provenance`).
        weights: One number a manifest: the proportions of their utterances in the result. As many as possible are
            drawn at random (1 and 3 of 100 and 120 utterances give 40 and 120). ``None`` takes all.
        total: At most so many utterances in all, in these proportions.
        ids: What to do when an id stands in two manifests: ``refuse``, or ``prefix`` = every id (and
            ``source_id``) gets the name of its manifest before it.
        seed: Seed of the drawing.
        command: The command line, for the record.

    Returns:
        Manifest as given -> number of utterances taken.

    Raises:
        PedkitError: A manifest cannot be read or stands twice, ids clash, an argument is out of range, or nothing
            would be taken of a manifest.
    """
    _check(manifests, ids)
    shares = _weights(manifests, weights)
    if total is not None and (shares is None or total < 1):
        raise PedkitError(f"expected 'total' to be 1 or more and to come with weights, but got {total!r}")
    sets = [list(read_for(manifest, out)) for manifest in manifests]
    if ids == "prefix":
        names = manifest_names(manifests)
        sets = [[_renamed(u, name) for u in utterances] for name, utterances in zip(names, sets, strict=True)]
    _refuse_clashes(manifests, sets)
    if shares is not None:
        counts = _counts([len(utterances) for utterances in sets], shares, total)
        sets = [_drawn(u, count, seed) for u, count in zip(sets, counts, strict=True)]
    written = write_manifest(out, (utterance for utterances in sets for utterance in utterances))
    settings = {
        "weights": None if shares is None else [str(share) for share in shares],
        "total": total, "ids": ids, "seed": seed,
    }  # fmt: skip
    write_provenance(out, verb="mix", settings=settings, inputs=manifests, outputs={out: written}, command=command)
    return {str(manifest): len(utterances) for manifest, utterances in zip(manifests, sets, strict=True)}


def _check(manifests: Sequence[str | Path], ids: str) -> None:
    if ids not in ID_POLICIES:
        raise PedkitError(f"expected 'ids' to be one of {', '.join(ID_POLICIES)}, but got {ids!r}")
    paths = [Path(manifest).resolve() for manifest in manifests]
    if not paths:
        raise PedkitError("expected at least one manifest to mix")
    twice = [path for path, count in Counter(paths).items() if count > 1]
    if twice:
        raise PedkitError("this manifest is given twice; every utterance may come only once", file=twice[0])


def _renamed(utterance: Utterance, name: str) -> Utterance:
    source = utterance.source_id
    return replace(
        utterance, id=f"{name}:{utterance.id}", source_id=None if source is None else f"{name}:{source}"
    )


def _refuse_clashes(manifests: Sequence[str | Path], sets: Sequence[Sequence[Utterance]]) -> None:
    home: dict[str, str | Path] = {}
    for manifest, utterances in zip(manifests, sets, strict=True):
        for utterance in utterances:
            first = home.setdefault(utterance.id, manifest)
            if first is not manifest:
                raise PedkitError(
                    f"the id stands in {first}, too",
                    file=manifest,
                    utterance=utterance.id,
                    hint="ids=prefix puts the manifest's name before each id",
                )


def _weights(
    manifests: Sequence[str | Path], given: Sequence[Fraction | float | str] | None
) -> list[Fraction] | None:
    if given is None:
        return None
    if len(given) != len(manifests):
        raise PedkitError(f"expected a weight for each of {len(manifests)} manifests, but got {len(given)}")
    try:
        weights = [Fraction(str(weight)) for weight in given]
    except (ValueError, ZeroDivisionError):
        raise PedkitError(f"expected weights to be numbers, but got {', '.join(map(str, given))}") from None
    if min(weights) <= 0:
        raise PedkitError(f"expected weights above 0, but got {', '.join(map(str, given))}")
    return weights


def _counts(sizes: Sequence[int], weights: Sequence[Fraction], total: int | None) -> list[int]:
    if 0 in sizes:
        raise PedkitError(
            f"expected every manifest to hold utterances, but number {sizes.index(0) + 1} holds none"
        )
    scale = min(Fraction(size) / weight for size, weight in zip(sizes, weights, strict=True))
    if total is not None:
        wanted = Fraction(total) / sum(weights)
        if wanted > scale:
            raise PedkitError(
                f"expected at most {int(scale * sum(weights))} utterances in these proportions, but got {total}"
            )
        scale = wanted
    counts = [int(weight * scale) for weight in weights]
    if 0 in counts:
        raise PedkitError(
            f"in these proportions not one utterance of manifest number {counts.index(0) + 1} would be taken",
            hint="give it a larger weight, a larger total, or leave it out",
        )
    return counts


def _drawn(utterances: Sequence[Utterance], count: int, seed: int) -> list[Utterance]:
    chosen = draw((utterance.id for utterance in utterances), count, seed)
    return [utterance for utterance in utterances if utterance.id in chosen]
