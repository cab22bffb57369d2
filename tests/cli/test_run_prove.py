"""`alphaz run --prove`: generated C is proved before it is written, and what goes wrong is not written at all."""

from collections.abc import Callable
from pathlib import Path

import pytest

import alphaz
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.equivalence.c_proof import STAGE_A, Effort
from alphaz.scripting.commands.generators import generate
from tests.cli.command_line import ask

PROGRAM = """affine rows {N | N>0}
input
  double x {i,j | 0<=(i,j)<N};
output
  double y {i | 0<=i<N};
let
  y[i] = reduce(+, [j], x[i,j]);
.
"""
SCRIPT = """p = ReadAlphabets("rows.ab");
setSpaceTimeMap(p, "rows", "y", "(i -> i)");
generateScheduledCode(p, "rows");
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.ab").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "rows.cs").write_text(SCRIPT, encoding="utf-8")
    return tmp_path


def broken(monkeypatch: pytest.MonkeyPatch, change: Callable[[str], str]) -> None:
    """A generator that writes something else."""

    def wrong(*arguments: object, **more: object) -> Sources:
        made = generate(*arguments, **more)  # type: ignore[arg-type]
        changed = {name: change(text) for name, text in made.files.items()}
        assert changed != made.files
        return Sources(changed, made.if_absent)

    monkeypatch.setattr("alphaz.cli.run.generate", wrong)


@pytest.mark.slow
def test_the_header_says_what_is_proved(here: Path) -> None:
    answer = ask("run", "rows.cs", "-o", "made", "--prove")
    assert answer.code == 0, answer.err
    assert "rows.c: rows computes rows: proved" in answer.out
    assert "This text is proved to compute the equations" in (here / "made" / "rows.c").read_text()


def test_without_being_asked_stage_a_is_proved(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALPHAZ_PROVE")
    answer = ask("run", "rows.cs", "-o", "made")
    assert (answer.code, "proved, " in answer.out) == (0, False), answer.err
    assert "stage A of `alphaz prove`" in (here / "made" / "rows.c").read_text()


def test_nothing_is_proved_where_nobody_wants_it(here: Path) -> None:
    assert ask("run", "rows.cs", "-o", "made", "--no-prove").code == 0
    assert "alphaz prove" not in (here / "made" / "rows.c").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [("j < N", "j < N - 1"), ("j < N", "j <= N")])
def test_stage_a_finds_a_wrong_generator(here: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    monkeypatch.delenv("ALPHAZ_PROVE")
    broken(monkeypatch, lambda text: text.replace(old, new))
    answer = ask("run", "rows.cs", "-o", "made")
    assert answer.code == 2
    assert "AZ839" in answer.out + answer.err
    assert not (here / "made").exists()


def test_what_stage_a_does_not_understand_is_written(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALPHAZ_PROVE")
    broken(monkeypatch, lambda text: text.replace("sum += x[i * N + j]", "do { sum += x[i * N + j]; } while (0)"))
    assert ask("run", "rows.cs", "-o", "made").code == 0
    assert "It is not proved that this text" in (here / "made" / "rows.c").read_text()


@pytest.mark.slow
def test_a_wrong_generator_writes_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, lambda text: text.replace("j < N", "j < N - 1"))
    answer = ask("run", "rows.cs", "-o", "made", "--prove")
    assert answer.code == 2
    assert "AZ839" in answer.out + answer.err
    assert "executed" in answer.out + answer.err
    assert not (here / "made").exists()


def test_what_is_not_understood_is_written_and_not_proved(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(monkeypatch, lambda text: text.replace("sum += x[i * N + j]", "do { sum += x[i * N + j]; } while (0)"))
    answer = ask("run", "rows.cs", "-o", "made", "--prove")
    assert answer.code == 1
    assert "It is not proved that this text" in (here / "made" / "rows.c").read_text()


@pytest.mark.slow
def test_alphaz_test_says_what_is_proved(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "proved to be there" not in ask("test", "rows.cs", "-p", "N=3", "--threads", "1").out
    monkeypatch.delenv("ALPHAZ_PROVE")
    answer = ask("test", "rows.cs", "-p", "N=3", "--threads", "1")
    assert answer.code == 0, answer.err
    assert "rows.c: accesses, values and parts of sums are proved to be there" in answer.out


@pytest.mark.slow
def test_alphaz_test_refuses_a_wrong_generator(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALPHAZ_PROVE")

    def wrong(*arguments: object, **more: object) -> Sources:
        made = scheduled_c(*arguments, **more)  # type: ignore[arg-type]
        return Sources({name: text.replace("j < N", "j < N - 1") for name, text in made.files.items()}, made.if_absent)

    monkeypatch.setattr("alphaz.equivalence.differential_run.scheduled_c", wrong)
    answer = ask("test", "rows.cs", "-p", "N=3", "--threads", "1")
    assert (answer.code, "AZ839" in answer.out + answer.err) == (2, True)
    monkeypatch.setattr("alphaz.scripting.interpreter.python_api.scheduled_c", wrong)
    with pytest.raises(alphaz.Rejected, match="AZ839"):
        alphaz.compile(alphaz.run("rows.cs"))


def test_what_takes_longer_is_given_up(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALPHAZ_PROVE")
    monkeypatch.setattr("alphaz.equivalence.driver.generated_code._LITTLE", Effort(STAGE_A, seconds=0.0))
    assert ask("run", "rows.cs", "-o", "made").code == 0
    assert "It is not proved that this text" in (here / "made" / "rows.c").read_text()


@pytest.mark.slow
def test_a_program_of_many_parameters_is_proved_as_another(here: Path) -> None:
    """The smallest parameters are looked for, not listed: there are 10 ** 12 of them that are small."""
    names = "ABCDEFGHIJKL"
    program = PROGRAM.replace("{N | N>0}", f"{{N,{','.join(names)} | N>0 && ({','.join(names)})>=1}}")
    (here / "rows.ab").write_text(program, encoding="utf-8")
    answer = ask("run", "rows.cs", "-o", "out", "--prove")
    assert answer.code == 0, answer.err
    assert "rows computes rows: proved" in answer.out
