"""`alphaz from-c`."""

import json
from pathlib import Path

import pytest

from alphaz.scripting.commands.reference import EXAMPLE_C
from tests.cli.command_line import ask

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sums.c").write_text(EXAMPLE_C, encoding="utf-8")


def test_the_texts_are_printed() -> None:
    answer = ask("from-c", "sums.c")
    assert answer.code == 0
    assert "sum[] = reduce(+, [i], {| 0<=i<N}: A[i]);" in answer.out
    assert 'setSpaceTimeMap(prog, system, "sum", "(i -> 1,i)", "( -> 0,0)");' in answer.out
    assert answer.err.startswith("sums computes sums: proved, 12 obligations")


def test_files_are_written_and_the_mapping_is_proved() -> None:
    answer = ask("from-c", "sums.c", "-o", "out")
    assert answer.code == 0
    assert answer.out.startswith("wrote out/sums.ab\nwrote out/sums.cs\nsums computes sums: proved")
    assert answer.out.endswith("the mapping of sums: proved\n")
    assert ask("check", "out/sums.ab").code == 0
    assert ask("verify", "out/sums.cs").code == 0
    assert ask("prove", "out/sums.ab", "sums.c").code == 0


def test_files_that_are_there_are_kept() -> None:
    Path("out").mkdir()
    Path("out/sums.ab").write_text("mine")
    answer = ask("from-c", "sums.c", "-o", "out")
    assert (answer.code, Path("out/sums.ab").read_text()) == (2, "mine")
    assert "--force replaces it" in answer.err
    assert not Path("out/sums.cs").exists()
    assert ask("from-c", "sums.c", "-o", "out", "--force").code == 0
    answer = ask("from-c", "sums.c", "-o", "sums.ab")
    assert (answer.code, "-o names the folder of sums.ab and sums.cs" in answer.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("-o", "sums.c"), "the folder sums.c cannot be made"),
        (("--shape", "=N"), "not of the form NAME=N,M"),
        (("--function", "none"), "the file has no function"),
    ],
)
def test_what_cannot_be_done_is_said(options: tuple[str, ...], said: str) -> None:
    answer = ask("from-c", "sums.c", *options)
    assert answer.code in (1, 2)
    assert said in answer.err
    assert "wrote" not in answer.out


def test_the_document() -> None:
    answer = ask("from-c", "sums.c", "--format", "json")
    (made,) = json.loads(answer.out)["imports"]
    assert (made["function"], made["system"], made["verdict"], made["left_out"]) == ("sums", "sums", "proved", None)
    assert made["program"].startswith("affine sums {N | N>=1}")


def test_what_is_assumed_is_in_the_program() -> None:
    assert "affine sums {N | N>=7}" in ask("from-c", "sums.c", "--assume", "N>=7").out
    assert ask("from-c", "sums.c", "--assume", "N>=").code == 1


def test_a_data_race_is_no_equation() -> None:
    Path("race.c").write_text("""
void u(long N, const double a[N], double y[N]) {
    double t;
    #pragma omp parallel for
    for (long i = 0; i < N; i++) { t = a[i]; y[i] = t; }
}
""")
    answer = ask("from-c", "race.c", "-o", ".")
    assert answer.code == 1
    assert "`u` has a data race" in answer.out + answer.err
    assert "add `private(t)`" in answer.out + answer.err
    assert "AZ901" not in answer.out + answer.err
    assert [path.name for path in Path().glob("race*")] == ["race.c"]
