"""Remainders in constraints, `i%2 == 0`: conversion to sets, and from floors of sets back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd

from alphaz.poly.domain import Domain
from alphaz.poly.plain.affine import Affine, Constraint, at_least, equal
from alphaz.poly.plain.piece import Floor, Piece
from alphaz.poly.plain.space import Space, fresh_names


@dataclass(frozen=True, slots=True)
class Remainder:
    """`name = affine mod modulus`, from 0 to modulus-1; the modulus is positive."""

    name: str
    affine: Affine
    modulus: int


@dataclass(frozen=True, slots=True)
class Congruence:
    """`affine mod modulus == rest`, or another comparison; coefficients are from 0 to modulus-1."""

    affine: Affine
    modulus: int
    comparison: str
    rest: int


@dataclass(frozen=True, slots=True)
class Lattice:
    """A conjunction of constraints over names without floors, and congruences."""

    constraints: tuple[Constraint, ...]
    congruences: tuple[Congruence, ...]


_MOST = 100


def set_text(domain: Domain) -> str:
    """Returns the text of a set, `{i | 0<=i && i%2==1}`, with remainders instead of floors where that is possible."""
    parts = lattices(domain) if any(piece.floors for piece in domain.pieces()) else None
    if not parts:
        return str(domain)
    names = ",".join(domain.space.names)
    bodies = (" && ".join((*map(str, part.constraints), *map(_congruence_text, part.congruences))) for part in parts)
    return " || ".join(f"{{{names} | {body}}}" for body in bodies)


def _congruence_text(congruence: Congruence) -> str:
    affine = congruence.affine
    sole = len(affine.terms) == 1 and not affine.constant
    return f"{affine if sole else f'({affine})'}%{congruence.modulus}{congruence.comparison}{congruence.rest}"


def with_remainders(space: Space, remainders: Sequence[Remainder]) -> Domain:
    """Returns every point of the space followed by the values of the remainders."""
    taken = (*space.parameters, *space.names, *(r.name for r in remainders))
    quotients = fresh_names(len(remainders), "q", taken)
    names = (*space.names, *(r.name for r in remainders))
    constraints: list[Constraint] = []
    for remainder, quotient in zip(remainders, quotients, strict=True):
        value = Affine.name(remainder.name)
        constraints += [at_least(value, 0), at_least(Affine(constant=remainder.modulus - 1), value)]
        constraints.append(equal(remainder.affine - Affine.name(quotient) * remainder.modulus, value))
    return Domain.where(space.with_names((*names, *quotients)), constraints).onto(names)


def lattices(domain: Domain) -> tuple[Lattice, ...] | None:
    """Returns the domain without floors, as a union of conjunctions; None if that takes too many.

    A piece that is not one conjunction is split by the remainders of the argument of a floor."""
    parts: list[tuple[Piece, tuple[Floor, ...]]] = [(piece, ()) for piece in domain.simplify().pieces()]
    lattice_parts: list[Lattice] = []
    made = 0
    while parts:
        part, known = parts.pop(0)
        one = _lattice(part)
        if one is not None:
            lattice_parts.append(one)
            continue
        floor = next(f for f in part.floors if f not in known)
        made += floor.denominator
        if made > _MOST:
            return None
        parts[:0] = ((_remaining(part, floor, rest), (*known, floor)) for rest in range(floor.denominator))
    return tuple(part for part in lattice_parts if made == 0 or not _points(domain.space, part).is_empty())


def _remaining(piece: Piece, floor: Floor, rest: int) -> Piece:
    """The points where the division in the floor has this remainder."""
    exact = equal(floor.affine - rest, Affine.name(floor.name) * floor.denominator)
    return Piece((*piece.constraints, exact), piece.floors)


def _points(space: Space, part: Lattice) -> Domain:
    names = fresh_names(len(part.congruences), "r", (*space.parameters, *space.names))
    made = (Remainder(n, c.affine, c.modulus) for n, c in zip(names, part.congruences, strict=True))
    values = [(Affine.name(n), c) for n, c in zip(names, part.congruences, strict=True)]
    there = with_remainders(space, tuple(made))
    return there & Domain.where(there.space, [*part.constraints, *(_compared(v, c) for v, c in values)])


def _compared(value: Affine, congruence: Congruence) -> Constraint:
    match congruence.comparison:
        case "==":
            return equal(value, congruence.rest)
        case ">=":
            return at_least(value, congruence.rest)
    return at_least(Affine(constant=congruence.rest), value)


def _lattice(piece: Piece) -> Lattice | None:
    """The piece as one conjunction; None if that is not possible.

    A floor that is an exact division, by an equality, is a congruence; a floor that only bounds is a bound of its
    argument, with the coefficient 1 or -1, or of its remainder."""
    constraints, congruences = list(piece.constraints), list[tuple[Affine, int]]()
    bounds: list[Congruence] = []
    for floor in reversed(piece.floors):
        exact = _exact(constraints, floor.name)
        if exact is not None:
            constraints.remove(exact)
            constraints += _definition(floor)
            rest, factor = _solved(exact.affine, floor.name)
            constraints = [Constraint(_put(c.affine, floor.name, rest, factor), c.equality) for c in constraints]
            congruences = [_multiple(congruence, floor.name, rest, factor) for congruence in congruences]
            congruences.append((_modulo(rest, factor), factor))
            continue
        bounds += [remainder for c in constraints if (remainder := _remainder(c, floor))]
        constraints = [_bounded(c, floor) for c in constraints if _remainder(c, floor) is None]
    names = {floor.name for floor in piece.floors}
    left = (*(c.affine for c in constraints), *(affine for affine, _ in congruences), *(b.affine for b in bounds))
    if any(names & set(affine.names) for affine in left):
        return None
    return _short(constraints, congruences, bounds)


def _definition(floor: Floor) -> tuple[Constraint, Constraint]:
    remainder = floor.affine - Affine.name(floor.name) * floor.denominator
    return at_least(remainder, 0), at_least(Affine(constant=floor.denominator - 1), remainder)


def _exact(constraints: Iterable[Constraint], name: str) -> Constraint | None:
    """The equality with the floor, with the least coefficient."""
    equalities = [c for c in constraints if c.equality and c.affine.coefficient(name)]
    return min(equalities, key=lambda c: abs(c.affine.coefficient(name)), default=None)


def _solved(affine: Affine, name: str) -> tuple[Affine, int]:
    """`rest, factor` with `factor * name == rest` where the affine is zero; the factor is positive."""
    factor = affine.coefficient(name)
    rest = affine - Affine.name(name) * factor
    return (-rest, factor) if factor > 0 else (rest, -factor)


def _put(affine: Affine, name: str, rest: Affine, factor: int) -> Affine:
    """`factor` times the affine, with `factor * name` replaced."""
    times = affine.coefficient(name)
    return (affine - Affine.name(name) * times) * factor + rest * times if times else affine


def _multiple(congruence: tuple[Affine, int], name: str, rest: Affine, factor: int) -> tuple[Affine, int]:
    affine, modulus = congruence
    if not affine.coefficient(name):
        return congruence
    return _modulo(_put(affine, name, rest, factor), modulus * factor), modulus * factor


def _bounded(constraint: Constraint, floor: Floor) -> Constraint:
    """`floor(a/m) + r >= 0` is `a + m r >= 0`; `r - floor(a/m) >= 0` is `m r + m-1 - a >= 0`; others are unchanged."""
    factor = constraint.affine.coefficient(floor.name)
    if constraint.equality or abs(factor) != 1:
        return constraint
    rest = (constraint.affine - Affine.name(floor.name) * factor) * floor.denominator
    return Constraint(floor.affine + rest if factor == 1 else rest + (floor.denominator - 1) - floor.affine)


def _remainder(constraint: Constraint, floor: Floor) -> Congruence | None:
    """`q (a - a mod m) + r >= 0` is a bound of the remainder if `q a + r` is a constant."""
    times, over = divmod(constraint.affine.coefficient(floor.name), floor.denominator)
    if constraint.equality or over or times == 0:
        return None
    constant = constraint.affine - Affine.name(floor.name) * (times * floor.denominator) + floor.affine * times
    if constant.terms:
        return None
    comparison, rest = ("<=", constant.constant // times) if times > 0 else (">=", -(constant.constant // -times))
    return Congruence(_modulo(floor.affine, floor.denominator), floor.denominator, comparison, rest)


def _modulo(affine: Affine, modulus: int) -> Affine:
    return Affine.of(((n, c % modulus) for n, c in affine.terms), affine.constant % modulus)


def _short(
    constraints: Iterable[Constraint], congruences: Iterable[tuple[Affine, int]], bounds: Iterable[Congruence]
) -> Lattice:
    reduced: list[Congruence] = []
    for affine, modulus in congruences:
        common = gcd(modulus, affine.constant, *(c for _, c in affine.terms))
        modulus //= common
        if modulus > 1:
            plain = Affine.of((n, c // common % modulus) for n, c in affine.terms)
            reduced.append(Congruence(plain, modulus, "==", -affine.constant // common % modulus))
    plain_constraints = [_reduced(c) for c in constraints if c.affine.terms or not c.holds({})]
    return Lattice(tuple(dict.fromkeys(plain_constraints)), tuple(dict.fromkeys((*reduced, *bounds))))


def _reduced(constraint: Constraint) -> Constraint:
    """The constraint divided by the common divisor of its coefficients, the constant of an inequality rounded down."""
    affine = constraint.affine
    common = gcd(*(c for _, c in affine.terms))
    if common <= 1 or (constraint.equality and affine.constant % common):
        return constraint
    terms = tuple((n, c // common) for n, c in affine.terms)
    return Constraint(Affine(terms, affine.constant // common), constraint.equality)
