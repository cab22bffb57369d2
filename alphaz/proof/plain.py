"""Formulas as the plain data of certificates, and back."""

from collections.abc import Iterable

from alphaz.certificate.violations import Case, Division, Row, Sum, Violations
from alphaz.poly import Affine, Constraint, Floor, Formula, Piece, Space


def violations_of(formula: Formula) -> Violations:
    """The same set as plain data."""
    parts = tuple(cases_of(part) for part in formula.parts)
    without = cases_of(formula.without)
    return Violations(
        parameters=formula.space.parameters,
        names=formula.space.names,
        auxiliary=formula.auxiliary,
        parts=parts,
        without=without,
    )


def formula_of(violations: Violations) -> Formula:
    """The same set for isl. Raises SpaceMismatch for names that stand twice."""
    parts = tuple(tuple(map(_piece, part)) for part in violations.parts)
    without = tuple(map(_piece, violations.without))
    return Formula(Space(violations.parameters, violations.names), violations.auxiliary, parts, without)


def cases_of(pieces: Iterable[Piece]) -> tuple[Case, ...]:
    return tuple(map(_case, pieces))


def sum_of(affine: Affine) -> Sum:
    return Sum(dict(affine.terms), affine.constant)


def _case(piece: Piece) -> Case:
    rows = tuple(Row(sum_of(c.affine), c.equality) for c in piece.constraints)
    return Case(rows, tuple(Division(f.name, sum_of(f.affine), f.denominator) for f in piece.floors))


def _piece(case: Case) -> Piece:
    constraints = tuple(Constraint(_affine(row.sum), row.equal) for row in case.rows)
    return Piece(constraints, tuple(Floor(d.name, _affine(d.sum), d.by) for d in case.divisions))


def _affine(given: Sum) -> Affine:
    return Affine.of(given.terms.items(), given.constant)
