"""Reductions in the bodies of reductions: the identity over no points, and bounds that only the inner one gives."""

import numpy as np
import pytest

from alphaz.model.interpreter import evaluate
from tests.analysis.programs import codes, only, read


def _value(equation: str, size: int, declarations: str = "") -> int:
    text = (
        "affine nested {N | N>=0} input int x {k | 0<=k<3}; int A {k,j | 0<=k<3 && 0<=j<N}; int T {k,j | 0<=j<k<3};"
        f" output int y; {declarations} let {equation} ."
    )
    checked = read(text)
    inputs = {"x": [5, 1, 2], "A": np.ones((3, size), dtype=np.int32), "T": np.ones((2, 2), dtype=np.int32)}
    values = evaluate(checked.program, checked.facts, "nested", {"N": size}, inputs)
    return int(np.asarray(values["y"]).item())


@pytest.mark.parametrize(
    ("equation", "size", "wanted"),
    [
        ("y = reduce(*, [k], x[k] + reduce(+, [j], {| 0<=j<N} : 2));", 0, 10),
        ("y = reduce(*, [k], x[k] + reduce(+, [j], {| 0<=j<N} : 2));", 1, 84),
        ("y = reduce(*, [k], x[k] + reduce(+, [j], A[k,j]));", 0, 10),
        ("y = reduce(*, [k], x[k] + reduce(+, [j], T[k,j]));", 0, 40),
        ("y = reduce(+, [k], if reduce(and, [j], {| 0<=j<N} : false) then x[k] else 0);", 0, 8),
        ("y = reduce(+, [k], {| 0<=k<3} : reduce(*, [j], {| 1<=j<k} : 7));", 0, 9),
        # At k = 0 the second branch needs a reduction over no points, and yields to the first.
        (
            "y = reduce(*, [k], {| k<3} : case {| k==0} : x[0]; {| k>=0} : reduce(+, [j], {| 0<=j<k} : x[j]); esac);",
            0,
            150,
        ),
        # Only the inner reduction bounds k: what it leaves out is not meant.
        ("y = reduce(*, [k], 1 + reduce(+, [j], T[k,j]));", 0, 6),
        ("y = reduce(*, [k], {| k>=0} : 1 + reduce(+, [j], T[k,j]));", 0, 6),
        ("y = reduce(+, [i], reduce(*, [k], {| i<=0} : 1 + reduce(+, [j], {| i>=-1} : T[k,j])));", 0, 12),
    ],
)
def test_the_value_of_a_reduction_in_a_reduction(equation: str, size: int, wanted: int) -> None:
    assert _value(equation, size) == wanted


def test_a_least_value_of_nothing_inside_is_warned_of_unless_it_is_swallowed() -> None:
    text = (
        "affine s {{N | N>=3}} input int x {{k | 0<=k<N}}; output int y;"
        " let y = reduce({}, [k], {}reduce(max, [j], {{| 0<=j<k}} : x[j])); ."
    )
    assert codes(text.format("+", "x[k] max ")) == []
    assert codes(text.format("max", "{| 0<=k<N} : ")) == []
    assert only(text.format("max", "x[k] + ")).rule.code == "AZ309"


def test_what_no_reduction_bounds_is_unbounded() -> None:
    assert codes("affine s {|} output int y; let y = reduce(+, [k], reduce(+, [j], {| 0<=j<2} : [j])); .") == ["AZ307"]
