"""Sets as stated formulas, before any simplification: the data of a certificate, which any other solver can decide.

    { names | exists auxiliary: part and part and ... and not (piece or piece or ...) },    part = piece or piece or ...

The absence of an event is a set of the same form that must be empty.

A domain is isl's simplification of its constraints; an empty one contains nothing that could be decided again."""

from collections.abc import Iterable
from dataclasses import dataclass

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, affine_text, constraint_text, mangle, tuple_text
from alphaz.poly.plain.piece import Piece
from alphaz.poly.plain.space import Space


@dataclass(frozen=True, slots=True)
class Missing:
    """No values of `names` satisfy all parts, no piece of `without`, and everything `absent`."""

    names: tuple[str, ...]
    parts: tuple[tuple[Piece, ...], ...]
    without: tuple[Piece, ...] = ()
    absent: tuple["Missing", ...] = ()

    def text(self) -> str:
        """Returns the existence of such values, in isl's syntax."""
        body = _body(self.parts, self.without, self.absent)
        return f"(exists ({', '.join(map(mangle, self.names))} : {body}))" if self.names else f"({body})"


@dataclass(frozen=True, slots=True)
class Formula:
    """One piece of each of `parts` holds, no piece of `without`, and nothing that is to be `absent` exists.

    A part without pieces is false, a piece without constraints true.

    Constraints are over the names of `space` and, in `parts`, the `auxiliary` ones. Absent events have names of their
    own."""

    space: Space
    auxiliary: tuple[str, ...]
    parts: tuple[tuple[Piece, ...], ...]
    without: tuple[Piece, ...] = ()
    absent: tuple[Missing, ...] = ()

    def text(self) -> str:
        """Returns the set in isl's syntax; isl keywords are mangled."""
        body = _body(self.parts, self.without, self.absent)
        if self.auxiliary:
            body = f"exists ({', '.join(map(mangle, self.auxiliary))} : {body})"
        return f"{tuple_text(self.space.parameters)} -> {{ {tuple_text(self.space.names)} : {body} }}"

    def domain(self) -> Domain:
        """Returns the set, parsed by isl from `text`."""
        Space(self.space.parameters, (*self.space.names, *self.auxiliary))
        return Domain(self.space, isl.Set(self.text(), CONTEXT))


def _body(parts: Iterable[tuple[Piece, ...]], without: tuple[Piece, ...], absent: Iterable[Missing]) -> str:
    texts = [*map(_part_text, parts), *([f"not {_part_text(without)}"] if without else [])]
    return " and ".join([*texts, *(f"not {missing.text()}" for missing in absent)]) or "true"


def _part_text(part: tuple[Piece, ...]) -> str:
    pieces = list(map(_piece_text, part))
    return pieces[0] if len(pieces) == 1 else f"({' or '.join(pieces) or 'false'})"


def _piece_text(piece: Piece) -> str:
    constraints = " and ".join(map(constraint_text, piece.constraints)) or "true"
    for floor in reversed(piece.floors):
        division = f"{mangle(floor.name)} = floor(({affine_text(floor.affine)})/{floor.denominator})"
        constraints = f"exists ({division} : {constraints})"
    return f"({constraints})"


def outside(domain: Domain, other: Domain) -> Formula:
    """Returns the points of a domain that are not in the other one, which has the same space."""
    domain.space.check_same_shape(other.space)
    return Formula(domain.space, (), (domain.pieces(),), other.renamed(domain.space.names).pieces())


def common(domain: Domain, *others: Domain | None) -> Formula:
    """Returns the points that are in all of these domains of one space, where None is everything."""
    domains = [domain, *(other for other in others if other is not None)]
    for other in domains[1:]:
        domain.space.check_same_shape(other.space)
    return Formula(domain.space, (), tuple(other.renamed(domain.space.names).pieces() for other in domains))
