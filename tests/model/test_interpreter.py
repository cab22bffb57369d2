"""The meaning of programs, by small ones whose values are known."""

import math
import time

import numpy as np
import pytest

from alphaz.diagnostics import Rejected
from alphaz.model.types import SCALAR_TYPES
from tests.model.programs import output, outputs, unchecked


def refused(*arguments: object, **named: object) -> Rejected:
    with pytest.raises(Rejected) as caught:
        outputs(*arguments, **named)  # type: ignore[arg-type]
    return caught.value


def test_forward_recurrence() -> None:
    text = """
    affine p {N | N>0} input int A {i | 0<=i<N}; output int S {i | 0<=i<N};
    let S[i] = case {| i==0} : A[i]; {| i>0} : S[i-1] + A[i]; esac; .
    """
    assert output(text, {"N": 5}, {"A": [1, 2, 3, 4, 5]}) == [1, 3, 6, 10, 15]


def test_backward_recurrence_over_an_origin_that_is_not_zero() -> None:
    text = """
    affine p {N | N>0} output int S {i | 3<=i<N+3};
    let S[i] = case {| i==N+2} : 1; {| i<N+2} : S[i+1] * 2; esac; .
    """
    assert output(text, {"N": 4}) == [8, 4, 2, 1]


def test_variables_that_need_each_other() -> None:
    text = """
    affine p {N | N>1} output long A {i | 0<=i<N}; local long B {i | 0<=i<N};
    let A[i] = case {| i==0} : 1; {| i>0} : B[i-1] + 1; esac;
        B[i] = case {| i==0} : 2; {| i>0} : A[i-1] * 3; esac; .
    """
    a, b = [1], [2]
    for _ in range(599):
        a, b = [*a, b[-1] + 1], [*b, a[-1] * 3]
    got = output(text, {"N": 600})
    assert got == [np.array(x % 2**64, dtype=np.uint64).astype(np.int64).item() for x in a]


@pytest.mark.slow
def test_a_hundred_thousand_values_that_need_each_other_in_an_order_that_nothing_foresees() -> None:
    text = """
    affine p {N | N>1} output int A {i | 0<=i<2N}; local int B {i | 0<=i<2N};
    let A[i] = case {| i==0} : 0; {| 0<i<N} : B[i-1] + 1; {| i>=N && i<2N-1} : A[i+1] + 1; {| i==2N-1}: A[N-1]; esac;
        B[i] = A[i] + 0; .
    """
    n = 50_000
    got = output(text, {"N": n})
    assert got[:n] == list(range(n))
    assert got[n:] == [n - 1 + n - 1 - k for k in range(n)]


def test_matrix_chain_against_its_definition() -> None:
    text = """
    affine p {N | N>=2} input unsigned int A {i | 0<=i<=N}; output unsigned int M {i,j | 1<=i<=j<=N};
    let M[i,j] = case {| i==j} : 0;
        {| i<j} : reduce(min, [k], {| i<=k<j} : M[i,k] + M[k+1,j] + A[i-1]*A[k]*A[j]); esac; .
    """
    a = np.random.default_rng(3).integers(1, 50, 9).tolist()
    best = {(i, i): 0 for i in range(1, 9)}
    for length in range(1, 8):
        for i in range(1, 9 - length):
            j = i + length
            best[i, j] = min(best[i, k] + best[k + 1, j] + a[i - 1] * a[k] * a[j] for k in range(i, j))
    got = outputs(text, {"N": 8}, {"A": np.array(a, dtype=np.uint32)})["M"]
    assert got.dtype == np.uint32
    for i in range(1, 9):
        for j in range(1, 9):
            assert got[i - 1, j - 1] == best.get((i, j), 0)


def test_a_case_looks_only_at_the_branch_that_holds() -> None:
    text = """
    affine p {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N};
    let B[i] = case {i | 0<=i<2} || {i | 4<=i} : A[i] / A[i]; {| 2<=i<4} : [i+N]; esac; .
    """
    assert output(text, {"N": 6}, {"A": [1, 1, 0, 0, 1, 1]}) == [1, 1, 8, 9, 1, 1]


def test_an_if_and_the_logical_operators_evaluate_no_more_than_they_need() -> None:
    text = """
    affine p {|} input int a; int b; output int r; bool s; bool t; bool u;
    let r = if b == 0 then 7 else a / b;
        s = (b != 0) and (a / b > 0); t = (b == 0) or (a / b > 0); u = (b != 0) nand (a / b > 0); .
    """
    got = outputs(text, {}, {"a": 5, "b": 0})
    assert [got[n].item() for n in "rstu"] == [7, False, True, True]
    got = outputs(text, {}, {"a": 5, "b": 2})
    assert [got[n].item() for n in "rstu"] == [2, True, True, False]


def test_point_free_notation_and_composition() -> None:
    text = """
    affine p {N | N>0} input int A {i | 0<=i<=2N}; output int B {i | 0<=i<N};
    let B = (i -> i+1) @ (2*((i -> i) @ A) + ((j -> j+N-1) @ A)); .
    """
    n = 4
    a = [3 * x * x - 7 for x in range(2 * n + 1)]
    assert output(text, {"N": n}, {"A": a}) == [2 * a[i + 1] + a[i + 1 + n - 1] for i in range(n)]


@pytest.mark.parametrize(
    ("operator", "type_", "identity"),
    [
        ("+", "int", 0), ("*", "int", 1), ("min", "int", 2**31 - 1), ("max", "int", -(2**31)),
        ("max", "unsigned char", 0), ("min", "unsigned char", 255), ("min", "char", 127), ("max", "char", -128),
        ("max", "float", -math.inf), ("min", "double", math.inf), ("+", "double", 0.0), ("*", "float", 1.0),
        ("max", "unsigned long", 0), ("min", "unsigned long", 2**64 - 1), ("and", "bool", True), ("or", "bool", False),
        ("xor", "bool", False), ("min", "bool", True), ("max", "bool", False), ("min", "longlong", 2**63 - 1),
    ],
)  # fmt: skip
def test_a_reduction_over_nothing_is_the_identity(operator: str, type_: str, identity: object) -> None:
    text = f"""
    affine p {{N | N>0}} input {type_} A {{i | 0<=i<N}}; output {type_} r {{i | 0<=i<N}};
    let r[i] = reduce({operator}, [k], {{| 0<=k<i}} : A[k]); .
    """
    got = outputs(text, {"N": 1}, {"A": np.zeros(1, dtype=np.dtype(bool) if type_ == "bool" else np.uint8)})["r"]
    assert got.tolist() == [identity]


@pytest.mark.parametrize(
    ("operator", "type_", "values"),
    [
        ("+", "char", [100, 100, -3]), ("*", "unsigned short", [300, 300, 7]), ("min", "float", [-1.5, -2.5, 0.0]),
        ("max", "float", [-1.5, -2.5, -3.0]), ("and", "bool", [True, False, True]), ("xor", "bool", [True, True, True]),
        ("or", "bool", [False, False, True]), ("max", "int", [-5, -9, -6]), ("+", "unsigned int", [2**32 - 1, 1, 5]),
    ],
)  # fmt: skip
def test_reductions(operator: str, type_: str, values: list) -> None:
    text = f"""
    affine p {{N | N>0}} input {type_} A {{i | 0<=i<N}}; output {type_} r;
    let r[] = reduce({operator}, (k -> ), A[k]); .
    """
    dtype = np.dtype(SCALAR_TYPES[type_].numpy)
    functions: dict[str, np.ufunc] = {
        "+": np.add, "*": np.multiply, "min": np.minimum, "max": np.maximum, "and": np.logical_and,
        "or": np.logical_or, "xor": np.logical_xor,
    }  # fmt: skip
    array = np.array(values, dtype=dtype)
    got = outputs(text, {"N": 3}, {"A": array})["r"]
    assert got.dtype == dtype
    assert got.item() == functions[operator].reduce(array, dtype=dtype).item()


def test_a_reduction_takes_its_points_in_lexicographic_order() -> None:
    text = """
    affine p {N | N>0} input float A {i,j | 0<=i<N && 0<=j<N}; output float r;
    let r[] = reduce(+, (i,j -> ), A[i,j]); .
    """
    values = np.array([[1e8, 1.0], [-1e8, 1.0]], dtype=np.float32)
    total = np.float32(0)
    for value in values.ravel():
        total = np.float32(total + value)
    assert output(text, {"N": 2}, {"A": values}) == float(total)
    assert float(total) != 2.0


def test_a_reduction_visits_each_point_of_an_overlapping_union_once() -> None:
    text = """
    affine p {N | N>4} input int A {i | 0<=i<N}; output int r {j | 0<=j<3};
    let r[j] = reduce(+, (j,k -> j), {j,k | 0<=k<=3} || {j,k | 2<=k<N} : A[k] + 10*[j]); .
    """
    assert output(text, {"N": 6}, {"A": [1, 2, 4, 8, 16, 32]}) == [63, 63 + 60, 63 + 120]


def test_reductions_by_diagonals_and_with_a_stride() -> None:
    text = """
    affine p {N | N>0} input long A {i | 0<=i<N}; output long C {i | 0<=i<2N}; long D {i | 0<=i<N};
    let C[s] = reduce(+, (i,j -> i+j), {i,j | 0<=(i,j)<N} : A[i] * A[j]);
        D[i] = reduce(+, (k -> 2k), {k | 0<=2k<N} : A[k]); .
    """
    a = [3, -1, 4, 1, 5]
    got = outputs(text, {"N": 5}, {"A": a})
    assert got["C"].tolist() == [*np.convolve(a, a).tolist(), 0]
    assert got["D"].tolist() == [3, 0, -1, 0, 4]


def test_a_reduction_inside_a_reduction() -> None:
    text = """
    affine p {N | N>0} input int A {i,j | 0<=i<N && 0<=j<N}; output int r {i | 0<=i<N};
    let r[i] = reduce(max, [j], {| 0<=j<N} : reduce(+, [k], {| 0<=k<=j} : A[i,k]) - [j]); .
    """
    a = np.random.default_rng(5).integers(-9, 9, (6, 6))
    expected = [max(sum(row[: j + 1]) - j for j in range(6)) for row in a.tolist()]
    assert output(text, {"N": 6}, {"A": a}) == expected


def test_points_of_the_box_outside_the_domain_are_zero_and_an_empty_domain_has_no_cells() -> None:
    text = """
    affine p {N | N>=0} output int A {i,j | 0<=j<i<N};
    let A[i,j] = 10*[i] + [j] + 100; .
    """
    assert output(text, {"N": 3}) == [[110, 0], [120, 121]]
    assert outputs(text, {"N": 0})["A"].shape == (0, 0)


CALLEE = """
affine scale {N | N>0} input int X {i | 0<=i<N}; int f; output int Y {i | 0<=i<N};
let Y[i] = f * X[i]; .
"""


def test_a_call_of_another_system() -> None:
    text = (
        CALLEE
        + """
    affine p {N | N>0} input int A {i | 0<=i<=N}; output int B {i | 0<=i<N};
    let use scale[N] ((i -> i+1) @ A, 3) returns (B); .
    """
    )
    assert output(text, {"N": 3}, {"A": [1, 2, 3, 4]}) == [6, 9, 12]


def test_calls_for_each_point_of_an_extension() -> None:
    text = (
        CALLEE
        + """
    affine p {N | N>0} input int A {i,j | 0<=i<N && 0<=j<=i}; output int B {i,j | 0<=i<N && 0<=j<=i};
    let use {e | 0<=e<N} scale[e+1] (A, [e]) returns (B); .
    """
    )
    a = np.tril(np.arange(9).reshape(3, 3) + 1)
    assert output(text, {"N": 3}, {"A": a}) == (a * np.arange(3)[:, None]).tolist()


def test_recursive_calls_with_smaller_parameters() -> None:
    text = """
    affine prefix {N | N>=0} input int X {i | 0<=i<=N}; output int S {i | 0<=i<=N};
    local int inner {e,i | e==0 && 0<=i<=N-1};
    let use {e | e==0 && N>0} prefix[N-1] ((e,i -> i) @ X) returns (inner);
        S[i] = case {| i==0} : X[i]; {| i>0} : X[i] + inner[0,i-1]; esac; .
    """
    assert output(text, {"N": 4}, {"X": [1, 2, 3, 4, 5]}) == [1, 3, 6, 10, 15]


def test_a_value_that_needs_itself_is_reported_as_the_cycle() -> None:
    text = """
    affine p {N | N>2} input int w {i | 0<=i<N}; output int A {i | 0<=i<N}; local int B {i | 0<=i<N};
    let A[i] = if w[i] > 0 then B[i] else 1;
        B[i] = case {| i==0} : A[N-1]; {| i>0} : A[i-1]; esac; .
    """
    got = outputs(text, {"N": 3}, {"w": [1, 0, 1]}, prepare=unchecked)
    assert got["A"].tolist() == [1, 1, 1]
    problem = refused(text, {"N": 3}, {"w": [1, 1, 1]}, prepare=unchecked)
    (finding,) = problem.diagnostics
    assert finding.rule.code == "AZ310"
    assert finding.witness is not None
    points = [(p.name, p.point) for p in finding.witness.places]
    assert sorted(points) == [(v, (i,)) for v in "AB" for i in range(3)]
    reads = {("A", i): ("B", i) for i in range(3)} | {("B", i): ("A", (i - 1) % 3) for i in range(3)}
    for (name, (at,)), after in zip(points, [*points[1:], points[0]], strict=True):
        assert reads[name, at] == (after[0], after[1][0])


def test_division_by_zero_names_the_point() -> None:
    text = """
    affine p {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N};
    let B[i] = 6 / A[i]; .
    """
    (finding,) = refused(text, {"N": 3}, {"A": [1, 2, 0]}).diagnostics
    assert finding.rule.code == "AZ805"
    assert "B[2]" in finding.message
    assert "division by zero" in finding.message


def test_a_value_that_no_output_needs_cannot_go_wrong() -> None:
    text = """
    affine p {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N}; local int C {i | 0<=i<N};
    let B[i] = case {| i==0} : 1; {| i>0} : C[i]; esac; C[i] = 6 / A[i]; .
    """
    assert output(text, {"N": 3}, {"A": [0, 2, 3]}) == [1, 3, 2]


def test_external_functions() -> None:
    text = """
    double f(double, int);
    affine p {N | N>0} input double A {i | 0<=i<N}; output float B {i | 0<=i<N};
    let B[i] = f(A[i], [i]) + 1; .
    """
    got = output(text, {"N": 3}, {"A": [0.5, 1.5, 2.5]}, {"f": lambda x, n: x**n})
    assert got == [2.0, 2.5, 7.25]
    (finding,) = refused(text, {"N": 1}, {"A": [1.0]}).diagnostics
    assert finding.rule.code == "AZ807"
    assert "`f`" in finding.message
    (failed,) = refused(text, {"N": 1}, {"A": [1.0]}, {"f": lambda x, n: 1 / 0}).diagnostics
    assert failed.rule.code == "AZ805"
    assert "B[0]" in failed.message


def test_a_float_that_does_not_fit_into_an_integer_stops() -> None:
    text = "affine p {|} input double a; output int r; let r = a * 2; ."
    assert output(text, {}, {"a": -1.75}) == -3
    (finding,) = refused(text, {}, {"a": 1e300}).diagnostics
    assert finding.rule.code == "AZ805"


def test_a_while_system_is_not_executable() -> None:
    text = """
    affine p {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N};
    over {t | 0<=t} while (A[0] > 0) let B[i] = A[i]; .
    """
    (finding,) = refused(text, {"N": 2}, {"A": [1, 2]}, prepare=unchecked).diagnostics
    assert finding.rule.code == "AZ805"
    assert "not executable" in finding.message


RECURRENCE = """
affine p {N | N>0} input int A {i | 0<=i<N}; output int B {i | 0<=i<N};
let B[i] = case {| i==0} : A[0]; {| i>0} : 3*B[i-1] + A[i]; esac; .
"""


def test_a_context_with_remainders_is_shown_without_names_of_quotients() -> None:
    text = "affine p {N,M | N>=7 && M==2N && N%2==1} input int a; output int b; let b = a; ."
    (finding,) = refused(text, {"N": 8, "M": 3}, {"a": 1}).diagnostics
    assert finding.message.endswith("it needs 2N==M && N>=7 && N%2==1")


@pytest.mark.parametrize(
    ("parameters", "inputs", "said"),
    [
        ({}, {"A": [1]}, "parameter `N` has no value"),
        ({"N": 1, "M": 2}, {"A": [1]}, "`M` is no parameter"),
        ({"N": 1.5}, {"A": [1]}, "no integer"),
        ({"N": 0}, {"A": []}, "outside the context"),
        ({"N": 2**70}, {"A": [1]}, "64 bits"),
        ({"N": 2**40}, {"A": [1]}, "cells"),
        ({"N": 2}, {}, "input `A` is not given"),
        ({"N": 2}, {"A": [1, 2], "B": [1, 2]}, "`B` is no input"),
        ({"N": 2}, {"A": [1, 2, 3]}, "shape (3,)"),
        ({"N": 2}, {"A": [[1, 2]]}, "shape (1, 2)"),
        ({"N": 2}, {"A": [1.0, 2.0]}, "float64 values that int cannot hold"),
        ({"N": 2}, {"A": [1, 2**31]}, "int64 values that int cannot hold"),
        ({"N": 2}, {"A": np.array([1, 2**63], dtype=np.uint64)}, "uint64 values"),
        ({"N": 2}, {"A": ["a", "b"]}, "input `A` has text where numbers are needed"),
        ({"N": 2}, {"A": [1, None]}, "has Python objects"),
        ({"N": 2}, {"A": [1, 2j]}, "has complex numbers"),
        ({"N": 2}, {"A": [[1], [2, 3]]}, "no array"),
    ],
)
def test_data_that_does_not_fit(parameters: dict, inputs: dict, said: str) -> None:
    problem = refused(RECURRENCE, parameters, inputs)
    assert {d.rule.code for d in problem.diagnostics} == {"AZ807"}
    assert any(said in d.message for d in problem.diagnostics), [d.message for d in problem.diagnostics]


LETTERS = """
affine p {N | N>0} input char a {i | 0<=i<N}; unsigned char b {i,j | 0<=i<N && 0<=j<2}; output int B {i | 0<=i<N};
let B[i] = a[i] - b[i,1]; .
"""


@pytest.mark.parametrize("a", ["pq", b"pq", ["p", "q"], np.array([112, 113])])
@pytest.mark.parametrize("b", [["ab", "cd"], [["a", "b"], ["c", "d"]], np.array([b"ab", b"cd"])])
def test_letters_are_their_codes(a: object, b: object) -> None:
    assert output(LETTERS, {"N": 2}, {"a": a, "b": b}) == [ord("p") - ord("b"), ord("q") - ord("d")]


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("pq", ["ab", "c"], "input `b` has text where words of one length are needed"),
        ("pqr", ["ab", "cd"], "input `a` has shape (3,)"),
        ("p\u4e00", ["ab", "cd"], "that char cannot hold"),
        ("", ["ab", "cd"], "input `a` has"),
        (["p", 1], ["ab", "cd"], "input `a` has"),
    ],
)
def test_letters_that_do_not_fit(a: object, b: object, said: str) -> None:
    assert said in refused(LETTERS, {"N": 2}, {"a": a, "b": b}).diagnostics[0].message


def test_data_that_fits_in_another_type_is_converted() -> None:
    assert output(RECURRENCE, {"N": 2}, {"A": np.array([1, 2], dtype=np.int8)}) == [1, 5]
    assert output(RECURRENCE, {"N": 2}, {"A": np.array([1, 2], dtype=np.uint64)}) == [1, 5]
    assert output(RECURRENCE, {"N": 4}, {"A": np.arange(8)[::2]}) == [0, 2, 10, 36]


@pytest.mark.slow
def test_speed_on_a_plain_recurrence() -> None:
    """At least 100,000 values in a second of processor time; the best of three counts."""
    n = 100_000
    data = np.arange(n, dtype=np.int32)
    best = math.inf
    for _ in range(3):
        before = time.process_time()
        outputs(RECURRENCE, {"N": n}, {"A": data})
        best = min(best, time.process_time() - before)
    assert best <= 1
