"""Each kind of dimension against each other: the verdict, brute force, and what the generated loops leave open.

The obligations are stated in one place, and whoever decides them again (`recheck`) takes them from there: it cannot see
that a statement is wrong. Here three judges that share nothing look at all pairs: the verifier; brute force, which has
the definitions only (`tests.legality.bruteforce`); and a machine that runs the generated text and finds what pragmas
leave unordered (`tests.legality.c_machine`).
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest

from alphaz.codegen.scheduled import pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.legality.verify import assume_legal, certify
from alphaz.mapping.aliases import Aliases
from alphaz.model.interpreter import evaluate
from alphaz.proof import Refuted
from alphaz.run.data import random_inputs
from tests.legality.bruteforce import World
from tests.legality.c_machine import Fault, Machine, functions
from tests.legality.mapped import Mapped
from tests.legality.plain_order import EXACT, PLAIN
from tests.legality.plain_reads import Reader
from tests.thinning import thinned

# All sizes up to the one, and those of witnesses up to the other.
LARGEST = 4
FAR = 20

SUMS = (
    Mapped(
        """affine S {N | N>=1}
input int A {i,j | 0<=(i,j)<N};
output int y {i,j | 0<=(i,j)<N};
local int s {i | 0<=i<N};
let
  s[i] = reduce(+, [j], A[i,j]);
  y[i,j] = A[i,j] * s[i];
.
"""
    )
    .time("s", "(i,j -> i,0,j)")
    .time("y", "(i,j -> i,1,j)")
)
# What is summed up below other dates, and one cell for all s.
BELOW = (
    Mapped(
        """affine S {N | N>=1}
input int x {i | 0<=i<=N+1};
output int t;
local int s {i | 0<=i<N}; int r;
let
  s[i] = x[i]+1;
  r = reduce(+, [k], {| 0<=k<=N} : x[k]);
  t = s[N-1]+r;
.
"""
    )
    .time("s", "(i -> i,1,0)")
    .time("r", "(k -> N,0,k)")
    .time("t", "( -> N+1,2,0)")
    .memory("s", "(i -> )")
)
STEPS = (
    Mapped(
        """affine S {N | N>=1}
input int A {i | 0<=i<=N};
output int z; int U {t,i | 0<=t<N && 0<=i<=N};
let
  U[t,i] = case {| t==0} : A[i]; {| t>0 && i==0} : U[t-1,i]; {| t>0 && i>0} : U[t-1,i]+U[t-1,i-1]; esac;
  z = reduce(+, [i], {| 0<=i<=N} : U[N-1,i]);
.
"""
    )
    .time("U", "(t,i -> t,t+i,0)")
    .time("z", "(i -> N,i,1)")
)
COLUMNS = (
    Mapped(
        """affine S {N | N>=1}
input int A {i,j | 0<=(i,j)<N};
output int c {j | 0<=j<N}; int m;
let
  c[j] = reduce(+, [i], A[i,j]);
  m = reduce(+, [i], A[i,i]);
.
"""
    )
    .time("c", "(j,i -> 0,i,j)")
    .time("m", "(i -> 0,i,2i)")
)
# What is summed up lies in the array of an input, whose cells are read until then.
GIVEN = (
    Mapped(
        """affine S {N | N>=1}
input int A {i,j | 0<=(i,j)<=N};
output int c {j | 0<=j<N};
local int d; int e {j | 0<=j<N};
let
  e[j] = A[0,j] + 1;
  d = reduce(+, [j], {| 0<=j<N} : A[j,N-1-j]);
  c[j] = e[j] + d;
.
"""
    )
    .time("e", "(j -> 0,j,j+2)")
    .time("d", "(j -> 0,j,0)")
    .time("c", "(j -> 1,0,j)")
    .memory("d", "( -> 0,0)", "A")
    .overwritable("A")
)
PROGRAMS = {"sums": SUMS, "below": BELOW, "steps": STEPS, "columns": COLUMNS, "given": GIVEN}

# The reads do not depend on the mapping.
READERS: dict[str, Reader] = {}

Change = Callable[[Mapped, int], Mapped]


def _kind(letter: str) -> Change:
    return lambda mapped, d: mapped.kind(str(d), letter)


def _register(size: int) -> Change:
    return lambda mapped, d: mapped.register(d, size)


def _tile(*sizes: int) -> Change:
    def change(mapped: Mapped, d: int) -> Mapped:
        for size in sizes:
            mapped = mapped.band(d, d, (), [size])
        return mapped

    return change


def _recursive(size: int) -> Change:
    """All dimensions, whichever is said."""
    return lambda mapped, _: mapped.band(0, 2, (), [size] * 3, recursive=True)


KINDS: Mapping[str, Change] = {
    "sequential": lambda mapped, _: mapped,
    "recursive of 1": _recursive(1),
    "recursive of 2": _recursive(2),
    "parallel": _kind("P"),
    "ordering": _kind("O"),
    "reduction": _kind("R"),
    "vector": _kind("V"),
    "vector of 2": lambda mapped, d: mapped.kind(str(d), "V").register(d, 2),
    "register of 1": _register(1),
    "register of 2": _register(2),
    "register of 9": _register(9),
    "tile of 1": _tile(1),
    "tile of 2": _tile(2),
    "tile of 9": _tile(9),
    "tiles of 4 in tiles of 2": _tile(4, 2),
}
# Those that are the same of whichever dimension they are said.
ANYWHERE = frozenset({"sequential", "recursive of 1", "recursive of 2"})


def _placements(first: str, second: str) -> list[tuple[int, int]]:
    """Pairs of dimensions, each mapping once."""
    results: dict[object, tuple[int, int]] = {}
    for pair in permutations(range(3), 2):
        messages = [(name, None if name in ANYWHERE else at) for name, at in zip((first, second), pair, strict=True)]
        results.setdefault(frozenset(messages), pair)
    return [*results.values()]


def _judged(mapped: Mapped, passes: pipeline.Pipeline | None) -> tuple[bool | None, str]:
    """Returns the verdict (None: no legal mapping) and a disagreement of the judges. The code by these passes runs."""
    verified = mapped.verified(exact_tiles=True)
    (report,) = verified.systems
    if report.mapping is None:
        return None, ""
    messages = [r.verdict.point["N"] for r in report.results if isinstance(r.verdict, Refuted)]
    sizes = [*range(1, LARGEST + 1), *(n for n in messages if LARGEST < n <= FAR)]
    seen = next(filter(None, (_violated(mapped, report.mapping.aliases, size) for size in sizes)), "")
    if report.is_proved and seen:
        return True, f"proved{report.scope and f' for {report.scope}'}, but {seen}"
    if not report.is_proved:
        return False, "" if seen else f"refuted for nothing: {report.findings[0].message}"
    if passes is None:
        return True, ""
    text = scheduled_c(certify(verified), "S", pipeline=passes).files["S.c"]
    result = next(_wrong(mapped, text), None)
    return True, f"proved, but the code, {result}" if result else ""


def _violated(mapped: Mapped, aliases: Aliases, size: int) -> str:
    """Returns the finding of brute force."""
    reader = READERS.setdefault(mapped.text, Reader(mapped.design))
    world = World(mapped.design, "S", {"N": size}, aliases, reader)
    result = world.violations(PLAIN) or world.violations(EXACT)
    return f"N={size}: {result}" if result else ""


@cache
def _expected(program: str, size: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Returns random inputs and the outputs that the interpreter computes from them, whatever the mapping."""
    design = Mapped(program).design
    inputs = random_inputs(design.system("S"), {"N": size}, size)
    return inputs, evaluate(design.program, design.checked.facts, "S", {"N": size}, inputs)


def _wrong(mapped: Mapped, text: str) -> Iterator[str]:
    """Returns the values that the code computes wrongly, and its unordered accesses."""
    for size in range(1, LARGEST + 1):
        inputs, wanted = _expected(mapped.text, size)
        arrays = [*inputs.values(), *(np.full(v.shape, None, dtype=object) for v in wanted.values())]
        machine = Machine(functions(text, "S_"))
        try:
            got = dict(zip((*inputs, *wanted), machine.run("S_status", [size, *arrays]), strict=True))
        except Fault as fault:
            yield f"with N={size}: {fault}"
            return
        for name, values in wanted.items():
            if got[name].tolist() != values.tolist():
                yield f"with N={size}: {name} is {got[name].tolist()}, not {values.tolist()}"
        for race in machine.races():
            yield f"with N={size}: a race, {race}"


@pytest.mark.slow
@pytest.mark.parametrize("first", thinned(KINDS, 12))
def test_the_judges_agree(first: str) -> None:
    """On all dimensions that the two kinds may be of. For one of these pairs, in turn, the code is run as well, by all
    passes and by those that are needed in turn."""
    proved = 0
    names = list(KINDS)
    number = names.index(first)
    for at, (second, (name, mapped)) in enumerate(product(names[number:], PROGRAMS.items())):
        pairs = _placements(first, second)
        chosen = pairs[(at + at // len(pairs) + number) % len(pairs)]
        for a, b in pairs:
            changed = KINDS[second](KINDS[first](mapped, a), b)
            passes = (pipeline.ALL, pipeline.PLAIN)[(at + number) % 2] if (a, b) == chosen else None
            verdict, complaint = _judged(changed, passes)
            assert not complaint, f"{name}: dimension {a} is {first}, {b} is {second}: {complaint}"
            proved += verdict is True
    assert proved >= 3


@pytest.mark.parametrize(
    "mapped", [SUMS.kind("1", "O").register(0, 1), SUMS.kind("2", "P"), STEPS.kind("1", "O").register(0, 2)]
)
def test_what_is_refuted_goes_wrong(mapped: Mapped) -> None:
    """The machine sees it in code that takes the mapping for legal."""
    verified = mapped.verified(exact_tiles=True)
    assert not verified.is_proved
    text = scheduled_c(assume_legal(verified), "S").files["S.c"]
    assert list(_wrong(mapped, text))


@pytest.mark.parametrize("clause", [" reduction(sum_int:sum)", " simd reduction(sum_int:sum)"])
def test_what_clauses_say_is_needed(clause: str) -> None:
    mapped = SUMS.kind("2", "V") if "simd" in clause else SUMS.kind("2", "R")
    text = scheduled_c(certify(mapped.verified()), "S").files["S.c"]
    assert not list(_wrong(mapped, text))
    without = text.replace(" reduction(sum_int:sum_s)", "").replace(" reduction(sum_int:sum)", "")
    assert without != text
    assert any("race" in wrong for wrong in _wrong(mapped, without))


@pytest.mark.slow
@pytest.mark.parametrize("summed", thinned(range(3), 3))
def test_the_judges_agree_on_register_tiles(summed: int) -> None:
    """Of every dimension, of 1 and of 2, around and inside of one that is summed up. One in two is run as well."""
    proved = 0
    for at, (sizes, (name, mapped)) in enumerate(product(product((0, 1, 2), repeat=3), PROGRAMS.items())):
        changed = mapped.kind(str(summed), "R")
        for dimension, size in enumerate(sizes):
            changed = changed.register(dimension, size) if size else changed
        verdict, complaint = _judged(changed, (pipeline.ALL, None, pipeline.PLAIN, None)[(at + summed) % 4])
        assert not complaint, f"{name}: dimension {summed} is summed up, register tiles {sizes}: {complaint}"
        proved += verdict is True
    assert proved >= 3
