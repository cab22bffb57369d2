"""Loops whose iterations can run in vectors: no iteration accesses a cell that another one writes.

The proof uses sets, for all kinds of dimensions: inside a tile a sequential dimension often has such loops.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from alphaz.codegen.scheduled.independence_oracle import OracleQuery
from alphaz.codegen.scheduled.loop_names import LoopNames
from alphaz.codegen.scheduled.statement_templates import StatementTemplate
from alphaz.legality.loops.independence import CellAccess, Iterations, effect_of, independence
from alphaz.loops.tree import For, statement_names
from alphaz.mapping.kinds import is_decided
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Role, Statement
from alphaz.model.expression import Call, Reduce
from alphaz.model.walk import walk


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
        found = (self._iterations(self.actions[name], loop.iterator, collecting=True) for name in names)
        return self._are_independent(f"vectors along {loop.iterator} of {' and '.join(names)}", found)

    def _is_independent(self, iterator: str, names: frozenset[str]) -> bool:
        found = (self._along_rows(self.actions[name], iterator) for name in sorted(names))
        return self._are_independent(f"loop over {iterator} of {' and '.join(sorted(names))}", found)

    def _are_independent(self, where: str, iterations: Iterable[Iterations | None]) -> bool:
        """Returns True if all of these are known, and proved to be independent."""
        found = list(iterations)
        known = [iteration for iteration in found if iteration is not None]
        return len(known) == len(found) and self.asked.all_hold(independence(where, known))

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
    return statement.role is Role.BODY and not is_decided(statement, dimension, around)


def _stride(touch: CellAccess, name: str) -> int | None:
    """Returns the distance of adjacent iterations in memory, in elements; None where it is unknown or large."""
    moves = [key.value.coefficient(name) for key in touch.cell]
    if not any(moves):
        return 0
    return None if any(moves[:-1]) or touch.cell[-1].modulus else abs(moves[-1])
