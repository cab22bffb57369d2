"""Branches that need a reduction over no points yield to those that do not."""

from alphaz.analysis.texts.show import ashow
from tests.analysis.programs import codes, only, prefix, read, values

_SUM = "reduce(+, [k], {| 0<=k<i}: A[k])"


def _case(*branches: str) -> str:
    return prefix(f"B[i] = case {' '.join(f'{branch};' for branch in branches)} esac;")


def test_a_branch_without_a_reduction_takes_the_points_where_the_sum_is_over_nothing() -> None:
    text = _case("{| i==0}: 9", f"{{| i>=0}}: {_SUM}")
    assert codes(text) == []
    assert values(text) == values(_case("{| i==0}: 9", f"{{| i>=1}}: {_SUM}"))
    assert "{| i>=1}: reduce" in ashow(read(text).program)


def test_where_both_have_a_value_they_overlap_at_the_first_such_point() -> None:
    diagnostic = only(_case("{| i<=1}: 9", f"{{| i>=0}}: {_SUM}"))
    assert diagnostic.rule.code == "AZ305"
    assert diagnostic.witness is not None
    assert diagnostic.witness.sentence == "N=2: B[1] is defined by both branches"


def test_two_branches_over_nothing_overlap_where_no_other_branch_is_meant() -> None:
    one, other = f"{{| i>=0}}: {_SUM}", "{| i<=0}: 1 + reduce(+, [k], {| 0<=k<i}: A[k])"
    assert codes(_case(one, other)) == ["AZ305"]
    assert codes(_case(one, other, "{| i==0}: 3")) == ["AZ308"], "nothing is left of one"


def test_without_another_branch_the_identity_is_the_value_and_is_warned_of() -> None:
    text = _case("{| i>=1}: A[i]", "{| i<=0}: reduce(max, [k], {| 0<=k<i}: A[k])")
    assert "AZ309" in codes(text)
    assert values(text) == values(_case("{| i>=1}: A[i]", "{| i<=0}: -2147483647 - 1"))


def test_inputs_of_calls_follow_the_rule() -> None:
    callee = "affine f {M | M>0} input int x {i | 0<=i<M}; output int y {i | 0<=i<M}; let y = x; . "
    text = "use f[N](case {| i==0}: 9; {| i>=0}: reduce(+, [k], {| 0<=k<i}: A[k]); esac) returns (B);"
    direct = _case("{| i==0}: 9", f"{{| i>=1}}: {_SUM}")
    assert values(callee + prefix(text))[-1] == values(direct)[-1]
