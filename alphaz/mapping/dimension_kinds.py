"""The kind of each dimension for each statement, and the check that different kinds are separated (M0).

Kinds may differ between two statements only below an ordering dimension that separates them: statements are split into
groups dimension by dimension, and inside a group all agree. Source: verifier.md section 2; thesis 3.1.2 and 3.1.3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import IGNORED, MAPPING
from alphaz.mapping.cells import rank
from alphaz.mapping.statement import Role, Statement, date_text
from alphaz.mapping.target_mapping import DimensionKind, KindSetting

Group = tuple[Statement, ...]


def with_kinds(
    statements: Sequence[Statement], settings: Sequence[KindSetting], dimensions: int, silent: frozenset[str]
) -> tuple[tuple[Statement, ...], tuple[Diagnostic, ...]]:
    """Returns the statements with their kinds, and warnings. Raises Rejected (AZ411). `silent`: variables that were
    dropped.
    """
    notes = [_idle(s) for s in settings if s.variable not in silent and not any(_applies(s, t) for t in statements)]
    stated = tuple(_with_kinds(s, settings, dimensions) for s in statements)
    decided, demoted = _split_by_ordering(stated, dimensions)
    decided = [_collecting(s) for s in decided]
    order = {s.name: position for position, s in enumerate(statements)}
    return tuple(sorted(decided, key=lambda s: order[s.name])), (*notes, *demoted)


def has_prefix(statement: Statement, prefix: Sequence[int]) -> bool:
    """Returns True if the first components of its dates are these constants."""
    if len(prefix) > len(statement.date.outputs):
        return False
    return all(o.is_constant and o.constant == p for o, p in zip(statement.date.outputs, prefix, strict=False))


def ordering_value(statement: Statement, dimension: int) -> int:
    """Returns the constant of an ORDERING dimension."""
    return statement.date.outputs[dimension].constant


def _applies(setting: KindSetting, statement: Statement) -> bool:
    return setting.variable in (None, statement.variable) and has_prefix(statement, setting.prefix)


def _idle(setting: KindSetting) -> Diagnostic:
    whom = f"no dates of {setting.variable}" if setting.variable else "no statement"
    below = f" below the ordering prefix {date_text(setting.prefix)}" if setting.prefix else ""
    return Diagnostic(IGNORED, f"there is {whom}{below} to be made {setting.kind}", Label(setting.span))


def _with_kinds(statement: Statement, settings: Sequence[KindSetting], dimensions: int) -> Statement:
    kind_settings: list[KindSetting | None] = [None] * dimensions
    for setting in settings:
        if not _applies(setting, statement):
            continue
        for dimension in setting.dimensions:
            position = len(setting.prefix) + dimension
            if dimension < 0 or position >= dimensions:
                raise _kind_rejection(setting, dimension, dimensions)
            kind_settings[position] = setting
    kinds = tuple(DimensionKind.SEQUENTIAL if setting is None else setting.kind for setting in kind_settings)
    return replace(statement, kinds=kinds, settings=tuple(kind_settings))


def _kind_rejection(setting: KindSetting, dimension: int, dimensions: int) -> Rejected:
    left = dimensions - len(setting.prefix)
    below = f" below the prefix {date_text(setting.prefix)}" if setting.prefix else ""
    message = f"there is no dimension {dimension}: the dates have {left}{below}, counted from 0"
    return Rejected(Diagnostic(MAPPING, message, Label(setting.span)))


def _split_by_ordering(statements: Group, dimensions: int) -> tuple[list[Statement], list[Diagnostic]]:
    """Splits the statements by ordering dimensions from the outermost; an ordering that is not constant becomes
    sequential.
    """
    groups: list[Group] = [statements] if statements else []
    notes: list[Diagnostic] = []
    for dimension in range(dimensions):
        split: list[Group] = []
        for group in groups:
            _check_agreement(group, dimension)
            group, warned = _demote_orderings(group, dimension)
            notes += warned
            split += _by_value(group, dimension)
        groups = split
    return [s for group in groups for s in group], notes


def _check_agreement(group: Group, position: int) -> None:
    first = group[0]
    other = next((s for s in group if s.kinds[position] is not first.kinds[position]), None)
    if other is None:
        return
    message = (
        f"dimension {position} is {first.kinds[position]} for {first.name} "
        f"and {other.kinds[position]} for {other.name}, "
        "and no ordering dimension above it separates them"
    )
    places = (Label(first.span, f"dates of {first.name}"),)
    remedy = "give the dimension one kind for all statements, or put a dimension of kind ORDERING before it"
    raise Rejected(Diagnostic(MAPPING, message, Label(other.span, f"dates of {other.name}"), places, help=remedy))


def _demote_orderings(group: Group, position: int) -> tuple[Group, list[Diagnostic]]:
    moving = [
        s for s in group if s.kinds[position] is DimensionKind.ORDERING and not s.date.outputs[position].is_constant
    ]
    if not moving:
        return group, []
    notes = [
        Diagnostic(
            IGNORED,
            f"dimension {position} of {s.name} is declared ORDERING, "
            f"but its value {s.date.outputs[position]} is not constant: "
            "it is taken as SEQUENTIAL",
            Label(s.span),
        )
        for s in moving
    ]
    return tuple(replace(s, kinds=_sequential_at(s.kinds, position)) for s in group), notes


def _sequential_at(kinds: tuple[DimensionKind, ...], position: int) -> tuple[DimensionKind, ...]:
    return (*kinds[:position], DimensionKind.SEQUENTIAL, *kinds[position + 1 :])


def _collecting(statement: Statement) -> Statement:
    """Returns the statement with a reduction dimension that the result determines made parallel: it separates no two
    contributions to one result.
    """
    if statement.role is not Role.BODY:
        return statement
    kinds = tuple(
        DimensionKind.PARALLEL
        if kind is DimensionKind.REDUCTION and is_determined_by_result(statement, position)
        else kind
        for position, kind in enumerate(statement.kinds)
    )
    return replace(statement, kinds=kinds)


def is_determined_by_result(statement: Statement, position: int, dimensions: Iterable[int] = ()) -> bool:
    """Returns True if, for a structural reason, operations that write one value at dates that agree in the components
    `dimensions` agree in this component too.
    """
    result = statement.target
    date = statement.date.renamed(result.domain.names).outputs
    date_prefix = replace(result, outputs=(*result.outputs, *(date[dimension] for dimension in dimensions)))
    return rank(replace(date_prefix, outputs=(*date_prefix.outputs, date[position]))) == rank(date_prefix)


def _by_value(group: Group, position: int) -> list[Group]:
    if group[0].kinds[position] is not DimensionKind.ORDERING:
        return [group]
    return [tuple(inside) for inside in by_value(group, position).values()]


def by_value(group: Iterable[Statement], position: int) -> dict[int, list[Statement]]:
    """Returns the statements by their value in an ordering dimension, in increasing order."""
    groups: dict[int, list[Statement]] = {}
    for statement in group:
        groups.setdefault(ordering_value(statement, position), []).append(statement)
    return dict(sorted(groups.items()))
