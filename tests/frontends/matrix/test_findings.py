"""Findings about a kernel mark the error and both places."""

import re
from pathlib import Path

import pytest

import alphaz
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.rules import codes, document
from alphaz.frontends.matrix.checked_kernel import check_kernel
from alphaz.frontends.matrix.equations import program_text
from alphaz.frontends.matrix.reading import read_kernel

WRONG = {
    "K in A : matrix, x : vector out y : row vector { y = A*x }": [
        "AZ221 1:54 the value assigned to `y` has another shape"
    ],
    "K in x, z : vector out y : vector { y = x*z }": ["AZ221 1:43 as many columns"],
    "K in x, z : vector out y : scalar { t = x*z y = x'*z }": ["AZ221 1:43 as many columns"],
    "K in A : matrix, x : vector out y : vector { y = A + x }": ["AZ221 1:54 one shape"],
    "K in A, x : vector out y : vector { y = x/A }": ["AZ221 1:43 only a scalar divides"],
    "K in A : matrix, x : vector out y : vector { y = A \\ x }": ["AZ222 1:50 does not say how to solve"],
    "K in S : symmetric(lower) matrix, x : vector out y : vector { y = S' \\ x }": ["AZ222 1:67 does not say how"],
    "K in A : band(1,1) matrix, x : vector out y : vector { y = A \\ x }": ["AZ222 1:60 does not say how"],
    "K in A : matrix, x : vector out y : vector { y = (A + A') \\ x }": ["AZ222 1:51 is a variable or its transpose"],
    "K in L : lower matrix, x : row vector out y : vector { y = L \\ x }": ["AZ221 1:64 as many rows"],
    "K in a : scalar, x : vector out y : vector { y = a \\ x }": ["AZ221 1:50 needs a matrix on the left"],
    "K in L : lower matrix, x : vector out y : vector { y = inv(L)*x }": ["AZ201 1:56 there is no `inv`: a solution"],
    "K in L : lower matrix, x : vector out y : vector { y = inverse(L)*x }": [
        "AZ201 1:56 there is no `inverse`: a sol"
    ],
    "K in L : lower matrix, x : vector out y : vector { y = L^-1*x }": ["AZ101 1:57 formulas have no powers"],
    "K in L : lower matrix, x : vector out y : vector { y = solve(L, x) }": ["AZ101 1:63 `solve` has two arguments"],
    "K in L : definite matrix, x : vector out y : vector { y = L \\ x }": ["AZ222 1:10 only a symmetric matrix"],
    "K in L : dominant lower matrix, x : vector out y : vector { y = L \\ x }": ["AZ222 1:10 needs no `dominant`"],
    "K in L, M : lower matrix out N : lower matrix { N = L \\ M }": ["AZ223 1:53 outside its stored"],
    "K in S : symmetric(lower, definite) matrix out T : symmetric(lower) matrix { T = S \\ S }": ["AZ223 1:82"],
    "K in A : matrix out y : scalar { y = norm2(A) }": ["AZ221 1:44 `norm2` takes a vector"],
    "K in A : row column matrix out y : matrix { y = A }": ["AZ222 1:10 cannot be both `row` and `column`"],
    "K in A : triangular matrix out y : matrix { y = A }": ["AZ222 1:10 which triangle"],
    "K in A : upper band(1,2) matrix out y : matrix { y = A }": ["AZ222"],
    "K in A : packed matrix out y : matrix { y = A }": ["AZ222 1:10 cannot be packed"],
    "K in A : band(1,2) leading(ld) packed matrix out y : matrix { y = A }": [
        "AZ222 1:10 a packed matrix has no leading"
    ],
    "K in A : upper leading(ld) packed matrix out y : matrix { y = A }": ["AZ222 1:10 a packed matrix has no leading"],
    "K in A : leading(8) matrix out y : matrix { y = A }": ["AZ222 1:10 `leading` has a name"],
    "K in x : leading(ld) vector out y : vector { y = x }": ["AZ222 1:10 a vector is not `leading`"],
    "K in A : row matrx, x : vector out y : vector { y = A*x }": ["AZ101 1:14 `matrx` is no type"],
    "K in x : vector out y : vecto { y = x }": ["AZ101 1:25 `vecto` is no type"],
    "K in x : packed vector out y : vector { y = x }": ["AZ222 1:10 a vector is not `packed`"],
    "K in x : vector out y : vector { y = x + w }": ["AZ201 1:42 `w` is not declared"],
    "K in x : vector out y : vector { y = t t = x }": ["AZ201 1:38 `t` is not declared"],
    "K in x : vector out y, z : vector { y = x }": ["AZ201 1:24 `z` is out, and never assigned"],
    "K in x : vector out y : vector { y = x y = x }": ["AZ203 1:40 `y` is assigned twice"],
    "K in x : vector out y : vector { x = x y = x }": ["AZ203 1:34 `x` is an input"],
    "K in x : vector, x : scalar out y : vector { y = x }": ["AZ203 1:18 `x` is declared twice"],
    "K in A : matrix out B : triangular(upper) matrix { B = A }": ["AZ223 1:56 outside its stored"],
    "K in A, B : matrix out C : symmetric(lower) matrix { C = A*B }": ["AZ223 1:58 symmetric"],
    "K in x : vector out y : vector { y = cos(x) }": ["AZ201 1:38 there is no function `cos`"],
    "K in x : vector out y : vector { y = x + }": ["AZ101 1:42"],
    "K in x out y : vector { y = x }": ["AZ101 1:6 `x` is declared without a type"],
    "K in x : vector out y : vector { y = x": ["AZ101 1:39"],
    "K in x : vector out y : vector { y = -(x /* ) */ }": ["AZ101 1:50 a parenthesis is not closed"],
    "K in x : vector out y : vector { y = x) }": ["AZ101 1:39 unmatched `)`"],
    "in x : vector out y : vector { y = x }": ["AZ101 1:1 the kernel has no name"],
    "K in x, z : vector out y : vector { t = x*z y = t + 1 }": ["AZ221 1:43 as many columns"],
    "": ["AZ101 1:1"],
    "K in int : vector out y : vector { case = int y = case }": ["AZ101 1:6 reserved word", "AZ101 1:36 reserved word"],
    "max in x : vector out y : vector { y = x }": ["AZ101 1:1 `max` is a reserved word"],
    "K in A : band(1,x) matrix, x : vector out y : vector { y = A*x }": ["AZ203 1:6 `x` is a variable and a size"],
    "K in U : upper matrix, L : lower matrix out V : upper matrix { V = U*L }": ["AZ223 1:68 outside its stored"],
    "K in A : band(1,1) matrix out B : band(1,1) matrix { B = A*A }": ["AZ223 1:58 outside its stored"],
}


@pytest.mark.parametrize("text", WRONG)
def test_findings(text: str) -> None:
    with pytest.raises(Rejected) as refused:
        program_text(check_kernel(read_kernel(Source("k.m", text))))
    results = [
        f"{diagnostic.rule.code} {':'.join(map(str, diagnostic.primary.span.position))} {diagnostic.message}"
        for diagnostic in refused.value.diagnostics
    ]
    for expected in WRONG[text]:
        code, _, rest = expected.partition(" ")
        place, _, words = rest.partition(" ")
        assert any(result.startswith(f"{code} {place}") and words in result for result in results), results


@pytest.mark.parametrize(
    ("formula", "help_"),
    [
        ("x*A", "transpose one of them with `'`, or put them in the other order"),
        ("x*x", "with `'` behind the left one it is a scalar, behind the right one a matrix"),
        ("A*x + 1", "a scalar is not added to every element: add a vector of them"),
        ("(A*x)'", "transpose one of them with `'`"),
        ("x'*x", "declare it as that"),
        (
            "A*x/x",
            "formulas do not work element by element; the solution of `A*x = b` is `A \\ b`, "
            "of `x*A = b` it is `(A' \\ b')'`",
        ),
    ],
)
def test_what_is_wrong_is_said_once_with_what_fits(formula: str, help_: str) -> None:
    with pytest.raises(Rejected) as refused:
        check_kernel(read_kernel(Source("k.m", f"K in A : matrix, x : vector out y : vector {{ y = {formula} }}")))
    assert [diagnostic.help for diagnostic in refused.value.diagnostics] == [help_]


SYMMETRIC = (
    "A*A'", "2*A'*A", "A + A'", "A*S*A'", "S - 3*S", "-(x*x')", "a*x*x' + S", "(A'*B')*(B*A)", "S'/a",
    "S + a*x*z' + a*z*x'", "a*(A*B' + B*A')", "(x'*z)*x*x'", "(x*z' - S) + z*x'", "A*(x*x')*A'/a", "S*S",
    "-(2*A) - A'*2",
)  # fmt: skip
NOT_SYMMETRIC = (
    "A*B", "A - A'", "S*S2", "A*A", "x*z'", "A + B'", "A*B*A'", "a*x*z' + 2*z*x'", "S + x*z' - z*x'", "(A + B)*A'",
)  # fmt: skip


@pytest.mark.parametrize("formula", SYMMETRIC)
def test_formulas_that_are_seen_to_be_symmetric(formula: str) -> None:
    assert "double C {i,j | 0<=i<=j<n}" in program_text(check_kernel(read_kernel(Source("k.m", symmetric(formula)))))


@pytest.mark.parametrize("left", ["a", "x"])
def test_a_solution_without_a_matrix_has_one_finding(left: str) -> None:
    with pytest.raises(Rejected) as refused:
        check_kernel(read_kernel(Source("k.m", f"K in a : scalar, x : vector out y : vector {{ y = {left} \\ x }}")))
    assert [finding.rule.code for finding in refused.value.diagnostics] == ["AZ221"]


@pytest.mark.parametrize("formula", NOT_SYMMETRIC)
def test_formulas_that_are_not_symmetric_are_refused(formula: str) -> None:
    with pytest.raises(Rejected, match="AZ223"):
        program_text(check_kernel(read_kernel(Source("k.m", symmetric(formula)))))


def symmetric(formula: str) -> str:
    return (
        "K in A, B : matrix, S, S2 : symmetric(lower) matrix, x, z : vector, a : scalar "
        f"out C : symmetric(upper) matrix, one : scalar {{ C = {formula} one = x'*A*x + x'*B*z + x'*S*z + z'*S2*x }}"
    )


def test_formulas_without_a_header() -> None:
    design = alphaz.matrix("r = b - A*x; s = r'*r", A="row matrix", r="out vector", name="residual")
    (system,) = design.program.systems
    assert (system.name, system.parameters) == ("residual", ("m", "n"))
    assert [v.name for v in system.inputs] == ["A", "b", "x"]
    assert [v.name for v in system.outputs] == ["r", "s"]


@pytest.mark.parametrize(
    ("formulas", "types", "told"),
    [
        ("y = A*(", {"A": "matrix"}, "<formulas>:1:8: AZ101"),
        ("y = A*x", {"A": "row matrx"}, "<A>:1:5: AZ101"),
        ("y = A*x", {"A": "triangular matrix"}, "<A>:1:1: AZ222"),
        ("", {}, "AZ201 the kernel computes nothing"),
    ],
)
def test_wrong_formulas(formulas: str, types: dict[str, str], told: str) -> None:
    with pytest.raises(Rejected, match=re.escape(told)):
        alphaz.matrix(formulas, **types)


OWN = [code for code in codes() if "```matrix" in document(code)]


def _example(code: str, section: str) -> str:
    match = re.search(rf"^### {section}\n.*?^```matrix\n(.*?)^```$", document(code), re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[1]


@pytest.mark.parametrize("code", OWN)
def test_the_wrong_example_fires_exactly_this_rule(code: str) -> None:
    with pytest.raises(Rejected) as refused:
        program_text(check_kernel(read_kernel(Source("k.m", _example(code, "Wrong")))))
    assert {diagnostic.rule.code for diagnostic in refused.value.diagnostics} == {code}


@pytest.mark.parametrize("code", OWN)
def test_the_right_example_fires_nothing(code: str) -> None:
    assert program_text(check_kernel(read_kernel(Source("k.m", _example(code, "Right")))))


def test_the_page_of_matrices_shows_what_is_printed() -> None:
    """Each kernel on the page is followed by its equations."""
    page = (Path(__file__).parents[3] / "docs" / "matrix.md").read_text(encoding="utf-8")
    pairs = re.findall(r"^```matrix\n(.*?)^```$.*?^```alphabets\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(pairs) >= 2
    for kernel, equations in pairs:
        assert program_text(check_kernel(read_kernel(Source("k.m", kernel)))) == equations
