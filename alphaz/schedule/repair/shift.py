"""A statement moved by a constant: readers later, what they read and initialisations earlier."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.diagnostics.rules import ACCUMULATION, CAUSALITY, INPUT_LOST, LIFETIME, OUTPUT_LOST, OVERWRITE, RACE
from alphaz.mapping.target import SpaceTimeMap
from alphaz.poly import AffineFunction
from alphaz.schedule.repair.case import Case
from alphaz.schedule.repair.hint import Hint

_STEPS = (1, -1, 2, -2)


def shift(case: Case) -> Iterator[Hint]:
    """Each variable of a witness, by at most two in one dimension, innermost first."""
    if not case.has(CAUSALITY, ACCUMULATION, LIFETIME, OVERWRITE, OUTPUT_LOST, INPUT_LOST, RACE):
        return
    dates = case.dates()
    names = dict.fromkeys(s.variable for s in case.involved())
    for at in reversed(range(case.resolved.dimensions)):
        for step in _STEPS:
            for name in names:
                entry = dates.get(name)
                if entry is None:
                    continue
                yield _moved(case, _whole(entry, at, step), f"{name} moved by {step} in dimension {at}")
                if entry.init is not None:
                    first = replace(entry, init=_function(entry.init, at, step))
                    yield _moved(case, first, f"the initialisation of {name} moved by {step} in dimension {at}")


def _whole(entry: SpaceTimeMap, at: int, step: int) -> SpaceTimeMap:
    init = None if entry.init is None else _function(entry.init, at, step)
    return replace(entry, function=_function(entry.function, at, step), init=init)


def _function(function: AffineFunction, at: int, step: int) -> AffineFunction:
    return replace(function, outputs=tuple(o + step if d == at else o for d, o in enumerate(function.outputs)))


def _moved(case: Case, entry: SpaceTimeMap, text: str) -> Hint:
    return Hint(text, (case.dated(entry),), case.stated.with_space_time(entry))
