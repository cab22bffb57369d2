"""Normalize and Simplify: programs before and after."""

from alphaz.transform.normal.normalize import normalize
from alphaz.transform.normal.simplify import simplify
from tests.transform.programs import changed, same, sums


def test_functions_go_down_to_the_reads() -> None:
    before = sums(
        """
            B = (i->i)@case {i | i==0}: A; {i | i>0}: (i->i-1)@(A + (i->i+1)@A); esac;
        """,
    )
    after = sums(
        """
            B[i] = case
                {| i==0}: A[i];
                {| i>=1}: A[i-1] + A[i];
            esac;
        """,
    )
    same(changed(before, normalize), after)


def test_cases_come_out_of_operators_and_empty_branches_go() -> None:
    before = sums(
        """
            B[i] = A[i] * case
                {| i==0}: 1;
                {| i>0}: case {| i>=1 && i<N-1}: A[i+1]; {| i==N-1}: A[0]; {| i>N}: 7; esac;
            esac;
        """,
    )
    after = sums(
        """
            B[i] = case
                {| i==0}: A[i] * 1;
                {| i>=1 && i+2<=N}: A[i] * A[i+1];
                {| N==i+1 && N>=2}: A[i] * A[0];
            esac;
        """,
    )
    same(changed(before, normalize), after)


def test_restricts_without_effect_go() -> None:
    before = sums(
        """
            B[i] = max(({| i>=0}: A[i]), ({| i<N}: if A[i] > 0 then ({| i+1>0}: 1) else A[0]));
        """,
    )
    after = sums(
        """
            B[i] = max(A[i], if A[i] > 0 then 1 else A[0]);
        """,
    )
    same(changed(before, normalize), after)


def test_a_case_stays_where_its_conversion_matters() -> None:
    before = sums(
        """
            F[i] = 0.5;
            B[i] = case {| i==0}: A[0]; {| i>0}: F[i]; esac / 2;
        """,
        """
            float F {i | 0<=i<N};
        """,
    )
    after = sums(
        """
            F[i] = 0.5;
            B[i] = case
                    {| i==0}: A[0];
                    {| i>=1}: F[i];
                esac / 2;
        """,
        """
            float F {i | 0<=i<N};
        """,
    )
    same(changed(before, normalize), after)


def test_simplify_keeps_of_a_restrict_what_it_adds() -> None:
    before = sums(
        """
            B[i] = case {| 0<=i && i<5}: A[i]; {| 5<=i && i<N}: ({| i>2}: A[i] + A[i-1]); {| i<0}: 3; esac;
        """,
    )
    after = sums(
        """
            B[i] = case
                {| i<=4}: A[i];
                {| i>=5}: A[i] + A[i-1];
            esac;
        """,
    )
    same(changed(before, simplify), after)


def test_simplify_replaces_a_reduction_over_one_point() -> None:
    before = sums(
        """
            B[i] = reduce(+, (i,j->i), {i,j | j==i+1 && j<N}: (i,j->j)@A + (i,j->i)@A)
                + reduce(max, (i,j->i), {i,j | j==N-1-i}: (i,j->j)@A);
        """,
    )
    after = sums(
        """
            B[i] = reduce(+, [j], {| j==i+1 && i+2<=N}: A[j] + A[i]) + A[N-i-1];
        """,
    )
    same(changed(before, simplify), after)


def test_simplify_drops_a_case_of_one_branch() -> None:
    before = sums(
        """
            B[i] = case {| i>=0}: A[i]; esac;
        """,
    )
    after = sums(
        """
            B[i] = A[i];
        """,
    )
    same(changed(before, simplify), after)


def test_a_reduction_over_no_points_keeps_its_value() -> None:
    """At i=0 the sum is 0. A branch without a restrict would only be meant where the sum has points."""
    before = sums("B[i] = reduce(+, [j], {| 0<=j<i}: A[j]) + case A[i+1]; {| i==N-1}: 5; esac;")
    after = sums(
        """
        B[i] = case
            {| -1<=i<N-1}: reduce(+, [j], {| 0<=j<i}: A[j]) + A[i+1];
            {| i==N-1}: reduce(+, [j], {| 0<=j<i}: A[j]) + 5;
        esac;
        """
    )
    same(changed(before, normalize), after)


def test_a_reduction_over_no_points_gains_no_value() -> None:
    """At i=0 and i=1 the first branch is not meant; under a restrict alone it would be, and overlap the second."""
    before = sums("B[i] = case reduce(+, [j], {| 0<=j<i-1}: A[j]) + ({| i>=0}: A[i]); {| i<=1}: 7; esac;")
    after = sums(
        """
        B[i] = case
            {| i>=2}: reduce(+, [j], {| 0<=j<i-1}: A[j]) + A[i];
            {| i<=1}: 7;
        esac;
        """
    )
    same(changed(before, normalize), after)


def test_a_case_stays_where_its_conversion_loses_digits() -> None:
    """A long goes through float on its way to double; out of the case it would not."""
    local = "long G {i | 0<=i<N}; float F {i | 0<=i<N};"
    text = sums("G[i] = A[i]; F[i] = A[i]; B[i] = case {| i==0}: G[i]; {| i>=1}: F[i]; esac * 0.5;", local)
    same(changed(text, normalize), text)


def test_simplify_keeps_a_restrict_that_gives_an_empty_sum_its_value() -> None:
    """At i=1 the sum is 0, because it is asked for in so many words; by itself the first branch would begin at i=2."""
    text = sums("B[i] = case A[i-1] + ({| i>=0}: reduce(+, [j], {| 0<=j<i-1}: A[j])); {| i==0}: 7; esac;")
    same(changed(text, simplify), text)
