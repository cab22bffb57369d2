"""Random scripts for a few programs with use equations: dates, arrays, spaces, parallel dimensions, orderings.

Most begin as something sensible (allocate, copy, call, copy, free, one after the other) and are then disturbed.
"""

from dataclasses import dataclass
from random import Random

from tests.strategies.mapped_programs import Sample

ROWS = """\
affine part {N | N > 0}
input
  int A {i | 0 <= i <= N};
output
  int B {i | 0 <= i < N};
let
  B[i] = A[i] + [i];
.
affine main {N | N > 0}
input
  int X {r,i | 0 <= r < N && 0 <= i <= N};
output
  int Y {r,i | 0 <= r < N && 0 <= i < N};
local
  int T {r,i | 0 <= r < N && 0 <= i <= N};
let
  T[r,i] = X[r,i] + 1;
  use {r | 0 <= r < N} part[N] (T) returns (Y);
.
"""

CHAIN = """\
affine step {N | N > 0}
input
  int A {i | 0 <= i < N};
output
  int B {i | 0 <= i < N};
  int S;
let
  B[i] = A[i] + 1;
  S = A[0];
.
affine main {N | N > 0}
input
  int X {i | 0 <= i < N};
output
  int Y {i | 0 <= i < N};
  int Z;
local
  int U {i | 0 <= i < N};
  int V;
let
  use step[N] (X) returns (U, V);
  use step[N] (U) returns (Y, Z);
.
"""

SHAPES = """\
affine grown {M | M > 0}
input
  int A {i | 0 <= i < M};
output
  int B;
let
  B = reduce(+, [i], A[i]);
.
affine main {N | N > 0}
input
  int X {i | 0 <= i < N};
output
  int Y {r | 0 <= r < N};
let
  use {r | 0 <= r < N} grown[r+1] ((r,i -> r-i)@X) returns (Y);
.
"""

AGAIN = """\
affine main {N | N > 0}
input
  int X {i | 0 <= i < N};
output
  int Y;
local
  int R {h | h == N-1 && h > 0};
let
  use {h | h == N-1 && h > 0} main[h] ((h,i -> i+1)@X) returns (R);
  Y = case
    {| N == 1} : X[0];
    {| N > 1} : X[0] + reduce(+, (h -> ), R[h]);
  esac;
.
"""

NESTED = """\
affine inner {N | N > 0}
input
  int A {i | 0 <= i < 2N};
output
  int B {i | 0 <= i < N};
let
  B[i] = A[2i];
.
affine outer {N | N > 0}
input
  int C {i | 0 <= i < 2N};
output
  int D {i | 0 <= i < N};
let
  use inner[N] (C) returns (D);
.
affine main {N | N > 0}
input
  int X {i | 0 <= i < 2N};
output
  int Y {i | 0 <= i < N};
  int Z {i | 0 <= i < 2N};
let
  use outer[N] (X) returns (Y);
  Z[i] = X[i] * 2;
.
"""


SUMS = """\
affine squares {N | N > 0}
input
  int A {i | 0 <= i < N};
output
  int B {i | 0 <= i < N};
let
  B[i] = A[i] * A[i];
.
affine main {N | N > 0}
input
  int X {r,i | 0 <= r < N && 0 <= i < N};
output
  int Y {r | 0 <= r < N};
  int Z;
local
  int T {r,i | 0 <= r < N && 0 <= i < N};
let
  use {r | 0 <= r < N} squares[N] (X) returns (T);
  Y[r] = reduce(+, [i], T[r,i]);
  Z = reduce(+, (r,i -> ), {| 0 < r} : T[r,i] * X[r-1,i]);
.
"""


@dataclass(frozen=True)
class Call:
    """A use equation: its label, its indices, the spaces that each input and output may be in."""

    label: str
    indices: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Shape:
    """A program and what can be said of it; `values` are ordinary variables with their indices, `sums` reductions with
    the indices of their bodies. `memory` are variables that may get a memory map.
    """

    program: str
    calls: tuple[Call, ...]
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    shared: tuple[str, ...] = ()
    sums: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = ()
    memory: tuple[tuple[str, tuple[str, ...]], ...] = ()


SHAPES_OF_PROGRAMS = (
    Shape(
        ROWS,
        (Call("UseEquation_Y", ("r",), ("T",), ("Y",)),),
        (("T", ("r", "i")),),
        ("T, X", "T, Y", "X, Y"),
        memory=(("T", ("r", "i")), ("Y", ("r", "i"))),
    ),
    Shape(
        CHAIN,
        (Call("UseEquation_U", (), ("X",), ("U", "V")), Call("UseEquation_Y", (), ("U",), ("Y", "Z"))),
        shared=("X, U", "U, Y", "X, Y", "V, Z"),
        memory=(("U", ("i",)),),
    ),
    Shape(
        SUMS,
        (Call("UseEquation_T", ("r",), ("X",), ("T",)),),
        shared=("X, T",),
        sums=(("Y", ("r",), ("r", "i")), ("Z", (), ("r", "i"))),
        memory=(("T", ("r", "i")), ("Y", ("r",))),
    ),
    Shape(SHAPES, (Call("UseEquation_Y", ("r",), ("X",), ("Y",)),), shared=("X, Y",)),
    Shape(AGAIN, (Call("UseEquation_R", ("h",), ("X",), ("R",)),), (("Y", ()),), ("X, R",)),
    Shape(NESTED, (Call("UseEquation_Y", (), ("X",), ("Y",)),), (("Z", ("i",)),), ("X, Z", "X, Y", "Y, Z")),
)


class Script:
    """A script, written line by line."""

    def __init__(self, shape: Shape, random: Random) -> None:
        self.shape, self.random = shape, random
        self.lines: list[str] = []
        self.stage = 0
        self.wildness = random.choice((0, 0, 0.02, 0.12))

    def commands(self) -> tuple[str, ...]:
        for name, indices in self.shape.values:
            if self.shape.program is not NESTED or self.random.random() < 0.5:
                self._date(name, indices, 0)
        for call in self.shape.calls:
            self._call(call)
        for name, indices in self.shape.values:
            if not any(f'"{name}"' in line for line in self.lines):
                self._date(name, indices, 9)
        for name, indices, body in self.shape.sums:
            self._sum(name, indices, body)
        self._elsewhere()
        self._kinds()
        if self._happens(0.3):
            names = [call.label for call in self.shape.calls]
            names += [value[0] for value in self.shape.values] + [total[0] for total in self.shape.sums]
            if len(names) > 1:
                first, second = self.random.sample(names, 2)
                self.lines.append(f'setStatementOrdering(prog, "main", "{first}", "{second}");')
        return tuple(self.lines)

    def _happens(self, chance: float) -> bool:
        return self.random.random() < chance

    def _elsewhere(self) -> None:
        """Variables in one memory space, or with a memory map."""
        if self.shape.shared and self._happens(0.3):
            pair = self.random.choice(self.shape.shared)
            self.lines.append(f'setMemorySpace(prog, "main", "{pair.split(",")[0]}", "{pair}");')
        if self.shape.memory and self._happens(0.3):
            self._memory(*self.random.choice(self.shape.memory))

    def _kinds(self) -> None:
        """Ordering, parallel and reduction dimensions, and tiles."""
        if self._happens(0.5):
            self.lines.append('setOrderingDimensions(prog, "main", "0");')
        if self._happens(0.4):
            kinds = ("setParallel", "setReductionDimension", "setReductionDimension")
            kind = self.random.choice(kinds if self.shape.sums else kinds[:1])
            self.lines.append(f'{kind}(prog, "main", "", "{self.random.choice([0, 1, 1, 2])}");')
        if self._happens(0.3):
            self._tiles()

    # --- dates: (phase, index, step) --------------------------------------------------------------------------------

    def _date(self, name: str, indices: tuple[str, ...], step: int) -> None:
        self.lines.append(f'setSpaceTimeMap(prog, "main", "{name}", "{self._map(indices, self.stage, step)}");')

    def _map(self, indices: tuple[str, ...], phase: int, step: int, fixed: bool = False) -> str:
        middle = indices[0] if indices and not fixed else "0"
        last = indices[1] if len(indices) > 1 else str(step)
        parts = [str(phase), middle, last]
        if self._happens(2 * self.wildness):
            parts[self.random.randrange(3)] = self.random.choice(["0", "1", "2", *indices, *(f"-{i}" for i in indices)])
        if self._happens(self.wildness):
            parts[0], parts[1] = parts[1], parts[0]
        return f"({','.join(indices)} -> {','.join(parts)})"

    def _sum(self, name: str, indices: tuple[str, ...], body: tuple[str, ...]) -> None:
        """Mapped at its result, or at its body, with an initialisation or without."""
        self.stage += 2
        choice = self.random.random()
        if choice < 0.25:
            self._date(name, indices, 9)
            return
        first = f', "{self._map(indices, self.stage - 1, 0)}"' if choice < 0.6 else ""
        dates = self._map(body, self.stage, 9)
        self.lines.append(f'setSpaceTimeMap(prog, "main", "{name}", "{dates}"{first});')

    def _memory(self, name: str, indices: tuple[str, ...]) -> None:
        """The identity, some of its components left out or taken modulo a factor."""
        parts = [self.random.choice([index, index, index, index, "0"]) for index in indices]
        moduli = ",".join(str(self.random.choice([0, 0, 0, 2, 3])) for _ in parts)
        function = f"({','.join(indices)} -> {','.join(parts)})"
        self.lines.append(f'setMemoryMap(prog, "main", "{name}", "{name}", "{function}", "{moduli}");')

    def _tiles(self) -> None:
        """A band of unknown sizes, below a prefix perhaps; or one of small sizes, in some order."""
        if self._happens(0.4):
            prefix, start = ("", 1) if self.random.random() < 0.5 else (str(self.random.randrange(5)), 0)
            self.lines.append(f'setBandForTiling(prog, "main", "b", "{prefix}", {start}, {start + 1});')
            return
        for dimension in (1, 2):
            self.lines.append(f'setTiling(prog, "main", {dimension}, {self.random.choice([1, 2, 2, 3])});')
        if self._happens(0.5):
            self.lines.append(f'setTilingType(prog, "main", "{self.random.choice(["omp", "recursive"])}");')

    def _call(self, call: Call) -> None:
        self.stage += 2
        step = self.random.choice([2, 2, 2, 1])
        self._date(call.label, call.indices, step)
        for number, space in enumerate(call.inputs):
            self._argument(call, 0, number, space)
        for number, space in enumerate(call.outputs):
            self._argument(call, 1, number, space)

    def _argument(self, call: Call, side: int, number: int, space: str) -> None:
        at = f'prog, "main", "{call.label}", {side}, {number}'
        choice = self.random.random()
        if choice < 0.25:
            self.lines.append(f'setMemorySpaceForUseEquationOptimization({at}, "{space}");')
            return
        if choice < 0.4:
            return
        early, late = self.random.random() < 0.5, self.random.random() < 0.5
        dates = {
            "MemoryAllocation": self._map(call.indices, self.stage - early, 0, fixed=early),
            "ValueCopy": self._map(call.indices, self.stage, 3 if side else 1),
            "MemoryFree": self._map(call.indices, self.stage + late, 4, fixed=late),
        }
        if early and not late and self.random.random() < 0.8:
            dates["MemoryFree"] = self._map(call.indices, self.stage + 1, 4, fixed=True)
        for what, map_ in dates.items():
            if self.random.random() < 0.85:
                self.lines.append(f'setSpaceTimeMapFor{what}({at}, "{map_}");')


def sample(random: Random) -> Sample:
    """A program with use equations, and commands for its system `main`."""
    (shape,) = random.choices(SHAPES_OF_PROGRAMS, (2, 2, 4, 1, 1, 1))
    return Sample(shape.program, system="main", lines=Script(shape, random).commands())
