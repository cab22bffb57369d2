"""Loops and tiles whose operations may run at once: no iteration accesses a cell that another one writes.

The proof uses sets, for all kinds of dimensions: inside a tile a sequential dimension often has such loops. Each query
is put to the proof engine once. Regions of threads are decided by arrays: different arrays are different memory.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from alphaz.codegen.scheduled.loop_levels import LoopNames
from alphaz.codegen.scheduled.memory.storage import Storage
from alphaz.codegen.scheduled.statements.statement_templates import StatementTemplate, TileInstance
from alphaz.diagnostics import Span
from alphaz.legality.loops.independence import CellAccess, Effect, Iterations, effect_of, independence, separate
from alphaz.legality.loops.loop_obligations import nothing
from alphaz.loops.tree import For, Node, statement_names
from alphaz.mapping.dimension_kinds import is_determined_by_result
from alphaz.mapping.resolved_mapping import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.model.expression import Access, Call, Reduce
from alphaz.model.walk import walk
from alphaz.poly import Domain
from alphaz.proof import BUDGET, Obligation, holds


@dataclass(slots=True)
class OracleQuery:
    """The obligations of one nest that were put to the engine, and their results."""

    answers: list[tuple[Obligation, bool]] = field(default_factory=list)

    def all_hold(self, obligations: Iterable[Obligation], operations: int = BUDGET) -> bool:
        """Returns True if all obligations are proved, each within the number of operations; stops at the first one that
        is not. Undecided is not proved.
        """
        return all(self._holds(obligation, operations) for obligation in obligations)

    def nothing(self, claim: str, domain: Domain, span: Span) -> bool:
        """Returns True if a set is proved to have no points. A set with a known point is not put to the engine."""
        return domain.is_empty() and self.all_hold([nothing(claim, domain, span)])

    def _holds(self, obligation: Obligation, operations: int) -> bool:
        self.answers.append((obligation, holds(obligation, operations)))
        return self.answers[-1][1]


@dataclass(slots=True)
class IndependenceOracle:
    """Answers independence queries for the actions of one nest."""

    mapping: ResolvedMapping
    asked: OracleQuery = field(default_factory=OracleQuery)
    _unordered: dict[str, bool] = field(default_factory=dict)

    def of(self, action: StatementTemplate) -> Effect | None:
        if action.statement is None or action.expression is None:
            return None
        return effect_of(self.mapping, action.statement, action.expression)

    def is_unordered(self, action: StatementTemplate) -> bool:
        """Returns True if the points of a box can be computed at once."""
        effect, box = self.of(action), action.box
        if effect is None or box is None:
            return False
        if action.name not in self._unordered:
            self._unordered[action.name] = self._are_separate(action, effect, box, None, unordered=True)
        return self._unordered[action.name]

    def is_private(self, action: StatementTemplate, dimension: int) -> bool:
        """Returns True if no operation in a loop over the dimension reads the result that the action
        accumulates there.
        """
        effect = self.of(action)
        assert effect is not None
        assert action.statement is not None
        if action.box is not None and not self.is_unordered(action):
            return False
        domain = action.domain.in_context(self.mapping.system.context)
        date = action.statement.date.renamed(domain.space.names).outputs
        box = action.box or TileInstance((), domain, dict(enumerate(date)))
        return self._are_separate(action, effect, box, dimension, unordered=False)

    def _are_separate(
        self, action: StatementTemplate, effect: Effect, box: TileInstance, dimension: int | None, *, unordered: bool
    ) -> bool:
        assert action.statement is not None
        keys = [key for at, key in box.keys.items() if at != dimension]
        where = action.comment if dimension is None else f"{action.comment}, over dimension {dimension}"
        return self.asked.all_hold(
            separate(where, action.statement, effect, box.corners, box.steps, keys, unordered=unordered)
        )


@dataclass(slots=True)
class VectorLoops:
    """Decides this for the loops of one nest, with the actions by their names."""

    mapping: ResolvedMapping
    layout: LoopNames
    actions: Mapping[str, StatementTemplate]
    asked: OracleQuery
    _known: dict[tuple[str, frozenset[str]], bool] = field(default_factory=dict)

    def is_independent(self, loop: For) -> bool:
        """Returns True if an innermost loop is proved independent, and goes along the rows of its targets."""
        key = (loop.iterator, statement_names(loop))
        if key not in self._known:
            self._known[key] = self._is_independent(*key)
        return self._known[key]

    def obstacle(self, action: StatementTemplate, iterator: str) -> str | None:
        """Returns the reason why a statement cannot be vectorised along an innermost loop, independently of other
        statements.
        """
        if action.box is not None:
            return "its operations are register tiles"
        if action.expression is None or any(isinstance(node, Call) for node in walk(action.expression)):
            return "it calls something"
        if any(isinstance(node, Reduce) for node in walk(action.expression)):
            return "it has loops inside, over the points of reductions"
        if self._iterations(action, iterator) is None:
            return "its accessed cells are unknown"
        return None if self._along_rows(action, iterator) else "it does not go along rows of memory"

    def is_strip(self, loop: For) -> bool:
        """Returns True if the iterations of a loop are independent, except for accumulations into the results of
        reductions.
        """
        names = sorted(statement_names(loop))
        iterations = (self._iterations(self.actions[name], loop.iterator, collecting=True) for name in names)
        return self._are_independent(f"vectors along {loop.iterator} of {' and '.join(names)}", iterations)

    def is_strip_alone(self, action: StatementTemplate, dimension: int) -> bool:
        """Returns True if the iterations of all its loops over the dimension are independent, whichever tile they are
        in, except for accumulations.
        """
        assert action.statement is not None
        iterator = self.layout.iterators[self.layout.orders[action.statement.name].index(dimension)]
        iterations = self._iterations(action, iterator, collecting=True)
        return self._are_independent(f"vectors along {iterator} of {action.name}", [iterations])

    def _is_independent(self, iterator: str, names: frozenset[str]) -> bool:
        loops = (self._along_rows(self.actions[name], iterator) for name in sorted(names))
        return self._are_independent(f"loop over {iterator} of {' and '.join(sorted(names))}", loops)

    def _are_independent(self, where: str, iterations: Iterable[Iterations | None]) -> bool:
        """Returns True if all of these are known, and proved to be independent."""
        listed = list(iterations)
        known = [iteration for iteration in listed if iteration is not None]
        return len(known) == len(listed) and self.asked.all_hold(independence(where, known))

    def _iterations(self, action: StatementTemplate, iterator: str, collecting: bool = False) -> Iterations | None:
        statement = action.statement
        if (
            action.box is not None
            or statement is None
            or action.expression is None
            or iterator not in self.layout.iterators
        ):
            return None
        dimension = self.layout.dimension(iterator, statement)
        effect = effect_of(self.mapping, statement, action.expression)
        if dimension is None or effect is None or any(isinstance(node, Call) for node in walk(action.expression)):
            return None
        order, date = self.layout.orders[statement.name], statement.dates
        keys = tuple(date[at] for at in order[: order.index(dimension)])
        domain = action.domain.in_context(self.mapping.system.context)
        shared = collecting and collects(statement, dimension, order)
        return Iterations(
            statement=statement, effect=effect, points=domain, keys=keys, at=date[dimension], collects=shared
        )

    def _along_rows(self, action: StatementTemplate, iterator: str) -> Iterations | None:
        """Returns the iterations of a loop over one index, along the rows of memory."""
        iteration = self._iterations(action, iterator)
        if iteration is None:
            return None
        moving = [name for name in iteration.at.names if name in iteration.points.space.names]
        alone = [name for name in moving if not any(key.coefficient(name) for key in iteration.keys)]
        if len(alone) != 1 or abs(iteration.at.coefficient(alone[0])) != 1:
            return None
        strides = [_stride(touch, alone[0]) for touch in iteration.effect.reads]
        if _stride(iteration.effect.target, alone[0]) != 1 or any(stride not in (0, 1) for stride in strides):
            return None
        return iteration


def collects(statement: Statement, dimension: int, order: Sequence[int]) -> bool:
    """Returns True if iterations of a loop over the dimension may contribute to one result. `order` is that of the
    loops: register tiles have other dimensions around it than the dates have before it.
    """
    around = order[: order.index(dimension)]
    return statement.role is Role.BODY and not is_determined_by_result(statement, dimension, around)


def _stride(touch: CellAccess, name: str) -> int | None:
    """Returns the distance of adjacent iterations in memory, in elements; None where it is unknown or large."""
    moves = [key.value.coefficient(name) for key in touch.cell]
    if not any(moves):
        return 0
    return None if any(moves[:-1]) or touch.cell[-1].modulus else abs(moves[-1])


_COMPUTED = (Role.VALUE, Role.BODY, Role.INIT)


@dataclass(frozen=True, slots=True)
class ArrayConflicts:
    """Decides conflicts between the loops of one nest; `actions` are its statements by their names."""

    storage: Storage
    actions: Mapping[str, StatementTemplate]

    def meet(self, one: Node, other: Node) -> bool:
        """Returns True if one of two loops may write an array that the other one accesses."""
        mine, theirs = self._arrays(one), self._arrays(other)
        if mine is None or theirs is None:
            return True
        (written, read), (also_written, also_read) = mine, theirs
        return bool(written & (also_written | also_read) or also_written & read)

    def _arrays(self, node: Node) -> tuple[frozenset[str], frozenset[str]] | None:
        """Returns the arrays that are written, and those that are read; None where they are unknown."""
        written: set[str] = set()
        read: set[str] = set()
        for name in statement_names(node):
            action = self.actions[name]
            statement, expression = action.statement, action.expression
            if statement is None or statement.role not in _COMPUTED:
                return None
            written.add(self._array(statement.variable))
            accesses = () if expression is None else walk(expression)
            read.update(self._array(access.variable) for access in accesses if isinstance(access, Access))
        return frozenset(written), frozenset(read)

    def _array(self, variable: str) -> str:
        return self.storage.places[variable].array.name
