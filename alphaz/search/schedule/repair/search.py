"""The search for repairs of a refuted mapping: small changes, each verified; only legal ones are shown."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from time import process_time

from alphaz.diagnostics import Edit, Fix
from alphaz.diagnostics.finding_groups import groups
from alphaz.diagnostics.rules import INPUT_LOST, OUTPUT_LOST, OVERWRITE, RACE, TILING
from alphaz.legality.verdicts import SystemVerdict
from alphaz.legality.verify import is_legal
from alphaz.mapping.design import Design
from alphaz.mapping.target_mapping import MemoryMap
from alphaz.model.program import Kind
from alphaz.poly import AffineFunction
from alphaz.search.memory.proposal import MemoryProposal, Request, propose
from alphaz.search.schedule.repair.case import Hint, RepairCase
from alphaz.search.schedule.repair.distribution_changes import blocks, combination, ghosts, places, rows
from alphaz.search.schedule.repair.schedule_changes import (
    component,
    kinds,
    orderings,
    reversal,
    shift,
    skew,
    tiles,
    transfers,
)
from alphaz.search.schedule.repair.well_formedness_changes import one_kind, ordering_prefix, own_spaces, padding

# Seconds for the search of maps for one variable.
_SECONDS = 0.3


def memory(case: RepairCase) -> Iterator[Hint]:
    """Yields hints for the variables of the witnesses with stated cells; the smallest memory first."""
    if not case.has(OVERWRITE, OUTPUT_LOST, INPUT_LOST, RACE, TILING):
        return
    entries = [entry for entry in map(case.stated_mapping.memory_of, _variables(case)) if entry is not None]
    for change in (_proposal_hints, _own_space, _every_point):
        for entry in entries:
            yield from change(case, entry)
    if len(entries) > 1:
        yield from _unshared_hints(case, entries)


def _proposal_hints(case: RepairCase, entry: MemoryMap) -> Iterator[Hint]:
    """The smallest map for the variable with the other maps unchanged, if there is one."""
    if case.resolved.system.variable(entry.variable).kind is not Kind.LOCAL:
        return
    proposal = propose(case.design, case.system, Request(only=(entry.variable,), seconds=_SECONDS))
    if isinstance(proposal, MemoryProposal):
        yield from (_hint(case, new_entry) for new_entry in proposal.entries if new_entry.variable == entry.variable)


def _unshared_hints(case: RepairCase, entries: list[MemoryMap]) -> Iterator[Hint]:
    """No sharing of the present cells: then the smallest maps of locals; finally a cell for each point."""
    hint_of = {entry.variable: hint for entry in entries for hint in _every_point(case, entry)}
    names = " and ".join(hint_of)
    whole = _join_hints(case, hint_of, f"{names} with cells for each of their points")
    locals_ = tuple(name for name in hint_of if case.resolved.system.variable(name).kind is Kind.LOCAL)
    design = case.design.with_mapping(case.system, whole.mapping)
    proposal = propose(design, case.system, Request(only=locals_, seconds=_SECONDS)) if locals_ else None
    if isinstance(proposal, MemoryProposal) and proposal.entries:
        smaller = {
            new_entry.variable: _hint(case, new_entry)
            for new_entry in proposal.entries
            if new_entry.variable in hint_of
        }
        both = {**hint_of, **smaller}
        yield _join_hints(case, both, " and ".join(hint.text for hint in both.values()))
    yield whole


def _join_hints(case: RepairCase, hints: Mapping[str, Hint], text: str) -> Hint:
    """One hint of all these maps, by their variables."""
    mapping = case.stated_mapping
    for variable, hint in hints.items():
        new_map = hint.mapping.memory_of(variable)
        assert new_map is not None
        mapping = mapping.with_memory(new_map)
    return Hint(text, tuple(line for hint in hints.values() for line in hint.lines), mapping)


def _variables(case: RepairCase) -> tuple[str, ...]:
    """The variables of the witnesses, then those that share a memory space with them."""
    system = case.resolved.system
    names = {v.name for v in system.variables}
    places = (place.name.split(".")[0] for _, witness in case.refuted for place in witness.places)
    named = [name for name in dict.fromkeys(places) if name in names]
    spaces = {case.resolved.cells[name].space for name in named}
    others = (v.name for v in system.variables if case.resolved.cells[v.name].space in spaces)
    return tuple(dict.fromkeys((*named, *others)))


def _own_space(case: RepairCase, entry: MemoryMap) -> Iterator[Hint]:
    if entry.space != entry.variable:
        yield _hint(case, replace(entry, space=entry.variable))


def _every_point(case: RepairCase, entry: MemoryMap) -> Iterator[Hint]:
    yield _hint(case, MemoryMap(entry.variable, entry.variable, _identity(case, entry.variable)))


def _identity(case: RepairCase, variable: str) -> AffineFunction:
    return AffineFunction.identity(case.resolved.system.variable(variable).domain.space)


def _hint(case: RepairCase, entry: MemoryMap) -> Hint:
    function = entry.function or _identity(case, entry.variable)
    factors = entry.moduli if any(entry.moduli) else ()
    shown = [f"{o} mod {m}" if m else str(o) for o, m in zip(function.outputs, factors or (0,) * 9, strict=False)]
    where = "" if entry.space == entry.variable else f" in {entry.space}"
    text = f"a memory map ({', '.join(shown)}) for {entry.variable}{where}"
    stated_map = case.stated_mapping.memory_of(entry.variable)
    if not factors and function.is_identity and entry.space == entry.variable:
        text = f"{entry.variable} with a cell for each of its points"
    elif stated_map is not None and stated_map.space != entry.space and stated_map.moduli == entry.moduli:
        text = f"{entry.variable} in a memory space of its own"
    new_entry = replace(entry, function=function)
    return Hint(text, (case.stored(new_entry),), case.stated_mapping.with_memory(new_entry))


# Seconds for the hints of one system, and how many are enough.
SECONDS = 3.0
ENOUGH = 3

Family = Callable[[RepairCase], Iterator[Hint]]

# Families that need a mapping that is well formed, the smallest changes first.
_FAMILIES: tuple[Family, ...] = (
    combination,
    ghosts,
    rows,
    blocks,
    places,
    orderings,
    kinds,
    tiles,
    skew,
    memory,
    transfers,
    reversal,
    component,
    shift,
)
# Families for a mapping that is not well formed.
_OF_FORM: tuple[Family, ...] = (padding, one_kind, ordering_prefix, own_spaces)


def hints(design: Design, system: str, report: SystemVerdict, seconds: float = SECONDS) -> tuple[Hint, ...]:
    """Returns changes that make the mapping legal, at most one of each family. Empty for a proved mapping.

    Changes that are not verified within the time limit are not offered."""
    if report.is_proved:
        return ()
    case, hints_, end = RepairCase(design, system, report), list[Hint](), process_time() + seconds
    for family in _FAMILIES if report.mapping is not None else _OF_FORM:
        legal = _first_legal(case, family, end)
        if legal is not None:
            hints_.append(legal)
        if len(hints_) == ENOUGH or process_time() > end:
            break
    return tuple(hints_)


def _fix(case: RepairCase, hint: Hint) -> Fix:
    place = case.end()
    edits = () if place is None else (Edit(place, "".join(f"\n{line}" for line in hint.commands)),)
    return Fix(hint.text, edits, "\n".join(hint.commands), "\n".join(line.python for line in hint.lines))


def _first_legal(case: RepairCase, family: Family, end: float) -> Hint | None:
    for hint in family(case):
        if process_time() > end:
            return None
        if is_legal(case.design.with_mapping(case.system, hint.mapping), case.system, hint.options, end):
            return hint
    return None


def with_hints(design: Design, report: SystemVerdict, seconds: float = SECONDS) -> SystemVerdict:
    """Returns the report, its first error with the hints as its help; without hints the error keeps its advice."""
    hints_ = hints(design, report.system, report, seconds)
    first = next((group.head for group in groups(report.findings) if group.head.is_error), None)
    if not hints_ or first is None:
        return report
    fixes = tuple(_fix(RepairCase(design, report.system, report), hint) for hint in hints_ if hint.lines)
    new_finding = replace(first, help="\n".join(map(str, hints_)), fixes=fixes)
    return replace(report, findings=tuple(new_finding if finding is first else finding for finding in report.findings))
