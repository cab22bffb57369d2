"""The search for hints: small changes, one family after the other; each is verified, and only legal ones are kept."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import monotonic

from alphaz.diagnostics import Edit, Fix
from alphaz.diagnostics.grouping import groups
from alphaz.legality.verified import SystemVerdict
from alphaz.legality.verify import is_legal
from alphaz.mapping.design import Design
from alphaz.search.schedule.repair.case import RepairCase
from alphaz.search.schedule.repair.hint import Hint
from alphaz.search.schedule.repair.memory import memory
from alphaz.search.schedule.repair.schedule_changes import (
    component,
    kinds,
    orderings,
    padding,
    reversal,
    shift,
    skew,
    tiles,
    transfers,
)

# Seconds for the hints of one system, and how many are enough.
SECONDS = 3.0
ENOUGH = 3

Family = Callable[[RepairCase], Iterator[Hint]]

# Families that need a mapping that is well formed, the smallest changes first.
_FAMILIES: tuple[Family, ...] = (orderings, kinds, tiles, skew, memory, transfers, reversal, component, shift)


def hints(design: Design, system: str, report: SystemVerdict, seconds: float = SECONDS) -> tuple[Hint, ...]:
    """Returns changes that make the mapping legal, at most one of each family. Empty for a proved mapping.

    Changes that are not verified within the time limit are not offered."""
    if report.is_proved:
        return ()
    case, found, end = RepairCase(design, system, report), list[Hint](), monotonic() + seconds
    for family in _FAMILIES if report.mapping is not None else (padding,):
        legal = _first_legal(case, family, end)
        if legal is not None:
            found.append(legal)
        if len(found) == ENOUGH or monotonic() > end:
            break
    return tuple(found)


def _fix(case: RepairCase, hint: Hint) -> Fix:
    place = case.end()
    edits = () if place is None else (Edit(place, "".join(f"\n{line}" for line in hint.commands)),)
    return Fix(hint.text, edits, "\n".join(hint.commands), "\n".join(line.python for line in hint.lines))


def _first_legal(case: RepairCase, family: Family, end: float) -> Hint | None:
    for hint in family(case):
        if monotonic() > end:
            return None
        if is_legal(case.design.with_mapping(case.system, hint.mapping), case.system, hint.options, end):
            return hint
    return None


def with_hints(design: Design, report: SystemVerdict, seconds: float = SECONDS) -> SystemVerdict:
    """Returns the report, its first error with the hints as its help; without hints the error keeps its advice."""
    found = hints(design, report.system, report, seconds)
    first = next((group.head for group in groups(report.findings) if group.head.is_error), None)
    if not found or first is None:
        return report
    fixes = tuple(_fix(RepairCase(design, report.system, report), hint) for hint in found if hint.lines)
    told = replace(first, help="\n".join(map(str, found)), fixes=fixes)
    return replace(report, findings=tuple(told if finding is first else finding for finding in report.findings))
