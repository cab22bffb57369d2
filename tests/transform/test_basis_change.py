"""CoB and ForceCoB: programs before and after, and refusals."""

from alphaz.diagnostics import rules
from alphaz.transform.variables.basis_change import change_of_basis, force_change_of_basis
from tests.transform.programs import changed, design, function, refused, same, sums


def test_a_skewed_variable() -> None:
    before = sums(
        """
            S[i,j] = case {| j==0}: A[0]; {| j>0}: S[i,j-1] + A[j]; esac;
            B[i] = S[i,i];
        """,
        """
            int S {i,j | 0<=j<=i<N};
        """,
    )
    after = sums(
        """
            S[i,j] = case
                {| j==0}: A[0];
                {| j>=1}: S[i-1,j-1] + A[j];
            esac;
            B[i] = S[2i,i];
        """,
        """
            int S {i,j | 2j<=i<N+j && j>=0};
        """,
    )
    same(changed(before, lambda d: change_of_basis(d, "sums", "S", function("(i,j->i+j,j)"))), after)


def test_reversed_under_a_reduction() -> None:
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
            S[i] = reduce(max, (i,j->N-i), {| 0<=j<=i}: A[j]);
            B[i] = S[N-i];
        """,
        """
            int S {i | 1<=i<=N};
        """,
    )
    same(changed(before, lambda d: change_of_basis(d, "sums", "S", function("(i->N-i)"))), after)


def test_an_embedded_variable() -> None:
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
            L[i,x0] = case
                {| i==0}: 0;
                {| i>=1}: L[i-1,2i-2] + A[i-1];
            esac;
            B[i] = L[i+1,2i+2] - L[i,2i];
        """,
        """
            int L {i,x0 | 2i==x0 && 0<=i<=N};
        """,
    )
    same(changed(before, lambda d: change_of_basis(d, "sums", "L", function("(i->i,2i)"))), after)


TABLE = sums("S[i,j] = case {| j==0}: A[0]; {| j>0}: S[i,j-1] + A[j]; esac; B[i] = S[i,i];", "int S {i,j | 0<=j<=i<N};")


def test_two_points_for_one_place_are_refused_with_the_smallest_ones() -> None:
    finding = refused(TABLE, lambda d: change_of_basis(d, "sums", "S", function("(i,j->i-j)")))
    assert finding.rule is rules.PRECONDITION
    assert finding.witness is not None
    assert finding.witness.sentence == "N=2: S[0,0] and S[1,1] both go to [0]"
    assert finding.secondary[0].span.text.startswith("S")


def test_scaling_makes_a_reduction_over_one_point() -> None:
    after = changed(TABLE, lambda d: change_of_basis(d, "sums", "S", function("(i,j->2i,j)")))
    assert "i%2==0" in after
    assert "S[i,j] = reduce(*, (i,j->2i,j)," in after
    assert "S[2i," in after


def test_scaling_twice_may_have_an_integer_inverse() -> None:
    after = changed(TABLE, lambda d: change_of_basis(d, "sums", "S", function("(i,j->2i+3j,i+2j)")))
    assert "B[i] = S[5i,3i];" in after


def test_the_interface_is_refused_and_can_be_forced() -> None:
    finding = refused(TABLE, lambda d: change_of_basis(d, "sums", "B", function("(i->i+1)")))
    assert "interface" in finding.message
    after = changed(TABLE, lambda d: force_change_of_basis(d, "sums", "B", function("(i->i+1)")))
    assert "int B {i | 1<=i<=N};" in after
    assert "B[i] = S[i-1,i-1];" in after


def test_an_interface_that_others_rely_on_is_not_forced() -> None:
    caller = (
        "affine all {N | N>=1} input int X {i | 0<=i<N}; output int Y {i | 0<=i<N}; let use sums[N](X) returns (Y); .\n"
    )
    finding = refused(TABLE + caller, lambda d: force_change_of_basis(d, "sums", "B", function("(i->i+1)")))
    assert "all calls sums" in finding.message


def test_the_wrong_number_of_indices() -> None:
    assert refused(TABLE, lambda d: change_of_basis(d, "sums", "S", function("(i->i)"))).rule is rules.MAP_SHAPE


def test_a_name_that_is_nearly_right() -> None:
    finding = refused(TABLE, lambda d: change_of_basis(d, "sum", "S", function("(i,j->j,i)")))
    assert finding.rule is rules.UNKNOWN_TARGET
    assert finding.help == "did you mean `sums`?"


def test_a_reduction_keeps_to_its_own_points() -> None:
    """Not injective outside the domain: points of the body that belong to no answer must not get one."""
    text = sums(
        "S[i,j] = reduce(+, (i,j,k->i,j), {i,j,k | i<=j<=i+1 && 0<=k<N}: A[k]); B[i] = S[i,i];",
        "int S {i,j | 0<=i<N && i==j};",
    ).replace("A[k]", "(i,j,k->k)@A")
    after = changed(text, lambda d: change_of_basis(d, "sums", "S", function("(i,j->i)")))
    assert "j==i" in after or "i==j" in after
    assert design(after).program.system("sums").variable("S").domain.space.dimensions == 1
