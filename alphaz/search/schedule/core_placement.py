"""Places the core of a system, whose dates a strategy determines, and orders all other statements before or after
it."""

from collections.abc import Iterable, Iterator, Mapping

from alphaz.poly import Affine
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Component, ComponentKind, Dates
from alphaz.search.schedule.emit import parallel_lines
from alphaz.search.schedule.innermost import innermost_steps
from alphaz.search.schedule.nests import nests_of, shift_components
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.tactic import Tactic

_Nest = Mapping[str, tuple[Component, ...]]


def place_core(problem: Problem, dates: Dates, core: Mapping[str, tuple[Affine, ...]]) -> tuple[Dates, tuple[int, ...]]:
    """Returns dates of all statements, and the constants before those of the core: none if there are no other
    statements.

    The producers of the core come first, in the order of their dependences; all other statements follow the core. Nests
    keep their `dates`, further inside than the rows of the core, so that tiles of the core do not tile them; statements
    that share a nest with some of the core have their indices for rows."""
    middle = {name: tuple(Component(row, ComponentKind.SEQUENTIAL, ()) for row in rows) for name, rows in core.items()}
    width = max(map(len, core.values()))
    nests = [middle, *_others(problem, dates, core)]
    order = _in_order(problem, nests)
    found: dict[str, tuple[Component, ...]] = {}
    for name in problem.statements:
        (at,) = (number for number, place in enumerate(order) if name in nests[place])
        rows = nests[order[at]][name]
        front = (Component(Affine(constant=at), ComponentKind.ORDER, ()),) if len(nests) > 1 else ()
        found[name] = (*front, *(rows if name in core or not rows else shift_components(rows, width)))
    return found, (order.index(0),) if len(nests) > 1 else ()


def steps_around(problem: Problem, laid: Dates, core: Iterable[str], blocking: Blocking) -> Iterator[Tactic]:
    """Returns threads, vectors and columns for the loops outside the core."""
    others = {name: components for name, components in laid.items() if name not in set(core)}
    for line in parallel_lines(others):
        yield Tactic(((line,),), "", "threads")
    yield from innermost_steps(problem, others, blocking)


def _others(problem: Problem, dates: Dates, core: Iterable[str]) -> Iterator[_Nest]:
    """The nests without the core, and each statement of the others alone."""
    inside = set(core)
    for nest in nests_of(dates):
        if inside.isdisjoint(nest.statements):
            yield nest.rows
            continue
        for name in (statement for statement in nest.statements if statement not in inside):
            indices = problem.statements[name].domain.space.names
            yield {name: tuple(Component(Affine.name(index), ComponentKind.SEQUENTIAL, ()) for index in indices)}


def _in_order(problem: Problem, nests: list[_Nest]) -> list[int]:
    """The numbers of the nests in the order of their dependences; nests that the first one does not need come after
    it."""
    of = {name: at for at, nest in enumerate(nests) for name in nest}
    needs: dict[int, set[int]] = {at: set() for at in range(len(nests))}
    for edge in problem.flow:
        needs[of[edge.target]] |= {of[edge.source]} - {of[edge.target]}
    before = {0}
    while more := {source for at in before for source in needs[at]} - before:
        before |= more
    depth = dict.fromkeys(needs, 0)
    for _ in nests:
        for at, sources in needs.items():
            same = (each for each in sources if (each in before) == (at in before) and each != 0)
            depth[at] = max((depth[each] + 1 for each in same), default=0)
    return sorted(needs, key=lambda at: (at not in before, at == 0, depth[at]))
