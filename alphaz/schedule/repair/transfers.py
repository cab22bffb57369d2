"""What happens to the array of an argument of a call, moved: made earlier, released later, copied in between."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.diagnostics.rules import CAUSALITY, INPUT_LOST, LIFETIME, OUTPUT_LOST, OVERWRITE, RACE
from alphaz.mapping.target import ArgumentDate, Moment
from alphaz.schedule.repair.case import Case
from alphaz.schedule.repair.hint import Hint

_STEPS = {Moment.ALLOCATION: (-1, -2), Moment.COPY: (1, -1, 2, -2), Moment.FREE: (1, 2)}
_COMMANDS = {Moment.ALLOCATION: "MemoryAllocation", Moment.COPY: "ValueCopy", Moment.FREE: "MemoryFree"}
_WORDS = {Moment.ALLOCATION: "allocation", Moment.COPY: "copy", Moment.FREE: "release"}


def transfers(case: Case) -> Iterator[Hint]:
    """Each that is part of a witness and has a date of its own, by at most two in one dimension, innermost first."""
    if not case.has(LIFETIME, CAUSALITY, OVERWRITE, OUTPUT_LOST, INPUT_LOST, RACE):
        return
    names = {statement.name for statement in case.involved()}
    entries = [entry for entry in case.stated.argument_dates if f"{entry.argument}.{entry.moment}" in names]
    for at in reversed(range(case.resolved.dimensions)):
        for entry in entries:
            for step in _STEPS[entry.moment]:
                yield _moved(case, entry, at, step)


def _moved(case: Case, entry: ArgumentDate, at: int, step: int) -> Hint:
    outputs = (o + step if d == at else o for d, o in enumerate(entry.function.outputs))
    made = replace(entry, function=replace(entry.function, outputs=tuple(outputs)))
    line = case.command(
        f"setSpaceTimeMapFor{_COMMANDS[entry.moment]}",
        label=entry.label,
        is_output=int(entry.is_output),
        number=entry.number,
        map_=str(made.function),
    )
    text = f"the {_WORDS[entry.moment]} of {entry.argument} moved by {step} in dimension {at}"
    return Hint(text, (line,), case.stated.with_argument_date(made))
