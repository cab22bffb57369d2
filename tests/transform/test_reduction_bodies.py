"""Splitting, moving, nesting and merging reductions: programs before and after, and refusals."""

from alphaz.diagnostics import rules
from alphaz.transform.reductions.bodies import permutation_case_reduce, split_reduction_body, transform_reduction_body
from alphaz.transform.reductions.factor import factor_out_from_reduction
from alphaz.transform.reductions.nesting import merge_reductions, reduction_composition, reduction_decomposition
from tests.transform.programs import changed, design, domain, function, refused, same, sums

PREFIX = sums("B[i] = reduce(max, [k], {| 0<=k<=i}: A[k]);")
TRIANGLE = sums("B[i] = reduce(+, (i,j,k->i), {| 0<=k<=j<=i}: A[k]);")
CASES = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: case {| k==0}: A[k]; {| k>0}: A[k-1] + A[i]; esac);")


def test_a_body_split() -> None:
    after = sums("B[i] = reduce(max, [k], {| k==0}: A[k]) max reduce(max, [k], {| 1<=k<=i}: A[k]);")
    same(changed(PREFIX, lambda d: split_reduction_body(d, "0,0,0", domain("{i,k | k==0}"))), after)


def test_a_body_split_across_the_answers() -> None:
    after = changed(PREFIX, lambda d: split_reduction_body(d, "0,0,0", domain("{i,k | i>=2}")))
    same(after, sums("B[i] = reduce(max, [k], {| 0<=k<=i && i>=2}: A[k]) max reduce(max, [k], {| 0<=k<=i<=1}: A[k]);"))


def test_a_body_split_where_nothing_promises_a_value() -> None:
    """In a branch that its own domain limits, each answer takes the parts that it has."""
    text = sums("B[i] = case reduce(+, [k], {| 0<=k<i}: A[k]); {| i==0}: A[0]; esac;")
    after = changed(text, lambda d: split_reduction_body(d, "0,0,0,0", domain("{i,k | k==0}")))
    same(
        after,
        sums(
            """
            B[i] = case
                case
                    {| i==1}: reduce(+, [k], {| k==0}: A[k]);
                    {| i>=2}: reduce(+, [k], {| k==0}: A[k]) + reduce(+, [k], {| 1<=k<i}: A[k]);
                esac;
                {| i==0}: A[0];
            esac;
            """
        ),
    )


def test_nothing_to_split_is_refused() -> None:
    finding = refused(PREFIX, lambda d: split_reduction_body(d, "0,0,0", domain("{i,k | k<=i}")))
    assert "outside" in finding.message
    finding = refused(PREFIX, lambda d: split_reduction_body(d, "0,0,0", domain("{k | k==0}")))
    assert "2 indices" in finding.message
    assert (
        refused(PREFIX, lambda d: split_reduction_body(d, "0,0,0,0", domain("{k | k==0}"))).rule is rules.PRECONDITION
    )


def test_a_body_reversed() -> None:
    after = sums("B[i] = reduce(max, [k], {| 0<=k<=i}: A[i-k]);")
    same(changed(PREFIX, lambda d: transform_reduction_body(d, "0,0,0", function("(i,k->i,i-k)"))), after)


def test_a_body_skewed_moves_its_projection() -> None:
    after = sums("B[i] = reduce(max, (i,k->i-k), {| k>=0 && i>=2k}: A[k]);")
    same(changed(PREFIX, lambda d: transform_reduction_body(d, "0,0,0", function("(i,k->i+k,k)"))), after)


def test_a_body_embedded() -> None:
    after = changed(PREFIX, lambda d: transform_reduction_body(d, "0,0,0", function("(i,k->i,k,i+k)")))
    assert "reduce(max, (x0,x1,x2->x0)" in after or "reduce(max, [x1,x2]" in after


def test_a_body_whose_points_would_meet_is_refused_with_two_of_them() -> None:
    finding = refused(PREFIX, lambda d: transform_reduction_body(d, "0,0,0", function("(i,k->i+k)")))
    assert finding.witness is not None
    assert finding.witness.sentence == "N=3: body of B[1,1] and body of B[2,0] both go to [2]"


def test_a_reduction_of_a_case() -> None:
    after = sums(
        "B[i] = reduce(+, [k], {| k==0 && i>=0}: A[k]) + reduce(+, [k], {| 1<=k<=i}: A[k-1] + A[i]);",
    )
    same(changed(CASES, permutation_case_reduce), after)


def test_a_reduction_of_a_case_in_a_case() -> None:
    text = sums(
        """
        B[i] = reduce(+, [k], {| 0<=k<=i}: case
            {| k==0}: A[0];
            {| k>0}: case {| i==k}: A[i]; {| k<i}: A[k]; esac;
        esac);
        """
    )
    after = changed(text, lambda d: permutation_case_reduce(d, "sums", "B"))
    assert after.count("reduce(+") == 3
    assert "case" not in after


def test_without_a_case_nothing_is_changed_with_a_warning() -> None:
    before = design(PREFIX)
    after = permutation_case_reduce(before)
    assert after.program is before.program
    assert [(d.rule, "no reduction of a case" in d.message) for d in after.dropped] == [(rules.IGNORED, True)]


def test_branches_of_different_types_are_refused() -> None:
    finding = refused(CASES.replace("A[k];", "1;").replace("int", "double"), permutation_case_reduce)
    assert "the branches have different types" in finding.message


def test_decomposed_and_composed_again() -> None:
    first, second = function("(i,j->i)"), function("(i,j,k->i,j)")
    once = changed(TRIANGLE, lambda d: reduction_decomposition(d, "0,0,0", first, second))
    same(once, sums("B[i] = reduce(+, [j], reduce(+, [k], {| 0<=k<=j<=i}: A[k]));"))
    same(changed(once, lambda d: reduction_composition(d, "0,0,0")), TRIANGLE)


def test_decomposed_along_another_axis() -> None:
    first, second = function("(i,k->i)"), function("(i,j,k->i,k)")
    once = changed(TRIANGLE, lambda d: reduction_decomposition(d, "0,0,0", first, second))
    same(once, sums("B[i] = reduce(+, [k], reduce(+, (i,j,k->i,k), {i,j,k| 0<=k<=j<=i}: A[k]));"))


def test_composed_through_a_restrict() -> None:
    text = sums("B[i] = reduce(+, [j], {| 0<=j<=i}: reduce(+, [k], {| 0<=k<=j}: A[k]));")
    same(changed(text, lambda d: reduction_composition(d, "0,0,0")), TRIANGLE)


def test_a_wrong_decomposition_is_refused_with_a_point() -> None:
    first, second = function("(i,j->j)"), function("(i,j,k->i,j)")
    finding = refused(TRIANGLE, lambda d: reduction_decomposition(d, "0,0,0", first, second))
    assert finding.witness is not None
    assert finding.witness.sentence == "N=2: the point [1,0,0] of the body belongs to [1], and would go to [0]"


def test_reductions_by_two_operators_do_not_compose() -> None:
    text = sums("B[i] = reduce(max, [j], {| 0<=j<=i}: reduce(+, [k], {| 0<=k<=j}: A[k]));")
    assert "different operators" in refused(text, lambda d: reduction_composition(d, "0,0,0")).message
    assert "no reduction" in refused(PREFIX, lambda d: reduction_composition(d, "0,0,0")).message


def test_a_factor_moves_out() -> None:
    text = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k] * A[i]);")
    same(
        changed(text, lambda d: factor_out_from_reduction(d, "0,0,0")),
        sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k]) * A[i];"),
    )


def test_a_summand_moves_out_of_a_maximum() -> None:
    text = sums("B[i] = reduce(max, (i,k->i), {| 0<=k<=i}: A[i] + A[k] + A[i-k]);")
    same(
        changed(text, lambda d: factor_out_from_reduction(d, "0,0,0")),
        sums("B[i] = reduce(max, [k], {| 0<=k<=i}: A[k] + A[i-k]) + A[i];"),
    )


def test_a_factor_is_not_looked_at_where_nothing_is_summed_up() -> None:
    text = sums("B[i] = reduce(+, [k], {| 0<=k<i}: A[k] * A[i-1]);")
    same(
        changed(text, lambda d: factor_out_from_reduction(d, "0,0,0")),
        sums(
            """
            B[i] = case
                {| 1<=i<N}: reduce(+, [k], {| 0<=k<i}: A[k]) * A[i-1];
                {| i==0}: reduce(+, [k], {| 0<=k<i}: A[k] * A[i-1]);
            esac;
            """
        ),
    )


def test_a_factor_that_changes_is_refused_with_two_points() -> None:
    text = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k] * A[i-k]);")
    finding = refused(text, lambda d: factor_out_from_reduction(d, "0,0,0"))
    assert finding.witness is not None
    assert finding.witness.sentence == (
        "N=2: for the answer [1], A[k] is at [0] for the point [1,0], and at [1] for [1,1]"
    )


def test_what_does_not_distribute_is_refused() -> None:
    text = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k] + A[i]);")
    assert "does not distribute" in refused(text, lambda d: factor_out_from_reduction(d, "0,0,0")).message
    text = text.replace("reduce(+", "reduce(max").replace("int", "unsigned int")
    assert "does not distribute" in refused(text, lambda d: factor_out_from_reduction(d, "0,0,0")).message


def test_two_reductions_merged() -> None:
    text = sums("B[i] = reduce(+, [k], {| 0<=k<i}: A[k]) + reduce(+, [m], {| m==i}: A[m] + A[0]);")
    after = sums(
        "B[i] = reduce(+, [k], case {| 0<=k<i}: A[k]; {| i==k}: A[k] + A[0]; esac);",
    )
    same(changed(text, lambda d: merge_reductions(d, "0,0,0")), after)


def test_two_reductions_merged_where_both_have_points() -> None:
    text = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k]) + reduce(+, [k], {| 0<=k<=i}: A[i]);")
    same(
        changed(text, lambda d: merge_reductions(d, "0,0,0")),
        sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k] + A[i]);"),
    )


def test_split_and_merged() -> None:
    after = changed(
        TRIANGLE, lambda d: merge_reductions(split_reduction_body(d, "0,0,0", domain("{i,j,k | k==0}")), "0,0,0")
    )
    assert after.count("reduce(") == 1


def test_reductions_along_two_projections_are_not_merged() -> None:
    text = sums("B[i] = reduce(+, [k], {| 0<=k<=i}: A[k]) + reduce(+, (j,k->k), {j,k | 0<=j<=k}: A[j]);").replace(
        ": A[j])", ": (j,k->j)@A)"
    )
    assert "projections" in refused(text, lambda d: merge_reductions(d, "0,0,0")).message
    assert "no operation" in refused(PREFIX, lambda d: merge_reductions(d, "0,0,0")).message
