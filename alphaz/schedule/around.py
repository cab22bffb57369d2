"""A core of statements that a recipe dates, and all others around it: before it, or behind it."""

from collections.abc import Collection, Mapping

from alphaz.poly import Affine
from alphaz.schedule.dates import Component, Dates, Kind
from alphaz.schedule.problem import Problem


def placed(problem: Problem, core: Mapping[str, tuple[Affine, ...]]) -> tuple[Dates, tuple[int, ...]]:
    """Dates of all statements, and the constants in front of those of the core: none, where there is nothing else.

    What the core needs comes before it, each statement that needs another one behind that; the rest behind the core.
    Other statements have their indices for rows.
    """
    places = _places(problem, frozenset(core))
    numbers = {place: at for at, place in enumerate(sorted(set(places.values())))}
    found: dict[str, tuple[Component, ...]] = {}
    for name, place in places.items():
        own = problem.statements[name].domain.space.names
        rows = core.get(name) or tuple(map(Affine.name, own))
        front = (Component(Affine(constant=numbers[place]), Kind.ORDER, ()),) if len(numbers) > 1 else ()
        found[name] = (*front, *(Component(row, Kind.SEQUENTIAL, ()) for row in rows))
    (core_place,) = {numbers[places[name]] for name in core}
    return found, (core_place,) if len(numbers) > 1 else ()


def _places(problem: Problem, core: Collection[str]) -> Mapping[str, tuple[bool, int]]:
    """Of each statement: whether it comes behind the core, and how many others it waits for in a row."""
    needs: dict[str, set[str]] = {name: set() for name in problem.statements}
    for edge in problem.flow:
        needs[edge.target] |= {edge.source} - {edge.target}
    before = set(core)
    while more := {source for name in before for source in needs[name]} - before:
        before |= more
    depth = dict.fromkeys(problem.statements, 0)
    for _ in problem.statements:
        for name, sources in needs.items():
            same = (s for s in sources if (s in before) == (name in before) and s not in core)
            depth[name] = max((depth[s] + 1 for s in same), default=0)
    last = 1 + max((depth[name] for name in before if name not in core), default=-1)
    return {name: (name not in before, last if name in core else depth[name]) for name in problem.statements}
