"""The interpreter's arithmetic, bit for bit, against a C compiler: every operator on every type, random expressions.

The C is written by the tests, not by the generators: it relies on C's own conversions and on no cast of ours.
"""

import ctypes
import random
from collections.abc import Sequence

import numpy as np
import pytest

from alphaz.codegen.sources import Sources
from alphaz.model.types import SCALAR_TYPES, ScalarType
from alphaz.run.compiler import find_compiler
from alphaz.run.library import load
from tests.model.programs import outputs
from tests.model.random_expressions import DIVISORS, INPUTS, PARAMETER, Both, expression
from tests.thinning import thinned

pytestmark = pytest.mark.slow

EXPRESSIONS = 100
ROUNDS = 12


def c_library(bodies: Sequence[tuple[ScalarType, str]]) -> ctypes.CDLL:
    """`f<n>(N, const void **inputs, void *result)` for each result type and C expression."""
    lines = ["#include <stdbool.h>", "#include <stdint.h>"]
    for at, (type_, body) in enumerate(bodies):
        lines.append(f"void f{at}(int64_t {PARAMETER}, const void **inputs, void *result) {{")
        for number, (type_name, name) in enumerate([*INPUTS.items(), *DIVISORS.items()]):
            c_name = SCALAR_TYPES[type_name].c_name
            lines.append(f"  const {c_name} {name} = *(const {c_name} *)inputs[{number}];")
        lines.append(f"  *({type_.c_name} *)result = {body};")
        lines.append("}")
    return load(Sources({"expressions.c": "\n".join(lines) + "\n"}), find_compiler(), ("-O1", "-w"))


def values_for(source: random.Random) -> dict[str, np.ndarray]:
    values = {
        name: np.array(_value(source, SCALAR_TYPES[t]), dtype=SCALAR_TYPES[t].numpy) for t, name in INPUTS.items()
    }
    return values | {name: _divisor(source, SCALAR_TYPES[t]) for t, name in DIVISORS.items()}


def _value(source: random.Random, type_: ScalarType) -> float | int:
    if type_.kind == "bool":
        return source.randrange(2)
    if type_.is_float:
        return source.choice([0.0, -0.0, 1.5, -2.75, 0.1, 3e7, -1e-3, source.uniform(-1e3, 1e3)])
    limits = np.iinfo(type_.numpy)
    least, greatest = int(limits.min), int(limits.max)
    return source.choice([least, greatest, 0, 1, greatest - 1, source.randint(least, greatest), source.randint(0, 100)])


def _divisor(source: random.Random, type_: ScalarType) -> np.ndarray:
    value = source.uniform(0.5, 9.0) if type_.is_float else source.choice([1, 2, 3, 7, 100])
    return np.array(value, dtype=type_.numpy)


def c_result(
    library: ctypes.CDLL, at: int, type_: ScalarType, parameter: int, values: dict[str, np.ndarray]
) -> np.ndarray:
    pointers = (ctypes.c_void_p * len(values))(*(v.ctypes.data for v in values.values()))
    result = np.zeros((), dtype=type_.numpy)
    library[f"f{at}"](ctypes.c_int64(parameter), pointers, ctypes.c_void_p(result.ctypes.data))
    return result


def program(results: Sequence[tuple[ScalarType, str]]) -> str:
    """Every variable has a value for each round; a bare name is the value of the same round."""
    everywhere = f"{{i | 0<=i<{ROUNDS}}};"
    declared = [f"{t} {name} {everywhere}" for t, name in [*INPUTS.items(), *DIVISORS.items()]]
    value = [f"{type_.name} r{at} {everywhere}" for at, (type_, _) in enumerate(results)]
    equations = [f"r{at}[i] = {text};" for at, (_, text) in enumerate(results)]
    lines = [f"affine p {{{PARAMETER} | {PARAMETER}>0}} input", *declared, "output", *value, "let", *equations, "."]
    return "\n".join(lines)


def assert_same_bits(cases: Sequence[tuple[ScalarType, str, str]], source: random.Random) -> None:
    """Each case is (result type, expression of the language, expression of C)."""
    library = c_library([(type_, c) for type_, _, c in cases])
    parameter, rounds = source.randint(1, 50), [values_for(source) for _ in range(ROUNDS)]
    together = {name: np.stack([values[name] for values in rounds]) for name in rounds[0]}
    text = program([(type_, language) for type_, language, _ in cases])
    got = outputs(text, {PARAMETER: parameter}, together)
    for at, (type_, language, c) in enumerate(cases):
        for number, values in enumerate(rounds):
            wanted = c_result(library, at, type_, parameter, values)
            ours = got[f"r{at}"][number]
            assert same(type_, wanted, ours), (language, c, values, wanted, ours)


def same(type_: ScalarType, wanted: np.ndarray, ours: np.ndarray) -> bool:
    """The same bits. Zeros of either sign are one: GCC 12 computes 0.0 - (double)0ULL as -0.0."""
    both_nan = type_.is_float and bool(np.isnan(wanted) and np.isnan(ours))
    both_zero = type_.is_float and bool(wanted == 0) and bool(ours == 0)
    return both_nan or both_zero or wanted.tobytes() == ours.tobytes()


@pytest.mark.parametrize("left", thinned(SCALAR_TYPES, 9))
def test_every_operator_on_every_pair_of_types(left: str) -> None:
    cases: list[tuple[ScalarType, str, str]] = []
    for right in list(SCALAR_TYPES)[list(SCALAR_TYPES).index(left) :]:
        a, b = INPUTS[left], INPUTS[right]
        floating = SCALAR_TYPES[left].is_float or SCALAR_TYPES[right].is_float
        result = SCALAR_TYPES["double" if floating else "longlong"]
        cases += [(result, f"{a} {o} {b}", f"{a} {o} {b}") for o in ("+", "-", "*")]
        cases += [(SCALAR_TYPES["bool"], f"{a} {o} {b}", f"{a} {o} {b}") for o in ("==", "!=", "<", "<=", ">", ">=")]
        cases += [
            (result, f"{a} min {b}", f"{a} < {b} ? {a} : {b}"),
            (result, f"{a} max {b}", f"{a} > {b} ? {a} : {b}"),
        ]
        if right in DIVISORS:
            cases.append((result, f"{a} / {DIVISORS[right]}", f"{a} / {DIVISORS[right]}"))
            if not floating:
                cases.append((result, f"{a} % {DIVISORS[right]}", f"{a} % {DIVISORS[right]}"))
        if not SCALAR_TYPES[left].is_float or SCALAR_TYPES[right].is_float:
            cases.append((SCALAR_TYPES[right], a, a))
        if SCALAR_TYPES[right].is_float or not SCALAR_TYPES[left].is_float:
            cases.append((SCALAR_TYPES[left], b, b) if not floating else (result, f"{b} - {a}", f"{b} - {a}"))
        cases.append((result, f"-{a} + {b}", f"-{a} + {b}"))
    assert_same_bits(cases, random.Random(left))


@pytest.mark.parametrize("seed", [1, 2])
def test_random_expressions(seed: int) -> None:
    source = random.Random(seed)
    cases = [_case(expression(source, 4), source) for _ in range(EXPRESSIONS)]
    assert_same_bits(cases, source)


def _case(both: Both, source: random.Random) -> tuple[ScalarType, str, str]:
    """A float may be too large for an integer, which has no meaning in C: it goes into a float variable."""
    fitting = [t for t in SCALAR_TYPES.values() if t.is_float or not both.type.is_float]
    return source.choice(fitting), both.language, both.c


def test_least_value_divided_by_minus_one_wraps_around() -> None:
    text = "affine p {|} input int a; int b; output int q; int r; let q = a / b; r = a % b; ."
    got = outputs(text, {}, {"a": -(2**31), "b": -1})
    assert (got["q"].item(), got["r"].item()) == (-(2**31), 0)


def test_deep_expressions() -> None:
    text = "affine p {|} input unsigned int a; output unsigned int r; let r = " + "a * 3 + " * 1500 + "a; ."
    got = outputs(text, {}, {"a": 5})
    assert got["r"].item() == 5 * 3 * 1500 + 5
