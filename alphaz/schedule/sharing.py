"""Memory: candidates for where values are kept, the smallest first. Each is a step: it is taken where it is proved.

A value that is read where another one of its type is computed from it may pass its cell on; one that an output copies
at the end may be kept there all the time; one that is computed anew at each value of its first index (a step, a row)
may need the room of one such value, or of two in turn.
"""

from collections.abc import Collection, Iterator, Mapping

from alphaz.mapping.statement import Role
from alphaz.model.program import Kind as Declared
from alphaz.model.program import Variable
from alphaz.poly import Affine, AffineFunction
from alphaz.schedule.accesses import reads_of
from alphaz.schedule.dates import Dates, Kind
from alphaz.schedule.emit import function_text
from alphaz.schedule.line import Line
from alphaz.schedule.problem import Problem
from alphaz.schedule.step import Step

Lines = tuple[Line, ...]

_PLANE = 2
MOST = 24
"""Of so many locals, memory is proposed: each candidate is verified with the whole system. Of so many statements,
innermost loops are looked at.
"""


def sharing_steps(problem: Problem) -> Iterator[Step]:
    """For each variable that is read where another one is computed, the memory space of that."""
    heirs = _heirs(problem)
    for name in heirs:
        yield Step(tuple(_of_heirs(problem, heirs, name)), "", f"a cell of another variable for {name}")


def folding_steps(problem: Problem, dates: Dates | None = None, without: Collection[str] = ()) -> Iterator[Step]:
    """For each local, save those `without`, all that could make it smaller; with `dates`, also laid out along
    wavefronts.
    """
    heirs = _heirs(problem)
    if len(problem.system.locals) > MOST:
        return
    for variable in (v for v in problem.system.locals if v.name not in without):
        candidates = (
            *_in_output(problem, variable),
            *_of_heirs(problem, heirs, variable.name),
            *_folded(problem, variable, _wavefront(problem, dates or {}, variable.name)),
        )
        if candidates:
            yield Step(candidates, "", f"less memory for {variable.name}")


def _heirs(problem: Problem) -> Mapping[str, str]:
    """For each local, who computes something of its type at the same point."""
    found: dict[str, str] = {}
    for name, statement in problem.statements.items():
        if statement.role is not Role.VALUE:
            continue
        own = tuple(map(Affine.name, statement.domain.space.names))
        theirs = problem.system.variable(name)
        for read in reads_of(problem, name):
            mine = problem.system.variable(read.variable)
            fits = mine.kind is Declared.LOCAL and mine.type == theirs.type and read.indices == own
            if fits and mine.name != name:
                found.setdefault(mine.name, name)
    return found


def _of_heirs(problem: Problem, heirs: Mapping[str, str], name: str) -> Iterator[Lines]:
    """The spaces of its heir's heir and so on: the last one first."""
    chain = [name]
    while chain[-1] in heirs and heirs[chain[-1]] not in chain:
        chain.append(heirs[chain[-1]])
    indices = tuple(map(Affine.name, problem.system.variable(name).domain.space.names))
    for space in reversed(chain[1:]):
        yield _map(problem, name, space, indices)


def _in_output(problem: Problem, variable: Variable) -> Iterator[Lines]:
    """Where an output is the variable at one value of its first index: the cells of the output."""
    indices = tuple(map(Affine.name, variable.domain.space.names))[1:]
    for output in problem.system.outputs:
        fits = output.type == variable.type and output.domain.space.dimensions == len(indices) > 0
        if fits and _copies(problem, output.name, variable.name):
            yield _map(problem, variable.name, output.name, indices)


def _copies(problem: Problem, output: str, name: str) -> bool:
    own = tuple(map(Affine.name, problem.statements[output].domain.space.names))
    return any(read.variable == name and read.indices[1:] == own for read in reads_of(problem, output))


def _folded(problem: Problem, variable: Variable, wavefront: tuple[Affine, ...]) -> Iterator[Lines]:
    """Without one index; a few wavefronts; in an array that wanders with the first index; in two arrays in turn."""
    names = variable.domain.space.names
    if not names:
        return
    first, *others = map(Affine.name, names)
    yield _map(problem, variable.name, None, tuple(others) or (Affine(),))
    if wavefront:
        yield _map(problem, variable.name, None, (first, *others[:-1]))
    for turns in ("2", "3") if wavefront else ():
        yield _map(problem, variable.name, None, wavefront, ",".join((turns, *("0" for _ in others))))
    if len(others) > 1:
        wandering = tuple(index - first for index in others[:-1])
        yield _map(problem, variable.name, None, (*wandering, others[-1]))
    yield _map(problem, variable.name, None, (first, *others), ",".join(("2", *("0" for _ in others))))
    if others:
        yield _map(problem, variable.name, None, (first, *others), ",".join((*("0" for _ in others), "2")))


def _wavefront(problem: Problem, dates: Dates, name: str) -> tuple[Affine, ...]:
    """Both rows of a plane, where the outer one mixes its indices and the points of the inner one are parallel."""
    rows = [component for component in dates.get(name, ()) if component.is_row]
    indices = problem.system.variable(name).domain.space.names
    if len(rows) != len(indices) or len(indices) != _PLANE or rows[1].kind is not Kind.PARALLEL:
        return ()
    mixed = all(rows[0].value.coefficient(index) for index in indices)
    return tuple(Affine.of((n, row.value.coefficient(n)) for n in indices) for row in rows) if mixed else ()


def _map(problem: Problem, name: str, space: str | None, indices: tuple[Affine, ...], moduli: str = "") -> Lines:
    function = AffineFunction(problem.system.variable(name).domain.space, indices)
    named = () if space is None else (space,)
    return (Line("setMemoryMap", (name, *named, function_text(function), *((moduli,) if moduli else ()))),)
