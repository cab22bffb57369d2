"""Reading the programs of the corpus, making inputs for them, and comparing outputs."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.diagnostics import Source
from alphaz.model.program import System, Variable
from alphaz.poly.algorithms.bounds import box_of
from tests.cases.table import Case, integers, reals

CORPUS = Path(__file__).parent
FOLDER = CORPUS / "programs"


def paths() -> list[str]:
    """Every program, relative to the folder of programs."""
    return sorted(str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*.ab"))


@cache
def checked(path: str) -> Checked:
    return read_program(Source(path, (FOLDER / path).read_text(encoding="utf-8")))


def system_of(case: Case) -> System:
    systems = checked(case.path).program.systems
    return next(s for s in systems if s.name == case.system) if case.system else systems[-1]


def random_inputs(case: Case, system: System, parameters: Mapping[str, int], seed: int) -> dict[str, np.ndarray]:
    """An array over the bounding box of each input, of the input's type."""
    rng = np.random.default_rng(seed)
    return {v.name: _random(case, v, parameters, rng) for v in system.inputs}


def _random(case: Case, variable: Variable, parameters: Mapping[str, int], rng: np.random.Generator) -> np.ndarray:
    shape = box_of(variable.domain, parameters).shape
    default = {"bool": integers(0, 1), "float": reals(-2, 2)}.get(
        variable.type.kind, integers(-9 if variable.type.signed else 0, 9)
    )
    maker = case.inputs.get(variable.name, default)
    return np.asarray(maker(rng, shape, SimpleNamespace(**parameters))).astype(variable.type.numpy).reshape(shape)


def expected(case: Case, system: System, parameters: Mapping[str, int], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the outputs of the reference over the bounding boxes, from wide integers that never overflow."""
    wide = {name: array.astype(_WIDE.get(array.dtype.kind, array.dtype)) for name, array in inputs.items()}
    outputs = case.reference(SimpleNamespace(**parameters), SimpleNamespace(**wide))
    assert set(outputs) == {v.name for v in system.outputs}, "the reference has other outputs than the system"
    return {v.name: _array(v, parameters, outputs[v.name]) for v in system.outputs}


_WIDE = {"i": np.int64, "u": np.int64, "f": np.float64}


def _array(variable: Variable, parameters: Mapping[str, int], value: Any) -> np.ndarray:
    box = box_of(variable.domain, parameters)
    if not isinstance(value, dict):
        array = np.asarray(value)
        # The extents of an empty box say nothing.
        return np.zeros(box.shape, array.dtype) if array.size == 0 else array.reshape(box.shape)
    array = np.zeros(box.shape, dtype=float if variable.type.is_float else object)
    for point, number in value.items():
        array[tuple(z - low for z, low in zip(point, box.lower, strict=True))] = number
    return array


def assert_same(variable: Variable, values: np.ndarray, wanted: np.ndarray, where: str = "") -> None:
    """Exactly for integers and bools; up to rounding for floats."""
    message = f"{variable.name} {where}"
    assert values.dtype == np.dtype(variable.type.numpy)
    if variable.type.is_float:
        relative = 1e-4 if variable.type.bits == 32 else 1e-9
        np.testing.assert_allclose(values, wanted.astype(float), relative, relative, equal_nan=False, err_msg=message)
    else:
        np.testing.assert_array_equal(values.astype(object), wanted.astype(object), message)
