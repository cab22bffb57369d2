"""Tests whether expressions have a value at one point, by integer arithmetic on the program: the re-check of witnesses.

If that depends on whether a reduction has a point at all, the search is bounded, and the answer may be unknown (None).
"""

from collections.abc import Iterator, Mapping
from itertools import islice, product

from alphaz.analysis.facts.domains import STRICT, WHOLE, DomainQuery
from alphaz.model.expression import (
    Access,
    Case,
    Compose,
    Constant,
    Expression,
    IndexValue,
    Reduce,
    Restrict,
)  # fmt: skip
from alphaz.model.program import Variable
from alphaz.model.walk import children
from alphaz.poly import AffineFunction, Domain, Space

Values = Mapping[str, int]

# The range around zero, and the number of tries, of the search for a point of a reduction.
_REACH, _TRIES = 9, 20_000


def within(domain: Domain, values: Values, point: tuple[int, ...]) -> bool:
    """Returns True if the domain has the point, for the parameters among `values`."""
    return domain.contains(coordinates(domain.space, values, point))


def coordinates(space: Space, values: Values, point: tuple[int, ...]) -> dict[str, int]:
    """Returns the values of the parameters and dimensions of a space at a point of it."""
    return {**{p: values[p] for p in space.parameters}, **dict(zip(space.names, point, strict=True))}


def readable(variables: Mapping[str, Variable], access: Access, values: Values) -> bool:
    """Returns True if the point that is read exists."""
    return within(variables[access.variable].domain, values, access.function.at(values))


def has_value_at(
    variables: Mapping[str, Variable], node: Expression, values: Values, query: DomainQuery = WHOLE
) -> bool | None:
    """Returns True if the expression has a value at the point (see `analysis.domains`)."""
    match node:
        case Constant() | IndexValue():
            return True
        case Access():
            return readable(variables, node, values)
        case Restrict():
            return (
                has_value_at(variables, node.body, values, query.restricted) if node.domain.contains(values) else False
            )
        case Compose():
            inner = coordinates(node.function.domain.with_names(node.names), values, node.function.at(values))
            return has_value_at(variables, node.body, inner, query)
        case Reduce():
            return True if query.promised else _has_a_point(variables, node, values)
        case Case():
            return _any(has_value_at(variables, branch, values, query.branch) for branch in node.branches)
    return _all(has_value_at(variables, child, values, query) for child in children(node))


def _any(answers: Iterator[bool | None]) -> bool | None:
    answer_set = set(answers)
    return True if True in answer_set else None if None in answer_set else False


def _all(answers: Iterator[bool | None]) -> bool | None:
    answer_set = set(answers)
    return False if False in answer_set else None if None in answer_set else True


def _has_a_point(variables: Mapping[str, Variable], node: Reduce, values: Values) -> bool | None:
    for inner in preimage_points(node.projection, values):
        if has_value_at(variables, node.body, inner, STRICT):
            return True
    return None


def preimage_points(projection: AffineFunction, values: Values) -> Iterator[dict[str, int]]:
    """Yields points that the projection maps to the given one, near zero and the parameters; `values` may be read by
    position, the last ones being the dimensions."""
    space = projection.domain
    parameters = {p: values[p] for p in space.parameters}
    target = tuple(v for name, v in values.items() if name not in parameters)
    fixed_values = {
        output.terms[0][0]: value - output.constant
        for output, value in zip(projection.outputs, target, strict=True)
        if len(output.terms) == 1 and output.terms[0][1] == 1 and output.terms[0][0] in space.names
    }
    free = [name for name in space.names if name not in fixed_values]
    reach = range(-2, max([_REACH, *(abs(v) + 3 for v in values.values())]))
    for combination in islice(product(reach, repeat=len(free)), _TRIES):
        inner = {**parameters, **fixed_values, **dict(zip(free, combination, strict=True))}
        if projection.at(inner) == target:
            yield {name: inner[name] for name in (*space.parameters, *space.names)}
