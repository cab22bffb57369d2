"""A target of one's own: plain C with a function for each nest of loops, in this file alone."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from alphaz.c import tree as c
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.codegen.targets.all import TARGETS
from alphaz.codegen.targets.loop_program import LoopProgram, c_files
from alphaz.codegen.targets.target import Target
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.run.kernel import compile_kernel
from tests.cli.command_line import ask
from tests.codegen.generated_kernels import proved
from tests.codegen.test_threads import BOTH, DATES, PROGRAM


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


def test_the_command_line_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "program.ab").write_text(PROGRAM)
    script = tmp_path / "script.cs"
    script.write_text(f'prog = ReadAlphabets("program.ab");\n{DATES}{BOTH}\ngenerateScheduledCode(prog, "f");\n')
    refused = ask("run", script, "--target", "outlined")
    assert (refused.code, "openmp, sequential" in refused.err) == (2, True)
    monkeypatch.setitem(TARGETS, OUTLINED.name, OUTLINED)
    assert ask("run", script, "-o", tmp_path / "out", "--target", "outlined").code == 0
    assert "static void f_loops_2(" in (tmp_path / "out/f.c").read_text()
