"""SplitUnion, ApplySTMap, reduceDimVariable and alignDimVariable: programs before and after, and refusals."""

from alphaz.analysis.facts.dependence_graph import dependence_graph
from alphaz.transform.normal.branch_domains import split_union
from alphaz.transform.variables.basis_change import aligned_dimensions, apply_space_time_maps, reduced_dimensions
from tests.transform.programs import changed, design, refused, same, sums

TABLE = sums(
    "S[i,j] = A[i]; L[i] = S[i,i+1]; B[i] = L[i];",
    "int S {i,j | 0<=i<N && j==i+1}; int L {i | 0<=i<N};",
)
ENDS = "{| i==0} || {| i==N-1 && 0<i}"


def test_a_restrict_to_a_union_in_a_case() -> None:
    text = sums(f"B[i] = case {ENDS}: A[i]; {{| 0<i<N-1}}: A[0]; esac;")
    after = sums("B[i] = case {| i==0}: A[i]; {| N==i+1 && i>0}: A[i]; {| 0<i<N-1}: A[0]; esac;")
    same(changed(text, split_union), after)


def test_a_restrict_to_a_union_under_a_reduction() -> None:
    text = sums("B[i] = reduce(+, [k], {| 0<=k<i} || {| i<k<N}: A[k]);")
    after = sums("B[i] = reduce(+, [k], case {| i<k<N}: A[k]; {| 0<=k<i}: A[k]; esac);")
    same(changed(text, lambda d: split_union(d, "0,0,0,0")), after)


def test_pieces_that_overlap_are_made_disjoint() -> None:
    text = sums("B[i] = reduce(max, [k], {| 0<=k<=i} || {| i<=k+1 && k<N && 0<=k}: A[k]);")
    after = changed(text, split_union)
    assert "||" not in after
    design(after)


def test_what_is_no_union_is_refused() -> None:
    assert "no restrict to a union" in refused(sums("B[i] = A[i];"), lambda d: split_union(d, "0,0,0")).message


def test_fewer_and_more_dimensions() -> None:
    assert str(reduced_dimensions(design(TABLE), "sums", "S")) == "(i,j -> i)"
    assert str(reduced_dimensions(design(TABLE), "sums", "L")) == "(i -> i)"
    assert str(aligned_dimensions(design(TABLE), "sums", "L")) == "(i -> i,0)"


def test_without_dates_there_is_nothing_to_apply() -> None:
    assert "no local" in refused(TABLE, lambda d: apply_space_time_maps(d, "sums")).message


def test_the_graph_in_dot() -> None:
    result = design(TABLE)
    text = str(dependence_graph(result.system("sums"), result.checked.facts, with_inputs=False))
    assert text.splitlines()[:4] == ['digraph "sums" {', '  "B";', '  "S";', '  "L";']
    assert '"L" -> "S" [label="(i -> i,i+1) on {' in text
    assert '"A"' not in text
