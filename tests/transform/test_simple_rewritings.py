"""LiftAutoRestrict, PropagateSimpleEquations, RaiseDependence and StandardizeNames on small programs."""

from alphaz.analysis.texts.show import ashow
from alphaz.transform.normal.branch_domains import lift_auto_restrict
from alphaz.transform.normal.dependence_functions import raise_dependence, standardize_names
from alphaz.transform.variables.remove import propagate_simple_equations
from tests.transform.programs import changed, design, same, sums


def test_a_branch_says_where_it_is_meant() -> None:
    before = sums("B[i] = case A[i-1]; {| i==0}: 7; esac;")
    same(changed(before, lift_auto_restrict), sums("B[i] = case {| i>=1}: A[i-1]; {| i==0}: 7; esac;"))


def test_a_reduction_of_a_branch_keeps_its_points() -> None:
    before = sums("B[i] = case reduce(+, [k], {| 0<=k<i}: A[k]); {| i==0}: 7; esac;")
    after = sums("B[i] = case {| i>=1}: reduce(+, [k], {| 0<=k<i}: A[k]); {| i==0}: 7; esac;")
    same(changed(before, lift_auto_restrict), after)


def test_copies_go_one_after_the_other() -> None:
    before = sums("C[i] = A[N-1-i]; D[i] = C[i] + 1; E[i] = D[i]; B[i] = E[i] * C[0];", "int C, D, E {i | 0<=i<N};")
    after = sums("D[i] = A[N-i-1] + 1; B[i] = D[i] * A[N-1];", "int D {i | 0<=i<N};")
    same(changed(before, propagate_simple_equations), after)


def test_a_copy_that_converts_stays() -> None:
    text = sums("C[i] = A[i]; B[i] = C[i];", "short C {i | 0<=i<N};")
    assert changed(text, propagate_simple_equations) == ashow(design(text).program)


def test_a_shared_function_moves_in_front() -> None:
    before = sums("B[i] = case {| i>0}: -(A[i-1] * 2) + A[i-1]; {| i==0}: A[i] + A[N-1]; esac;")
    after = sums("B[i] = case {| i>0}: (i->i-1) @ (-(A * 2) + A); {| i==0}: A[i] + A[N-1]; esac;")
    same(changed(before, raise_dependence), after)


def test_an_equation_has_the_names_of_the_declaration() -> None:
    before = sums("B[x] = reduce(+, [y,i], {| 0<=y<=x && i==x}: A[y] + [x]);")
    after = sums("B[i] = reduce(+, [y,i_], {| 0<=y<=i && i_==i}: A[y] + [i]);")
    same(changed(before, standardize_names), after)
