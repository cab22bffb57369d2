"""Loops that the script wants done in vectors: with reductions for what they accumulate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.expressions import STATUS
from alphaz.codegen.c.nest import innermost_body, loop_around, where_it_runs
from alphaz.codegen.scheduled.accumulators import is_combined
from alphaz.codegen.scheduled.axes import Layout
from alphaz.codegen.scheduled.box_code import in_place_of
from alphaz.codegen.scheduled.independence import collects
from alphaz.codegen.scheduled.operations import Operations, total_name
from alphaz.codegen.scheduled.statements import Work
from alphaz.codegen.scheduled.strip_mining import Cell, collected, each_once, strip
from alphaz.codegen.scheduled.surroundings import Surroundings
from alphaz.loops.modes import Reduction, Vector
from alphaz.loops.tree import For, is_innermost
from alphaz.mapping.statement import Role
from alphaz.model.types import ScalarType
from alphaz.poly.plain.integer import Integer


class _NotInVectors(Exception):
    """The loop accumulates in a way that no clause knows."""


def in_lanes(
    loop: For,
    layout: Layout,
    works: Mapping[str, Work],
    writer: Operations,
    around: Surroundings,
) -> tuple[c.Statement, ...] | None:
    """The loop in vectors, with what it accumulates in local variables; None where it cannot be written like that."""
    flat = loop if is_innermost(loop) else strip(loop)
    if not loop.lanes or flat is None:
        return None
    lanes = _Lanes(loop, layout, works, writer, around, inline=flat is not loop)
    try:
        body = innermost_body(flat, writer.parameters, lanes.operation)
    except _NotInVectors:
        return None
    if flat is not loop:
        body = each_once(collected(body, lanes.cells, writer.names.new))
    if STATUS.name in c.names_used(body) or any(isinstance(s, c.For | c.While) for s in c.statements_in(body)):
        return None
    run = loop_around(loop, writer.parameters, body, lanes.mode())
    if not lanes.totals:
        return (run,)
    made = [c.Declare(total.type, total.name, total.target) for total in lanes.totals]
    kept = [c.Assign(total.target, c.Name(total.name)) for total in lanes.totals]
    return (where_it_runs(loop, writer.parameters, (*made, run, *kept)),)


@dataclass(frozen=True, slots=True)
class _Total:
    """A local variable in the place of a cell."""

    type: str
    name: str
    target: c.Expression


@dataclass(slots=True)
class _Lanes:
    """Writes the operations of one loop. `collected`: the variables that the loop accumulates, by their operator;
    `cells`: those in which single turns accumulate.
    """

    loop: For
    layout: Layout
    works: Mapping[str, Work]
    writer: Operations
    around: Surroundings
    inline: bool = False
    totals: list[_Total] = field(default_factory=list)
    collected: dict[str, list[str]] = field(default_factory=dict)
    cells: dict[c.Expression, Cell] = field(default_factory=dict)

    def mode(self) -> Vector:
        return Vector(tuple(Reduction(operator, name) for operator, names in self.collected.items() for name in names))

    def operation(self, name: str, arguments: Sequence[Integer]) -> tuple[c.Statement, ...]:
        """Raises _NotInVectors."""
        work = self.works[name]
        assert work.statement is not None
        if not self._is_collecting(work):
            written = self.writer.operation(work, arguments, self.around, inline=self.inline)
            if work.statement.role is Role.BODY and isinstance(written[-1], c.Assign):
                self.cells[written[-1].target] = Cell(self._type(work).c_name, total_name(work))
            return written
        operator = work.statement.reduction.operator
        fresh = self.writer.names.new(total_name(work))
        *before, assign = self.writer.operation(work, arguments, self.around, inline=self.inline)
        if not isinstance(assign, c.Assign):
            raise _NotInVectors
        if assign.operator == "=" and assign.target not in c.subexpressions(assign.value):
            return (*before, assign)
        moving = {self.loop.iterator, *(s.name for s in before if isinstance(s, c.Declare))}
        if not is_combined(operator, self._type(work)) or moving & c.names_used([c.Evaluate(assign.target)]):
            raise _NotInVectors
        total = self._total(work, assign.target, fresh)
        names = self.collected.setdefault(operator, [])
        if total not in names:
            names.append(total)
        return (*before, in_place_of(assign, c.Name(total)))

    def _is_collecting(self, work: Work) -> bool:
        """Whether turns of the loop may contribute to one result."""
        statement = work.statement
        assert statement is not None
        at = self.layout.dimension(self.loop.iterator, statement)
        assert at is not None
        return collects(statement, at, self.layout.orders[statement.name])

    def _total(self, work: Work, target: c.Expression, fresh: str) -> str:
        if isinstance(target, c.Name):
            return target.name
        known = next((total.name for total in self.totals if total.target == target), None)
        if known is not None:
            return known
        self.totals.append(_Total(self._type(work).c_name, fresh, target))
        return fresh

    def _type(self, work: Work) -> ScalarType:
        assert work.statement is not None
        return self.writer.mapping.system.variable(work.statement.variable).type
