"""SimplifyingReduction: programs before and after, and refusals."""

from alphaz.transform.reductions.reuse_simplification import simplifying_reduction, simplifying_reduction_at
from tests.transform.programs import changed, refused, same, sums

PREFIX = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k]);")
WINDOW = sums("B[i] = reduce(+, [k], {| i<=k<=i+2 && k<N}: A[k]);")


def test_a_prefix_sum() -> None:
    after = sums(
        """
        B[i] = case {| i==0}: _initB[i]; {| i>=1}: B[i-1] + _addB[i]; esac;
        _initB[i] = reduce(+, [k], {| k==0}: A[k]);
        _addB[i] = reduce(+, [k], {| i==k}: A[k]);
        """,
        """
        int _initB {i | i==0};
        int _addB {i | 1<=i<N};
        """,
    )
    same(changed(PREFIX, lambda d: simplifying_reduction(d, "sums", "B", (-1, 0))), after)
    maximum = changed(PREFIX.replace("(+", "(max"), lambda d: simplifying_reduction(d, "sums", "B", (-1, 0)))
    assert "B[i-1] max _addB[i]" in maximum


def test_a_prefix_sum_downwards_subtracts() -> None:
    after = sums(
        """
        B[i] = case {| N==i+1}: _initB[i]; {| i<N-1}: B[i+1] - _subB[i]; esac;
        _initB[i] = reduce(+, [k], {| 0<=k<N}: A[k]);
        _subB[i] = reduce(+, [k], {| k==i+1}: A[k]);
        """,
        """
        int _initB {i | N==i+1};
        int _subB {i | 0<=i<N-1};
        """,
    )
    same(changed(PREFIX, lambda d: simplifying_reduction(d, "sums", "B", (1, 0))), after)


def test_a_sliding_window_adds_and_subtracts() -> None:
    after = changed(WINDOW, lambda d: simplifying_reduction(d, "sums", "B", (-1, 0)))
    assert "B[i-1] - _subB[i] + _addB[i];" in after
    assert "_subB[i] = reduce(+, [k], {| i==k+1}: A[k]);" in after


def test_a_reduction_inside_an_expression_gets_an_equation_first() -> None:
    text = sums("B[i] = A[i] * reduce(+, [k], {| 0<=k<=i}: A[k]);")
    after = changed(text, lambda d: simplifying_reduction_at(d, "0,0,0,1", (-1, 0)))
    assert "B[i] = A[i] * NR_B[i];" in after
    assert "{| i>=1}: NR_B[i-1] + _addNR_B[i];" in after


def test_answers_without_points_stay_what_they_were() -> None:
    text = sums("B[i] = reduce(+, [k], {| 0<=k<i}: A[k]);")
    after = changed(text, lambda d: simplifying_reduction(d, "sums", "B", (-1, 0)))
    assert "{| i==0}: reduce(+, [k], {| 0<=k<i}: A[k]);" in after
    assert "_init" not in after


def test_a_body_that_reads_the_variable_keeps_an_order() -> None:
    text = sums("B[i] = A[i] + reduce(+, [k], {| 0<=k<i}: B[k]);")
    assert "NR_B[i-1] + _addNR_B[i]" in changed(text, lambda d: simplifying_reduction_at(d, "0,0,0,1", (-1, 0)))
    finding = refused(text, lambda d: simplifying_reduction_at(d, "0,0,0,1", (1, 0)))
    assert "no linear form" in finding.message
    text = sums(
        "L[i] = case {| i==0}: 0; {| i>0}: L[i-1] + B[i-1]; esac; B[i] = A[i] + reduce(+, [k], {| 0<=k<i}: L[k]);",
        "int L {i | 0<=i<N};",
    )
    finding = refused(text, lambda d: simplifying_reduction_at(d, "0,1,0,1", (-1, 0)))
    assert "through `L`" in finding.message
    text = sums("B[i] = reduce(max, [k], {| 0<=k<=i}: case {| k<i}: B[k]; {| k==i}: A[i]; esac);")
    finding = refused(text, lambda d: simplifying_reduction(d, "sums", "B", (-1, 0)))
    assert "cannot show" in finding.message
    text = sums("B[i] = reduce(+, [k], {| -1<=k<i}: case {| k<0}: A[0]; {| k>=0}: B[k]; esac);")
    after = changed(text, lambda d: simplifying_reduction(d, "sums", "B", (-1, 0)))
    assert "B[i-1] + _addB[i]" in after
    text = sums("B[i] = reduce(+, [k], {| i<k<=N}: case {| k==N}: A[0]; {| k<N}: B[k]; esac);")
    assert "B[i+1] + _addB[i]" in changed(text, lambda d: simplifying_reduction(d, "sums", "B", (1, 0)))
    finding = refused(text, lambda d: simplifying_reduction(d, "sums", "B", (-1, 0)))
    assert "no linear form" in finding.message


def test_a_vector_along_which_the_body_changes_is_refused_with_two_points() -> None:
    finding = refused(PREFIX, lambda d: simplifying_reduction(d, "sums", "B", (-1, -1)))
    assert finding.witness is not None
    assert finding.witness.sentence == ("N=2: A[k] is at [1] for the point [1,1] of the body, and at [0] for [0,0]")


def test_what_an_operator_cannot_take_away_is_refused_with_a_point() -> None:
    text = PREFIX.replace("(+", "(max")
    finding = refused(text, lambda d: simplifying_reduction(d, "sums", "B", (1, 0)))
    assert finding.witness is not None
    assert finding.witness.sentence == "N=2: B[1] combines the point [1,1], which B[0] would have to subtract"
    text = PREFIX.replace("(+", "(*")
    assert refused(text, lambda d: simplifying_reduction(d, "sums", "B", (1, 0))).witness is not None


def test_a_vector_that_is_none_is_refused() -> None:
    assert "to itself" in refused(PREFIX, lambda d: simplifying_reduction(d, "sums", "B", (0, -1))).message
    assert "2 indices" in refused(PREFIX, lambda d: simplifying_reduction(d, "sums", "B", (-1,))).message
    far = sums("B[i] = reduce(+, [k], {| 0<=k<=i<3}: A[k]);")
    assert "nothing is reused" in refused(far, lambda d: simplifying_reduction(d, "sums", "B", (-5, 0))).message
