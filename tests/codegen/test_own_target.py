"""A target of one's own: plain C with a function for each nest of loops, a compiler and a way to start programs; in
this file alone.
"""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.c import tree as c
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.loop_program import LoopProgram, c_files
from alphaz.codegen.targets.openmp import OPENMP
from alphaz.codegen.targets.registry import TARGETS
from alphaz.codegen.targets.target import Target
from alphaz.codegen.toolchain import Harness, Language, Toolchain
from alphaz.diagnostics import Rejected
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.loops.modes import Sequential, Vector
from alphaz.run.bench.contestants import Candidates, files_beside
from alphaz.run.kernel import compile_kernel
from tests.cli.command_line import ask
from tests.codegen.generated_kernels import proved, run
from tests.codegen.test_threads import BOTH, DATES, PROGRAM

SUMS = """affine f {N | N>=1}
input double a {i | 0<=i<N}; output double b {i | 0<=i<N};
let b[i] = case {| i==0}: a[0]; {| i>0}: b[i-1] + a[i]; esac; .
"""


def outlined(program: LoopProgram) -> Sources:
    """The files of a system whose loops stand in functions of their own; these take the names that they use."""
    functions: list[c.Function] = []
    body: list[c.Statement] = []
    known = {parameter.name: parameter for parameter in program.loops.parameters}
    for statement in program.loops.body or ():
        if isinstance(statement, c.Declare):
            known[statement.name] = c.Parameter(statement.type, statement.name)
        if isinstance(statement, c.For):
            used = c.names_used([statement])
            parameters = tuple(parameter for name, parameter in known.items() if name in used)
            name = f"{program.loops.name}_{len(functions)}"
            functions.append(c.Function(c.VOID, name, parameters, (statement,), "static"))
            statement = c.Evaluate(c.Call(name, tuple(c.Name(parameter.name) for parameter in parameters)))
        body.append(statement)
    return c_files(replace(program, loops=replace(program.loops, body=tuple(body))), functions)


OUTLINED = Target("outlined", lower=outlined)


def test_each_nest_is_a_function(tmp_path: Path) -> None:
    """Proved like any C, and it computes the same as that for OpenMP."""
    verified = proved(tmp_path, PROGRAM, DATES + BOTH)
    checked, sources = verified.design.checked, scheduled_c(verified, "f", target=OUTLINED)
    text = sources.files["f.c"]
    assert [f"static void f_loops_{at}(" in text for at in range(4)] == [True, True, True, False]
    assert "pragma" not in text
    assert prove_generated(sources, checked, "f", jobs=1).verdict.is_proved
    a = np.random.default_rng(1).random((5, 3, 5))
    one, other = (compile_kernel(each, checked, "f") for each in (sources, scheduled_c(verified, "f")))
    for mine, expected in zip(one(a=a).values(), other(a=a).values(), strict=True):  # type: ignore[union-attr]
        np.testing.assert_array_equal(mine, expected)


# --- a compiler and a way to start programs ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Site:
    """A target with two programs of its own in a folder, which record their arguments; and a script for it."""

    folder: Path
    target: Target

    @property
    def script(self) -> Path:
        return self.folder / "script.cs"

    def calls(self, program: str) -> list[list[str]]:
        """Returns the recorded arguments, and forgets them."""
        path = self.folder / f"{program}.log"
        lines = path.read_text().splitlines() if path.exists() else []
        path.write_text("")
        return [line.split() for line in lines]


# Starts as many processes, and ends with the status of the first.
_MEMBERS = """count=${1#*=}; shift; number=1
while [ $number -lt $count ]; do MEMBER=$number "$@" & number=$((number + 1)); done
MEMBER=0 "$@"; status=$?; wait; exit $status"""
_MEMBER = """#include <stdlib.h>
#include "member.h"
int member(void) { const char *number = getenv("MEMBER"); return number == NULL ? -1 : atoi(number); }
"""


def _recording(folder: Path, name: str, line: str) -> str:
    program = folder / name
    program.write_text(f'#!/bin/sh\necho "$@" >> {folder}/{name}.log\n{line}\n')
    program.chmod(0o755)
    return str(program)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    compiler = _recording(tmp_path, "compiler", 'exec gcc "$@"')
    launcher = _recording(tmp_path, "launcher", _MEMBERS)
    toolchain = Toolchain(
        commands=(compiler,),
        variable="OUTLINED_CC",
        exact=("-O2", "-DEXACT"),
        fast=("-O3", "-DFAST"),
        files=(("member.h", "int member(void);\n"), ("member.c", _MEMBER)),
    )
    harness = Harness(
        includes='#include "member.h"\n',
        start="    if (member() < 0) {\n        return 9;\n    }",
        is_first="member() == 0",
        command=lambda members: (launcher, f"members={members}"),
        is_loadable=False,
    )
    target = replace(OUTLINED, toolchain=toolchain, harness=harness)
    monkeypatch.setitem(TARGETS, target.name, target)
    (tmp_path / "program.ab").write_text(SUMS)
    made = Site(tmp_path, target)
    made.script.write_text("""prog = ReadAlphabets("program.ab"); setSpaceTimeMap(prog, "f", "b", "(i->i)");
setTarget(prog, "f", "outlined"); generateScheduledCode(prog, "f"); generateWrapper(prog, "f");
generateMakefile(prog, "f");
""")
    return made


def test_the_command_line_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program.ab").write_text(PROGRAM)
    script = tmp_path / "script.cs"
    script.write_text(f'prog = ReadAlphabets("program.ab");\n{DATES}{BOTH}\ngenerateScheduledCode(prog, "f");\n')
    refused = ask("run", script, "--target", "outlined")
    assert (refused.code, "openmp, sequential" in refused.err) == (2, True)
    monkeypatch.setitem(TARGETS, OUTLINED.name, OUTLINED)
    assert ask("run", script, "-o", tmp_path / "out", "--target", "outlined").code == 0
    assert "static void f_loops_2(" in (tmp_path / "out/f.c").read_text()


@pytest.mark.slow
def test_tests_and_benchmarks_take_its_compiler_and_start_its_programs(site: Site) -> None:
    answer = ask("test", site.script, "-p", "N=5", "--threads", "1,3")
    assert answer.code == 0, answer.out
    assert [call[0] for call in site.calls("launcher")] == ["members=1", "members=3"]
    built = [call for call in site.calls("compiler") if "-o" in call and "f.c" in call]
    assert built
    assert all({"-DEXACT", "member.c"} <= set(call) for call in built)
    answer = ask("bench", site.script, "-p", "N=9", "--threads", "2", "--rounds", "1", "--against", "gcc")
    assert answer.code == 0, answer.out
    assert "left out: there is no" in answer.out
    assert {call[0] for call in site.calls("launcher")} == {"members=2"}
    assert any("-DFAST" in call for call in site.calls("compiler"))


@pytest.mark.slow
def test_candidates_of_a_search_are_started_by_it(site: Site) -> None:
    verified = proved(site.folder, SUMS, site.script.read_text().partition(";")[2].partition("generate")[0])
    system = verified.design.program.system("f")
    candidates = Candidates.of(system, {"N": 4}, 2, files_beside(site.folder / "program.ab", "f"), 1)
    contestant = candidates.compile("first", verified)
    assert contestant.run() >= 0.0
    assert contestant.outputs is not None
    assert contestant.outputs()["b"].shape == (4,)
    assert [call[0] for call in site.calls("launcher")] == ["members=2"]
    with pytest.raises(Rejected, match="processes of its own"):
        compile_kernel(scheduled_c(verified, "f"), verified.design.checked, "f")


@pytest.mark.slow
@pytest.mark.long
def test_wrong_code_is_refuted_by_its_compiler_and_programs(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """`run --prove` executes code that is not proved."""

    def wrong(program: LoopProgram) -> Sources:
        sources = outlined(program)
        return replace(sources, files={**sources.files, "f.c": sources.files["f.c"].replace("] + a", "] - a")})

    monkeypatch.setitem(TARGETS, "outlined", replace(site.target, lower=wrong))
    answer = ask("run", site.script, "-o", site.folder / "out", "--prove")
    assert (answer.code, "AZ839" in answer.err + answer.out) == (2, True)
    assert {call[0] for call in site.calls("launcher")} == {"members=1"}
    assert any("-fsanitize=address,undefined" in call for call in site.calls("compiler"))


@pytest.mark.slow
def test_its_wrapper_and_makefile(site: Site) -> None:
    out = site.folder / "out"
    assert ask("run", site.script, "-o", out, "--no-prove", "--timings").code == 0
    site.calls("compiler")
    done = run(out, "make", "-s", "plain")
    assert done.returncode == 0, done.stderr
    (call,) = site.calls("compiler")
    assert {"-DEXACT", "f.c", "f-wrapper.c", "member.c"} <= set(call)
    assert run(out, "./f", "3").returncode == 9
    assert "Execution time" in run(out, "./f", "3", environment={"MEMBER": "0"}).stdout
    assert run(out, "./f", "3", environment={"MEMBER": "1"}).stdout == ""


@pytest.mark.slow
def test_another_language_is_compiled_and_not_proved(tmp_path: Path) -> None:
    language = Language("Toy", ".toy")
    toolchain = Toolchain(language=language, meaning=("-x", "c", "-std=c11"), commands=("gcc",), libraries=())
    toy = Target("toy", lower=lambda program: c_files(program, language=language), toolchain=toolchain)
    verified = proved(tmp_path, SUMS, 'setSpaceTimeMap(prog, "f", "b", "(i->i)");')
    sources, checked = scheduled_c(verified, "f", target=toy), verified.design.checked
    assert set(sources.files) == {"f.toy", "f.h", "alphaz.h"}
    assert compile_kernel(sources, checked, "f")(a=np.ones(3)).tolist() == [1.0, 2.0, 3.0]  # type: ignore[union-attr]
    verdict = prove_generated(sources, checked, "f", jobs=1).verdict
    assert (verdict.verdict, verdict.findings[0].rule.code) == ("undecided", "AZ832")


# --- limits -----------------------------------------------------------------------------------------------------------

PRODUCT = """affine f {N | N>=1}
input double A, B {i,j | 0<=i<N && 0<=j<N}; output double C {i,j | 0<=i<N && 0<=j<N};
let C[i,j] = reduce(+, [k], {| 0<=k<N}: A[i,k] * B[k,j]); .
"""


@pytest.mark.parametrize(
    ("commands", "lacking", "at"),
    [
        ('setVectorDimension(prog, "f", "", 2);', "vector loops", "setVectorDimension"),
        ('setRegisterTile(prog, "f", 2, 4);', "register loops", "setRegisterTile"),
        (
            'setTiling(prog, "f", 1, 4); setTiling(prog, "f", 2, 4); setPacking(prog, "f", "C", "B");',
            "host memory for packed values",
            "setPacking",
        ),
    ],
)
def test_what_it_lacks_is_refused_at_the_command(tmp_path: Path, commands: str, lacking: str, at: str) -> None:
    dates = 'setSpaceTimeMap(prog, "f", "C", "(i,j,k->i,k,j)", "(i,j->i,-1,j)");'
    verified = proved(tmp_path, PRODUCT, dates + commands)
    poor = Target("poor", modes=frozenset({Sequential}), spaces=frozenset())
    with pytest.raises(Rejected) as caught:
        scheduled_c(verified, "f", target=poor)
    (finding,) = caught.value.diagnostics
    assert (finding.rule.code, finding.message) == ("AZ407", f"the target `poor` has no {lacking}")
    span = finding.primary.span
    assert span.source.text[span.start :].startswith(at)


def test_loops_are_not_vectorised_where_the_target_has_no_vectors(tmp_path: Path) -> None:
    verified = proved(tmp_path, PROGRAM, DATES + BOTH)
    scalar = replace(OPENMP, modes=OPENMP.modes - {Vector})
    texts = [scheduled_c(verified, "f", target=target).files["f.c"] for target in (OPENMP, scalar)]
    assert ["simd" in text for text in texts] == [True, False]


# --- other packages ---------------------------------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package with three entry points, one of them right."""
    (tmp_path / "toy_target.py").write_text(
        "from alphaz.codegen.targets.target import Target\nTOY = Target('toy')\nOTHER = 7\n"
    )
    about = tmp_path / "toy_target-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-target\nVersion: 1\n")
    (about / "entry_points.txt").write_text(
        "[alphaz.targets]\ntoy = toy_target:TOY\nother = toy_target:OTHER\nabsent = toy_target_2:TOY\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "toy_target", raising=False)
    (tmp_path / "program.ab").write_text(SUMS)
    return tmp_path


def test_a_package_provides_a_target(package: Path) -> None:
    script = package / "script.cs"
    script.write_text("""prog = ReadAlphabets("program.ab"); setSpaceTimeMap(prog, "f", "b", "(i->i)");
setTarget(prog, "f", "toy"); generateScheduledCode(prog, "f");
""")
    assert ask("run", script, "-o", package / "out", "--no-prove").code == 0
    assert "For one thread" in (package / "out" / "f.c").read_text()
    unknown = ask("run", script, "--target", "nothing")
    assert (unknown.code, "absent, cuda, mpi, mpi-openmp, openmp, other, sequential, toy" in unknown.err) == (2, True)
    for name, reason in (("other", "no `Target` of the name `other`"), ("absent", "ModuleNotFoundError")):
        answer = ask("run", script, "--target", name)
        assert (answer.code, reason in answer.err + answer.out) == (2, True), answer
