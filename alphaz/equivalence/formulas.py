"""What is asked of a C program, as it is stated: sets that nothing was simplified in, for certificates."""

from collections.abc import Iterable, Mapping, Sequence

from alphaz.equivalence.execution_order import Relation
from alphaz.equivalence.participant import Participant
from alphaz.poly import Constraint, Domain, Floor, Formula, Missing, Piece

Part = tuple[Piece, ...]


def all_of(constraints: Iterable[Constraint]) -> Part:
    return (Piece(tuple(constraints)),)


def any_of(cases: Relation | Sequence[Sequence[Constraint]]) -> Part:
    return tuple(Piece(tuple(case)) for case in cases)


def within(domain: Domain, *constraints: Constraint) -> Part:
    """The points of a domain for which these hold, too."""
    return tuple(Piece((*piece.constraints, *constraints), piece.floors) for piece in domain.pieces())


def participants_formula(
    actors: Sequence[Participant], *parts: Part, without: Part = (), absent: Sequence[Missing] = ()
) -> Formula:
    """All of these actors, for whom the parts hold."""
    names = tuple(name for actor in actors for name in actor.dimensions)
    space = actors[0].domain.space.with_names(names)
    domains = tuple(part for actor in actors for part in actor.parts)
    return Formula(space, (), (*domains, *parts), without, tuple(absent))


def nobody(actor: Participant, *parts: Part, without: Part = (), absent: Sequence[Missing] = (), title: str) -> Missing:
    """That there is no such actor. His names are told apart from those of others by the title."""
    names = {name: f"{name}{title}" for name in actor.dimensions}
    pieces = tuple(rename_part(part, names) for part in (*actor.parts, *parts))
    return Missing(
        tuple(names.values()),
        pieces,
        rename_part(without, names),
        tuple(rename_missing(each, names) for each in absent),
    )


def rename_missing(missing: Missing, names: Mapping[str, str]) -> Missing:
    """The same about names around it that are called otherwise."""
    parts = tuple(rename_part(part, names) for part in missing.parts)
    absent = tuple(rename_missing(each, names) for each in missing.absent)
    return Missing(missing.names, parts, rename_part(missing.without, names), absent)


def rename_part(part: Part, names: Mapping[str, str]) -> Part:
    return tuple(
        Piece(
            tuple(constraint.rename(names) for constraint in piece.constraints),
            tuple(Floor(floor.name, floor.affine.rename(names), floor.denominator) for floor in piece.floors),
        )
        for piece in part
    )
