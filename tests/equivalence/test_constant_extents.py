"""Arrays whose extents are constants: a run of the model looks at the elements that the C accesses."""

import pytest

from alphaz.diagnostics import Source
from alphaz.equivalence.argument_layout import ArgumentPlace
from alphaz.equivalence.driver.equations_from_c import ImportedOrder, from_c
from alphaz.equivalence.symbolic_run import elements
from alphaz.equivalence.value_graph import EquationValue
from alphaz.mapping.storage_formats import index
from alphaz.model.types import DOUBLE
from alphaz.poly import Affine, Domain, Space, at_least, less

PROVED = {
    "updated": "void f(int n, double m[90000][90000])\n{ for (int i = 0; i < n; i++) m[i][2*i] = 2 * m[i][2*i]; }",
    "corners": """void f(int n, const double x[n], double m[40000][40000]) {
  for (int i = 0; i < n; i++) m[39999][i] = m[0][39999 - i] + x[i];
}""",
    "a product": """void f(int n, double C[8000][9000], const double A[8000][7000], const double B[7000][9000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}""",
    "a local array": """void f(int n, const double x[n], double y[n]) {
  double t[50000];
  for (int i = 0; i < n; i++) t[i] = 2 * x[i];
  for (int i = 0; i < n; i++) y[i] = t[i] + 1;
}""",
}


@pytest.mark.parametrize("name", PROVED)
def test_code_on_a_part_of_a_large_array_is_proved(name: str) -> None:
    found = from_c(Source("f.c", PROVED[name]), ImportedOrder(executes=False))
    assert found.verdict.verdict == "proved"


def test_loops_that_are_too_long_for_a_run_are_undecided_soon() -> None:
    text = """void f(double m[30000][30000], double z[30000][30000]) {
  for (int i = 0; i < 30000; i++) for (int j = 0; j < 30000; j++) { m[i][j] = 2 * m[i][j]; z[i][j] = 0; }
}"""
    found = from_c(Source("f.c", text), ImportedOrder(executes=False))
    assert found.verdict.verdict in ("proved", "undecided")


N, i, j = map(Affine.name, "Nij")


def value(extent: int) -> EquationValue:
    limits = (at_least(i, 0), less(i, N), at_least(j, 0), less(j, Affine(constant=extent)))
    return EquationValue("A", ("i", "j"), Domain.where(Space(("N",), ("i", "j")), limits), DOUBLE, ())


def place(*cells: Affine) -> ArgumentPlace:
    return ArgumentPlace((Affine(constant=1),) * len(cells), cells)


PLACES = {"shifted": (1, 1, 0), "a lattice": (2, 1, 0), "skewed": (1, 1, 1)}


@pytest.mark.parametrize("name", PLACES)
def test_the_points_of_accessed_cells_are_found(name: str) -> None:
    first, second, skew = PLACES[name]
    a, b = (Affine.name(index(at)) for at in range(2))
    where = place(a * first + b * skew + N, b * second)
    cells = {where.cell_at(point, {"N": 3}) for point in [(0, 0), (2, 999_999), (1, 7)]}
    wrong = {where.cell_at(point, {"N": 3}) for point in [(3, 0), (1, 1_000_000), (-1, 5)]}
    found = elements(value(1_000_000), where, cells | wrong, {"N": 3})
    assert sorted(found) == [(0, 0), (1, 7), (2, 999_999)]


def test_of_small_arrays_all_elements_are_looked_at() -> None:
    where = place(*(Affine.name(index(at)) for at in range(2)))
    assert list(elements(value(2), where, {(0, 0)}, {"N": 2})) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert not list(elements(value(1_000_000), None, set(), {"N": 2}))
