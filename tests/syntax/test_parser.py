"""Texts and the trees that they say: every construct of the language once, in the ways in which it is written."""

import pytest

from alphaz.diagnostics import Source, Span
from alphaz.syntax import tree
from alphaz.syntax.parser import parse_domain, parse_expression, parse_function, parse_function_at, parse_program
from alphaz.syntax.printer import print_domain, print_expression, print_function, print_program
from alphaz.syntax.tree import Name, Term
from tests.thinning import thinned

FORWARD = """
// x = L \\ b, by rows. Größe: N×N
affine FS_reduce {N|N-2>= 0}
given
float L {i,k| 0<=k<i<N };
float b {i| 0<=i<N };
returns
float x {i| 0<=i<N };
using
through
x[i] = case
{|i== 0} : b[i];
{|i>0} : (b[i] - reduce(+, (i,k->i), L[i,k] * x[k]));
esac;
.
"""

CHAIN = """affine MCM {N| N-2>= 0}
input unsigned int A {i| N-i>= 0 && i>= 0};
output unsigned int min_cost {|};
local unsigned int M {i,j| 1<=i<=j<=N};
let
M[i,j] = case
    {| j==i} : 0;
    {| j>i} : reduce(min, [k], {| i<=k<j} : M[i,k] + M[k+1,j] + A[i-1] * A[k] * A[j]);
  esac;
min_cost[] = M[1,N];
.
"""


def expression(text: str) -> tree.ExpressionNode:
    return parse_expression(Source("<e>", text))


def domain(text: str) -> tree.DomainText:
    return parse_domain(Source("<d>", text))


def program(text: str) -> tree.ProgramText:
    return parse_program(Source("<p>", text))


def affine(*terms: tuple[int, str | None]) -> tree.AffineText:
    return tree.AffineText(tuple(Term(*term) for term in terms))


def reference(name: str) -> tree.Reference:
    return tree.Reference(Name(name))


# --- programs ------------------------------------------------------------------------------------------------------


def test_forward_substitution() -> None:
    (system,) = program(FORWARD).systems
    assert system.name == Name("FS_reduce")
    assert system.given
    assert [input_.names for input_ in system.inputs] == [(Name("L"),), (Name("b"),)]
    assert (system.locals, system.loop) == ((), None)
    (equation,) = system.equations
    assert isinstance(equation, tree.EquationText)
    assert equation.indices == (Name("i"),)
    assert isinstance(equation.body, tree.CaseExpression)
    restricted = equation.body.branches[1]
    assert isinstance(restricted, tree.RestrictExpression)
    assert restricted.domain.polyhedra[0].names == ()
    difference = restricted.body
    assert isinstance(difference, tree.BinaryExpression)
    assert isinstance(difference.right, tree.ReduceExpression)
    assert difference.right.projection == parse_function(Source("", "( i , k -> i )"))


def test_forward_substitution_is_printed_as_people_write_it() -> None:
    assert (
        print_program(program(FORWARD))
        == """affine FS_reduce {N | N-2>=0}
given
    float L {i,k | 0<=k<i<N};
    float b {i | 0<=i<N};
returns
    float x {i | 0<=i<N};
through
    x[i] = case
        {| i==0}: b[i];
        {| i>0}: b[i] - reduce(+, (i,k->i), L[i,k] * x[k]);
    esac;
.
"""
    )


def test_the_other_family_of_words() -> None:
    (system,) = program(CHAIN).systems
    assert not system.given
    assert system.outputs[0] == tree.Declaration(tree.TypeName("unsigned int"), (Name("min_cost"),), domain("{|}"))
    assert isinstance(system.equations[1], tree.EquationText)
    assert system.equations[1].indices == ()


@pytest.mark.parametrize("text", [FORWARD, CHAIN])
def test_windows_line_ends_a_byte_order_mark_and_tabs_change_nothing(text: str) -> None:
    assert program("\ufeff" + text.replace("\n", "\r\n").replace("  ", "\t")) == program(text)


@pytest.mark.parametrize("name", ["f", "2mm", "jacobi-1d", "3-4d", "a--b", "a-1-b", "2x3y"])
def test_names_of_systems(name: str) -> None:
    assert program(f"affine {name} {{|}} .").systems[0].name == Name(name)


def test_a_reserved_word_takes_a_hat() -> None:
    (system,) = program("affine ^let-1d {^max|^max>0} input int ^if; let ^if[^or] = ^max[2^or]; .").systems
    assert system.name == Name("let-1d")
    assert system.inputs[0].names == (Name("if"),)
    assert system.equations[0] == tree.EquationText(
        Name("if"), (Name("or"),), tree.Reference(Name("max"), (affine((2, "or")),))
    )
    assert "affine ^let-1d {^max | ^max>0}" in print_program(tree.ProgramText((), (system,)))


def test_externals() -> None:
    externals = program("double f(,double); unsigned longlong g ( ) ; bool h(int,char);affine s {|}.").externals
    double = tree.TypeName("double")
    assert externals == (
        tree.ExternalNode(double, Name("f"), (None, double)),
        tree.ExternalNode(tree.TypeName("unsigned longlong"), Name("g"), ()),
        tree.ExternalNode(tree.TypeName("bool"), Name("h"), (tree.TypeName("int"), tree.TypeName("char"))),
    )


def test_declarations() -> None:
    (system,) = program("affine s {N|} input float a,b; long longish {i|} || {i|i>3}; output local let .").systems
    scalars, union = system.inputs
    assert scalars == tree.Declaration(tree.TypeName("float"), (Name("a"), Name("b")))
    assert union.names == (Name("longish"),)
    assert union.domain == domain("{i|}||{i|i>3}")
    assert (system.outputs, system.given) == ((), False)


@pytest.mark.parametrize("text", ["affine s {|} through .", "affine s {|} given using.", "affine s {|}returns ."])
def test_an_empty_section_tells_the_family(text: str) -> None:
    result = program(text)
    assert result.systems[0].given
    assert program(print_program(result)) == result


def test_use_equations() -> None:
    text = "affine s {N|} let use {e|0<=e<N} 2mm[N-1,2](a, b+1) returns (p,q); use t[]() returns (r); ."
    full, bare = program(text).systems[0].equations
    assert full == tree.UseText(
        domain("{e|0<=e<N}"),
        Name("2mm"),
        (affine((1, "N"), (-1, None)), affine((2, None))),
        (reference("a"), expression("b+1")),
        (Name("p"), Name("q")),
    )
    assert bare == tree.UseText(None, Name("t"), (), (), (Name("r"),))


def test_while() -> None:
    (system,) = program("affine s {N|} over {t|t>=0} while x[t] > 1. let x[t]=0;.".replace("1. ", "1 ")).systems
    assert system.loop == tree.WhileText(domain("{t|t>=0}"), expression("x[t] > 1"))


def test_the_full_stop_may_touch_a_number() -> None:
    (system,) = program("affine s {N|} over {t|t>=0} while x[t] > 1.").systems
    assert system.loop == tree.WhileText(domain("{t|t>=0}"), expression("x[t] > 1"))


def test_several_systems_and_comments() -> None:
    text = "/* a **/ affine s {|} . // b\n/*/ c */affine t {|}./**/"
    assert [system.name.text for system in program(text).systems] == ["s", "t"]


# --- domains and functions -----------------------------------------------------------------------------------------


def test_chains_and_lists() -> None:
    (polyhedron,) = domain("{i,j| 0<=(i,-j)<2N-1 && i,2j != 3}").polyhedra
    first, second = polyhedron.constraints
    assert first.operators == ("<=", "<")
    assert first.sides == (
        tree.Side((affine((0, None)),)),
        tree.Side((affine((1, "i")), affine((-1, "j"))), True),
        tree.Side((affine((2, "N"), (-1, None)),)),
    )
    assert second.sides[0] == tree.Side((affine((1, "i")), affine((2, "j"))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2k", affine((2, "k"))),
        ("2 3 k", affine((6, "k"))),
        ("2 3", affine((6, None))),
        ("-i - -j + 1", affine((-1, "i"), (1, "j"), (1, None))),
        ("0i+-2", affine((0, "i"), (-2, None))),
        ("007", affine((7, None))),
    ],
)
def test_affine_expressions(text: str, expected: tree.AffineText) -> None:
    assert parse_function(Source("", f"(k->{text})")).outputs == (expected,)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("( -> )", "(->)"),
        ("(i,j,k -> j-i,i,k)", "(i,j,k->j-i,i,k)"),
        ("(->N-1,1, N+1)", "(->N-1,1,N+1)"),
        ("(i->-1i, 1i, -0)", "(i->-i,i,0)"),
    ],
)
def test_functions(text: str, printed: str) -> None:
    assert print_function(parse_function(Source("", text))) == printed


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("{|}", "{|}"),
        ("{N|N-2>= 0}", "{N | N-2>=0}"),
        ("{ i , j | }||{i,j|i==j&&0<=(i,j)<N}", "{i,j|} || {i,j | i==j && 0<=(i,j)<N}"),
        ("{|i>0}", "{| i>0}"),
    ],
)
def test_domains(text: str, printed: str) -> None:
    assert print_domain(domain(text)) == printed


def test_a_map_in_a_string_points_into_its_script() -> None:
    source = Source("<s>", 'set(p, "(i,j -> i+j)");')
    start, end = source.text.index("(i"), source.text.index('")')
    function = parse_function_at(Span(source, start, end))
    assert function.span.text == "(i,j -> i+j)"
    assert function.outputs[0].span.text == "i+j"
    assert function.outputs[0].span.position == (1, 17)


# --- expressions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a - b - c", "(a - b) - c"),
        ("a + b % c * d min e", "a + (b % (c * (d min e)))"),
        ("a max b * c", "(a max b) * c"),
        ("-a min b", "(-a) min b"),
        ("a % b % c / d", "(a % b) % (c / d)"),
        ("not a and b or c xor d", "(((not a) and b) or c) xor d"),
        ("a nand b and c", "(a nand b) and c"),
        ("a < b == c", "(a < b) == c"),
        ("a < b and c + 1 > d", "(a < b) and ((c + 1) > d)"),
        ("-(i->i)@A", "-((i->i)@A)"),
        ("(i->i)@(j->j)@A[i]", "(i->i)@((j->j)@A[i])"),
        ("{|i>0}: a + b", "{|i>0}: (a + b)"),
        ("if a then b else c + d", "if a then b else (c + d)"),
        ("if a then if b then c else d else e", "if a then (if b then c else d) else e"),
        ("{|i>0}: {|j>0}: if a then b else c", "{|i>0}: ({|j>0}: (if a then b else c))"),
        ("a + max(b, c) * +(d, e)", "a + (max(b, c) * (+(d, e)))"),
    ],
)
def test_precedence(text: str, grouped: str) -> None:
    assert expression(text) == expression(grouped)
    assert print_expression(expression(grouped)) == print_expression(expression(text))
    assert print_expression(expression(grouped)).count("(") == text.count("(")


@pytest.mark.parametrize("text", ["(a - b) * c", "a - (b - c)", "-(-a)", "(if a then b else c) + 1", "(a * b) min c"])
def test_parentheses_that_are_needed_are_printed(text: str) -> None:
    assert print_expression(expression(text)) == text


def test_leaves() -> None:
    assert expression("1.50") == tree.RealLiteral("1.50")
    assert expression("010") == tree.IntegerLiteral(10)
    assert expression("0" * 5000 + "7") == tree.IntegerLiteral(7)
    assert expression("true") == tree.BooleanLiteral(True)
    assert expression("V") == tree.Reference(Name("V"))
    assert expression("V[]") == tree.Reference(Name("V"), ())
    assert expression("[i+1]") == tree.IndexExpression(affine((1, "i"), (1, None)))
    assert expression("val( i,j -> i)") == tree.ValExpression((Name("i"), Name("j")), affine((1, "i")))
    assert expression("val[i]") == tree.Reference(Name("val"), (affine((1, "i")),))
    assert expression("f()") == tree.FunctionCall(Name("f"), ())


def test_a_call_of_a_function_named_val_is_not_an_index_value() -> None:
    call = tree.FunctionCall(Name("val"), (reference("a"),))
    assert expression(print_expression(call)) == call
    declared = tree.ProgramText(
        (tree.ExternalNode(tree.TypeName("int"), Name("val"), ()),), program("affine s {|}.").systems
    )
    assert program(print_program(declared)) == declared


@pytest.mark.parametrize("operator", ["+", "*", "min", "max", "and", "or", "xor", "combine"])
def test_reductions(operator: str) -> None:
    result = expression(f"reduce ({operator} , [k,l], A[k,l])")
    assert result == tree.ReduceExpression(
        operator, (Name("k"), Name("l")), tree.Reference(Name("A"), (affine((1, "k")), affine((1, "l"))))
    )


def test_spans_take_their_parentheses_along() -> None:
    result = expression(" (a + b) * c ")
    assert isinstance(result, tree.BinaryExpression)
    assert result.span.text == "(a + b) * c"
    assert result.left.span.text == "(a + b)"


# --- depth ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    thinned(
        [
            " + ".join(["a"] * 5000),
            "(" * 300 + "a" + ")" * 300,
            "-(" * 1500 + "a" + ")" * 1500,
            "(i->i)@" * 1500 + "a",
            "case " * 300 + "a; " + "esac; " * 299 + "esac",
            "max(" * 1500 + "a" + ", b)" * 1500,
            "if a then b else " * 1500 + "c",
        ],
        4,
    ),
)
def test_depth_is_no_limit(text: str) -> None:
    printed = print_expression(expression(text))
    assert print_expression(expression(printed)) == printed
    assert printed.split() != []


def test_a_long_sum_is_broken_into_lines() -> None:
    printed = print_expression(expression(" + ".join(["abcdefg"] * 100)))
    assert max(len(line) for line in printed.split("\n")) <= 100
    assert printed.split("\n")[1].startswith("    + abcdefg")
