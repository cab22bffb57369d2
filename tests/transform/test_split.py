"""Split and Merge: programs before and after, and refusals."""

from alphaz.transform.variables.split import merge, split
from tests.transform.programs import changed, domain, refused, same, sums


def test_split_off_the_first_value() -> None:
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
                    L[i-1];
                    L_split[i-1];
                esac + A[i-1];
            L_split[i] = 0;
            B[i] = L[i+1] - case
                        L[i];
                        L_split[i];
                    esac;
        """,
        """
            int L {i | 1<=i<=N};
            int L_split {i | i==0};
        """,
    )
    same(changed(before, lambda d: split(d, "sums", "L", domain("{i | i==0}"))), after)


def test_split_off_the_last_values_by_name() -> None:
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
                {| j>=1}: S[i,j-1] + A[j];
            esac;
            D[i,j] = case
                {| j==0}: A[0];
                {| j>=1}: S[i,j-1] + A[j];
            esac;
            B[i] = D[i,i];
        """,
        """
            int S {i,j | 0<=j<i<N};
            int D {i,j | i==j && 0<=i<N};
        """,
    )
    same(changed(before, lambda d: split(d, "sums", "S", domain("{i,j | i==j}"), "D")), after)


def test_split_in_halves() -> None:
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
            H[i] = A[i] * 2;
            B[i] = case
                {| i==0}: D[0];
                {| i>=1}: case
                        D[i];
                        H[i];
                    esac - case
                            D[i-1];
                            H[i-1];
                        esac;
            esac;
        """,
        """
            int D {i | i>=0 && 2i<N};
            int H {i | i<N<=2i};
        """,
    )
    same(changed(before, lambda d: split(d, "sums", "D", domain("{i | 2i>=N}"), "H")), after)


def test_merged_under_a_new_name() -> None:
    before = sums(
        """
            P[i] = A[i];
            Q[k] = P[k-N] * 2;
            B[i] = Q[i+N];
        """,
        """
            int P {i | 0<=i<N};
            int Q {i | N<=i<2N};
        """,
    )
    after = sums(
        """
            R[i] = case
                {| i<N}: A[i];
                {| N<=i}: R[i-N] * 2;
            esac;
            B[i] = R[N+i];
        """,
        """
            int R {i | 0<=i<2N};
        """,
    )
    same(changed(before, lambda d: merge(d, "sums", "P", "Q", "R")), after)


def test_merged_under_an_old_name_keeps_what_reductions_mean() -> None:
    before = sums(
        """
            P[i] = A[i];
            Q[k] = reduce(+, [j], P[j]) + [k];
            B[i] = Q[i+N];
        """,
        """
            int P {i | 0<=i<N};
            int Q {i | N<=i<2N};
        """,
    )
    after = sums(
        """
            P[i] = case
                {| i<N}: A[i];
                {| N<=i}: reduce(+, [j], {| 0<=j<N}: P[j]) + [i];
            esac;
            B[i] = P[N+i];
        """,
        """
            int P {i | 0<=i<2N};
        """,
    )
    same(changed(before, lambda d: merge(d, "sums", "P", "Q", "P")), after)


def test_split_and_merged() -> None:
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
            M[i] = case
                {| i>=1}: M[i-1] + A[i-1];
                {| i==0}: 0;
            esac;
            B[i] = M[i+1] - case
                        {| 1<=i<=N}: M[i];
                        {| i==0}: M[i];
                    esac;
        """,
        """
            int M {i | 0<=i<=N};
        """,
    )
    same(
        changed(before, lambda d: merge(split(d, "sums", "L", domain("{i | i==0}")), "sums", "L", "L_split", "M")),
        after,
    )


PAIR = sums(
    "P[i] = A[i]; Q[k] = 2; B[i] = P[i];",
    "int P {i | 0<=i<N}; int Q {i | 2<=i<2N};",
)


def test_overlapping_domains_are_not_merged() -> None:
    finding = refused(PAIR, lambda d: merge(d, "sums", "P", "Q", "R"))
    assert finding.witness is not None
    assert finding.witness.sentence == "N=3: P[2] and Q[2] both exist"


def test_different_types_are_not_merged() -> None:
    text = PAIR.replace("int Q {i | 2<=i<2N}", "long Q {i | N<=i<2N}")
    assert "different types" in refused(text, lambda d: merge(d, "sums", "P", "Q", "R")).message


def test_an_empty_part_is_not_split_off() -> None:
    finding = refused(PAIR, lambda d: split(d, "sums", "P", domain("{i | i>N}")))
    assert "nothing to split" in finding.message


def test_the_new_name_must_be_new() -> None:
    assert "already taken" in refused(PAIR, lambda d: split(d, "sums", "P", domain("{i | i>0}"), "Q")).message
    assert "already taken" in refused(PAIR, lambda d: merge(d, "sums", "P", "Q", "A")).message


def test_an_output_is_not_split() -> None:
    assert "interface" in refused(PAIR, lambda d: split(d, "sums", "B", domain("{i | i>0}"))).message
