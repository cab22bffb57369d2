"""The operation of a register tile in C: loops of constant length over its points, with vectors where that is possible.

What is accumulated in one tile by a whole loop is kept in an array of constant size, which compilers hold in registers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.codegen import c_tree as c
from alphaz.codegen.box import Box
from alphaz.codegen.expressions import Scope
from alphaz.codegen.nest import counting
from alphaz.codegen.statements import ScheduledLowering
from alphaz.codegen.vectors import (
    NoVector,
    VectorLowering,
    broadcast,
    has_vector_form,
    is_vector,
    lanes,
    vector_type,
)
from alphaz.codegen.works import Work
from alphaz.model.types import ScalarType
from alphaz.poly import Affine
from alphaz.poly.boxes import Step

_LANE = "lane"


@dataclass(frozen=True, slots=True)
class Written:
    """What is done at the points of a box: `before` and `assign` are inside `loops` (iterator, count), outermost first.

    `type` is that of the target: of a vector, where the innermost loop goes from vector to vector.
    """

    loops: tuple[tuple[str, int], ...]
    before: tuple[c.Statement, ...]
    assign: c.Assign
    type: str

    def nest(self, body: Sequence[c.Statement]) -> tuple[c.Statement, ...]:
        found = tuple(body)
        for iterator, count in reversed(self.loops):
            found = (counting(iterator, c.Literal(str(count)), found),)
        return found

    @property
    def statements(self) -> tuple[c.Statement, ...]:
        return self.nest((*self.before, self.assign))

    def inside(self, name: str) -> tuple[c.Statement, ...]:
        """The same, into a local variable (an array where there are loops) instead of the target."""
        return self.nest((*self.before, in_place_of(self.assign, self._local(name))))

    def around(self, name: str, loop: c.For) -> tuple[c.Statement, ...]:
        """The local variable, made and written back around a loop that accumulates into it."""
        local, target = self._local(name), self.assign.target
        if not self.loops:
            return (c.Declare(self.type, name, target), loop, c.Assign(target, local))
        extents = tuple(count for _, count in self.loops)
        declared = c.Declare(self.type, name, extents=extents)
        return (declared, *self.nest((c.Assign(local, target),)), loop, *self.nest((c.Assign(target, local),)))

    def _local(self, name: str) -> c.Expression:
        local: c.Expression = c.Name(name)
        for iterator, _ in self.loops:
            local = c.Index(local, c.Name(iterator))
        return local


def in_place_of(assign: c.Assign, local: c.Expression) -> c.Assign:
    """The same assignment to another target, and from it where it reads its target."""
    return c.Assign(local, replaced(assign.value, assign.target, local), assign.operator)


def replaced(code: c.Expression, old: c.Expression, new: c.Expression) -> c.Expression:
    """The expression with every occurrence of `old` replaced."""
    if code == old:
        return new
    match code:
        case c.Binary(operator, left, right):
            return c.Binary(operator, replaced(left, old, new), replaced(right, old, new))
        case c.Unary(operator, operand):
            return c.Unary(operator, replaced(operand, old, new))
        case c.Call(function, arguments):
            return c.Call(function, tuple(replaced(a, old, new) for a in arguments))
        case c.Cast(type_, operand):
            return c.Cast(type_, replaced(operand, old, new))
        case c.Ternary(condition, then, otherwise):
            return c.Ternary(*(replaced(each, old, new) for each in (condition, then, otherwise)))
    return code


def _moved(scope: Scope, moves: Mapping[str, Affine]) -> Scope:
    """The point that the iterators of the steps have reached, from a corner."""
    values = (value + moves.get(name, 0) for name, value in zip(scope.names, scope.values, strict=True))
    return Scope(scope.names, tuple(values))


def write_box(
    work: Work, scope: Scope, type_: ScalarType, plain: ScheduledLowering, vector: VectorLowering | None
) -> Written:
    """The operation at a corner. `vector` is tried first where there is one; it has the names that `plain` has."""
    assert work.box is not None
    if vector is not None:
        for along in reversed(work.box.steps):
            try:
                return _with_vectors(work, work.box, along, scope, vector)
            except NoVector:
                continue
    names = _iterators(work.box, plain)
    moves = {step.name: Affine.name(n) * step.sign for step, n in zip(work.box.steps, names, strict=True)}
    *before, assign = work.write(plain, _moved(scope, moves))
    assert isinstance(assign, c.Assign)
    counts = (step.size for step in work.box.steps)
    return Written(tuple(zip(names, counts, strict=True)), tuple(before), assign, type_.c_name)


def _iterators(box: Box, lowering: ScheduledLowering) -> list[str]:
    return [lowering.new_name(name) for name, _ in zip(("r", "s", *"r" * len(box.steps)), box.steps, strict=False)]


def _with_vectors(work: Work, box: Box, along: Step, scope: Scope, lowering: VectorLowering) -> Written:
    """The innermost loop goes along this step, from vector to vector. Raises NoVector."""
    count = lanes(lowering.type)
    if along.sign != 1 or not count or along.size % count:
        raise NoVector
    steps = (*(step for step in box.steps if step is not along), along)
    names = _iterators(box, lowering)
    lowering.lane = lowering.new_name(_LANE)
    moves = {step.name: Affine.name(name) * step.sign for step, name in zip(steps, names, strict=True)}
    moves[along.name] = Affine.name(names[-1]) * count + Affine.name(lowering.lane)
    *before, assign = work.write(lowering, _moved(scope, moves))
    if before or not isinstance(assign, c.Assign) or not has_vector_form(assign.value) or not is_vector(assign.target):
        raise NoVector
    if lowering.lane in c.names_used([assign]):
        raise NoVector
    if assign.operator == "=" and not is_vector(assign.value):
        assign = replace(assign, value=broadcast(assign.value, lowering.type))
    counts = (*(step.size for step in steps[:-1]), along.size // count)
    return Written(tuple(zip(names, counts, strict=True)), (), assign, vector_type(lowering.type))
