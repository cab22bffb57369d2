"""One read of a program under a mapping, with copies resolved: the reader, its date, and the element."""

from dataclasses import dataclass, field

from alphaz.diagnostics import NOWHERE, Span
from alphaz.mapping.aliases import Aliases
from alphaz.model.expression import Access, Expression, Facts, Reduce
from alphaz.order.operations import StatementInstances, SymbolicInstance, Values
from alphaz.order.read_confirmation import is_read
from alphaz.poly import AffineFunction, Domain


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """For every e in `domain`, the operation `reader[at(e)]` reads `variable[function(e)]`.

    The program text reads `named[written(e)]`; the two differ where a copy was dropped. `reference` is that access:
    None for END, for the running value of an accumulation (`is_running`), and for the array of an argument of a call.

    A call reads in `root`, one of its inputs, at the points `within`, those that the callee reads; `direct`: in place,
    throughout the operation.
    """

    reader: StatementInstances
    at: AffineFunction
    domain: Domain
    variable: str
    function: AffineFunction
    named: str
    written: AffineFunction
    reference: Access | None = None
    is_running: bool = False
    aliases: Aliases = field(default_factory=Aliases)
    root: Expression | None = None
    within: Domain | None = None
    direct: bool = False

    @property
    def occurrence(self) -> SymbolicInstance:
        return SymbolicInstance(self.reader, self.at.outputs)

    @property
    def names(self) -> tuple[str, ...]:
        return self.domain.space.names

    @property
    def span(self) -> Span:
        return self.reference.span if self.reference else NOWHERE

    def happens(self, facts: Facts, values: Values) -> bool:
        """Returns True if the read takes place, by evaluation of the program in plain integers."""
        point = self.at.at(values)
        if not self.reader.has(values, point) or not self._leads_through_copies(values):
            return False
        if self.within is not None:
            return self.within.contains(values) and self._is_read_by_call(facts, values)
        if self.reference is None:
            return self.written.at(values) == self.reader.event(values, point).target
        assert self.reader.statement is not None
        equation = self.reader.statement.equation
        assert equation is not None
        root = equation.expression
        if self.reader.is_body:
            assert isinstance(root, Reduce)
            root = root.body
        parameters = {name: values[name] for name in self.domain.space.parameters}
        scope = {**parameters, **dict(zip(self.reader.names, point, strict=True))}
        return is_read(facts, root, self.reference, scope, values, self.written.at(values))

    def _is_read_by_call(self, facts: Facts, values: Values) -> bool:
        if self.root is None or self.reference is None:
            return True
        space = facts.context_domain[self.root].space
        scope = {name: values[name] for name in (*space.parameters, *space.names)}
        return is_read(facts, self.root, self.reference, scope, values, self.written.at(values))

    def _leads_through_copies(self, values: Values) -> bool:
        """Returns True if `named[written]` copies `variable[function]` (or is it)."""
        origin = self.aliases.origin(self.named, self.written.at(values), values)
        return origin == (self.variable, self.function.at(values))
