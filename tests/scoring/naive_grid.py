"""The specification of docs/scoring.md written as naively as possible: list everything, take the least."""

from collections import Counter
from itertools import count

VOWELS = {"AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW"}
UNUSABLE = {"<unk>", "err"}


def differ(x, y):
    return x != y or x in UNUSABLE


def clash(x, y):
    if x is None or y is None or x in UNUSABLE or y in UNUSABLE:
        return 0
    return int((x in VOWELS) != (y in VOWELS))


def all_moves(n, m):
    """Every way through an n by m table: 0 takes one of both, 1 one of the first, 2 one of the second."""
    if n == 0 and m == 0:
        yield ()
    for move, i, j in ((0, 1, 1), (1, 1, 0), (2, 0, 1)):
        if n >= i and m >= j:
            for rest in all_moves(n - i, m - j):
                yield (*rest, move)


def columns_of(moves, first, second, gap):
    i, j = count(), count()
    return [(first[next(i)] if move != 2 else gap, second[next(j)] if move != 1 else None) for move in moves]


def best(first, second, key, gap=None):
    """The least columns under a key of columns; ties go to the moves that are least when read from the end."""
    ways = all_moves(len(first), len(second))
    made = ((columns_of(moves, first, second, gap), moves) for moves in ways)
    return min(made, key=lambda way: (key(way[0]), way[1][::-1]))[0]


def grid(c, u, tie="phonetic"):
    def key(columns):
        edits = sum(differ(x, y) for x, y in columns)
        clashes = sum(clash(x, y) for x, y in columns) if tie == "phonetic" else 0
        return edits, clashes

    return best(c, u, key)


def is_de(c, u, p):
    return differ(u, c) and differ(p, c) and differ(p, u) and u not in UNUSABLE


def place(columns, p, u_aware=True):
    spurious = (None, None)

    def key(placed):
        flat = [(c, u, q) for (c, u), q in placed]
        x = sum(differ(q, c) for c, u, q in flat)
        y = sum(differ(q, u) for c, u, q in flat)
        new = sum(c is None and u is None for c, u, q in flat)
        de = sum(is_de(c, u, q) for c, u, q in flat)
        clashes = sum(clash(q, c if c is not None else u) for c, u, q in flat)
        return (x, y, new, de, clashes) if u_aware else (x, clashes)

    return [(c, u, q) for (c, u), q in best(columns, p, key, gap=spurious)]


def outcome(c, u, p, flagged):
    """Section 1.1 of the specification, with the corpus's flags."""
    starred = flagged and u == c
    kind = "ins" if c is None else "del" if u is None else "sub"
    if not differ(u, c) and not starred:
        if not differ(p, c):
            return "TA"
        return "FR_" + ("ins" if c is None else "del" if p is None else "sub")
    if not differ(p, c):
        return "FA_" + kind
    if starred or u in UNUSABLE:
        return "DU_" + kind
    return ("DE_" if differ(p, u) else "CD_") + kind


def judge(c, u, p, flags=frozenset(), u_aware=True):
    """Columns and counts of one utterance."""
    columns = place(grid(c, u), p, u_aware)
    index = count()
    outcomes = [outcome(x, y, z, x is not None and next(index) in flags) for x, y, z in columns]
    return columns, Counter(outcomes)


def kaldi_align(first, second):
    """The rule of Kaldi's align-text: full table, traced back with substitution, then deletion, then insertion."""
    n, m = len(first), len(second)
    cost = {(i, j): i + j for i in range(n + 1) for j in range(m + 1) if i == 0 or j == 0}
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            pair = cost[i - 1, j - 1] + (first[i - 1] != second[j - 1])
            cost[i, j] = min(pair, cost[i - 1, j] + 1, cost[i, j - 1] + 1)
    columns, i, j = [], n, m
    while i or j:
        if i and j and cost[i, j] == cost[i - 1, j - 1] + (first[i - 1] != second[j - 1]):
            i, j = i - 1, j - 1
            columns.append((first[i], second[j]))
        elif i and cost[i, j] == cost[i - 1, j] + 1:
            i -= 1
            columns.append((first[i], None))
        else:
            j -= 1
            columns.append((None, second[j]))
    return columns[::-1]


def kaldi3(c, u, p):
    """Outcomes by three pairwise alignments, looked up by position."""
    heard_for_c = [q for x, q in kaldi_align(c, p) if x is not None]
    heard_for_u = [q for x, q in kaldi_align(u, p) if x is not None]
    found, i, j = Counter(), 0, 0
    for x, y in kaldi_align(c, u):
        if y is None:
            q = heard_for_c[i]
            found["FA_del" if q == x else "CD_del" if q is None else "DE_del"] += 1
        else:
            q = heard_for_u[j]
            if x == y:
                found["TA" if q == y else "FR_del" if q is None else "FR_sub"] += 1
            elif x is not None:
                found["CD_sub" if q == y else "FA_sub" if q == x else "DE_sub"] += 1
            else:
                found["CD_ins" if q == y else "FA_ins" if q is None else "DE_ins"] += 1
        i, j = i + (x is not None), j + (y is not None)
    return found
