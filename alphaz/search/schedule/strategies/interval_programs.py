"""Dynamic programs over intervals: V[i,j] from V[i,k] and V[k+1,j] for all k in between, as in matrix chains.

The body is split: cuts at least one square away from both ends read entries of complete squares only. These come first,
with a square of sums in registers, as in a matrix product; then, row by row, the cuts near the left end and those near
the right end, a row of the square at once. Entries are tiled, and the tiles of one wavefront run in parallel."""

from collections.abc import Iterator
from dataclasses import dataclass

from alphaz.analysis.texts.node_numbers import Site, sites
from alphaz.mapping.design import Design
from alphaz.mapping.statement import Role
from alphaz.model.expression import Access, Expression, Reduce
from alphaz.model.program import Equation
from alphaz.model.walk import walk
from alphaz.poly import Affine, AffineFunction
from alphaz.search.schedule.blocking import Blocking
from alphaz.search.schedule.dates import Dates
from alphaz.search.schedule.nests import place_core, steps_around
from alphaz.search.schedule.problem import Problem
from alphaz.search.schedule.script_lines import Line, function_text
from alphaz.search.schedule.statement_accesses import reads_of, written_access
from alphaz.search.schedule.strategy import Strategy, StrategyPlan, Tactic

_SQUARES = 4
"""Squares in a row of a tile. The side of a square is also the distance of cuts from both ends."""
_INDICES, _PARTS = 2, 3


def rewrite(design: Design, system: str, blocking: Blocking) -> tuple[Line, ...]:
    """Returns the lines that split the reduction of a dynamic program into three parts."""
    side = blocking.square()
    for site in sites(design.program):
        if site.system.name == system and (names := _interval(site)) is not None:
            i, j, k = names
            whole, end = f"{i}+{side}<={k}<={j}-{side}", f"{k}<{i}+{side}"
            split = (
                Line("SplitReductionBody", (number, f"{{{i},{j},{k} | {part}}}"), of_system=False)
                for number, part in ((site.text, whole), (f"{site.text},1", end))
            )
            return tuple(split)
    return ()


def _interval(site: Site) -> tuple[str, str, str] | None:
    """The names of the two indices and of the cut, if the expression is such a reduction."""
    node, equation = site.expression, site.equation
    if not isinstance(node, Reduce) or not isinstance(equation, Equation):
        return None
    names = node.projection.domain.names
    if len(names) != _INDICES + 1 or node.projection.outputs != tuple(map(Affine.name, names[:_INDICES])):
        return None
    i, j, k = names
    own = [_indices(node_, names) for node_ in walk(node.body) if _reads(node_, equation.variable)]
    heads = [at for at in own if len(at) == _INDICES and at[0] == Affine.name(i) and _near(at[1], k, (-1, 0))]
    tails = [at for at in own if len(at) == _INDICES and at[1] == Affine.name(j) and _near(at[0], k, (0, 1))]
    return (i, j, k) if heads and tails and len(heads) + len(tails) == len(own) else None


def _reads(node: Expression, variable: str) -> bool:
    return isinstance(node, Access) and node.variable == variable


def _indices(node: Expression, names: tuple[str, ...]) -> tuple[Affine, ...]:
    assert isinstance(node, Access)
    return node.function.renamed(names).outputs


def _near(index: Affine, name: str, offsets: tuple[int, int]) -> bool:
    distance = index - Affine.name(name)
    return distance.is_constant and offsets[0] <= distance.constant <= offsets[1]


@dataclass(frozen=True, slots=True)
class _Parts:
    """The entries, and the three parts of their reduction. `late`: a cut reads the entry before it."""

    entries: str
    whole: str
    ends: tuple[str, str]
    late: bool

    @property
    def names(self) -> frozenset[str]:
        return frozenset({self.entries, self.whole, *self.ends})


def plan(problem: Problem, dates: Dates, blocking: Blocking) -> Iterator[StrategyPlan]:
    parts = _parts(problem)
    if parts is None:
        return
    core = {name: _dates(parts, problem.statements[name].domain.space.names, name) for name in parts.names}
    laid, front = place_core(problem, dates, core)
    end = parts.ends[1]
    start = _at(problem.statements[end].domain.space.names, "-i,j,1,-i,i,0")
    starts = {end: (*(Affine(constant=place) for place in front), *start)}
    steps = (*_steps(problem, parts, front, blocking.square()), *steps_around(problem, laid, core, blocking))
    yield StrategyPlan(laid, (), steps, starts)


def _parts(problem: Problem) -> _Parts | None:
    for name, statement in problem.statements.items():
        if statement.role is not Role.VALUE or statement.domain.space.dimensions != _INDICES:
            continue
        read = dict.fromkeys(read.variable for read in reads_of(problem, name))
        bodies = [access for access in read if _contributes(problem, access, name)]
        if len(bodies) == _PARTS:
            whole, *ends = bodies
            j = problem.statements[whole].domain.space.names[2]
            heads = [r.indices[1] for r in reads_of(problem, whole) if r.variable == name and j in r.indices[1].names]
            return _Parts(name, whole, (ends[0], ends[1]), all(at.constant < 0 for at in heads))
    return None


def _contributes(problem: Problem, name: str, entries: str) -> bool:
    """Returns True if it is a reduction over the points of the entries, for an entry each."""
    statement = problem.statements.get(name)
    if statement is None or statement.role is not Role.BODY or statement.domain.space.dimensions != _INDICES + 1:
        return False
    own = tuple(map(Affine.name, statement.domain.space.names[:_INDICES]))
    return written_access(statement).indices == own and any(r.variable == entries for r in reads_of(problem, name))


def _dates(parts: _Parts, indices: tuple[str, ...], name: str) -> tuple[Affine, ...]:
    if name == parts.whole:
        return _at(indices, "-i,j,0,k,0,0")
    if name in parts.ends:
        return _at(indices, "-i,j,1,-i,k,1")
    return _at(indices, f"-i,j,1,-i,j,{2 if parts.late else 0}")


def _at(indices: tuple[str, ...], text: str) -> tuple[Affine, ...]:
    """The components, with the indices of a statement for i, j and k."""
    values = dict(zip("ijk", map(Affine.name, indices), strict=False))
    values["-i"] = Affine.of([(indices[0], -1)])
    return tuple(values.get(part) or Affine(constant=int(part)) for part in text.split(","))


def _steps(problem: Problem, parts: _Parts, front: tuple[int, ...], side: int) -> Iterator[Tactic]:
    names = problem.system.variable(parts.entries).domain.space
    cells = function_text(AffineFunction(names, tuple(map(Affine.name, names.names))))
    column = function_text(AffineFunction(names, (Affine.name(names.names[1]),)))
    yield Tactic(((Line("setMemoryMap", (parts.whole, parts.entries, cells)),),), "", f"the cells of {parts.entries}")
    yield Tactic(((Line("setMemoryMap", (", ".join(parts.ends), column)),),), "", "a row for the ends")
    tiles = tuple(Line("setTiling", (len(front) + position, _SQUARES * side)) for position in range(_INDICES))
    why = "Tiles of entries, those of one wavefront in parallel."
    yield Tactic(((*tiles, Line("setTilingType", ("omp",))), tiles), why, "tiles")
    below = tuple(map(str, front))
    registers = tuple(Line("setRegisterTile", (*below, position, side)) for position in range(_INDICES))
    yield Tactic((registers,), f"Squares of {side} x {side}: cuts far from both ends read complete ones.", "squares")


_SUMMARY = "Complete squares as in a matrix product, for dynamic programs over intervals."
STRATEGY = Strategy("dynamic", _SUMMARY, plan, rewrite)
