"""The context in which operations are written as C: operand cells, scratch memory, names around a place, and the
accumulators in which the contributions to the results of one loop are collected before they are merged.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.analysis.facts.data_guarded_reductions import GuardDecision
from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray, failing, missing, released, succeeded
from alphaz.codegen.c.expressions import CValue, combiner
from alphaz.codegen.c.nest import scope
from alphaz.codegen.scheduled.memory.buffers import Buffer
from alphaz.codegen.scheduled.memory.storage import Storage
from alphaz.loops.modes import Reduction
from alphaz.loops.strided_loops import multiplied
from alphaz.loops.tree import Scratch
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Access, Expression, Reduce
from alphaz.model.types import ScalarType
from alphaz.order.happens_before import SyncScope
from alphaz.poly import Affine
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, as_affine

# The operators that parallel and vector loops combine, on truths and on numbers; the last one not on floats.
_COMBINED = frozenset({"+", "*", "min", "max", "and", "or", "xor"})


def is_combined(operator: str, type_: ScalarType) -> bool:
    """Returns True if a loop can combine the contributions of its iterations by this operator itself."""
    return operator in _COMBINED and not (operator == "xor" and type_.is_float)


@dataclass(frozen=True, slots=True)
class Accumulator:
    """The accumulators of a statement: one for each of its results in the loop, over their point."""

    statement: Statement
    operator: str
    array: FlatArray

    @property
    def is_scalar(self) -> bool:
        return all(extent == IntegerConstant(1) for extent in self.array.extents)

    @property
    def type(self) -> ScalarType:
        return self.array.type

    @property
    def by_clause(self) -> bool:
        """Returns True if a parallel loop combines the accumulators of its threads."""
        return self.is_scalar and is_combined(self.operator, self.type)

    @property
    def reduction(self) -> Reduction:
        return Reduction(combiner(self.operator, self.type), self.array.name)

    @property
    def size(self) -> Integer:
        """Returns the number of elements."""
        size: Integer = IntegerConstant(1)
        for extent in self.array.extents:
            size = multiplied(size, extent)
        return size

    def element(self, point: Sequence[Affine]) -> c.Expression:
        return c.Name(self.array.name) if self.is_scalar else self.array.element(point)

    def about(self, at: Affine) -> c.ValueAnnotation | None:
        """Returns the sum in the element at this offset from the first one; None where the elements are rows."""
        lower = [as_affine(bound) for bound in self.array.lower]
        first = [bound for bound in lower if bound is not None]
        if len(first) < len(lower) or not (self.is_scalar or len(first) == 1):
            return None
        return c.ValueAnnotation(self.statement.variable, tuple(bound + at for bound in first))

    def stride(self, point: Sequence[Affine], name: str) -> int | None:
        """Returns by how many elements the point's accumulator moves when the identifier grows by 1; None
        if unknown.
        """
        moves = [component.coefficient(name) for component in point]
        if self.is_scalar or not any(moves):
            return 0
        return None if any(moves[:-1]) else moves[-1]


Statements = tuple[c.Statement, ...]


@dataclass(frozen=True, slots=True)
class ScratchMemory:
    """Statements that allocate scratch memory. `failed`: the variable that says whether one of `arrays` is missing;
    `constants`: declarations for the code of the arrays made here.
    """

    made: Statements
    arrays: tuple[FlatArray, ...]
    failed: str | None
    constants: tuple[c.Declare, ...] = ()

    def around(self, body: Statements) -> Statements:
        """Returns the body, executed if the memory was allocated, between allocation and release."""
        if self.failed is not None:
            body = (c.If(succeeded(self.failed), body, (failing(self.failed),)), *released(self.arrays))
        return (*self._used(body), *self.made, *body)

    def guarded(self, body: Statements) -> Statements:
        """Returns the body of a loop that all threads must reach, whether or not they have their memory."""
        return body if self.failed is None else (c.If(succeeded(self.failed), scope(body)),)

    def in_thread(self, loop: Statements, behind: Sequence[c.Statement] = ()) -> Statements:
        """Returns a loop with a guarded body, and the statements of each thread after it."""
        if self.failed is None:
            return (*self._used(loop), *self.made, *loop, *behind)
        failed = (failing(self.failed),)
        end = c.If(succeeded(self.failed), tuple(behind), failed) if behind else c.If(missing(self.failed), failed)
        return (*self._used(loop), *self.made, *loop, end, *released(self.arrays))

    def _used(self, body: Statements) -> Statements:
        used = c.names_used([*self.made, *body])
        return tuple(constant for constant in self.constants if constant.name in used)


@dataclass(frozen=True, slots=True)
class EmitContext:
    """The context of a place. `accumulators` are those of statements, by their names, `totals` those that a thread
    replaces by private ones; `decisions` are the known selections of reductions; `scratch` is allocated around.
    """

    accumulators: Mapping[str, Accumulator] = field(default_factory=dict)
    totals: Mapping[str, Accumulator] = field(default_factory=dict)
    decisions: Mapping[Reduce, GuardDecision] = field(default_factory=dict)
    scratch: tuple[Scratch, ...] = ()

    def collecting(self, these: Iterable[Accumulator]) -> "EmitContext":
        """Returns the context inside a loop with accumulators."""
        return replace(
            self,
            accumulators={**self.accumulators, **{accumulator.statement.name: accumulator for accumulator in these}},
        )

    def knowing(self, decisions: Mapping[Reduce, GuardDecision]) -> "EmitContext":
        """Returns the context in a group of iterations."""
        return replace(self, decisions={**self.decisions, **decisions})

    def allocating(self, scratch: Scratch) -> "EmitContext":
        """Returns the context with scratch memory."""
        return replace(self, scratch=(*self.scratch, scratch))

    def scope_of(self, buffer: str) -> SyncScope:
        """Returns who has a buffer of this name for itself."""
        return next(scratch.scope for scratch in self.scratch if buffer in scratch.buffers)

    def with_own(self, own: Iterable[Accumulator]) -> "EmitContext":
        """Returns the context where each thread has accumulators of its own."""
        return replace(self.collecting(own), totals=self.accumulators)


OUTERMOST = EmitContext()


@dataclass(frozen=True, slots=True)
class OperandCells:
    """The cells of the mapping. `around` is the context of the operation; reads with `buffers` use these."""

    mapping: ResolvedMapping
    storage: Storage
    parameters: Mapping[str, Affine]
    around: EmitContext
    buffers: Mapping[Expression, Buffer]

    def element(self, variable: str, point: Sequence[Affine]) -> c.Expression:
        return self.storage.places[variable].element(point, self.parameters)

    def read(self, access: Access, point: Sequence[Affine]) -> c.Expression:
        """Returns the value that an access reads at a point of its variable."""
        return self.storage.places[access.variable].read(point, self.parameters, access)

    def collected(self, statement: Statement, point: Sequence[Affine]) -> c.Expression:
        """Returns the target of contributions to a result: the result, or an accumulator."""
        place = self.around.accumulators.get(statement.name)
        return place.element(point) if place else self.element(statement.variable, point)

    def packed(self, node: Expression, point: Sequence[Affine]) -> c.Expression:
        """Returns the element of a buffer for this expression."""
        return self.buffers[node].element(point)

    def index(self, value: CValue) -> CValue:
        """Returns the value of an index at the operation."""
        return value
