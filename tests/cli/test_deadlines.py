"""A command beyond its limit ends as undecided and names the current work; an interruption ends it cleanly."""

import ctypes
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic, process_time, sleep

import click
import pytest

from alphaz.cli import eval as evaluating
from alphaz.cli.main import VERBS, cli
from alphaz.diagnostics import work_limits
from alphaz.diagnostics.work_limits import OutOfTime, alarm
from alphaz.processes import watch
from alphaz.processes.pool import Expired, Pool
from tests.cli.command_line import Answer, ask
from tests.cli.pool_tasks import Job, job
from tests.thinning import thinned

# An alarm rings anywhere: in a finaliser too, where it is lost, or before a file that was just opened has its `with`.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

# Eight thousand million additions.
LONG = """affine lengthy {N | N>=1}
output double y;
let y = reduce(+, (i,j,k->), {i,j,k | 0<=(i,j,k)<N} : [i] * [j+k]);
.
"""


@pytest.mark.slow
def test_an_evaluation_ends_with_the_place_that_it_was_at(folder: Path) -> None:
    (folder / "lengthy.ab").write_text(LONG)
    answer = ask("eval", "lengthy.ab", "-p", "N=2000", "--timeout", "1")
    assert (answer.code, answer.out) == (1, "")
    assert "error[AZ801]: it is not decided which values the outputs of `lengthy` have" in answer.err
    assert "--> lengthy.ab:1:8" in answer.err
    assert "the time limit of 1 s is used up" in answer.err


@pytest.mark.parametrize("verb", ["run", "test", "bench"])
def test_the_verbs_of_scripts_end_too(verb: str, folder: Path) -> None:
    before = set(folder.iterdir())
    answer = ask(verb, "right.cs", *([] if verb == "run" else ["-p", "N=5"]), "--timeout", "0.0001")
    assert (answer.code, answer.out) == (1, "")
    assert "AZ801" in answer.err
    assert set(folder.iterdir()) == before, "nothing is written by halves"


def test_what_is_done_in_time_is_as_without_a_limit() -> None:
    assert ask("show", "sums.ab", "--timeout", "60") == ask("show", "sums.ab")


def run(*arguments: str, code: str = "") -> Answer:
    """The command line in a process of its own, after some code."""
    program = f"{code}\nimport sys\nfrom alphaz.cli.main import main\nsys.argv[:] = ['alphaz', *sys.argv[1:]]\nmain()"
    command = [sys.executable, "-P", "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return Answer(done.returncode, done.stdout, done.stderr)


# They print what is known, or answer a person who is there.
WITHOUT_LIMITS = ("new", "explain", "commands", "help", "repl", "lsp")

# A verb that uses time or memory, and hears no alarm.
DEAF = """
import alphaz.cli.show
from tests.cli.pool_tasks import endless
from alphaz.diagnostics import Source, Span
from alphaz.diagnostics.work_limits import working_at
def busy(*_):
    with working_at(Span(Source("sums.ab", ""), 0, 6), "whether it is right", "choose smaller groups of steps"):
        endless({!r})
alphaz.cli.show.read_program = busy
import alphaz.processes.watch, alphaz.cli.resource_limits
alphaz.processes.watch.GRACE = 0.1
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "option", "reason"),
    [
        ("deaf", ("--timeout", "0.3"), "the time limit of 0.3 s is used up"),
        ("grow", ("--memory", "0.2"), "the memory limit of 0.2 GB is used up"),
    ],
)
def test_a_process_that_does_not_hear_the_alarm_is_ended(name: str, option: tuple[str, str], reason: str) -> None:
    answer = run("show", "sums.ab", *option, code=DEAF.format(name))
    assert (answer.code, answer.out) == (1, "")
    assert "it is not decided whether it is right" in answer.err
    assert "--> sums.ab:1:1" in answer.err
    assert "or choose smaller groups of steps" in answer.err
    assert reason in answer.err


@pytest.mark.slow
@pytest.mark.long
def test_a_limit_of_the_system_is_a_limit_too() -> None:
    """`ulimit -v`: beyond it, libraries fail one by one."""
    code = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
    answer = run("show", "sums.ab", code=code + DEAF.format("grow"))
    assert (answer.code, answer.out) == (1, "")
    assert "it is not decided" in answer.err
    assert "`ulimit -v`" in answer.err or "the system gives no more memory" in answer.err


def test_the_handler_imports_nothing() -> None:
    """It may interrupt an import, inside of which Python imports nothing else."""
    code = """
import sys, time
from alphaz.diagnostics.work_limits import alarm
with alarm(60.0, 1 << 40):
    loaded = {*sys.modules}
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        pass
    print({*sys.modules} - loaded)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_the_limits_of_a_project_hold(folder: Path) -> None:
    (folder / "lengthy.ab").write_text(LONG)
    (folder / "alphaz.toml").write_text("timeout = 0.25\nmemory = 8\n")
    answer = ask("eval", "lengthy.ab", "-p", "N=2000")
    assert answer.code == 1
    assert "the time limit of 0.25 s is used up" in answer.err


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb not in WITHOUT_LIMITS])
def test_every_verb_that_computes_has_limits(verb: str) -> None:
    group = cli.get_command(click.Context(cli), verb)
    assert group is not None
    for command in group.commands.values() if isinstance(group, click.Group) else (group,):
        assert {"timeout", "memory"} <= {param.name for param in command.params}, command.name


@pytest.mark.slow
def test_the_answer_of_the_process_is_the_answer() -> None:
    assert run("show", "sums.ab") == ask("show", "sums.ab")
    assert run("show", "none.ab").code == 2


def test_a_process_that_dies_says_where() -> None:
    answer = run("show", "sums.ab", code=DEAF.format("hang").replace("endless('hang')", "import os; os.abort()"))
    assert answer.code == 2
    assert "its process ended with signal SIGABRT, while it was to be found out whether it is right" in answer.err


@pytest.mark.slow
def test_an_interruption_ends_the_process_too() -> None:
    code = DEAF.format("hang") + "import os, signal, threading\nsignal.alarm"
    answer = run("show", "sums.ab", code=code.replace("signal.alarm", INTERRUPT))
    assert (answer.code, answer.out) == (130, "")


# Another process interrupts this one alone.
INTERRUPT = """
import time
if os.fork() == 0:
    time.sleep(1.5)
    os.kill(os.getppid(), signal.SIGINT)
    os._exit(0)
"""


@pytest.mark.slow
def test_work_that_does_not_hear_the_alarm_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "GRACE", 0.2)
    tasks = [Job("deaf"), Job("square", 3)]
    assert dict(Pool(job, timeout=0.5).run(tasks)) == {Job("deaf"): Expired(0.5), Job("square", 3): 9}


@pytest.mark.slow
def test_work_that_takes_too_much_memory_is_ended() -> None:
    tasks = [Job("grow"), Job("square", 3)]
    reason = "the memory limit of 0.4 GB is used up"
    assert dict(Pool(job, memory=400_000_000).run(tasks)) == {
        Job("grow"): Expired(0.0, reason=reason),
        Job("square", 3): 9,
    }


def _chain(length: int) -> str:
    """Returns a program of many equations, each of which reads the one before."""
    names = ", ".join(f"x{at}" for at in range(length))
    lines = [f"  x{at}[i,j] = case {{| j==0}} : [i]; {{| j>0}} : x{at - 1}[i,j-1]; esac;" for at in range(1, length)]
    declared = f"output int {names} {{i,j | 0<=j<=i<N}};"
    return "\n".join(["affine many {N | N>0}", declared, "let", "  x0 = 1;", *lines, "."])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verb", "program", "seconds"),
    thinned(
        [
            *(("check", "many.ab", seconds) for seconds in (0.5, 1)),
            *((verb, "many.ab", 0.5) for verb in ("show", "schedule")),
            *((verb, "many.cs", 0.5) for verb in ("verify", "run")),
        ],
        6,
    ),
)
def test_a_large_file_ends_with_the_phase_and_the_place(folder: Path, verb: str, program: str, seconds: float) -> None:
    """It takes much longer to read than the limit, on machines of any speed. The limit may be reached between two
    phases, where the finding is less precise: one of three attempts must not.
    """
    (folder / "many.ab").write_text(_chain(int(4000 * seconds)))
    (folder / "many.cs").write_text('prog = ReadAlphabets("many.ab");\ngenerateWriteC(prog, "many");\n')
    assert any(_ends_inside(verb, program, seconds) for _ in range(3))


def _ends_inside(verb: str, program: str, seconds: float) -> bool:
    """Whether the finding names a phase of the work and a place in the program, after the checks of any finding."""
    answer = ask(verb, program, "--timeout", seconds)
    text = answer.out + answer.err
    assert answer.code == 1
    assert "error[AZ801]: it is not decided wh" in text
    return "it is not decided whe" in text and "whether the program is" not in text and "--> many.ab:" in text


def test_an_interruption_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluating, "read_program", interrupted)
    answer = ask("eval", "sums.ab", "-p", "N=3")
    assert (answer.code, answer.out, answer.err) == (130, "", "interrupted\n")


def _wait(seconds: float) -> None:
    until = process_time() + seconds
    while process_time() < until:
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
    monkeypatch.setattr("alphaz.diagnostics.work_limits._AGAIN", 0.05)

    def swallowing() -> None:
        with suppress(OutOfTime):
            _wait(5)
        _wait(5)

    with pytest.raises(OutOfTime), alarm(0.05):
        swallowing()


def test_a_slow_look_is_not_interrupted_by_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a look takes longer than the pause between two looks."""
    open_looks: list[int] = []
    depths: list[int] = []

    def slow() -> None:
        open_looks.append(1)
        depths.append(len(open_looks))
        sleep(0.15)
        open_looks.pop()

    monkeypatch.setattr(work_limits, "_SHARE", 0)
    monkeypatch.setattr(work_limits, "usage", slow)
    start = monotonic()
    with alarm(60.0):
        while monotonic() - start < 1:
            pass
    assert len(depths) > 2
    assert max(depths) == 1


def test_another_exception_in_time_stays_what_it_is() -> None:
    with pytest.raises(ValueError, match="it"), alarm(60):
        raise ValueError("it")
