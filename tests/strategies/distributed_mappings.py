"""Random distributed mappings of a few programs: dates that make sense, with parts replaced at random; memory maps,
ghost maps and kinds at random.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from tests.legality.mapped import Mapped


@dataclass(frozen=True)
class Dates:
    """The indices of a variable (or of the body of its reduction), and steps, place and order of its operations."""

    indices: str
    steps: tuple[str, ...]
    place: str
    order: tuple[str, ...] = ()
    is_body: bool = False


@dataclass(frozen=True)
class Example:
    """A program with mappings that make sense: the dates of every variable."""

    text: str
    mappings: tuple[dict[str, Dates], ...]
    inputs: dict[str, str]
    sizes: Callable[[Random], dict[str, int]]
    stored: tuple[str, ...]


def _n(low: int, high: int) -> Callable[[Random], dict[str, int]]:
    return lambda random: {"N": random.randint(low, high)}


JACOBI = Example(
    """affine S {N,T | N > 2 && T > 0}
input double A {i | 0<=i<N};
output double B {i | 0<=i<N};
local double X {t,i | 0<=t<=T && 0<=i<N};
let
  X[t,i] = case {| t==0} : A[i];
    {| t>0 && 0<i<N-1} : X[t-1,i-1]+X[t-1,i]+X[t-1,i+1];
    {| t>0 && i==0} || {| t>0 && i==N-1} : X[t-1,i]; esac;
  B[i] = X[T,i];
.""",
    (
        {"X": Dates("t,i", ("t",), "i"), "B": Dates("i", ("T+1",), "i")},
        {"X": Dates("t,i", (), "i+t", ("t",)), "B": Dates("i", (), "i+T", ("T+1",))},
        {"X": Dates("t,i", ("t",), "i+t"), "B": Dates("i", ("T+1",), "i")},
        {"X": Dates("t,i", ("t",), "i+t"), "B": Dates("i", ("T+1",), "i+T")},
    ),
    {"A": "i"},
    lambda random: {"N": random.randint(3, 7), "T": random.randint(1, 5)},
    ("X",),
)

LCS = Example(
    """affine S {N | N > 0}
input int A {i | 0<=i<N};
output int R {j | 0<=j<=N};
local int C {i,j | 0<=i<=N && 0<=j<=N};
let
  C[i,j] = case {| i==0} : 0; {| i>0 && j==0} : A[i-1];
    {| i>0 && j>0} : max(max(C[i-1,j], C[i,j-1]), C[i-1,j-1]); esac;
  R[j] = C[N,j];
.""",
    (
        {"C": Dates("i,j", ("i",), "j"), "R": Dates("j", ("N+1",), "j")},
        {"C": Dates("i,j", ("i+j",), "i"), "R": Dates("j", ("2N+1",), "j")},
        {"C": Dates("i,j", (), "i+j", ("i",)), "R": Dates("j", (), "j+N", ("N+1",))},
    ),
    {"A": "i"},
    _n(1, 6),
    ("C",),
)

PREFIX = Example(
    """affine S {N | N > 0}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
local int P {i | 0<=i<N};
let
  P[i] = case {| i==0} : A[i]; {| i>0} : P[i-1] + A[i]; esac;
  B[i] = P[i];
.""",
    (
        {"P": Dates("i", (), "i", ("0",)), "B": Dates("i", (), "i", ("1",))},
        {"P": Dates("i", ("i",), "i"), "B": Dates("i", ("N",), "i")},
        {"P": Dates("i", ("i",), "-i"), "B": Dates("i", ("i+1",), "i")},
    ),
    {"A": "i"},
    _n(1, 8),
    ("P", "B"),
)

SUMS = replace(
    PREFIX,
    text="""affine S {N | N > 0}
input int A {i | 0<=i<N};
output int P {i | 0<=i<N}; int B {i | 0<=i<N};
let
  P[i] = case {| i==0} : A[i]; {| i>0} : P[i-1] + A[i]; esac;
  B[i] = P[i] + A[i];
.""",
)
"""The same with an output that other ranks read."""

FIELDS = Example(
    """affine S {N,T | N > 1 && T > 0}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
local int X {t,i | 0<=t<=T && 0<=i<N}; int Y {t,i | 0<=t<=T && 0<=i<N};
let
  X[t,i] = case {| t==0} : A[i]; {| t>0 && i<N-1} : Y[t-1,i+1]+X[t-1,i]; {| t>0 && i==N-1} : A[i]; esac;
  Y[t,i] = case {| i==0} : X[t,i]; {| i>0} : X[t,i-1]+A[i]; esac;
  B[i] = Y[T,i];
.""",
    (
        {
            "X": Dates("t,i", ("t", "0"), "i"),
            "Y": Dates("t,i", ("t", "1"), "i"),
            "B": Dates("i", ("T+1", "0"), "i"),
        },
        {
            "X": Dates("t,i", ("t",), "i", ("0",)),
            "Y": Dates("t,i", ("t",), "i", ("1",)),
            "B": Dates("i", ("T",), "i", ("2",)),
        },
    ),
    {"A": "i"},
    lambda random: {"N": random.randint(2, 5), "T": random.randint(1, 3)},
    ("X", "Y"),
)

FLOYD = Example(
    """affine S {N | N > 1}
input int A {i,j | 0<=i<N && 0<=j<N};
output int B {i,j | 0<=i<N && 0<=j<N};
local int F {k,i,j | 0<=k<=N && 0<=i<N && 0<=j<N};
let
  F[k,i,j] = case {| k==0} : A[i,j]; {| k>0} : min(F[k-1,i,j], F[k-1,i,k-1]+F[k-1,k-1,j]); esac;
  B[i,j] = F[N,i,j];
.""",
    (
        {"F": Dates("k,i,j", ("k",), "i", ("j",)), "B": Dates("i,j", ("N+1",), "i", ("j",))},
        {"F": Dates("k,i,j", ("k",), "j", ("i",)), "B": Dates("i,j", ("N+1",), "i", ("j",))},
    ),
    {"A": "i,j"},
    _n(2, 4),
    ("F",),
)

LU = Example(
    """affine S {N | N > 1}
input double A {i,j | 0<=i<N && 0<=j<N};
output double U {i,j | 0<=i<=j<N}; double M {i,k | 0<=k<i<N};
local double W {k,i,j | 0<=k<=i<N && k<=j<N}; double L {k,i | 0<=k<i<N};
let
  W[k,i,j] = case {| k==0} : A[i,j]; {| k>0} : W[k-1,i,j]-L[k-1,i]*W[k-1,k-1,j]; esac;
  L[k,i] = W[k,i,k]/W[k,k,k];
  U[i,j] = W[i,i,j];
  M[i,k] = L[k,i];
.""",
    (
        {
            "W": Dates("k,i,j", ("2k",), "i", ("j",)),
            "L": Dates("k,i", ("2k+1",), "i", ("0",)),
            "U": Dates("i,j", ("2N",), "i", ("j",)),
            "M": Dates("i,k", ("2N+1",), "i", ("k",)),
        },
        {
            "W": Dates("k,i,j", ("k",), "i", ("1", "j")),
            "L": Dates("k,i", ("k+1",), "i", ("0", "0")),
            "U": Dates("i,j", ("N",), "i", ("2", "j")),
            "M": Dates("i,k", ("N",), "i", ("3", "k")),
        },
        {
            "W": Dates("k,i,j", ("2k",), "i", ("j",)),
            "L": Dates("k,i", ("2k+1",), "i", ("k",)),
            "U": Dates("i,j", ("2N",), "i", ("j",)),
            "M": Dates("i,k", ("2N+1",), "i", ("k",)),
        },
    ),
    {"A": "i,j"},
    _n(2, 4),
    ("W", "L"),
)

POWER = Example(
    """affine S {N,T | N > 0 && T > 0}
input int A {i | 0<=i<N}; int M {i,j | 0<=i<N && 0<=j<N};
output int B {i | 0<=i<N};
local int X {t,i | 0<=t<=T && 0<=i<N}; int Y {t,i | 0<t<=T && 0<=i<N};
let
  X[t,i] = case {| t==0} : A[i]; {| t>0} : Y[t,N-1-i]+1; esac;
  Y[t,i] = reduce(+, [j], {| 0<=j<N} : M[i,j]*X[t-1,j]);
  B[i] = X[T,i];
.""",
    (
        {
            "X": Dates("t,i", ("2t",), "i", ("0",)),
            "Y": Dates("t,i,j", ("2t-1",), "i", ("j",), is_body=True),
            "B": Dates("i", ("2T+1",), "i", ("0",)),
        },
        {
            "X": Dates("t,i", ("2t",), "i", ("N",)),
            "Y": Dates("t,i,j", ("2t-1",), "i", ("j",), is_body=True),
            "B": Dates("i", ("2T",), "i", ("N+1",)),
        },
        {
            "X": Dates("t,i", ("t", "N"), "i"),
            "Y": Dates("t,i,j", ("t", "j"), "i", is_body=True),
            "B": Dates("i", ("T+1", "0"), "i"),
        },
        {
            "X": Dates("t,i", ("2t",), "i", ("0",)),
            "Y": Dates("t,i,j", ("2t-1",), "j", ("i",), is_body=True),
            "B": Dates("i", ("2T+1",), "i", ("0",)),
        },
    ),
    {"A": "i", "M": "i,j"},
    lambda random: {"N": random.randint(1, 4), "T": random.randint(1, 3)},
    ("X", "Y"),
)

EMPTY = replace(POWER, text=POWER.text.replace("{| 0<=j<N} : M", "{| 0<=j<i} : M"))
"""The same with a result without contributions."""

SUMMA = Example(
    """affine S {N | N > 0}
input int A {i,k | 0<=i<N && 0<=k<N}; int B {k,j | 0<=k<N && 0<=j<N};
output int C {i,j | 0<=i<N && 0<=j<N};
local int X {i,k | 0<=i<N && 0<=k<N}; int Y {k,j | 0<=k<N && 0<=j<N};
let
  X[i,k] = A[i,k];
  Y[k,j] = B[k,j];
  C[i,j] = reduce(+, [k], {| 0<=k<N} : X[i,k] * Y[k,j]);
.""",
    (
        {
            "X": Dates("i,k", ("k",), "i", ("k",)),
            "Y": Dates("k,j", ("k",), "k", ("j",)),
            "C": Dates("i,j,k", ("k+1",), "i", ("j",), is_body=True),
        },
    ),
    {"A": "i,k", "B": "k,j"},
    _n(1, 5),
    ("X", "Y"),
)

EXAMPLES = (JACOBI, JACOBI, LCS, LCS, PREFIX, SUMS, FIELDS, FLOYD, LU, POWER, POWER, EMPTY, SUMMA)


@dataclass(frozen=True)
class DistributedSample:
    """A mapping, the commands that make it, parameters to execute it, and the distributed dimension."""

    mapped: Mapped
    lines: tuple[str, ...]
    sizes: dict[str, int]
    position: int
    is_by_blocks: bool


@cache
def _checked(text: str) -> Checked:
    return read_program(Source("program.ab", text))


def distributed_sample(random: Random) -> DistributedSample:
    """Returns a random mapping."""
    example = random.choice(EXAMPLES)
    dates = dict(random.choice(example.mappings))
    for name in dates:
        if random.random() < 0.12:
            dates[name] = _mutated(random, dates[name])
    position = len(next(iter(dates.values())).steps)
    mapped, lines = Mapped(example.text, checked=_checked(example.text)), list[str]()
    for name, date in dates.items():
        text = f"({date.indices} -> {','.join((*date.steps, date.place, *date.order))})"
        mapped = mapped.time(name, text)
        lines.append(f'setSpaceTimeMap(prog, "S", "{name}", "{text}");')
    ownership = random.choice(("block", "block", "cyclic", "block-cyclic"))
    size = random.randint(1, 3) if ownership == "block-cyclic" else 0
    mapped = mapped.distributed(position, ownership, size)
    lines.append(f'setDistributed(prog, "S", "", {position}, "{ownership}"{f", {size}" if size else ""});')
    if next(iter(dates.values())).order and random.random() < 0.3:
        mapped = mapped.distributed(position + 1, ownership, size)
        lines.append(f'setDistributed(prog, "S", "", {position + 1}, "{ownership}"{f", {size}" if size else ""});')
    dimensions = position + 1 + len(next(iter(dates.values())).order)
    if random.random() < 0.15:
        at = random.randint(position, dimensions - 1)
        mapped = mapped.kind(str(at), "P")
        lines.append(f'setParallel(prog, "S", "", {at});')
    if position and random.random() < 0.35:
        start, end = random.randrange(position), random.randint(position, dimensions - 1)
        sizes = tuple(random.randint(1, 3) if at < position else random.randint(0, 3) for at in range(start, end + 1))
        mapped = mapped.band(start, end, sizes=sizes)
        lines.append(f'setBandForTiling(prog, "S", "tiles", {start}, {end}, "{",".join(map(str, sizes))}");')
    if random.random() < (0.6 if "reduce" in example.text else 0.05):
        mapped = mapped.kind(str(position), "R")
        lines.append(f'setReductionDimension(prog, "S", "", {position});')
    for name in example.stored:
        indices = ",".join(dates[name].indices.split(",")[: _width(example, name)])
        if random.random() < 0.7:
            text, moduli = _cells(random, indices)
            mapped = mapped.memory(name, text, moduli=moduli)
            lines.append(f'setMemoryMap(prog, "S", "{name}", "{text}", "{",".join(map(str, moduli))}");')
        if random.random() < 0.5:
            text, moduli = _cells(random, indices)
            space = random.choice((None, None, name)) if text.count(",") == 2 * indices.count(",") else None
            mapped = mapped.ghosts(name, text, space, moduli)
            where = f'"{space}", ' if space else ""
            lines.append(f'setGhostMap(prog, "S", "{name}", {where}"{text}", "{",".join(map(str, moduli))}");')
    return DistributedSample(mapped, tuple(lines), example.sizes(random), position, ownership == "block")


def _width(example: Example, name: str) -> int:
    return next(
        v.domain.space.dimensions for v in _checked(example.text).program.systems[0].variables if v.name == name
    )


def _mutated(random: Random, date: Dates) -> Dates:
    indices = date.indices.split(",")

    def part() -> str:
        index = random.choice(indices)
        return random.choice((index, index, f"-{index}", f"{index}+1", "0", f"{index}+{random.choice(indices)}"))

    choice, steps, order = random.randrange(3), list(date.steps), list(date.order)
    if choice == 0 and steps:
        steps[random.randrange(len(steps))] = part()
    elif choice == 1 and order:
        order[random.randrange(len(order))] = part()
    else:
        return Dates(date.indices, date.steps, part(), date.order, date.is_body)
    return Dates(date.indices, tuple(steps), date.place, tuple(order), date.is_body)


def _cells(random: Random, indices: str) -> tuple[str, tuple[int, ...]]:
    """Returns a memory map of as many dimensions as there are indices, and mod factors."""
    names = indices.split(",")
    outputs, moduli = list(names), [0] * len(names)
    for at in range(len(names)):
        choice = random.random()
        if choice < 0.45:
            moduli[at] = random.randint(1, 5)
        elif choice < 0.55:
            outputs[at] = f"{names[at]}{random.choice(('+', '-'))}{random.choice(names)}"
        elif choice < 0.62:
            outputs[at] = "0"
    return f"({indices} -> {','.join(outputs)})", tuple(moduli)
