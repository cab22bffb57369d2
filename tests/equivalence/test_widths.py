"""Products in parentheses of their own: a narrower type wraps around, or rounds, before the wider product is made."""

import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.driver.prove_c import CVerdict, prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.value_graph import LAWS
from tests.thinning import thinned

pytestmark = pytest.mark.slow

EVERY = [
    Laws(),
    Laws(is_exact=True),
    Laws(frozenset({"associativity"})),
    Laws(frozenset({"distributivity"})),
    Laws(frozenset(LAWS)),
]


def named(laws: Laws) -> str:
    return "exact" if laws.is_exact else "+".join(sorted(laws.allowed)) or "none"


REGROUPING = [each for each in EVERY if "associativity" in each.allowed]


def program(equation: str, narrow: str, wide: str, smallest: int = 1) -> str:
    """`X`, `Y` and `Z` are the inputs in the wider type."""
    return (
        f"affine s {{N | N>={smallest}}}\ninput\n {narrow} x, y, z {{i | 0<=i<N}};\n"
        f"output\n {wide} c {{i | 0<=i<N}};\nlocal\n {wide} X, Y, Z {{i | 0<=i<N}};\n"
        f"let\n X[i] = x[i];\n Y[i] = y[i];\n Z[i] = z[i];\n c[i] = {equation};\n.\n"
    )


def kernel(body: str, narrow: str, wide: str) -> str:
    head = f"void s(int n, const {narrow} *x, const {narrow} *y, const {narrow} *z, {wide} *c)"
    return f"{head}\n{{\n    for (int i = 0; i < n; i++) {{\n        {body}\n    }}\n}}\n"


def proved(equation: str, body: str, narrow: str, wide: str, laws: Laws, *, executes: bool = False) -> CVerdict:
    checked = read_program(Source("s.ab", program(equation, narrow, wide)))
    return prove_c(checked, Source("s.c", kernel(body, narrow, wide)), ProofTask(laws=laws, executes=executes))


PRODUCT = "X[i] * Y[i] * Z[i]"
# What is computed in the narrower type first.
NARROWED = [
    (PRODUCT, "c[i] = x[i] * (y[i] * z[i]) * 1L;", "int", "long"),
    (PRODUCT, "c[i] = (x[i] * y[i]) * (long)z[i];", "int", "long"),
    (PRODUCT, "int p = z[i] * x[i]; c[i] = (long)y[i] * p;", "int", "long"),
    (PRODUCT, "unsigned p = z[i] * x[i]; c[i] = (long)y[i] * p;", "int", "long"),
    (PRODUCT, "short p = z[i] * x[i]; c[i] = (long)y[i] * p;", "short", "long"),
    (PRODUCT, "c[i] = (unsigned short)(z[i] * x[i]) * (long)y[i];", "unsigned short", "long"),
    (PRODUCT, "c[i] = (double)z[i] * (x[i] * y[i]);", "float", "double"),
    (PRODUCT, "float p = x[i] * y[i]; c[i] = (double)z[i] * p;", "float", "double"),
    ("X[i] * Y[i] * Z[i] * 3", "c[i] = 3L * z[i] * (x[i] * y[i]);", "int", "long"),
    ("X[i] * Y[i] * Z[i] + X[i]", "c[i] = (long)z[i] * (x[i] * y[i]) + x[i];", "int", "long"),
    ("X[i] * (Y[i] + Z[i])", "c[i] = (long)x[i] * (y[i] + z[i]);", "int", "long"),
]
# The other way round: the equations wrap around, or round, before.
WIDENED = [
    ("X[i] * (y[i] * z[i])", "c[i] = (long)x[i] * y[i] * z[i];", "int", "long"),
    ("X[i] * (y[i] * z[i])", "c[i] = (double)x[i] * y[i] * z[i];", "float", "double"),
]
KEPT = [
    (PRODUCT, "c[i] = (long)z[i] * ((long)y[i] * x[i]);", "int", "long"),
    (PRODUCT, "long p = (long)y[i] * x[i]; c[i] = z[i] * p;", "int", "long"),
    (PRODUCT, "c[i] = z[i] * ((double)y[i] * x[i]);", "float", "double"),
    ("X[i] * (y[i] * z[i])", "c[i] = (y[i] * z[i]) * (long)x[i];", "int", "long"),
    ("x[i] * y[i] * z[i]", "c[i] = z[i] * (y[i] * x[i]);", "int", "long"),
]


@pytest.mark.parametrize("laws", EVERY, ids=named)
@pytest.mark.parametrize("case", thinned([(case,) for case in (*NARROWED, *WIDENED)], 8), ids=lambda case: case[1])
def test_a_product_of_another_width_is_not_proved(case: tuple[str, str, str, str], laws: Laws) -> None:
    assert not proved(*case, laws).is_proved


@pytest.mark.parametrize("laws", REGROUPING, ids=named)
@pytest.mark.parametrize("case", KEPT, ids=lambda case: case[1])
def test_products_of_one_width_are_regrouped(case: tuple[str, str, str, str], laws: Laws) -> None:
    found = proved(*case, laws)
    assert found.is_proved, [finding.message for finding in found.findings]


@pytest.mark.parametrize("laws", [Laws(), Laws(frozenset(LAWS))], ids=named)
@pytest.mark.parametrize("case", thinned([(case,) for case in NARROWED], 8), ids=[case[1] for case in NARROWED])
def test_it_is_refuted_by_large_values(case: tuple[str, str, str, str], laws: Laws) -> None:
    found = proved(*case, laws, executes=True)
    assert found.verdict == "refuted", found.findings


# Right where nothing overflows, and not proved: what overflows in the equations, or cancels out, is no witness.
RIGHT = [
    ("(x[i] + y[i]) / 2", "c[i] = x[i] / 2 + y[i] / 2 + (x[i] % 2 + y[i] % 2) / 2;", "unsigned int", "unsigned int"),
    ("x[i] + min(y[i], z[i])", "c[i] = y[i] + x[i] < z[i] + x[i] ? y[i] + x[i] : z[i] + x[i];", "int", "int"),
    ("X[i] + Y[i] - X[i] + Z[i]", "c[i] = z[i] + (y[i] + (x[i] - x[i]));", "double", "double"),
    ("X[i] * Y[i] * Z[i] / 3.0", "c[i] = z[i] * (y[i] * (x[i] / 3.0));", "double", "double"),
    ("x[i] / (y[i] * y[i] / y[i])", "int t = y[i] * y[i] / y[i]; c[i] = x[i] / (t + 1 - 1);", "int", "int"),
    ("x[i] * (y[i] + z[i])", "c[i] = x[i] * y[i] + x[i] * z[i];", "float", "float"),
    ("x[i] * (y[i] + z[i])", "c[i] = (double)x[i] * y[i] + (double)x[i] * z[i];", "float", "float"),
]


@pytest.mark.parametrize("case", thinned([(case,) for case in RIGHT], 4), ids=lambda case: case[1])
def test_what_may_be_right_is_not_refuted(case: tuple[str, str, str, str]) -> None:
    assert proved(*case, Laws(), executes=True).verdict == "undecided"
