"""The helpers of generated C are known by their text: with another one they may do anything."""

import pytest

from alphaz.c.alphaz_header import c_functions
from tests.equivalence.asking import asked

TWICE = (
    "affine s {N | N>=4}\ninput\n double A {i | 0<=i<N};\noutput\n double B {i | 0<=i<N};\nlet\n"
    " B[i] = 2.0 * A[i];\n.\n"
)
S = "void s(long N, const double *A, double *B)"
DOUBLED = "for (long i = 0; i < N; i++) B[i] = 2.0 * A[i];"
GIVEN_UP = (
    "int s(long N, const double *A, double *B) {{ {} " + DOUBLED.replace("{", "{{").replace("}", "}}") + " return 0; }}"
)
RIGHT = {
    "a status of sizes that there are not": (
        "#include <stdint.h>\n#include <stdbool.h>\n"
        + "\n".join(c_functions(["bytes_of", "too_large"], has_threads=True))
        + GIVEN_UP.format(
            "if (too_large(N)) return 2; if (N < 1) return 1;"
            " if (bytes_of(sizeof(*A), 1, (const int64_t[]){{N}}) < 0) return 2;"
        )
    ),
    "a report of a status": (
        "#include <stdio.h>\n"
        + "\n".join(c_functions(["report"], has_threads=True))
        + "static "
        + GIVEN_UP.format("").replace(" s(", " run(")
        + f'\n{S} {{ report("s", run(N, A, B)); }}'
    ),
}


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_a_text_that_calls_generated_helpers_is_proved(text: str) -> None:
    found = asked(TWICE, text)
    assert found.is_proved, found.findings


def test_bytes_that_are_never_counted_are_no_size() -> None:
    text = (
        "#include <stdint.h>\n"
        + "\n".join(c_functions(["bytes_of"], has_threads=True)).replace("return bytes", "return -1")
        + GIVEN_UP.format("if (bytes_of(sizeof(*A), 1, (const int64_t[]){{N}}) < 0) return 2;")
    )
    found = asked(TWICE, text)
    assert found.verdict == "undecided"
    assert "the condition of this early return must be affine" in found.findings[0].message
