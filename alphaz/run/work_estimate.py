"""Estimates the amount of computation, to decide beforehand which executions are feasible."""

import os
from collections.abc import Iterable, Mapping

import numpy as np

from alphaz.model.expression import Facts, Reduce
from alphaz.model.program import Equation, Program, System, UseEquation
from alphaz.model.walk import walk
from alphaz.poly import Affine, Domain, Piece, Unbounded
from alphaz.poly.algorithms.bounds import box_of

_SAMPLES = 4096


def estimated_points(domain: Domain, parameters: Mapping[str, int]) -> int:
    """Returns the size of the box times the share of random points of it that are in the domain; 0 for an unbounded
    one.
    """
    try:
        box = box_of(domain, parameters)
    except Unbounded:
        return 0
    if box.size <= _SAMPLES:
        return box.size
    source = np.random.default_rng(0)
    drawn = [source.integers(low, high + 1, _SAMPLES) for low, high in zip(box.lower, box.upper, strict=True)]
    # Integers of any size, as those of the constraints.
    values: dict[str, int | np.ndarray] = dict(parameters)
    values |= {name: column.astype(object) for name, column in zip(domain.space.names, drawn, strict=True)}
    inside = np.zeros(_SAMPLES, dtype=bool)
    for piece in domain.pieces():
        inside |= _is_inside(piece, values)
    return box.size * max(int(inside.sum()), 1) // _SAMPLES


def _is_inside(piece: Piece, values: Mapping[str, int | np.ndarray]) -> np.ndarray:
    """Returns whether each of the points, whose coordinates are the elements of the values, is in the piece."""
    known = dict(values)
    for floor in piece.floors:
        known[floor.name] = _value(floor.affine, known) // floor.denominator
    inside = np.ones(_SAMPLES, dtype=bool)
    for constraint in piece.constraints:
        value = _value(constraint.affine, known)
        inside &= np.asarray(value == 0 if constraint.equality else value >= 0, dtype=bool)
    return inside


def _value(affine: Affine, values: Mapping[str, int | np.ndarray]) -> int | np.ndarray:
    value: int | np.ndarray = affine.constant
    for name, coefficient in affine.terms:
        value = value + coefficient * values[name]
    return value


def values_to_compute(program: Program, facts: Facts, system: System, parameters: Mapping[str, int]) -> int:
    """Returns the number of points of variables and of reduction bodies, including directly called systems."""
    return sum(stored_values(s, p) + _combined_points(facts, s, p) for s, p in _calls(program, system, parameters))


def stored_values(system: System, parameters: Mapping[str, int]) -> int:
    """Returns the number of points of the variables of a system."""
    return sum(estimated_points(v.domain, parameters) for v in system.variables)


def longest_reduction(facts: Facts, reductions: Iterable[Reduce], parameters: Mapping[str, int]) -> int:
    """Returns an estimate of the number of values that the longest of these reductions combines, twice the mean; at
    least 2.

    Reductions of called systems are measured at the caller's parameters where these have their names.
    """
    longest = 2
    for node in reductions:
        body, results = facts.context_domain[node.body], facts.context_domain[node]
        if set(body.space.parameters) <= set(parameters):
            values = {name: parameters[name] for name in body.space.parameters}
            longest = max(longest, 2 * estimated_points(body, values) // max(1, estimated_points(results, values)))
    return longest


def _combined_points(facts: Facts, system: System, parameters: Mapping[str, int]) -> int:
    bodies = [
        node.body
        for equation in system.equations
        for expression in ((equation.expression,) if isinstance(equation, Equation) else equation.inputs)
        for node in walk(expression)
        if isinstance(node, Reduce)
    ]
    return sum(estimated_points(facts.context_domain[body], parameters) for body in bodies)


def _calls(program: Program, system: System, parameters: Mapping[str, int]) -> list[tuple[System, dict[str, int]]]:
    """Returns the system, and those that it calls directly at the first point of the extension."""
    calls = [(system, dict(parameters))]
    for equation in system.equations:
        if isinstance(equation, UseEquation):
            point = next(equation.extension.points(parameters), None)
            if point is not None:
                here = {**parameters, **dict(zip(equation.extension.space.names, point, strict=True))}
                callee = program.system(equation.system)
                values = (a.at(here) for a in equation.parameters)
                calls.append((callee, dict(zip(callee.parameters, values, strict=True))))
    return calls


def memory_bytes() -> int:
    """Returns the memory of this machine; 4 GiB where it is unknown."""
    try:
        return int(os.sysconf("SC_PAGE_SIZE")) * int(os.sysconf("SC_PHYS_PAGES"))
    except (ValueError, OSError, AttributeError):
        return 4 << 30
