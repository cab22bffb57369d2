"""What reads what, by variables: an order in which most values are there when they are read."""

from collections.abc import Iterator, Sequence

from alphaz.model.expression import Access, Expression
from alphaz.model.program import Equation, Kind, System, UseEquation, defined_by
from alphaz.model.walk import walk


def expressions_of(equation: Equation | UseEquation) -> tuple[Expression, ...]:
    return (equation.expression,) if isinstance(equation, Equation) else equation.inputs


def _reads(equation: Equation | UseEquation) -> Iterator[str]:
    for expression in expressions_of(equation):
        yield from (node.variable for node in walk(expression) if isinstance(node, Access))


def reading_order(system: System) -> list[str]:
    """The variables that some output needs, each after those that it reads, as far as they are not circular."""
    reads: dict[str, Sequence[str]] = {v.name: () for v in system.variables}
    for equation in system.equations:
        reads |= dict.fromkeys(defined_by(equation), tuple(dict.fromkeys(_reads(equation))))
    order: list[str] = []
    seen: set[str] = set()
    for output in (v.name for v in system.variables if v.kind is Kind.OUTPUT):
        waiting = [(output, False)]
        while waiting:
            name, done = waiting.pop()
            if done:
                order.append(name)
            elif name not in seen:
                seen.add(name)
                waiting.append((name, True))
                waiting.extend((read, False) for read in reads[name])
    return order


def unneeded(system: System) -> frozenset[str]:
    """The locals that no output needs, directly or through others: no execution computes them.

    A call computes all of its outputs where one of them is needed.
    """
    needed = set(reading_order(system))
    for equation in system.equations:
        names = defined_by(equation)
        needed |= set(names) if needed & set(names) else set()
    return frozenset(v.name for v in system.variables if v.kind is Kind.LOCAL) - needed
