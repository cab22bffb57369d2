"""The operation of a register tile in C: loops of constant length over its points, with vectors where that is possible.

The accumulators of a whole loop for one tile are in an array of constant size, which compilers hold in registers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.codegen.c.expressions import CScope, CValue, identity
from alphaz.codegen.c.nest import counting
from alphaz.codegen.scheduled.emit.vectors import (
    NoVector,
    VectorCells,
    VectorType,
    broadcast,
    has_vector_form,
    is_vector,
    vector_of,
)
from alphaz.codegen.scheduled.statements.lowering import ScheduledLowering, accumulate
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate, TileInstance
from alphaz.loops.tree import Lanes
from alphaz.machine import Vectors
from alphaz.mapping.statement import Role
from alphaz.model.program import External
from alphaz.model.types import ScalarType
from alphaz.poly import Affine
from alphaz.poly.algorithms.tile_corners import BoxStep, box_points, corners_on_grid

_LANE = "lane"

Loops = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Partial:
    """The points of a box that count: inside `loops`, over single points, `assign` is executed where `test` holds."""

    loops: Loops
    assign: c.Assign
    test: c.Expression

    def nest(self, assign: c.Assign) -> tuple[c.Statement, ...]:
        return _nest(self.loops, (c.If(self.test, (assign,)),))


@dataclass(frozen=True, slots=True)
class Combining:
    """The combination of contributions: with the neutral element first, then with the target."""

    operator: str
    type: ScalarType
    externals: Mapping[str, External]

    @property
    def identity(self) -> c.Expression:
        return identity(self.operator, self.type, self.externals).code

    def into(self, target: c.Expression, local: c.Expression, about: c.ValueAnnotation | None) -> c.Assign:
        return replace(
            accumulate(self.operator, CValue(target, self.type), CValue(local, self.type), self.externals), about=about
        )


@dataclass(frozen=True, slots=True)
class WrittenTile:
    """The code for the points of a box: `before` and `assign` are inside `loops` (iterator, count), outermost first.

    `type` is that of the target: of a vector, where the innermost loop goes from vector to vector. `element` is the
    type of one point. `combining`: the accumulator of a loop begins with the neutral element, and is combined with the
    target after it: it is a separate value, and the equations need no annotation for it.
    """

    loops: Loops
    before: tuple[c.Statement, ...]
    assign: c.Assign
    type: c.Type
    element: c.Type
    combining: Combining | None = None
    partial: Partial | None = None
    vector: VectorType | None = None

    @property
    def about(self) -> c.ValueAnnotation | None:
        """Returns the value whose partial sum is made before and after the additions."""
        return None if self.assign.about is None else self.assign.about.without_term

    @property
    def statements(self) -> tuple[c.Statement, ...]:
        if self.partial is not None:
            return self.partial.nest(self.partial.assign)
        return _nest(self.loops, (*self.before, self.assign))

    def inside(self, name: str) -> tuple[c.Statement, ...]:
        """Returns the same code with a local variable (an array where there are loops) as target.

        The terms of a sum are added one by one where it begins from zero: each is a multiply-add.
        """
        local = in_place_of(self.assign, _at(name, self.loops))
        terms = _terms(local.value) if self.combining and local.operator == "+=" else [local.value]
        return _nest(self.loops, (*self.before, *(replace(local, value=term) for term in terms)))

    def around(
        self, name: str, loop: tuple[c.Statement, ...], new_name: Callable[[str], str]
    ) -> tuple[c.Statement, ...]:
        """Returns the local variable, declared before and written back after a loop that accumulates into it."""
        local, target = _at(name, self.loops), self.assign.target
        if not self.loops and self.vector is None:
            return (
                c.Declare(self.type, name, target, about=self.about),
                *loop,
                c.Assign(target, local, about=self.about),
            )
        declared = c.Declare(_array(self.type, self.loops), name)
        if self.combining is None:
            first, last = (c.Assign(*pair, about=self.about) for pair in ((local, target), (target, local)))
            return (declared, *_nest(self.loops, (first,)), *loop, *_nest(self.loops, (last,)))
        first = c.Assign(local, self._identity(self.combining), about=self.about)
        if self.partial is not None:
            back = self._some_back(name, self.partial, self.combining, new_name)
            return (declared, *_nest(self.loops, (first,)), *loop, *back)
        begun = _nest(self.loops, (first, _fetched(target)))
        return (declared, *begun, *loop, *_nest(self.loops, (self.combining.into(target, local, self.about),)))

    def _identity(self, combining: Combining) -> c.Expression:
        if self.vector is None:
            return combining.identity
        zero = c.compound(self.type, c.ZERO)
        return zero if combining.operator == "+" else c.Binary("+", zero, combining.identity)

    def _some_back(
        self, name: str, partial: Partial, combining: Combining, new_name: Callable[[str], str]
    ) -> tuple[c.Statement, ...]:
        """Returns the write-back of some points. Vectors are taken apart in memory, so that those of the loop stay in
        registers.
        """
        about = None if partial.assign.about is None else partial.assign.about.without_term
        if self.type == self.element:
            return partial.nest(combining.into(partial.assign.target, _at(name, partial.loops), about))
        copy = new_name(f"{name}s")
        outer, along = self.loops[: len(partial.loops) - 1], self.loops[len(partial.loops) - 1 :]
        inner: c.Expression = c.ZERO
        for iterator, count in along:
            inner = c.Binary("*", c.Literal(str(partial.loops[-1][1] // count)), c.Name(iterator))
        place = c.Unary("&", c.Index(_at(copy, outer), inner))
        vector = c.Unary("*", c.Cast(c.Pointer(self.type), place))
        return (
            c.Declare(_array(self.element, partial.loops), copy),
            *_nest(self.loops, (c.Assign(vector, _at(name, self.loops), about=self.about),)),
            *partial.nest(combining.into(partial.assign.target, _at(copy, partial.loops), about)),
        )


def _nest(loops: Loops, body: Sequence[c.Statement]) -> tuple[c.Statement, ...]:
    statements = tuple(body)
    for iterator, count in reversed(loops):
        statements = (counting(iterator, c.Literal(str(count)), statements),)
    return statements


def _at(name: str, loops: Loops) -> c.Expression:
    """Returns the element of a local array that belongs to an iteration of the loops."""
    local: c.Expression = c.Name(name)
    for iterator, _ in loops:
        local = c.Index(local, c.Name(iterator))
    return local


def _terms(value: c.Expression) -> list[c.Expression]:
    match value:
        case c.Binary("+", left, right):
            return [*_terms(left), *_terms(right)]
    return [value]


def _array(type_: c.Type, loops: Loops) -> c.Type:
    """Returns the type of an array with an element for each iteration."""
    for _, count in reversed(loops):
        type_ = c.Array(type_, c.Literal(str(count)))
    return type_


def _fetched(target: c.Expression) -> c.Statement:
    """Returns a prefetch of the target during other computation."""
    match target:
        case c.Unary("*", c.Cast(_, address)):
            return c.Evaluate(c.Call("__builtin_prefetch", (address, c.Literal("1"))))
    return c.Evaluate(c.Call("__builtin_prefetch", (c.Unary("&", target), c.Literal("1"))))


def in_place_of(assign: c.Assign, local: c.Expression) -> c.Assign:
    """Returns the same assignment to another target, which it also reads where it read its target."""
    return c.Assign(local, replace_expression(assign.value, assign.target, local), assign.operator, assign.about)


def replace_expression(code: c.Expression, old: c.Expression, new: c.Expression) -> c.Expression:
    """Returns the expression with every occurrence of `old` replaced."""
    if code == old:
        return new
    match code:
        case c.Binary(operator, left, right):
            return c.Binary(operator, replace_expression(left, old, new), replace_expression(right, old, new))
        case c.Unary(operator, operand):
            return c.Unary(operator, replace_expression(operand, old, new))
        case c.Call(function, arguments):
            return c.Call(function, tuple(replace_expression(a, old, new) for a in arguments))
        case c.Cast(type_, operand):
            return c.Cast(type_, replace_expression(operand, old, new))
        case c.Ternary(condition, then, otherwise):
            return c.Ternary(*(replace_expression(operand, old, new) for operand in (condition, then, otherwise)))
    return code


def _shift_scope(scope: CScope, moves: Mapping[str, Affine]) -> CScope:
    """Returns the point that the iterators of the steps have reached, from a corner."""
    values = (value + moves.get(name, 0) for name, value in zip(scope.names, scope.values, strict=True))
    return CScope(scope.names, tuple(values))


def write_box(
    action: StatementTemplate,
    scope: CScope,
    type_: ScalarType,
    plain: ScheduledLowering,
    vectors: tuple[Lanes, ScheduledLowering] | None,
) -> WrittenTile:
    """Returns the operation at a corner. `vectors`: the points that are computed at a time, if there are several, and
    their lowering, with the names that `plain` has.
    """
    assert action.box is not None
    box, steps, vectorised = action.box, action.box.steps, None
    if vectors is not None:
        lanes, lowering = vectors
        along = next(step for step in box.steps if step.name == lanes.along)
        steps = _last(box.steps, along)
        vectorised = _with_vectors(action, box, along, scope, VectorType(type_, lanes.count), lowering)
    names = _iterators(box, plain)
    here = _shift_scope(scope, {s.name: Affine.name(n) * s.sign for s, n in zip(steps, names, strict=True)})
    *before, assign = action.write(plain, here)
    assert isinstance(assign, c.Assign)
    loops = tuple(zip(names, (step.size for step in steps), strict=True))
    name = c.scalar(type_)
    written = vectorised or WrittenTile(loops=loops, before=tuple(before), assign=assign, type=name, element=name)
    combining = _combining(action, type_, plain)
    return replace(written, combining=combining, partial=_partial(action, box, loops, assign, plain, here))


def lanes_of(
    action: StatementTemplate, scope: CScope, type_: ScalarType, longest: Vectors, lowering: ScheduledLowering
) -> Lanes | None:
    """Returns the points at a corner that can be computed at a time, in vectors of at most `longest`; None where there
    are none.
    """
    assert action.box is not None
    for along in reversed(action.box.steps):
        vector = vector_of(type_, along.size, longest)
        if along.sign != 1 or vector is None:
            continue
        try:
            _with_vectors(action, action.box, along, scope, vector, lowering)
        except NoVector:
            continue
        return Lanes(along.name, vector.lanes)
    return None


def _combining(action: StatementTemplate, type_: ScalarType, lowering: ScheduledLowering) -> Combining | None:
    """Returns the combination; None where a value is assigned."""
    if action.statement is None or action.statement.role is not Role.BODY or action.assigns:
        return None
    return Combining(action.statement.reduction.operator, type_, lowering.externals)


def _partial(
    action: StatementTemplate, box: TileInstance, loops: Loops, assign: c.Assign, plain: ScheduledLowering, here: CScope
) -> Partial | None:
    if box.mask is None:
        return None
    known = box_points(corners_on_grid(box.corners, tuple(box.keys.values()), box.steps, box.mask), box.steps)
    test = plain.test(box.mask, known, CScope(action.domain.space.names, here.values))
    return Partial(loops, assign, test or c.Literal("1"))


def _last(steps: Sequence[BoxStep], along: BoxStep) -> tuple[BoxStep, ...]:
    return (*(step for step in steps if step is not along), along)


def _iterators(box: TileInstance, lowering: ScheduledLowering) -> list[str]:
    return [lowering.new_name(name) for name, _ in zip(("r", "s", *"r" * len(box.steps)), box.steps, strict=False)]


def _with_vectors(
    action: StatementTemplate,
    box: TileInstance,
    along: BoxStep,
    scope: CScope,
    vector: VectorType,
    lowering: ScheduledLowering,
) -> WrittenTile:
    """Returns the tile whose innermost loop goes along this step, from vector to vector; a single vector needs no
    loop. Raises NoVector."""
    steps = _last(box.steps, along)
    names = _iterators(box, lowering)
    lane, count = lowering.new_name(_LANE), vector.lanes
    moves = {step.name: Affine.name(name) * step.sign for step, name in zip(steps, names, strict=True)}
    corner = Affine.name(names[-1]) * count if along.size > count else Affine()
    moves[along.name] = corner + Affine.name(lane)
    vectors = replace(lowering, cells=VectorCells.of(lowering.cells, lane, vector))
    *before, assign = action.write(vectors, _shift_scope(scope, moves))
    if before or not isinstance(assign, c.Assign) or not has_vector_form(assign.value) or not is_vector(assign.target):
        raise NoVector
    if lane in c.names_used([assign]):
        raise NoVector
    if assign.operator == "=" and not is_vector(assign.value):
        assign = replace(assign, value=broadcast(assign.value, vector))
    counts = (*(step.size for step in steps[:-1]), along.size // count)
    loops = tuple(zip(names, counts, strict=True))
    return WrittenTile(
        loops=loops if along.size > count else loops[:-1],
        before=(),
        assign=assign,
        type=vector.type,
        element=c.scalar(vector.element),
        vector=vector,
    )
