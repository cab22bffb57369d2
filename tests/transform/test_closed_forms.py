"""HigherOrderOperator, HoistOutOfReduction and RemoveIdenticalAnswers on small programs."""

import pytest

from alphaz.transform.reductions.body_simplifications import hoist_out_of_reduction
from alphaz.transform.reductions.higher_order_operator import higher_order_operator
from alphaz.transform.reductions.identical_answers import remove_identical_answers
from tests.transform.programs import changed, refused, same, sums


def _closed(equation: str, node: str = "0,0,0") -> str:
    return changed(sums(equation), lambda d: higher_order_operator(d, node))


def test_a_sum_of_equal_values_is_a_product() -> None:
    same(_closed("B[i] = reduce(+, [k], {| 0<=k<=i}: A[i]);"), sums("B[i] = A[i] * [i+1];"))


def test_the_number_of_points_may_be_a_polynomial() -> None:
    same(
        _closed("B[i] = reduce(+, [j,k], {| 0<=j<=k<=i}: A[i]);"),
        sums("B[i] = A[i] * (([i]*[i] + [3i+2]) / 2);"),
    )


def test_an_answer_without_points_stays_the_identity() -> None:
    same(
        _closed("B[i] = reduce(+, [k], {| 1<=k<i}: A[i-1]);"),
        sums("B[i] = case {| i>=2}: A[i-1] * [i-1]; {| i<=1}: 0; esac;"),
    )


def test_a_maximum_of_equal_values_is_the_value() -> None:
    same(_closed("B[i] = reduce(max, [k], {| 0<=k<=i}: A[i] + 1);"), sums("B[i] = A[i] + 1;"))


@pytest.mark.parametrize(
    ("equation", "node", "message"),
    [
        ("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k]);", "0,0,0", "the body differs at points of one answer"),
        ("B[i] = reduce(*, [k], {| 0<=k<=i}: A[i]);", "0,0,0", "there is no closed form for `*`"),
        ("B[i] = reduce(+, [k], {| 0<=2k<=i}: A[i]);", "0,0,0", "the number of points of an answer is no polynomial"),
        ("B[i] = reduce(+, [k], {| 0<=k<=i}: A[i]) / 3;", "0,0,0,0", "would be computed in another type than int"),
    ],
)
def test_what_has_no_closed_form_is_refused(equation: str, node: str, message: str) -> None:
    result = refused(sums(equation), lambda d: higher_order_operator(d, node))
    assert message in result.message


@pytest.mark.parametrize("node", ["0,0,0", "0,0,0,0,0"])
def test_one_operation_moves_out_of_its_reduction(node: str) -> None:
    before = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[i-k] + (A[k] + A[0]));")
    after = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[i-k]) + reduce(+, [k], {| 0<=k<=i}: A[k] + A[0]);")
    same(changed(before, lambda d: hoist_out_of_reduction(d, node)), after)


def test_another_operation_does_not_move_out() -> None:
    result = refused(
        sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[i-k] * A[k]);"), lambda d: hoist_out_of_reduction(d, "0,0,0")
    )
    assert result.message == "the body is no operation by `+`"


def test_equal_answers_are_computed_once() -> None:
    before = sums("B[i] = reduce(+, [j,k], {| 0<=j,k<N}: A[j] * A[k]) + A[i];")
    after = changed(before, lambda d: remove_identical_answers(d, "0,0,0,0"))
    expected = "B[i] = _oneB + A[i]; _oneB[] = reduce(+, [j,k], {| 0<=j,k<N}: A[j] * A[k]);"
    same(after, sums(expected, "int _oneB;"))


def test_answers_of_different_points_stay() -> None:
    result = refused(sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k]);"), lambda d: remove_identical_answers(d, "0,0,0"))
    assert result.message == "no index of the answers makes no difference"
