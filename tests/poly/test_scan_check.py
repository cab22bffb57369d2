"""Loops are read again: what leaves a point out, repeats one or is out of order is seen."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alphaz.poly import Affine, Constraint, Domain, Space, at_least, scanning
from alphaz.poly.algorithms.scan_check import _Reader, visits_all
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation, value_of
from alphaz.poly.scanned_loops import Dated, Fixed, Guard, Loop, Scanned, ScanRow, Visit
from alphaz.poly.scanning import scan_loops
from tests.cli.command_line import ask

Visited = tuple[int, tuple[int, ...]]

SPACE = Space(("N",), ("i", "j"))
i, j, N = (Affine.name(n) for n in ("i", "j", "N"))
SQUARE = [at_least(i, 0), at_least(N, i), at_least(j, 0), at_least(N, j)]
KNOWN = Domain.where(Space(("N",)), [at_least(N, 1)])
ITERATORS = ("c0", "c1", "c2", "c3")

numbers = st.integers(-2, 2)
affines = st.builds(lambda a, b, n, k: i * a + j * b + N * n + k, numbers, numbers, st.integers(0, 1), numbers)
constraints = st.builds(lambda a, e: Constraint(a, e), affines, st.sampled_from([False, False, True]))
domains = st.lists(constraints, max_size=2).map(lambda more: Domain.where(SPACE, [*SQUARE, *more]))


def executed(node: Scanned, values: Mapping[str, int]) -> Iterator[Visited]:
    match node:
        case Visit(at, arguments):
            yield at, tuple(value_of(argument, values) for argument in arguments)
        case ScanRow(children):
            for child in children:
                yield from executed(child, values)
        case Guard(condition, then, otherwise):
            if value_of(condition, values):
                yield from executed(then, values)
            elif otherwise is not None:
                yield from executed(otherwise, values)
        case Fixed(iterator, _, value, body):
            yield from executed(body, {**values, iterator: value_of(value, values)})
        case Loop():
            now = value_of(node.first, values)
            while value_of(IntegerOperation(node.comparison, (IntegerConstant(now), node.bound)), values):
                yield from executed(node.body, {**values, node.iterator: now})
                now += value_of(node.step, values)


def wanted_of(scans: list[Dated], values: Mapping[str, int]) -> list[tuple[tuple[int, ...], Visited]]:
    results = []
    for scan in scans:
        for point in scan.domain.points(values):
            at = {**values, **dict(zip(scan.domain.space.names, point, strict=True))}
            results.append((tuple(component.at(at) for component in scan.date), (scan.at, point)))
    return results


def is_right(tree: Scanned, scans: list[Dated], values: Mapping[str, int]) -> bool:
    """All once, and no date behind a later one."""
    wanted = wanted_of(scans, values)
    done = list(executed(tree, values))
    dates = {visited: date for date, visited in wanted}
    return sorted(done) == sorted(v for _, v in wanted) and all(dates[a] <= dates[b] for a, b in pairwise(done))


def changed(node: Scanned) -> Iterator[Scanned]:
    """The same with one thing that is different."""
    match node:
        case Visit(at, arguments):
            for k, argument in enumerate(arguments):
                yield Visit(at, (*arguments[:k], plus(argument, 1), *arguments[k + 1 :]))
        case ScanRow(children):
            yield ScanRow(children[::-1])
            for k, child in enumerate(children):
                yield ScanRow((*children[:k], *children[k + 1 :]))
                yield ScanRow((*children, child))
                yield from (ScanRow((*children[:k], other, *children[k + 1 :])) for other in changed(child))
        case Guard(condition, then, otherwise):
            yield then
            if otherwise is not None:
                yield Guard(condition, then, None)
                yield from (Guard(condition, then, other) for other in changed(otherwise))
            yield from (Guard(condition, other, otherwise) for other in changed(then))
        case Fixed():
            yield replace(node, value=plus(node.value, -1))
            yield from (replace(node, body=other) for other in changed(node.body))
        case Loop():
            yield replace(node, first=plus(node.first, 1))
            yield replace(node, bound=plus(node.bound, -1))
            yield replace(node, step=IntegerConstant(2))
            yield from (replace(node, body=other) for other in changed(node.body))


def plus(integer: Integer, more: int) -> Integer:
    return IntegerOperation("+", (integer, IntegerConstant(more)))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(domains, affines, affines), min_size=1, max_size=2), st.data())
def test_whatever_is_wrong_is_seen(given_: list[tuple[Domain, Affine, Affine]], data: st.DataObject) -> None:
    """Dates end with the point: no two of a domain have the same."""
    scans = [Dated(at, domain, (a, b, i, j + at)) for at, (domain, a, b) in enumerate(given_)]
    tree = scan_loops(scans, KNOWN, ITERATORS)
    some = [scan for scan in scans if not scan.domain.in_context(KNOWN).is_empty()]
    if not some or len(some) < len(scans):
        return
    assert visits_all(tree, scans, KNOWN, ITERATORS)
    other = data.draw(st.sampled_from(list(changed(tree))))
    if visits_all(other, scans, KNOWN, ITERATORS):
        assert all(is_right(other, scans, {"N": n}) for n in range(1, 5)), other


# Dates that two points of a tile have at most: isl's loops visit x = a alone.
HALVES = Space(("a", "b", "c"), ("x", "y"))
x, y, a, b, c = (Affine.name(n) for n in ("x", "y", "a", "b", "c"))
TILE = [at_least(x, a), at_least(a + 1, x), at_least(x + y * 2, b), at_least(b + 1, x + y * 2)]
TILE += [at_least(y * 2, c), at_least(c + 1, y * 2)]


def test_points_that_isl_leaves_out_are_visited() -> None:
    scans = [Dated(0, Domain.where(HALVES, TILE), (x, x + y * 2))]
    tree = scan_loops(scans, Domain.universe(Space(HALVES.parameters)), ["c0", "c1"])
    for values in product(range(-2, 3), repeat=3):
        assert is_right(tree, scans, dict(zip("abc", values, strict=True)))


def test_loops_that_leave_a_point_out_are_refused() -> None:
    scans = [Dated(0, Domain.where(HALVES, TILE), (x, x + y * 2))]
    half = IntegerOperation(
        "floor_div", (IntegerOperation("+", (IntegerName("c"), IntegerConstant(1))), IntegerConstant(2))
    )
    tree = Visit(0, (IntegerName("a"), half))
    sum_ = IntegerOperation(
        "floor_div",
        (IntegerOperation("+", (IntegerName("a"), IntegerName("b"), IntegerConstant(1))), IntegerConstant(2)),
    )
    twice, first = (
        IntegerOperation("*", (IntegerConstant(2), sum_)),
        IntegerOperation("*", (IntegerConstant(2), IntegerName("a"))),
    )
    least = IntegerOperation(">=", (twice, IntegerOperation("+", (first, IntegerName("c")))))
    most = IntegerOperation(">=", (IntegerOperation("+", (first, IntegerName("c"), IntegerConstant(1))), twice))
    known = Domain.universe(Space(HALVES.parameters))
    assert not visits_all(Guard(IntegerOperation("and", (least, most)), tree, None), scans, known, ["c0", "c1"])


def test_tests_of_numbers_are_understood() -> None:
    line = Domain.where(Space(("N",), ("i",)), [at_least(i, 0), at_least(N, i)])
    loop = Loop("c0", 0, IntegerConstant(0), "<=", IntegerName("N"), IntegerConstant(1), Visit(0, (IntegerName("c0"),)))
    for condition in (IntegerConstant(1), IntegerOperation("or", (IntegerConstant(0), IntegerConstant(1)))):
        assert visits_all(Guard(condition, loop, None), [Dated(0, line, (i,))], KNOWN, ["c0"])
        assert not visits_all(Guard(condition, ScanRow(()), loop), [Dated(0, line, (i,))], KNOWN, ["c0"])


@pytest.mark.parametrize("step", [1, 2, 3])
def test_loops_may_count_in_other_units(step: int) -> None:
    line = Domain.where(Space(("N",), ("i",)), [at_least(i, 0), at_least(N, i)])
    loop = Loop("c0", 0, IntegerConstant(0), "<=", IntegerName("N"), IntegerConstant(1), Visit(0, (IntegerName("c0"),)))
    assert visits_all(loop, [Dated(0, line, (i * step - N,))], KNOWN, ["c0"])
    assert not visits_all(loop, [Dated(0, line, (i * -step,))], KNOWN, ["c0"])


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(domains, st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=3), st.sampled_from([3, 4])
)
@pytest.mark.long
def test_loops_between_dates_with_tests_are_right_too(given_: list[tuple[Domain, int, int]], way: int) -> None:
    """The loops that replace isl's loops where these are wrong are correct."""
    scans = [Dated(at, domain, (i * a, j * b - i, Affine(constant=at))) for at, (domain, a, b) in enumerate(given_)]
    some = [scan for scan in scans if not scan.domain.in_context(KNOWN).is_empty()]
    if not some:
        return
    ways = scanning._ways
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "_ways", lambda asked: list(ways(asked))[way:])
        scanning._tree.cache_clear()
        tree = scan_loops(some, KNOWN, ITERATORS[:3])
        scanning._tree.cache_clear()
    assert all(is_right(tree, some, {"N": n}) for n in range(1, 6))


STRIDES = """affine S0 {N,M | N>=1 && M>=1}
input
  int x {i | -N-M-3<=i<=2N+2M+3};
output
  int s;
  int t {i,k | 0<=i<N && 0<=k<N};
  int u {k | 0<=k<N && k%3!=1};
let
  s = reduce(+, [i], {| 0<=i<N} : x[i] * x[-i]);
  t[i,k] = case {| i==0} : x[i]; {| i>0} : t[i-1,k]; esac;
  u[k] = reduce(+, [j,i], {| 0<=j<M && 0<=i<N && i<=k} : x[N-i] - x[2j-1]);
.
"""
DATED = """prog = ReadAlphabets("strides.ab");
setSpaceTimeMap(prog, "S0", "t", "(i,k -> 1,k,1,3i)");
setSpaceTimeMap(prog, "S0", "u", "(k,j,i -> j,2k,2,i)");
"""


UNBOUNDED = """affine S3 {N,M | N>=2 && M>=1}
input
  int A {i,j | -N-M-3<=i<=2N+2M+3 && -N-M-3<=j<=2N+2M+3};
output
  int y {i | 0<=i<N};
  int z {d | 0<=d<N+M};
let
  y[i] = reduce(+, [j,k], {i,j,k | 0<=j<=i && 0<=k<M && (j+k)%3==0} : A[j,k]);
  z[d] = reduce(+, (i,j -> i+j), {i,j | 0<=i<N && 0<=j<=M} : A[i,j]);
.
"""
TILED = """prog = ReadAlphabets("strides.ab");
setSpaceTimeMap(prog, "S3", "y", "(i,j,k -> 0,i,j,k)");
setSpaceTimeMap(prog, "S3", "z", "(i,j -> j,1,i,0)");
setRegisterTile(prog, "S3", 0, 2);
setRegisterTile(prog, "S3", 1, 2);
setRegisterTile(prog, "S3", 3, 2);
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "script", "sizes"),
    [
        # isl puts some statements in another order, or not: as its sets happen to be written.
        pytest.param(STRIDES, DATED, "N=7,M=3", id="strides of several statements in one loop"),
        # It leaves points out whatever it is asked, and loops over the hull of all parts have no end.
        pytest.param(UNBOUNDED, TILED, "N=4,M=3", id="what the parts of a domain share may not bound it"),
    ],
)
def test_where_isl_makes_wrong_loops_others_are_right(
    program: str, script: str, sizes: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strides.ab").write_text(program, encoding="utf-8")
    (tmp_path / "strides.cs").write_text(script, encoding="utf-8")
    answer = ask("test", "--plain", "-p", sizes, "strides.cs")
    assert answer.code == 0, answer.err


def test_the_sets_of_a_node_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    iterations = _Reader._iterations

    def counted(self: _Reader, loop: Fixed | Loop) -> object:
        made.append(loop)
        return iterations(self, loop)

    monkeypatch.setattr(_Reader, "_iterations", counted)
    domain = Domain.where(SPACE, SQUARE)
    loops = scan_loops([Dated(0, domain, (i * 2, j))], KNOWN, ITERATORS[:2])
    made.clear()
    assert visits_all(loops, [Dated(0, domain, (i * 2, j))], KNOWN, ITERATORS[:2])
    assert len(made) == 2
