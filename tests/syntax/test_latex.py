"""Programs as mathematics: what is set, and that it is well formed."""

import re
from pathlib import Path

import pytest

from alphaz.diagnostics import Source
from alphaz.syntax.latex import expression_latex, program_latex
from alphaz.syntax.parser import parse_expression, parse_program

PROGRAMS = sorted((Path(__file__).parents[2] / "samples").rglob("*.ab"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A[i-1,2k]", "A_{i-1,2k}"),
        ("SR_M[i]", r"\mathit{SR\_M}_{i}"),
        ("r", "r"),
        ("a * (b + c)", r"a \cdot \left(b + c\right)"),
        ("(a + b) / (c - 1)", r"\dfrac{a + b}{c - 1}"),
        ("a / b * c", r"\dfrac{a}{b} \cdot c"),
        ("a min b + c", r"\min\left(a, b\right) + c"),
        ("max(a, b, c)", r"\max\left(a, b, c\right)"),
        ("+(a, b - c)", r"\left(a + \left(b - c\right)\right)"),
        ("-a", "-a"),
        ("not (a and b)", r"\lnot \left(a \land b\right)"),
        ("a <= b xor true", r"a \leq b \oplus \text{true}"),
        ("a % b", r"a \bmod b"),
        ("f(a, 2.5)", r"\operatorname{f}\left(a, 2.5\right)"),
        ("[i+1]", "i+1"),
        ("val(i -> N-i)", r"\left(i \mapsto N-i\right)"),
        ("(i -> i-1)@A", r"A \circ \left(i \mapsto i-1\right)"),
        ("if a > 0 then b else c", r"\begin{cases} b & \text{if } a > 0 \\ c & \text{otherwise} \end{cases}"),
        (
            "case {| 0<=i<N}: a; b; esac",
            r"\begin{cases} a & \text{if } 0 \leq i < N \\ b & \text{where defined} \end{cases}",
        ),
        ("{| i==0} || {| i>0 && j!=i}: a", r"\left.a\right|_{i = 0 \lor i > 0 \land j \neq i}"),
        ("{| 0<=(i,j)<N}: a", r"\left.a\right|_{0 \leq (i,j) < N}"),
        ("reduce(+, [k], A[k])", r"\sum\limits_{k} A_{k}"),
        (
            "reduce(max, [k], {| 0<=k<=i}: A[k] + 1)",
            r"\max\limits_{\substack{k \\ 0 \leq k \leq i}} \left(A_{k} + 1\right)",
        ),
        ("reduce(f, (i,j -> i), A)", r"\operatorname*{f}\limits_{\left(i, j \mapsto i\right)} A"),
        ("b - reduce(+, [k], A[k])", r"b - \sum\limits_{k} A_{k}"),
        ("reduce(+, [k], A[k]) * b", r"\left(\sum\limits_{k} A_{k}\right) \cdot b"),
        ("b + reduce(*, [k], A[k]) + c", r"\left(b + \prod\limits_{k} A_{k}\right) + c"),
        ("b * reduce(+, [k], A[k])", r"b \cdot \left(\sum\limits_{k} A_{k}\right)"),
    ],
)
def test_expressions(text: str, expected: str) -> None:
    assert expression_latex(parse_expression(Source("e", text))) == expected


def test_a_program() -> None:
    text = """
        affine dot {N | N>0} input int a {i | 0<=i<N}; output unsigned int r; let r[] = reduce(+, [i], a[i]); .
        affine rows {N,M | (N,M)>0}
        given int A {i,j | 0<=i<M && 0<=j<N}; returns int R {i | 0<=i<M};
        through use {i | 0<=i<M} dot[N](A) returns (R); .
    """
    rows = [
        r"& \textbf{dot} \quad \left\{N \mid N > 0\right\}",
        r"& \text{input } a : \left\{i \mid 0 \leq i < N\right\} \to \mathtt{int}",
        r"& \text{output } r : \mathtt{unsigned~int}",
        r"& r = \sum\limits_{i} a_{i}",
    ]
    more = [
        r"& \textbf{rows} \quad \left\{(N, M) \mid (N,M) > 0\right\}",
        r"& \text{input } A : \left\{(i, j) \mid 0 \leq i < M \land 0 \leq j < N\right\} \to \mathtt{int}",
        r"& \text{output } R : \left\{i \mid 0 \leq i < M\right\} \to \mathtt{int}",
        r"& \left(R\right) = \textbf{dot}_{N}\left(A\right) \qquad \left\{i \mid 0 \leq i < M\right\}",
    ]
    systems = r" \\[1.5ex] ".join(r" \\ ".join(item) for item in (rows, more))
    assert program_latex(parse_program(Source("p", text))) == rf"$$\begin{{aligned}} {systems} \end{{aligned}}$$"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_what_is_opened_is_closed(path: Path) -> None:
    opened: list[str] = []
    text = program_latex(parse_program(Source(path.name, path.read_text(encoding="utf-8"))))
    for token in re.finditer(r"\\(begin|end)\{(\w+)\}|\\(left|right)\b|(?<!\\)([{}])", text):
        environment, name, side, brace = token.groups()
        mark = name or ("delimiter" if side else "brace")
        if environment == "begin" or side == "left" or brace == "{":
            opened.append(mark)
        else:
            assert opened.pop() == mark
    assert not opened
