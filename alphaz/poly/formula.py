"""Sets as they are stated, before anything is simplified: what a certificate holds and any other solver can decide.

    { names | exists auxiliary: part and part and ... and not (piece or piece or ...) },    part = piece or piece or ...

What nobody has done is said by sets of the same form that must be absent.

A domain is what isl made of its constraints; of an empty one nothing is left that could be decided again.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, affine_text, constraint_text, mangle, tuple_text
from alphaz.poly.plain.piece import Piece
from alphaz.poly.plain.space import Space


@dataclass(frozen=True, slots=True)
class Missing:
    """There are no values of `names` for which all parts hold, no piece of `without`, and everything `absent` is."""

    names: tuple[str, ...]
    parts: tuple[tuple[Piece, ...], ...]
    without: tuple[Piece, ...] = ()
    absent: tuple["Missing", ...] = ()

    def text(self) -> str:
        """That there is such a thing, in isl's syntax."""
        body = _body(self.parts, self.without, self.absent)
        return f"(exists ({', '.join(map(mangle, self.names))} : {body}))" if self.names else f"({body})"


@dataclass(frozen=True, slots=True)
class Formula:
    """All of `parts` hold, of each one piece, no piece of `without`, and nothing that is to be `absent` is there.

    A part without pieces is false, a piece without constraints true.

    Constraints are over the names of `space` and, in `parts`, the `auxiliary` ones. What is absent has its own names.
    """

    space: Space
    auxiliary: tuple[str, ...]
    parts: tuple[tuple[Piece, ...], ...]
    without: tuple[Piece, ...] = ()
    absent: tuple[Missing, ...] = ()

    def text(self) -> str:
        """The set in isl's syntax; names that isl would misread are mangled."""
        body = _body(self.parts, self.without, self.absent)
        if self.auxiliary:
            body = f"exists ({', '.join(map(mangle, self.auxiliary))} : {body})"
        return f"{tuple_text(self.space.parameters)} -> {{ {tuple_text(self.space.names)} : {body} }}"

    def domain(self) -> Domain:
        """The set, read by isl from `text`."""
        Space(self.space.parameters, (*self.space.names, *self.auxiliary))
        return Domain(self.space, isl.Set(self.text(), CONTEXT))


def _body(parts: Iterable[tuple[Piece, ...]], without: tuple[Piece, ...], absent: Iterable[Missing]) -> str:
    said = [*map(_part_text, parts), *([f"not {_part_text(without)}"] if without else [])]
    return " and ".join([*said, *(f"not {each.text()}" for each in absent)]) or "true"


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
    """The points of a domain that are not in the other one, which has its space."""
    domain.space.check_same_shape(other.space)
    return Formula(domain.space, (), (domain.pieces(),), other.renamed(domain.space.names).pieces())


def common(domain: Domain, *others: Domain | None) -> Formula:
    """The points that are in all of these domains of one space, where None is everything."""
    found = [domain, *(other for other in others if other is not None)]
    for other in found[1:]:
        domain.space.check_same_shape(other.space)
    return Formula(domain.space, (), tuple(each.renamed(domain.space.names).pieces() for each in found))
