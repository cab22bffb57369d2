"""Resolves a target mapping: the executed operations, their dates and cells, with every default filled in (M0).

A space-time map with as many indices as the body of the reduction that is the whole right-hand side is a map of the
body, otherwise of the variable's own points (thesis 3.1.4.2). Source: verifier.md sections 1 and 2. The constants of a
mapping are limited, so that the index arithmetic of generated code never overflows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from alphaz.diagnostics import Diagnostic, Label, Rejected, Span
from alphaz.diagnostics.message_words import count_text
from alphaz.diagnostics.rules import DEFAULT_MAP, IGNORED, MAP_SHAPE, MAPPING, NO_LEAVE, UNKNOWN_TARGET
from alphaz.lazy import lazy_import
from alphaz.mapping.aliases import Aliases, alias_notes, aliases_of
from alphaz.mapping.bands import resolved_bands
from alphaz.mapping.cells import cells_of
from alphaz.mapping.design import Design
from alphaz.mapping.dimension_kinds import with_kinds
from alphaz.mapping.distribution import distribution_of
from alphaz.mapping.launches import launch_dimensions, with_registers
from alphaz.mapping.packing import packed_reads
from alphaz.mapping.prefix_scans import ScanForms
from alphaz.mapping.private_memory import check_private, with_private
from alphaz.mapping.register_tile_sizes import with_sizes
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Cell, Role, Statement, labelled_uses
from alphaz.mapping.statement_ordering import closed_ordering
from alphaz.mapping.target_mapping import Communication, SpaceTimeMap, TargetMapping
from alphaz.mapping.use_equations import uses_of
from alphaz.model.expression import Facts, Reduce
from alphaz.model.program import Equation, Kind, System, Variable
from alphaz.model.walk import walk
from alphaz.poly import Affine, AffineFunction

if TYPE_CHECKING:
    from alphaz.mapping.storage_formats import Layout


def _layouts(system: System, stated: TargetMapping, cells: Mapping[str, Cell]) -> "dict[str, Layout]":
    """Returns the layouts of storage formats; the module that counts points is loaded only for them."""
    if not stated.formats:
        return {}
    layouts: dict[str, Layout] = lazy_import("alphaz.mapping.storage_formats").layouts_of(system, stated, cells)
    return layouts


def resolve(design: Design, system: str) -> ResolvedMapping:
    """Returns the resolved mapping of one system.

    Raises Rejected (AZ403, AZ404, AZ411, AZ413, AZ523) when it is not well formed.
    """
    the_system, stated, facts = design.system(system), design.mapping(system), design.checked.facts
    _check_names(the_system, stated)
    check_numbers(stated)
    dimensions = _dimensions(the_system, stated)
    cells = with_private(the_system, stated, cells_of(the_system, stated))
    aliases = aliases_of(the_system, facts, cells)
    dated = _dated_statements(the_system, facts, stated, aliases)
    padded, defaults = _pad_dates(dated, stated, dimensions)
    calls = uses_of(design, the_system, stated, cells, dimensions)
    every = (*padded, *calls.statements)
    statements, kind_notes = with_kinds(every, stated.kinds, dimensions, aliases.whole_variables)
    before = closed_ordering(the_system, statements, stated.ordering, calls.before)
    launches, register_tiles = with_registers(launch_dimensions(stated.launches), stated.registers)
    registers = [
        tile
        for is_final in (False, True)
        for tile in with_sizes(
            [tile for tile in register_tiles if tile.is_final is is_final], stated.tiling, the_system, statements, cells
        )
    ]
    bands, band_notes = resolved_bands(statements, stated.tiling, registers, dimensions)
    defaults = (*defaults, *alias_notes(the_system, aliases), *_idle_dates(the_system, stated))
    notes = (*defaults, *calls.notes, *kind_notes, *band_notes)
    distribution, idle_ghosts = distribution_of(the_system, statements, stated, cells, dimensions, bands)
    if distribution is not None and distribution.communication is not None and distribution.way is Communication.SCAN:
        forms = ScanForms(the_system, facts, design.program.externals, distribution.position)
        scans, no_scans = forms.scans(statements, distribution.communication)
        distribution = replace(distribution, scans=scans, no_scans=no_scans)
    notes = (*notes, *idle_ghosts)
    arrays = {a.name: a.cell for use in calls.uses for a in use.arguments if a.has_array}
    resolved = ResolvedMapping(
        system=the_system,
        facts=facts,
        dimensions=dimensions,
        statements=statements,
        cells={**cells, **arrays},
        before=before,
        bands=bands,
        aliases=aliases,
        notes=notes,
        ordering=stated.ordering,
        uses=calls.uses,
        layouts=_layouts(the_system, stated, cells),
        overwritable=_overwritable(the_system, stated),
        target=stated.target_name,
        architecture=stated.architecture,
        distribution=distribution,
        launches=launches,
        kept_once=stated.kept,
    )
    check_private(resolved, stated.private)
    packed, packing_notes = packed_reads(resolved, stated.packing)
    return replace(resolved, packed=packed, notes=(*notes, *packing_notes))


def _check_names(system: System, stated: TargetMapping) -> None:
    """Checks that every entry is about a variable of the system (the commands check it too, with a nearer place)."""
    labels, variables = set(labelled_uses(system)), {v.name for v in system.variables}
    dates = [(m.variable, m.span) for m in stated.space_time]
    cells = [(m.variable, m.span) for m in stated.memory]
    cells += [(f.variable, f.span) for f in stated.formats]
    cells += [(o.variable, o.span) for o in stated.overwritable]
    cells += [(e.variable, e.span) for e in (*stated.ghosts, *stated.private, *stated.kept)]
    kinds = [(k.variable, k.span) for k in stated.kinds if k.variable is not None]
    arguments = [(a.label, a.span) for a in stated.argument_dates]
    arguments += [(a.label, a.span) for a in stated.argument_spaces]
    every = ((dates, variables | labels), (cells, variables), (kinds, variables | labels), (arguments, labels))
    for name, span, names in ((name, span, names) for entries, names in every for name, span in entries):
        if name not in names:
            message = f"{name} is no {'use equation' if names == labels else 'variable'} of system {system.name}"
            raise Rejected(Diagnostic(UNKNOWN_TARGET, message, Label(span)))


def _overwritable(system: System, stated: TargetMapping) -> frozenset[str]:
    """Returns the inputs that may be overwritten: their values are in their arrays from the start, without dates."""
    for entry in stated.overwritable:
        dated = stated.space_time_of(entry.variable)
        if system.variable(entry.variable).kind is not Kind.INPUT:
            message = f"`{entry.variable}` is no input of system `{system.name}`: it needs no leave to be overwritten"
            raise Rejected(Diagnostic(NO_LEAVE, message, Label(entry.span), help="name inputs, or leave this out"))
        if dated is not None:
            message = f"`{entry.variable}` has dates, and is to be overwritten where the caller keeps it"
            place = Label(dated.span, "its values arrive at these dates")
            remedy = "leave the dates out: an input without dates is available from the start"
            raise Rejected(Diagnostic(NO_LEAVE, message, Label(entry.span), (place,), help=remedy))
    return frozenset(entry.variable for entry in stated.overwritable)


def _dimensions(system: System, stated: TargetMapping) -> int:
    """Returns the length of all dates: that of the given maps, which agree; without any, the largest number
    of indices.
    """
    functions = [(m, f) for m in stated.space_time for f in (m.function, m.init) if f is not None]
    if not functions:
        variables = [v.domain.space for v in (*system.locals, *system.outputs)]
        extensions = [use.extension.space for use in labelled_uses(system).values()]
        lengths = [len(a.function.outputs) for a in stated.argument_dates]
        return max((*(s.dimensions for s in (*variables, *extensions)), *lengths), default=0)
    (first, function), *rest = functions
    length = len(function.outputs)
    for other, function in rest:
        if len(function.outputs) != length:
            message = (
                f"the space-time map of {other.variable} has {count_text(len(function.outputs), 'dimension')}, "
                f"that of {first.variable} has {length}"
            )
            place = Label(first.span, count_text(length, "dimension"))
            primary = Label(other.span, count_text(len(function.outputs), "dimension"))
            raise Rejected(Diagnostic(MAPPING, message, primary, (place,), help="pad the shorter maps with constants"))
    return length


def _dated_statements(system: System, facts: Facts, stated: TargetMapping, aliases: Aliases) -> tuple[Statement, ...]:
    statements: list[Statement] = []
    equations = {e.variable: e for e in system.equations if isinstance(e, Equation)}
    for variable in system.variables:
        entry, equation = stated.space_time_of(variable.name), equations.get(variable.name)
        if variable.kind is Kind.INPUT and entry is not None:
            statements.append(_pointwise_statement(system, variable, Role.INPUT, variable.domain.space.names, entry))
        elif equation is not None and variable.name not in aliases.whole_variables:
            of_equation = _of_equation(system, facts, variable, entry, equation)
            statements += (_without_copies(s, aliases) for s in of_equation)
    return tuple(statements)


def _without_copies(statement: Statement, aliases: Aliases) -> Statement:
    """Returns the statement without the points that only copy the value of their cell."""
    if statement.variable not in aliases.steps:
        return statement
    return replace(statement, domain=aliases.rest(statement.variable, statement.domain))


def _idle_dates(system: System, stated: TargetMapping) -> Iterator[Diagnostic]:
    """Yields warnings about dates of variables that a call computes: the call dates them."""
    for label, use in labelled_uses(system).items():
        for name in use.outputs:
            entry = stated.space_time_of(name)
            if entry is not None:
                message = f"{name} is computed by {label}, whose map has its dates: this one has no effect"
                yield Diagnostic(IGNORED, message, Label(entry.span))


def _of_equation(
    system: System, facts: Facts, variable: Variable, entry: SpaceTimeMap | None, equation: Equation
) -> tuple[Statement, ...]:
    if entry is None:
        return (_pointwise_statement(system, variable, Role.VALUE, equation.indices, None, equation),)
    has, reduction = len(entry.function.domain.names), equation.expression
    if isinstance(reduction, Reduce) and has == reduction.projection.domain.dimensions:
        return _of_reduction(system, facts, variable, entry, equation, reduction)
    if has != len(equation.indices):
        raise _wrong_indices(entry, equation)
    if entry.init is not None:
        message = f"a date of initialisation is given for {variable.name}, whose map is not one of a reduction's body"
        raise Rejected(Diagnostic(MAP_SHAPE, message, Label(entry.span)))
    return (_pointwise_statement(system, variable, Role.VALUE, equation.indices, entry, equation),)


def _wrong_indices(entry: SpaceTimeMap, equation: Equation) -> Rejected:
    has, own = len(entry.function.domain.names), len(equation.indices)
    message = f"the space-time map of {entry.variable} has {has} indices; {entry.variable} has {own}"
    remedy = None
    if isinstance(equation.expression, Reduce):
        message += f", its reduction {equation.expression.projection.domain.dimensions}"
    elif any(isinstance(e, Reduce) and e.projection.domain.dimensions == has for e in walk(equation.expression)):
        remedy = f"NormalizeReduction makes the reduction inside {entry.variable} an equation of its own, to be mapped"
    return Rejected(Diagnostic(MAP_SHAPE, message, Label(entry.span), (Label(equation.span),), help=remedy))


def _pointwise_statement(
    system: System,
    variable: Variable,
    role: Role,
    indices: tuple[str, ...],
    entry: SpaceTimeMap | None,
    equation: Equation | None = None,
) -> Statement:
    """Returns one operation for each point of the variable."""
    space = system.space(indices)
    identity = AffineFunction.identity(space)
    if entry is not None and len(entry.function.domain.names) != len(indices):
        has, needs = len(entry.function.domain.names), len(indices)
        message = f"the space-time map of {variable.name} has {has} indices; {variable.name} has {needs}"
        raise Rejected(Diagnostic(MAP_SHAPE, message, Label(entry.span)))
    date = identity if entry is None else entry.function.renamed(indices)
    domain = variable.domain.renamed(indices).in_context(system.context)
    span = variable.span if entry is None else entry.span
    return Statement(
        name=variable.name,
        variable=variable.name,
        role=role,
        domain=domain,
        target=identity,
        date=date,
        kinds=(),
        equation=equation,
        span=span,
    )


def _of_reduction(
    system: System, facts: Facts, variable: Variable, entry: SpaceTimeMap, equation: Equation, reduction: Reduce
) -> tuple[Statement, ...]:
    """Returns one operation for each point of the body; where the initialisation has a date, also one for
    each result.
    """
    space = reduction.projection.domain
    domain = facts.context_domain[reduction.body].renamed(space.names).in_context(system.context)
    date = entry.function.renamed(space.names)
    name = f"{variable.name}.body"
    body = Statement(
        name=name,
        variable=variable.name,
        role=Role.BODY,
        domain=domain,
        target=reduction.projection,
        date=date,
        kinds=(),
        equation=equation,
        span=entry.span,
    )
    if entry.init is None:
        return (body,)
    first = replace(entry, function=entry.init, init=None)
    init = _pointwise_statement(system, variable, Role.INIT, equation.indices, first, equation)
    return (replace(init, name=f"{variable.name}.init"), body)


def _pad_dates(
    statements: Sequence[Statement], stated: TargetMapping, dimensions: int
) -> tuple[tuple[Statement, ...], tuple[Diagnostic, ...]]:
    """Returns default dates padded with zeros, with a note each (none where the script has no space-time map)."""
    padded: list[Statement] = []
    notes: list[Diagnostic] = []
    for statement in statements:
        if stated.space_time_of(statement.variable) is not None:
            padded.append(statement)
            continue
        date = _pad(statement, dimensions)
        padded.append(replace(statement, date=date))
        message = f"{statement.variable} has no space-time map and gets {date}"
        notes.append(Diagnostic(DEFAULT_MAP, message, Label(statement.span)))
    return tuple(padded), tuple(notes)


def _pad(statement: Statement, dimensions: int) -> AffineFunction:
    missing = dimensions - len(statement.date.outputs)
    if missing < 0:
        message = (
            f"{statement.variable} has no space-time map, and its identity has {len(statement.date.outputs)} "
            f"dimensions; the given maps have {dimensions}"
        )
        remedy = f"give {statement.variable} a space-time map with {count_text(dimensions, 'dimension')}"
        raise Rejected(Diagnostic(MAPPING, message, Label(statement.span), help=remedy))
    return replace(statement.date, outputs=(*statement.date.outputs, *((Affine(),) * missing)))


# Generated code takes parameters within +-2^40: sums of a few of their multiples fit into 63 bits.
_LARGEST, _LARGEST_FACTOR = 1 << 40, 1 << 20

# The accumulators of a register tile are on the stack.
_MOST_POINTS = 1 << 12


def check_numbers(stated: TargetMapping) -> None:
    """Checks the limits. Raises Rejected (AZ411)."""
    for function, span in _functions(stated):
        for output in function.outputs:
            factors = [abs(factor) for _, factor in output.terms]
            if max(factors, default=0) > _LARGEST_FACTOR or abs(output.constant) > _LARGEST:
                message = f"the numbers of {output} are too large for the index arithmetic of generated code"
                raise _rejection(message, span, "factors go up to 2^20, constants up to 2^40")
    tiles = [(size, band.span) for band in stated.tiling for level in band.sizes for size in level]
    for size, span in tiles:
        if size is not None and size > _LARGEST:
            message = f"tiles of {size} points are too large for the index arithmetic of generated code"
            raise _rejection(message, span, "sizes go up to 2^40")
    for tile in stated.registers:
        below = [other for other in stated.registers if tile.prefix[: len(other.prefix)] == other.prefix]
        below = sorted((other for other in below if other.is_final <= tile.is_final), key=lambda other: other.is_final)
        sizes = {len(other.prefix) + other.dimension: other.size for other in below}
        points = prod(size for size in sizes.values() if isinstance(size, int))
        if points > _MOST_POINTS:
            message = f"a register tile of {points} points is too large"
            raise _rejection(message, tile.span, f"it may have up to {_MOST_POINTS}; setTiling makes larger tiles")


def _functions(stated: TargetMapping) -> Iterator[tuple[AffineFunction, Span]]:
    """Yields the maps in a script."""
    for dates in stated.space_time:
        yield dates.function, dates.span
        if dates.init is not None:
            yield dates.init, dates.span
    for memory in (*stated.memory, *stated.ghosts):
        if memory.function is not None:
            yield memory.function, memory.span
    for argument in stated.argument_dates:
        yield argument.function, argument.span


def _rejection(message: str, span: Span, remedy: str) -> Rejected:
    return Rejected(Diagnostic(MAPPING, message, Label(span), help=remedy))
