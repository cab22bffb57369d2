"""Innermost loops in vectors: the loops that a script requests, and their contents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from alphaz.c import tree as c
from alphaz.codegen.c.expressions import STATUS, combiner
from alphaz.codegen.c.nest import loop_around, loops_in_c, reached_instances, scope, where_it_runs
from alphaz.codegen.scheduled.accumulators import is_combined
from alphaz.codegen.scheduled.emit_context import EmitContext
from alphaz.codegen.scheduled.independence import collects
from alphaz.codegen.scheduled.instances import Instances, total_name
from alphaz.codegen.scheduled.loop_names import LoopNames
from alphaz.codegen.scheduled.statement_templates import StatementTemplate
from alphaz.codegen.scheduled.strip_mining import LaneCell, collect_in_locals, each_once, strip
from alphaz.codegen.scheduled.tile_code import in_place_of
from alphaz.loops.modes import Reduction, Vector
from alphaz.loops.tree import For, is_innermost
from alphaz.mapping.statement import Role
from alphaz.model.types import ScalarType
from alphaz.poly.plain.integer import Integer


@dataclass(frozen=True, slots=True)
class Innermost:
    """Writes such loops of one nest. `actions` are its statements by their names."""

    layout: LoopNames
    actions: Mapping[str, StatementTemplate]

    def written(self, loop: For, around: EmitContext, instances: Instances) -> tuple[c.Statement, ...] | None:
        """Returns the loop; None where it needs no special treatment."""
        if not loop.vector_dimension:
            return instances.accumulating(loop, self.actions, around)
        found = in_vectors(loop, self.layout, self.actions, instances, around)
        assert found is not None, "a loop is done in vectors where it fits"
        return found


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
    run = loop_around(loop, writer.parameters, body, written.mode())
    if not written.totals:
        return (run,)
    made = [c.Declare(total.type, total.name, total.target) for total in written.totals]
    kept = [c.Assign(total.target, c.Name(total.name)) for total in written.totals]
    return (where_it_runs(loop, writer.parameters, (*made, run, *kept)),)


@dataclass(frozen=True, slots=True)
class _Total:
    """A local variable that replaces a cell."""

    type: str
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
                self.cells[written[-1].target] = LaneCell(self._type(action).c_name, total_name(action))
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
        at = self.layout.dimension(self.loop.iterator, statement)
        assert at is not None
        return collects(statement, at, self.layout.orders[statement.name])

    def _total(self, action: StatementTemplate, target: c.Expression, fresh: str) -> str:
        if isinstance(target, c.Name):
            return target.name
        known = next((total.name for total in self.totals if total.target == target), None)
        if known is not None:
            return known
        self.totals.append(_Total(self._type(action).c_name, fresh, target))
        return fresh

    def _type(self, action: StatementTemplate) -> ScalarType:
        assert action.statement is not None
        return self.writer.mapping.system.variable(action.statement.variable).type
