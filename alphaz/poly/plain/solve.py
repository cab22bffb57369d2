"""Integer solutions of linear equalities, and integer points of linear subspaces."""

from collections.abc import Iterable, Sequence

from alphaz.poly.plain.affine import Affine

Row = list[int]


def solve(equalities: Sequence[Affine], wanted: Sequence[str]) -> dict[str, Affine] | None:
    """Returns each wanted name as an integer affine expression of the names that are not wanted; None if one is not."""
    others = sorted({n for e in equalities for n in e.names} - set(wanted))
    columns = [*wanted, *others]
    rows = [[*(e.coefficient(n) for n in columns), e.constant] for e in equalities]
    basis = _eliminated(_saturated(rows, len(columns) + 1), len(wanted))
    if basis is None:
        return None
    return {
        name: Affine.of([(o, -row[len(wanted) + position]) for position, o in enumerate(others)], -row[-1])
        for name, row in zip(wanted, basis, strict=False)
    }


def rank(vectors: Iterable[Sequence[int]]) -> int:
    """Returns the number of linearly independent vectors, by fraction-free elimination."""
    rows, rank_ = [list(v) for v in vectors], 0
    while rows:
        pivot = rows.pop()
        column = next((position for position, x in enumerate(pivot) if x), None)
        if column is None:
            continue
        rank_ += 1
        rows = [[pivot[column] * x - row[column] * p for x, p in zip(row, pivot, strict=True)] for row in rows]
    return rank_


def _saturated(rows: Sequence[Row], width: int) -> list[Row]:
    """A basis of all integer rows in the rational span: unimodular column operations clear the rows one by one."""
    work = [list(row) for row in rows]
    inverse = [[int(a == b) for b in range(width)] for a in range(width)]
    rank = 0
    for row in work:
        while any(row[rank:]):
            pivot = min((c for c in range(rank, width) if row[c]), key=lambda c: abs(row[c]))
            for line in work:
                line[rank], line[pivot] = line[pivot], line[rank]
            inverse[rank], inverse[pivot] = inverse[pivot], inverse[rank]
            for c in range(rank + 1, width):
                factor = row[c] // row[rank]
                for line in work:
                    line[c] -= factor * line[rank]
                inverse[rank] = _sum(inverse[rank], inverse[c], factor)
            if not any(row[rank + 1 :]):
                rank += 1
                break
    return inverse[:rank]


def _eliminated(rows: list[Row], count: int) -> list[Row] | None:
    """Row operations until the first `count` columns are the identity; None if that is not possible."""
    for c in range(count):
        while True:
            below = [r for r in range(c, len(rows)) if rows[r][c]]
            if not below:
                return None
            pivot = min(below, key=lambda r: abs(rows[r][c]))
            rows[c], rows[pivot] = rows[pivot], rows[c]
            if len(below) == 1:
                break
            for r in range(c + 1, len(rows)):
                rows[r] = _sum(rows[r], rows[c], -(rows[r][c] // rows[c][c]))
        if abs(rows[c][c]) != 1:
            return None
        rows[c] = [value * rows[c][c] for value in rows[c]]
        for r in range(c):
            rows[r] = _sum(rows[r], rows[c], -rows[r][c])
    return rows


def _sum(row: Row, other: Row, factor: int) -> Row:
    return [a + factor * b for a, b in zip(row, other, strict=True)]


def constant_modulo(affine: Affine, equalities: Sequence[Affine]) -> int | None:
    """Returns the constant value of the affine wherever all the equalities are zero, if they imply one."""
    columns = sorted({n for e in (affine, *equalities) for n in e.names})
    rows = [[*(e.coefficient(n) for n in columns), e.constant] for e in equalities]
    rest, factor = [*(affine.coefficient(n) for n in columns), affine.constant], 1
    for column in range(len(columns)):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rows = [_cleared(row, pivot, column) for row in rows if row is not pivot]
        rest, factor = _cleared(rest, pivot, column), factor * pivot[column]
    return rest[-1] // factor if not any(rest[:-1]) and rest[-1] % factor == 0 else None


def _cleared(row: Row, pivot: Row, column: int) -> Row:
    """The row, times the entry of the pivot in the column, with the column cleared."""
    return [a * pivot[column] - row[column] * b for a, b in zip(row, pivot, strict=True)]


Vector = tuple[int, ...]


def kernel(rows: Sequence[Sequence[int]], width: int) -> list[Vector]:
    """Returns a lattice basis of the integer x (of this width) with `row . x == 0` for every row.

    Unimodular column operations on the identity, Euclid's algorithm for each row (Schrijver, Theory of Linear and
    Integer Programming, 4.1)."""
    basis = [tuple(int(a == b) for b in range(width)) for a in range(width)]
    for row in rows:
        while True:
            values = [_dot(row, vector) for vector in basis]
            nonzero = [position for position, value in enumerate(values) if value]
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
