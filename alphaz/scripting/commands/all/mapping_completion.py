"""Commands that complete the mapping of a script, or read several schedules from one text."""

import re
from collections.abc import Iterator
from typing import Annotated

from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import ARGUMENT, SCHEDULE_CONSTRAINT
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import SpaceTimeMap
from alphaz.scripting.commands.all.memory import set_memory_map
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.index_counts import as_date
from alphaz.scripting.commands.kinds.kind import ArgumentKind, EarlierArguments, Unfit
from alphaz.scripting.commands.kinds.names import StatementsKind, VariablesKind
from alphaz.scripting.commands.kinds.parameter_types import FileName, NewName, SystemName
from alphaz.scripting.commands.kinds.polyhedral import Map, MapKind, ModuliKind
from alphaz.scripting.commands.outcome import Outcome
from alphaz.search.schedule.ilp.user_constraints import EXPECTED, Misread, Steering, read_steering
from alphaz.search.schedule.problem import problem_of
from alphaz.search.schedule.schedule_completion import complete_dates
from alphaz.transform.systems.free_schedule import PREFIX, free_scheduler


class ConstraintsKind(ArgumentKind):
    """`parallel X 1; fuse X, Y 2; separate X, Z`."""

    expected = f'constraints, as in "{EXPECTED}"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> Steering:
        if not isinstance(argument.value, str):
            raise Unfit
        statements = problem_of(earlier.design, earlier.system.name).statements
        try:
            return read_steering(argument.value, statements)
        except Misread as reason:
            text = argument.text_span()
            start = text.start + max(text.text.find(reason.constraint), 0)
            raise Rejected(
                Diagnostic(
                    SCHEDULE_CONSTRAINT, str(reason), Label(Span(text.source, start, start + len(reason.constraint)))
                )
            ) from None


Constraints = Annotated[Steering, ConstraintsKind()]
_NOTHING = Steering()


@command(Topic.SCHEDULE, name="completeMapping")
def complete_mapping(
    design: Design, system: SystemName, constraints: Constraints = _NOTHING, *, call: BoundCall
) -> Design:
    """Find the dates that a script leaves open, given the stated ones; and prove the mapping.

    The script states the outermost components of the dates of all statements, or the dates of some statements; the
    found components follow them. Constraints: `parallel X 1` makes row 1 of X (from 0) parallel, `fuse X, Y 2` lets two
    statements share two loops, `separate X, Z` lets them share none.

    Rewrites: the space-time maps of the system, each begins with its stated components; ordering dimensions.

    Checks: the stated dates can be met; else the dependences in conflict are named. The mapping is proved as
    VerifyTargetMapping proves it.

    Example:
        setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k)");
        completeMapping(prog, "sums");"""
    new_design, _, _ = complete_dates(design, system, constraints)
    return new_design


@command(Topic.SCHEDULE, name="ManualScheduler")
def manual_scheduler(design: Design, system: SystemName, file: FileName, *, call: BoundCall) -> Design:
    """Read schedules from a file, in the form of setSchedule, one on each line, with `#` before a comment.

    Rewrites: the mapping of the system, as setSpaceTimeMap for each variable.

    Checks: names, and the number of indices. VerifyTargetMapping checks that the dates are legal.

    Example:
        WriteToFile("sums.dates", "B: (i -> i,0)");
        ManualScheduler(prog, "sums", "sums.dates");"""
    earlier = EarlierArguments({"design": design, "system": system})
    for line in _lines(call.reader.read(file, call.at("file"))):
        design = set_schedule(design, system, _converted(SchedulesKind(), line, earlier), call=call)
    return design


_COMPLETED_ENTRY = re.compile(
    r"\s*(?P<names>[^:;()\"]+?)\s*:\s*((?P<space>\^?\w+)\s+)?(?P<map>\([^;]*?\))\s*(mod\s+(?P<moduli>[\w+\s,-]+?)\s*)?;?\s*$"
)


@command(Topic.MAPPING, name="MemoryMapper")
def memory_mapper(design: Design, system: SystemName, file: FileName, *, call: BoundCall) -> Design:
    """Read memory maps from a file: `B, C: rows (i -> i) mod 2` on each line, with `#` before a comment.

    Memory space and mod factors are optional.

    Rewrites: the mapping of the system, as setMemoryMap for each line.

    Checks: names, the number of indices and of mod factors. VerifyTargetMapping checks that values live long enough.

    Example:
        WriteToFile("sums.cells", "B: rows (i -> i)");
        MemoryMapper(prog, "sums", "sums.cells");"""
    earlier = EarlierArguments({"design": design, "system": system})
    for line in _lines(call.reader.read(file, call.at("file"))):
        entry = _COMPLETED_ENTRY.match(line.text)
        if entry is None:
            message = "this is no memory map, such as `B, C: rows (i -> i) mod 2`"
            raise Rejected(Diagnostic(ARGUMENT, message, Label(line)))
        names = _converted(VariablesKind(), _partial_schedule_of(line, entry, "names"), earlier)
        cells = _converted(MapKind(), _partial_schedule_of(line, entry, "map"), earlier)
        moduli = (
            _converted(ModuliKind(), _partial_schedule_of(line, entry, "moduli"), earlier) if entry["moduli"] else ()
        )
        design = set_memory_map(design, system, names, cells, entry["space"], moduli, call=call)
    return design


def _lines(source: Source) -> Iterator[Span]:
    start = 0
    for line in source.text.splitlines(keepends=True):
        text = line.partition("#")[0].rstrip()
        if text.strip():
            yield Span(source, start, start + len(text))
        start += len(line)


def _partial_schedule_of(line: Span, entry: re.Match[str], group: str) -> Span:
    return Span(line.source, line.start + entry.start(group), line.start + entry.end(group))


def _converted(kind: ArgumentKind, text: Span, earlier: EarlierArguments):  # type: ignore[no-untyped-def]
    """Returns the converted argument. Raises Rejected."""
    try:
        return kind.convert(ArgumentValue(text.text, text, text), earlier)
    except Unfit as reason:
        raise Rejected(Diagnostic(ARGUMENT, str(reason) or f"this must be {kind.expected}", Label(text))) from None


_ENTRY = re.compile(r"\s*(?P<names>[^:;()]+?)\s*:\s*(?P<map>\([^;]*?\))\s*(;|$)")


class SchedulesKind(ArgumentKind):
    """`B, C: (i -> i); D: (i,j -> i+j,i)`."""

    expected = 'schedules, as in "B, C: (i -> i); D: (i,j -> i+j,i)"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str)

    def convert(self, argument: ArgumentValue, earlier: EarlierArguments) -> tuple[tuple[str, Map], ...]:
        if not isinstance(argument.value, str) or not argument.value.strip():
            raise Unfit
        text = argument.text_span()
        maps: list[tuple[str, Map]] = []
        at = 0
        while text.text[at:].strip():
            entry = _ENTRY.match(text.text, at)
            if entry is None:
                raise Unfit(f"`{text.text[at:].strip()}` is no schedule of a variable, such as `X: (i -> i,0)`")
            names = StatementsKind().convert(_part(text, entry, "names"), earlier)
            map_ = MapKind().convert(_part(text, entry, "map"), earlier)
            maps += [(name, map_) for name in names]
            at = entry.end()
        return tuple(maps)


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
