"""Passes over innermost loops: scalar replacement, index-set splitting, and vector dimensions."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from alphaz.analysis.facts.data_guarded_reductions import GuardDecision
from alphaz.codegen.scheduled.loop_levels import LoopNames
from alphaz.codegen.scheduled.memory.emit_context import OUTERMOST, Accumulator, EmitContext
from alphaz.codegen.scheduled.statements.independence import IndependenceOracle
from alphaz.codegen.scheduled.statements.iteration_groups import (
    GroupSearch,
    GuardedOf,
    Selection,
    can_be_split,
    groups_of,
    selections_in,
)
from alphaz.codegen.scheduled.statements.register_tiles import points_of
from alphaz.codegen.scheduled.statements.statement_templates import Nothing, StatementTemplate
from alphaz.legality.loops.loop_obligations import selecting
from alphaz.loops.modes import REGISTER, VECTOR, Blocks, Threads
from alphaz.loops.scanning import readable_scan
from alphaz.loops.tree import (
    Block,
    For,
    Instance,
    Merge,
    Node,
    Scan,
    Selected,
    Split,
    Team,
    inside,
    is_innermost,
    only_calls,
    statement_names,
    with_inside,
)
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role
from alphaz.model.expression import Reduce
from alphaz.model.types import DOUBLE, FLOAT
from alphaz.poly import Affine
from alphaz.poly.algorithms.bounds import guard
from alphaz.poly.algorithms.tile_corners import box_points, corners_on_grid
from alphaz.poly.plain.integer_expression import Integer, as_affine, names_in
from alphaz.proof import Obligation


@dataclass(frozen=True, slots=True)
class ScalarReplace:
    """Keeps the accumulator of an innermost loop in a local variable during the loop (`For.kept`), if no other
    operation in the loop accesses its cell. Instances and order stay; the cell is read before the loop and written
    after it. Source: Callahan, Carr, Kennedy, Improving register allocation for subscripted variables, PLDI 1990.

    `in_one`: the statements whose contributions to the results of a loop are collected in one variable anyway.
    """

    layout: LoopNames
    actions: Mapping[str, StatementTemplate]
    effects: IndependenceOracle
    in_one: Callable[[Merge], frozenset[str]]
    name: ClassVar[str] = "scalar-replace"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return self._marked(tree, frozenset())

    def _marked(self, node: Node, collected: frozenset[str]) -> Node:
        if isinstance(node, Merge):
            collected |= self.in_one(node)
        if (
            isinstance(node, For)
            and not (node.is_parallel or node.vector_dimension)
            and (calls := only_calls(node.body))
        ):
            return replace(node, kept=tuple(self.kept(node, calls, collected)))
        return with_inside(node, [self._marked(child, collected) for child in inside(node)])

    def kept(self, loop: For, calls: Sequence[Instance], collected: frozenset[str]) -> Iterator[str]:
        """Yields the statements of a loop, of these calls, whose results are in local variables during it."""
        for call in calls:
            others = [self.actions[other.name] for other in calls if other is not call]
            action = self.actions[call.name]
            if self._may_be_kept(action, loop, others, collected) and self._is_steady(action, loop, call):
                yield call.name

    def _may_be_kept(
        self, action: StatementTemplate, loop: For, others: Sequence[StatementTemplate], collected: frozenset[str]
    ) -> bool:
        """Returns True if no operation in the loop accesses the accumulator, except the accumulation."""
        effect, statement = self.effects.of(action), action.statement
        if effect is None or statement is None or statement.role is not Role.BODY or statement.name in collected:
            return False
        if action.assigns:
            # The overwritten cell has no value yet, and must not be read.
            return False
        if action.box is not None and action.box.mask is not None and not self.adds(action):
            return False
        dimension = self.layout.dimension(loop.iterator, statement)
        if dimension is None or not self.effects.is_private(action, dimension):
            return False
        around = [self.effects.of(other) for other in others]
        return all(other is not None and not other.touches(effect.target) for other in around)

    def adds(self, action: StatementTemplate) -> bool:
        """Returns True if the accumulation may begin from zero."""
        assert action.statement is not None
        type_ = self.effects.mapping.system.variable(action.statement.variable).type
        reduction, types = action.statement.reduction, self.effects.mapping.facts.types
        return type_ in (DOUBLE, FLOAT) and types[reduction] == type_ and reduction.operator == "+"

    def _is_steady(self, action: StatementTemplate, loop: For, call: Instance) -> bool:
        """Returns True if neither the cell nor the tested values of the accumulation change in the loop."""
        names, box = action.domain.space.names, action.box
        moving = {name for name, value in zip(names, call.arguments, strict=True) if loop.iterator in names_in(value)}
        needed = set(self._cell(action))
        if box is not None and box.mask is not None:
            known = box_points(corners_on_grid(box.corners, tuple(box.keys.values()), box.steps, box.mask), box.steps)
            test = guard(box.mask, known)
            needed |= set() if test is None else set(names_in(test))
        return not needed & moving

    def _cell(self, action: StatementTemplate) -> Iterator[str]:
        """Yields the indices on which the place of a result depends."""
        statement = action.statement
        assert statement is not None
        target = statement.target.renamed(action.domain.space.names)
        cell = self.effects.mapping.cells[statement.variable].function
        outputs = target.outputs if statement.merged_at is not None else target.then(cell).outputs
        for output in outputs:
            yield from output.names


# More groups than this are not worth their text.
_MOST = 6

# The names of non-affine limits of a loop.
_LIMITS = ("limit", "limit at last")


@dataclass(frozen=True, slots=True)
class SplitIndexSets:
    """Splits innermost loops by the selections of reductions inside, where the compared values are invariant, so that
    the loops have no tests (`For.split`). Reductions visit only the points that they select. Instances and order stay.
    Source: Griebl, Feautrier, Lengauer, Index set splitting, IJPP 2000.

    `hold` returns True if obligations are proved; `nothing` if a set is proved to have no points.
    """

    mapping: ResolvedMapping
    actions: Mapping[str, StatementTemplate]
    guarded_of: GuardedOf
    hold: Callable[[Iterable[Obligation]], bool]
    nothing: Nothing
    name: ClassVar[str] = "split-index-sets"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        node = with_inside(tree, [self(child) for child in inside(tree)])
        if not isinstance(node, For) or isinstance(node.mode, Blocks | Threads):
            return node
        return replace(node, split=self._split(node))

    def _split(self, loop: For) -> Split | None:
        wanted = selections_in(loop, self.actions, self.guarded_of)
        if not wanted or not can_be_split(loop, wanted, self.actions, self.mapping):
            return None
        if not self.hold([one for cell in wanted for one in self._needed(cell)]):
            return None
        selections = [
            GroupSearch(
                cell.guarded, tuple(f"wanted {position} {name}" for name in cell.guarded.names), cell.point or ()
            )
            for position, cell in enumerate(wanted)
        ]
        first, end = map(_limit, (loop.first, loop.bound), _LIMITS)
        statements = [cell.action.statement for cell in wanted if cell.action.statement is not None]
        where = f"loop over {loop.iterator} of {' and '.join(dict.fromkeys(s.name for s in statements))}"

        claim = f"{where}: no iteration is in a group that would have no loop"
        never = partial(self.nothing, claim, span=statements[0].span)
        context = self.mapping.system.context
        groups, known = groups_of(loop, self.actions, context, selections, first, end, never)
        if len(groups) > _MOST:
            return None
        scans = [
            Scan(str(position), group.iterations, (Affine.name(loop.iterator),))
            for position, group in enumerate(groups)
        ]
        return Split(
            groups=tuple(Selected(group.answers) for group in groups),
            tree=readable_scan(scans, known, [loop.iterator]),
            wanted=tuple(selection.names for selection in selections),
            limits=_LIMITS,
        )

    def _needed(self, selection: Selection) -> Iterator[Obligation]:
        """Yields the obligations that every operation, also before the loop, computes the value that it
        compares with.
        """
        statement, domain = selection.action.statement, selection.action.domain.in_context(self.mapping.system.context)
        assert statement is not None
        return selecting(selection.action.comment, statement, domain, selection.guarded)


def _limit(value: Integer, name: str) -> Affine:
    affine = as_affine(value)
    return Affine.name(name) if affine is None else affine


_SIMPLE = (Role.VALUE, Role.BODY, Role.INIT, Role.INPUT)


@dataclass(frozen=True, slots=True)
class VectorDimensions:
    """Vectorises loops of dimensions that the script declares vector, where they fit (`For.vector_dimension`), and
    those in a tile of a reduction dimension whose tiles are shared by threads. Around the points of a register tile,
    one iteration computes them all: the loops over them are in registers (`Register`), written one after the other
    (unroll-and-jam). Instances stay; iterations are in any order, as is proved, and their accumulations are combined
    after the loop. Source: Callahan, Cocke, Kennedy, Estimating interlock and improving balance for pipelined
    architectures, JPDC 1988.

    A whole register tile whose accumulators are kept during the loop, as `scalar` decides, is written in the same way:
    no other operation of the loop accesses them.

    `is_independent` returns True if the iterations of a loop around others are independent. `fits`: if a loop can be
    vectorised; `collects` returns how the contributions of a whole loop are collected; `answering` the decisions of
    reductions in a group of iterations.
    """

    layout: LoopNames
    actions: Mapping[str, StatementTemplate]
    is_independent: Callable[[For], bool]
    scalar: ScalarReplace
    new_name: Callable[[str], str]
    fits: Callable[[For, EmitContext], bool]
    collects: Callable[[Merge], Iterable[Accumulator]]
    answering: Callable[[For, Selected], Mapping[Reduce, GuardDecision]]
    name: ClassVar[str] = "vector-dimensions"
    optional: ClassVar[bool] = True

    def __call__(self, tree: Node) -> Node:
        return self._marked(tree, OUTERMOST)

    def _marked(self, node: Node, around: EmitContext) -> Node:
        if isinstance(node, Merge):
            around = around.collecting(self.collects(node))
        child_marked = with_inside(node, [self._marked(child, around) for child in inside(node)])
        if not isinstance(child_marked, For) or child_marked.is_parallel:
            return child_marked
        if around == OUTERMOST and child_marked.split is None and (done := self._whole_tiles(child_marked)) is not None:
            return done
        if not all(self._is_stated(child_marked, self.actions[name]) for name in statement_names(child_marked)):
            return child_marked
        if child_marked.split is not None:
            groups = tuple(self._group(child_marked, group, around) for group in child_marked.split.groups)
            return replace(child_marked, split=replace(child_marked.split, groups=groups))
        body = child_marked.body if is_innermost(child_marked) else _in_registers(child_marked.body)
        done = replace(child_marked, body=body, mode=VECTOR, vector_dimension=True)
        return (
            done
            if self.fits(done, around) and (is_innermost(child_marked) or self.is_independent(child_marked))
            else child_marked
        )

    def _whole_tiles(self, loop: For) -> For | None:
        """Returns the loop in vectors if it accumulates whole register tiles only, else None."""
        calls = only_calls(loop.body)
        actions = [self.actions[call.name] for call in calls]
        if not calls or any(call.vector for call in calls):
            return None
        if not all(action.box and self._is_requested(loop, action) for action in actions):
            return None
        if len([*self.scalar.kept(loop, calls, frozenset())]) < len(calls):
            return None
        bodies = [points_of(action, call, self._iterators(action)) for action, call in zip(actions, calls, strict=True)]
        points = tuple(body for body in bodies if body is not None)
        done = replace(loop, body=Block(points), mode=VECTOR, vector_dimension=True)
        return done if len(points) == len(bodies) and self.fits(done, OUTERMOST) else None

    def _iterators(self, action: StatementTemplate) -> list[str]:
        return [self.new_name(step.name) for step in action.box.steps] if action.box is not None else []

    def _is_requested(self, loop: For, action: StatementTemplate) -> bool:
        statement = action.statement
        return statement is not None and self.layout.is_vector(loop.iterator, statement)

    def _group(self, loop: For, group: Selected, around: EmitContext) -> Selected:
        return replace(group, vector=self.fits(loop, around.knowing(self.answering(loop, group))))

    def _is_stated(self, loop: For, action: StatementTemplate) -> bool:
        statement = action.statement
        if statement is None or statement.role not in _SIMPLE or action.box is not None:
            return False
        return self.layout.is_vector(loop.iterator, statement)


def _in_registers(node: Node) -> Node:
    if isinstance(node, Team):
        return _in_registers(node.body)
    within = with_inside(node, [_in_registers(child) for child in inside(node)])
    return replace(within, mode=REGISTER) if isinstance(within, For) else within
