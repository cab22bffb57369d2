"""Obligations on a C program: sets that must be empty, as stated and with their participants."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from alphaz.diagnostics import Span
from alphaz.equivalence.participant import Participant, Relation
from alphaz.poly import Constraint, Domain, Floor, Formula, Missing, Piece
from alphaz.scop.c_model import KernelStatement

Subjects = Mapping[str, object]
"""The objects of an obligation, by role: statements, readers, claims, or their numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class KernelObligation:
    """`violations` must be empty. A point describes the `participants`; `about` is the place of the
    obligation.

    `stated` is the same set, in the form of certificates, where `subjects` identify it. The set is empty if the `lemma`
    is true, which is easier to decide; if it is not, nothing follows.
    """

    family: str
    claim: str
    violations: "partial[Domain]"
    participants: tuple[Participant, ...]
    about: KernelStatement | None
    subjects: Subjects
    stated: "partial[Formula]"
    others: tuple[KernelStatement, ...] = ()
    span: Span | None = None
    lemma: "partial[bool] | None" = None


Part = tuple[Piece, ...]


def all_of(constraints: Iterable[Constraint]) -> Part:
    return (Piece(tuple(constraints)),)


def any_of(cases: Relation | Sequence[Sequence[Constraint]]) -> Part:
    return tuple(Piece(tuple(case)) for case in cases)


def conjunctions(*parts: Part) -> Part:
    """Returns the cases where one piece of each part holds."""
    return tuple(
        Piece(
            tuple(constraint for piece in pieces for constraint in piece.constraints),
            tuple(floor for piece in pieces for floor in piece.floors),
        )
        for pieces in product(*parts)
    )


def within(domain: Domain, *constraints: Constraint) -> Part:
    """Returns the part for the points of a domain."""
    return tuple(Piece((*piece.constraints, *constraints), piece.floors) for piece in domain.pieces())


def participants_formula(
    participants: Sequence[Participant], *parts: Part, without: Part = (), absent: Sequence[Missing] = ()
) -> Formula:
    """Returns the set of all these participants for whom the parts hold."""
    names = tuple(name for participant in participants for name in participant.dimensions)
    space = participants[0].domain.space.with_names(names)
    domains = tuple(part for participant in participants for part in participant.parts)
    return Formula(space, (), (*domains, *parts), without, tuple(absent))


def no_participant(
    participant: Participant, *parts: Part, without: Part = (), absent: Sequence[Missing] = ()
) -> Missing:
    """Returns the part that no such participant exists."""
    return Missing(participant.dimensions, (*participant.parts, *parts), without, tuple(absent))


def rename_part(part: Part, names: Mapping[str, str]) -> Part:
    return tuple(
        Piece(
            tuple(constraint.rename(names) for constraint in piece.constraints),
            tuple(Floor(floor.name, floor.affine.rename(names), floor.denominator) for floor in piece.floors),
        )
        for piece in part
    )
