"""Confirms the read of a witness by evaluating the program at one point.

This module uses neither the dependences nor isl's description of a set; it only tests membership of points in domains.
"""

from collections.abc import Iterator, Mapping, Sequence

from alphaz.model.expression import Access, Case, Compose, Expression, Facts, Reduce, Restrict
from alphaz.model.walk import children

Values = Mapping[str, int]


def is_read(
    facts: Facts, root: Expression, reference: Access, scope: Values, hints: Values, index: Sequence[int]
) -> bool:
    """Returns True if the evaluation of `root` reads `reference` at `index`.

    `scope` has the parameters and the indices around `root`; `hints` are values to try first for the indices of
    enclosing reductions, by name.
    """
    return any(index_read == tuple(index) for index_read in _indices(facts, _path(root, reference), scope, hints))


def _path(root: Expression, goal: Expression) -> tuple[Expression, ...]:
    """Returns the path from the root to a node inside it, both included; () when it is not inside."""
    waiting: list[tuple[Expression, ...]] = [(root,)]
    while waiting:
        path = waiting.pop()
        if path[-1] is goal:
            return path
        waiting.extend((*path, child) for child in children(path[-1]))
    return ()


def _indices(facts: Facts, path: tuple[Expression, ...], scope: Values, hints: Values) -> Iterator[tuple[int, ...]]:
    """Yields the indices at which the last node of the path is read."""
    if not path:
        return
    here, *rest = path
    below = tuple(rest)
    match here:
        case Access():
            yield here.function.at(scope)
        case Restrict() if not here.domain.contains(scope):
            return
        case Case() if not facts.expression_domain[below[0]].contains(scope):
            return
        case Compose():
            entered = _entered(scope, here.function.domain.names, here.names, here.function.at(scope))
            yield from _indices(facts, below, entered, hints)
        case Reduce():
            for inner in _body_points(facts, here, scope, hints):
                yield from _indices(facts, below, inner, hints)
        case _:
            yield from _indices(facts, below, scope, hints)


def _entered(scope: Values, left: Sequence[str], names: Sequence[str], point: Sequence[int]) -> dict[str, int]:
    outside = {name: value for name, value in scope.items() if name not in left}
    return {**outside, **dict(zip(names, point, strict=True))}


def _body_points(facts: Facts, reduction: Reduce, scope: Values, hints: Values) -> Iterator[Values]:
    """Yields the points of the body that contribute here, the hinted one first."""
    space = reduction.projection.domain
    domain = facts.context_domain[reduction.body]
    outer = facts.context_domain[reduction].space.names
    parameters = {name: scope[name] for name in space.parameters}
    here = tuple(scope[name] for name in outer)
    if all(name in hints for name in space.names):
        hinted = _entered(scope, outer, space.names, [hints[n] for n in space.names])
        if reduction.projection.at(hinted) == here and domain.contains(hinted):
            yield hinted
    for point in domain.points(parameters):
        inner = _entered(scope, outer, space.names, point)
        if reduction.projection.at(inner) == here:
            yield inner
