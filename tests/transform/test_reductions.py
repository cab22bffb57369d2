"""NormalizeReduction and SerializeReduction: programs before and after, and refusals."""

from alphaz.diagnostics import rules
from alphaz.transform.normal.normalize_reduction import normalize_reduction
from alphaz.transform.reductions.serialize import serialize_reduction, serialize_reduction_at
from tests.transform.programs import changed, function, refused, same, sums


def test_a_reduction_in_a_sum_gets_an_equation() -> None:
    before = sums(
        """
            B[i] = A[i] + reduce(+, [j], {| 0<=j<i}: A[j]);
        """,
    )
    after = sums(
        """
            B[i] = A[i] + NR_B[i];
            NR_B[i] = reduce(+, [j], {| 0<=j<i}: A[j]);
        """,
        """
            int NR_B {i | 0<=i<N};
        """,
    )
    same(changed(before, normalize_reduction), after)


def test_several_reductions_are_numbered_in_the_order_of_the_text() -> None:
    before = sums(
        """
            B[i] = case
                {| i==0}: A[0];
                {| i>0}: max(
                    reduce(+, [j], {| 0<=j<i}: A[j]),
                    reduce(+, [j], {| i<=j<N}: A[j] * reduce(max, [k], {| 0<=k<=j}: A[k])));
            esac;
        """,
    )
    after = sums(
        """
            B[i] = case
                {| i==0}: A[0];
                {| i>=1}: max(NR_B[i], NR_B_1[i]);
            esac;
            NR_B[i] = reduce(+, [j], {| 0<=j<i}: A[j]);
            NR_B_1[i] = reduce(+, [j], {| i<=j<N}: A[j] * NR_NR_B_1[i,j]);
            NR_NR_B_1[i,j] = reduce(max, [k], {| 0<=k<=j}: A[k]);
        """,
        """
            int NR_B, NR_B_1 {i | 1<=i<N};
            int NR_NR_B_1 {i,j | 1<=i<=j<N};
        """,
    )
    same(changed(before, normalize_reduction), after)


def test_a_whole_right_hand_side_stays() -> None:
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
            B[i] = S[i];
        """,
        """
            int S {i | 0<=i<N};
        """,
    )
    same(changed(before, normalize_reduction), after)


def test_serialised_upwards() -> None:
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
            S[i] = _serS[i,i];
            B[i] = S[i];
            _serS[i,j] = case
                {| j==0}: A[j];
                {| j>=1}: _serS[i,j-1] max A[j];
            esac;
        """,
        """
            int S {i | 0<=i<N};
            int _serS {i,j | 0<=j<=i<N};
        """,
    )
    same(changed(before, lambda d: serialize_reduction(d, "sums", "S", function("(i,j->i,j)"))), after)


def test_serialised_downwards() -> None:
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
            S[i] = _serS[i,0];
            B[i] = S[i];
            _serS[i,j] = case
                {| i+j==0}: A[-j];
                {| i+j>=1}: _serS[i,j-1] max A[-j];
            esac;
        """,
        """
            int S {i | 0<=i<N};
            int _serS {i,j | i<N && j<=0<=i+j};
        """,
    )
    same(changed(before, lambda d: serialize_reduction(d, "sums", "S", function("(i,j->i,-j)"))), after)


def test_serialised_at_a_node_where_some_answers_have_no_points() -> None:
    before = sums(
        """
            B[i] = A[i] + reduce(+, [j], {| 0<=j<i}: A[j]);
        """,
    )
    after = sums(
        """
            B[i] = A[i] + case
                        {| i>=1}: _serB[i,i-1];
                        {| i==0}: 0;
                    esac;
            _serB[i,j] = case
                {| j==0}: A[j];
                {| j>=1}: _serB[i,j-1] + A[j];
            esac;
        """,
        """
            int _serB {i,j | 0<=j<i<N};
        """,
    )
    same(changed(before, lambda d: serialize_reduction_at(d, "0,0,0,1", function("(i,j->i,j)"))), after)


PLAIN = sums("S[i] = reduce(max, [j], {| 0<=j<=i}: A[j]); B[i] = S[i];", "int S {i | 0<=i<N};")


def test_a_schedule_that_gives_two_points_of_an_answer_one_date_is_refused() -> None:
    finding = refused(PLAIN, lambda d: serialize_reduction(d, "sums", "S", function("(i,j->i)")))
    assert finding.rule is rules.PRECONDITION
    assert finding.witness is not None
    assert finding.witness.parameters == (("N", 2),)
    assert [place.point for place in finding.witness.places] == [(1, 0), (1, 1)]


def test_an_answer_without_points_needs_an_identity_that_can_be_written() -> None:
    text = sums("B[i] = reduce(max, [j], {| 0<=j<i}: A[j]);")
    finding = refused(text, lambda d: serialize_reduction(d, "sums", "B", function("(i,j->i,j)")))
    assert "identity of `max`" in finding.message
    assert finding.secondary[0].span.text.startswith("reduce(max")


def test_what_is_no_reduction_is_refused_where_it_stands() -> None:
    finding = refused(PLAIN, lambda d: serialize_reduction(d, "sums", "B", function("(i->i)")))
    assert finding.primary.span.text == "S[i]"
    finding = refused(PLAIN, lambda d: normalize_reduction(d, node="0,1,0"))
    assert "no reduction" in finding.message


def test_a_node_that_is_not_there() -> None:
    assert refused(PLAIN, lambda d: normalize_reduction(d, node="0,7,0")).rule is rules.UNKNOWN_TARGET
    assert refused(PLAIN, lambda d: normalize_reduction(d, node="first")).rule is rules.UNKNOWN_TARGET


def test_an_accumulator_of_another_type_is_refused() -> None:
    text = PLAIN.replace("A[j])", "A[j] * 0.5)")
    finding = refused(text, lambda d: serialize_reduction(d, "sums", "S", function("(i,j->i,j)")))
    assert "double" in finding.message
    assert "int" in finding.message
