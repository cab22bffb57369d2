"""The integer points of linear subspaces."""

from collections.abc import Sequence

Vector = tuple[int, ...]


def kernel(rows: Sequence[Sequence[int]], width: int) -> list[Vector]:
    """Returns a lattice basis of the integer x (of this width) with `row . x == 0` for every row.

    Unimodular column operations on the identity, Euclid's algorithm for each row (Schrijver, Theory of Linear and
    Integer Programming, 4.1)."""
    basis = [tuple(int(a == b) for b in range(width)) for a in range(width)]
    for row in rows:
        while True:
            values = [_dot(row, vector) for vector in basis]
            nonzero = [at for at, value in enumerate(values) if value]
            if not nonzero:
                break
            pivot = min(nonzero, key=lambda at: abs(values[at]))
            if len(nonzero) == 1:
                basis.pop(pivot)
                break
            for at in nonzero:
                if at != pivot:
                    factor = values[at] // values[pivot]
                    basis[at] = tuple(a - factor * b for a, b in zip(basis[at], basis[pivot], strict=True))
    return basis


def _dot(row: Sequence[int], vector: Vector) -> int:
    return sum(a * b for a, b in zip(row, vector, strict=True))
