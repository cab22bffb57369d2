"""The work of equations, counted."""

from alphaz.analysis.facts.work_and_traffic import work_text
from tests.transform.programs import design, sums


def said(text: str) -> list[str]:
    result = design(text)
    return work_text(result.checked.facts, result.system("sums")).splitlines()[1:]


def test_a_reduction_combines_as_often_as_its_body_has_points() -> None:
    assert said(sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k] * A[i]);")) == ["  B: N values, N^2+N operations"]


def test_branches_count_where_they_are_taken() -> None:
    text = sums("B[i] = case {| i==0}: A[i]; {| i>0}: B[i-1] + max(A[i], A[0], A[i-1]); esac;")
    assert said(text) == ["  B: N values, 3N-3 operations"]


def test_behind_a_function_each_question_counts() -> None:
    assert said(sums("B[i] = (i->0)@(A[0] + A[0]);").replace("A[0]", "A")) == ["  B: N values, N operations"]


def test_a_reduction_behind_a_function_counts_for_each_answer() -> None:
    text = sums("B[i] = (i->i,i)@reduce(+, (a,b,k->a,b), {a,b,k | 0<=k<=a}: (a,b,k->k)@A);")
    assert said(text) == ["  B: N values, (N^2+N)/2 operations"]


def test_what_is_no_polynomial_says_so() -> None:
    assert said(sums("B[i] = reduce(+, [k], {| 0<=2k<=i}: A[k]);")) == [
        "  B: N values, undetermined (no polynomial) operations"
    ]
