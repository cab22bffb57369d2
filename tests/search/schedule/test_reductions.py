"""Reductions at scale: relaxed orders, several in one scan, operators of one's own (Reddy 2019, chapter 3)."""

from pathlib import Path

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source, Span
from alphaz.equivalence.differential_run import agree, executables
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.scripting.interpreter.run import run_script
from alphaz.search.schedule.explanation import script_of
from alphaz.search.schedule.ilp.cost import read_cost
from alphaz.search.schedule.propose import Proposal
from alphaz.search.schedule.request import NONE, ScheduleEngine, ScheduleRequest
from tests.search.schedule.proposals import proposed, rows

DIFFUSION = """
affine diffusion {T,N,M | T>=1 && N>=1 && M>=1}
input
  double I {i,j | 0<=i<N && 0<=j<M};
output
  double mean, square {t | 0<=t<T};
  double J {i,j | 0<=i<N && 0<=j<M};
local
  double X {t,i,j | 0<=t<=T && 0<=i<N && 0<=j<M};
let
  X[t,i,j] = case
    {| t==0} : I[i,j];
    {| t>0} : X[t-1,i,j] * 0.5 + mean[t-1] - square[t-1] * 0.25;
  esac;
  mean[t] = reduce(+, [i,j], X[t,i,j]);
  square[t] = reduce(+, [i,j], X[t,i,j] * X[t,i,j]);
  J[i,j] = X[T,i,j];
.
"""
EXTREMES = """
affine extremes {N | N>=1}
input
  int A {i | 0<=i<N};
output
  int least, most, sum, distance;
let
  least = reduce(min, [i], A[i]);
  most = reduce(max, [i], A[i]);
  sum = reduce(+, [i], A[i]);
  distance = reduce(max, [i], A[i] - least);
.
"""
DIVISORS = """
int gcd(int, int);
//@ identity gcd = 0
affine divisors {N,M | N>=1 && M>=1}
input
  int A {i,j | 0<=i<N && 0<=j<M};
output
  int common {j | 0<=j<M};
  int all, sum;
let
  common[j] = reduce(gcd, [i], A[i,j]);
  all = reduce(gcd, [i,j], A[i,j]);
  sum = reduce(+, [i,j], A[i,j]);
.
"""
GCD = """static inline int gcd(int a, int b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b != 0) { int r = a % b; a = b; b = r; }
    return a;
}
"""


def _found(text: str, schedule_request: ScheduleRequest | None = None) -> Proposal:
    return proposed(Design(read_program(Source("program.ab", text))), schedule_request)


def _lines(proposal: Proposal) -> list[str]:
    return [str(line) for line in proposal.lines]


def _agrees(proposal: Proposal, text: str, folder: Path, parameters: dict[str, int]) -> None:
    (folder / "program.ab").write_text(text, encoding="utf-8")
    script = script_of('"program.ab"', "found", [proposal])
    session = run_script(Source("found.cs", script), folder)
    assert session.is_clean
    (design,) = session.designs
    these = executables(certify(verify(design)), proposal.system, include=folder)
    agreement = agree(these, parameters, threads=(1, 2))
    assert agreement.findings == ()
    assert agreement.agrees


@pytest.mark.slow
def test_a_sum_and_a_sum_of_squares_are_one_scan(tmp_path: Path) -> None:
    """Speckle-reducing diffusion: both over a picture, in each step."""
    result = _found(DIFFUSION)
    lines = _lines(result)
    assert 'setSpaceTimeMap(prog, system, "mean", "(t,i,j -> 0,t,1,i,j)");' in lines
    assert 'setSpaceTimeMap(prog, system, "square", "(t,i,j -> 0,t,1,i,j)");' in lines
    assert 'setStatementOrdering(prog, system, "mean", "square");' in lines
    assert 'setDimensionType(prog, system, "mean, square", 3, "R");' in lines
    _agrees(result, DIFFUSION, tmp_path, {"T": 3, "N": 7, "M": 9})


def test_what_needs_another_result_has_a_scan_of_its_own(tmp_path: Path) -> None:
    result = _found(EXTREMES)
    dates = {name: tuple(str(c.value) for c in components) for name, components in result.dates.items()}
    assert dates["least"] == dates["most"] == dates["sum"] != dates["distance"]
    _agrees(result, EXTREMES, tmp_path, {"N": 37})


MANY = 32


@pytest.mark.slow
def test_many_sums_are_one_scan(tmp_path: Path) -> None:
    names = [f"S{at}" for at in range(MANY)]
    sums = "\n".join(f"  {name} = reduce(+, [i], A[i] * {at + 1});" for at, name in enumerate(names))
    text = f"affine many {{N | N>=1}} input int A {{i | 0<=i<N}}; output int {', '.join(names)}; let\n{sums}\n."
    result = _found(text)
    assert len({tuple(str(c.value) for c in result.dates[name]) for name in names}) == 1
    _agrees(result, text, tmp_path, {"N": 11})


# L[i,r] is the r-th largest of the numbers up to i: each new one goes where it belongs.
TEN = """
affine ten {N | N>=1}
input
  int A {i | 0<=i<N};
output
  int largest, least {r | 0<=r<10};
local
  int L, S {i,r | 0<=i<N && 0<=r<10};
let
  L[i,r] = case
    {| i==0 && r==0} : A[i];
    {| i==0 && r>0} : -1000000;
    {| i>0 && r==0} : max(A[i], L[i-1,r]);
    {| i>0 && r>0} : max(min(A[i], L[i-1,r-1]), L[i-1,r]);
  esac;
  S[i,r] = case
    {| i==0 && r==0} : A[i];
    {| i==0 && r>0} : 1000000;
    {| i>0 && r==0} : min(A[i], S[i-1,r]);
    {| i>0 && r>0} : min(max(A[i], S[i-1,r-1]), S[i-1,r]);
  esac;
  largest[r] = L[N-1,r];
  least[r] = S[N-1,r];
.
"""


def test_the_ten_largest_and_the_ten_smallest_are_one_scan(tmp_path: Path) -> None:
    """Where that is asked for: they are no reductions, and neither needs the other."""
    text = "L.r + S.r; slope; distance; reversals; parameters; coefficients; order + shifts"
    cost = read_cost(Span(Source("mine.cost", text), 0, len(text)), "mine.cost")
    result = _found(
        TEN, ScheduleRequest(strategy=NONE, engine=ScheduleEngine.ILP, cost=cost, constraints="fuse L, S 2")
    )
    assert [str(c.value) for c in result.dates["L"]][:3] == [str(c.value) for c in result.dates["S"]][:3]
    assert rows(result, "L") == [("i", "sequential"), ("r", "parallel")]
    _agrees(result, TEN, tmp_path, {"N": 37})


def test_operators_of_ones_own_are_collected_like_others(tmp_path: Path) -> None:
    (tmp_path / "external_functions.h").write_text(GCD, encoding="utf-8")
    result = _found(DIVISORS)
    assert result.dates["all"] != result.dates["common"]
    assert [c.value for c in result.dates["all"]] == [c.value for c in result.dates["sum"]]
    _agrees(result, DIVISORS, tmp_path, {"N": 6, "M": 5})


SUM = """
affine total {N,M | N>=2 && M>=2}
input
  double A {i,j | 0<=i<N && 0<=j<M};
output
  double y;
local
  double s;
let
  s = reduce(+, [i,j], A[i,j]);
  y = 2 * s;
.
"""


def test_both_loops_of_a_sum_are_one_band() -> None:
    """With contributions in order there would be two bands of one loop."""
    result = _found(SUM, ScheduleRequest(strategy=NONE))
    loops = [component for component in result.dates["s"] if component.is_row]
    assert rows(result, "s") == [("i", "reduction"), ("j", "reduction")]
    assert len({component.band for component in loops}) == 1


@pytest.mark.parametrize(
    ("sums", "reader", "legal"),
    [
        ("(i,j -> i,j)", "( -> N-1,M)", True),
        ("(i,j -> j,i)", "( -> M-1,N)", True),
        ("(i,j -> i,j)", "( -> 0,M-1)", False),
        ("(i,j -> j,i)", "( -> M-1,0)", False),
    ],
)
def test_the_order_of_contributions_is_free_and_an_early_reader_is_not(
    sums: str, reader: str, legal: bool, tmp_path: Path
) -> None:
    (tmp_path / "total.ab").write_text(SUM, encoding="utf-8")
    text = f"""prog = ReadAlphabets("total.ab");
setSpaceTimeMap(prog, "total", "s", "{sums}");
setSpaceTimeMap(prog, "total", "y", "{reader}");
VerifyTargetMapping(prog, "total", "MIN");"""
    assert run_script(Source("total.cs", text), tmp_path).is_clean == legal


def test_columns_are_outside_where_sums_run_over_rows() -> None:
    """mean[j]: j is parallel, and outside, whatever the order of the indices in the program."""
    result = _found(
        """
affine means {N,M | N>=1 && M>=1}
input
  double data {i,j | 0<=i<N && 0<=j<M};
output
  double mean {j | 0<=j<M};
local
  double s {j | 0<=j<M};
let
  s[j] = reduce(+, (i,j->j), data[i,j]);
  mean[j] = s[j] / [N];
.
""",
        ScheduleRequest(strategy=NONE),
    )
    assert rows(result, "s") == [("j", "parallel"), ("i", "reduction")]
