"""Use equations: the interface and the domains (AZ311) and a recursion of one system (AZ313)."""

import pytest

from alphaz.analysis.facts.dependences import dependences
from tests.analysis.programs import codes, found, only, read

_DOT = "affine dot {N | N>0} input float x, y {i | 0<=i<N}; output float s; let s = reduce(+, [i], x[i] * y[i]); . "


def _caller(use: str, output: str = "float y {i | 0<=i<N};") -> str:
    return (
        _DOT + "affine mv {N,M | N>0 && M>0} input float A {i,j | 0<=i<N && 0<=j<M}; float x {j | 0<=j<M}; "
        f"output {output} let {use}; ."
    )


def test_a_call_for_each_point_of_the_extension() -> None:
    checked = read(_caller("use {i | 0<=i<N} dot[M](A, (i,j->j)@x) returns (y)"))
    reads = dependences(checked.program.systems[1], checked.facts)
    shown = [(d.consumer, str(d.projection), d.producer, str(d.function)) for d in reads]
    assert shown == [
        ("UseEquation_y", "(i,i_ -> i)", "A", "(i,i_ -> i,i_)"),
        ("UseEquation_y", "(i,i_ -> i)", "x", "(i,i_ -> i_)"),
    ]
    assert sorted(reads[0].domain.points({"N": 2, "M": 3})) == [(i, j) for i in range(2) for j in range(3)]


@pytest.mark.parametrize(
    ("use", "message"),
    [
        ("use {i | 0<=i<N} dot[M,N](A, A) returns (y)", "the system `dot` has 1 parameter, not 2"),
        ("use {i | 0<=i<N} dot[M](A) returns (y)", "the system `dot` has 2 inputs, not 1"),
        ("use {i | 0<=i<N} dot[M](A, A) returns (y, y)", "the system `dot` has 1 output, not 2"),
        ("use dot[M](x, x) returns (y)", "`y` has 1 index, but this result of `dot` has 0"),
        ("use {i | 0<=i<N} dot[M-1](A, A) returns (y)", "`dot` is called with parameters that it does not allow"),
        ("use {i | 0<=i<N} dot[M](A, {a,b | b>0}: A) returns (y)", "the input `y` of `dot` is not defined"),
    ],
)
def test_a_call_that_does_not_fit(use: str, message: str) -> None:
    errors = [d for d in found(_caller(use)) if d.is_error]
    assert [d.rule.code for d in errors] == ["AZ311"]
    assert message in errors[0].message


def test_an_unknown_system_has_a_near_name() -> None:
    (error,) = found(_caller("use {i | 0<=i<N} dott[M](A, A) returns (y)"))
    assert (error.rule.code, error.primary.span.text, error.help) == ("AZ201", "dott", "did you mean `dot`?")


def test_an_output_must_be_computed_everywhere() -> None:
    error = found(_caller("use {i | 0<i<N} dot[M](A, (i,j->j)@x) returns (y)"))[0]
    assert error.rule.code == "AZ304"
    assert error.witness is not None
    assert error.witness.sentence == "N=1, M=1: y[0] is not computed by this call"


def test_an_input_that_reads_outside_its_variable() -> None:
    error = found(_caller("use {i | 0<=i<N} dot[M](A, (i,j->j+1)@x) returns (y)"))[0]
    assert (error.rule.code, error.primary.span.text) == ("AZ306", "(i,j->j+1)@x")


def _recursive(use: str, context: str = "N>=0") -> str:
    return (
        f"affine f {{N | {context}}} input int z; output int r; local int a {{| N>=1}}; let {use} returns (a); "
        "r = case {| N==0}: z; {| N>=1}: a + 1; esac; ."
    )


def test_a_recursion_with_smaller_parameters_is_right() -> None:
    assert codes(_recursive("use {| N>=1} f[N-1](z)")) == []


def test_a_recursion_with_its_own_parameters_never_ends() -> None:
    error = only(_recursive("use {| N>=1} f[N](z)"))
    assert error.rule.code == "AZ313"
    assert error.witness is not None
    assert error.witness.sentence == "N=1: f[1] calls f[1]"


def test_a_recursion_for_all_parameters_never_ends() -> None:
    text = _recursive("use f[N+1](z)")
    assert "never end" in only(text).message


def test_a_while_system_is_checked() -> None:
    text = (
        "affine w {N | N>0} input float x {i | 0<=i<N}; output float y {i,t | 0<=i<N && t>=0}; "
        "over {t | t>=0} while y[CONDITION,t] > 0.5 "
        "let y[i,t] = case {| t==0}: x[i]; {| t>0}: 0.5 * y[i,t-1]; esac; ."
    )
    assert codes(text.replace("CONDITION", "0")) == []
    assert codes(text.replace("CONDITION", "N")) == ["AZ306"]
