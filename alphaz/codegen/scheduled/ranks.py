"""One rank of a distributed mapping as a mapping of its own: the system with more parameters (a step, and the places of
the rank, of a sender and of a receiver), its statements restricted to the step and the places, arrays for the cells of
the rank alone, and the values of a message.

Every set is affine in these parameters, so that messages, arrays and loops are scanned like others.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.domain_texts import domain_text
from alphaz.analysis.texts.program_reflection import program_tree
from alphaz.analysis.texts.show import identity_lines
from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray, array_over
from alphaz.codegen.c.integers import bound, integer
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.nest import loops_in_c, reached_instances
from alphaz.codegen.scheduled.copy_functions import MovedPoints, PointMover
from alphaz.codegen.scheduled.memory.rank_storage import DealtDimension, PlaceTests, RankPlace, dealt_dimension
from alphaz.codegen.scheduled.memory.storage import Storage, StoragePlace, placed
from alphaz.codegen.scheduled.message_receivers import PlaceBox, SentPoints, boxes, common_message, receives
from alphaz.codegen.scheduled.rank_prefix_scans import RankScan, dated_totals, rank_scans, with_totals
from alphaz.codegen.scheduled.statements.statement_templates import needed_operations
from alphaz.codegen.targets.rank_program import CommonMessage, RankNames, Sides
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import NOT_YET, UNBOUNDED
from alphaz.legality.message_overlap import Border, overlap_of
from alphaz.legality.obligations.rank_communication import remote_reads
from alphaz.legality.verdicts import Verified
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import Scan
from alphaz.mapping.distribution import Distribution
from alphaz.mapping.resolution import resolve
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.spaces import cells_of_members, is_own, occupants
from alphaz.mapping.statement import Cell, Statement
from alphaz.mapping.target_mapping import (
    WHOLE,
    Band,
    Communication,
    DimensionKind,
    MappingEntry,
    MemoryMap,
    SpaceTimeMap,
)
from alphaz.model.program import Kind, Program, System, Variable
from alphaz.order.mapped_read import Read
from alphaz.order.operation_table import OperationTable, operations
from alphaz.order.operations import Phase
from alphaz.order.precedence import differences
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, Unbounded, at_least, less
from alphaz.poly.algorithms.bounds import bounding_box
from alphaz.poly.algorithms.functional_relations import hull_equalities
from alphaz.poly.plain.integer_expression import Integer
from alphaz.poly.plain.solve import solve
from alphaz.poly.plain.space import unlike
from alphaz.syntax.printer import print_program


def check_expressible(mapping: ResolvedMapping, distribution: Distribution) -> None:
    """Raises Rejected(NOT_YET) for distributed mappings without code."""
    if mapping.aliases.steps:
        message = "no code is generated for copies that are dropped in a distributed mapping"
        raise _refused(message, distribution.span)
    if mapping.layouts:
        raise _refused("no code is generated for storage formats in a distributed mapping", distribution.span)
    together = occupants(mapping.system, mapping.cells)
    for variable in (*mapping.system.inputs, *mapping.system.outputs):
        cell = mapping.cells[variable.name]
        guests = [
            g for name, g in distribution.ghosts.items() if g.space == cell.space and g is not mapping.cells[name]
        ]
        if not is_own(cell) or len(together[cell.space]) > 1 or guests:
            message = f"{variable.name} does not have an array of its own points in a distributed mapping"
            raise _refused(message, cell.span)


def _refused(
    message: str, span: Span, remedy: str = "distribute blocks; give inputs and outputs arrays of their own"
) -> Rejected:
    return Rejected(Diagnostic(NOT_YET, message, Label(span), help=remedy))


Ends = Sides | None
"""The names of the ends of places; None: all places."""
PartialEnds = Sequence[tuple[str, str] | None] | None
"""The same, where one dimension may have all places."""


@dataclass(frozen=True, slots=True, eq=False)
class RankMapping:
    """The mapping of one rank. `table` has the operations of all ranks, over the parameters of one rank. The totals of
    scans are variables of it, and values that ranks combine; `mapping` does not compute them.
    """

    verified: Verified
    mapping: ResolvedMapping
    table: OperationTable
    names: RankNames
    distribution: Distribution
    parameters: tuple[str, ...]
    border: Border | None = None
    scans: tuple[RankScan, ...] = ()

    @property
    def system(self) -> System:
        return self.mapping.system

    @property
    def cells(self) -> Mapping[str, Cell]:
        return self.mapping.cells

    @property
    def block(self) -> int:
        """Returns the places that are dealt out together; 0: each rank owns an interval."""
        return 0 if self.distribution.is_by_blocks else max(self.distribution.size, 1)

    @property
    def tests(self) -> PlaceTests:
        return PlaceTests(self.names, self.block)

    @property
    def mover(self) -> PointMover:
        return PointMover(self.system, self.tests, self.c_parameters)

    @property
    def totals(self) -> ResolvedMapping:
        """Returns the mapping that computes the totals of scans in a step."""
        names = [scan.total for scan in self.scans]
        mine = [statement for statement in self.table.mapping.statements if statement.variable in names]
        return replace(self.mapping, statements=tuple(self.in_a_step(mine)))

    def in_a_step(self, statements: Iterable[Statement]) -> Iterator[Statement]:
        """Yields the statements for a step and the places that the parameters name, on one rank."""
        for s in statements:
            yield replace(s, domain=self.owned(s, self.names.part, in_step=True), kinds=_on_one_rank(s))

    # --- sets ---------------------------------------------------------------------------------------------------------

    def owned(self, statement: Statement, ends: PartialEnds, in_step: bool = False) -> Domain:
        """Returns the operations at places between the ends, in the step that the parameters name, or in all."""
        constraints = self._at(statement.dates, ends)
        if in_step:
            constraints += self.distribution.in_step(
                statement, statement.dates, tuple(map(Affine.name, self.names.steps))
            )
        return statement.domain & Domain.where(statement.domain.space, constraints)

    def _at(self, date: Sequence[Affine], ends: PartialEnds) -> list[Constraint]:
        constraints: list[Constraint] = []
        for place, side in zip(self._places_in(date), ends or (), strict=ends is not None):
            if side is not None:
                constraints += [at_least(place - Affine.name(side[0]), 0), less(place, Affine.name(side[1]))]
        return constraints

    def _places_in(self, date: Sequence[Affine]) -> tuple[Affine, ...]:
        return tuple(date[self.distribution.dimensions])

    def read_at(self, read: Read, ends: Ends) -> Domain:
        """Returns the points that the operations at places between the ends read."""
        inside = read.domain & Domain.where(read.domain.space, self._at(read.occurrence.date, ends))
        return inside.image(read.function, self.system.variable(read.variable).domain.space.names)

    def computed(self, variable: Variable, ends: PartialEnds, in_step: bool = False) -> Domain:
        """Returns the points of a variable that are computed at places between the ends."""
        names = variable.domain.space.names
        parts = [self.owned(s, ends, in_step).image(s.target, names) for s in self.statements_of(variable)]
        return union(parts, variable.domain)

    def statements_of(self, variable: Variable) -> list[Statement]:
        """Returns the statements that compute a variable."""
        return [s for s in self.table.mapping.statements if s.variable == variable.name]

    def reads_of(self, variable: Variable) -> list[Read]:
        """Returns the reads of a variable by operations, without those of accumulations."""
        reads = [read for read in self.table.reads if read.variable == variable.name]
        return [r for r in reads if r.reader.moment is Phase.DATED and not r.is_running]

    def remote_reads_of(self, variable: Variable) -> list[Read]:
        """Returns the reads that may be those of a value of another rank, without those at the place of the value."""
        reads = dict.fromkeys(read for read, _ in remote_reads(self.table) if read.variable == variable.name)
        place = self.place_of(variable)
        return [read for read in reads if place is None or not self._is_at_home(read, place)]

    def _is_at_home(self, read: Read, places: Sequence[Affine]) -> bool:
        names = self.system.variable(read.variable).domain.space.names
        values = dict(zip(names, read.function.outputs, strict=True))
        of_value = [place.substitute(values) for place in places]
        elsewhere = differences(of_value, self._places_in(read.occurrence.date))
        return (read.domain & Domain.where(read.domain.space, *elsewhere)).is_empty()

    @property
    def _ends(self) -> Ends:
        """Returns the ends of the places of this rank; None if it has no interval."""
        return None if self.block else self.names.own

    def stored(self, variable: Variable) -> Domain:
        """Returns the points in own cells of this rank: it computes them; of an input, it reads them. Those that it
        receives are there too without a ghost map. If places are dealt out, all ranks have them.
        """
        if self.is_combined(variable):
            return self.computed(variable, None)
        reads = self.reads_of(variable) if self.ghost_of(variable) is None else []
        return union(
            [self.computed(variable, self._ends), *(self.read_at(r, self._ends) for r in reads)], variable.domain
        )

    def received(self, variable: Variable) -> Domain:
        """Returns the points that this rank may receive."""
        read = union([self.read_at(r, self._ends) for r in self.remote_reads_of(variable)], variable.domain)
        return (read & self.computed(variable, None)) - (
            Domain.empty(variable.domain.space) if self.block else self.computed(variable, self._ends)
        )

    def is_combined(self, variable: Variable) -> bool:
        """Returns True if all ranks have the values, which they combine at the end of a step."""
        return variable.name in self.distribution.combined

    def ghost_of(self, variable: Variable) -> Cell | None:
        """Returns the cell of received points, if a ghost map gives them one that is not their own."""
        ghost = self.distribution.ghosts[variable.name]
        return None if ghost is self.cells[variable.name] else ghost

    def place_of(self, variable: Variable) -> tuple[Affine, ...] | None:
        """Returns the place of each point: where it is computed, of an input where it is read; None if this is no
        affine function of the indices.
        """
        names, places = variable.domain.space.names, self.place_names(variable)
        parts = [self._homes(statement, places) for statement in self.statements_of(variable)]
        if variable.kind is Kind.INPUT:
            parts += [self.readers_at(read, places) for read in self.reads_of(variable)]
        whole = union(parts, Domain.universe(self.system.space((*names, *places))))
        if whole.is_empty():
            return None
        solution = solve(hull_equalities(whole), places)
        return None if solution is None else tuple(solution[place] for place in places)

    def _homes(self, statement: Statement, places: tuple[str, ...]) -> Domain:
        """Returns the points that the operations write, each with its place."""
        names, space = self.system.variable(statement.variable).domain.space.names, statement.domain.space
        outputs = (*statement.target.renamed(space.names).outputs, *self._places_in(statement.dates))
        return statement.domain.image(AffineFunction(space, outputs), (*names, *places))

    @property
    def owners(self) -> dict[str, tuple[Affine, ...]]:
        """Returns the places of computed values, where they are affine functions of the indices; of combined ones those
        of the contributions, over the names of the body of the reduction.
        """
        owners = dict[str, tuple[Affine, ...]]()
        for statement in self.table.mapping.statements:
            variable = self.system.variable(statement.variable)
            place = self.place_of(variable)
            if self.is_combined(variable):
                names = statement.reduction.projection.domain.names
                place = self._places_in(statement.date.renamed(names).outputs)
            if place is not None:
                owners[variable.name] = place
        return owners

    def place_names(self, variable: Variable) -> tuple[str, ...]:
        """Returns names for places, other than those of the indices."""
        words = tuple(f"place{position}" for position in range(self.distribution.width))
        return unlike(words, (*variable.domain.space.names, *self.system.parameters))

    def readers_at(self, read: Read, places: tuple[str, ...]) -> Domain:
        """Returns the points that are read, each with the places of its readers."""
        outputs = (*read.function.outputs, *self._places_in(read.occurrence.date))
        names = self.system.variable(read.variable).domain.space.names
        return read.domain.image(AffineFunction(read.domain.space, outputs), (*names, *places))

    def sent(self, variable: Variable) -> tuple[SentPoints, ...] | None:
        """Returns the points of a variable in the messages of a step, for each distributed dimension: of a grid, those
        to places that differ in this dimension alone; None if a reader differs in both.
        """
        names, places = variable.domain.space.names, self.place_names(variable)
        homes, pairs = self._in_a_step(variable)
        space, rest, sent = homes.space, pairs, []
        for place in places:
            line = pairs & homes.onto([name for name in space.names if name != place]).embedded(space)
            points = (line - homes).onto(names)
            readers_and_home = ((line | homes) & points.embedded(space)).onto((*names, place))
            home = (homes & points.embedded(space)).onto((place,))
            sent.append(SentPoints(points.coalesced(), readers_and_home.coalesced(), home))
            rest = rest - line
        return tuple(sent) if (rest - homes).is_empty() else None

    def _in_a_step(self, variable: Variable) -> tuple[Domain, Domain]:
        """Returns the points that are computed in a step, each with its place, and with the places that read it."""
        names, places = variable.domain.space.names, self.place_names(variable)
        whole = Domain.universe(self.system.space((*names, *places)))
        in_step = [replace(s, domain=self.owned(s, None, in_step=True)) for s in self.statements_of(variable)]
        homes = union([self._homes(statement, places) for statement in in_step], whole)
        readers = union([self.readers_at(read, places) for read in self.remote_reads_of(variable)], whole)
        return homes, readers & homes.onto(names).embedded(whole.space)

    def _dealt_out_message(self, variable: Variable) -> tuple[Domain, tuple[PlaceBox, ...]]:
        """Returns the points of a variable that other places read in a step, and the places of their readers.

        Raises Rejected(AZ407) for places that are no boxes.
        """
        homes, pairs = self._in_a_step(variable)
        points = (pairs - homes).onto(variable.domain.space.names)
        inside, width = points.embedded(pairs.space), self.distribution.width
        if points.is_empty():
            return points, ()
        names = self.place_names(variable)
        by_read = (self.readers_at(read, names) & inside for read in self.remote_reads_of(variable))
        for readers in ((pairs | homes) & inside,), (pairs & inside,), by_read:
            places = [boxes(part.coalesced(), points, width) for part in readers]
            if None not in places:
                return points, tuple(box for part in places for box in part or ())
        what = "intervals" if width == 1 else "boxes"
        raise _refused(f"the places that read {variable.name} are not {what}", self.distribution.span)

    def exchanged(self, variable: Variable) -> Domain:
        """Returns the points of an input that a rank reads, of an output that it computes, in a part of its places."""
        part = self.names.own
        if variable.kind is not Kind.INPUT:
            return self.computed(variable, part if self.is_by_parts(variable) else None)
        ends = part if self.is_by_parts(variable) else None
        return union([self.read_at(read, ends) for read in self.reads_of(variable)], variable.domain)

    def is_by_parts(self, variable: Variable) -> bool:
        """Returns True if ranks exchange their points with the caller part by part of their places. Combined values are
        on all ranks, and, if places are dealt out, inputs whose points are read at several places.
        """
        if self.is_combined(variable):
            return False
        return (
            not self.block
            or variable.kind is not Kind.INPUT
            or bool(self._dealt([(self.cells[variable.name], variable)]))
        )

    def all_steps(self) -> Domain:
        """Returns the steps of all operations."""
        return self._dates(range(self.distribution.position), in_steps=True)

    def places(self) -> tuple[tuple[c.Expression, c.Expression], ...]:
        """Returns the smallest place, and the one behind the largest, in each distributed dimension."""
        dimensions = range(self.distribution.position, self.distribution.position + self.distribution.width)
        box = bounding_box(self._dates(dimensions), self.system.context)
        ends = ([integer(bound(one, self.c_parameters)) for one in side] for side in (box.lower, box.upper))
        return tuple((low, c.Binary("+", high, c.Literal("1"))) for low, high in zip(*ends, strict=True))

    def _dates(self, dimensions: Iterable[int], in_steps: bool = False) -> Domain:
        wanted, parts = tuple(dimensions), []
        names = unlike(tuple(f"date{position}" for position in range(len(wanted))), self.system.parameters)
        for statement in self.table.mapping.statements:
            outputs = tuple(statement.dates[at] for at in wanted)
            dates = statement.domain.image(AffineFunction(statement.domain.space, outputs), names)
            parts.append(self.distribution.with_steps(statement, dates, names) if in_steps else dates)
        return union(parts, Domain.universe(self.system.space(names)))

    # --- storage ------------------------------------------------------------------------------------------------------

    @property
    def c_parameters(self) -> dict[str, Affine]:
        return {name: Affine.name(identifier(name)) for name in self.system.parameters}

    def storage(self, names: Identifiers) -> Storage:
        """Returns the arrays of one rank, for the cells of its own and its received points."""
        needed = {statement.variable for statement in self.table.mapping.statements}
        needed |= {v.name for v in self.system.inputs}
        variables = [v for v in self.system.variables if v.name in needed]
        own: dict[str, list[tuple[Cell, Variable]]] = {}
        ghosts: dict[str, list[tuple[Cell, Variable]]] = {}
        for variable in variables:
            cell, ghost = self.cells[variable.name], self.ghost_of(variable)
            own.setdefault(cell.space, []).append((cell, replace(variable, domain=self.stored(variable))))
            if ghost is not None and not (received := self.received(variable)).is_empty():
                ghosts.setdefault(ghost.space, []).append((ghost, replace(variable, domain=received)))
        arrays = {
            space: self._array(names, space, own.get(space, []), ghosts.get(space, [])) for space in {**own, **ghosts}
        }
        places: dict[str, StoragePlace] = {
            variable.name: self._placed(variable, arrays, own, ghosts) for variable in variables
        }
        callers = {
            v.name: places[v.name].array for v in (*self.system.inputs, *self.system.outputs) if v.name in needed
        }
        mine = [array.name for array in callers.values()]
        allocated = tuple(array for array in arrays.values() if array.name not in mine)
        return Storage(places=places, callers=callers, allocated=allocated, copied_in=(), copied_out=())

    def _array(
        self,
        names: Identifiers,
        space: str,
        own: Sequence[tuple[Cell, Variable]],
        ghosts: Sequence[tuple[Cell, Variable]],
    ) -> FlatArray:
        kind, type_ = (own[0][1].kind if own else Kind.LOCAL), (*own, *ghosts)[0][1].type
        name = names.new(identifier(space)) if kind is Kind.LOCAL else identifier(own[0][1].name)
        whole, moduli = cells_of_members(self.system, (*own, *ghosts))
        try:
            array = array_over(
                name,
                type_,
                whole,
                self.system.context,
                self.c_parameters,
                moduli,
                is_constant=kind is Kind.INPUT,
                is_filled=True,
            )
        except Unbounded:
            message = f"the memory space {space} has infinitely many cells on a rank"
            raise Rejected(Diagnostic(UNBOUNDED, message, Label((*own, *ghosts)[0][0].span))) from None
        for dealt in () if ghosts else self._dealt(own):
            first, behind = self.places()[dealt.side]
            array = self.tests.dealt(array, dealt, c.Binary("-", behind, first))
        return array

    def _dealt(self, own: Sequence[tuple[Cell, Variable]]) -> tuple[DealtDimension, ...]:
        """Returns the dimensions of a space that have the places of all its points, dealt out."""
        dealt = self.block and not any(self.is_combined(variable) for _, variable in own)
        places = [self.place_of(variable) for _, variable in own] if dealt else []
        halo = (v for _, v in own if v.kind is not Kind.INPUT and self.ghost_of(v) is None and self.remote_reads_of(v))
        known = [place for place in places if place is not None]
        if not places or len(known) < len(places) or any(halo):
            return ()
        every = (dealt_dimension(side, own, known) for side in range(self.distribution.width))
        by_dimension = {one.dimension: one for one in every if one is not None}
        return tuple(by_dimension.values())

    def _placed(
        self,
        variable: Variable,
        arrays: Mapping[str, FlatArray],
        own: Mapping[str, Sequence[tuple[Cell, Variable]]],
        ghosts: Mapping[str, Sequence[tuple[Cell, Variable]]],
    ) -> StoragePlace:
        cell, context = self.cells[variable.name], self.system.context
        stored = next(v for _, v in own[cell.space] if v.name == variable.name)
        plain = placed(cell, stored, arrays[cell.space], context)
        dealt = () if cell.space in ghosts else self._dealt(own[cell.space])
        ghost = self.ghost_of(variable)
        received = [v for _, v in ghosts.get(ghost.space, ()) if v.name == variable.name] if ghost is not None else []
        if not dealt and not received:
            return plain
        place = self.place_of(variable)
        if place is None:
            message = f"the place of {variable.name} is no affine function of its indices"
            raise _refused(message, self.distribution.span)
        remote = {read.reference for read in self.remote_reads_of(variable)}
        home = {read.reference for read in self.reads_of(variable)} - remote
        return RankPlace(
            array=plain.array,
            cell=plain.cell,
            folds=plain.folds,
            tests=self.tests,
            dealt=dealt,
            ghosts=placed(ghost, received[0], arrays[ghost.space], context) if received and ghost is not None else None,
            place=place,
            indices=variable.domain.space.names,
            at_home=frozenset(access for access in home if access),
        )

    # --- functions ----------------------------------------------------------------------------------------------------

    def message(self, name: str, storage: Storage, names: Identifiers) -> c.Function | None:
        """Returns the function that moves the values of a step from one rank to another; None if there are none."""
        ends = self.names.sender
        moved = []
        for variable in self.stored_variables(storage):
            if self.block:
                sent, places = self._dealt_out_message(variable)
                points = self.computed(variable, ends, in_step=True) & sent
                moved.append(MovedPoints(variable, points.coalesced(), storage.places[variable.name], places))
            else:
                read = [self.read_at(r, self.names.receiver) for r in self.remote_reads_of(variable)]
                points = self.computed(variable, ends, in_step=True) & union(read, variable.domain)
                points = self._sent_to_lower(points) if self.scans else points
                moved.append(MovedPoints(variable, points.coalesced(), storage.places[variable.name]))
        is_silent = all(one.points.is_empty() for one in moved)
        return None if is_silent else self.mover.moving(name, moved, names)

    def _sent_to_lower(self, points: Domain) -> Domain:
        """Returns the points in messages beside scans: those for a rank of lower places."""
        ((low, _),), ((_, high),) = self.names.sender, self.names.receiver
        return points & Domain.where(points.space, [at_least(Affine.name(low), Affine.name(high))])

    def common(self, name: str, storage: Storage, names: Identifiers) -> tuple[CommonMessage, ...]:
        """Returns the message of a step to all its receivers, if it is one; of a grid, those along its rows and its
        columns, if all messages of a step are such.
        """
        if self.distribution.way not in (None, Communication.BROADCAST):
            return ()
        variables, messages = self.stored_variables(storage), list[CommonMessage]()
        sent = [self.sent(variable) for variable in variables]
        is_common = None not in sent
        for dimension, line in enumerate(zip(*filter(None, sent), strict=True) if is_common else ()):
            common = common_message(line)
            if common is not None:
                moved = [
                    MovedPoints(v, self._in_line(v, dimension) & one.points, storage.places[v.name])
                    for v, one in zip(variables, line, strict=True)
                ]
                messages.append(self._common(name, dimension, common, moved, names))
            is_common = is_common and (common is not None or all(one.points.is_empty() for one in line))
        choice = self.distribution.communication
        if choice is not None and not (is_common and messages):
            one_place = "one place" if self.distribution.width == 1 else "one row or column of places"
            message = f"the values of a step are not one message of {one_place} for all ranks that receive any"
            raise _refused(message, choice.span, "leave setCommunication out")
        return tuple(messages) if is_common else ()

    def _in_line(self, variable: Variable, dimension: int) -> Domain:
        """Returns the points computed in a step at any place of a dimension, and at those of this rank in the other."""
        ends = [None if position == dimension else side for position, side in enumerate(self.names.own)]
        return self.computed(variable, ends, in_step=True)

    def _common(
        self,
        name: str,
        dimension: int,
        common: tuple[Integer, tuple[PlaceBox, ...]],
        moved: Sequence[MovedPoints],
        names: Identifiers,
    ) -> CommonMessage:
        (place, readers), suffix = common, str(dimension) if self.distribution.width > 1 else ""
        body = (c.Return(receives(readers, self.tests, self.c_parameters, dimension)),)
        return CommonMessage(
            dimension=dimension,
            place=integer(bound(place, self.c_parameters)),
            message=self.mover.moving(f"{name}_common{suffix}", moved, names),
            receives=c.Function(c.INT, f"{name}_receives{suffix}", self.mover.numbers(body), body, "static"),
        )

    def stored_variables(self, storage: Storage) -> list[Variable]:
        """Returns the variables in arrays of the rank that it computes or receives."""
        return [v for v in self.system.variables if v.name in storage.places and v.kind is not Kind.INPUT]

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


def union(parts: Sequence[Domain], like: Domain) -> Domain:
    """Returns the union of sets in the space of a set."""
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
    border = _border(verified, mapping)
    design, program = verified.design, verified.design.program
    text = print_program(program_tree(program, array=True))
    taken, width = dict.fromkeys(re.findall(r"\w+", text)), distribution.width
    scans = rank_scans(distribution.scans, mapping.statements, taken)
    totals = frozenset(scan.total for scan in scans)
    names = RankNames.unlike({*taken, *totals}, distribution.position, width, has_parts=border is not None)
    program = with_totals(program, name, scans)
    checked = read_program(Source("rank.ab", _with_parameters_text(program, name, names.every)))
    stated = dated_totals(design.mapping(name), scans).rebuilt(lambda entry: (_with_parameters(entry, names.every),))
    extended = replace(design, checked=checked).with_mapping(name, stated)
    whole = needed_operations(resolve(extended, name), totals)
    assert whole.distribution is not None
    whole = replace(whole, distribution=replace(whole.distribution, combined=whole.distribution.combined | totals))
    assert whole.distribution is not None
    table = operations(whole)
    ranks = RankMapping(
        verified=replace(verified, design=extended),
        mapping=whole,
        table=table,
        names=names,
        distribution=whole.distribution,
        parameters=mapping.system.parameters,
        border=border,
        scans=scans,
    )
    statements = tuple(ranks.in_a_step(s for s in whole.statements if s.variable not in totals))
    restricted = replace(whole, statements=statements, bands=tuple(_in_one_step(whole.bands, whole.distribution)))
    mappings = {**verified.mappings, name: restricted}
    return replace(ranks, mapping=restricted, verified=replace(ranks.verified, mappings=mappings))


def _border(verified: Verified, mapping: ResolvedMapping) -> Border | None:
    """Returns the border of blocks if messages are overlapped with work: on request, or if it is proved and no message
    is the same for all receivers.

    Raises Rejected(AZ407) for a request that is not possible.
    """
    distribution = mapping.distribution
    assert distribution is not None
    if distribution.way not in (None, Communication.OVERLAP) or not distribution.is_by_blocks:
        return None
    name = mapping.system.name
    overlap = overlap_of(operations(verified.mappings[name]))
    if isinstance(overlap, Border):
        return overlap
    if distribution.communication is not None:
        message = f"messages of {name} are not overlapped with work: {overlap}"
        raise _refused(message, distribution.communication.span, "leave setCommunication out, or change the mapping")
    return None


def _in_one_step(bands: Sequence[Band], distribution: Distribution) -> Iterator[Band]:
    """Yields the bands of the operations of one step, which one tile of the dimensions before the places contains."""
    for band in bands:
        count = distribution.position - band.first if band in distribution.bands else 0
        outermost, *inner = band.sizes
        sizes = ((*(WHOLE for _ in outermost[:count]), *outermost[count:]), *inner)
        if any(size != WHOLE for level in sizes for size in level):
            yield replace(band, sizes=sizes)


def _on_one_rank(statement: Statement) -> tuple[DimensionKind, ...]:
    """Returns the kinds on one rank, which accumulates in the order of the dates."""
    inside = DimensionKind.PARALLEL if statement.merged_at is None else DimensionKind.SEQUENTIAL
    return tuple(inside if kind is DimensionKind.REDUCTION else kind for kind in statement.kinds)


def _with_parameters_text(program: Program, name: str, more: Sequence[str]) -> str:
    """Returns the text of the program, with more parameters of one system."""
    tree = program_tree(program, array=True)
    system = program.system(name)
    context = system.context.with_parameters(more)
    header = domain_text(context, (*system.parameters, *more), system.span)
    systems = tuple(replace(s, parameters=header) if s.name.text == name else s for s in tree.systems)
    return "".join([*identity_lines(program), print_program(replace(tree, systems=systems))])


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
