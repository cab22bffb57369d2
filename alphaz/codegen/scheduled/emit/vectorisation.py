"""Innermost loops in vectors: the loops that a script requests, and their contents.

In a vector loop around the points of a register tile, an iteration computes all of them, written one after the other:
several rows are computed at once, each with a sum of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.c import tree as c
from alphaz.codegen.c.expressions import STATUS, combiner
from alphaz.codegen.c.nest import loop_around, loops_in_c, reached_instances, scope, where_it_runs
from alphaz.codegen.scheduled.emit.instances import Instances, total_name
from alphaz.codegen.scheduled.emit.register_tile_code import in_place_of
from alphaz.codegen.scheduled.emit.triangles import triangle_in_c
from alphaz.codegen.scheduled.loop_levels import LoopNames
from alphaz.codegen.scheduled.memory.emit_context import EmitContext, is_combined
from alphaz.codegen.scheduled.statements.independence import collects
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.loops.modes import Reduction, Register, Vector
from alphaz.loops.tree import Block, For, Instance, Let, Node, is_innermost
from alphaz.loops.triangles import triangle_of
from alphaz.mapping.statement import Role
from alphaz.model.types import ScalarType
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerOperation, as_affine, substitute

# More operations than this in one iteration are not worth their text.
_MOST = 32


def strip(loop: For) -> For | None:
    """Returns the loop with all operations of an iteration in a row, its loops in registers too; None where one of
    these has no constant length, or the text would be too long.
    """
    instances: list[Instance] = []
    for call in _calls(loop.body, {}):
        if call is None or len(instances) == _MOST:
            return None
        instances.append(call)
    return replace(loop, body=Block(tuple(instances)))


def _calls(node: Node, values: Mapping[str, Integer]) -> Iterator[Instance | None]:
    """Yields the operations at their points; None for other nodes."""
    match node:
        case Instance(name, arguments):
            yield Instance(name, tuple(substitute(argument, values) for argument in arguments))
        case Block(children):
            for child in children:
                yield from _calls(child, values)
        case Let(iterator, _, value, body):
            yield from _calls(body, {**values, iterator: substitute(value, values)})
        case For(iterator, _, first, _, _, _, body, Register()) if (count := _length(node)) is not None:
            start = substitute(first, values)
            for position in range(count):
                here = IntegerOperation("+", (start, IntegerConstant(position))) if position else start
                yield from _calls(body, {**values, iterator: here})
        case _:
            yield None


def _length(loop: For) -> int | None:
    """Returns the number of iterations, where that is a constant."""
    first, bound = as_affine(loop.first), as_affine(loop.bound)
    if first is None or bound is None or loop.step != IntegerConstant(1) or not (bound - first).is_constant:
        return None
    return max(0, (bound - first).constant + (loop.comparison == "<="))


@dataclass(frozen=True, slots=True)
class LaneCell:
    """A place in memory in which operations accumulate: its type, and the name of the variable that replaces it."""

    type: c.Type
    stem: str


def collect_in_locals(
    body: Sequence[c.Statement], cells: Mapping[c.Expression, LaneCell], new_name: Callable[[str], str]
) -> tuple[c.Statement, ...]:
    """Returns an iteration in which several accumulations into one cell use a local variable."""
    statements = tuple(body)
    for target, cell in cells.items():
        if sum(isinstance(s, c.Assign) and s.target == target for s in statements) < 2:
            continue
        name = new_name(cell.stem)
        local = tuple(_with_local(s, target, c.Name(name)) for s in statements)
        where = _behind_what_it_needs(local, target)
        touched = c.names_used([c.Evaluate(_array(target))]) & c.names_used(local)
        if not touched and name not in c.names_used(local[:where]):
            statements = (*_declared(local, name, cell.type, target, where), c.Assign(target, c.Name(name)))
    return statements


def _declared(
    body: Sequence[c.Statement], name: str, type_: c.Type, target: c.Expression, where: int
) -> tuple[c.Statement, ...]:
    """Returns the statements with the declaration of the local variable: initialised from the cell, unless it is set
    first, when the cell may be unset.
    """
    at, first = next((position, s) for position, s in enumerate(body) if name in c.names_used([s]))
    if isinstance(first, c.Assign) and first.operator == "=" and name not in c.names_used([c.Evaluate(first.value)]):
        return (*body[:at], c.Declare(type_, name, first.value), *body[at + 1 :])
    return (*body[:where], c.Declare(type_, name, target), *body[where:])


def _behind_what_it_needs(body: Sequence[c.Statement], target: c.Expression) -> int:
    """Returns the first position where the target can be read: after all declarations of names that it uses."""
    used = c.names_used([c.Evaluate(target)])
    declared = [position for position, s in enumerate(body, 1) if isinstance(s, c.Declare) and s.name in used]
    return max(declared, default=0)


def _with_local(statement: c.Statement, target: c.Expression, local: c.Expression) -> c.Statement:
    if isinstance(statement, c.Assign) and statement.target == target:
        return in_place_of(statement, local)
    return statement


def _array(target: c.Expression) -> c.Expression:
    while isinstance(target, c.Index):
        target = target.base
    return target


def each_once(body: Sequence[c.Statement]) -> tuple[c.Statement, ...]:
    """Removes comments that occurred before."""
    commented: set[c.Statement] = set()
    statements: list[c.Statement] = []
    for statement in body:
        if isinstance(statement, c.Comment):
            if statement in commented:
                continue
            commented.add(statement)
        statements.append(statement)
    return tuple(statements)


@dataclass(frozen=True, slots=True)
class Innermost:
    """Writes such loops of one nest. `actions` are its statements by their names."""

    layout: LoopNames
    actions: Mapping[str, StatementTemplate]

    def written(self, loop: For, around: EmitContext, instances: Instances) -> tuple[c.Statement, ...] | None:
        """Returns the loop; None where it needs no special treatment."""
        triangle = triangle_of(loop) if loop.kept else None
        if triangle is not None:
            return triangle_in_c(triangle, self.actions, instances, around)
        if not loop.vector_dimension:
            return instances.accumulating(loop, self.actions, around)
        statements = in_vectors(loop, self.layout, self.actions, instances, around)
        assert statements is not None, "a loop is done in vectors where it fits"
        return statements


class _NotInVectors(Exception):
    """The loop accumulates by an operator for which there is no clause."""


def in_vectors(
    loop: For,
    layout: LoopNames,
    actions: Mapping[str, StatementTemplate],
    writer: Instances,
    around: EmitContext,
) -> tuple[c.Statement, ...] | None:
    """Returns the loop in vectors, with its accumulators in local variables; None where it does not fit."""
    flat = loop if is_innermost(loop) else strip(loop)
    if flat is None:
        return None
    written = _VectorLoop(
        loop=loop, layout=layout, actions=actions, writer=writer, around=around, inline=flat is not loop
    )
    try:
        operations = {call: written.operation(call.name, at) for call, at in reached_instances(flat, writer.parameters)}
    except _NotInVectors:
        return None
    body = scope(loops_in_c(flat.body, writer.parameters, operations))
    if flat is not loop:
        body = each_once(collect_in_locals(body, written.cells, writer.names.new))
    if STATUS.name in c.names_used(body) or any(isinstance(s, c.For | c.While) for s in c.statements_in(body)):
        return None
    run = writer.target.forms.loop(loop_around(loop, writer.parameters, body), written.mode())
    if not written.totals:
        return run
    made = [c.Declare(total.type, total.name, total.target) for total in written.totals]
    stores = [c.Assign(total.target, c.Name(total.name)) for total in written.totals]
    return (where_it_runs(loop, writer.parameters, (*made, *run, *stores)),)


@dataclass(frozen=True, slots=True)
class _Total:
    """A local variable that replaces a cell."""

    type: c.Type
    name: str
    target: c.Expression


@dataclass(slots=True)
class _VectorLoop:
    """Writes the operations of one loop. `collected`: the variables that the loop accumulates, by their operator;
    `cells`: those in which single iterations accumulate.
    """

    loop: For
    layout: LoopNames
    actions: Mapping[str, StatementTemplate]
    writer: Instances
    around: EmitContext
    inline: bool = False
    totals: list[_Total] = field(default_factory=list)
    collected: dict[str, list[str]] = field(default_factory=dict)
    cells: dict[c.Expression, LaneCell] = field(default_factory=dict)

    def mode(self) -> Vector:
        return Vector(tuple(Reduction(operator, name) for operator, names in self.collected.items() for name in names))

    def operation(self, name: str, arguments: Sequence[Integer]) -> tuple[c.Statement, ...]:
        """Raises _NotInVectors."""
        action = self.actions[name]
        assert action.statement is not None
        if not self._is_collecting(action):
            written = self.writer.operation(action, arguments, self.around, inline=self.inline)
            if action.statement.role is Role.BODY and isinstance(written[-1], c.Assign):
                self.cells[written[-1].target] = LaneCell(c.scalar(self._type(action)), total_name(action))
            return written
        operator = action.statement.reduction.operator
        fresh = self.writer.names.new(total_name(action))
        *before, assign = self.writer.operation(action, arguments, self.around, inline=self.inline)
        if not isinstance(assign, c.Assign):
            raise _NotInVectors
        if assign.operator == "=" and assign.target not in c.subexpressions(assign.value):
            return (*before, assign)
        moving = {self.loop.iterator, *(s.name for s in before if isinstance(s, c.Declare))}
        if not is_combined(operator, self._type(action)) or moving & c.names_used([c.Evaluate(assign.target)]):
            raise _NotInVectors
        total = self._total(action, assign.target, fresh)
        names = self.collected.setdefault(combiner(operator, self._type(action)), [])
        if total not in names:
            names.append(total)
        return (*before, in_place_of(assign, c.Name(total)))

    def _is_collecting(self, action: StatementTemplate) -> bool:
        """Returns True if iterations of the loop may contribute to one result."""
        statement = action.statement
        assert statement is not None
        axis = self.layout.dimension(self.loop.iterator, statement)
        assert axis is not None
        return collects(statement, axis, self.layout.orders[statement.name])

    def _total(self, action: StatementTemplate, target: c.Expression, fresh: str) -> str:
        if isinstance(target, c.Name):
            return target.name
        known = next((total.name for total in self.totals if total.target == target), None)
        if known is not None:
            return known
        self.totals.append(_Total(c.scalar(self._type(action)), fresh, target))
        return fresh

    def _type(self, action: StatementTemplate) -> ScalarType:
        assert action.statement is not None
        return self.writer.mapping.system.variable(action.statement.variable).type
