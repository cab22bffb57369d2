"""One component of a date replaced by an index of the variable, or by a parameter."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.diagnostics.rules import CAUSALITY, NOT_INJECTIVE
from alphaz.poly import Affine
from alphaz.schedule.repair.case import Case
from alphaz.schedule.repair.hint import Hint


def component(case: Case) -> Iterator[Hint]:
    """For each variable of a witness, innermost components first."""
    if not case.has(CAUSALITY, NOT_INJECTIVE):
        return
    dates = case.dates()
    for name in dict.fromkeys(s.variable for s in case.involved()):
        entry = dates[name]
        space = entry.function.domain
        for at in reversed(range(case.resolved.dimensions)):
            for other in (*map(Affine.name, space.names), *map(Affine.name, space.parameters)):
                if entry.function.outputs[at].is_constant and entry.function.outputs[at] != other:
                    outputs = (*entry.function.outputs[:at], other, *entry.function.outputs[at + 1 :])
                    made = replace(entry, function=replace(entry.function, outputs=outputs))
                    text = f"{name} with {other} in dimension {at}"
                    yield Hint(text, (case.dated(made),), case.stated.with_space_time(made))
