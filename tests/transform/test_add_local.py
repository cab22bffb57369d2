"""AddLocal: where an expression stands more than once, and where it is written down."""

import pytest

from alphaz.analysis.elaborate.programs import elaborate_expression
from alphaz.diagnostics import Source
from alphaz.mapping.design import Design
from alphaz.syntax.parser import parse_expression
from alphaz.transform.variables.add_local import add_local, add_local_expression, add_local_unique
from tests.transform.programs import changed, refused, same, sums

TWICE = sums(
    """
        B[j] = case
            {| j==0}: A[j] * 2 + 1;
            {| j>0}: reduce(+, [k], {| 0<=k<=j}: A[k] * 2) + A[j] * 2;
        esac;
    """
)


def written(design: Design, expression: str, *indices: str) -> Design:
    system = design.system("sums")
    meant = elaborate_expression(parse_expression(Source("e", expression)), design.program, system, indices)
    return add_local_expression(design, "sums", "T", meant, indices)


def test_every_place_of_the_expression_of_a_node_reads_the_local() -> None:
    after = sums(
        """
            B[j] = case
                {| j==0}: T[j] + 1;
                {| j>=1}: reduce(+, [k], {| 0<=k<=j}: A[k] * 2) + T[j];
            esac;
            T[j] = A[j] * 2;
        """,
        """
            int T {j | 0<=j<N};
        """,
    )
    same(changed(TWICE, lambda d: add_local(d, "sums", "T", "0,0,0,0,0,0")), after)
    same(changed(TWICE, lambda d: add_local(d, "sums", "T", "0,0,0,1,0,1")), after)


def test_one_place_alone() -> None:
    after = sums(
        """
            B[j] = case
                {| j==0}: A[j] * 2 + 1;
                {| j>=1}: reduce(+, [k], {| 0<=k<=j}: A[k] * 2) + T[j];
            esac;
            T[j] = A[j] * 2;
        """,
        """
            int T {j | 1<=j<N};
        """,
    )
    same(changed(TWICE, lambda d: add_local_unique(d, "sums", "T", "0,0,0,1,0,1")), after)


@pytest.mark.parametrize("names", [("j", "k"), ("x", "y")])
def test_an_expression_is_found_by_its_form_whatever_its_indices_are_called(names: tuple[str, str]) -> None:
    after = sums(
        """
            B[j] = case
                {| j==0}: A[j] * 2 + 1;
                {| j>=1}: reduce(+, [k], {| 0<=k<=j}: T[j,k]) + A[j] * 2;
            esac;
            T[j,k] = A[k] * 2;
        """,
        """
            int T {j,k | 0<=k<=j<N && j>=1};
        """,
    )
    same(changed(TWICE, lambda d: written(d, f"A[{names[1]}] * 2", *names)), after)


def test_an_expression_that_stands_nowhere() -> None:
    finding = refused(TWICE, lambda d: written(d, "A[k] * 2", "k", "j"))
    assert finding.message == "system sums has no such expression over 2 indices"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{| j==0}: A[j]", "{| j>=1}: A[j]"),
        ("A[j] + 1", "A[j] - 1"),
        ("A[j] + 1", "A[j] + 1.0"),
        ("reduce(+, [k], {| 0<=k<=j}: A[k])", "reduce(max, [k], {| 0<=k<=j}: A[k])"),
        ("reduce(+, [k], {| 0<=k<=j}: A[k])", "reduce(+, [k], {| 0<=k<=j}: A[j])"),
        ("reduce(+, [k], {| 0<=k<=j}: A[k])", "reduce(+, [k], {| 0<=k<=j-1}: A[k])"),
        ("val(j -> j)", "val(j -> j+1)"),
        ("max(A[j], 1)", "max(A[j], 1, 2)"),
        ("(j -> 0)@A", "(j -> j)@A"),
        ("-A[j]", "A[j]"),
    ],
)
def test_expressions_that_differ_are_left_alone(one: str, other: str) -> None:
    whole = sums(f"B[j] = if A[j] > 0 then ({one}) else ({other});") if "j==0" not in one else None
    if whole is None:
        whole = sums(f"B[j] = case {one}; {other}; esac;")
    result = changed(whole, lambda d: written(d, one, "j"))
    assert result.count("T[j]") == 2  # the read and the definition
