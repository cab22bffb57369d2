"""The C of a statement instance at the place that the loops have reached, and of loops that accumulate into one
cell.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.codegen.c.expressions import CScope
from alphaz.codegen.c.names import Identifiers
from alphaz.codegen.c.nest import bind, loop_around, where_it_runs, with_used
from alphaz.codegen.c.readable_c import one_by_one
from alphaz.codegen.scheduled.emit.merges import Merging
from alphaz.codegen.scheduled.emit.packing import PackingPlan
from alphaz.codegen.scheduled.emit.register_tile_code import WrittenTile, lanes_of, write_box
from alphaz.codegen.scheduled.memory.emit_context import OUTERMOST, EmitContext, OperandCells
from alphaz.codegen.scheduled.memory.storage import Storage
from alphaz.codegen.scheduled.statements.independence import IndependenceOracle
from alphaz.codegen.scheduled.statements.iteration_groups import GuardedReductions
from alphaz.codegen.scheduled.statements.lowering import TOTALS, ScheduledLowering
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate
from alphaz.codegen.targets.target import Target
from alphaz.loops.tree import For, Instance, Lanes, only_calls
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.model.program import External
from alphaz.poly import Affine
from alphaz.poly.plain.integer_expression import Integer


@dataclass(frozen=True, slots=True)
class Instances:
    """Writes operations of one nest."""

    mapping: ResolvedMapping
    storage: Storage
    externals: Mapping[str, External]
    parameters: Mapping[str, Affine]
    names: Identifiers
    merging: Merging
    effects: IndependenceOracle
    guarded: GuardedReductions
    target: Target
    packing: PackingPlan | None = None

    def operation(
        self,
        action: StatementTemplate,
        arguments: Sequence[Integer],
        around: EmitContext = OUTERMOST,
        taken: Identifiers | None = None,
        *,
        inline: bool = False,
        vector: Lanes | None = None,
    ) -> tuple[c.Statement, ...]:
        """Returns the statement of an action at the point that the loops have reached.

        `taken`: the names around it. `inline`: affine indices have no names. `vector`: of many points these are
        computed at a time.
        """
        names = (taken or self.names).copy()
        declared, scope = bind(action.domain.space.names, arguments, names.new, inline)
        if action.box is None:
            body = action.write(self._lowering(action, names, around), scope)
        else:
            body = self._written(action, scope, names, around, vector).statements
        return (c.Comment(action.comment), *with_used(declared, body))

    def accumulating(
        self, loop: For, actions: Mapping[str, StatementTemplate], around: EmitContext
    ) -> tuple[c.Statement, ...] | None:
        """Returns the loop with its accumulators in local variables; None where it has none."""
        if not loop.kept:
            return None
        names = self.names.copy()
        cells: list[_Kept] = []
        nests: list[tuple[c.Statement, ...]] = []
        for call in only_calls(loop.body):
            if call.name not in loop.kept:
                nests.append(self.operation(actions[call.name], call.arguments, around, names, vector=call.vector))
                continue
            accumulated = self._kept(actions[call.name], loop, call, around, names, names.copy())
            if any(_clash(accumulated.outside, earlier.outside) for earlier in cells):
                apart = Identifiers((), names.taken | {declared.name for cell in cells for declared in cell.outside})
                accumulated = self._kept(actions[call.name], loop, call, around, names, apart)
            cells.append(accumulated)
            nests.append(accumulated.inside)
        result: tuple[c.Statement, ...] = (loop_around(loop, self.parameters, one_by_one(nests)),)
        for cell in reversed(cells):
            result = (c.Comment(cell.comment), *cell.written.around(cell.total, result, names.new))
        outside = dict.fromkeys(declared for cell in cells for declared in cell.outside)
        return (where_it_runs(loop, self.parameters, with_used(tuple(outside), result)),)

    def _kept(
        self,
        action: StatementTemplate,
        loop: For,
        call: Instance,
        around: EmitContext,
        taken: Identifiers,
        names: Identifiers,
    ) -> "_Kept":
        """Returns the accumulation; names of local variables avoid `taken`, those of indices `names`."""
        total = taken.new(total_name(action))
        declared, scope = bind(action.domain.space.names, call.arguments, names.new)
        write = self._single if action.box is None else self._written
        written = write(action, scope, names, around, call.vector)
        assert written.partial is None or written.combining
        inside = tuple(d for d in declared if loop.iterator in c.names_used([d]))
        outside = tuple(d for d in declared if d not in inside)
        return _Kept(
            comment=action.comment,
            total=total,
            written=written,
            inside=with_used(inside, written.inside(total)),
            outside=outside,
        )

    def _written(
        self, action: StatementTemplate, scope: CScope, names: Identifiers, around: EmitContext, vector: Lanes | None
    ) -> WrittenTile:
        assert action.box is not None
        assert action.statement is not None
        type_ = self.mapping.system.variable(action.statement.variable).type
        along = (vector, self._lowering(action, names.copy(), around)) if vector else None
        return write_box(action, scope, type_, self._lowering(action, names, around), along)

    def lanes(self, action: StatementTemplate, arguments: Sequence[Integer], around: EmitContext) -> Lanes | None:
        """Returns the points of a register tile that can be computed at a time in the vectors of the machine; None: one
        by one.
        """
        assert action.statement is not None
        type_ = self.mapping.system.variable(action.statement.variable).type
        names = self.names.copy()
        _, scope = bind(action.domain.space.names, arguments, names.new)
        return lanes_of(action, scope, type_, self.target.vectors, self._lowering(action, names, around))

    def _single(
        self, action: StatementTemplate, scope: CScope, names: Identifiers, around: EmitContext, _: Lanes | None
    ) -> WrittenTile:
        assert action.statement is not None
        *before, assign = action.write(self._lowering(action, names, around), scope)
        assert isinstance(assign, c.Assign)
        type_ = self.mapping.system.variable(action.statement.variable).type
        return WrittenTile(loops=(), before=tuple(before), assign=assign, type=c.scalar(type_), element=c.scalar(type_))

    def _lowering(self, action: StatementTemplate, names: Identifiers, around: EmitContext) -> ScheduledLowering:
        return self.lowering(names, around, packed=action.uses_buffers)

    def lowering(self, names: Identifiers, around: EmitContext, *, packed: bool = True) -> ScheduledLowering:
        """Returns the lowering. `packed`: reads of packed values use their buffers."""
        buffers = self.packing.reads if packed and self.packing is not None else {}
        return ScheduledLowering(
            facts=self.mapping.facts,
            externals=self.externals,
            parameters=self.parameters,
            new_name=names.new,
            mapping=self.mapping,
            cells=OperandCells(
                mapping=self.mapping,
                storage=self.storage,
                parameters=self.parameters,
                around=around,
                buffers=buffers,
            ),
            guarded_of=self.guarded.of,
        )


@dataclass(frozen=True, slots=True)
class _Kept:
    """An accumulation into a local variable: its statements in an iteration, and the declaration before the loop."""

    comment: str
    total: str
    written: WrittenTile
    inside: tuple[c.Statement, ...]
    outside: tuple[c.Declare, ...]


def _clash(some: Sequence[c.Declare], others: Sequence[c.Declare]) -> bool:
    """Returns True if a name is declared in two ways."""
    return any(declare.name == other.name and declare != other for declare in some for other in others)


def total_name(action: StatementTemplate) -> str:
    """Returns the name of the local variable for an accumulation."""
    assert action.statement is not None
    return TOTALS.get(action.statement.reduction.operator, "total")
