"""Small parameters for figures: three points along each dimension, if possible."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from alphaz.mapping.resolved import ResolvedMapping
from alphaz.poly import smallest_point

# Most operations in a figure.
LIMIT = 300
POINTS = 3
_LARGEST = 10
_RAISED = 2

Values = Mapping[str, int]


def small(mapping: ResolvedMapping) -> dict[str, int] | None:
    """Returns the smallest parameters with three points along each dimension of each statement, or as many as possible.

    First all equal, then each as small as possible. None if the smallest ones have too many operations."""
    names = mapping.system.parameters
    best, score = None, -1
    for candidate in _candidates(mapping):
        reached = _score(mapping, candidate)
        if reached is not None and reached > score:
            best, score = candidate, reached
    if best is None:
        return None
    for name in names:
        for value in range(best[name]):
            lower = {**best, name: value}
            if mapping.system.context.contains(lower) and _score(mapping, lower) == score:
                best = lower
                break
    return best


def raise_parameters(mapping: ResolvedMapping, witness: Values, holds: Callable[[Values], bool]) -> dict[str, int]:
    """Returns the parameters of a witness, increased by up to two for a better figure while it still `holds`."""
    names = mapping.system.parameters
    best, score = dict(witness), _score(mapping, witness) or 0
    for more in sorted(product(range(_RAISED + 1), repeat=min(len(names), 4)), key=lambda m: (sum(m), m)):
        candidate = {**witness, **{name: witness[name] + up for name, up in zip(names, more, strict=False)}}
        reached = _score(mapping, candidate) if mapping.system.context.contains(candidate) else None
        if reached is not None and reached > score and holds(candidate):
            best, score = candidate, reached
    return best


def operation_count(mapping: ResolvedMapping, at: Values) -> int:
    """Returns the number of operations with dates."""
    return sum(1 for statement in mapping.statements for _ in statement.domain.points(at))


def _candidates(mapping: ResolvedMapping) -> Iterator[dict[str, int]]:
    context, names = mapping.system.context, mapping.system.parameters
    least = smallest_point(context)
    if least is None:
        return
    for up in range(_LARGEST):
        equal, above = dict.fromkeys(names, up), {name: least[name] + up for name in names}
        yield from (each for each in (equal, above) if context.contains(each))


def _score(mapping: ResolvedMapping, at: Values) -> int | None:
    """The number of dimensions of statements and variables with three points; None if there are too many operations."""
    if operation_count(mapping, at) > LIMIT:
        return None
    domains = [statement.domain for statement in mapping.statements] + [v.domain for v in mapping.system.variables]
    return sum(len(set(along)) >= POINTS for d in domains for along in zip(*d.points(at), strict=True))
