"""CtoAlphabets and AnalyzeScopMemoryUsage."""

from pathlib import Path

import pytest

from alphaz.mapping.design import Design
from alphaz.scripting.interpreter.run import Settings
from tests.scripting.commands.scripts import error_of, run

pytestmark = pytest.mark.slow


def test_a_program_that_is_proved_can_be_mapped(tmp_path: Path) -> None:
    text = """p = CtoAlphabets("kernel.c");
        setSpaceTimeMap(p, "sums", "sum", "(i -> 0,i)");
        setSpaceTimeMap(p, "sums", "total", "( -> 1,0)");
        VerifyTargetMapping(p, "sums", "MIN");"""
    session = run(text, tmp_path)
    assert session.is_clean
    assert isinstance(session.values["p"], Design)
    assert len(session.design_verdicts) == 1


def test_the_lower_bound_is_that_of_all_parameters(tmp_path: Path) -> None:
    messages: list[str] = []
    run('p = CtoAlphabets("kernel.c", 5); AShow(p);', tmp_path, Settings(say=messages.append))
    assert "affine sums {N | N>=5}" in "".join(messages)


def test_the_program_is_written(tmp_path: Path) -> None:
    session = run('p = CtoAlphabets("kernel.c", "total.ab", 1); again = ReadAlphabets("total.ab");', tmp_path)
    assert session.is_clean
    assert any("affine sums" in text for file in session.files.values() for text in file.files.values())


def test_what_is_not_understood_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "picked.c").write_text(
        "void f(long N, const int at[N], double y[N]) { for (long i = 0; i < N; i++) y[at[i]] = 1.0; }"
    )
    assert error_of('p = CtoAlphabets("picked.c");', tmp_path).rule.code == "AZ832"
    assert error_of('p = CtoAlphabets("none.c");', tmp_path).rule.code == "AZ405"


def test_the_memory_of_a_function(tmp_path: Path) -> None:
    (tmp_path / "rows.c").write_text(
        "void rows(long N, long M, const double A[N][M], float y[N])"
        "{ for (long i = 0; i < N; i++) { float t[4]; t[1] = 1; y[i] = t[1]; } }"
    )
    messages: list[str] = []
    run('AnalyzeScopMemoryUsage("rows.c");', tmp_path, Settings(say=messages.append))
    assert "".join(messages).splitlines() == [
        "rows:",
        "array  type    holds   elements  used  bytes",
        "A      double  input   N * M     0     8M*N",
        "y      float   output  N         N     4N",
        "t      float   local   4         1     16",
        "in all 8M*N+4N+16 bytes",
    ]
