"""Directions of loops over the points of a variable, such that most reads find computed values.

A heuristic: a wrong direction costs time, never a value (missing values are computed on demand)."""

from collections.abc import Mapping

from alphaz.model.expression import Access
from alphaz.model.facts import Facts
from alphaz.model.program import Equation
from alphaz.model.walk import walk
from alphaz.poly import Affine, AffineFunction, Unbounded, fresh_names
from alphaz.poly.algorithms.box import Box, box_of


def backwards(equation: Equation, facts: Facts, parameters: Mapping[str, int]) -> list[bool]:
    """Returns for each dimension whether its loop should descend: greedily, the outermost first.

    Inner dimensions ignore self-references that an outer one carries."""
    waiting = _distances(equation, facts, parameters)
    result = []
    for at in range(len(equation.indices)):
        descends = bool(waiting) and all(box.lower[at] >= 0 for box in waiting)
        descends = descends and any(box.upper[at] > 0 for box in waiting)
        result.append(descends)
        waiting = [box for box in waiting if not (box.lower[at] > 0 if descends else box.upper[at] < 0)]
    return result


def _distances(equation: Equation, facts: Facts, parameters: Mapping[str, int]) -> list[Box]:
    """For each self-reference, the box around `point read - point computed`, if it is known."""
    found = []
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
            found.append(box_of(needed, parameters))
        except Unbounded:
            continue
    return found
