"""Texts of random recurrences, and whether a search by force finds an affine schedule with small coefficients.

One or two variables over a square or a triangle (or a line); each value reads others of both, a step away, transposed,
or from the other end, where they are inside. Many have a schedule, some only one that runs backwards, some none in one
piece, and some cannot be computed at all.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random

import numpy as np

from alphaz.poly.scheduling.band_schedules import DependenceEdge
from alphaz.search.schedule.problem import Problem
from tests.transform.programs import domain

Coefficients = tuple[int, ...]
# Some that are small, and one at which what goes wrong far from the borders does.
SIZES = (4, 5, 7, 10)


def recurrence(random: Random) -> str:
    """The text of a program, which may have a cycle."""
    deep = random.random() < 0.7
    names = "ij" if deep else "i"
    shape = random.choice(("0<=i<N && 0<=j<N", "0<=i<=j<N")) if deep else "0<=i<N"
    variables = ["X", "Y"][: random.choice((1, 1, 2))]
    equations = [f"{v}[{','.join(names)}] = {_cases(random, variables, names, shape)};" for v in variables]
    edge = "-9<=(i,j)<N+9" if deep else "-9<=i<N+9"
    return "\n".join((
        "affine random {N | N>3}",
        f"input double A {{{','.join(names)} | {edge}}};",
        f"output double {', '.join(variables)} {{{','.join(names)} | {shape}}};",
        "let", *equations, ".",
    ))  # fmt: skip


def _cases(random: Random, variables: list[str], names: str, shape: str) -> str:
    """Two halves, each with reads of its own, or one whole; where these are not inside, an input."""
    own, space = f"A[{','.join(names)}]", ",".join(names)
    half = random.choice(("", "", "", "i<j" if len(names) > 1 else "2i<N"))
    branches, covered = [], []
    for part in (half, _opposite(half)) if half else ("",):
        reads = [_read(random, random.choice(variables), names, shape) for _ in range(random.choice((1, 1, 2)))]
        condition = " && ".join(filter(None, (shape, part, *(guard for _, guard in reads))))
        covered.append(condition)
        branches.append(f"{{{space} | {condition}}} : {own} + {' + '.join(read for read, _ in reads)};")
    rest = domain(f"{{{space} | {shape}}}")
    for condition in covered:
        rest = rest - domain(f"{{{space} | {condition}}}")
    text = "" if rest.is_empty() else f"{rest} : {own};"
    return f"case {' '.join(branches)} {text} esac"


def _opposite(part: str) -> str:
    left, _, right = part.partition("<")
    return f"{left}>={right}"


def _read(random: Random, variable: str, names: str, shape: str) -> tuple[str, str]:
    """A read, and where it is inside."""
    steps = [random.choice((-1, -1, 0, 1)) for _ in names]
    if not any(steps):
        steps[random.randrange(len(names))] = random.choice((-1, 1))
    indices = [f"{name}{step:+d}" if step else name for name, step in zip(names, steps, strict=True)]
    kind = random.random()
    if kind < 0.15:
        indices = [f"N-1-{names[0]}", *indices[1:]]
    elif kind < 0.25:
        indices = indices[::-1]
    guard = shape
    for name, index in zip(names, indices, strict=True):
        guard = guard.replace(name, f"<{names.index(name)}>")
        del index
    for at, index in enumerate(indices):
        guard = guard.replace(f"<{at}>", index)
    return f"{variable}[{','.join(indices)}]", guard


# --- by force ---------------------------------------------------------------------------------------------------------


def has_small_schedule(problem: Problem) -> bool:
    """Tells if rows with coefficients -2 to 2 of indices, 0 or 1 of N, constants 0 and 1 order all pairs of edges.

    At a few sizes, where all pairs are looked at. What some legal row carries, the sum of all legal rows does too, so
    that it can be dropped, and the search goes on with the rest.
    """
    names = list(problem.statements)
    deep = {name: statement.domain.space.dimensions for name, statement in problem.statements.items()}
    pairs = {number: _pairs(edge) for number, edge in enumerate(problem.flow)}
    while any(len(pair) for pair in pairs.values()):
        rows = list(_legal(names, deep, problem.flow, pairs))
        left = {number: _uncarried(problem.flow[number], value, rows) for number, value in pairs.items()}
        if sum(map(len, left.values())) == sum(map(len, pairs.values())):
            return False
        pairs = left
    return True


def _pairs(edge: DependenceEdge) -> np.ndarray:
    """Rows (1, N, source indices, target indices)."""
    count = edge.relation.source.dimensions + edge.relation.target.dimensions
    names = tuple(f"x{at}" for at in range(count))
    flat = edge.relation.pairs(names)
    results = [(1, size, *point) for size in SIZES for point in flat.points({"N": size})]
    return np.array(results, dtype=np.int64).reshape(len(results), count + 2)


def _legal(
    names: list[str], deep: Mapping[str, int], edges: tuple[DependenceEdge, ...], pairs: Mapping[int, np.ndarray]
) -> Iterator[Mapping[str, Coefficients]]:
    """Every row that no pair runs against."""
    choices = {name: list(product((0, 1), (0, 1), *[range(-2, 3)] * deep[name])) for name in names}
    own = {
        name: [c for c in choices[name] if all(_min(edges[n], value, {name: c}) >= 0 for n, value in pairs.items()
               if edges[n].source == edges[n].target == name)]
        for name in names
    }  # fmt: skip
    for chosen in product(*(own[name] for name in names)):
        row = dict(zip(names, chosen, strict=True))
        if all(_min(edges[n], value, row) >= 0 for n, value in pairs.items() if edges[n].source != edges[n].target):
            yield row


def _distances(edge: DependenceEdge, pairs: np.ndarray, row: Mapping[str, Coefficients]) -> np.ndarray:
    source, target = np.array(row[edge.source]), np.array(row[edge.target])
    split = 2 + edge.relation.source.dimensions
    then = pairs[:, :2] @ target[:2] + pairs[:, split:] @ target[2:]
    values: np.ndarray = then - (pairs[:, :2] @ source[:2] + pairs[:, 2:split] @ source[2:])
    return values


def _min(edge: DependenceEdge, pairs: np.ndarray, row: Mapping[str, Coefficients]) -> int:
    return int(_distances(edge, pairs, row).min()) if len(pairs) else 0


def _uncarried(edge: DependenceEdge, pairs: np.ndarray, rows: list[Mapping[str, Coefficients]]) -> np.ndarray:
    for row in rows:
        pairs = pairs[_distances(edge, pairs, row) == 0]
    return pairs
