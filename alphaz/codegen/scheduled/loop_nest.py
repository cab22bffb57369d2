"""The loops of one mapping, with all that passes ask about them and that writes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.analysis.facts.guarded_reductions import GuardDecision
from alphaz.c import tree as c
from alphaz.codegen.c.expressions import STATUS
from alphaz.codegen.c.names import Identifiers
from alphaz.codegen.scheduled.accumulators import Accumulator
from alphaz.codegen.scheduled.emit_context import OUTERMOST, EmitContext
from alphaz.codegen.scheduled.instances import Instances
from alphaz.codegen.scheduled.iteration_groups import selections_in
from alphaz.codegen.scheduled.loop_names import LoopNames
from alphaz.codegen.scheduled.packing import PackingPlan
from alphaz.codegen.scheduled.statement_templates import StatementTemplate
from alphaz.codegen.scheduled.vectorisation import in_vectors
from alphaz.legality.loops.conditions import FEW, never_empty
from alphaz.loops.nonempty import LoopPlace
from alphaz.loops.passes.parallelise import Collected
from alphaz.loops.tree import For, Instance, Lanes, Merge, Node, Selected, calls, statement_names
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Reduce
from alphaz.model.walk import walk
from alphaz.poly import Domain
from alphaz.poly.plain.integer import Integer, IntegerName


@dataclass(frozen=True, slots=True)
class LoopNest:
    """At first its instances are at their dates, before any pass. `actions` are the statements by their names;
    `failing`: which of them may fail, as far as that was asked.
    """

    actions: Mapping[str, StatementTemplate]
    layout: LoopNames
    names: Identifiers
    writer: Instances
    packing: PackingPlan
    tree: Node
    failing: dict[str, bool] = field(default_factory=dict, repr=False)

    @property
    def statements(self) -> dict[str, Statement]:
        return {name: action.statement for name, action in self.actions.items() if action.statement is not None}

    @property
    def comments(self) -> dict[str, str]:
        """What the statements do, by their names."""
        return {name: action.comment for name, action in self.actions.items()}

    def is_parallel(self, loop: For) -> bool:
        """Whether the script says so for all statements inside."""
        statements = self.statements
        return all(self.layout.is_parallel(loop.iterator, statements[name]) for name in statement_names(loop))

    def runs(self, place: LoopPlace, loop: For, first: Integer | None = None) -> bool:
        """Whether a loop at a place is proved to have an iteration whenever it is reached, or to have one if it began
        at `first`.
        """
        missing, names = place.without_iterations(loop, first), sorted(statement_names(loop))
        where = f"loop over {loop.iterator} of {' and '.join(names)}"
        span = self.statements[names[0]].span
        asked = self.writer.effects.asked
        return missing is not None and asked.all_hold(never_empty(where, missing, span), FEW)

    def never(self, name: str, claim: str, domain: Domain) -> bool:
        """Whether a set of operations of a statement is proved to have no points."""
        asked = self.writer.effects.asked
        return asked.nothing(f"{self.actions[name].comment}: {claim}", domain, self.statements[name].span)

    def chunk(self, loop: For) -> int:
        """The most that the script says of a statement inside."""
        statements = self.statements
        return max((self.layout.chunk(loop.iterator, statements[name]) for name in statement_names(loop)), default=0)

    def reads(self, name: str, buffer: str) -> bool:
        """Whether a statement reads a buffer."""
        return self.packing.is_reader(self.actions[name], self.packing.buffers[buffer])

    def may_fail(self, loop: For) -> bool:
        """Whether operations of a loop tell that they have failed."""
        return any(self._may_fail(call) for call in calls(loop))

    def _may_fail(self, call: Instance) -> bool:
        action = self.actions[call.name]
        if action.name not in self.failing:
            names = tuple(map(IntegerName, action.domain.space.names))
            self.failing[action.name] = not self._is_of_floats(action) and self._tells(action, names)
        return self.failing[action.name] and self._tells(action, call.arguments)

    def _is_of_floats(self, action: StatementTemplate) -> bool:
        """Whether all values are floats: these have a quotient for everything, and are not made whole."""
        if action.statement is None or action.expression is None:
            return False
        mapping = self.writer.mapping
        types = (mapping.facts.types[node] for node in walk(action.expression))
        return mapping.system.variable(action.statement.variable).type.is_float and all(
            type_.is_float for type_ in types
        )

    def _tells(self, action: StatementTemplate, arguments: Sequence[Integer]) -> bool:
        return STATUS.name in c.names_used(self.writer.operation(action, arguments))

    def lanes(self, call: Instance, merges: Sequence[Merge]) -> Lanes | None:
        """Which points of a statement are done at a time, where it has many, which can be done at once."""
        action, around = self.actions[call.name], OUTERMOST
        if not self.writer.effects.is_unordered(action):
            return None
        for node in merges:
            around = around.collecting(self.accumulators(node))
        return self.writer.lanes(action, call.arguments, around)

    def fits_vectors(self, loop: For, around: EmitContext) -> bool:
        """Whether a loop can be done in vectors: what it accumulates is combined by a clause, nothing in it may fail,
        and there are no loops in what it computes.
        """
        trial = replace(self.writer, names=self.writer.names.copy())
        return in_vectors(loop, self.layout, self.actions, trial, around) is not None

    def answering(self, loop: For, group: Selected) -> dict[Reduce, GuardDecision]:
        """What is known of reductions in a group of iterations of a loop that is split."""
        found = selections_in(loop, self.actions, self.writer.guarded.of)
        pairs = zip(found, group.answers[::2], group.answers[1::2], strict=True)
        return {each.guarded.node: GuardDecision(each.guarded.names, *answers) for each, *answers in pairs}

    def accumulators(self, node: Merge) -> tuple[Accumulator, ...]:
        """In what contributions to the results of a loop are collected, called as their statements are."""
        return tuple(self.writer.merging.collected(node, self.statements))

    def collects(self, node: Merge) -> Collected:
        """How a parallel loop combines what is collected in it."""
        return self.writer.merging.collects(node, self.statements)

    def in_one(self, node: Merge) -> frozenset[str]:
        """The statements whose contributions are collected in one variable each."""
        return self.writer.merging.in_one(node, self.statements)
