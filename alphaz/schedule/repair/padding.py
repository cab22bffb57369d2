"""Dates of different lengths made equally long, with zeros behind the shorter ones."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.mapping.target import SpaceTimeMap
from alphaz.poly import Affine, AffineFunction
from alphaz.schedule.repair.case import Case
from alphaz.schedule.repair.hint import Hint


def padding(case: Case) -> Iterator[Hint]:
    """Only where lengths are what is wrong."""
    functions = [f for m in case.stated.space_time for f in (m.function, m.init) if f is not None]
    length = max((len(f.outputs) for f in functions), default=0)
    short = [m for m in case.stated.space_time if any(_missing(f, length) for f in (m.function, m.init))]
    if case.report.mapping is not None or not short:
        return
    changed = [_padded(entry, length) for entry in short]
    mapping = case.stated
    for entry in changed:
        mapping = mapping.with_space_time(entry)
    names = ", ".join(entry.variable for entry in changed)
    yield Hint(f"the dates of {names} padded with zeros", tuple(map(case.dated, changed)), mapping)


def _missing(function: AffineFunction | None, length: int) -> int:
    return 0 if function is None else length - len(function.outputs)


def _padded(entry: SpaceTimeMap, length: int) -> SpaceTimeMap:
    init = None if entry.init is None else _longer(entry.init, length)
    return replace(entry, function=_longer(entry.function, length), init=init)


def _longer(function: AffineFunction, length: int) -> AffineFunction:
    return replace(function, outputs=(*function.outputs, *(Affine(),) * _missing(function, length)))
