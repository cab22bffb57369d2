"""Hints about memory: maps that conflicts allow, a memory space of its own, a cell for every point."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from alphaz.diagnostics.rules import INPUT_LOST, OUTPUT_LOST, OVERWRITE, RACE, TILING
from alphaz.mapping.factors import factors_text
from alphaz.mapping.target import MemoryMap
from alphaz.model.program import Kind
from alphaz.poly import AffineFunction
from alphaz.search.memory.proposal import MemoryProposal, Request, propose
from alphaz.search.schedule.repair.case import RepairCase
from alphaz.search.schedule.repair.hint import Hint

# Seconds for the search of maps for one variable.
_SECONDS = 0.3


def memory(case: RepairCase) -> Iterator[Hint]:
    """Yields hints for the variables of the witnesses with stated cells; the smallest memory first."""
    if not case.has(OVERWRITE, OUTPUT_LOST, INPUT_LOST, RACE, TILING):
        return
    entries = [entry for entry in map(case.stated.memory_of, _variables(case)) if entry is not None]
    for change in (_proposed, _own_space, _every_point):
        for entry in entries:
            yield from change(case, entry)
    if len(entries) > 1:
        yield from _apart(case, entries)


def _proposed(case: RepairCase, entry: MemoryMap) -> Iterator[Hint]:
    """The smallest map for the variable with the other maps unchanged, if there is one."""
    if case.resolved.system.variable(entry.variable).kind is not Kind.LOCAL:
        return
    found = propose(case.design, case.system, Request(only=(entry.variable,), seconds=_SECONDS))
    if isinstance(found, MemoryProposal):
        yield from (_hint(case, made) for made in found.entries if made.variable == entry.variable)


def _apart(case: RepairCase, entries: list[MemoryMap]) -> Iterator[Hint]:
    """No sharing of the present cells: then the smallest maps of locals; finally a cell for each point."""
    each = {entry.variable: hint for entry in entries for hint in _every_point(case, entry)}
    names = " and ".join(each)
    whole = _join_hints(case, each, f"{names} with cells for each of their points")
    locals_ = tuple(name for name in each if case.resolved.system.variable(name).kind is Kind.LOCAL)
    design = case.design.with_mapping(case.system, whole.mapping)
    found = propose(design, case.system, Request(only=locals_, seconds=_SECONDS)) if locals_ else None
    if isinstance(found, MemoryProposal) and found.entries:
        smaller = {made.variable: _hint(case, made) for made in found.entries if made.variable in each}
        both = {**each, **smaller}
        yield _join_hints(case, both, " and ".join(hint.text for hint in both.values()))
    yield whole


def _join_hints(case: RepairCase, hints: Mapping[str, Hint], text: str) -> Hint:
    """One hint of all these maps, by their variables."""
    mapping = case.stated
    for variable, hint in hints.items():
        made = hint.mapping.memory_of(variable)
        assert made is not None
        mapping = mapping.with_memory(made)
    return Hint(text, tuple(line for hint in hints.values() for line in hint.lines), mapping)


def _variables(case: RepairCase) -> tuple[str, ...]:
    """The variables of the witnesses, then those that share a memory space with them."""
    system = case.resolved.system
    known = {v.name for v in system.variables}
    places = (place.name.split(".")[0] for _, witness in case.refuted for place in witness.places)
    named = [name for name in dict.fromkeys(places) if name in known]
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
    known = case.stated.memory_of(entry.variable)
    if not factors and function.is_identity and entry.space == entry.variable:
        text = f"{entry.variable} with a cell for each of its points"
    elif known is not None and known.space != entry.space and known.moduli == entry.moduli:
        text = f"{entry.variable} in a memory space of its own"
    numbers = {"moduli": factors_text(factors)} if factors else {}
    line = case.command("setMemoryMap", variables=entry.variable, space=entry.space, map_=str(function), **numbers)
    return Hint(text, (line,), case.stated.with_memory(replace(entry, function=function)))
