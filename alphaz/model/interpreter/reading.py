"""An evaluation order of variables in which most values are computed before they are read."""

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
    """Returns the variables on which some output depends, each after those that it reads, except in cycles."""
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
    """Returns the locals on which no output depends: no execution computes them.

    A call computes all of its outputs if one of them is needed."""
    needed = set(reading_order(system))
    for equation in system.equations:
        names = defined_by(equation)
        needed |= set(names) if needed & set(names) else set()
    return frozenset(v.name for v in system.variables if v.kind is Kind.LOCAL) - needed
