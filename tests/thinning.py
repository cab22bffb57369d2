"""Long tests: they repeat at length what others show. Only `scripts/test --long` runs them."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def thinned(cases: Iterable[object], one_in: int = 2) -> list[ParameterSet]:
    """Returns the cases of a parametrized test, of which one in so many is tested by default; the others are long. The
    parameters of a test of several are a tuple.
    """
    return [_long(case) if at % one_in else _case(case) for at, case in enumerate(cases)]


def _case(case: object) -> ParameterSet:
    if isinstance(case, ParameterSet):
        return case
    return pytest.param(*(case if isinstance(case, tuple) else (case,)))


def _long(case: object) -> ParameterSet:
    parameters = _case(case)
    return pytest.param(*parameters.values, marks=[*parameters.marks, pytest.mark.long], id=parameters.id)
