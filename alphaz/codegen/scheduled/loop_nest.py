"""The loops of one mapping, with the queries of passes and of the emission; and why innermost loops are not
vectorised.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.analysis.facts.data_guarded_reductions import GuardDecision
from alphaz.c import tree as c
from alphaz.codegen.c.expressions import STATUS
from alphaz.codegen.c.names import Identifiers
from alphaz.codegen.scheduled.emit.instances import Instances
from alphaz.codegen.scheduled.emit.packing import PackingPlan
from alphaz.codegen.scheduled.emit.triangles import triangle_in_c
from alphaz.codegen.scheduled.emit.vectorisation import in_vectors
from alphaz.codegen.scheduled.loop_levels import LoopNames
from alphaz.codegen.scheduled.memory.buffers import Buffer
from alphaz.codegen.scheduled.memory.emit_context import OUTERMOST, Accumulator, EmitContext
from alphaz.codegen.scheduled.statements.independence import ArrayConflicts, VectorLoops
from alphaz.codegen.scheduled.statements.iteration_groups import selections_in
from alphaz.codegen.scheduled.statements.register_cells import CellSearch
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.legality.loops.independence import Effect, Iterations, crossing, effect_of
from alphaz.legality.loops.loop_obligations import FEW, never_empty
from alphaz.loops.modes import Parallel, Register, Vector
from alphaz.loops.nonempty import LoopPlace
from alphaz.loops.passes.launches import MERGING_THREADS, KeptCell, LaunchRole, Shared, SharedAxis
from alphaz.loops.passes.private_arrays import PrivateArray
from alphaz.loops.passes.teams import Collected
from alphaz.loops.tree import (
    Conditional,
    For,
    Instance,
    Lanes,
    Merge,
    Node,
    Pack,
    Selected,
    calls,
    inside,
    is_innermost,
    statement_names,
)
from alphaz.loops.triangles import triangle_of
from alphaz.mapping.dimension_kinds import has_prefix
from alphaz.mapping.launches import threads_of
from alphaz.mapping.statement import Role, Statement
from alphaz.mapping.target_mapping import LaunchDimension, MergeKind
from alphaz.model.expression import Binary, Call, Constant, If, Nary, Reduce, Unary
from alphaz.model.walk import reads, walk
from alphaz.poly import Affine, Domain
from alphaz.poly.plain.integer_expression import Integer, IntegerName


@dataclass(frozen=True, slots=True)
class LoopNest:
    """The loops of one mapping; at first the instances at their dates, before any pass.

    `actions` are the statements by their names; `failing` caches which of them may fail.
    """

    actions: Mapping[str, StatementTemplate]
    layout: LoopNames
    names: Identifiers
    writer: Instances
    packing: PackingPlan
    tree: Node
    failing: dict[str, bool] = field(default_factory=dict, repr=False)

    @property
    def statements(self) -> dict[str, Statement]:
        return {name: action.statement for name, action in self.actions.items() if action.statement is not None}

    @property
    def statement_of(self) -> dict[str, str]:
        """Returns the names of the statements of calls."""
        return {name: statement.name for name, statement in self.statements.items()}

    @property
    def comments(self) -> dict[str, str]:
        """Returns the comments of the statements, by their names."""
        return {name: action.comment for name, action in self.actions.items()}

    def is_parallel(self, loop: For) -> bool:
        """Returns True if the script makes the loop parallel for all statements inside."""
        statements = self.statements
        return all(self.layout.is_parallel(loop.iterator, statements[name]) for name in statement_names(loop))

    def runs(self, place: LoopPlace, loop: For, first: Integer | None = None) -> bool:
        """Returns True if a loop at a place is proved to have an iteration whenever it is reached, or to have one if it
        began at `first`.
        """
        missing, names = place.without_iterations(loop, first), sorted(statement_names(loop))
        where = f"loop over {loop.iterator} of {' and '.join(names)}"
        span = self.statements[names[0]].span
        asked = self.writer.effects.asked
        return missing is not None and asked.all_hold(never_empty(where, missing, span), FEW)

    def never(self, name: str, claim: str, domain: Domain) -> bool:
        """Returns True if a set of operations of a statement is proved to have no points."""
        asked = self.writer.effects.asked
        return asked.nothing(f"{self.actions[name].comment}: {claim}", domain, self.statements[name].span)

    def is_in_registers(self, loop: For) -> bool:
        """Returns True if a loop is over points along a side of the register tiles of all statements inside, whose
        operations report no failures.
        """
        if loop.iterator not in self.layout.iterators or self.may_fail(loop):
            return False
        return all(self._is_side(loop, self.statements[name]) for name in statement_names(loop))

    def _is_side(self, loop: For, statement: Statement) -> bool:
        at, band = self.layout.dimension(loop.iterator, statement), self.writer.mapping.registers(statement)
        return at is not None and band is not None and band.first <= at <= band.last and band.size(at) != 1

    def chunk(self, loop: For) -> int:
        """Returns the largest chunk that the script sets for a statement inside."""
        statements = self.statements
        return max((self.layout.chunk(loop.iterator, statements[name]) for name in statement_names(loop)), default=0)

    def operations(self, name: str) -> int | None:
        """Returns the number of operators in the expression of an instance, and one for its result; None for calls, and
        for reductions inside."""
        action = self.actions[name]
        if action.statement is not None and action.statement.role is Role.CALL:
            return None
        parts = [] if action.expression is None else list(walk(action.expression))
        if any(isinstance(part, Call | Reduce) for part in parts):
            return None
        return 1 + sum(isinstance(part, Unary | Binary | Nary | If) for part in parts)

    def conflict(self, one: For, other: For) -> bool:
        """Returns True if one of two loops may write an array that the other one accesses."""
        return ArrayConflicts(self.writer.storage, self.actions).meet(one, other)

    def private_arrays(self) -> list[PrivateArray]:
        """Returns the arrays of iterations, with the statements that access them."""
        mapping, statements = self.writer.mapping, self.statements
        arrays: list[PrivateArray] = []
        for space, array in self.writer.storage.private.items():
            own = {name for name, cell in mapping.cells.items() if cell.space == space}
            outer = max(mapping.cells[name].outer for name in own)

            def is_around(iterator: str, name: str, outer: int = outer) -> bool:
                dimension = self.layout.dimension(iterator, statements[name])
                return dimension is not None and dimension < outer

            users = frozenset(name for name in statements if not own.isdisjoint(self._accessed(name)))
            writers = [self._writers_and_readers(variable) for variable in sorted(own)]
            arrays.append(PrivateArray(array.name, users, writers, is_around))
        return arrays

    def _writers_and_readers(self, variable: str) -> tuple[frozenset[str], frozenset[str]]:
        statements = self.statements
        writers = frozenset(name for name, statement in statements.items() if statement.variable == variable)
        return writers, frozenset(name for name in statements if variable in self._read(name))

    def _read(self, name: str) -> frozenset[str]:
        expression = self.actions[name].expression
        return frozenset() if expression is None else reads(expression)

    def _accessed(self, name: str) -> frozenset[str]:
        """Returns the variables that a statement reads and writes."""
        statement = self.actions[name].statement
        return self._read(name) if statement is None else self._read(name) | {statement.variable}

    def new_name(self, stem: str) -> str:
        """Returns a new name of a loop."""
        return self.names.new(stem)

    def joint(self, names: Collection[str]) -> frozenset[int]:
        """Returns the dimensions that blocks share for all of these statements: of several loops inside of another one
        blocks would share none.
        """
        statements = [self.statements[name] for name in names if name in self.statements]
        shared = [
            {entry.position for entry in self.writer.mapping.launches if self._is_shared(entry, statement)}
            for statement in statements
        ]
        return frozenset(set.intersection(*shared)) if shared else frozenset()

    @staticmethod
    def _is_shared(entry: LaunchDimension, statement: Statement) -> bool:
        return not entry.merges and not entry.of_threads and has_prefix(statement, entry.prefix)

    def role(self, loop: For) -> LaunchRole | None:
        """Returns the role of a loop in a launch; None where the script has none for the statements inside."""
        statements = [self.statements[name] for name in statement_names(loop)]
        launches = self.writer.mapping.launches
        entries = [entry for entry in launches if any(has_prefix(statement, entry.prefix) for statement in statements)]
        if not entries:
            return None
        roles = {self._role(loop, statement, entries) for statement in statements}
        return roles.pop() if len(roles) == 1 else LaunchRole()

    def _role(self, loop: For, statement: Statement, entries: Sequence[LaunchDimension]) -> LaunchRole:
        dimension = self.layout.dimension(loop.iterator, statement)
        is_point = loop.iterator in self.layout.iterators
        merging = [
            one for one in entries if one.merges and one.position == dimension and has_prefix(statement, one.prefix)
        ]
        if merging:
            return self._merging_role(loop, statement, dimension, is_point, merging[0].merge)
        if dimension is None or not statement.kinds[dimension].is_shared:
            return LaunchRole()
        own = [entry for entry in entries if entry.position == dimension and has_prefix(statement, entry.prefix)]
        block = next((entry.axis for entry in own if not entry.of_threads), "")
        thread = next((entry for entry in own if entry.of_threads), None)
        tile = self._tile(statement, dimension)
        if not is_point:
            return LaunchRole(block=block if tile is not None and tile[0] == loop.iterator else "")
        if tile is not None:
            block = ""
        origin, size = tile or ("", 0)
        if thread is None:
            return LaunchRole(block=block)
        return LaunchRole(
            block=block, thread=thread.axis, threads=threads_of(thread), origin=origin, size=size,
            registers=thread.registers,
        )  # fmt: skip

    def _merging_role(
        self, loop: For, statement: Statement, dimension: int | None, is_point: bool, merge: MergeKind
    ) -> LaunchRole:
        """Returns the role of a loop whose accumulations are merged: blocks share its tiles, or threads of all blocks
        its values.
        """
        tile = None if dimension is None else self._tile(statement, dimension)
        merging = LaunchRole(merges=True, merge=merge)
        if not is_point:
            return replace(merging, block="x") if tile is not None and tile[0] == loop.iterator else LaunchRole()
        if tile is None:
            return replace(merging, block="x", thread="x", threads=MERGING_THREADS)
        origin, size = tile
        return replace(merging, thread="x", threads=MERGING_THREADS, origin=origin, size=size)

    def are_sums(self, node: Merge) -> bool:
        """Returns True if a GPU can add the contributions that a merge collects atomically."""
        types = [accumulator.type for accumulator in self.accumulators(node) if accumulator.operator == "+"]
        return len(types) == len(self.accumulators(node)) and all(type_.is_float or type_.bits == 32 for type_ in types)

    def collected(self, node: Merge) -> frozenset[str] | None:
        """Returns the instances whose contributions a merge collects; None if one of its results has an array."""
        if not all(accumulator.is_scalar for accumulator in self.accumulators(node)):
            return None
        own = {accumulator.statement.name for accumulator in self.accumulators(node)}
        return frozenset(name for name, statement in self.statement_of.items() if statement in own)

    def _tile(self, statement: Statement, dimension: int) -> tuple[str, int] | None:
        """Returns the loop over the innermost tiles of a dimension, and their size (0: a parameter)."""
        for number, level in reversed([*enumerate(self.writer.mapping.levels)]):
            origins = self.layout.origins.get((number, statement.name), ())
            for tile, origin in zip(level.tiles, origins, strict=False):
                if tile.dimension == dimension:
                    return origin, tile.size or 0
        return None

    def meet(self, one: Shared, other: Shared, around: Sequence[str]) -> bool:
        """Returns True if instances of two groups may access a cell, and one of them writes it, in different threads of
        a block, in one iteration of the loops `around`.
        """
        return any(self._pair_meets(mine, theirs, around) for mine in one for theirs in other)

    def fills_own(self, names: Collection[str], threads: Sequence[tuple[str, int]]) -> bool:
        """Returns True if each thread of a block reads only those elements of the buffers that it has filled."""
        return all(self._fills_own(self.packing.buffers[name], threads) for name in names)

    def _fills_own(self, buffer: Buffer, threads: Sequence[tuple[str, int]]) -> bool:
        statement, shares = buffer.packed.statement, self.packing.shares(buffer, threads)
        same = {
            entry.axis
            for entry in self.writer.mapping.launches
            for side in buffer.sides
            if entry.of_threads and entry.position == side.dimension and has_prefix(statement, entry.prefix)
            if side.name in shares and shares[side.name][0] == entry.axis
            if (tile := self._tile(statement, side.dimension)) is not None and Affine.name(tile[0]) == side.origin
        }
        return same == {axis for axis, _ in threads}

    def kept(self, instances: Sequence[Instance], outside: Collection[str], points: Collection[str]) -> KeptCell | None:
        """Returns the cell in which instances accumulate, if each iteration of the loops `points` has one of its own,
        which all instances that access its array use, and which they have written before they read it. The statements
        `outside` have further instances.
        """
        search = CellSearch(self.writer.mapping, self.writer.storage, self.actions, self._effect)
        return search.kept(instances, outside, points)

    def _pair_meets(
        self,
        one: tuple[str, Mapping[str, SharedAxis]],
        other: tuple[str, Mapping[str, SharedAxis]],
        around: Sequence[str],
    ) -> bool:
        (name, mine), (other_name, theirs) = one, other
        arrays = ArrayConflicts(self.writer.storage, self.actions)
        if not arrays.meet(Instance(name, ()), Instance(other_name, ())):
            return False
        for axis in mine.keys() | theirs.keys():
            is_same = axis in mine and axis in theirs and mine[axis].mode == theirs[axis].mode
            if is_same and mine[axis].is_single and theirs[axis].is_single:
                continue
            is_same = is_same and not mine[axis].is_single and not theirs[axis].is_single
            first = self._iterations(name, mine[axis].iterator if is_same else None, around)
            second = self._iterations(other_name, theirs[axis].iterator if is_same else None, around)
            if first is None or second is None:
                return True
            pairs = [(first, second)]
            if not is_same:
                # Whichever threads they are: all values differ. An instance is in one of the groups only.
                pairs = _other_points(first, second) if name == other_name else [(first, _apart(second))]
            where = f"threads along {axis} of {name} and {other_name}"
            if not all(self.writer.effects.asked.all_hold(crossing(where, *pair)) for pair in pairs):
                return True
        return False

    def _iterations(self, name: str, iterator: str | None, around: Sequence[str]) -> Iterations | None:
        """Returns the instances with the value that chooses their thread; without an iterator this is 0 for all."""
        action = self.actions[name]
        statement = action.statement
        effect = None if statement is None else self._effect(action, statement)
        if statement is None or effect is None:
            return None
        dimension = None if iterator is None else self.layout.dimension(iterator, statement)
        if iterator is not None and dimension is None:
            return None
        points = {at for one in around if (at := self._point(one, statement)) is not None}
        date = statement.date.renamed(action.domain.space.names).outputs
        domain = action.domain.in_context(self.writer.mapping.system.context)
        return Iterations(
            statement=statement,
            effect=effect,
            points=domain,
            keys=tuple(date[at] for at in sorted(points)),
            at=Affine() if dimension is None else date[dimension],
        )

    def _effect(self, action: StatementTemplate, statement: Statement) -> Effect | None:
        """Returns the effect of an instance; that of an initialisation reads nothing."""
        if action.expression is None and statement.role is Role.INIT:
            return effect_of(self.writer.mapping, statement, Constant(0))
        return self.writer.effects.of(action)

    def _point(self, iterator: str, statement: Statement) -> int | None:
        """Returns the dimension of which a loop has one value in an iteration."""
        return self.layout.dimension(iterator, statement) if iterator in self.layout.iterators else None

    def reads(self, name: str, buffer: str) -> bool:
        """Returns True if a statement reads a buffer."""
        return self.packing.is_reader(self.actions[name], self.packing.buffers[buffer])

    def may_fail(self, loop: For) -> bool:
        """Returns True if operations of a loop report failures."""
        return any(self._may_fail(call) for call in calls(loop))

    def _may_fail(self, call: Instance) -> bool:
        action = self.actions[call.name]
        if action.name not in self.failing:
            names = tuple(map(IntegerName, action.domain.space.names))
            self.failing[action.name] = not self._is_of_floats(action) and self._tells(action, names)
        return self.failing[action.name] and self._tells(action, call.arguments)

    def _is_of_floats(self, action: StatementTemplate) -> bool:
        """Returns True if all values are floats: every quotient of floats exists, and none is converted to
        an integer.
        """
        if action.statement is None or action.expression is None:
            return False
        mapping = self.writer.mapping
        types = (mapping.facts.types[node] for node in walk(action.expression))
        return mapping.system.variable(action.statement.variable).type.is_float and all(
            type_.is_float for type_ in types
        )

    def _tells(self, action: StatementTemplate, arguments: Sequence[Integer]) -> bool:
        return STATUS.name in c.names_used(self.writer.operation(action, arguments))

    def lanes(self, call: Instance, merges: Sequence[Merge]) -> Lanes | None:
        """Returns the points that are computed at a time, for a statement of many points that can be computed at once;
        else None.
        """
        action, around = self.actions[call.name], OUTERMOST
        if not self.writer.effects.is_unordered(action):
            return None
        for node in merges:
            around = around.collecting(self.accumulators(node))
        return self.writer.lanes(action, call.arguments, around)

    def fits_vectors(self, loop: For, around: EmitContext) -> bool:
        """Returns True if a loop can be vectorised: a clause combines its accumulations, no operation may fail, and its
        values need no loops.
        """
        trial = replace(self.writer, names=self.writer.names.copy())
        return in_vectors(loop, self.layout, self.actions, trial, around) is not None

    def fits_triangle(self, loop: For) -> bool:
        """Returns True if a triangle of a register tile has a form as vectors, and reports no failures."""
        triangle, trial = triangle_of(loop), replace(self.writer, names=self.writer.names.copy())
        if triangle is None or self.may_fail(loop):
            return False
        return triangle_in_c(triangle, self.actions, trial, OUTERMOST) is not None

    def answering(self, loop: For, group: Selected) -> dict[Reduce, GuardDecision]:
        """Returns the decisions of reductions in a group of iterations of a loop that is split."""
        selections = selections_in(loop, self.actions, self.writer.guarded.of)
        pairs = zip(selections, group.answers[::2], group.answers[1::2], strict=True)
        return {
            selection.guarded.node: GuardDecision(selection.guarded.names, *answers) for selection, *answers in pairs
        }

    def accumulators(self, node: Merge) -> tuple[Accumulator, ...]:
        """Returns the accumulators for the results of a loop, named after their statements."""
        return tuple(self.writer.merging.collected(node, self.statements))

    def collects(self, node: Merge) -> Collected:
        """Returns how a parallel loop combines its accumulations."""
        return self.writer.merging.collects(node, self.statements)

    def in_one(self, node: Merge) -> frozenset[str]:
        """Returns the statements whose contributions are collected in one variable each."""
        return self.writer.merging.in_one(node, self.statements)


def obstacles(nest: LoopNest, vectors: VectorLoops) -> Iterator[str]:
    """Yields the place and the reason for each innermost loop that runs one iteration after the other, without
    duplicates.
    """
    texts = (f"{_place(loop, nest)}: {_obstacle(loop, nest, vectors)}" for loop in _one_by_one(nest.tree))
    yield from dict.fromkeys(texts)


def _one_by_one(node: Node) -> Iterator[For]:
    if isinstance(node, For) and not _has_loop(node.body):
        if not _is_in_vectors(node):
            yield node
        return
    for child in inside(node):
        yield from _one_by_one(child)


def _apart(iterations: Iterations) -> Iterations:
    """Returns the instances with another value than that of any thread."""
    return replace(iterations, at=iterations.at + 1)


def _other_points(first: Iterations, second: Iterations) -> list[tuple[Iterations, Iterations]]:
    """Returns two groups of instances of one statement with values that differ where two points do, index by index."""
    names = map(Affine.name, first.points.space.names)
    return [(replace(first, at=index), replace(second, at=index)) for index in names]


def _has_loop(node: Node) -> bool:
    return isinstance(node, For) or any(map(_has_loop, inside(node)))


def _is_in_vectors(loop: For) -> bool:
    match loop.mode:
        case Vector() | Register() | Parallel(vector=True):
            return True
    return loop.vector_dimension


def _place(loop: For, nest: LoopNest) -> str:
    statements = nest.statements
    names = dict.fromkeys(statements[name].name for name in sorted(statement_names(loop)))
    return f"loop over {loop.iterator} of {' and '.join(names)}"


def _obstacle(loop: For, nest: LoopNest, vectors: VectorLoops) -> str:
    if not is_innermost(loop):
        return _what_is_between(loop.body)
    for name in sorted(statement_names(loop)):
        reason = vectors.obstacle(nest.actions[name], loop.iterator)
        if reason is not None:
            return reason
    if not vectors.is_independent(loop):
        return "its iterations are not proved to be independent"
    if nest.may_fail(loop):
        return "its operations may fail, and report failures in order"
    return "threads run its iterations in sequence, because of private accumulators or buffers"


def _what_is_between(node: Node) -> str:
    """Returns a text for the outermost node inside a loop that is not an instance."""
    match node:
        case Conditional():
            return "it has a test inside"
        case Pack():
            return "packing buffers are filled inside"
        case Merge():
            return "its contributions are merged inside"
    return next((obstacle for child in inside(node) if (obstacle := _what_is_between(child))), "")
