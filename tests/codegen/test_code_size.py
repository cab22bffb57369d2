"""Text that multiplies is kept short, and the finding names the commands that multiply it."""

from time import process_time

import pytest

from alphaz.codegen.scheduled import scheduled_c as scheduled_module
from alphaz.codegen.scheduled.length import LEFT_OUT, LONGEST
from alphaz.codegen.scheduled.pipeline import Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.loops import scanning
from alphaz.loops.passes.simplify import Guards
from alphaz.loops.tree import Node
from tests.differential.execution import disagreements
from tests.strategies.mapped_programs import Sample
from tests.thinning import thinned
from tools.differential.proved_mappings import proved, stated

pytestmark = pytest.mark.slow

PRODUCT = """affine S {N,M | N>=1 && M>=1}
input int A {i,k | 0<=i<N && 0<=k<M}; int B {k,j | 0<=k<M && 0<=j<N};
output int C {i,j | 0<=(i,j)<N};
let C[i,j] = reduce(+, [k], A[i,k] * B[k,j]);
.
"""
TILES = ('setTiling(prog, "S", 1, 64);', 'setTiling(prog, "S", 2, 64);')


SEVERAL = """affine S {N,M | N>=1 && M>=1}
input int x {i | -N-M-3<=i<=2N+2M+3}; int A {i,j | -N-M-3<=i<=2N+2M+3 && -N-M-3<=j<=2N+2M+3};
output int t {i,j | 0<=i<=j && j<N}; int v {j | 0<=j<N && j!=N-2};
local int s;
let
  s = reduce(*, [k], {| 0<=k<M && k!=1} : x[0] - A[k,k]);
  t[i,j] = reduce(max, [k], {| 0<=k<M && k<=j} : s - x[i] - 1);
  v[j] = reduce(+, [k], {| 0<=k<M && k!=1} : s + A[k,k]);
.
"""
IN_LEVELS = """setSpaceTimeMap("s", "(k -> -1,k,k,0)");
setSpaceTimeMap("t", "(i,j,k -> i,j,k,0)");
setSpaceTimeMap("v", "(j,k -> 0,k,j,2N+M+3)");
setBandForTiling("b0", 3, "", 2, 3);
setSubTilingWithinBand("b0", 1, "openmp");
setSubTilingWithinBand("b0", 3, "recursive");
setTiling(2, 6);
setTiling(3);
"""


def _sample(*registers: int, program: str = PRODUCT) -> Sample:
    dates = 'setSpaceTimeMap(prog, "S", "C", "(i,j,k -> k,i,j)");'
    pieces = (f'setRegisterTile(prog, "S", {at}, {size});' for at, size in enumerate(registers, 1))
    return Sample(program, lines=(dates, *TILES, *pieces))


def _sources(sample: Sample) -> Sources:
    found = proved(sample)
    assert found is not None
    return scheduled_c(found.verified, "S")


def test_loops_that_would_be_long_are_short_and_the_commands_are_named() -> None:
    found = _sources(_sample(64, 64))
    (finding,) = found.findings
    assert finding.rule.code == "AZ812"
    assert "setRegisterTile" in _line(finding.primary)
    assert any("setTiling" in _line(label) for label in finding.secondary)
    assert found.files["S.c"].count("\n") < LONGEST / 4


def test_passes_end_where_loops_are_far_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guards are looked for in the loops that are kept, and not in those of either way before them."""
    done: list[Node] = []
    guards = Guards.__call__

    def counted(self: Guards, tree: Node) -> Node:
        done.append(tree)
        return guards(self, tree)

    monkeypatch.setattr(Guards, "__call__", counted)
    (finding,) = _sources(_sample(64, 64)).findings
    assert finding.rule.code == "AZ812"
    assert len(done) == 1


def test_what_is_short_is_said_nothing_of() -> None:
    assert _sources(_sample(4, 8)).findings == ()


def test_vectors_count_once() -> None:
    """32 x 32 sums are 256 vectors of doubles; integers are not put into vectors."""
    assert _sources(_sample(32, 32, program=PRODUCT.replace("int ", "double "))).findings == ()
    assert _sources(_sample(32, 32)).findings


@pytest.mark.parametrize("registers", [(64, 64), (8, 64)])
def test_short_loops_compute_the_same(registers: tuple[int, int]) -> None:
    found = proved(_sample(*registers))
    assert found is not None
    assert disagreements([found]) == []


@pytest.mark.long
def test_statements_that_begin_and_end_apart_in_levels_of_tiles_are_not_repeated_in_each() -> None:
    """With loops of their own where others begin and end, in every level, there were 71,225 lines, and half a minute
    went by. One loop for everything, with tests, is no longer than loops may be.
    """
    found = proved(stated("S1", SEVERAL, IN_LEVELS))
    assert found is not None
    start = process_time()
    sources = found.sources()
    assert process_time() - start < 20
    assert [finding.rule.code for finding in sources.findings] == ["AZ812"]
    assert sources.files["S1.c"].count("\n") < 3 * LONGEST / 2


DEEP = """affine S {N,M | N>=1 && M>=1}
input int A {i,j,k,l | 0<=(i,j,k,l)<N+M};
output
  int X {i,j,k | 0<=i<=j && j<N && 0<=k<M};
  int Y {i,j,k | 0<=(i,j)<N && 0<=k<=i && k<M};
let
  X[i,j,k] = reduce(+, [l], {| 0<=l<N && l<=j} : A[i,j,k,l]);
  Y[i,j,k] = reduce(max, [l], {| 0<=l<M && l<=k} : A[i,j,k,l]);
.
"""
LEVELS = """setSpaceTimeMap("X", "(i,j,k,l -> {}3k,2j+1,{}l)");
setSpaceTimeMap("Y", "(i,j,k,l -> {}3k,l)");
setReductionDimension("", 3);
setBandForTiling("b", 3, "", 0, 3);
"""


@pytest.mark.parametrize(
    ("dates", "without"),
    thinned([(("", "i,", "i,j,"), frozenset()), (("i+j,", "", "i,2j+1,"), LEFT_OUT[-1])]),
    ids=["whole", "short"],
)
def test_loops_that_would_take_long_to_make_are_made_in_a_short_way(
    dates: tuple[str, ...], without: frozenset[str]
) -> None:
    """Both ways took isl from ten seconds to ten minutes."""
    found = proved(stated("S", DEEP, LEVELS.format(*dates)))
    assert found is not None
    start = process_time()
    sources = scheduled_c(found.verified, "S", pipeline=Pipeline(without))
    assert process_time() - start < 20
    (finding,) = sources.findings
    assert finding.rule.code == "AZ812"
    assert "setBandForTiling" in _line(finding.primary)


@pytest.mark.parametrize(("name", "value"), [("length.PATIENCE", 0.0), ("scanning._STEPS", 100)])
def test_what_is_made_in_a_short_way_computes_the_same(
    name: str, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, attribute = name.split(".")
    monkeypatch.setattr({"length": scheduled_module, "scanning": scanning}[module], attribute, value)
    monkeypatch.setattr(scanning, "_FEWER", 100)
    tiles = 'setSpaceTimeMap("C", "(i,j,k -> k,i,j)");\nsetBandForTiling("b", 2, "", 0, 2);\n'
    found = proved(stated("S", PRODUCT, tiles))
    assert found is not None
    assert [finding.rule.code for finding in found.sources().findings] == ["AZ812"]
    assert disagreements([found]) == []


def _line(label: object) -> str:
    span = label.span  # type: ignore[attr-defined]
    return str(span.source.text[span.start : span.end])
