"""Inline, AddLocal, RemoveUnusedVariables and renaming: programs before and after, and refusals."""

import numpy as np
import pytest

from alphaz.diagnostics import rules
from alphaz.model.interpreter import evaluate
from alphaz.transform.variables.add_local import add_local
from alphaz.transform.variables.inline import inline, inline_all, inline_force
from alphaz.transform.variables.remove import remove_unused_variables
from alphaz.transform.variables.rename import rename_system, rename_variable
from tests.transform.programs import changed, design, refused, same, sums


def test_inlined_everywhere_in_one_equation() -> None:
    before = sums(
        """
            D[i] = A[i] * 2;
            B[i] = case {| i==0}: D[0]; {| i>0}: D[i] - D[i-1]; esac;
        """,
        """
            int D {i | 0<=i<N};
        """,
    )
    after = sums(
        """
            D[i] = A[i] * 2;
            B[i] = case
                {| i==0}: A[0] * 2;
                {| i>=1}: A[i] * 2 - A[i-1] * 2;
            esac;
        """,
        """
            int D {i | 0<=i<N};
        """,
    )
    same(changed(before, lambda d: inline(d, "sums", "B", "D")), after)


def test_inlined_at_one_read() -> None:
    before = sums(
        """
            D[i] = A[i] * 2;
            B[i] = case {| i==0}: D[0]; {| i>0}: D[i] - D[i-1]; esac;
        """,
        """
            int D {i | 0<=i<N};
        """,
    )
    after = sums(
        """
            D[i] = A[i] * 2;
            B[i] = case
                {| i==0}: D[0];
                {| i>=1}: A[i] * 2 - D[i-1];
            esac;
        """,
        """
            int D {i | 0<=i<N};
        """,
    )
    same(changed(before, lambda d: inline(d, "sums", "B", "D", 2)), after)


def test_a_reduction_is_inlined_in_all_equations() -> None:
    before = sums(
        """
            S[i] = reduce(max, [j], {| 0<=j<=i}: A[j]);
            B[i] = S[i];
        """,
        """
            int S {i | 0<=i<N};
        """,
    )
    after = sums(
        """
            S[i] = reduce(max, [j], {| 0<=j<=i}: A[j]);
            B[i] = reduce(max, [j], {| 0<=j<=i}: A[j]);
        """,
        """
            int S {i | 0<=i<N};
        """,
    )
    same(changed(before, lambda d: inline_all(d, "sums", "S")), after)


def test_a_recursive_definition_is_inlined_once() -> None:
    before = sums(
        """
            L[i] = case {| i==0}: 0; {| i>0}: L[i-1] + A[i-1]; esac;
            B[i] = L[i+1] - L[i];
        """,
        """
            int L {i | 0<=i<=N};
        """,
    )
    after = sums(
        """
            L[i] = case
                {| i==0}: 0;
                {| i>=1}: L[i-1] + A[i-1];
            esac;
            B[i] = case
                    {| i==-1}: 0;
                    {| i>=0}: L[i] + A[i];
                esac - L[i];
        """,
        """
            int L {i | 0<=i<=N};
        """,
    )
    same(changed(before, lambda d: inline_force(d, "sums", "B", "L", 1)), after)


def test_a_reduction_gets_a_name() -> None:
    before = sums(
        """
            B[i] = A[i] + reduce(+, [j], {| 0<=j<i}: A[j]);
        """,
    )
    after = sums(
        """
            B[i] = A[i] + T[i];
            T[i] = reduce(+, [j], {| 0<=j<i}: A[j]);
        """,
        """
            int T {i | 0<=i<N};
        """,
    )
    same(changed(before, lambda d: add_local(d, "sums", "T", "0,0,0,1")), after)


def test_an_operand_in_a_branch_gets_a_name() -> None:
    before = sums(
        """
            D[i] = A[i] * 2;
            B[i] = case {| i==0}: D[0]; {| i>0}: D[i] - D[i-1]; esac;
        """,
        """
            int D {i | 0<=i<N};
        """,
    )
    after = sums(
        """
            D[i] = A[i] * 2;
            B[i] = case
                {| i==0}: D[0];
                {| i>=1}: T[i];
            esac;
            T[i] = D[i] - D[i-1];
        """,
        """
            int D {i | 0<=i<N};
            int T {i | 1<=i<N};
        """,
    )
    same(changed(before, lambda d: add_local(d, "sums", "T", "(0,1,0,1,0)")), after)


def test_a_read_gets_a_name() -> None:
    before = sums(
        """
            L[i] = case {| i==0}: 0; {| i>0}: L[i-1] + A[i-1]; esac;
            B[i] = L[i+1] - L[i];
        """,
        """
            int L {i | 0<=i<=N};
        """,
    )
    after = sums(
        """
            L[i] = case
                {| i==0}: 0;
                {| i>=1}: T[i] + A[i-1];
            esac;
            B[i] = L[i+1] - L[i];
            T[i] = L[i-1];
        """,
        """
            int L {i | 0<=i<=N};
            int T {i | 1<=i<=N};
        """,
    )
    same(changed(before, lambda d: add_local(d, "sums", "T", "0,0,0,1,0,0")), after)


def test_chains_that_no_output_needs_go() -> None:
    before = sums(
        """
            P[i] = A[i];
            Q[i] = P[i];
            B[i] = A[i];
        """,
        """
            int P {i | 0<=i<N};
            int Q {i | 0<=i<N};
        """,
    )
    after = sums(
        """
            B[i] = A[i];
        """,
    )
    same(changed(before, remove_unused_variables), after)


def test_a_renamed_definition() -> None:
    before = sums(
        """
            L[i] = case {| i==0}: 0; {| i>0}: L[i-1] + A[i-1]; esac;
            B[i] = L[i+1] - L[i];
        """,
        """
            int L {i | 0<=i<=N};
        """,
    )
    after = sums(
        """
            prefix[i] = case
                {| i==0}: 0;
                {| i>=1}: prefix[i-1] + A[i-1];
            esac;
            B[i] = prefix[i+1] - prefix[i];
        """,
        """
            int prefix {i | 0<=i<=N};
        """,
    )
    same(changed(before, lambda d: rename_variable(d, "sums", "L", "prefix")), after)


PREFIX = sums("L[i] = case {| i==0}: 0; {| i>0}: L[i-1] + A[i-1]; esac; B[i] = L[i+1] - L[i];", "int L {i | 0<=i<=N};")


def test_a_recursive_definition_is_not_inlined_unasked() -> None:
    finding = refused(PREFIX, lambda d: inline(d, "sums", "B", "L"))
    assert finding.help == "InlineForce and InlineAllForce put the definition in once"


def test_a_conversion_is_not_lost() -> None:
    text = sums("H[i] = A[i] * 0.5; B[i] = H[i] + 1;", "int H {i | 0<=i<N};")
    finding = refused(text, lambda d: inline(d, "sums", "B", "H"))
    assert "from double to int" in finding.message


def test_a_wider_accumulator_is_not_lost() -> None:
    text = sums("H[i] = reduce(+, [j], {| 0<=j<i}: A[j]); B[i] = H[i] % 7;", "long H {i | 0<=i<N};")
    finding = refused(text, lambda d: inline(d, "sums", "B", "H"))
    assert "from int to long" in finding.message


@pytest.mark.parametrize("body", ["reduce(max, [k], {| 0<=k<=i}: H[k])", "case H[i]; esac"])
def test_a_reduction_over_no_points_is_inlined_with_its_value(body: str) -> None:
    before = design(sums(f"H[i] = A[i] + reduce(+, [j], {{| 0<=j<i}}: A[j]); B[i] = {body};", "int H {i | 0<=i<N};"))
    after = inline(before, "sums", "B", "H")
    inputs = {"A": np.array([-1, 2, 3], dtype=np.int32)}
    one, two = (evaluate(d.program, d.checked.facts, "sums", {"N": 3}, inputs)["B"] for d in (before, after))
    np.testing.assert_array_equal(one, two)


def test_a_read_that_is_not_there() -> None:
    assert "no such read" in refused(PREFIX, lambda d: inline_force(d, "sums", "B", "L", 3)).message
    assert "is an input" in refused(PREFIX, lambda d: inline(d, "sums", "B", "A")).message


def test_names_that_are_taken() -> None:
    for name in ("A", "L", "N"):
        assert "already taken" in refused(PREFIX, lambda d, n=name: add_local(d, "sums", n, "0,0,0")).message  # type: ignore[misc]
    assert "already taken" in refused(PREFIX, lambda d: rename_variable(d, "sums", "L", "A")).message


def test_renaming_a_system_reaches_its_callers() -> None:
    caller = (
        "affine all {N | N>=1} input int X {i | 0<=i<N}; output int Y {i | 0<=i<N}; let use sums[N](X) returns (Y); .\n"
    )
    after = changed(PREFIX + caller, lambda d: rename_system(d, "sums", "differences"))
    assert "use differences[N]" in after
    assert "affine differences" in after
    assert refused(PREFIX + caller, lambda d: rename_system(d, "sums", "all")).rule is rules.PRECONDITION


def test_renaming_to_the_same_name_changes_nothing() -> None:
    before = design(PREFIX)
    assert rename_variable(before, "sums", "L", "L") is before
    assert rename_system(before, "sums", "sums") is before


def test_a_domain_that_programs_cannot_write_is_refused() -> None:
    text = sums("B[i] = (case {| i%99<=N%7}: A[i]; {| i%99>N%7}: 1; esac) * 2;")
    finding = refused(text, lambda d: add_local(d, "sums", "L", "0,0,0,0,0"))
    assert "integer division" in finding.message
