"""C that is another polynomial on paper: with all laws of arithmetic expressions are compared as functions of reals."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import PLAIN, Laws
from alphaz.equivalence.claims import Need
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.expression_matching import Matching
from alphaz.model.types import DOUBLE, FLOAT, INT, ScalarType
from alphaz.poly import Affine, Domain
from alphaz.scop.value_tree import LiteralValue, OperationValue, ReadValue, Tree
from tests.equivalence.asking import ALL_LAWS, peer
from tests.equivalence.asking import verdict as kernel_verdict
from tests.equivalence.test_questions import asked
from tests.thinning import thinned

pytestmark = pytest.mark.slow


def program(equation: str, type_: str = "double", smallest: int = 2) -> str:
    return (
        f"affine s {{N | N>={smallest}}}\ninput\n {type_} A, W {{i | 0<=i<N}};\noutput\n {type_} B {{i | 0<=i<N}};\n"
        f"let\n B[i] = {equation};\n.\n"
    )


def text(expression: str, type_: str = "double") -> str:
    return (
        f"void s(int N, const {type_} *A, const {type_} *W, {type_} *B) "
        f"{{ for (int i = 0; i < N; i++) B[i] = {expression}; }}"
    )


def loop(before: str, body: str) -> str:
    return (
        "void s(int N, const double *A, const double *W, double *B) "
        f"{{ {before}; for (int i = 0; i < N; i++) {{ {body} }} }}"
    )


FIRST = program("case {| i==0} : A[i]; {| i>0} : W[i] * B[i-1] + A[i]; esac")
LEAST = program("W[i] + reduce(min, [k], {| 0<=k<=i} : A[k])")
EACH = "double m = INFINITY; for (int k = 0; k <= i; k++) {{ double x = {}; if (x < m) m = x; }} B[i] = m;"


def least(each: str) -> str:
    return f"#include <math.h>\n{loop('', EACH.format(each))}"


RIGHT = {
    "a factor for all": (program("3.0 * A[i] + 3.0 * W[i]"), text("(A[i] + W[i]) * 3.0")),
    "a divisor for all": (program("A[i] / 9.0 + W[i] * (1.0 / 9.0)"), text("(W[i] + A[i]) / 9.0")),
    "a divisor that is read": (program("(A[i] - 1.0) / W[i]"), text("A[i] / W[i] - 1.0 / W[i]")),
    "in between": (program("(1.0 - W[i]) * A[i] + W[i] * 2.0"), text("A[i] + W[i] * (2.0 - A[i])")),
    "Horner": (program("3.0 + A[i] + 2.0 * A[i] * A[i]"), text("(2.0 * A[i] + 1.0) * A[i] + 3.0")),
    "squares": (program("A[i] * A[i] - W[i] * W[i]"), text("(A[i] - W[i]) * (A[i] + W[i])")),
    "under a root": (
        f"double sqrt(double);\n{program('sqrt(2.0 * (A[i] + W[i])) * A[i]')}",
        f"#include <math.h>\n{text('A[i] * sqrt(2.0 * W[i] + 2.0 * A[i])')}",
    ),
    "the lesser": (program("min(2.0 * (A[i] + 1.0), W[i])"), text("2.0 + 2.0 * A[i] < W[i] ? 2.0 + 2.0 * A[i] : W[i]")),
    "whole numbers": (program("2 * (A[i] - W[i])", "int"), text("2 * A[i] - W[i] * 2", "int")),
    "nothing at first": (FIRST, loop("double y = 0.0", "y = W[i] * y + A[i]; B[i] = y;")),
    "a whole number and its half": (
        program("if A[i] < W[i] then 0.5 * (A[i] + W[i]) else A[i]"),
        text("A[i] < W[i] ? 0.5 * A[i] + W[i] / 2.0 : A[i]"),
    ),
}  # fmt: skip

WRONG = {
    "a summand for the least, of another": (LEAST, least("A[k] + W[k]")),
    "a factor for the least": (LEAST.replace("W[i] +", "W[i] *"), least("A[k] * W[i]")),
    "a factor that is added to the least": (LEAST.replace("W[i] +", "W[i] *"), least("A[k] + W[i]")),
    "a factor for one": (program("3.0 * A[i] + 3.0 * W[i]"), text("A[i] + W[i] * 3.0")),
    "another divisor": (program("A[i] / 9.0 + W[i] * (1.0 / 9.0)"), text("(W[i] + A[i]) / 8.0")),
    "divided the other way round": (program("A[i] / W[i] - 1.0 / W[i]"), text("W[i] / (A[i] - 1.0)")),
    "another sign": (program("A[i] * A[i] - W[i] * W[i]"), text("(A[i] - W[i]) * (A[i] - W[i])")),
    "no square": (program("3.0 + A[i] + 2.0 * A[i] * A[i]"), text("(2.0 * A[i] + 1.0) + A[i] * 3.0")),
    "something at first": (FIRST, loop("double y = 1.0", "y = W[i] * y + A[i]; B[i] = y;")),
    "nothing, always": (FIRST, loop("double y = 0.0", "B[i] = W[i] * y + A[i];")),
    "whole numbers that are halved": (program("A[i] + W[i]", "int"), text("(A[i] / 2 + W[i] / 2) * 2", "int")),
}

OPEN = {
    # In each of them garbage is multiplied by zero, or is taken away from itself: it may be no number.
    "what is nothing times what nobody has written": (
        program("A[i]"),
        loop("double z = 0.0; double t[2]", "B[i] = A[i] + z * t[0];"),
    ),
    "what nobody has written less itself": (program("A[i]"), loop("double t[2]", "B[i] = A[i] + (t[0] - t[0]);")),
    "what may be no number": (program("A[i]"), text("A[i] * (W[i] / W[i])")),
    "roots": (
        f"double sqrt(double);\n{program('A[i]')}",
        f"#include <math.h>\n{text('sqrt(A[i]) * sqrt(A[i])')}",
    ),
    "halves of whole numbers": (program("A[i] / 2 + W[i] / 2", "int"), text("(A[i] + W[i]) / 2", "int")),
    "no number": (
        program("A[i] * 0.0"),
        f"#include <math.h>\n{text('A[i] * (INFINITY - INFINITY)')}",
    ),
    "of another width": (
        program("A[i] + W[i] + A[i]", "long").replace("long A, W", "int A, W"),
        text("A[i] + (W[i] + (long)A[i])", "int").replace("int *B", "long *B"),
    ),
}  # fmt: skip


def verdict(equations: str, kernel: str, *, executes: bool = False, laws: Laws = ALL_LAWS) -> CVerdict:
    task = ProofTask(laws=laws, executes=executes)
    return prove_c(read_program(Source("p.ab", equations)), Source("k.c", kernel), task)


@pytest.mark.parametrize("name", RIGHT)
def test_the_same_polynomial_is_proved_by_all_laws(name: str) -> None:
    found = verdict(*RIGHT[name])
    assert found.is_proved, [finding.message for finding in found.findings]


@pytest.mark.parametrize("name", thinned(RIGHT, 3))
def test_polynomials_are_undecided_under_fewer_laws(name: str) -> None:
    for laws in (PLAIN, Laws(frozenset({"distributivity"})), Laws(ALL_LAWS.allowed, is_exact=True)):
        assert verdict(*RIGHT[name], laws=laws).verdict == "undecided"


def test_what_is_added_to_the_least_may_be_added_to_all() -> None:
    greatest = (
        LEAST.replace("min", "max"),
        least("W[i] + A[k]").replace("INF", "-INF").replace("x < m", "x > m"),
    )
    for equations, kernel in ((LEAST, least("A[k] + W[i]")), greatest):
        assert verdict(equations, kernel, laws=Laws(frozenset({"distributivity"}))).is_proved
        assert verdict(equations, kernel, laws=PLAIN).verdict == "undecided"


@pytest.mark.parametrize("name", thinned(WRONG, 3))
def test_another_polynomial_goes_wrong_when_it_is_executed(name: str) -> None:
    assert verdict(*WRONG[name], executes=True).verdict == "refuted"


@pytest.mark.parametrize("name", OPEN)
def test_what_the_laws_do_not_say_is_undecided(name: str) -> None:
    assert verdict(*OPEN[name]).verdict == "undecided"


@pytest.mark.parametrize("kernel", thinned(["seidel-2d", "deriche", "optimal-search-tree", "heat-3d"], 3))
def test_textbook_loops_that_put_factors_elsewhere(kernel: str) -> None:
    found = kernel_verdict(kernel, peer(kernel))
    assert found.is_proved, found.findings


@pytest.mark.parametrize(
    ("kernel", "old", "new"),
    thinned(
        [
            ("seidel-2d", "B[i - 1][j + 1]", "B[i - 1][j]"),
            ("seidel-2d", "9.0", "8.0"),
            ("optimal-search-tree", "C[r + 1][j]", "C[r][j]"),
            ("optimal-search-tree", "+ W[i][j];", "+ W[i][r];"),
            ("heat-3d", "- 2.0 * from[i][j][k] + from[i - 1]", "- from[i][j][k] + from[i - 1]"),
            ("heat-3d", "0.125 * (from[i + 1]", "0.25 * (from[i + 1]"),
        ],
        4,
    ),
)
def test_mutants_of_them_go_wrong(kernel: str, old: str, new: str) -> None:
    assert old in peer(kernel)
    assert kernel_verdict(kernel, peer(kernel).replace(old, new), executes=True).verdict == "refuted"


@pytest.mark.parametrize(("old", "new"), [("y2 = 0.0, x1 = 0.0;", "y2 = 1.0, x1 = 0.0;"), ("y2 = y1;", "y2 = x1;")])
def test_mutants_of_a_filter_are_not_proved(old: str, new: str) -> None:
    assert old in peer("deriche")
    assert not kernel_verdict("deriche", peer("deriche").replace(old, new)).is_proved


# --- where no run of the program tells what is wrong ------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """The values that reads are claimed to find, as if a run had observed them."""

    numbers: Mapping[int, Fraction] = field(default_factory=dict)
    values: Mapping[int, Need] = field(default_factory=dict)

    def constants(self, where: Domain) -> Mapping[int, Fraction]:
        return self.numbers

    def finding(self, where: Domain, key: str) -> frozenset[int]:
        return frozenset(at for at, number in self.numbers.items() if key == f"={number}")

    def value_at(self, where: Domain, number: int) -> Need | None:
        return self.values.get(number)


POINT = (Affine.name("i"),)
SECOND = Told(values={1: Need(1, "W", POINT)})


def needs(equation: str, tree: Tree, told: Told, type_: ScalarType = DOUBLE) -> list[set[tuple[int, str]]]:
    """The ways in which a tree of A[i] (read 0) and W[i] (read 1) is the value of B[i]: what its reads must find."""
    about = asked(program(equation, type_.name), text("A[i] * W[i]", type_.c_name))
    (statement,) = about.kernel.statements
    matching = Matching(about.values, lambda _, need: need.key == "AW"[need.number], observed=told)
    found = matching.value(tree, "B", POINT, statement.domain)
    return [{(each.number, each.key) for each in way} for _, way in found]


def of(operator: str, *operands: Tree, type_: ScalarType = DOUBLE) -> OperationValue:
    return OperationValue(operator, operands, type_)


def number(value: int, type_: ScalarType = DOUBLE) -> LiteralValue:
    return LiteralValue(Fraction(value), type_)


A, W = ReadValue(0, DOUBLE), ReadValue(1, DOUBLE)
TWICE_BOTH = "2.0 * A[i] + 2.0 * W[i]"


def test_each_product_is_one_of_the_other() -> None:
    twice = of("*", of("+", W, A), number(2))
    assert needs(TWICE_BOTH, twice, Told()) == [{(0, "A"), (1, "W")}]
    assert needs("2.0 * A[i] + 3.0 * W[i]", twice, Told()) == []
    assert needs("2.0 * A[i]", twice, SECOND) == []
    assert needs("2.0 * A[i] + 2.0 * W[i] + 2.0 * A[i] * W[i]", twice, SECOND) == []


def test_what_cancels_out_has_been_written() -> None:
    tree = of("+", of("-", W, W), A)
    assert needs("A[i]", tree, Told()) == []
    assert needs("A[i]", tree, SECOND) == [{(0, "A"), (1, "W")}]


def test_what_is_a_number_has_to_be_that_number() -> None:
    assert needs("A[i]", of("+", A, W), Told(numbers={1: Fraction(0)})) == [{(0, "A"), (1, "=0")}]
    assert needs("A[i]", of("+", A, W), Told(numbers={1: Fraction(1)})) == []


def test_a_polynomial_is_computed_in_one_type() -> None:
    assert needs(TWICE_BOTH, of("*", of("+", W, A, type_=FLOAT), number(2)), Told()) == []
    assert needs(TWICE_BOTH, of("*", of("+", W, A, type_=FLOAT), number(2), type_=FLOAT), Told()) == []


def test_whole_numbers_are_divided_otherwise() -> None:
    a, two = ReadValue(0, INT), number(2, INT)
    halves = of("*", of("/", a, two, type_=INT), two, type_=INT)
    assert needs("A[i]", halves, SECOND, INT) == []
    assert needs("A[i]", of("*", of("/", A, number(2)), number(2)), SECOND) == [{(0, "A")}]


def test_infinity_is_no_number() -> None:
    infinity = LiteralValue("INFINITY", DOUBLE)
    assert needs("A[i]", of("+", A, of("*", of("-", infinity, infinity), A)), Told()) == []


RECIPROCAL = Laws(frozenset({"reciprocal"}))
# Equations, and C that they are equal to by the law of reciprocals.
RECIPROCALS = [
    (program("A[i] / W[i]"), text("A[i] * (1.0 / W[i])")),
    (program("A[i] * (1.0 / W[i])"), text("A[i] / W[i]")),
    (program("A[i] / W[0]"), loop("double inverse = 1 / W[0];", "B[i] = A[i] * inverse;")),
    (program("A[i] / W[i]", "float"), text("A[i] * (1.0f / W[i])", "float")),
    (program("A[i] / W[i] + W[i] / A[i]"), text("W[i] * (1.0 / A[i]) + A[i] / W[i]")),
]
NO_RECIPROCALS = [
    (program("A[i] / W[i]"), text("A[i] * (1.0 / A[i])")),
    (program("A[i] / W[i]"), text("W[i] * (1.0 / A[i])")),
    (program("A[i] / W[i]", "long"), text("A[i] * (1 / W[i])", "long")),
    (program("A[i] / W[i]"), text("A[i] * (1 / (int)W[i])")),
    (program("A[i] / W[i]"), text("A[i] * (1.0f / (float)W[i])")),
    (program("2.0 * A[i] / W[i]"), text("A[i] * (2.0 / W[i]) * 1.5")),
]


@pytest.mark.parametrize(("equations", "kernel"), RECIPROCALS)
def test_a_quotient_is_a_product_with_a_reciprocal(equations: str, kernel: str) -> None:
    assert verdict(equations, kernel, laws=RECIPROCAL).is_proved
    for laws in (PLAIN, Laws(RECIPROCAL.allowed, is_exact=True)):
        assert not verdict(equations, kernel, laws=laws).is_proved


@pytest.mark.parametrize(("equations", "kernel"), NO_RECIPROCALS)
@pytest.mark.parametrize("laws", [RECIPROCAL, ALL_LAWS])
def test_it_is_none_with_another(equations: str, kernel: str, laws: Laws) -> None:
    assert not verdict(equations, kernel, laws=laws).is_proved
