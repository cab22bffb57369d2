"""What takes too long ends, undecided, and says what it was at; an interruption ends cleanly."""

import ctypes
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from alphaz.cli import deadline, processes
from alphaz.cli import eval as evaluating
from alphaz.cli.tasks import Expired
from alphaz.cli.workers import Pool
from alphaz.diagnostics.deadline import OutOfTime, alarm
from tests.cli.asking import ask
from tests.cli.working import Job, job

# An alarm rings anywhere: in a finaliser too, where it is lost, or before a file that was just opened has its `with`.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

# Eight thousand million additions.
LONG = """affine lengthy {N | N>=1}
output double y;
let y = reduce(+, (i,j,k->), {i,j,k | 0<=(i,j,k)<N} : [i] * [j+k]);
.
"""


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verb is done here, as in the process that is started for it."""
    monkeypatch.setenv("ALPHAZ_INSIDE_DEADLINE", "1")


@pytest.mark.usefixtures("inside")
def test_an_evaluation_ends_with_the_place_that_it_was_at(folder: Path) -> None:
    (folder / "lengthy.ab").write_text(LONG)
    answer = ask("eval", "lengthy.ab", "-p", "N=2000", "--timeout", "0.5")
    assert (answer.code, answer.out) == (1, "")
    assert "error[AZ801]: it is not decided which values the outputs of `lengthy` have" in answer.err
    assert "--> lengthy.ab:1:8" in answer.err
    assert "the time limit of 0.5 s is used up" in answer.err


@pytest.mark.usefixtures("inside")
@pytest.mark.parametrize("verb", ["run", "test", "bench"])
def test_the_verbs_of_scripts_end_too(verb: str, folder: Path) -> None:
    before = set(folder.iterdir())
    answer = ask(verb, "right.cs", *([] if verb == "run" else ["-p", "N=5"]), "--timeout", "0.0001")
    assert (answer.code, answer.out) == (1, "")
    assert "AZ801" in answer.err
    assert set(folder.iterdir()) == before, "nothing is written by halves"


@pytest.mark.usefixtures("inside")
def test_what_is_done_in_time_is_as_without_a_limit() -> None:
    assert ask("show", "sums.ab", "--timeout", "60") == ask("show", "sums.ab")


def test_a_process_that_does_not_hear_the_alarm_is_ended(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(deadline, "GRACE", 0.0)
    answer = ask("show", "sums.ab", "--timeout", "0.001")
    assert answer.code == 1
    assert "it is not decided what the answer is" in answer.err
    assert capfd.readouterr().out == ""


def test_the_answer_of_the_process_is_the_answer(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask("show", "sums.ab", "--timeout", "60").code == 0
    assert capfd.readouterr().out == ask("show", "sums.ab").out
    assert ask("show", "none.ab", "--timeout", "60").code == 2


def test_work_that_does_not_hear_the_alarm_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "GRACE", 0.2)
    tasks = [Job("deaf"), Job("square", 3)]
    assert dict(Pool(job, timeout=0.5).run(tasks)) == {Job("deaf"): Expired(0.5), Job("square", 3): 9}


def test_a_check_says_which_equation_it_was_at(folder: Path) -> None:
    """Its branches take longer to check than to read, on machines of any speed."""
    here, there = "(i+2j)%7", "(3i+j)%11"
    branches = f"{{| {here}==0 && {there}==2}} : 0; {{| {here}!=0}} : 2; {{| {here}==0 && {there}!=2}} : 1;"
    lines = [f"  x{at}[i,j] = case {branches} esac;" for at in range(1200)]
    names = ", ".join(f"x{at}" for at in range(1200))
    (folder / "many.ab").write_text(
        "\n".join(["affine many {N | N>0}", f"output int {names} {{i,j | 0<=(i,j)<N}};", "let", *lines, "."])
    )
    answer = ask("check", "many.ab", "--timeout", "1.2")
    assert answer.code == 1
    assert "it is not decided whether" in answer.out
    assert "--> many.ab:" in answer.out


def test_an_interruption_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluating, "read_program", interrupted)
    answer = ask("eval", "sums.ab", "-p", "N=3")
    assert (answer.code, answer.out, answer.err) == (130, "", "interrupted\n")


def _wait(seconds: float) -> None:
    until = monotonic() + seconds
    while monotonic() < until:
        pass


def test_calls_from_c_do_not_make_another_exception_of_the_end() -> None:
    """ctypes raises an error of its own where an argument cannot be made."""

    class Slow:
        @property
        def _as_parameter_(self) -> int:
            _wait(5)
            return 1

    with pytest.raises(OutOfTime), alarm(0.05):
        ctypes.CDLL(None).labs(Slow())


def test_an_end_that_a_finaliser_swallows_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alphaz.diagnostics.deadline._AGAIN", 0.05)

    def swallowing() -> None:
        with suppress(OutOfTime):
            _wait(5)
        _wait(5)

    with pytest.raises(OutOfTime), alarm(0.05):
        swallowing()


def test_another_exception_in_time_stays_what_it_is() -> None:
    with pytest.raises(ValueError, match="it"), alarm(60):
        raise ValueError("it")
