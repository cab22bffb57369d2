"""C in several files: what one calls, another defines."""

import importlib
from pathlib import Path

import pytest

import alphaz
from alphaz.analysis.read import read_program
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Source
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.legality.verify import certify
from alphaz.scop.c_model import OtherFile
from tests.equivalence.asking import ROOT

EQUATIONS = """affine f {N | N>=1}
input
	double x {i | 0<=i<N};
output
	double y {i | 0<=i<N};
let
	y[i] = x[i] * x[i] + 1.0;
.
"""
FIRST = """#include "square.h"
static double one(double v) { return v + 1.0; }
void f(long N, const double *x, double *y)
{
    square(N, x, y);
    for (long i = 0; i < N; i++) y[i] = one(y[i]);
}
"""
SECOND = """#include "square.h"
static double times(double a, double b) { return a * b; }
void square(long n, const double *x, double *y)
{
    #pragma omp parallel for
    for (long i = 0; i < n; i++) y[i] = times(x[i], x[i]);
}
"""
PROTOTYPE = "void square(long n, const double *x, double *y);"


def verdict(first: str, *others: str, folder: Path = Path()) -> CVerdict:
    files = tuple(OtherFile(Source(str(folder / f"more{number}.c"), text)) for number, text in enumerate(others))
    task = ProofTask(system="f", executes=folder != Path(), others=files)
    return prove_c(read_program(Source("f.ab", EQUATIONS)), Source(str(folder / "f.c"), first), task)


@pytest.mark.slow
def test_what_is_called_may_be_defined_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "square.h").write_text(PROTOTYPE)
    found = verdict(FIRST, SECOND, folder=tmp_path)
    assert (found.verdict, str(found.tried)) == ("proved", "executed for N=1, 2, 5, 11, 302: agrees")
    assert f"a header declares `square` as {tmp_path}/more0.c defines it" in found.assumed


def test_without_the_file_nothing_is_known() -> None:
    (finding,) = verdict(FIRST).findings
    assert "cannot interpret the call of" in finding.message


HERE, TIMES = '#include "square.h"', "static double times"


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (FIRST, SECOND.replace("* b", "* a + b"), None),
        (FIRST, SECOND.replace("i < n", "i < n - 1"), None),
        (FIRST, SECOND.replace("times", "one"), "the function `one` has another definition in another file"),
        (FIRST, SECOND.replace("void square", "static void square"), "`square` is `static` in more0.c"),
        (
            FIRST,
            SECOND.replace(TIMES, f"static double c;\n{TIMES}"),
            "a further file may contain only functions, types and prototypes at file scope",
        ),
        (
            FIRST,
            SECOND.replace(TIMES, f"enum {{ K = 2 }};\n{TIMES}"),
            "a further file may contain only functions, types and prototypes at file scope",
        ),
        (FIRST.replace(HERE, "static double a;"), SECOND, "`a` also has a meaning in another file"),
        (FIRST.replace(HERE, ""), SECOND, "`square` is defined in more0.c, but not declared here"),
        (FIRST.replace(HERE, PROTOTYPE.replace("long", "int")), SECOND, "differs from its definition in"),
        (FIRST.replace(HERE, PROTOTYPE.replace("double *y", "float *y")), SECOND, "differs from its definition in"),
    ],
)
def test_what_is_something_else_in_another_file_is_undecided(first: str, second: str, said: str | None) -> None:
    found = verdict(first, second)
    assert not found.is_proved
    assert said is None or (len(found.findings) == 1 and said in found.findings[0].message)


def test_places_are_those_of_the_file() -> None:
    (finding,) = verdict(FIRST, SECOND.replace("y[i] = times", "y[i * i] = times")).findings
    assert str(finding.primary.span) == "more0.c:6:34"


def test_prototypes_may_call_parameters_otherwise() -> None:
    text = FIRST.replace('#include "square.h"', "void square(long, const double *, double *out);")
    assert verdict(text, SECOND).is_proved


@pytest.mark.slow
def test_generated_calls_are_proved() -> None:
    design = alphaz.run(ROOT / "samples" / "subsystems" / "matrix-vector-in-place.cs")
    sources = scheduled_c(certify(alphaz.verify(design)), "matrix_vector")
    assert prove_generated(sources, design.checked, "matrix_vector", jobs=1).verdict.is_proved


CHAIN = """affine sums {M | M>=1}
input
	double v {i | 0<=i<M};
output
	double s;
let
	s = reduce(+, [i], v[i] * v[i]);
.
affine shifted {K | K>=2}
input
	float x {i | 0<=i<K};
	double by;
output
	double y {i | 1<=i<K};
	double z {i | 1<=i<K};
let
	y[i] = x[i-1] + by;
	use {n | 1<=n<K} sums[n]((n,i -> i)@x + by) returns (z);
.
affine chain {N | N>=2}
input
	double x {i | 0<=i<N};
output
	double a, b {i | 1<=i<N};
	double c, d {k,i | 1<=k<3 && 1<=i<=2k};
let
	use shifted[N](if x > 0 then 0.0 else 1.0, 2.0) returns (a, b);
	use {k | 1<=k<3} shifted[2k+1](val(k,i -> k+i), (k -> 0)@x) returns (c, d);
.
"""
MAPPED = """prog = ReadAlphabets("chain.ab");
setSpaceTimeMap(prog, "sums", "s", "(i -> i)", "(-> -1)");
setSpaceTimeMap(prog, "shifted", "y", "(i -> 0,i)");
setSpaceTimeMap(prog, "shifted", "UseEquation_z", "(n -> 1,n)");
setSpaceTimeMap(prog, "chain", "UseEquation_a", "(-> 0,0)");
setSpaceTimeMap(prog, "chain", "UseEquation_c", "(k -> 1,k)");
"""


@pytest.mark.slow
def test_what_is_told_leads_through_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chain.ab").write_text(CHAIN)
    (tmp_path / "chain.cs").write_text(MAPPED)
    design = alphaz.run(tmp_path / "chain.cs")
    sources = scheduled_c(certify(alphaz.verify(design)), "chain")

    def no_run(*_: object) -> None:
        raise AssertionError("the model is run, to look for claims")

    monkeypatch.setattr(importlib.import_module("alphaz.equivalence.c_proof"), "sample_sizes", no_run)
    assert prove_generated(sources, design.checked, "chain", jobs=1).verdict.is_proved


def test_demand_driven_code_is_not_understood() -> None:
    design = alphaz.run(ROOT / "samples" / "subsystems" / "filter.cs")
    sources = scheduled_c(certify(alphaz.verify(design)), "filtered")
    found = prove_generated(sources, design.checked, "filtered", jobs=1).verdict
    assert (found.verdict, [finding.rule.code for finding in found.findings]) == ("undecided", ["AZ832"])
    assert "has no mapping: demand-driven code cannot be proved" in found.findings[0].message
