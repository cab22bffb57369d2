"""Long tests: they repeat at length what others show. Only `scripts/test --long` runs them."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def thinned(cases: Iterable[object], one_in: int = 2) -> list[ParameterSet]:
    """Returns the cases of a parametrized test, of which one in so many is tested by default; the others are long. The
    parameters of a test of several are a tuple.
    """
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=[pytest.mark.long] * (at % one_in > 0))
        for at, case in enumerate(cases)
    ]
