"""Places of the operations of all statements, aligned with those of one of them.

The place of a statement is given; a statement that reads its values, or whose values it reads, gets the place at which
most of these reads find their values, and so on. Source: Anderson, Lam, PLDI 1993, alignment of computations and data.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.mapping.statement import Statement
from alphaz.order.mapped_read import Read
from alphaz.order.operations import Phase
from alphaz.poly import Affine
from alphaz.search.schedule.dates import Dates
from alphaz.search.schedule.problem import Problem

Placement = Mapping[str, Affine]
"""The place of each statement, by its name, over its indices."""

# Most statements whose indices become places.
_MOST_SEEDS = 3


@dataclass(frozen=True, slots=True)
class Seed:
    """The place of one statement, from which the others follow."""

    statement: str
    place: Affine


def seeds(problem: Problem, dates: Dates) -> Iterator[Seed]:
    """Yields the indices of the statements with the most loops, and the skewed rows of their dates."""
    deepest = max((s.domain.space.dimensions for s in problem.statements.values()), default=0)
    names = [name for name, s in problem.statements.items() if s.domain.space.dimensions == deepest]
    for name in names[:_MOST_SEEDS]:
        indices = [Affine.name(index) for index in problem.statements[name].domain.space.names]
        rows = [component.value for component in dates[name] if component.is_row and not component.value.is_constant]
        for place in dict.fromkeys((*indices, *rows)):
            yield Seed(name, place)


def reversed_seeds(problem: Problem, dates: Dates) -> Iterator[Seed]:
    """Yields the same places in the opposite direction."""
    yield from (Seed(seed.statement, -seed.place) for seed in seeds(problem, dates))


def aligned(problem: Problem, seed: Seed) -> Placement:
    """Returns places for all statements."""
    places = {seed.statement: seed.place}
    reads = [read for read in problem.reads if read.reader.moment is Phase.DATED and not read.is_running]
    while len(places) < len(problem.statements):
        name, place = _next(problem, reads, places) or _any(problem, places)
        places[name] = place
    return {name: places[name] for name in problem.statements}


def _next(problem: Problem, reads: Sequence[Read], placement: Placement) -> tuple[str, Affine] | None:
    """Returns the statement with the most reads that agree on its place."""
    votes = Counter[tuple[str, Affine]]()
    for read in reads:
        reader, writer = _name_of(read), read.variable
        if reader is None or writer not in problem.statements or reader == writer:
            continue
        if writer in placement and reader not in placement:
            value = _of_values(problem.statements[writer], placement[writer])
            place = None if value is None else _at_reader(read, value, problem)
            votes.update([] if place is None else [(reader, place)])
        elif reader in placement and writer not in placement:
            home = _at_writer(read, placement[reader], problem)
            votes.update([] if home is None else [(writer, home)])
    return max(votes, key=lambda key: votes[key]) if votes else None


def _any(problem: Problem, placement: Placement) -> tuple[str, Affine]:
    """Returns a statement whose reads give it no place: at its first index, as numbers without one are at 0."""
    name = next(name for name in problem.statements if name not in placement)
    statement = problem.statements[name]
    return name, next((output for output in statement.target.outputs if not output.is_constant), Affine())


def _name_of(read: Read) -> str | None:
    statement = read.reader.operation.statement
    return None if statement is None else statement.variable


def place_of_result(statement: Statement, place: Affine) -> Affine | None:
    """Returns the place of a result, over its indices, which are the first names of the statement; None if
    contributions to it have several.
    """
    value = _of_values(statement, place)
    names = {_value_name(position): Affine.name(name) for position, name in enumerate(statement.domain.space.names)}
    return None if value is None else value.substitute(names)


def _of_values(statement: Statement, place: Affine) -> Affine | None:
    """Returns the place of a value, over `z0, z1, ..`, if all contributions to it have this one."""
    target = statement.target.renamed(statement.domain.space.names).outputs
    return _solved(target, place, statement.domain.space.names)


def _at_reader(read: Read, value: Affine, problem: Problem) -> Affine | None:
    """Returns the place of the read value, over the indices of the reader."""
    statement = problem.statements[_name_of(read) or ""]
    back = {
        output.names[0]: Affine.name(index)
        for output, index in zip(read.at.outputs, statement.domain.space.names, strict=False)
        if len(output.names) == 1 and output == Affine.name(output.names[0])
    }
    place = value.substitute(dict(zip(map(_value_name, range(99)), read.function.outputs, strict=False)))
    known = {*back, *problem.system.parameters}
    return place.substitute(back) if known.issuperset(place.names) else None


def _at_writer(read: Read, place: Affine, problem: Problem) -> Affine | None:
    """Returns the place of the operations that write the read value, if it is that of the reader."""
    reader, writer = problem.statements[_name_of(read) or ""], problem.statements[read.variable]
    at_read = place.substitute(dict(zip(reader.domain.space.names, read.at.outputs, strict=False)))
    value = _solved(read.function.outputs, at_read, read.names)
    if value is None:
        return None
    target = writer.target.renamed(writer.domain.space.names).outputs
    return value.substitute(dict(zip(map(_value_name, range(99)), target, strict=False)))


def _solved(outputs: Sequence[Affine], place: Affine, indices: Sequence[str]) -> Affine | None:
    """Returns an expression over `z0, z1, ..` that is the place where these are the outputs; None if none is seen."""
    left, solved = place, Affine()
    for index in indices:
        factor = left.coefficient(index)
        if not factor:
            continue
        at = next((d for d, x in enumerate(outputs) if _is_alone(x, index, indices)), None)
        if at is None:
            return None
        sign = outputs[at].coefficient(index)
        left = left - outputs[at] * (factor * sign)
        solved = solved + Affine.name(_value_name(at)) * (factor * sign)
    return solved + left


def _is_alone(output: Affine, index: str, indices: Sequence[str]) -> bool:
    others = (name for name in output.names if name in indices and name != index)
    return output.coefficient(index) in (1, -1) and not any(others)


def _value_name(position: int) -> str:
    """Returns the name of an index of a value, which no program has."""
    return f"z'{position}"
