"""Resolving the flap: T or D, whichever the canonical pronunciation has there."""

from __future__ import annotations

from collections.abc import Sequence

#: What the policy ``flap=canonical`` leaves in place of a flap. No CMU-39 phone, so never scored by mistake.
FLAP_MARKER = "DX"
_STOPS = ("T", "D")


def resolve_flap(phones: Sequence[str], canonical: Sequence[str], default: str = "T") -> tuple[str, ...]:
    """Return ``phones`` with each flap marker turned into the T or D of the canonical phone on its column.

    The columns are those of the least-cost alignment (unit costs) in which a flap matches T and D; of equally good
    alignments the one that pairs phones latest. A flap beside any other canonical phone, or beside none, becomes
    ``default``.

    Args:
        phones: CMU-39 phones and flap markers, as projected under ``flap=canonical``.
        canonical: The canonical CMU-39 phones of the same utterance.
        default: The phone for a flap that has no T or D beside it.
    """
    if FLAP_MARKER not in phones:
        return tuple(phones)
    cost = _costs(phones, canonical)
    out = list(phones)
    i, j = len(phones), len(canonical)
    while i > 0:
        if j > 0 and cost[i][j] == cost[i - 1][j - 1] + _differ(phones[i - 1], canonical[j - 1]):
            i, j = i - 1, j - 1
            if out[i] == FLAP_MARKER:
                out[i] = canonical[j] if canonical[j] in _STOPS else default
        elif j > 0 and cost[i][j] == cost[i][j - 1] + 1:
            j -= 1
        else:
            i -= 1
            out[i] = default if out[i] == FLAP_MARKER else out[i]
    return tuple(out)


def _differ(phone: str, canonical: str) -> int:
    return int(canonical not in _STOPS if phone == FLAP_MARKER else phone != canonical)


def _costs(phones: Sequence[str], canonical: Sequence[str]) -> list[list[int]]:
    rows = [list(range(len(canonical) + 1))]
    for i, phone in enumerate(phones, start=1):
        above, row = rows[-1], [i]
        for j, other in enumerate(canonical, start=1):
            row.append(min(above[j - 1] + _differ(phone, other), above[j] + 1, row[j - 1] + 1))
        rows.append(row)
    return rows
