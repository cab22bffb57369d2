"""A component of the dates reversed: `(i,j -> j,i)` becomes `(i,j -> j,-i)`."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.diagnostics.rules import CAUSALITY
from alphaz.mapping.target import SpaceTimeMap
from alphaz.poly import AffineFunction
from alphaz.schedule.repair.case import Case
from alphaz.schedule.repair.hint import Hint


def reversal(case: Case) -> Iterator[Hint]:
    """Innermost components first: of each variable of a witness, of all of them, and of all that have dates there."""
    if not case.has(CAUSALITY):
        return
    dates = case.dates()
    involved = tuple(dict.fromkeys(s.variable for s in case.involved()))
    for at in reversed(range(case.resolved.dimensions)):
        moving = tuple(name for name, entry in dates.items() if not entry.function.outputs[at].is_constant)
        groups = [*((name,) for name in involved), involved, moving]
        for group in dict.fromkeys(groups):
            if group and set(group) <= set(moving):
                yield _reversed(case, [_entry(dates[name], at) for name in group], group, at)


def _reversed(case: Case, changed: list[SpaceTimeMap], names: tuple[str, ...], at: int) -> Hint:
    mapping = case.stated
    for entry in changed:
        mapping = mapping.with_space_time(entry)
    return Hint(f"dimension {at} of {', '.join(names)} reversed", tuple(map(case.dated, changed)), mapping)


def _entry(entry: SpaceTimeMap, at: int) -> SpaceTimeMap:
    init = None if entry.init is None else _function(entry.init, at)
    return replace(entry, function=_function(entry.function, at), init=init)


def _function(function: AffineFunction, at: int) -> AffineFunction:
    outputs = (-output if here == at else output for here, output in enumerate(function.outputs))
    return replace(function, outputs=tuple(outputs))
