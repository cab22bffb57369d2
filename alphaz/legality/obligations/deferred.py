"""Questions: obligations before it is said under which order they are asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from alphaz.diagnostics import Label, Rule, Span, Witness
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.mapping.aliases import Copy
from alphaz.order.comparison import Comparison
from alphaz.order.operations import StatementInstances, SymbolicInstance, Values
from alphaz.order.precedence import Conjunction, Order, possible
from alphaz.order.read import Read
from alphaz.poly import Domain, Formula
from alphaz.proof import Obligation

Alternatives = Sequence[Sequence[Conjunction]]


@dataclass(frozen=True, slots=True, eq=False)
class OrderObligation:
    """What may go wrong, as functions of the order.

    The counterexamples are the points of `scene` at which one conjunction of each of `alternatives(order)` holds.
    `recheck` and `explain` decide and describe one of them by plain integers; `compared` are the comparisons of it that
    fail. `occurrences` are its operations, by what they do. `message` is what a finding says,
    `remedy` its help; `read` and `pair` (the families whose order is asked for) tell which findings have one cause;
    `families` are those that take part, by what they do there: with `read` (or `copy`) they identify the question. A
    question that is not `ordered` (S1) does not depend on the order, and is not asked again under tiling. One that is
    not `listed` is left out where constants alone answer it.
    """

    rule: Rule
    claim: str
    scene: ViolationSpace
    alternatives: Callable[[Order], Alternatives]
    recheck: Callable[[Order, Values], bool]
    explain: Callable[[Order, Values], Witness]
    message: str
    remedy: str
    span: Span
    related: tuple[Label, ...] = ()
    pair: frozenset[StatementInstances] = frozenset()
    read: Read | None = None
    copy: Copy | None = None
    families: tuple[tuple[str, StatementInstances], ...] = ()
    occurrences: tuple[tuple[str, SymbolicInstance], ...] = ()
    compared: Callable[[Order, Values], tuple[Comparison, ...]] = lambda *_: ()
    ordered: bool = True
    listed: bool = True

    def under(self, order: Order, rule: Rule | None = None) -> Obligation | None:
        """The obligation under an order; None where constants alone show that it holds and it need not be `listed`."""
        alternatives = tuple(possible(alternative) for alternative in self.alternatives(order))
        if not self.listed and not order.axes and not all(alternatives):
            return None

        certain = self._scene(order).certain

        def violations() -> Domain:
            return self._scene(order).counterexamples(*alternatives)

        return Obligation(
            rule=rule or self.rule,
            claim=f"{self.claim}{order.scope}",
            violations=violations,
            roles=self.scene.roles,
            explain=lambda values: self.explain(order, values),
            recheck=lambda values: self.recheck(order, values),
            span=self.span,
            related=self.related,
            stated=lambda: self.stated(order),
            certain=(lambda: certain.counterexamples(*alternatives)) if certain is not None else None,
        )

    def stated(self, order: Order) -> Formula:
        """The counterexamples as they are stated, before anything is simplified: for whoever decides them again."""
        return self._scene(order).formula(*self.alternatives(replace(order, literal=True)))

    def _scene(self, order: Order) -> ViolationSpace:
        """With the numbers of tiles that the order speaks of."""
        return self.scene.where_some(*order.tiles(each for _, each in self.occurrences))


@dataclass(frozen=True, slots=True, eq=False)
class DeferredObligation:
    """A question before it is stated, which `ask` does: there may be more of them than anybody wants to look at.

    What `settled` says of the order or the mapping answers it under every order: it is not put to isl, and stated in
    certificates only. It is empty where nothing settles the matter.
    """

    ask: Callable[[], OrderObligation]
    settled: str = ""
