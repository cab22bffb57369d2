"""Obligations that depend on an order of operations which is chosen later."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from alphaz.diagnostics import Label, Rule, Span, Witness
from alphaz.legality.obligations.violation_space import ViolationSpace
from alphaz.mapping.aliases import Copy
from alphaz.order.mapped_read import Read
from alphaz.order.operations import StatementInstances, SymbolicInstance, Values
from alphaz.order.precedence import Comparison, Conjunction, Order, possible
from alphaz.poly import Domain, Formula
from alphaz.proof import Obligation

Alternatives = Sequence[Sequence[Conjunction]]


@dataclass(frozen=True, slots=True, eq=False)
class OrderObligation:
    """An obligation as a function of the order.

    The counterexamples are the points of `violation_space` at which one conjunction of each of `alternatives(order)`
    holds. `recheck` and `explain` decide and describe one counterexample by plain integers; `compared` are its
    comparisons that fail. `occurrences` are its operations, by role. `message` is the message of a finding, `remedy`
    its help; `read` and `pair` (the families whose order is in question) identify findings with one cause; `families`
    are the participants by role: with `read` (or `copy`), the read `received` and further `numbers`, they identify the
    obligation. `kind` is its kind in certificates, where the rule does not determine it. An obligation that is not
    `ordered` (S1) does not depend on the order, and is not discharged again under tiling. One that is not `listed` is
    left out where constants alone decide it. `auxiliary` gives the values of auxiliary names of the space.
    """

    rule: Rule
    claim: str
    violation_space: ViolationSpace
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
    received: Read | None = None
    kind: str = ""
    families: tuple[tuple[str, StatementInstances], ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()
    occurrences: tuple[tuple[str, SymbolicInstance], ...] = ()
    compared: Callable[[Order, Values], tuple[Comparison, ...]] = lambda *_: ()
    ordered: bool = True
    listed: bool = True
    auxiliary: Callable[[Iterable[SymbolicInstance], Values], dict[str, int]] = lambda *_: {}

    def under(self, order: Order, rule: Rule | None = None) -> Obligation | None:
        """Returns the obligation under an order; None where constants alone prove it and it need not be `listed`."""
        alternatives = tuple(possible(alternative) for alternative in self.alternatives(order))
        if not self.listed and not order.axes and not all(alternatives):
            return None

        certain = self._violation_space(order).certain

        def violations() -> Domain:
            return self._violation_space(order).counterexamples(*alternatives)

        return Obligation(
            rule=rule or self.rule,
            claim=f"{self.claim}{order.scope}",
            violations=violations,
            roles=self.violation_space.roles,
            explain=lambda values: self.explain(order, values),
            recheck=lambda values: self.recheck(order, values),
            span=self.span,
            related=self.related,
            stated=lambda: self.stated(order),
            certain=(lambda: certain.counterexamples(*alternatives)) if certain is not None else None,
        )

    def stated(self, order: Order) -> Formula:
        """Returns the counterexamples before any simplification, for independent checkers."""
        return self._violation_space(order).formula(*self.alternatives(replace(order, literal=True)))

    def _violation_space(self, order: Order) -> ViolationSpace:
        """Returns the space extended by the tile numbers that the order uses."""
        return self.violation_space.where_some(*order.tiles([instance for _, instance in self.occurrences]))


@dataclass(frozen=True, slots=True, eq=False)
class DeferredObligation:
    """An obligation that is stated only on demand, by `ask`: a mapping may have more of them than need be stated.

    `settled` is the structural property of the order or the mapping that proves the obligation under every order: such
    an obligation is not put to isl, and stated in certificates only. It is empty where no such property holds.
    """

    ask: Callable[[], OrderObligation]
    exemption: str = ""
