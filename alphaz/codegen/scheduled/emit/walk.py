"""Emits C from the tree after the last pass, in one walk; the context of a place is passed down as a value."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from alphaz.analysis.facts.data_guarded_reductions import GuardDecision
from alphaz.c import tree as c
from alphaz.c.walk import Part, rebuilt
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.expressions import CScope
from alphaz.codegen.c.integers import bound, in_c, integer
from alphaz.codegen.c.names import Identifiers, identifier
from alphaz.codegen.c.nest import (
    LoopForms,
    bind,
    enough_in_c,
    loop_around,
    loops_in_c,
    node_in_c,
    reached_instances,
    where_it_runs,
    with_used,
)
from alphaz.codegen.c.readable_c import CONSTANT, one_by_one
from alphaz.codegen.scheduled.emit.instances import Instances
from alphaz.codegen.scheduled.emit.packing import PackingPlan
from alphaz.codegen.scheduled.emit.vectorisation import Innermost
from alphaz.codegen.scheduled.loop_levels import LoopNames
from alphaz.codegen.scheduled.memory.emit_context import OUTERMOST, EmitContext
from alphaz.codegen.scheduled.statements.iteration_groups import selections_in
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.loops.modes import Parallel
from alphaz.loops.tree import (
    Allocate,
    Barrier,
    Combine,
    For,
    Instance,
    Keep,
    Let,
    Merge,
    MergeGrid,
    Node,
    Pack,
    Scratch,
    Team,
    calls,
    in_row,
    inside,
)
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Reduce
from alphaz.order.happens_before import SyncScope
from alphaz.poly import Affine
from alphaz.poly.plain.integer_expression import IntegerName, as_affine

# Writes a loop in another way than as a loop of statements, or does not.
Write = Callable[[For, EmitContext, Instances], tuple[c.Statement, ...] | None]


def in_groups(
    loop: For, actions: Mapping[str, StatementTemplate], writer: Instances, around: EmitContext, write: Write
) -> tuple[c.Statement, ...] | None:
    """Returns the loop in its groups, each written by `write`; None where it is not split."""
    if loop.split is None:
        return None
    split, declared = loop.split, list[c.Statement]()
    names: dict[str, Affine] = {}
    reductions: list[tuple[Reduce, tuple[str, ...]]] = []
    for selection, wanted in zip(selections_in(loop, actions, writer.guarded.of), split.wanted, strict=True):
        values = tuple(value.substitute(writer.parameters) for value in selection.point or ())
        constants, made = writer.lowering(writer.names, around).wanted(
            selection.guarded, CScope(selection.guarded.outer, values)
        )
        declared += made
        names |= zip(wanted, map(Affine.name, constants), strict=True)
        reductions.append((selection.guarded.node, constants))
    limits: list[c.Declare] = []
    for limit, value in zip(split.limits, (loop.first, loop.bound), strict=True):
        known = bound(value, writer.parameters)
        affine = as_affine(known)
        if affine is None:
            affine = Affine.name(writer.names.new("limit"))
            limits.append(c.Declare(CONSTANT, affine.names[0], integer(known)))
        names[limit] = affine
    groups = _Groups(
        loop=replace(loop, split=None, runs=False),
        actions=actions,
        writer=replace(writer, parameters={**writer.parameters, **names}),
        write=write,
        around=[_knowing(around, reductions, group.answers) for group in split.groups],
        vectors=[group.vector for group in split.groups],
    )
    written = (*declared, *with_used(limits, groups.written(split.tree)))
    return (where_it_runs(loop, writer.parameters, written),)


def _knowing(
    around: EmitContext, found: Sequence[tuple[Reduce, tuple[str, ...]]], answers: Sequence[bool]
) -> EmitContext:
    """Returns the context of a group with these answers, two for each reduction."""
    pairs = zip(found, answers[::2], answers[1::2], strict=True)
    return around.knowing({node: GuardDecision(names, *answer) for (node, names), *answer in pairs})


@dataclass(frozen=True, slots=True)
class _Groups:
    """Writes the groups of a loop; `around` has the context of each of them, `vectors` the vectorised ones."""

    loop: For
    actions: Mapping[str, StatementTemplate]
    writer: Instances
    write: Write
    around: Sequence[EmitContext]
    vectors: Sequence[bool]

    def written(self, node: Node) -> tuple[c.Statement, ...]:
        """Returns the loops over the iterations of the groups; calls have the numbers of groups."""
        match node:
            case For(body=Instance(group)):
                here = self.around[int(group)]
                part = replace(
                    self.loop,
                    first=node.first,
                    comparison=node.comparison,
                    bound=node.bound,
                    vector_dimension=self.vectors[int(group)],
                )
                return self.write(part, here, self.writer) or self._plain(part, here)
            case Instance(group, (value,)):
                loop, body = self.loop, self.loop.body
                is_own = value == IntegerName(loop.iterator)
                there = body if is_own else Let(loop.iterator, loop.dimension, value, body)
                return self._plain(there, self.around[int(group)])
        inner = [self.written(child) for child in inside(node)]
        return node_in_c(node, self.writer.parameters, inner, self.writer.target.forms)

    def _plain(self, node: Node, around: EmitContext) -> tuple[c.Statement, ...]:
        parameters = self.writer.parameters
        operations = {
            call: self.writer.operation(self.actions[call.name], arguments, around)
            for call, arguments in reached_instances(node, parameters)
        }
        return loops_in_c(node, parameters, operations, self.writer.target.forms)


Statements = tuple[c.Statement, ...]


_FOR_ALL = "; these buffers are for all threads"


@dataclass(frozen=True, slots=True)
class Emission:
    """Emits the tree of one nest. `actions` are its statements by their names, `names` the names in the
    surrounding C.
    """

    actions: Mapping[str, StatementTemplate]
    layout: LoopNames
    names: Identifiers
    parameters: Mapping[str, Affine]
    instances: Instances
    packing: PackingPlan

    def written(self, tree: Node) -> Statements:
        return self._node(tree, OUTERMOST)

    def _node(self, node: Node, around: EmitContext) -> Statements:
        match node:
            case Allocate(Scratch(buffers=(name,), space=space), body) if name in self._private:
                return (c.Block((self._private_array(name, space), *self._node(body, around))),)
        special = self._special(node, around)
        if special is not None:
            return special
        inner = [self._node(child, around) for child in inside(node)]
        return node_in_c(node, self.parameters, inner, self._forms)

    @property
    def _private(self) -> dict[str, FlatArray]:
        return {array.name: array for array in self.instances.storage.private.values()}

    def _private_array(self, name: str, space: c.AddressSpace) -> c.Declare:
        """Returns the declaration of an array in the memory of an iteration."""
        array = self._private[name]
        of_block = c.AddressSpace.SHARED if space is c.AddressSpace.SHARED else c.AddressSpace.HOST
        return c.Declare(c.Array(c.scalar(array.type), c.Literal(str(array.size))), name, space=of_block)

    @property
    def _forms(self) -> LoopForms:
        return self.instances.target.forms

    def _special(self, node: Node, around: EmitContext) -> Statements | None:
        """Returns the statements of a node that is more than a loop or a test around statements; None otherwise."""
        merging = self.instances.merging
        match node:
            case Instance(name, arguments, vector):
                here = tuple(in_c(argument, self.parameters) for argument in arguments)
                return self.instances.operation(self.actions[name], here, around, vector=vector)
            case Keep():
                return self._kept(node, around)
            case Pack():
                bare = self.instances.lowering(self.names, around, packed=False)
                return one_by_one((self.packing.filled(node, self.actions, bare), self._node(node.body, around)))
            case Merge(grid=MergeGrid() as grid):
                behind = self.instances.lowering(self.names, around)
                collection = merging.collection(node, self._statements, behind)
                body = self._node(node.body, around.collecting(collection.accumulators))
                return self._forms.merge(merging.by_blocks(collection, grid, body))
            case Merge():
                behind = self.instances.lowering(self.names, around)
                collection = merging.collection(node, self._statements, behind)
                return collection.around(self._node(node.body, around.collecting(collection.accumulators)))
            case Combine(names):
                return tuple(merging.combined(around.totals[name], around.accumulators[name]) for name in names)
            case Team(_, Allocate() as own, enough):
                return self._forms.team(self._of_thread(own, around), enough_in_c(enough, self.parameters))
            case Allocate(Scratch(space=c.AddressSpace.SHARED) as scratch, body):
                return (*self.packing.of_block(scratch.buffers), *self._node(body, around.allocating(scratch)))
            case Allocate(scratch, body):
                provision = self.packing.made(scratch.buffers)
                is_shared = scratch.scope is SyncScope.TEAM
                comment = c.Comment(f"What tiles read over and over is packed{_FOR_ALL if is_shared else ''}.")
                return (comment, *provision.around(self._node(body, around.allocating(scratch))))
            case For(mode=Parallel(reductions=reductions)) if reductions:
                return self._shared_out(node, self._node(node.body, around), around)
            case For():
                innermost = Innermost(self.layout, self.actions)
                groups = in_groups(node, self.actions, self.instances, around, innermost.written)
                return groups or innermost.written(node, around, self.instances)
        return None

    def _kept(self, node: Keep, around: EmitContext) -> Statements:
        """Returns the statements of a loop with cells in registers of threads, and those that write the cells."""
        (call,) = calls(node.store)
        action = self.actions[call.name]
        assert action.statement is not None
        variable = action.statement.variable
        name = self.names.new(f"own_{identifier(variable)}")
        type_ = c.scalar(self.instances.mapping.system.variable(variable).type)
        names, place = self.names.copy(), self.instances.storage.places[variable].own
        declared, scope = bind(action.domain.space.names, call.arguments, names.new)
        target = action.statement.target.renamed(action.domain.space.names)
        point = [output.substitute(dict(zip(scope.names, scope.values, strict=True))) for output in target.outputs]
        cell, element = place.element(point, self.parameters), _register(name, node)
        write = c.Assign(cell, element, about=c.ValueAnnotation(variable, tuple(point)))
        store = loops_in_c(node.store, self.parameters, {call: (*declared, write)}, self._forms)
        body = self._node(node.body, around)
        held = c.Literal(str(prod(node.counts)))
        return (
            c.Declare(c.Array(type_, held), name),
            *(_with(one, place.array.name, element) for one in body),
            *store,
        )

    def _of_thread(self, own: Allocate, around: EmitContext) -> Statements:
        """Returns the statements that each thread executes, with memory of its own."""
        loop, *behind = in_row(own.body)
        assert isinstance(loop, For)
        scratch, here = own.scratch, around.allocating(own.scratch)
        if scratch.collected:
            made, provision = self.instances.merging.of_thread(
                [around.accumulators[name] for name in scratch.collected]
            )
            here = here.with_own(made)
        else:
            provision = self.packing.made(scratch.buffers)
        comment = (c.Comment("Buffers of each thread."),) if scratch.buffers else ()
        run = self._shared_out(loop, provision.guarded(self._node(loop.body, here)), here)
        waits = [s for node in behind if isinstance(node, Barrier) for s in self._node(node, here)]
        rest = [s for node in behind if not isinstance(node, Barrier) for s in self._node(node, here)]
        return (*comment, *provision.in_thread((*run, *waits), rest))

    def _shared_out(self, loop: For, body: Statements, around: EmitContext) -> Statements:
        """Returns a loop that combines its accumulations in the existing accumulators."""
        assert isinstance(loop.mode, Parallel)
        named = tuple(around.accumulators[reduction.name].reduction for reduction in loop.mode.reductions)
        run = loop_around(loop, self.parameters, body)
        return self._forms.loop(run, replace(loop.mode, reductions=named))

    @property
    def _statements(self) -> dict[str, Statement]:
        return {name: action.statement for name, action in self.actions.items() if action.statement is not None}


def _register(name: str, node: Keep) -> c.Expression:
    """Returns the register of the values that the loops have reached."""
    at: c.Expression | None = None
    for counter, count in zip(node.counters, node.counts, strict=True):
        here = c.Name(counter)
        at = here if at is None else c.Binary("+", c.Binary("*", at, c.Literal(str(count))), here)
    return c.Index(c.Name(name), at or c.ZERO)


def _with(statement: c.Statement, array: str, element: c.Expression) -> c.Statement:
    """Returns the statement with an element instead of all elements of an array."""

    def change(part: Part) -> Part | None:
        match part:
            case c.Index(c.Name(name)) if name == array:
                return element
        return None

    return rebuilt(statement, change)
