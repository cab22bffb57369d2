"""Bounds of values: nothing that goes into a value is larger, and where an operation overflows there is none."""

from itertools import product

import numpy as np
import pytest

from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.model.interpreter import evaluate
from alphaz.run.data import EXTREMES, extreme_inputs
from alphaz.run.magnitudes import NoBound, magnitudes

HEAD = "affine s {{N | N>=1}}\ninput\n {0} x, y {{i | 0<=i<N}};\noutput\n {1} c {{i | 0<=i<N}};\nlet\n c[i] = {2};\n.\n"
SYSTEM, HERE = "s", {"N": 1}


def bound(equation: str, x: float, y: float, narrow: str = "int", wide: str = "long") -> float:
    checked = read_program(Source("s.ab", HEAD.format(narrow, wide, equation)))
    kinds = {input_.name: input_.type.numpy for input_ in checked.program.systems[0].inputs}
    inputs = {name: np.array([value]).astype(kinds[name]) for name, value in (("x", x), ("y", y))}
    result = magnitudes(checked).of(SYSTEM, HERE, inputs)
    assert result is not None
    return float(result["c"][0])


BOUNDS = [
    ("x[i] - y[i]", 3, 5, 8),
    ("x[i] * y[i]", -3, 0, 3),
    ("(x[i] - x[i]) * y[i]", 3, 5, 30),
    ("min(x[i], -y[i])", 3, 5, 5),
    ("if x[i] < y[i] then x[i] else y[i]", 3, 5, 5),
    ("if [i] < 1 then x[i] else y[i]", 3, 5, 3),
    ("case {| i<1} : x[i]; {| i>=1} : y[i]; esac", 3, 5, 3),
    ("[i-7] * x[i]", 3, 5, 21),
    ("x[i] / y[i] + x[i] % y[i]", 3, -5, 10),
    ("reduce(+, [k], {| 0<=k<4} : x[i] - [k])", 3, 5, 19),
    ("reduce(*, [k], {| 0<=k<4} : y[i])", 3, 5, 625),
    ("reduce(max, [k], {| 0<=k<=i} : x[k] * y[i])", 3, 5, 15),
    # The product is one of 32 bits, the sum is not.
    ("x[i] * y[i]", 65_536, 65_536, np.inf),
    ("x[i] * y[i]", 46_340, 46_340, 46_340**2),
    ("reduce(+, [k], {| 0<=k<4} : x[i])", 2**31 - 1, 0, 4 * (2**31 - 1)),
    ("(x[i] * y[i]) % 7", 65_536, 65_536, np.inf),
    ("-x[i]", -(2**31), 0, np.inf),
    ("x[i] / -1", -(2**31), 0, np.inf),
    ("if x[i] * x[i] < 0 then x[i] else y[i]", 65_536, 1, np.inf),
]


@pytest.mark.parametrize(("equation", "x", "y", "wanted"), BOUNDS)
def test_bounds(equation: str, x: int, y: int, wanted: float) -> None:
    assert bound(equation, x, y) == wanted


def test_what_is_stored_has_to_fit() -> None:
    assert bound("x[i] + y[i]", 200, 1, wide="short") == 201
    assert bound("x[i] + y[i]", 32_767, 1, wide="short") == np.inf
    assert bound("x[i] * y[i]", 1e20, 1e20, "float", "double") == np.inf
    assert bound("x[i] * y[i]", 1e20, 1e20, "double", "double") == 1e40
    assert bound("x[i] * y[i]", 1e20, 1e20, "double", "float") == np.inf


@pytest.mark.parametrize(
    "equation", ["x[i] / y[i]", "if x[i] < y[i] then x[i] else y[i]", "if x[i] * 2.0 == 1.0 then 1.0 else 2.0"]
)
def test_no_bound_where_little_decides(equation: str) -> None:
    with pytest.raises(NoBound):
        bound(equation, 1, 1, "double", "double")


@pytest.mark.slow
def test_extreme_inputs_are_values_of_their_types() -> None:
    seen = set()
    for type_ in ("char", "unsigned char", "short", "int", "unsigned int", "long", "unsigned long", "float", "double"):
        checked = read_program(Source("s.ab", HEAD.format(type_, type_, "x[i]")))
        for number, size in product(range(EXTREMES), (40, 41)):
            inputs = extreme_inputs(checked.program.systems[0], {"N": size}, number)
            again = extreme_inputs(checked.program.systems[0], {"N": size}, number)
            assert all(np.array_equal(array, again[name]) for name, array in inputs.items())
            assert np.isfinite(inputs["x"]).all()
            same = evaluate(checked.program, checked.facts, SYSTEM, {"N": size}, inputs)
            assert np.array_equal(same["c"], inputs["x"])
            seen |= {(type_, float(input_)) for input_ in inputs["x"]}
    for type_ in ("char", "short", "int", "long"):
        limits = np.iinfo({"char": "int8", "short": "int16", "int": "int32", "long": "int64"}[type_])
        assert {(type_, float(limits.min)), (type_, float(limits.max))} <= seen
    assert any(type_ == "float" and 0 < abs(item) < float(np.finfo("float32").tiny) for type_, item in seen)
    assert any(type_ == "double" and abs(item) > float(np.finfo("float32").max) for type_, item in seen)
