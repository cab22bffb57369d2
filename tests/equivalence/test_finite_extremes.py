"""Running minima and maxima that start from a limit of their type."""

import pytest

from tests.equivalence.asking import ALL_LAWS, asked

FINITE = "no minimum or maximum is infinite, so `{}` may start it"


def program(operator: str, type_: str, smallest: int = 1) -> str:
    return (
        f"affine s {{N | N>={smallest}}}\ninput\n {type_} x {{i | 0<=i<N}};\noutput\n {type_} m;\n"
        f"let\n m = reduce({operator}, [i], x[i]);\n.\n"
    )


def text(start: str, type_: str, sign: str = ">") -> str:
    return (
        f"#include <float.h>\n#include <limits.h>\n#include <math.h>\n{type_} s(long N, const {type_} *x) {{\n"
        f"{type_} m = {start};\nfor (long i = 0; i < N; i++) if (x[i] {sign} m) m = x[i];\nreturn m; }}"
    )


@pytest.mark.parametrize(
    ("operator", "type_", "start", "assumed"),
    [
        ("max", "double", "-DBL_MAX", "DBL_MAX"),
        ("min", "double", "DBL_MAX", "DBL_MAX"),
        ("max", "float", "-FLT_MAX", "FLT_MAX"),
        ("min", "float", "FLT_MAX", "FLT_MAX"),
        ("max", "double", "-INFINITY", ""),
        ("max", "float", "-INFINITY", ""),
        ("min", "float", "INFINITY", ""),
        ("max", "int", "INT_MIN", ""),
        ("min", "int", "INT_MAX", ""),
        ("min", "long", "LONG_MAX", ""),
    ],
)
def test_an_identity_of_the_type_starts_it(operator: str, type_: str, start: str, assumed: str) -> None:
    found = asked(program(operator, type_), text(start, type_, "<>"[operator == "max"]))
    assert found.is_proved
    assert (FINITE.format(assumed) in found.assumed) == bool(assumed)


@pytest.mark.parametrize(
    ("type_", "start"),
    [
        ("double", "DBL_MAX"),
        ("double", "DBL_MIN"),
        ("double", "-FLT_MAX"),
        ("double", "-1e300"),
        ("double", "INT_MIN"),
        ("float", "-DBL_MAX"),
        ("float", "-1e300"),
        ("float", "FLT_MIN"),
        ("int", "-INT_MAX"),
        ("int", "-INFINITY"),
        ("long", "INT_MIN"),
        ("int", "LONG_MIN"),
    ],
)
def test_another_number_does_not(type_: str, start: str) -> None:
    assert not asked(program("max", type_), text(start, type_), ALL_LAWS).is_proved


def test_a_maximum_of_no_numbers_is_infinite() -> None:
    assert asked(program("max", "double", 0), text("-INFINITY", "double")).is_proved
    assert not asked(program("max", "double", 0), text("-DBL_MAX", "double")).is_proved


def test_four_accumulators_of_which_some_stay_empty() -> None:
    kernel = """#include <float.h>
    double s(long N, const double *x) {
        double a = -DBL_MAX, b = -DBL_MAX; long i;
        for (i = 0; i + 1 < N; i += 2) { if (x[i] > a) a = x[i]; if (x[i + 1] > b) b = x[i + 1]; }
        for (; i < N; i++) if (x[i] > a) a = x[i];
        return a > b ? a : b;
    }"""
    assert asked(program("max", "double"), kernel).is_proved
    assert not asked(program("max", "double", 0), kernel).is_proved


def test_other_uses_are_not_infinite() -> None:
    kernel = "#include <float.h>\nvoid s(long N, const double *A, double *B) { for (long i = 0; i < N; i++) B[i] = "
    head = "affine s {N | N>=3}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlet\n B[i] = "
    right = f"{head} A[i] + 340282346638528859811704183484516925440.0;\n.\n"
    assert asked(right, f"{kernel} A[i] + FLT_MAX; }}").is_proved
    assert not asked(right, f"{kernel} A[i] + 2 * FLT_MAX; }}").is_proved
    assert not asked(right, f"{kernel} A[i] + DBL_MAX; }}").is_proved
