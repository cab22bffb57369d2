"""Converts formulas to the plain data of certificates, and back."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from alphaz.certificate.violation_sets import Absent, ConstraintRow, Division, LinearSum, ViolationCase, Violations
from alphaz.poly import Affine, Constraint, Floor, Formula, Missing, Piece, Space, equal, smallest_point


def violations_of(formula: Formula) -> Violations:
    """Returns the set of a formula as plain data."""
    parts = tuple(cases_of(part) for part in formula.parts)
    without = cases_of(formula.without)
    return Violations(
        parameters=formula.space.parameters,
        names=formula.space.names,
        auxiliary=formula.auxiliary,
        parts=parts,
        without=without,
        absent=tuple(map(_absent, formula.absent)),
    )


def _absent(missing: Missing) -> Absent:
    return Absent(
        names=missing.names,
        parts=tuple(map(cases_of, missing.parts)),
        without=cases_of(missing.without),
        absent=tuple(map(_absent, missing.absent)),
    )


def formula_of(violations: Violations) -> Formula:
    """Returns the same set for isl. Raises SpaceMismatch for duplicate names."""
    parts = tuple(tuple(map(_piece, part)) for part in violations.parts)
    without = tuple(map(_piece, violations.without))
    return Formula(
        space=Space(violations.parameters, violations.names),
        auxiliary=violations.auxiliary,
        parts=parts,
        without=without,
        absent=tuple(map(_missing, violations.absent)),
    )


def _missing(absent: Absent) -> Missing:
    parts = tuple(tuple(map(_piece, part)) for part in absent.parts)
    return Missing(absent.names, parts, tuple(map(_piece, absent.without)), tuple(map(_missing, absent.absent)))


def cases_of(pieces: Iterable[Piece]) -> tuple[ViolationCase, ...]:
    return tuple(map(_case, pieces))


def sum_of(affine: Affine) -> LinearSum:
    return LinearSum(dict(affine.terms), affine.constant)


def _case(piece: Piece) -> ViolationCase:
    rows = tuple(ConstraintRow(sum_of(c.affine), c.equality) for c in piece.constraints)
    return ViolationCase(rows, tuple(Division(f.name, sum_of(f.affine), f.denominator) for f in piece.floors))


def _piece(case: ViolationCase) -> Piece:
    constraints = tuple(Constraint(_affine(row.sum), row.equal) for row in case.rows)
    return Piece(constraints, tuple(Floor(d.name, _affine(d.sum), d.by) for d in case.divisions))


def _affine(total: LinearSum) -> Affine:
    return Affine.of(total.terms.items(), total.constant)


def complete_point(formula: Formula, point: Mapping[str, int]) -> dict[str, int]:
    """Returns a point of the set with values for the auxiliary names as well, where isl finds them."""
    if not formula.auxiliary:
        return dict(point)
    whole = replace(formula, space=formula.space.with_names((*formula.space.names, *formula.auxiliary)), auxiliary=())
    fixed = tuple(equal(Affine.name(name), value) for name, value in point.items())
    smallest = smallest_point(replace(whole, parts=(*whole.parts, (Piece(fixed),))).domain())
    return dict(point) if smallest is None else {**point, **smallest}
