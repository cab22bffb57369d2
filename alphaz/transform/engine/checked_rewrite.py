"""From a rewritten program back to a checked design; domains as text without the context."""

from collections.abc import Mapping
from dataclasses import replace

from alphaz.analysis.checks.check import check
from alphaz.analysis.texts.domain_texts import can_be_written
from alphaz.diagnostics import Diagnostic, Label, rules
from alphaz.mapping.design import Design
from alphaz.mapping.statement import statement_names
from alphaz.mapping.target_mapping import MappingEntry, MemoryMap, SpaceTimeMap, TargetMapping
from alphaz.model.expression import Reduce
from alphaz.model.program import Equation, Program, System
from alphaz.poly import Domain
from alphaz.transform.engine.refusals import refusal


def without_context(domain: Domain, system: System) -> Domain:
    """Returns the same points for every legal value of the parameters, in few pieces and constraints: for a
    restrict."""
    context = Domain.universe(domain.space).in_context(system.context)
    short = (domain & context).simplify().gist(context).simplify()
    return min((short, domain), key=_length)


def declared_domain(domain: Domain, system: System) -> Domain:
    """Returns the points for legal values of the parameters, as in declared domains: for a variable."""
    return without_context(domain, system).in_context(system.context)


def shortest_form(domain: Domain, context: Domain) -> Domain:
    """Returns the same points inside `context`, in a shorter form if there is one; outside it may differ."""
    return min((domain, domain.gist(context).simplify()), key=_length)


def _length(domain: Domain) -> int:
    return sum(1 + len(piece.constraints) + len(piece.floors) for piece in domain.pieces())


def with_program(
    design: Design,
    program: Program,
    mappings: Mapping[str, TargetMapping] | None = None,
    touched: Mapping[str, frozenset[str]] | None = None,
) -> Design:
    """Returns the design of the rewritten program; `mappings` (by new system name) replaces the design's own.

    `touched` names variables, by system, whose entries are dropped although their names still exist.

    Raises Rejected if the new program does not pass the checks, or has no text in the language. `dropped` has warnings
    (AZ408) about entries dropped from the mappings, after those of earlier transformations."""
    checked = check(program, design.checked)
    _require_written(design.program, program)
    new_mappings: dict[str, TargetMapping] = {}
    dropped: list[Diagnostic] = []
    for name, mapping in (design.mappings if mappings is None else mappings).items():
        system = next((s for s in program.systems if s.name == name), None)
        if system is None:
            continue
        names = _statements_of(design, name) | {m.variable for m in mapping.space_time}
        new_mappings[name] = _fitting(mapping, system, names, (touched or {}).get(name, frozenset()), dropped)
    return replace(design, checked=checked, mappings=new_mappings, dropped=(*design.dropped, *dropped))


def _require_written(old: Program, new: Program) -> None:
    """Raises Rejected if the domain of a new variable has no text in the language."""
    identities = {id(variable) for system in old.systems for variable in system.variables}
    for system in new.systems:
        for variable in system.variables:
            if id(variable) not in identities and not can_be_written(variable.domain):
                raise refusal(
                    f"the domain of `{variable.name}` would need an integer division, which programs cannot write",
                    variable.span,
                    notes=(f"it would be {variable.domain}",),
                )


def _fitting(
    mapping: TargetMapping, system: System, used_names: set[str], touched: frozenset[str], dropped: list[Diagnostic]
) -> TargetMapping:
    gone = (used_names - set(statement_names(system))) | touched

    def keep(entry: MappingEntry) -> bool:
        lost = next((name for name in entry.statements if name in gone), None)
        reason = f"`{lost}` was redefined" if lost is not None else _unfit(entry, system)
        if reason is not None:
            dropped.append(Diagnostic(rules.IGNORED, f"{entry.entry_text} is dropped: {reason}", Label(entry.span)))
        return reason is None

    return mapping.select_entries(keep)


def _statements_of(design: Design, name: str) -> set[str]:
    return next((set(statement_names(s)) for s in design.program.systems if s.name == name), set())


def _unfit(entry: MappingEntry, system: System) -> str | None:
    """The reason why an entry no longer fits the system; None if it does."""
    match entry:
        case SpaceTimeMap():
            return _unfit_date(entry, system)
        case MemoryMap():
            return _unfit_cell(entry, system)
    return None


def _unfit_date(entry: SpaceTimeMap, system: System) -> str | None:
    shapes = _shapes(system, entry.variable)
    count = len(entry.function.domain.names)
    if not shapes or count in shapes:
        return None
    return f"it has {count} indices, and `{entry.variable}` now has {' or '.join(map(str, sorted(shapes)))}"


def _unfit_cell(entry: MemoryMap, system: System) -> str | None:
    variable = next((v for v in system.variables if v.name == entry.variable), None)
    if variable is None or entry.function is None:
        return None
    count, dimensions = len(entry.function.domain.names), variable.domain.space.dimensions
    return None if count == dimensions else f"it has {count} indices, and `{entry.variable}` now has {dimensions}"


def _shapes(system: System, name: str) -> set[int]:
    """The allowed numbers of indices of a date of the variable: its own, or those of the body of its reduction."""
    variable = next((v for v in system.variables if v.name == name), None)
    if variable is None:
        return set()
    shapes = {variable.domain.space.dimensions}
    for equation in system.equations:
        if isinstance(equation, Equation) and equation.variable == name and isinstance(equation.expression, Reduce):
            shapes.add(equation.expression.projection.domain.dimensions)
    return shapes
