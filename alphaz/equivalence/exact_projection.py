"""Projection by quotients: the number of a tile is its position divided by its size, so it is eliminated exactly.

isl eliminates the numbers of tiles in wavefronts by integer programming, which leaves floors such as
floor((-i - 2 j - 3) / 144) that no other set has. Here a name between two bounds with one integer between them is a
quotient in a normal form, so that equal floors are written alike, and sets with them are compared soon.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from math import gcd

from alphaz.equivalence.quotients import Bounds, Quotients, is_trivial, quotient_rows
from alphaz.poly import Affine, Constraint, Domain, Floor, Formula, Piece

Form = tuple[tuple[str, int], ...]


def projected(domain: Domain, names: Sequence[str]) -> Domain:
    """Returns the projection onto some dimensions, in the order given: by quotients where all others are quotients of
    these, otherwise as isl computes it. isl checks that no point is lost."""
    return _projected(domain, names, is_whole=True)


def some_projected(domain: Domain, names: Sequence[str]) -> Domain:
    """Returns a subset of the projection, most often all of it, without that check."""
    return _projected(domain, names, is_whole=False)


def in_normal_form(domain: Domain) -> Domain:
    """Returns the same set with each floor in the form of these quotients."""
    quotients = Quotients()
    pieces = (quotients.within(piece).constraints for piece in domain.pieces())
    parts = tuple(Piece(rows, _floors(rows, quotients)) for rows in pieces)
    return Formula(domain.space, (), (parts,)).domain()


def _projected(domain: Domain, names: Sequence[str], *, is_whole: bool) -> Domain:
    quotients, others = Quotients(), {*domain.space.names} - {*names}
    result = Domain.empty(domain.space.with_names(tuple(names)))
    for part in domain.parts():
        pieces = [_eliminated(piece, others, quotients) for piece in part.pieces()]
        own = Formula(result.space, (), (tuple(piece for piece in pieces if piece is not None),)).domain()
        if None in pieces or (is_whole and not part.is_subset(own.embedded(domain.space))):
            own = part.onto(names)
        result = result | own
    return result


def _eliminated(piece: Piece, names: Collection[str], quotients: Quotients) -> Piece | None:
    """Returns a subset of the projection, all of it if the choices are right: each name is replaced by an integer that
    is computed from the rest. None if a name remains."""
    own = {floor.name: f"?{floor.name}" for floor in piece.floors}
    rows = [*piece.constraints]
    for floor in piece.floors:
        rows += quotient_rows(floor.affine, floor.denominator, floor.name)
    rows, unknown = [row.rename(own) for row in rows], {*own.values(), *names}
    while True:
        rows = [row for row in dict.fromkeys(map(_tight, rows)) if not is_trivial(row)]
        unsolved = frozenset(name for row in rows for name in row.affine.names if name in unknown)
        if not unsolved:
            return Piece(tuple(rows), _floors(rows, quotients))
        name, value = next(_solutions(rows, unsolved, quotients), ("", Affine()))
        if not name:
            return None
        rows = [row.substitute({name: value}) for row in rows]


def _tight(row: Constraint) -> Constraint:
    """Returns the constraint without a common factor, for integers."""
    factor = gcd(*(coefficient for _, coefficient in row.affine.terms))
    if factor <= 1 or (row.equality and row.affine.constant % factor):
        return row
    terms = tuple((name, coefficient // factor) for name, coefficient in row.affine.terms)
    return Constraint(Affine(terms, row.affine.constant // factor), row.equality)


def _floors(rows: Sequence[Constraint], quotients: Quotients) -> tuple[Floor, ...]:
    """Returns the quotients that rows need, each after those that it needs."""
    needed = {name for row in rows for name in row.affine.names}
    floors: list[Floor] = []
    for (affine, by), name in reversed(quotients.names.items()):
        if name in needed:
            needed |= {*affine.names}
            floors.insert(0, Floor(name, affine, by))
    return tuple(floors)


def _solutions(
    rows: Sequence[Constraint], unknown: frozenset[str], quotients: Quotients
) -> Iterator[tuple[str, Affine]]:
    """Yields names with their values: by an equation; by bounds of a form, such as the difference of two tile numbers,
    with one integer between them; or by the only bound on one side."""
    for row in rows:
        for name in row.affine.names if row.equality else ():
            if name in unknown and abs(row.affine.coefficient(name)) == 1:
                yield _solved(row.affine.terms, name, Affine(constant=-row.affine.constant))
    positive = [sign for row in rows for sign in ((row.affine, -row.affine) if row.equality else (row.affine,))]
    known = [bound for bound in positive if not unknown & {*bound.names}]
    forms = _bounds_of_forms([bound for bound in positive if unknown & {*bound.names}], unknown)
    for inequalities in (known, [one + other for one, other in combinations(known, 2)]):
        for form, bounds in forms.items():
            unit = next((name for name, factor in form if abs(factor) == 1), None)
            value = None if unit is None else bounds.only(inequalities, quotients)
            if unit is not None and value is not None:
                yield _solved(form, unit, value)
    for name in sorted(unknown):
        bounds = Bounds.of([bound for bound in positive if name in bound.names], name)
        for side in (Bounds([], bounds.greatest).both(), Bounds(bounds.least, []).both()):
            if len(side) == 1 and not unknown & {*side[0][0].names}:
                yield name, quotients.of(*side[0])


def _bounds_of_forms(positive: Sequence[Affine], unknown: frozenset[str]) -> dict[Form, Bounds]:
    """Returns the bounds of each form of unknown names by known expressions."""
    forms: dict[Form, Bounds] = {}
    for bound in positive:
        terms = tuple(term for term in bound.terms if term[0] in unknown)
        factor = gcd(*(coefficient for _, coefficient in terms)) * (1 if terms[0][1] > 0 else -1)
        form = tuple((name, coefficient // factor) for name, coefficient in terms)
        bounds = forms.setdefault(form, Bounds([], []))
        rest = bound - Affine(terms)
        if factor > 0:
            bounds.least.append((-rest, factor))
        else:
            bounds.greatest.append((rest, -factor))
    return forms


def _solved(form: Form, name: str, value: Affine) -> tuple[str, Affine]:
    """Returns the name, whose factor in the form is 1 or -1, with its value where the form has a value."""
    factor = dict(form)[name]
    rest = Affine(tuple(term for term in form if term[0] != name))
    return name, (value - rest) * factor
