"""Agreement must find a difference where there is one, and say what was left out."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Rejected
from alphaz.equivalence.differential_run import Executables, ExecutionLimits, agree, executables
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.run.kernel import compile_kernel
from alphaz.run.work_estimate import estimated_points, values_to_compute
from tests.model.programs import checked

INTEGERS = """
affine p {N | N>0} input int A {i | 0<=i<N}; output int S {i | 0<=i<N};
let S[i] = case {| i==0} : A[i]; {| i>0} : S[i-1] + 3*A[i]; esac; .
"""
FLOATS = """
affine p {N | N>0} input float A {i | 0<=i<N}; output float r;
let r[] = reduce(+, (i -> ), A[i]); .
"""


def prepared(text: str, edit: tuple[str, str] = ("", "")) -> Executables:
    """Demand-driven and scheduled code under the default mapping; the latter with an edit."""
    program = checked(text)
    verified = certify(verify(Design(program), ["p"]))
    these = executables(verified, "p")
    assert these.scheduled is not None
    if edit == ("", ""):
        return these
    sources = scheduled_c(verified, "p")
    assert any(edit[0] in body for body in sources.files.values()), sources.files
    files = {name: body.replace(*edit) for name, body in sources.files.items()}
    return replace(these, scheduled=compile_kernel(Sources(files, sources.if_absent), program, "p"))


def test_the_interpreter_and_all_kinds_of_code_agree() -> None:
    agreement = agree(prepared(INTEGERS), {"N": 10}, threads=(1, 2), seed=4)
    assert agreement.agrees
    assert [e.title for e in agreement.executions] == [
        "interpreter",
        "demand-driven C",
        "scheduled C with 1 thread",
        "scheduled C with 2 threads",
    ]


def test_a_wrong_value_is_found_and_named() -> None:
    agreement = agree(prepared(INTEGERS, ("product_int(3, ", "product_int(5, ")), {"N": 10}, seed=4)
    assert not agreement.agrees
    (finding,) = agreement.findings
    assert finding.rule.code == "AZ806"
    assert finding.witness is not None
    assert finding.witness.places[0].point == (1,)
    assert "S[1]: the interpreter computes" in finding.witness.sentence
    assert "of 10 points differ" in finding.notes[0]


def test_floats_of_a_reduction_may_be_added_in_another_order_but_not_left_out() -> None:
    reordered = agree(prepared(FLOATS), {"N": 1000}, seed=1)
    assert reordered.agrees
    wrong = prepared(FLOATS, ("A[", "1.01f * A["))
    assert not agree(wrong, {"N": 1000}, seed=1).agrees


STEEP = """
affine p {N | N>0} input double A {i | 0<=i<N}; double c; output double r;
let r[] = 1 / (reduce(+, (i -> ), A[i]) - c); .
"""


@pytest.mark.slow
def test_where_last_bits_matter_another_order_may_differ_by_more() -> None:
    """A small difference of large sums is divided by: it has few digits, and these must be right."""
    A = np.random.default_rng(3).uniform(-1, 1, 200)
    inputs = {"A": A, "c": np.asarray(np.sum(A) - 1e-5)}
    backwards = agree(prepared(STEEP, ("A[i]", "A[N - 1 - i]")), {"N": 200}, inputs=inputs)
    assert backwards.agrees
    assert backwards.inputs.startswith("given inputs, ill-conditioned: their last bits change values by ")
    wrong = prepared(STEEP, ("A[i]", "(1 + 1e-9) * A[i]"))
    assert not agree(wrong, {"N": 200}, inputs=inputs).agrees


def test_an_execution_out_of_reach_is_left_out_and_says_so() -> None:
    these = prepared(INTEGERS)
    agreement = agree(these, {"N": 1000}, limits=ExecutionLimits(interpreted=999))
    assert agreement.executions[0].outputs is None
    assert "exceed the limit" in agreement.executions[0].skipped
    assert agreement.reference.name == "demand-driven C"
    assert agreement.agrees
    nothing = agree(these, {"N": 1000}, limits=ExecutionLimits(interpreted=0, bytes=0))
    assert "GB" in nothing.executions[1].skipped
    assert nothing.findings == ()
    assert not nothing.agrees


def test_a_run_that_stops_is_no_agreement() -> None:
    these = prepared("affine p {N | N>0} input int a; output int r; let r = [N] / (a - a); .")
    with pytest.raises(Rejected) as caught:
        agree(these, {"N": 1})
    assert caught.value.diagnostics[0].rule.code == "AZ805"


def test_the_amount_of_work_is_estimated() -> None:
    text = """
    affine p {N | N>0} input int A {i | 0<=i<N}; output int r {i,j | 0<=i<=j<N};
    let r[i,j] = reduce(+, [k], {| i<=k<=j} : A[k]); .
    """
    program = checked(text)
    system = program.program.systems[0]
    n = 200
    points = n * (n + 1) // 2
    assert estimated_points(system.outputs[0].domain, {"N": n}) == pytest.approx(points, rel=0.1)
    total = n + points + n * (n + 1) * (n + 2) // 6
    assert values_to_compute(program.program, program.facts, system, {"N": n}) == pytest.approx(total, rel=0.1)


ROOTS = """
double sqrt(double); double log(double);
affine p {N | N>0} input double A {i,j | 0<=j<=i<N}; output double L {i,j | 0<=j<=i<N};
let L[i,j] = case
    {| i==j} : sqrt(A[i,j] - reduce(+, [k], {| 0<=k<j} : L[i,k] * L[i,k]));
    {| j<i} : (A[i,j] - reduce(+, [k], {| 0<=k<j} : L[i,k] * L[j,k])) / L[j,j];
esac; .
"""
LOGARITHMS = """
double log(double);
affine p {N | N>0} input double A {i | 0<=i<N}; output double L {i | 0<=i<N}; output_
let L[i] = log(-A[i] * A[i]); more .
"""


def _with_math(text: str, tmp_path: Path) -> Executables:
    (tmp_path / "external_functions.h").write_text("#include <math.h>\n")
    return executables(checked(text), "p", include=tmp_path)


def test_where_random_inputs_make_no_numbers_tame_ones_are_taken(tmp_path: Path) -> None:
    agreement = agree(_with_math(ROOTS, tmp_path), {"N": 12}, seed=1)
    assert agreement.agrees
    assert agreement.warnings == ()
    assert agreement.inputs == "seed 1, tame inputs"
    assert agreement.reference.outputs is not None
    assert np.isfinite(agreement.reference.outputs["L"]).all()


def test_values_that_are_no_numbers_are_counted_and_are_no_success(tmp_path: Path) -> None:
    these = _with_math(LOGARITHMS.replace("output_", "").replace("more", ""), tmp_path)
    agreement = agree(these, {"N": 5})
    assert (agreement.findings, agreement.agrees, agreement.is_void) == ((), False, True)
    (warning,) = agreement.warnings
    assert warning.rule.code == "AZ809"
    assert warning.message == "5 of 5 values of `L` are NaN"


def test_other_values_are_still_compared(tmp_path: Path) -> None:
    text = LOGARITHMS.replace("output_", "double M {i | 0<=i<N};").replace("more", "M[i] = 2 * A[i];")
    agreement = agree(_with_math(text, tmp_path), {"N": 5})
    assert agreement.agrees
    assert [w.message for w in agreement.warnings] == ["5 of 5 values of `L` are NaN"]


def test_given_inputs_are_taken_as_they_are(tmp_path: Path) -> None:
    these = _with_math(ROOTS, tmp_path)
    inputs = {"A": np.array([[4.0, 0.0], [2.0, 5.0]])}
    agreement = agree(these, {"N": 2}, inputs=inputs)
    assert (agreement.agrees, agreement.inputs) == (True, "given inputs")
    assert agreement.reference.outputs is not None
    np.testing.assert_array_equal(agreement.reference.outputs["L"], [[2.0, 0.0], [1.0, 2.0]])
    inputs["A"][0, 0] = -1.0
    assert [w.message[:6] for w in agree(these, {"N": 2}, inputs=inputs).warnings] == ["3 of 3"]
