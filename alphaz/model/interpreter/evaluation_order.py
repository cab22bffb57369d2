"""Orders of evaluation: of variables and of points, such that most values are computed before they are read."""

from collections.abc import Iterator, Mapping, Sequence

from alphaz.model.expression import Access, Expression, Facts
from alphaz.model.program import Equation, Kind, System, UseEquation, defined_by
from alphaz.model.walk import walk
from alphaz.poly import Affine, AffineFunction, Unbounded, fresh_names
from alphaz.poly.algorithms.bounds import Box, box_of


def reversed_dimensions(equation: Equation, facts: Facts, parameters: Mapping[str, int]) -> list[bool]:
    """Returns for each dimension whether its loop should descend: greedily, the outermost first.

    Inner dimensions ignore self-references that an outer one carries."""
    waiting = _distances(equation, facts, parameters)
    result = []
    for position in range(len(equation.indices)):
        descends = bool(waiting) and all(box.lower[position] >= 0 for box in waiting)
        descends = descends and any(box.upper[position] > 0 for box in waiting)
        result.append(descends)
        waiting = [box for box in waiting if not (box.lower[position] > 0 if descends else box.upper[position] < 0)]
    return result


def _distances(equation: Equation, facts: Facts, parameters: Mapping[str, int]) -> list[Box]:
    """For each self-reference, the box around `point read - point computed`, if it is known."""
    distances = []
    for node in walk(equation.expression):
        if not isinstance(node, Access) or node.variable != equation.variable:
            continue
        space = node.function.domain
        if not set(equation.indices) <= set(space.names):
            continue
        here = (Affine.name(name) for name in equation.indices)
        apart = tuple(there - index for there, index in zip(node.function.outputs, here, strict=True))
        names = fresh_names(len(apart), "distance", space.parameters)
        needed = facts.context_domain[node].image(AffineFunction(space, apart), names)
        try:
            distances.append(box_of(needed, parameters))
        except Unbounded:
            continue
    return distances


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
