"""One rank of a distributed mapping as a mapping of its own: the system with more parameters (a step, and the places of
the rank, of a sender and of a receiver), its statements restricted to the step and the places, arrays for the cells of
the rank alone, and the values of a message.

Every set is affine in these parameters, so that messages, arrays and loops are scanned like others.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.domain_texts import domain_text
from alphaz.analysis.texts.reflect import program_tree
from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray, array_over
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.nest import bind, loops_in_c, reached_instances, with_used
from alphaz.codegen.scheduled.memory.storage import Storage, StoragePlace, placed
from alphaz.codegen.scheduled.statements.statement_templates import needed_operations
from alphaz.codegen.targets.rank_program import RankNames
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import NOT_YET, UNBOUNDED
from alphaz.legality.obligations.communication import remote_reads
from alphaz.legality.verified import Verified
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Scan
from alphaz.mapping.distribution import Distribution
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.spaces import is_own, occupants, space_of_cells
from alphaz.mapping.statement import Statement
from alphaz.mapping.statements import resolve
from alphaz.mapping.target import MappingEntry, MemoryMap, SpaceTimeMap
from alphaz.model.program import Kind, System, Variable
from alphaz.order.operation_table import OperationTable, operations
from alphaz.order.operations import Phase
from alphaz.order.read import Read
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Unbounded, at_least, equal, less
from alphaz.poly.algorithms.bounds import bounding_box
from alphaz.poly.plain.space import unlike
from alphaz.syntax.printer import print_program

# The arguments of the function that moves values, besides arrays: its direction (0: it counts) and the buffer.
DIRECTION, BUFFER, PLACE = "direction", "buffer", "at"


def check_expressible(mapping: ResolvedMapping, distribution: Distribution) -> None:
    """Raises Rejected(NOT_YET) for distributed mappings without code."""
    if not distribution.is_by_blocks:
        raise _refused(f"no code is generated for {distribution.ownership} places", distribution.span)
    for name, ghost in distribution.ghosts.items():
        if ghost is not mapping.cells[name]:
            raise _refused(f"no code is generated for the ghost map of {name}", ghost.span)
    if mapping.aliases.steps:
        message = "no code is generated for copies that are dropped in a distributed mapping"
        raise _refused(message, distribution.span)
    if mapping.layouts:
        raise _refused("no code is generated for storage formats in a distributed mapping", distribution.span)
    together = occupants(mapping.system, mapping.cells)
    for variable in (*mapping.system.inputs, *mapping.system.outputs):
        cell = mapping.cells[variable.name]
        if not is_own(cell) or len(together[cell.space]) > 1:
            message = f"{variable.name} does not have an array of its own points in a distributed mapping"
            raise _refused(message, cell.span)


def _refused(message: str, span: Span) -> Rejected:
    return Rejected(Diagnostic(NOT_YET, message, Label(span), help="distribute blocks, with halos and own arrays"))


@dataclass(frozen=True, slots=True, eq=False)
class RankMapping:
    """The mapping of one rank. `table` has the operations of all ranks, over the parameters of one rank."""

    verified: Verified
    mapping: ResolvedMapping
    table: OperationTable
    names: RankNames
    distribution: Distribution
    parameters: tuple[str, ...]

    @property
    def system(self) -> System:
        return self.mapping.system

    # --- sets ---------------------------------------------------------------------------------------------------------

    def owned(self, statement: Statement, low: str, high: str, in_step: bool = False) -> Domain:
        """Returns the operations at places `[low, high)`, in the step that the parameters name, or in all."""
        return statement.domain & Domain.where(statement.domain.space, self._at(statement.dates, low, high, in_step))

    def _at(self, date: Sequence[Affine], low: str, high: str, in_step: bool = False) -> list[Constraint]:
        place = date[self.distribution.position]
        found = [at_least(place - Affine.name(low), 0), less(place, Affine.name(high))]
        if in_step:
            found += [equal(x, Affine.name(name)) for x, name in zip(date, self.names.steps, strict=False)]
        return found

    def read_at(self, read: Read, low: str, high: str) -> Domain:
        """Returns the points that the operations at places `[low, high)` read."""
        inside = read.domain & Domain.where(read.domain.space, self._at(read.occurrence.date, low, high))
        return inside.image(read.function, self.system.variable(read.variable).domain.space.names)

    def computed(self, variable: Variable, low: str, high: str, in_step: bool = False) -> Domain:
        """Returns the points of a variable that are computed at places `[low, high)`."""
        names = variable.domain.space.names
        statements = [s for s in self.table.mapping.statements if s.variable == variable.name]
        parts = [self.owned(s, low, high, in_step).image(s.target, names) for s in statements]
        return _union(parts, variable.domain)

    def stored(self, variable: Variable) -> Domain:
        """Returns the points that this rank has: it computes or receives them; of an input, it reads them."""
        names = self.names
        reads = [read for read in self.table.reads if read.variable == variable.name]
        dated = [r for r in reads if r.reader.moment is Phase.DATED and not r.is_running]
        read = [self.read_at(r, names.low, names.high) for r in dated]
        return _union([self.computed(variable, names.low, names.high), *read], variable.domain)

    def sent(self, variable: Variable) -> Domain:
        """Returns the points of a variable in the message of a step."""
        names = self.names
        reads = dict.fromkeys(read for read, _ in remote_reads(self.table) if read.variable == variable.name)
        needed = _union([self.read_at(r, names.to_low, names.to_high) for r in reads], variable.domain)
        return (self.computed(variable, names.from_low, names.from_high, in_step=True) & needed).coalesced()

    def exchanged(self, variable: Variable) -> Domain:
        """Returns the points of an input that a rank reads, of an output that it computes."""
        names = self.names
        return self.stored(variable) if variable.kind is Kind.INPUT else self.computed(variable, names.low, names.high)

    def all_steps(self) -> Domain:
        """Returns the steps of all operations."""
        return self._dates(range(self.distribution.position))

    def places(self) -> tuple[c.Expression, c.Expression]:
        """Returns the smallest place, and the one behind the largest."""
        box = bounding_box(self._dates([self.distribution.position]), self.system.context)
        low, high = (integer(bound(side[0], self.c_parameters)) for side in (box.lower, box.upper))
        return low, c.Binary("+", high, c.Literal("1"))

    def _dates(self, dimensions: Iterable[int]) -> Domain:
        wanted, parts = tuple(dimensions), []
        names = unlike(tuple(f"date{at}" for at in range(len(wanted))), self.system.parameters)
        for statement in self.table.mapping.statements:
            outputs = tuple(statement.dates[at] for at in wanted)
            parts.append(statement.domain.image(AffineFunction(statement.domain.space, outputs), names))
        return _union(parts, Domain.universe(self.system.space(names)))

    # --- storage ------------------------------------------------------------------------------------------------------

    @property
    def c_parameters(self) -> dict[str, Affine]:
        return {name: Affine.name(identifier(name)) for name in self.system.parameters}

    def storage(self, names: Identifiers) -> Storage:
        """Returns the arrays of one rank, for the cells of its own and its received points."""
        places: dict[str, StoragePlace] = {}
        callers: dict[str, FlatArray] = {}
        allocated: list[FlatArray] = []
        context = self.system.context
        needed = {statement.variable for statement in self.mapping.statements} | {v.name for v in self.system.inputs}
        for space, together in occupants(self.system, self.mapping.cells).items():
            kept = [replace(v, domain=self.stored(v)) for v in together if v.name in needed]
            if not kept:
                continue
            is_callers = kept[0].kind is not Kind.LOCAL
            name = identifier(kept[0].name) if is_callers else names.new(identifier(space))
            whole, moduli = space_of_cells(self.system, self.mapping.cells, kept)
            try:
                array = array_over(
                    name,
                    kept[0].type,
                    whole,
                    context,
                    self.c_parameters,
                    moduli,
                    is_constant=kept[0].kind is Kind.INPUT,
                    is_filled=True,
                )
            except Unbounded:
                message = f"the memory space {space} has infinitely many cells on a rank"
                raise Rejected(Diagnostic(UNBOUNDED, message, Label(self.mapping.cells[kept[0].name].span))) from None
            if is_callers:
                callers[kept[0].name] = array
            else:
                allocated.append(array)
            for variable in kept:
                places[variable.name] = placed(self.mapping, variable, array, context)
        order = [v.name for v in (*self.system.inputs, *self.system.outputs) if v.name in callers]
        ordered = {name: callers[name] for name in order}
        return Storage(places=places, callers=ordered, allocated=tuple(allocated), copied_in=(), copied_out=())

    # --- functions ----------------------------------------------------------------------------------------------------

    def moving(
        self,
        function: str,
        sets: Sequence[tuple[Variable, Domain, StoragePlace]],
        names: Identifiers,
        parameters: Sequence[str],
    ) -> c.Function:
        """Returns a function that moves the points of the sets between a buffer and arrays, and returns their bytes."""
        body: list[c.Statement] = [c.Declare(c.INT64, PLACE, c.ZERO)]
        arrays = dict.fromkeys(place.array for _, _, place in sets)
        for variable, domain, place in sets:
            if domain.is_empty():
                continue
            inner = names.copy()
            iterators = [inner.new(identifier(n)) for n in domain.space.names]
            tree = readable_scan(
                [Scan(variable.name, domain, tuple(map(Affine.name, domain.space.names)))],
                self.system.context,
                iterators,
            )
            moved: dict[object, tuple[c.Statement, ...]] = {}
            for call, arguments in reached_instances(tree, self.c_parameters):
                declared, scope = bind(domain.space.names, arguments, inner.copy().new, inline=True)
                element = place.element(scope.values, self.c_parameters)
                words = (DIRECTION, BUFFER)
                call_ = c.Call(
                    "move_element",
                    (
                        *map(c.Name, words),
                        c.Unary("&", c.Name(PLACE)),
                        c.Cast(c.Pointer(c.VOID), c.Unary("&", element)),
                        c.SizeOf(element),
                    ),
                )
                moved[call] = with_used(declared, (c.Evaluate(call_),))
            body.append(c.Block(loops_in_c(tree, self.c_parameters, moved)))  # type: ignore[arg-type]
        body.append(c.Return(c.Name(PLACE)))
        used = c.names_used(body)
        constants = [d for array in arrays for d in array.constants if d.name in used]
        used |= c.names_used(constants)
        numbers = [c.Parameter(c.INT64, identifier(p)) for p in parameters]
        fixed = (c.Parameter(c.INT, DIRECTION), c.Parameter(c.Pointer(c.Scalar("unsigned char")), BUFFER))
        every = (*numbers, *(array.parameter for array in arrays))
        kept = (*(p for p in every if p.name in used), *fixed)
        silent = [c.Evaluate(c.Cast(c.VOID, c.Name(p.name))) for p in fixed if p.name not in used]
        return c.Function(c.INT64, function, kept, (*silent, *constants, *body), "static")

    def step_loops(self, call: str, names: Identifiers) -> tuple[c.Statement, ...]:
        """Returns loops over all steps in their order, with a call for each."""
        domain = self.all_steps()
        iterators = [names.new(name) for name in self.names.steps]
        if not iterators:
            return (c.Evaluate(c.Call(call, ())),)
        date = tuple(map(Affine.name, domain.space.names))
        tree = readable_scan([Scan("step", domain, date)], self.system.context, iterators)
        calls = {
            instance: (c.Evaluate(c.Call(call, tuple(map(integer, arguments)))),)
            for instance, arguments in reached_instances(tree, self.c_parameters)
        }
        return loops_in_c(tree, self.c_parameters, calls)


def _union(parts: Sequence[Domain], like: Domain) -> Domain:
    result = Domain.empty(like.space)
    for part in parts:
        result = result | part
    return result


# --- the mapping of a rank --------------------------------------------------------------------------------------------


def rank_mapping(verified: Verified, name: str) -> RankMapping:
    """Returns the mapping of one rank of a system."""
    mapping = verified.mappings[name]
    distribution = mapping.distribution
    assert distribution is not None
    check_expressible(mapping, distribution)
    design, program = verified.design, verified.design.program
    text = print_program(program_tree(program, array=True))
    taken = tuple(dict.fromkeys(re.findall(r"\w+", text)))
    words = ("low", "high", "from_low", "from_high", "to_low", "to_high")
    *steps, low, high, from_low, from_high, to_low, to_high = unlike(
        (*(f"step{at}" for at in range(distribution.position)), *words), taken
    )
    names = RankNames(
        steps=tuple(steps),
        low=low,
        high=high,
        from_low=from_low,
        from_high=from_high,
        to_low=to_low,
        to_high=to_high,
    )
    checked = read_program(Source("rank.ab", _with_parameters_text(verified, name, names.every)))
    stated = design.mapping(name).rebuilt(lambda entry: (_with_parameters(entry, names.every),))
    extended = replace(design, checked=checked).with_mapping(name, stated)
    whole = needed_operations(resolve(extended, name))
    table = operations(whole)
    ranks = RankMapping(
        verified=replace(verified, design=extended),
        mapping=whole,
        table=table,
        names=names,
        distribution=distribution,
        parameters=mapping.system.parameters,
    )
    statements = tuple(replace(s, domain=ranks.owned(s, low, high, in_step=True)) for s in whole.statements)
    restricted = replace(whole, statements=statements)
    mappings = {**verified.mappings, name: restricted}
    return replace(ranks, mapping=restricted, verified=replace(ranks.verified, mappings=mappings))


def _with_parameters_text(verified: Verified, name: str, more: Sequence[str]) -> str:
    """Returns the text of the program, with more parameters of one system."""
    program = verified.design.program
    tree = program_tree(program, array=True)
    system = program.system(name)
    context = system.context.with_parameters(more)
    header = domain_text(context, (*system.parameters, *more), system.span)
    systems = tuple(replace(s, parameters=header) if s.name.text == name else s for s in tree.systems)
    return print_program(replace(tree, systems=systems))


def _with_parameters(entry: MappingEntry, more: Sequence[str]) -> MappingEntry:
    def extended(function: AffineFunction | None) -> AffineFunction | None:
        if function is None:
            return None
        space = replace(function.domain, parameters=(*function.domain.parameters, *more))
        return AffineFunction(space, function.outputs)

    match entry:
        case SpaceTimeMap():
            function = extended(entry.function)
            assert function is not None
            return replace(entry, function=function, init=extended(entry.init))
        case MemoryMap():
            return replace(entry, function=extended(entry.function))
    return entry
