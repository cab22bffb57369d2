"""Schedules of several variables in one text, as schedulers return them and scripts may write them."""

import re
from typing import Annotated

from alphaz.diagnostics import Span
from alphaz.mapping.design import Design
from alphaz.mapping.target import SpaceTimeMap
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.arguments import NewName, SystemName
from alphaz.scripting.commands.kinds.kind import ArgumentKind, SoFar, Unfit
from alphaz.scripting.commands.kinds.names import StatementsKind
from alphaz.scripting.commands.kinds.polyhedral import Map, MapKind
from alphaz.scripting.commands.kinds.shapes import as_date
from alphaz.scripting.commands.outcome import Outcome
from alphaz.transform.schedules.free_scheduler import PREFIX, free_scheduler

_ENTRY = re.compile(r"\s*(?P<names>[^:;()]+?)\s*:\s*(?P<map>\([^;]*?\))\s*(;|$)")


class SchedulesKind(ArgumentKind):
    """`B, C: (i -> i); D: (i,j -> i+j,i)`."""

    expected = 'schedules, as in "B, C: (i -> i); D: (i,j -> i+j,i)"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str)

    def convert(self, given: ArgumentValue, so_far: SoFar) -> tuple[tuple[str, Map], ...]:
        if not isinstance(given.value, str) or not given.value.strip():
            raise Unfit
        text = given.text_span()
        found: list[tuple[str, Map]] = []
        at = 0
        while text.text[at:].strip():
            entry = _ENTRY.match(text.text, at)
            if entry is None:
                raise Unfit(f"`{text.text[at:].strip()}` is no schedule of a variable, such as `X: (i -> i,0)`")
            names = StatementsKind().convert(_part(text, entry, "names"), so_far)
            map_ = MapKind().convert(_part(text, entry, "map"), so_far)
            found += [(name, map_) for name in names]
            at = entry.end()
        return tuple(found)


def _part(text: Span, entry: re.Match[str], group: str) -> ArgumentValue:
    span = Span(text.source, text.start + entry.start(group), text.start + entry.end(group))
    return ArgumentValue(entry[group], span, span)


Schedules = Annotated[tuple[tuple[str, Map], ...], SchedulesKind()]


@command(Topic.SCHEDULE)
def set_schedule(design: Design, system: SystemName, schedules: Schedules, *, call: BoundCall) -> Design:
    """Set schedules, of one variable or several, as space-time maps.

    Rewrites: the mapping of the system, as setSpaceTimeMap for each variable.

    Checks: the number of indices of each. VerifyTargetMapping checks that the dates are legal.

    Example:
        setSchedule(prog, "sums", "B: (i -> i,0); C: (i,k -> i,k)");"""
    mapping = design.mapping(system)
    for name, map_ in schedules:
        function = as_date(design.system(system), name, map_, for_body=False)
        mapping = mapping.with_space_time(SpaceTimeMap(name, function, span=map_.span))
    return design.with_mapping(system, mapping)


@command(Topic.SCHEDULE, name="createFreeScheduler", fresh=True)
def create_free_scheduler(design: Design, prefix: NewName = PREFIX, *, call: BoundCall) -> Outcome:
    """Build the program that computes the earliest date of each value, if every operation takes one step.

    Its systems and variables are those of the program with a prefix, `date_` by default. The date of a value is 0 if it
    depends on no computed value, else one more than the latest date of these. All are outputs, and there are no inputs;
    a called system keeps its interface, and receives the dates at which its inputs are ready.

    Checks: no system has a loop.

    Example:
        dates = createFreeScheduler(prog);
        AShow(dates);"""
    return Outcome(free_scheduler(design, prefix, call.span))
