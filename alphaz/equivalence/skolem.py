"""Skolem functions: the writer of a value is computed from the value, by quotients instead of "there is an instance".

Coverage by tiles is hard to prove by eliminating their numbers. But the number of the tile is known: i is in tile
floor(i / 32), which is on the wavefront floor(i / 32) + floor(j / 32). So each iterator is solved for the written
point, by equations and by bounds that leave one integer; where bounds leave several, the least and the greatest are
tried. The result is substituted into the domain and must lie in it. A bad choice makes the proof fail; it cannot make
it unsound.

Source: parametric integer programming (Feautrier, RAIRO 1988) finds such quotients in general; here they are read off.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from alphaz.equivalence.kernel_obligation import all_of
from alphaz.equivalence.participant import same
from alphaz.equivalence.quotients import Bounds, Quotients, is_false, is_trivial, quotient_rows
from alphaz.poly import Affine, Constraint, Domain, Formula, Piece, Space

Point = tuple[Affine, ...]
Points = tuple[Domain, Point]
"""Instances of a statement, with the point that each of them writes or reads."""

# Number of choices tried for a piece of a domain.
_MOST = 6


def unseen(written: Sequence[Points], needed: Points) -> Formula:
    """Returns the points of `needed` that none of the tried instances write; if there are none, all are written.

    Quotients are further names of the space.
    """
    domain, place = needed
    quotients = Quotients()
    pieces = tuple(quotients.within(piece) for piece in domain.pieces())
    instances = [rows for writer in written for rows in _instances(writer, place, quotients)]
    definitions = list(quotients.definitions())
    tried = dict.fromkeys(tuple(row for row in rows if row not in definitions) for rows in instances)
    space = Space(domain.space.parameters, (*domain.space.names, *quotients.names.values()))
    return Formula(space, (), (pieces, all_of(definitions)), tuple(map(Piece, tried)))


def _instances(written: Points, place: Point, quotients: Quotients) -> Iterator[tuple[Constraint, ...]]:
    """Yields the conditions on the point under which a tried instance exists and writes there."""
    domain, point = written
    for piece in domain.pieces():
        # The names of the instance are distinct from all names around it.
        own = {name: f"?{name}" for name in (*domain.space.names, *(floor.name for floor in piece.floors))}
        floors = (row for floor in piece.floors for row in quotient_rows(floor.affine, floor.denominator, floor.name))
        rows = [*piece.constraints, *floors]
        rows = [row_.rename(own) for row_ in rows] + same([affine.rename(own) for affine in point], place)
        yield from islice(_solved(rows, frozenset(own.values()), quotients), _MOST)


def _solved(
    rows: Sequence[Constraint], unknown: frozenset[str], quotients: Quotients
) -> Iterator[tuple[Constraint, ...]]:
    """Yields the rows with the unknowns eliminated, once for each choice."""
    rows = [row for row in dict.fromkeys(rows) if not is_trivial(row)]
    if any(is_false(row) for row in rows):
        return
    unsolved = {name: None for row in rows for name in row.affine.names if name in unknown}
    if not unsolved:
        yield tuple(rows)
        return
    for name, values in _choices(rows, frozenset(unsolved), quotients):
        for value in values:
            yield from _solved([row.substitute({name: value}) for row in rows], unknown, quotients)
        return


def _choices(
    rows: Sequence[Constraint], unknown: frozenset[str], quotients: Quotients
) -> Iterator[tuple[str, list[Affine]]]:
    """Yields names to solve for, the most reliable first, with candidates for each."""
    for row in rows:
        for name in row.affine.names if row.equality else ():
            factor = row.affine.coefficient(name)
            if name in unknown and abs(factor) == 1:
                yield name, [(row.affine - Affine.name(name) * factor) * -factor]
    positive = [sign for row in rows for sign in ((row.affine, -row.affine) if row.equality else (row.affine,))]
    plain = [lower for lower in positive if len(unknown & {*lower.names}) == 1]
    known_bounds = [lower for lower in positive if not unknown & {*lower.names}]
    for name in sorted(unknown):
        if (only := Bounds.of(plain, name).only(known_bounds, quotients)) is not None:
            yield name, [only]
    limits = _limits(plain, unknown)
    relaxed = {name: Bounds.of(_relaxed(positive, name, unknown, limits), name) for name in sorted(unknown)}
    for name, bounds in relaxed.items():
        if (only := bounds.only(known_bounds, quotients)) is not None:
            yield name, [only]
    # The tile number is its position divided by its size: more precise than the first or the last tile.
    for name, bounds in sorted(relaxed.items(), key=lambda item: -max((by for _, by in item[1].both()), default=0)):
        ranked = sorted(bounds.both(), key=lambda bound: (-bound[1], not quotients.has(*bound)))
        yield name, list(dict.fromkeys(quotients.of(*bound) for bound in ranked))


def _limits(plain: Sequence[Affine], unknown: frozenset[str]) -> dict[tuple[str, bool], Affine]:
    """Returns the least (False) and greatest (True) known value of a name, if there is one; constants preferred."""
    limits: dict[tuple[str, bool], Affine] = {}
    for constraint in plain:
        name = next(name for name in constraint.names if name in unknown)
        factor = constraint.coefficient(name)
        if abs(factor) == 1:
            limit = (constraint - Affine.name(name) * factor) * -factor
            before = limits.get((name, factor < 0))
            if before is None or (limit.is_constant and not before.is_constant):
                limits[name, factor < 0] = limit
    return limits


def _relaxed(
    positive: Sequence[Affine], name: str, unknown: frozenset[str], limits: Mapping[tuple[str, bool], Affine]
) -> Iterator[Affine]:
    """Yields the bounds on one name that the inequalities imply, with the other names at their limits."""
    for constraint in positive:
        others = [(other, factor) for other, factor in constraint.terms if other in unknown and other != name]
        if name in constraint.names and all((other, factor > 0) in limits for other, factor in others):
            yield constraint.substitute({other: limits[other, factor > 0] for other, factor in others})
