"""A memory proposal as lines of a script with its reasons, and advice for proved mappings."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.rules import MEMORY_TO_SPARE
from alphaz.legality.verdicts import Options
from alphaz.mapping.design import Design
from alphaz.mapping.factors import factors_text
from alphaz.mapping.target_mapping import ArgumentSpace, MemoryMap, StorageFormat, TargetMapping
from alphaz.poly import Unbounded
from alphaz.search.memory.count import CellCount, total
from alphaz.search.memory.map_reports import FormatProposal, MapReport, ProposalReport
from alphaz.search.memory.placement import Placement, given_map
from alphaz.search.memory.proposal import MemoryProposal, Request, propose
from alphaz.search.memory.set_sizes import degree
from alphaz.search.memory.variable_cuts import VariableCut


def command(program: str, system: str, entry: MemoryMap, stated: TargetMapping) -> str:
    """`setMemoryMap(prog, "S", "X", "(t,i -> i-t)");`; `stated` is the mapping that the command changes."""
    stated_map = stated.memory_of(entry.variable)
    stays = entry.space == (entry.variable if stated_map is None else stated_map.space)
    factors = factors_text(entry.moduli) if any(entry.moduli) else None
    texts = (system, entry.variable, None if stays else entry.space, str(entry.function), factors)
    quoted = (f'"{text}"' for text in texts if text is not None)
    return f"setMemoryMap({', '.join((program, *quoted))});"


def format_command(program: str, system: str, entry: StorageFormat) -> str:
    """`setStorageFormat(prog, "S", "X", "packed row");`."""
    return f'setStorageFormat({program}, "{system}", "{entry.variable}", "{entry.format}");'


def argument_command(program: str, system: str, entry: ArgumentSpace) -> str:
    """`setMemorySpaceForUseEquationOptimization(prog, "S", "UseEquation_Y", 0, 0, "X");`."""
    place = f'"{entry.label}", {int(entry.is_output)}, {entry.number}, "{entry.space}"'
    return f'setMemorySpaceForUseEquationOptimization({program}, "{system}", {place});'


def cut_commands(cut: VariableCut, program: str) -> tuple[str, ...]:
    """`Split(prog, "S", "X", "X_1", "{i | i==0}");`, and the maps of both parts."""
    system = cut.proposal.system
    maps = (command(program, system, entry, cut.stated) for entry in cut.entries)
    formats = (format_command(program, system, entry) for entry in cut.proposal.formats)
    return (f'Split({program}, "{system}", "{cut.variable}", "{cut.part}", "{cut.domain}");', *maps, *formats)


def lines(account: ProposalReport, stated: TargetMapping, program: str = "prog") -> Iterator[str]:
    """Returns the lines that `proposeMemory` prints. `stated` is the mapping before."""
    proposal = account.proposal
    verdict = f"proved{_only(proposal)}{_cut(proposal)}"
    if proposal.entries or proposal.formats or proposal.arguments:
        yield f"# {proposal.system}: {_cells(account.cells)} instead of {account.instead}, {verdict}"
    else:
        yield f"# {proposal.system}: no smaller maps were found; {_cells(account.cells)}{_cut(proposal)}"
    if account.is_brief:
        yield "# interrupted: alternatives and rejected sharings are left out"
    for kept_space in account.kept_spaces:
        yield f"# {kept_space.variable}: {_cells(kept_space.cells)}, one for every point{_and_bound(kept_space.bound)}"
    for map_ in account.maps:
        yield f"# {_headline(proposal, map_)}"
        yield command(program, proposal.system, map_.entry, stated)
        for other in map_.alternatives:
            yield f"# or: {_cells(other.cells)}, {other.remark}"
            yield f"#   {command(program, proposal.system, other.entry, stated)}"
        for reason in map_.rejected:
            yield f"# not in {reason.entry.space} by {reason.entry.function}: {reason.sentence}"
    for stored in account.formats:
        form = stored.entry.format.tightness
        yield f"# {stored.entry.variable} is {form}: {_cells(stored.cells)} instead of {stored.instead}"
        yield format_command(program, proposal.system, stored.entry)
    for argument in proposal.arguments:
        what = "leaves its output" if argument.is_output else "finds its input"
        yield f"# {argument.label} {what} {argument.number} in {argument.space}, without a copy"
        yield argument_command(program, proposal.system, argument)
    for cut in account.cuts:
        cut_proposal = cut.proposal
        cells = total(cut_proposal.prices, cut_proposal.placement)
        yield f"# or, {cut.variable} cut in two: {_cells(cells)}, proved{_only(cut_proposal)}"
        yield from (f"#   {line}" for line in cut_commands(cut, program))
    for entry in account.in_place:
        yield f"# {entry.variable} and {entry.space} may be one array of the caller, in place"
        yield f"#   {command(program, proposal.system, entry, stated)}"
    for stored in account.argument_formats:
        name, form = stored.entry.variable, stored.entry.format.tightness
        yield f"# {name} is the caller's: {_cells(stored.cells)} instead of {stored.instead} if it is passed {form}"
        yield f"#   {format_command(program, proposal.system, stored.entry)}"


def document(account: ProposalReport, stated: TargetMapping, program: str = "prog") -> dict[str, object]:
    """Returns the proposal as plain values, as JSON has them."""
    proposal = account.proposal
    return {
        "system": proposal.system,
        "cells": str(account.cells),
        "instead": str(account.instead),
        "only": proposal.report.scope,
        "complete": proposal.complete,
        "brief": account.is_brief,
        "kept": [
            {"variable": entry.variable, "cells": str(entry.cells), "bound": entry.bound}
            for entry in account.kept_spaces
        ],
        "formats": [_format_value(proposal, entry, program) for entry in account.formats],
        "passed": [_format_value(proposal, entry, program) for entry in account.argument_formats],
        "in_place": [command(program, proposal.system, entry, stated) for entry in account.in_place],
        "arguments": [argument_command(program, proposal.system, argument) for argument in proposal.arguments],
        "cuts": [
            {"variable": cut.variable, "part": cut.part, "commands": cut_commands(cut, program)} for cut in account.cuts
        ],
        "maps": [_map_value(proposal, map_, stated, program) for map_ in account.maps],
    }


def _map_value(proposal: MemoryProposal, note: MapReport, stated: TargetMapping, program: str) -> dict[str, object]:
    def made(entry: MemoryMap) -> str:
        return command(program, proposal.system, entry, stated)

    others = [{"command": made(o.entry), "cells": str(o.cells), "remark": o.remark} for o in note.alternatives]
    return {
        "variable": note.entry.variable,
        "space": note.entry.space,
        "map": str(note.entry.function),
        "factors": [m if isinstance(m, int) else str(m) for m in note.entry.moduli],
        "command": made(note.entry),
        "cells": None if note.cells is None else str(note.cells),
        "instead": str(note.instead),
        "bound": note.bound,
        "alternatives": others,
        "rejected": [
            {"space": r.entry.space, "map": str(r.entry.function), "reason": r.sentence} for r in note.rejected
        ],
    }


def _format_value(proposal: MemoryProposal, formatted_variable: FormatProposal, program: str) -> dict[str, object]:
    return {
        "variable": formatted_variable.entry.variable,
        "format": str(formatted_variable.entry.format),
        "command": format_command(program, proposal.system, formatted_variable.entry),
        "cells": str(formatted_variable.cells),
        "instead": str(formatted_variable.instead),
    }


def _only(proposal: MemoryProposal) -> str:
    return f" for {proposal.report.scope} only" if proposal.report.scope else ""


def _cut(proposal: MemoryProposal) -> str:
    return "" if proposal.complete else "; the search was cut short, there may be smaller ones"


def _headline(proposal: MemoryProposal, note: MapReport) -> str:
    name = note.entry.variable
    others = [e.variable for e in proposal.placement.spaces[note.entry.space] if e.variable != name]
    if note.cells is None or (others and note.cells.value == 0):
        return f"{name}: no cells of its own instead of {note.instead}, in those of {_and(others)}"
    shared = f" with {_and(others)}" if others else ""
    return f"{name}: {_cells(note.cells)}{shared} instead of {note.instead}{_and_bound(note.bound)}"


def _cells(count: CellCount) -> str:
    return "1 cell" if count.value == 1 else f"{count} cells"


def _and_bound(bound: str) -> str:
    return f"; {bound}" if bound else ""


def _and(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


# Seconds for the searches of one system.
_SECONDS = 1.0


def memory_advice(design: Design, system: str, options: Options) -> tuple[Diagnostic, ...]:
    """Returns a note with smaller maps for a proved mapping; empty if its cells are few enough."""
    stated = design.mapping(system)
    bare = design.with_mapping(system, replace(stated, memory=()))
    proposal = propose(bare, system, Request(seconds=_SECONDS, options=options))
    if not isinstance(proposal, MemoryProposal):
        return ()
    the_system = design.system(system)
    placement = Placement(tuple(given_map(variable, stated) for variable in the_system.variables))
    now, then = proposal.prices.bill(placement), proposal.prices.bill(proposal.placement)
    if now is None or then is None or degree(then.cells) >= degree(now.cells):
        return ()
    try:
        needed, enough = total(proposal.prices, placement), total(proposal.prices, proposal.placement)
    except Unbounded:
        return ()
    return (_note(proposal, needed, enough, design),)


def _note(proposal: MemoryProposal, needed: CellCount, enough: CellCount, design: Design) -> Diagnostic:
    stated = design.mapping(proposal.system)
    lines = [f"  {command('prog', proposal.system, entry, stated)}" for entry in proposal.entries]
    only = f", for {proposal.report.scope}" if proposal.report.scope else ""
    help_ = "\n".join((f"these memory maps, in place of all others, are proved{only}:", *lines))
    span = next((e.span for e in stated.memory), None) or next((e.span for e in stated.space_time), None)
    message = f"{proposal.system} has {needed} cells besides the arrays of its caller, and {enough} are enough"
    return Diagnostic(MEMORY_TO_SPARE, message, Label(span or design.system(proposal.system).span), help=help_)
