"""createFreeScheduler: makes a program that computes the earliest date of each operation."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alphaz.analysis.checks.check import check
from alphaz.analysis.depth import deep
from alphaz.analysis.texts.show import expression_text
from alphaz.diagnostics import NOWHERE, Label, Span
from alphaz.mapping.design import Design
from alphaz.model.expression import (
    Access,
    Binary,
    Case,
    Compose,
    Constant,
    Expression,
    Facts,
    Nary,
    Reduce,
    Restrict,
)
from alphaz.model.program import Equation, Kind, Program, System, UseEquation, Variable
from alphaz.model.types import INT
from alphaz.model.walk import children
from alphaz.poly import Domain
from alphaz.transform.engine.checked_rewrite import without_context
from alphaz.transform.engine.edit import AnyEquation
from alphaz.transform.engine.refusals import refusal
from alphaz.transform.normal.simplify import simplified

PREFIX = "date_"


def free_scheduler(design: Design, prefix: str = PREFIX, span: Span = NOWHERE) -> Design:
    """Return the program that computes the earliest date of every value; names of systems and variables get the
    `prefix`.

    *Makes*: for each system one whose variables are the dates of its own: an output for each local and output, no
    inputs. A called system keeps its interface: inputs, the dates at which the values are ready, and outputs.

    *Checks*: no system has a loop."""
    program = design.program
    for system in program.systems:
        if system.loop is not None:
            raise refusal(
                f"{system.name} has a loop",
                span,
                secondary=(Label(system.loop.span, "the loop"),),
                help="only systems without a loop have earliest times that equations can say",
            )
    called = {e.system for s in program.systems for e in s.equations if isinstance(e, UseEquation)}
    with deep():
        systems = tuple(_Dated(s, s.name in called, prefix, design.checked.facts).dated() for s in program.systems)
        checked = check(Program(program.source, (), systems))
        return Design(check(simplified(checked)))


@dataclass(frozen=True, slots=True, eq=False)
class _Dated:
    """The date program of one system; `called`: it keeps its interface."""

    system: System
    called: bool
    prefix: str
    facts: Facts

    def dated(self) -> System:
        variables = tuple(self._variable(v) for v in self.system.variables if self.called or v.kind is not Kind.INPUT)
        equations = tuple(self._equation(e) for e in self.system.equations)
        return replace(self.system, name=self.prefix + self.system.name, variables=variables, equations=equations)

    def _variable(self, variable: Variable) -> Variable:
        kind = variable.kind if self.called else Kind.OUTPUT
        return replace(variable, name=self.prefix + variable.name, kind=kind, type=INT)

    def _equation(self, equation: AnyEquation) -> AnyEquation:
        if isinstance(equation, Equation):
            ready = self.ready(equation.expression) or _zero(equation.expression)
            return replace(equation, variable=self.prefix + equation.variable, expression=ready)
        return replace(
            equation,
            system=self.prefix + equation.system,
            inputs=tuple(self.ready(body) or _zero(body) for body in equation.inputs),
            outputs=tuple(self.prefix + name for name in equation.outputs),
        )

    def ready(self, node: Expression) -> Expression | None:
        """Returns the earliest date at which the value of the node can be used; None for 0."""
        match node:
            case Access():
                return self._read(node)
            case Restrict(domain, body):
                inner = self.ready(body)
                return inner and Restrict(domain, inner, span=node.span)
            case Compose(function, names, body):
                inner = self.ready(body)
                return inner and Compose(function, names, inner, span=node.span)
            case Case(branches):
                dates = [self.ready(branch) for branch in branches]
                if not any(dates):
                    return None
                return Case(tuple(map(self._limited, branches, dates)), span=node.span)
            case Reduce():
                return self._reduction(node)
        return self._latest(node, [self.ready(child) for child in children(node)])

    def _read(self, read: Access) -> Expression | None:
        there = replace(read, variable=self.prefix + read.variable)
        if self.system.variable(read.variable).kind is Kind.INPUT:
            return there if self.called else None
        return Binary("+", there, Constant(1, span=read.span), span=read.span)

    def _latest(self, node: Expression, dates: Sequence[Expression | None]) -> Expression | None:
        """The maximum of the dates, each once."""
        names = self.facts.context_domain[node].space.names
        flat = (part for date in dates if date for part in (date.operands if isinstance(date, Nary) else (date,)))
        distinct = {expression_text(date, names): date for date in flat}
        if len(distinct) < 2:
            return next(iter(distinct.values()), None)
        return Nary("max", tuple(distinct.values()), span=node.span)

    def _limited(self, node: Expression, ready: Expression | None) -> Expression:
        """The date with the domain of the expression: in a case and in a reduction, the domain of an expression has a
        meaning."""
        domain = self.facts.expression_domain[node]
        ready = ready or _zero(node)
        return (
            ready
            if domain.equals(Domain.universe(domain.space))
            else Restrict(without_context(domain, self.system), ready, span=node.span)
        )

    def _reduction(self, node: Reduce) -> Expression | None:
        inner = self.ready(node.body)
        if inner is None:
            return None
        latest = Reduce("max", node.projection, self._limited(node.body, inner), span=node.span)
        needed = self.facts.context_domain[node]
        results = self.facts.expression_domain[node.body].image(node.projection, needed.space.names)
        if needed.is_subset(results):
            return latest
        return Nary("max", (_zero(node), latest), span=node.span)


def _zero(node: Expression) -> Constant:
    return Constant(0, span=node.span)
