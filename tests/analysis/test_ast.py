"""PrintAST and the numbers of nodes."""

import re

import pytest

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.node_numbers import find_node, sites
from alphaz.analysis.texts.print_ast import print_ast
from alphaz.diagnostics import Rejected, Source
from alphaz.model.expression import Access, Binary, Constant, Expression, Reduce
from tests.cases.corpus import checked, paths

PROGRAM = """affine Example {N | N>1}
input int X {i | 0<=i<N};
output int Y {i | 0<=i<N};
int Z;
let
	Y[i] = X[i] + reduce(max, [j], {| 0<=j<=i}: X[j]*2);
	Z = Y[0];
.
affine Second {|}
output int W;
let W = 1;
.
"""


def example() -> Checked:
    return read_program(Source("example.ab", PROGRAM))


@pytest.mark.parametrize(
    ("number", "kind", "text"),
    [
        ("0,0,0", Binary, "X[i] + reduce(max, [j], {| 0<=j<=i}: X[j]*2)"),
        ("0,0,0,0", Access, "X[i]"),
        ("0,0,0,0,0", Access, "X[i]"),
        ("(0,0,0,1)", Reduce, "reduce(max, [j], {| 0<=j<=i}: X[j]*2)"),
        ("0,0,0,1,0,0", Binary, "X[j]*2"),
        (" ( 0, 0,0,1,0,0,1 ) ", Constant, "2"),
        ("0,0,0,1,0,0,1,0", Constant, "2"),
        ("0,1,0", Access, "Y[0]"),
        ("1,0,0", Constant, "1"),
    ],
)
def test_a_number_finds_its_node(number: str, kind: type[Expression], text: str) -> None:
    result = find_node(example().program, number)
    assert isinstance(result.expression, kind)
    assert result.expression.span.text == text


@pytest.mark.parametrize("number", ["", "0", "0,0", "0,0,1", "0,0,0,0,0,0", "9,0,0", "0,-1,0", "a", "0,,0"])
def test_other_numbers_are_refused(number: str) -> None:
    with pytest.raises(Rejected):
        find_node(example().program, number)


def test_the_tree_counts_the_function_in_front_of_variables_and_constants() -> None:
    program = example()
    lines = print_ast(program.program, program.facts).splitlines()
    at = lines.index("   |   |   |   |   |   |   |   |nodeId = (0,0,0,1,0,0,0)")
    assert lines[at - 3 : at + 6] == [
        "   |   |   |   |   |   |   |_DependenceExpression",
        "   |   |   |   |   |   |   |   |+--expression--{i,j | 0<=j<N && N>=2}",
        "   |   |   |   |   |   |   |   |+--context--{i,j | 0<=j<=i<N && N>=2}",
        "   |   |   |   |   |   |   |   |nodeId = (0,0,0,1,0,0,0)",
        "   |   |   |   |   |   |   |   |+-- (i,j->j)",
        "   |   |   |   |   |   |   |   |_VariableExpression",
        "   |   |   |   |   |   |   |   |   |+--context--{x0 | 0<=x0<N && N>=2}",
        "   |   |   |   |   |   |   |   |   |nodeId = (0,0,0,1,0,0,0,0)",
        "   |   |   |   |   |   |   |   |   |+-- X",
    ]


def test_one_system_keeps_its_numbers() -> None:
    program = example()
    text = print_ast(program.program, program.facts, "Second")
    assert "nodeId = (1,0,0)" in text
    assert "Example" not in text


@pytest.mark.parametrize("path", paths()[::6])
def test_every_number_that_is_printed_finds_a_node(path: str) -> None:
    program = checked(path)
    text = print_ast(program.program, program.facts)
    printed = re.findall(r"nodeId = \(([0-9,]+)\)", text)
    assert len(set(printed)) == len(printed)
    for number in printed:
        if number.count(",") >= 2:
            find_node(program.program, number)
    assert {site.text for site in sites(program.program)} <= set(printed)
