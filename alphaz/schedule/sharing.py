"""Memory: candidates for where values are kept, the smallest first. Each is a step: it is taken where it is proved.

A value that is read where another one of its type is computed from it may pass its cell on; one that an output copies
at the end may be kept there all the time; one that is computed anew at each value of its first index (a step, a row)
may need the room of one such value, or of two in turn.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

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
        few, more = _folded(problem, variable, _wavefront(problem, dates or {}, variable.name))
        theirs = tuple(_of_heirs(problem, heirs, variable.name))
        accumulates = (
            problem.statements[variable.name].role is Role.BODY if variable.name in problem.statements else False
        )
        small = (*theirs, *few) if accumulates else (*few, *theirs)
        candidates = (*_in_output(problem, variable), *small, *more)
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


def _folded(
    problem: Problem, variable: Variable, wavefront: tuple[Affine, ...]
) -> tuple[Sequence[Lines], Sequence[Lines]]:
    """Without one index, or a few wavefronts; and what is larger: in an array that wanders with the first index; in
    two arrays in turn.
    """
    names = variable.domain.space.names
    if not names:
        return (), ()
    first, *others = map(Affine.name, names)

    def map_(indices: tuple[Affine, ...], *moduli: int) -> Lines:
        return _map(problem, variable.name, None, indices, ",".join(map(str, moduli)))

    none = [0] * len(others)
    few = [map_(tuple(others) or (Affine(),))]
    few += [map_((first, *others[:-1])), map_(wavefront, 2, *none), map_(wavefront, 3, *none)] if wavefront else []
    more = [map_((*(index - first for index in others[:-1]), others[-1]))] if len(others) > 1 else []
    more += [map_((first, *others), 2, *none)]
    more += [map_((first, *others), *none, 2)] if others else []
    return few, more


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
