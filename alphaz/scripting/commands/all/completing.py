"""Commands that complete the mapping of a script, and that read mappings from files."""

import re
from collections.abc import Iterator
from typing import Annotated

from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import ARGUMENT, WISH
from alphaz.mapping.design import Design
from alphaz.scripting.commands.all.memory import set_memory_map
from alphaz.scripting.commands.all.schedules import SchedulesKind, set_schedule
from alphaz.scripting.commands.declaring.call import BoundCall
from alphaz.scripting.commands.declaring.declaration import Topic
from alphaz.scripting.commands.declaring.registry import command
from alphaz.scripting.commands.kinds.argument_values import ArgumentValue
from alphaz.scripting.commands.kinds.arguments import FileName, SystemName
from alphaz.scripting.commands.kinds.kind import ArgumentKind, SoFar, Unfit
from alphaz.scripting.commands.kinds.names import VariablesKind
from alphaz.scripting.commands.kinds.polyhedral import MapKind, ModuliKind
from alphaz.search.schedule.complete import completed
from alphaz.search.schedule.ilp.steering import EXPECTED, Misread, Steering, read_steering
from alphaz.search.schedule.problem import problem_of


class WishesKind(ArgumentKind):
    """`parallel X 1; fuse X, Y 2; separate X, Z`."""

    expected = f'wishes, as in "{EXPECTED}"'

    def fits(self, value: object) -> bool:
        return isinstance(value, str)

    def convert(self, given: ArgumentValue, so_far: SoFar) -> Steering:
        if not isinstance(given.value, str):
            raise Unfit
        statements = problem_of(so_far.design, so_far.system.name).statements
        try:
            return read_steering(given.value, statements)
        except Misread as reason:
            text = given.text_span()
            start = text.start + max(text.text.find(reason.wish), 0)
            raise Rejected(
                Diagnostic(WISH, str(reason), Label(Span(text.source, start, start + len(reason.wish))))
            ) from None


Wishes = Annotated[Steering, WishesKind()]
_NOTHING = Steering()


@command(Topic.SCHEDULE, name="completeMapping")
def complete_mapping(design: Design, system: SystemName, wishes: Wishes = _NOTHING, *, call: BoundCall) -> Design:
    """Find the dates that a script leaves open, given the stated ones; and prove the mapping.

    The script states the outermost components of the dates of all statements, or the dates of some statements; the
    found components follow them. Wishes: `parallel X 1` makes row 1 of X (from 0) parallel, `fuse X, Y 2` lets two
    statements share two loops, `separate X, Z` lets them share none.

    Rewrites: the space-time maps of the system, each begins with its stated components; ordering dimensions.

    Checks: the stated dates can be met; else the dependences in conflict are named. The mapping is proved as
    VerifyTargetMapping proves it.

    Example:
        setSpaceTimeMap(prog, "sums", "C", "(i,k->i,k)");
        completeMapping(prog, "sums");"""
    found, _, _ = completed(design, system, wishes)
    return found


@command(Topic.SCHEDULE, name="ManualScheduler")
def manual_scheduler(design: Design, system: SystemName, file: FileName, *, call: BoundCall) -> Design:
    """Read schedules from a file, in the form of setSchedule, one on each line, with `#` before a comment.

    Rewrites: the mapping of the system, as setSpaceTimeMap for each variable.

    Checks: names, and the number of indices. VerifyTargetMapping checks that the dates are legal.

    Example:
        WriteToFile("sums.dates", "B: (i -> i,0)");
        ManualScheduler(prog, "sums", "sums.dates");"""
    so_far = SoFar({"design": design, "system": system})
    for line in _lines(call.reader.read(file, call.at("file"))):
        design = set_schedule(design, system, _converted(SchedulesKind(), line, so_far), call=call)
    return design


_ENTRY = re.compile(
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
    so_far = SoFar({"design": design, "system": system})
    for line in _lines(call.reader.read(file, call.at("file"))):
        entry = _ENTRY.match(line.text)
        if entry is None:
            message = "this is no memory map, such as `B, C: rows (i -> i) mod 2`"
            raise Rejected(Diagnostic(ARGUMENT, message, Label(line)))
        names = _converted(VariablesKind(), _part(line, entry, "names"), so_far)
        cells = _converted(MapKind(), _part(line, entry, "map"), so_far)
        moduli = _converted(ModuliKind(), _part(line, entry, "moduli"), so_far) if entry["moduli"] else ()
        design = set_memory_map(design, system, names, cells, entry["space"], moduli, call=call)
    return design


def _lines(source: Source) -> Iterator[Span]:
    start = 0
    for line in source.text.splitlines(keepends=True):
        written = line.partition("#")[0].rstrip()
        if written.strip():
            yield Span(source, start, start + len(written))
        start += len(line)


def _part(line: Span, entry: re.Match[str], group: str) -> Span:
    return Span(line.source, line.start + entry.start(group), line.start + entry.end(group))


def _converted(kind: ArgumentKind, text: Span, so_far: SoFar):  # type: ignore[no-untyped-def]
    """Returns the converted argument. Raises Rejected."""
    try:
        return kind.convert(ArgumentValue(text.text, text, text), so_far)
    except Unfit as reason:
        raise Rejected(Diagnostic(ARGUMENT, str(reason) or f"this must be {kind.expected}", Label(text))) from None
