"""Operations in C where the loops have reached them, and loops that accumulate into cells that they do not change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from alphaz.codegen import c_tree as c
from alphaz.codegen.axes import Layout
from alphaz.codegen.box import Box
from alphaz.codegen.box_code import Written, write_box
from alphaz.codegen.buffers import Buffer
from alphaz.codegen.effects import Effect, effect_of
from alphaz.codegen.expressions import Scope
from alphaz.codegen.merges import Merging
from alphaz.codegen.names import Names
from alphaz.codegen.nest import loop_around, where_it_runs
from alphaz.codegen.packing import Packing
from alphaz.codegen.selections import Decision, Selection, selection_of
from alphaz.codegen.statements import TOTALS, ScheduledLowering, bind, with_used
from alphaz.codegen.storage import Storage
from alphaz.codegen.vectors import VectorLowering
from alphaz.codegen.works import Work
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Role
from alphaz.model.expression import Expression, Reduce
from alphaz.model.program import External
from alphaz.model.types import ScalarType
from alphaz.poly import Affine
from alphaz.poly.integer import Integer
from alphaz.poly.loops import Call, For
from alphaz.poly.nonempty import Reached


@dataclass(slots=True)
class Operations:
    """Writes operations of one nest. `vectors` are the element types of the vectors that have been used.

    `selecting`: reductions visit only the points that they select; `decisions` is what is known of them at the place
    that is being written.
    """

    mapping: ResolvedMapping
    storage: Storage
    externals: Mapping[str, External]
    parameters: Mapping[str, Affine]
    names: Names
    merging: Merging
    packing: Packing | None = None
    vectors: set[ScalarType] = field(default_factory=set)
    selecting: bool = False
    decisions: dict[Reduce, Decision] = field(default_factory=dict)
    _selections: dict[Reduce, Selection | None] = field(default_factory=dict)
    _known: dict[str, bool] = field(default_factory=dict)

    def operation(self, work: Work, arguments: Sequence[Integer], inline: bool = False) -> tuple[c.Statement, ...]:
        """The statement of a work at the point that the loops have reached. `inline`: affine indices have no names."""
        names = self.names.copy()
        declared, scope = bind(work.domain.space.names, arguments, names.new, inline)
        if work.box is None:
            body = work.write(self.lowering(names), scope)
        else:
            body = self._written(work, scope, names).statements
        return (c.Comment(work.comment), *with_used(declared, body))

    def accumulating(
        self, loop: For, layout: Layout, works: Mapping[str, Work], reached: Reached
    ) -> tuple[c.Statement, ...] | None:
        """The loop with what it accumulates in a local variable; None where it is no such loop."""
        if loop.parallel or not isinstance(loop.body, Call):
            return None
        work = works[loop.body.name]
        effect = self._effect(work)
        if effect is None or work.statement is None or work.statement.role is not Role.BODY:
            return None
        collected = self.merging.accumulators.get(work.statement.name)
        if collected is not None and collected.is_scalar:
            return None
        dimension = layout.dimension(loop.iterator, work.statement)
        if dimension is None or not self._is_kept(work, effect, dimension):
            return None
        return self._kept(work, loop, loop.body.arguments, reached)

    def _kept(
        self, work: Work, loop: For, arguments: Sequence[Integer], reached: Reached
    ) -> tuple[c.Statement, ...] | None:
        names = self.names.copy()
        declared, scope = bind(work.domain.space.names, arguments, names.new)
        written = self._single(work, scope, names) if work.box is None else self._written(work, scope, names)
        if written is None or not written.can_be_kept:
            return None
        inside = tuple(d for d in declared if loop.iterator in c.names_used([d]))
        tested = [] if written.partial is None else [c.Evaluate(written.partial.test)]
        if {loop.iterator, *(d.name for d in inside)} & c.names_used([c.Evaluate(written.assign.target), *tested]):
            return None
        total = names.new(_total(work))
        run = loop_around(loop, self.parameters, with_used(inside, written.inside(total)))
        outside = [d for d in declared if d not in inside]
        result = (c.Comment(work.comment), *with_used(outside, written.around(total, run, names.new)))
        return (where_it_runs(loop, self.parameters, result, reached.never_empty(loop)),)

    def _written(self, work: Work, scope: Scope, names: Names) -> Written:
        assert work.box is not None
        assert work.statement is not None
        type_ = self.mapping.system.variable(work.statement.variable).type
        effect = self._effect(work)
        vector, box = None, work.box
        if effect and self._is_unordered(work, effect, box):
            vector = VectorLowering(self.mapping, self.storage, self.externals, self.parameters, names.copy())
            vector.type, vector.buffers = type_, self._buffers
        written = write_box(work, scope, type_, self.lowering(names), vector)
        if written.type != type_.c_name:
            self.vectors.add(type_)
        return written

    def _single(self, work: Work, scope: Scope, names: Names) -> Written | None:
        assert work.statement is not None
        *before, assign = work.write(self.lowering(names), scope)
        if not isinstance(assign, c.Assign):
            return None
        type_ = self.mapping.system.variable(work.statement.variable).type
        return Written((), tuple(before), assign, type_.c_name, type_.c_name)

    @property
    def _buffers(self) -> Mapping[Expression, Buffer]:
        return {} if self.packing is None else self.packing.reads

    def lowering(self, names: Names) -> ScheduledLowering:
        lowering = ScheduledLowering(self.mapping, self.storage, self.externals, self.parameters, names)
        lowering.accumulators = {name: each.element for name, each in self.merging.accumulators.items()}
        lowering.buffers = self._buffers
        lowering.selection_of, lowering.decisions = self.selection_of, self.decisions
        return lowering

    def selection_of(self, node: Reduce) -> Selection | None:
        """What a reduction selects; asked once for each."""
        if not self.selecting:
            return None
        if node not in self._selections:
            self._selections[node] = selection_of(node, self.mapping.facts, self.mapping.system.context)
        return self._selections[node]

    def _is_unordered(self, work: Work, effect: Effect, box: Box) -> bool:
        """Whether the points of a box can be done at once; asked once for each work."""
        if work.name not in self._known:
            self._known[work.name] = effect.is_unordered(box.corners, box.steps, tuple(box.keys.values()))
        return self._known[work.name]

    # --- what loops may keep -------------------------------------------------------------------------------------

    def _effect(self, work: Work) -> Effect | None:
        if work.statement is None or work.expression is None:
            return None
        return effect_of(self.mapping, work.statement, work.expression)

    def _is_kept(self, work: Work, effect: Effect, dimension: int) -> bool:
        """Whether nothing in a loop over the dimension reads what the loop accumulates."""
        assert work.statement is not None
        if work.box is not None:
            box = work.box
            if not self._is_unordered(work, effect, box):
                return False
        else:
            domain = work.domain.in_context(self.mapping.system.context)
            date = work.statement.date.renamed(domain.space.names).outputs
            box = Box((), domain, dict(enumerate(date)))
        return effect.is_private(box.corners, box.steps, [key for at, key in box.keys.items() if at != dimension])


def _total(work: Work) -> str:
    assert work.statement is not None
    return TOTALS.get(work.statement.reduction.operator, "total")
