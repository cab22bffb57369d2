"""A proposal as lines of a script: commands, and above them as comments what speaks for them."""

from collections.abc import Iterator

from alphaz.mapping.target import MemoryMap, TargetMapping
from alphaz.storage.findings import Account, Told
from alphaz.storage.proposal import MemoryProposal


def command(program: str, system: str, entry: MemoryMap, stated: TargetMapping) -> str:
    """`setMemoryMap(prog, "S", "X", "(t,i -> i-t)");`; `stated` is the mapping that the command changes."""
    known = stated.memory_of(entry.variable)
    stays = entry.space == (entry.variable if known is None else known.space)
    factors = ",".join(map(str, entry.moduli)) if any(entry.moduli) else None
    texts = (system, entry.variable, None if stays else entry.space, str(entry.function), factors)
    quoted = (f'"{text}"' for text in texts if text is not None)
    return f"setMemoryMap({', '.join((program, *quoted))});"


def lines(account: Account, stated: TargetMapping, program: str = "prog") -> Iterator[str]:
    """What `proposeMemory` prints. `stated` is the mapping before."""
    proposal = account.proposal
    if not proposal.entries:
        yield f"# {proposal.system}: no smaller maps were found; {account.cells} cells{_cut(proposal)}"
        return
    verdict = f"proved{_only(proposal)}{_cut(proposal)}"
    yield f"# {proposal.system}: {account.cells} cells instead of {account.instead}, {verdict}"
    for each in account.maps:
        yield f"# {_headline(proposal, each)}"
        yield command(program, proposal.system, each.entry, stated)
        for other in each.alternatives:
            yield f"# or: {other.cells} cells, {other.remark}"
            yield f"#   {command(program, proposal.system, other.entry, stated)}"
        for reason in each.rejected:
            yield f"# not in {reason.entry.space} by {reason.entry.function}: {reason.sentence}"


def document(account: Account, stated: TargetMapping, program: str = "prog") -> dict[str, object]:
    """The same as plain values, as JSON has them."""
    proposal = account.proposal
    return {
        "system": proposal.system,
        "cells": str(account.cells),
        "instead": str(account.instead),
        "only": proposal.report.scope,
        "complete": proposal.complete,
        "maps": [_map_value(proposal, each, stated, program) for each in account.maps],
    }


def _map_value(proposal: MemoryProposal, each: Told, stated: TargetMapping, program: str) -> dict[str, object]:
    def made(entry: MemoryMap) -> str:
        return command(program, proposal.system, entry, stated)

    others = [{"command": made(o.entry), "cells": str(o.cells), "remark": o.remark} for o in each.alternatives]
    return {
        "variable": each.entry.variable,
        "space": each.entry.space,
        "map": str(each.entry.function),
        "factors": list(each.entry.moduli),
        "command": made(each.entry),
        "cells": None if each.cells is None else str(each.cells),
        "instead": str(each.instead),
        "bound": each.bound,
        "alternatives": others,
        "rejected": [
            {"space": r.entry.space, "map": str(r.entry.function), "reason": r.sentence} for r in each.rejected
        ],
    }


def _only(proposal: MemoryProposal) -> str:
    return f" for {proposal.report.scope} only" if proposal.report.scope else ""


def _cut(proposal: MemoryProposal) -> str:
    return "" if proposal.complete else "; the search was cut short, there may be smaller ones"


def _headline(proposal: MemoryProposal, each: Told) -> str:
    name = each.entry.variable
    others = [e.variable for e in proposal.placement.spaces[each.entry.space] if e.variable != name]
    if each.cells is None or (others and each.cells.value == 0):
        return f"{name}: no cells of its own instead of {each.instead}, in those of {_and(others)}"
    shared = f" with {_and(others)}" if others else ""
    bound = f"; {each.bound}" if each.bound else ""
    return f"{name}: {each.cells} cells{shared} instead of {each.instead}{bound}"


def _and(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
