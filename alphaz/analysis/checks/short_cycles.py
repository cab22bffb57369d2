"""Cycles of few dependences, for all parameters at once: the points of a closed walk of the graph of variables are one
set, and a point of it is a cycle."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.model.expression import Access
from alphaz.poly import AffineFunction, Domain, OutOfBudget, equal, smallest_point
from alphaz.proof import with_growing_budget

LONGEST = 8
"""Most dependences of such a cycle."""

# isl operations for all walks of one length, and the number of these walks.
_OPERATIONS = 100_000
_WALKS = 200

Values = Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """An edge: at each point of `domain`, the `consumer` at `projection` needs the `producer` at `function`."""

    consumer: str
    producer: str
    domain: Domain
    projection: AffineFunction
    function: AffineFunction
    reference: Access | None


@dataclass(frozen=True, slots=True, eq=False)
class _Walk:
    """Steps that follow each other, by their numbers; `points` are those of all steps, one after the other."""

    numbers: tuple[int, ...]
    points: Domain


def short_cycle(steps: Sequence[Step]) -> tuple[Values, list[tuple[Step, Values]]] | None:
    """Returns the parameters of a cycle, and its steps with the values of their dimensions; None if none is found.

    The parameters are the smallest of this walk, which is a shortest one."""
    walks = [_Walk((), Domain.universe(steps[0].domain.space.with_names(())))] if steps else []
    for _ in range(LONGEST):
        try:
            walks = with_growing_budget(lambda: _longer(steps, walks), _OPERATIONS)  # noqa: B023 - it is called at once
            cycle = with_growing_budget(lambda: _closed(steps, walks), _OPERATIONS)  # noqa: B023
        except OutOfBudget:
            return None
        if cycle is not None or not walks:
            return cycle
    return None


def _longer(steps: Sequence[Step], walks: Sequence[_Walk]) -> list[_Walk]:
    """Returns the walks of one step more that have points. The first step of a walk has the least number: a cycle may
    begin anywhere."""
    longer = []
    for walk in walks:
        for number, step in enumerate(steps):
            if walk.numbers and (number < walk.numbers[0] or step.consumer != steps[walk.numbers[-1]].producer):
                continue
            position = len(walk.numbers)
            points = walk.points.times(step.domain.renamed(_names(step, position)))
            if walk.numbers:
                points = _joined(points, steps[walk.numbers[-1]], position - 1, step, position)
            if not points.is_empty():
                longer.append(_Walk((*walk.numbers, number), points))
            if len(longer) == _WALKS:
                return longer
    return longer


def _closed(steps: Sequence[Step], walks: Sequence[_Walk]) -> tuple[Values, list[tuple[Step, Values]]] | None:
    """Returns the cycle of one of the walks, if there is one."""
    for walk in walks:
        own = [steps[number] for number in walk.numbers]
        if own[-1].producer != own[0].consumer:
            continue
        values = smallest_point(_joined(walk.points, own[-1], len(own) - 1, own[0], 0))
        if values is not None:
            parameters = {name: values[name] for name in walk.points.space.parameters}
            return parameters, [
                (step, _values_of(step, position, parameters, values)) for position, step in enumerate(own)
            ]
    return None


def _joined(points: Domain, before: Step, position: int, after: Step, there: int) -> Domain:
    """Returns the points at which step `before` reads the value that step `after` computes."""
    read = before.function.renamed(_names(before, position)).outputs
    computed = after.projection.renamed(_names(after, there)).outputs
    return points & Domain.where(points.space, [equal(x, y) for x, y in zip(read, computed, strict=True)])


def _names(step: Step, position: int) -> tuple[str, ...]:
    return tuple(f"{name}.{position}" for name in step.domain.space.names)


def _values_of(step: Step, position: int, parameters: Values, values: Values) -> Values:
    own = zip(step.domain.space.names, _names(step, position), strict=True)
    return {**parameters, **{name: values[renamed] for name, renamed in own}}
