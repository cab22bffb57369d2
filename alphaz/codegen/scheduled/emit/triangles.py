"""Triangles of register tiles in C: the accumulators of the tile are in a local array, in vectors along its columns.

Step d adds column d of the array to memory, finishes its values, and accumulates in whole vectors. Their operands are
copied, with zeros up to column d: those columns of the array are not read any more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.codegen.c.expressions import CScope
from alphaz.codegen.c.names import Identifiers
from alphaz.codegen.c.nest import counting
from alphaz.codegen.c.readable_c import INDEX
from alphaz.codegen.scheduled.emit.instances import Instances, total_name
from alphaz.codegen.scheduled.emit.register_tile_code import Combining, replace_expression
from alphaz.codegen.scheduled.emit.vectors import (
    NoVector,
    VectorCells,
    VectorType,
    has_vector_form,
    is_vector,
    value_operands,
    vector_of,
)
from alphaz.codegen.scheduled.memory.emit_context import EmitContext
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.loops.tree import Instance
from alphaz.loops.triangles import Triangle
from alphaz.model.expression import Access
from alphaz.model.walk import walk
from alphaz.poly import Affine
from alphaz.poly.plain.integer_expression import as_affine, of_affine

Statements = tuple[c.Statement, ...]

# Of shorter rows, the copies of the operands take longer than the vectors save.
_LEAST_COLUMNS, _LEAST_VECTORS = 16, 2


def triangle_in_c(
    triangle: Triangle, actions: Mapping[str, StatementTemplate], writer: Instances, around: EmitContext
) -> Statements | None:
    """Returns the loops; None where the accumulation has no form as vectors, or rows are short."""
    action = actions[triangle.update.name]
    assert action.statement is not None
    type_ = writer.mapping.system.variable(action.statement.variable).type
    vector = vector_of(type_, triangle.column_count, writer.target.vectors)
    if vector is None or triangle.column_count < max(_LEAST_COLUMNS, _LEAST_VECTORS * vector.lanes):
        return None
    names = writer.names.copy()
    step, row, column = (names.new(name) for name in ("d", "r", "s"))
    written = _TriangleInC(
        triangle=triangle,
        actions=actions,
        writer=writer,
        around=around,
        names=names,
        vector=vector,
        iterators=(step, row, column),
        total=names.new(f"{total_name(action)}s"),
    )
    try:
        return written.statements()
    except NoVector:
        return None


@dataclass(frozen=True, slots=True)
class _Operand:
    """A vector in memory, and the value of its first element."""

    code: c.Expression
    about: c.ValueAnnotation


@dataclass(frozen=True, slots=True)
class _TriangleInC:
    """Writes one triangle. `iterators` are those of its steps, rows and columns, from 0 on; `total` is the array."""

    triangle: Triangle
    actions: Mapping[str, StatementTemplate]
    writer: Instances
    around: EmitContext
    names: Identifiers
    vector: VectorType
    iterators: tuple[str, str, str]
    total: str

    def statements(self) -> Statements:
        """Raises NoVector."""
        triangle, (step, _, column) = self.triangle, self.iterators
        steps, rows, columns = triangle.step_count, triangle.row_count, triangle.column_count
        lane = self.names.new("lane")
        assign, operands = self._update(Affine.name(column) * self.vector.lanes, lane)
        _, elements = self._update(Affine.name(column), lane)
        copies, value = [(self.names.new("row"), operand) for operand in elements], assign.value
        for operand, (name, _) in zip(operands, copies, strict=True):
            value = replace_expression(value, operand.code, self._vector(c.Index(c.Name(name), c.Name(step))))
        vector = self._vector(self._row_of_total)
        finishing = [statement for call in triangle.finishing for statement in self._instance(call)]
        whole = None if assign.about is None else assign.about.without_term
        update = self._vectors(replace(assign, target=vector, value=value))
        rest = self._columns(c.Literal(str(steps)), columns, self._combined(column))
        return (
            c.Comment(f"{self._action.comment}, a triangle of {columns} x {rows}"),
            c.Declare(self._array(rows), self.total),
            self._rows(self._vectors(c.Assign(vector, c.compound(self.vector.type, c.ZERO), about=whole))),
            *(statement for copy in copies for statement in self._copy(*copy)),
            c.Pragma(f"GCC unroll {steps}"),
            counting(step, c.Literal(str(steps)), (self._rows(self._combined(step), *finishing, update),)),
            *((self._rows(rest),) if steps < columns else ()),
        )

    @property
    def _action(self) -> StatementTemplate:
        return self.actions[self.triangle.update.name]

    def _scope(self, call: Instance, column: Affine) -> CScope:
        """Returns the point of an instance in the row and step that the loops have reached, at this column."""
        step, row, _ = map(Affine.name, self.iterators)
        triangle, known = self.triangle, self.writer.parameters
        first, first_row = (value.substitute(known) for value in (triangle.first, triangle.first_row))
        values = {
            **known,
            triangle.steps.iterator: first + step,
            triangle.rows.iterator: first_row + row,
            triangle.columns.iterator: first + column,
        }
        arguments = (as_affine(argument) for argument in call.arguments)
        point = tuple(argument.substitute(values) for argument in arguments if argument is not None)
        return CScope(self.actions[call.name].domain.space.names, point)

    def _update(self, column: Affine, lane: str) -> tuple[c.Assign, list[_Operand]]:
        """Returns the accumulation into the vector from this column on, and its operands that are vectors in memory.
        Raises NoVector.
        """
        action = self._action
        assert action.expression is not None
        lowering = self.writer.lowering(self.names, self.around, packed=action.uses_buffers)
        vectors = replace(lowering, cells=VectorCells.of(lowering.cells, lane, self.vector))
        scope = self._scope(self.triangle.update, column + Affine.name(lane))
        *before, assign = action.write(vectors, scope)
        if before or not isinstance(assign, c.Assign) or assign.operator != "+=" or not is_vector(assign.target):
            raise NoVector
        operands: dict[c.Expression, _Operand] = {}
        for access in (node for node in walk(action.expression) if isinstance(node, Access)):
            code = vectors.cells.read(access, vectors.image(access.function, scope))
            about = c.ValueAnnotation(
                access.variable, lowering.image(access.function, self._scope(self.triangle.update, column))
            )
            operands[code] = _Operand(code, about)
        parts = dict.fromkeys(part for part in value_operands(assign.value) if _is_in_memory(part))
        # Only operands that all rows have are copied.
        is_of_row = self.iterators[1] in c.names_used([c.Evaluate(part) for part in parts])
        if not parts or is_of_row or not has_vector_form(assign.value) or lane in c.names_used([assign]):
            raise NoVector
        if not parts.keys() <= operands.keys():
            raise NoVector
        return assign, [operands[part] for part in parts]

    def _copy(self, name: str, operand: _Operand) -> Statements:
        """Returns a copy of an operand at the columns after each step, with zeros before them."""
        step, _, column = self.iterators
        steps, columns = self.triangle.step_count, self.triangle.column_count
        local = c.Index(c.Name(name), c.Name(step))
        zero = c.Assign(self._vector(local), c.compound(self.vector.type, c.ZERO))
        copy = c.Assign(c.Index(local, c.Name(column)), _first_element(operand.code), about=operand.about)
        after = c.Binary("+", c.Name(step), c.Literal("1"))
        body = (self._vectors(zero), self._columns(after, columns, copy))
        return c.Declare(self._array(steps), name), counting(step, c.Literal(str(steps)), body)

    def _combined(self, column: str) -> c.Assign:
        """Returns the addition of the array to memory at the column of this name."""
        action = self._action
        assert action.statement is not None
        lowering = self.writer.lowering(self.names, self.around, packed=action.uses_buffers)
        *_, assign = action.write(lowering, self._scope(self.triangle.update, Affine.name(column)))
        assert isinstance(assign, c.Assign)
        about = None if assign.about is None else assign.about.without_term
        element = c.Index(self._row_of_total, c.Name(column))
        operator = action.statement.reduction.operator
        return Combining(operator, self.vector.element, self.writer.externals).into(assign.target, element, about)

    def _instance(self, call: Instance) -> Statements:
        """Returns an instance that finishes a value."""
        arguments = tuple(map(of_affine, self._scope(call, Affine.name(self.iterators[0])).values))
        # The iterators are no parameters of the program.
        return self.writer.operation(self.actions[call.name], arguments, self.around, self.names, inline=True)

    @property
    def _row_of_total(self) -> c.Expression:
        return c.Index(c.Name(self.total), c.Name(self.iterators[1]))

    def _vector(self, row: c.Expression) -> c.Expression:
        """Returns the vector in a row of a local array that the loop over vectors has reached."""
        place = c.Binary("*", c.Literal(str(self.vector.lanes)), c.Name(self.iterators[2]))
        return c.Unary("*", c.Cast(c.Pointer(self.vector.type), c.Unary("&", c.Index(row, place))))

    def _vectors(self, assign: c.Assign) -> c.Statement:
        """Returns the loop over the vectors of a row."""
        return counting(self.iterators[2], c.Literal(str(self.triangle.column_count // self.vector.lanes)), (assign,))

    def _rows(self, *body: c.Statement) -> c.Statement:
        return counting(self.iterators[1], c.Literal(str(self.triangle.row_count)), body)

    def _columns(self, first: c.Expression, end: int, assign: c.Assign) -> c.Statement:
        """Returns a loop over columns, one by one."""
        test = c.Binary("<", c.Name(self.iterators[2]), c.Literal(str(end)))
        return c.counted(INDEX, self.iterators[2], first, test, c.Literal("1"), (assign,))

    def _array(self, rows: int) -> c.Type:
        row = c.Array(c.scalar(self.vector.element), c.Literal(str(self.triangle.column_count)))
        return c.Array(row, c.Literal(str(rows)))


def _is_in_memory(code: c.Expression) -> bool:
    """Returns True for a vector in memory."""
    return isinstance(code, c.Unary) and code.operator == "*" and isinstance(code.operand, c.Cast)


def _first_element(code: c.Expression) -> c.Expression:
    """Returns the first element of a vector in memory."""
    match code:
        case c.Unary("*", c.Cast(_, c.Unary("&", element))):
            return element
    raise NoVector
