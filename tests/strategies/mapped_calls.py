"""Random scripts for a few programs with use equations: dates, arrays, spaces, parallel dimensions, orderings.

Most begin as something sensible (allocate, copy, call, copy, free, one after the other) and are then disturbed.
"""

from dataclasses import dataclass
from random import Random

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


@dataclass(frozen=True)
class Call:
    """A use equation: its label, its indices, the spaces that each input and output may be in."""

    label: str
    indices: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class Shape:
    """A program and what can be said of it; `values` are ordinary variables with their indices."""

    program: str
    calls: tuple[Call, ...]
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    shared: tuple[str, ...] = ()


SHAPES_OF_PROGRAMS = (
    Shape(ROWS, (Call("UseEquation_Y", ("r",), ("T",), ("Y",)),), (("T", ("r", "i")),), ("T, X", "T, Y", "X, Y")),
    Shape(
        CHAIN,
        (Call("UseEquation_U", (), ("X",), ("U", "V")), Call("UseEquation_Y", (), ("U",), ("Y", "Z"))),
        shared=("X, U", "U, Y", "X, Y", "V, Z"),
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

    def text(self) -> str:
        for name, indices in self.shape.values:
            if self.shape.program is not NESTED or self.random.random() < 0.5:
                self._date(name, indices, 0)
        for call in self.shape.calls:
            self._call(call)
        for name, indices in self.shape.values:
            if not any(f'"{name}"' in line for line in self.lines):
                self._date(name, indices, 9)
        if self.random.random() < 0.35:
            pair = self.random.choice(self.shape.shared)
            self.lines.append(f'setMemorySpace(prog, "main", "{pair.split(",")[0]}", "{pair}");')
        if self.random.random() < 0.3:
            self.lines.append(f'setParallel(prog, "main", "", "{self.random.choice([0, 1, 2])}");')
        if self.random.random() < 0.3:
            names = [call.label for call in self.shape.calls] + [name for name, _ in self.shape.values]
            if len(names) > 1:
                first, second = self.random.sample(names, 2)
                self.lines.append(f'setStatementOrdering(prog, "main", "{first}", "{second}");')
        return "\n".join(['prog = ReadAlphabets("program.ab");', *self.lines]) + "\n"

    # --- dates: (phase, index, step) --------------------------------------------------------------------------------

    def _date(self, name: str, indices: tuple[str, ...], step: int) -> None:
        self.lines.append(f'setSpaceTimeMap(prog, "main", "{name}", "{self._map(indices, self.stage, step)}");')

    def _map(self, indices: tuple[str, ...], phase: int, step: int, fixed: bool = False) -> str:
        middle = indices[0] if indices and not fixed else "0"
        last = indices[1] if len(indices) > 1 else str(step)
        parts = [str(phase), middle, last]
        if self.random.random() < 0.12:
            parts[self.random.randrange(3)] = self.random.choice(["0", "1", "2", *indices, *(f"-{i}" for i in indices)])
        if self.random.random() < 0.05:
            parts[0], parts[1] = parts[1], parts[0]
        return f"({','.join(indices)} -> {','.join(parts)})"

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


def script(random: Random) -> tuple[str, str]:
    """A program and a script for it."""
    shape = random.choice(SHAPES_OF_PROGRAMS)
    return shape.program, Script(shape, random).text()
