"""Private memory: each iteration of the loops over the first dimensions of the dates has cells of its own.

The cell of a point begins with these components of its date, so that all obligations about memory are those of one
array with a part for each iteration. That no value is used in another iteration is an obligation of its own
(`alphaz.legality.obligations.overlapped_tiles`): only then may the memory of an iteration end with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import MAPPING, NOT_YET
from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.spaces import occupants
from alphaz.mapping.statement import Cell
from alphaz.mapping.target_mapping import PrivateMemory, SpaceTimeMap, TargetMapping
from alphaz.model.expression import Reduce
from alphaz.model.program import Equation, Kind, System, UseEquation
from alphaz.model.walk import reads


def with_private(system: System, stated: TargetMapping, cells: Mapping[str, Cell]) -> dict[str, Cell]:
    """Returns the cells, those of private variables numbered by iterations. Raises Rejected (AZ411, AZ407)."""
    extended = {**cells, **{e.variable: _extended(system, stated, cells[e.variable], e) for e in stated.private}}
    for space, together in occupants(system, extended).items():
        depths = {extended[variable.name].outer for variable in together}
        if len(depths) > 1:
            entry = next(e for e in stated.private if extended[e.variable].space == space)
            message = f"the variables of memory space {space} are private to iterations of different loops"
            _refuse(message, entry.span, "make all variables of the space private with the same number of dimensions")
    return extended


def _extended(system: System, stated: TargetMapping, cell: Cell, entry: PrivateMemory) -> Cell:
    variable, dated = system.variable(entry.variable), stated.space_time_of(entry.variable)
    if variable.kind is not Kind.LOCAL:
        _refuse(f"{variable.name} is passed by the caller, so its memory is not private", entry.span, "name locals")
    if any(variable.name in _arguments(call) for call in system.equations if isinstance(call, UseEquation)):
        message = f"{variable.name} is an argument of a call, so its memory is not private"
        _refuse(message, entry.span, "inline the called system, or leave this out")
    names = variable.domain.space.names
    if dated is None or len(dated.function.domain.names) != len(names):
        message = f"the points of {variable.name} have no dates, which say to which iteration a point belongs"
        _refuse(message, entry.span, f"give {variable.name} a space-time map of its points first")
    if _is_of_body(system.equation(variable.name), dated):
        message = f"the dates of {variable.name} are those of its reduction's body, which do not number its points"
        _refuse(message, entry.span, f"copy {variable.name} to another variable, and make that one private")
    if not 0 < entry.dimensions <= len(dated.function.outputs):
        message = f"{entry.dimensions} is not a number of leading dimensions of the dates of {variable.name}"
        _refuse(message, entry.span, f"its dates have {count_text(len(dated.function.outputs), 'dimension')}")
    iteration = dated.function.renamed(names).outputs[: entry.dimensions]
    function = replace(cell.function, outputs=(*iteration, *cell.function.outputs))
    span = entry.span if stated.memory_of(variable.name) is None else cell.span
    moduli = (*(0,) * len(iteration), *cell.moduli)
    return replace(cell, function=function, moduli=moduli, span=span, outer=len(iteration))


def _is_of_body(equation: Equation | UseEquation, dated: SpaceTimeMap) -> bool:
    """Returns True if the map is one of the body of a reduction, though it has as many indices as the variable."""
    reduction = equation.expression if isinstance(equation, Equation) else None
    return isinstance(reduction, Reduce) and len(dated.function.domain.names) == reduction.projection.domain.dimensions


def _arguments(call: UseEquation) -> set[str]:
    return {*call.outputs}.union(*map(reads, call.inputs))


def check_private(mapping: ResolvedMapping, stated: Sequence[PrivateMemory]) -> None:
    """Raises Rejected (AZ407) where iterations that have private memory are not executed as a whole."""
    for entry in stated:
        if mapping.distribution is not None:
            raise _not_yet("private memory in a distributed mapping is not supported", entry.span, "leave one out")
        for band in mapping.bands:
            own = [s for s in mapping.statements if s.variable == entry.variable and has_prefix(s, band.prefix)]
            if own and band.first < entry.dimensions <= band.last:
                message = f"tiles of dimensions {band.first} to {band.last} cut the iterations of private memory"
                remedy = f"tile dimensions from {entry.dimensions} on, or those before it, in bands of their own"
                raise _not_yet(message, entry.span, remedy, Label(band.span, "tiled here"))


def _not_yet(message: str, span: Span, remedy: str, *places: Label) -> Rejected:
    return Rejected(Diagnostic(NOT_YET, message, Label(span), places, help=remedy))


def _refuse(message: str, span: Span, remedy: str) -> NoReturn:
    raise Rejected(Diagnostic(MAPPING, message, Label(span), help=remedy))
