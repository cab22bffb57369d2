"""Conflicts as text: for each variable, the distances between values that may not share a cell."""

from alphaz.analysis.checks.obligation_finding import point_text
from alphaz.legality.conflicts import Conflicts, conflicts_of
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.order.operation_table import OperationTable
from alphaz.order.precedence import smaller
from alphaz.poly import Affine, Domain

# A set in more pieces is not shown: it would be unreadable.
_MOST_PIECES = 8


def conflicts_text(mapping: ResolvedMapping) -> str:
    """Returns a line for each variable that the system computes, and one for all that may share cells under
    all maps.
    """
    conflicts = conflicts_of(mapping)
    lines = ["  values that may not share a cell, by how far apart they are:"]
    names = _computed(conflicts.operations)
    lines += [f"    {_line(conflicts, name)}" for name in names]
    free = [
        f"{a} and {b}" for position, a in enumerate(names) for b in names[position + 1 :] if _is_free(conflicts, a, b)
    ]
    if free:
        lines.append(f"    no value of one conflicts with one of the other: {'; '.join(free)}")
    return "\n".join(lines) + "\n"


def _computed(operations: OperationTable) -> tuple[str, ...]:
    system = operations.system
    return tuple(v.name for v in (*system.outputs, *system.locals) if v.name in operations.writers)


def _is_free(conflicts: Conflicts, one: str, other: str) -> bool:
    return not conflicts.between(one, other)


def _line(conflicts: Conflicts, name: str) -> str:
    indices = conflicts.operations.mapping.cells[name].function.domain.names
    steps = _steps(indices, conflicts.operations.system.parameters)
    moved = tuple(f"{i}+{d}" for i, d in zip(indices, steps, strict=True))
    pair = f"{point_text(name, indices)} and {point_text(name, moved)}"
    differences = conflicts.differences(name).renamed(steps)
    if differences.is_empty():
        return f"{pair}: none, one cell would do" if indices else f"{name}: has one value"
    half = (differences & _forwards(differences)).within(conflicts.operations.system.context).simplify()
    if half.piece_count > _MOST_PIECES:
        return f"{pair}: {half.piece_count} pieces, not shown"
    return f"{pair}: {half}"


def _steps(indices: tuple[str, ...], used_names: tuple[str, ...]) -> tuple[str, ...]:
    """Returns `di` for `i`, with as many letters d as make all of the names new."""
    steps = tuple(f"d{name}" for name in indices)
    while {*indices, *used_names} & set(steps):
        steps = tuple(f"d{name}" for name in steps)
    return steps


def _forwards(differences: Domain) -> Domain:
    """Returns the half in which the first non-zero step is positive."""
    zero = tuple(Affine.of() for _ in differences.space.names)
    return Domain.where(differences.space, *smaller(zero, map(Affine.name, differences.space.names)))
