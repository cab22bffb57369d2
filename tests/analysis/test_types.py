"""Types: what C makes of every expression, what has no meaning (AZ204), what may be lost (AZ206)."""

import pytest

from alphaz.model.program import Equation
from alphaz.model.types import BOOL, DOUBLE, FLOAT, INT, LONG, SCALAR_TYPES, ScalarType
from tests.analysis.programs import codes, found, only, read

_DECLARED = (
    "//@ identity f = 0\n"
    "float f(double,double); affine t {N | N>0} input int i1; float f1; double d1; char c1; bool b1; unsigned int u1;"
    " long l1; unsigned char v1; short s1; int A {i | 0<=i<N}; output"
)


def _type_of(expression: str, declared: str = "double") -> ScalarType:
    checked = read(f"{_DECLARED} {declared} X; let X = {expression}; .")
    (equation,) = checked.program.systems[0].equations
    assert isinstance(equation, Equation)
    return checked.facts.types[equation.expression]


@pytest.mark.parametrize(
    ("expression", "type_"),
    [
        ("1", INT),
        ("3000000000", LONG),
        ("0.5", DOUBLE),
        ("true", BOOL),
        ("[N]", LONG),
        ("i1 + c1", INT),
        ("c1 + c1", INT),
        ("-c1", INT),
        ("c1 min c1", SCALAR_TYPES["char"]),
        ("c1 max i1", INT),
        ("i1 * f1", FLOAT),
        ("f1 * 0.5", DOUBLE),
        ("i1 + u1", SCALAR_TYPES["unsigned int"]),
        ("u1 + l1", LONG),
        ("b1 + b1", INT),
        ("i1 < f1", BOOL),
        ("i1 and b1", BOOL),
        ("not i1", BOOL),
        ("if b1 then i1 else d1", DOUBLE),
        ("if b1 then c1 else c1", SCALAR_TYPES["char"]),
        ("case {| N>2}: f1; {| N<=2}: i1; esac", FLOAT),
        ("max(i1, l1, 2)", LONG),
        ("f(i1, d1)", FLOAT),
        ("i1 % u1", SCALAR_TYPES["unsigned int"]),
        ("0 + reduce(+, [k], A[k])", INT),
        ("0 + reduce(or, [k], A[k] > 0)", INT),
        ("1.0 * reduce(f, [k], A[k])", DOUBLE),
    ],
)
def test_types_are_those_of_c(expression: str, type_: ScalarType) -> None:
    assert _type_of(expression) == type_


@pytest.mark.parametrize("declared", ["int", "long", "float", "double"])
def test_a_reduction_that_is_the_value_of_its_variable_has_its_type(declared: str) -> None:
    assert _type_of("reduce(+, [k], A[k])", declared).name == declared
    assert _type_of("case {| N>0}: reduce(max, [k], A[k]); esac", declared).name in (declared, "int")


@pytest.mark.parametrize(
    ("expression", "place"),
    [
        ("f1 % 2", "f1 % 2"),
        ("f1 and b1", "f1"),
        ("not d1", "d1"),
        ("if f1 then 1 else 2", "f1"),
        ("reduce(or, [k], {| 0<=k<N}: f1)", "{| 0<=k<N}: f1"),
    ],
)
def test_an_operator_without_meaning_is_an_error_at_its_operand(expression: str, place: str) -> None:
    diagnostic = only(_used(f"{_DECLARED} double X; let X = {expression}; ."))
    assert (diagnostic.rule.code, diagnostic.primary.span.text) == ("AZ204", place)


@pytest.mark.parametrize(
    ("declared", "expression", "lossy"),
    [
        ("int", "f1", True),
        ("int", "0.5", True),
        ("int", "l1", True),
        ("char", "i1", True),
        ("float", "d1", True),
        ("float", "f1 * 0.333", False),
        ("float", "0.5", False),
        ("float", "i1", False),
        ("int", "[N]", False),
        ("int", "i1 + [N]", False),
        ("char", "c1 + c1", True),
        ("unsigned char", "v1 - v1", True),
        ("char", "-(v1 + v1)", True),
        ("short", "s1 + s1", True),
        ("int", "s1 + s1", False),
        ("float", "c1 + c1", False),
        ("char", "c1 + 1", False),
        ("char", "c1 + [N]", False),
        ("char", "-c1", False),
        ("char", "v1", True),
        ("char", "max(v1, v1)", True),
        ("char", "reduce(max, [k], {| 0<=k<N}: v1)", True),
        ("int", "u1", True),
        ("long", "u1", False),
        ("short", "v1", False),
        ("unsigned char", "c1", True),
        ("unsigned char", "v1 / 2", False),
        ("char", "c1 * c1", True),
        ("unsigned char", "2 * c1", True),
        ("int", "c1 * c1", False),
        ("float", "f1 * f1", False),
        ("char", "case {| N>1}: 1 + c1 * c1; {| N==1}: c1; esac", True),
        ("char", "reduce(+, [k], {| 0<=k<N}: c1)", True),
        ("short", "reduce(*, [k], {| 0<=k<N}: c1 * c1)", True),
        ("char", "reduce(+, [k], {| 0<=k<N}: i1)", True),
        ("char", "reduce(+, [k], {| 0<=k<N}: 2)", True),
        ("char", "1 + reduce(+, [k], {| 0<=k<N}: [k])", True),
        ("char", "reduce(max, [k], {| 0<=k<N}: c1)", False),
        ("int", "reduce(+, [k], {| 0<=k<N}: [k])", False),
        ("float", "reduce(+, [k], {| 0<=k<N}: 0.5)", False),
        ("long", "i1", False),
        ("int", "reduce(+, [k], 0.5 * A[k])", True),
        ("float", "reduce(+, [k], 0.5 * A[k])", False),
        ("double", "f(d1, d1)", False),
        ("bool", "i1 < 3", False),
        ("unsigned int", "i1", True),
        ("unsigned int", "v1", False),
        ("unsigned int", "-1", True),
        ("unsigned int", "3 - 1", False),
        ("unsigned int", "[N-1]", False),
        ("unsigned int", "[N-2]", True),
        ("unsigned int", "[N] - 1", False),
        ("unsigned int", "-[N]", True),
        ("unsigned int", "v1 - 1", True),
        ("unsigned int", "max(i1, 0)", False),
        ("unsigned int", "min(i1, 0)", True),
        ("unsigned int", "i1 < 0", False),
        ("unsigned int", "case {| N>2}: i1; {| N<=2}: 0; esac", True),
        ("unsigned int", "if b1 then 1 else c1", True),
        ("unsigned int", "reduce(+, [k], {| 0<=k<N}: A[k])", True),
        ("unsigned int", "reduce(+, [k], {| 0<=k<N}: [k])", False),
        ("unsigned int", "reduce(max, [k], {| 0<=k<N}: [k-1])", True),
        ("unsigned int", "u1 + [N]", False),
        ("unsigned int", "-u1", False),
        ("unsigned int", "u1 - i1", False),
        ("unsigned int", "u1 / i1", True),
        ("bool", "i1 < u1", True),
        ("bool", "3 < u1", False),
        ("bool", "i1 == v1", False),
        ("int", "i1 % v1", False),
        ("bool", "-u1", False),
        ("long", "-u1", True),
        ("long", "u1 - 1", True),
        ("long", "u1 + 1", False),
        ("long", "u1 + i1", True),
        ("unsigned long", "-u1", True),
        ("double", "-u1", True),
        ("double", "d1 * -u1", True),
        ("long", "l1 + (1 - u1)", True),
        ("long", "l1 + u1", False),
        ("long", "reduce(+, [k], {| 0<=k<N}: -u1)", True),
        ("int", "-v1", False),
    ],
)
def test_what_may_be_lost_is_a_warning(declared: str, expression: str, lossy: bool) -> None:
    result = codes(_used(f"{_DECLARED} {declared} X; let X = {expression}; ."))
    assert result == (["AZ206"] if lossy else [])


def _used(text: str) -> str:
    """The same program with an output that reads every input, so that none is unused."""
    everything = "i1 + f1 + d1 + c1 + b1 + u1 + l1 + v1 + s1 + A[0] + 0.0"
    return text.replace("; let", "; double All; let").removesuffix(".") + f" All = {everything}; ."


def test_only_integers_are_unsigned() -> None:
    wrong = found(
        "unsigned bool f(unsigned float); affine p {N | N>=1} input unsigned double a, b; output double y;"
        " let y = a + b + f(a); ."
    )
    assert [(item.rule.code, item.primary.span.text) for item in wrong] == [
        ("AZ204", "unsigned bool"),
        ("AZ204", "unsigned float"),
        ("AZ204", "unsigned double"),
    ]
    assert wrong[-1].help == "write `double`"


def test_an_output_of_a_call_is_not_put_into_the_signed_type_of_its_width() -> None:
    text = (
        "affine f {N | N>0} input unsigned char a; output unsigned char b; let b = a; . "
        "affine g {N | N>0} input unsigned char a; output char y; char z; let use f[N] (a) returns (y); z = 1; ."
    )
    assert codes(text) == ["AZ206"]


def test_a_signed_output_of_a_call_is_not_put_into_an_unsigned_variable() -> None:
    text = (
        "affine f {N | N>0} input char a; output char b; let b = a; . "
        "affine g {N | N>0} input char a; output int y; unsigned short z; let use f[N] (a) returns (z); y = z; ."
    )
    assert codes(text) == ["AZ206"]


@pytest.mark.parametrize(
    ("declared", "expression", "message"),
    [
        (
            "unsigned int",
            "c1",
            "a value of type char that may be negative is converted to unsigned int, the type of `X`",
        ),
        (
            "long",
            "-u1",
            "a value that may be negative wraps around in unsigned int, and is converted to long, the type of `X`",
        ),
    ],
)
def test_a_lost_sign_is_explained(declared: str, expression: str, message: str) -> None:
    (warning,) = found(_used(f"{_DECLARED} {declared} X; let X = {expression}; ."))
    assert (warning.message, warning.primary.span.text) == (message, expression)
