"""Terms of a model: named columns of its design, and which of them the data can tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

INTERCEPT = "(intercept)"
_TOLERANCE = 1e-9
"""Of columns scaled to a largest entry of 1; below it they are taken for dependent."""


@dataclass(frozen=True, slots=True)
class Term:
    """Some columns of a design that belong together.

    Attributes:
        name: The attribute or covariate.
        columns: Name of each column, which is the name of its coefficient.
        matrix: Shape ``(rows, columns)``.
        reference: The value without a column of its own; ``None`` for a number.
    """

    name: str
    columns: tuple[str, ...]
    matrix: Floats
    reference: str | None = None

    @classmethod
    def numeric(cls, name: str, values: Floats) -> Term:
        """Return the term of a number."""
        return cls(name, (name,), values[:, None])

    @classmethod
    def categorical(cls, name: str, values: npt.NDArray[np.str_], reference: str) -> Term:
        """Return the term of an attribute: 0 or 1 for each value but ``reference`` (treatment contrasts)."""
        others = [value for value in np.unique(values).tolist() if value != reference]
        matrix = np.stack([values == value for value in others], axis=1) if others else np.empty((len(values), 0))
        return cls(name, tuple(column(name, value) for value in others), matrix.astype(np.float64), reference)

    def rows(self, chosen: Flags | npt.NDArray[np.int64]) -> Term:
        """Return the term of some rows."""
        return Term(self.name, self.columns, self.matrix[chosen], self.reference)


def column(attribute: str, value: str) -> str:
    """Return the name of the column of one value of an attribute."""
    return f"{attribute}={value}"


def design(terms: Sequence[Term], rows: int) -> tuple[tuple[str, ...], Floats]:
    """Return the names of all columns and the design, shape ``(rows, columns)``; the first column is all ones."""
    names = (INTERCEPT, *(name for term in terms for name in term.columns))
    return names, np.hstack([np.ones((rows, 1)), *(term.matrix for term in terms)])


def independent(matrix: Floats) -> list[int]:
    """Return the columns that are no linear combination of columns before them."""
    triangle = _triangle(_scaled(matrix))
    kept: list[int] = []
    for k in range(matrix.shape[1]):
        rest = triangle[:, k]
        if kept:
            rest = rest - triangle[:, kept] @ np.linalg.lstsq(triangle[:, kept], rest, rcond=None)[0]
        if np.linalg.norm(rest) > _TOLERANCE * np.linalg.norm(triangle[:, k]):
            kept.append(k)
    return kept


def separated_rows(matrix: Floats, errors: Floats) -> Flags:
    """Return the rows whose rate goes to 0 at the maximum of the likelihood, shape ``(rows,)``.

    A Poisson model has no finite maximum where some direction lowers the rate of rows without an error and moves
    no row with one: a group without any error is the plainest case. In the limit those rows have probability 1,
    so the other rows alone decide the likelihood and every other coefficient (Correia, Guimaraes and Zylkin 2019,
    Verifying the existence of maximum likelihood estimates for generalized linear models, arXiv 1903.01633).
    """
    from scipy.linalg import null_space
    from scipy.optimize import linprog

    separated = np.zeros(len(errors), dtype=np.bool_)
    if (errors > 0).all():
        return separated
    if matrix.shape[1] == 1:
        return separated | (not errors.any())
    scaled = _scaled(matrix)
    directions = null_space(_triangle(scaled[errors > 0]), rcond=_TOLERANCE)
    while directions.shape[1]:  # moves no row with an error
        waiting = np.flatnonzero((errors == 0) & ~separated)
        steps, place = np.unique(np.round(scaled[waiting] @ directions, 9), axis=0, return_inverse=True)
        if not len(steps):
            break
        best = linprog(steps.sum(axis=0), A_ub=steps, b_ub=np.zeros(len(steps)), bounds=(-1, 1), method="highs")
        lowered = (steps @ np.asarray(best.x) < -1e-6)[place.ravel()]
        if not lowered.any():
            break
        separated[waiting[lowered]] = True
    return separated


def _scaled(matrix: Floats) -> Floats:
    """Return the matrix with columns of a largest entry of 1."""
    largest = np.abs(matrix).max(axis=0, initial=0.0)
    return matrix / np.where(largest > 0, largest, 1.0)


def _triangle(matrix: Floats) -> Floats:
    """Return a small matrix whose columns depend on each other as those of ``matrix`` do."""
    return np.asarray(np.linalg.qr(matrix, mode="r"), dtype=np.float64)
