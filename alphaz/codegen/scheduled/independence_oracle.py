"""Queries to the proof engine: values that may be kept in registers, and operations that may run at once, each once."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from alphaz.codegen.scheduled.statement_templates import StatementTemplate
from alphaz.codegen.scheduled.tile_instance import TileInstance
from alphaz.diagnostics import Span
from alphaz.legality.loops.conditions import nothing
from alphaz.legality.loops.independence import Effect, effect_of, separate
from alphaz.mapping.resolved import ResolvedMapping
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
