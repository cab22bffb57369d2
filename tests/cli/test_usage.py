"""Wrong usage gives one line on standard error and exit code 2, never a traceback."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from alphaz.cli.inputs import parameter_sets
from alphaz.cli.main import VERBS, cli
from alphaz.cli.output import wants_colour
from tests.cli.command_line import ask
from tests.thinning import thinned

WRONG = [
    (["chek", "x.ab"], "there is no verb `chek`: did you mean `check`?"),
    (["--hlp"], "No such option"),
    (["check"], "no .ab file is given, and the project has no option `programs`"),
    (["check", "--format", "xml", "sums.ab"], "'xml' is not one of 'text', 'json'"),
    (["check", "sum.ab"], "alphaz: sum.ab does not exist; did you mean `sums.ab`?"),
    (["check", "nowhere/x.ab"], "alphaz: nowhere/x.ab does not exist: there is no folder `nowhere`"),
    (["check", "deep"], "alphaz: the folder deep has no .ab file"),
    (["check", "d*/*.ab"], "alphaz: the pattern d*/*.ab has no .ab file"),
    (["recheck", "sums.ab"], "alphaz: sums.ab cannot be used: it is no JSON"),
    (["recheck", "deep"], "alphaz: deep is a folder, not a file"),
    (["verify", "right.cs", "--jobs", "0"], "0 is not in the range x>=1"),
    (["verify", "right.cs", "--timeout", "0"], "0.0 is not in the range x>0"),
    (["verify", "right.cs", "--baseline", "none.json"], "the baseline none.json does not exist"),
    (["verify", "right.cs", "--baseline", "sums.ab"], "the baseline sums.ab is no JSON"),
    (["verify", "right.cs", "--certificate", "none/c.json"], "none/c.json cannot be written: there is no folder none"),
    (["check", "right.cs"], "alphaz: right.cs is a command script; this verb takes a program (.ab)"),
    (["check", "zeros.ab"], "alphaz: zeros.ab is not a text: it has a byte 0"),
    (["check", "latin.ab"], "alphaz: latin.ab is not a text in UTF-8: line 2 has a byte 0xe9"),
    (["check", "x\0y"], "is not a name that a file can have"),
    (["verify", "right.cs", "sums.ab"], "alphaz: sums.ab is a program; this verb takes a command script (.cs)"),
    (["check", "x" * 300], "cannot be a file: file name too long"),
    (["verify", "right.cs", "--figures", "x" * 300], "cannot be a file: file name too long"),
    (["help", "draw"], "scripts have no command `draw`: `alphaz draw --help` explains the verb"),
    (["propose", "right.cs"], "name the part to propose: alphaz propose memory right.cs"),
    (["verify", "right.cs", "--report", "r.html"], "write --report html=r.html"),
    (["verify", "rigth.cs"], "did you mean `right.cs`?"),
    (["run", "right.cs", "-o", "sums.ab"], "alphaz: sums.ab is a name of a file: -o names the folder"),
    (["run", "right.cs", "wrong.cs"], "unexpected extra argument (wrong.cs)"),
    (["test", "right.cs", "-p", "N=abc"], "`N=abc` is not of the form NAME=INTEGER"),
    (["test", "right.cs", "-p", "20"], "`20` is not of the form NAME=INTEGER"),
    (["test", "right.cs", "-p", "N=1,M=2"], "alphaz: there is no parameter `M` in `sums`: the parameters are `N`"),
    (["test", "right.cs", "-p", "n=5"], "alphaz: there is no parameter `n` in `sums`: did you mean `N`?"),
    (["test", "right.cs", "-p", "N=5", "--threads", "0"], "`0` is no list of numbers of threads, such as 1,2"),
    (["test", "right.cs", "-p", "N=5", "--seed", "x"], "'x' is not a valid integer"),
    (["test", "right.cs", "-p", "N=5", "--system", "sum"], "there is no system `sum`: did you mean `sums`?"),
    (["eval", "sums.ab"], "alphaz: `sums` needs a value for `N`: give -p N=5"),
    (["eval", "sums.ab", "-p", "N=1", "-p", "N=2"], "a parameter is given twice"),
    (["eval", "two.ab"], "give -p M=5,N=5"),
    (["eval", "sums.ab", "-p", "N=3"], "alphaz: `sums` needs values for `A`: give --in A=FILE"),
    (["eval", "sums.ab", "-p", "N=3", "--in", "A"], "`A` is not of the form NAME=FILE"),
    (["eval", "sums.ab", "-p", "N=3", "--in", "X=f"], "`sums` has no input `X`: its inputs are `A`"),
    (["eval", "sums.ab", "-p", "N=3", "--in", "A=none.txt"], "none.txt"),
    (["eval", "sums.ab", "-p", "N=3", "--in", "A=."], "cannot be read"),
    (["eval", "sums.ab", "-p", "N=0", "--in", "A=f"], "N = 0 is outside the context of `sums`"),
    (["show", "sums.ab", "--system", "sum"], "the program has no system `sum`: did you mean `sums`?"),
    (["explain"], "which rule?"),
    (["explain", "AZ999"], "alphaz: there is no rule AZ999"),
    (["help", "setMemoryMpa"], "alphaz: scripts have no command `setMemoryMpa`: did you mean `setMemoryMap`?"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(item[0]).replace("\0", "0") for item in WRONG])
def test_wrong_usage(arguments: list[str], message: str, folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "zeros.ab").write_bytes(b"affine\0")
    (folder / "two.ab").write_text("affine two {M,N | M>0 && N>0} output int y; let y = 0; .")
    (folder / "latin.ab").write_bytes(b"// caf\xc3\xa9\n// caf\xe9\n")
    answer = ask(*arguments)
    assert message in answer.err
    assert (answer.code, answer.out) == (2, "")
    assert "Traceback" not in answer.err


def test_an_unreadable_file(folder: Path) -> None:
    (folder / "locked.ab").write_text("")
    (folder / "locked.ab").chmod(0)
    if os.access(folder / "locked.ab", os.R_OK):
        pytest.skip("this user may read everything")
    answer = ask("check", "locked.ab")
    assert (answer.code, answer.err) == (2, "alphaz: locked.ab cannot be read: permission denied\n")


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "// nothing\n"])
def test_an_empty_program_is_a_finding(text: str, folder: Path) -> None:
    (folder / "empty.ab").write_text(text, encoding="utf-8")
    answer = ask("check", "empty.ab")
    assert answer.code == 1
    assert "error[AZ101]" in answer.out


def test_an_empty_script_is_clean(folder: Path) -> None:
    (folder / "empty.cs").write_text("")
    assert ask("verify", "empty.cs").code == 0


def test_an_internal_error_asks_for_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(importlib, "import_module", broken)
    answer = ask("check", "sums.ab")
    assert answer.code == 2
    assert answer.err.startswith("error[AZ901]: an internal error, not a verdict: ZeroDivisionError: by nothing\n")
    assert "please report this" in answer.err
    assert "Traceback" not in answer.err
    monkeypatch.setenv("ALPHAZ_DEBUG", "1")
    assert "Traceback" in ask("check", "sums.ab").err


def test_what_nests_too_deeply_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(name: str) -> None:
        deep(name)

    monkeypatch.setattr(importlib, "import_module", deep)
    answer = ask("check", "sums.ab")
    assert answer.code == 1
    assert answer.err.startswith("error[AZ101]: an expression or a loop nests too deeply for this\n")


def test_the_listed_summaries_are_those_of_the_verbs() -> None:
    context = cli.make_context("alphaz", [], resilient_parsing=True)
    for verb, value in VERBS.items():
        group = cli.get_command(context, verb)
        assert group is not None
        first = (group.help or "").partition("\n")[0]
        assert first.startswith(value.removesuffix("."))


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_every_help_has_an_example(verb: str) -> None:
    answer = ask(*filter(None, [verb]), "--help")
    assert answer.code == 0
    assert "Examples:" in answer.out
    assert f"alphaz {verb}".strip() in answer.out


def test_the_version() -> None:
    answer = ask("--version")
    assert answer.code == 0
    assert answer.out.startswith("alphaz 0.")


def test_show_in_both_forms() -> None:
    assert "B[i-1]" in ask("show", "sums.ab").out.replace(" ", "")
    assert "(i->i-1)@B" in ask("show", "sums.ab", "--point-free").out.replace(" ", "")


def test_explain_by_code_and_by_name() -> None:
    assert ask("explain", "az404").out.startswith("# AZ404 map-shape")
    assert ask("explain", "map-shape").out == ask("explain", "AZ404").out
    assert "AZ601 overwrite" in ask("explain", "--list").out


def test_help_of_a_command_in_any_capitals() -> None:
    assert ask("help", "setmemorymap").out.startswith(
        "setMemoryMap(program, system, variables, [space], map, [moduli])"
    )
    assert "accepted, without effect" in ask("help", "generateScanC").out
    assert "CoB" in ask("commands").out


def test_eval_prints_the_outputs(folder: Path) -> None:
    (folder / "a.txt").write_text("1 2 3\n")
    answer = ask("eval", "sums.ab", "-p", "N=3", "--in", "A=a.txt")
    assert answer.code == 0, answer.err
    assert answer.out.splitlines() == ["B[0] = 1", "B[1] = 3", "B[2] = 6", "C[0] = 1", "C[1] = 3", "C[2] = 6"]
    assert ask("eval", "sums.ab", "-p", "N=3", "--in", "A=-", stdin="1\n2\n3\n").out == answer.out
    assert ask("eval", "sums.ab", "-p", "N=3", "--in", "A=-", stdin="1 2").code == 2


def test_sets_of_parameters() -> None:
    assert parameter_sets([]) == [{}]
    assert parameter_sets(["N=20", "N=33"]) == [{"N": 20}, {"N": 33}]
    assert parameter_sets(["N=20", "M=3"]) == parameter_sets(["N=20,M=3"]) == [{"N": 20, "M": 3}]
    assert parameter_sets(["M=3", "N=1", "N=2", "N=-4"]) == [{"M": 3, "N": 1}, {"M": 3, "N": 2}, {"M": 3, "N": -4}]
    assert parameter_sets(["P=1,Q=2", "P=3,Q=4"]) == [{"P": 1, "Q": 2}, {"P": 3, "Q": 4}]


class Screen:
    def __init__(self, is_terminal: bool) -> None:
        self.is_terminal = is_terminal

    def isatty(self) -> bool:
        return self.is_terminal


@pytest.mark.parametrize(
    ("environment", "terminal", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"TERM": "dumb"}, True, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "0"}, True, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
    ],
)
def test_colours(environment: dict[str, str], terminal: bool, expected: bool) -> None:
    assert wants_colour(Screen(terminal), environment) is expected  # type: ignore[arg-type]


def run(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "alphaz.cli.main", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=60, check=False
    )


@pytest.mark.slow
def test_exit_codes_and_streams_of_a_process() -> None:
    clean, refuted = run("verify", "right.cs"), run("verify", "wrong.cs", FORCE_COLOR="1")
    assert (clean.returncode, clean.stderr) == (0, "")
    assert refuted.returncode == 1
    assert "\x1b[1;31merror[AZ502]" in refuted.stdout
    usage = run("verify", "zzz.cs")
    assert (usage.returncode, usage.stdout, usage.stderr) == (
        2,
        "",
        "alphaz: zzz.cs does not exist; there are `right.cs`, `wrong.cs`\n",
    )


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error() -> None:
    pipe = f"{sys.executable} -m alphaz.cli.main commands | head -1"
    outcome = subprocess.run(pipe, shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "Programs and files\n", "")


def test_help_loads_nothing_heavy() -> None:
    heavy = ("islpy", "lark", "numpy", "rich")
    probe = f"import sys, alphaz, alphaz.cli.main; print([m for m in {heavy} if m in sys.modules])"
    outcome = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True)
    assert outcome.stdout == "[]\n"


@pytest.mark.parametrize("verb", ["check", "verify", "run", "repl", "test", "eval", "show", "complexity", "recheck"])
def test_shells_complete_names_of_files(verb: str) -> None:
    complete = ShellComplete(cli, {}, "alphaz", "_ALPHAZ_COMPLETE")
    assert [(completion.type, completion.value) for completion in complete.get_completions([verb], "su")] == [
        ("file", "su")
    ]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk here that is always full")
@pytest.mark.parametrize("arguments", thinned([["--version"], ["--help"], ["commands"]]))
def test_output_that_cannot_be_written_is_no_internal_error(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "alphaz.cli.main", *arguments]
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    text = "alphaz: cannot write its output or a temporary file: the disk is full\n"
    assert (done.returncode, done.stderr) == (2, text)


@pytest.mark.slow
def test_pages_of_commands_are_kept_until_alphaz_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time nothing is loaded that could make them; what is kept is what was made."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked = [sys.executable, "-X", "importtime", "-m", "alphaz", "help", "setMemoryMap"]
    made, rest = (subprocess.run(asked, capture_output=True, text=True, check=False) for _ in range(2))
    assert made.stdout == rest.stdout == ask("help", "setMemoryMap").out
    assert "islpy" in made.stderr
    assert "islpy" not in rest.stderr
    assert "alphaz.scripting.commands.all" not in rest.stderr


@pytest.mark.slow
def test_a_long_name_of_a_system_has_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["s" * 5000 + last for last in "ab"]
    system = "affine {} {{N | N>0}} input int A {{i | 0<=i<N}}; output int B {{i | 0<=i<N}}; let B[i] = A[i]; .\n"
    Path("long.ab").write_text("".join(map(system.format, names)))
    mapped = [f'setSpaceTimeMap(prog, "{name}", "B", "(i -> i)");\n' for name in names]
    generated = [f'generateScheduledCode(prog, "{name}");\n' for name in names]
    Path("long.cs").write_text("".join(['prog = ReadAlphabets("long.ab");\n', *mapped, *generated]))
    assert ask("run", "long.cs", "-o", "out", "--no-prove").code == 0
    assert len([path for path in Path("out").iterdir() if path.suffix == ".c" and path.stem.startswith("s")]) == 2
    assert ask("verify", "long.cs", "--figures", "figures").code == 0
    for verb in ("test", "bench"):
        assert ask(verb, "long.cs", "-p", "N=3", "--threads", "1", "--system", names[0]).code == 0


def test_run_refuses_a_file_as_its_folder(folder: Path) -> None:
    (folder / "taken").write_text("")
    (folder / "is.c").mkdir()
    for name in ("afile.c", "taken"):
        outcome = ask("run", "right.cs", "-o", name)
        assert (outcome.code, f"{name} is a name of a file: -o names the folder" in outcome.err) == (2, True)
    assert not (folder / "afile.c").exists()
    assert ask("run", "right.cs", "-o", "is.c", "--no-prove").code == 0
