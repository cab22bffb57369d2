"""Declared operators are tried for the laws that a reduction needs, in a process of its own."""

import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from alphaz.analysis.read import read_program
from alphaz.cli.main import cli
from alphaz.diagnostics import Source
from alphaz.ide.features.script_analysis import staged_analyses
from alphaz.ide.features.workspace import Workspace
from alphaz.ide.studio.analysis import StudioState, analyse
from alphaz.ide.studio.request import StudioRequest
from alphaz.run.operator_trials import operator_findings
from tests.thinning import thinned

pytestmark = pytest.mark.slow

PROGRAM = """//@ identity op = {identity}
{type} op({type}, {type});
affine folded {{N | N>=1}}
input {type} x {{i | 0<=i<N}};
output {type} y;
let y = reduce(op, [i], x[i]);
.
"""
GCD = "while (b != 0) { int r = a % b; a = b; b = r; } return a < 0 ? -a : a;"
LAWFUL = [
    ("int", "0", "return a + b;"),
    ("int", "0", GCD),
    ("int", "-1", "return a & b;"),
    ("char", "0", "return a ^ b;"),
    ("bool", "false", "return a != b;"),
    ("double", "0", "return a + b + a * b;"),
    ("double", "0", "return hypot(a, b);"),
    ("double", "-INFINITY", "return fmax(a, b);"),
    ("float", "1.0", "return a * b;"),
    ("int", "0", "return ((a % 7 + b % 7) % 7 + 7) % 7;"),
    ("int", "0", "return a || b;"),
    ("double", "INFINITY", "return fmin(a, b);"),
]
BROKEN = [
    ("int", "0", "return a - b;", "has another identity than 0", "op(0, -1) is 1"),
    ("int", "1", "return a + b;", "has another identity than 1", "op(1, 1) is 2"),
    ("int", "0", "return b;", "has another identity than 0", "op(1, 0) is 0"),
    ("int", "0", "return a + b + a * a * b;", "is not commutative", "op(1, -1) is"),
    ("int", "0", "return a + b + 3 * a * b * (a + b);", "is not associative", "op(op("),
    ("double", "0", "return (a + b) / 2;", "has another identity than 0", "op("),
    ("int", "0", "return a * b;", "has another identity than 0 on the left", "op(0, 1) is 0"),
    ("int", "0", "return a < b ? a : b;", "has another identity than 0 on the left", "op(0, 1) is 0"),
    ("int", "0", "return a > b ? a : b;", "has another identity than 0 on the left", "op(0, -1) is 0"),
    ("int", "0", "return a & b;", "has another identity than 0 on the left", "op(0, 1) is 0"),
    ("int", "0", "return a;", "has another identity than 0 on the left", "op(0, 1) is 0"),
    ("int", "0", "return 0;", "has another identity than 0 on the left", "op(0, 1) is 0"),
    ("bool", "false", "return a && b;", "has another identity than false on the left", "op(False, True) is False"),
    ("double", "0", "return a * b;", "has another identity than 0 on the left", "op(0.0, 1.0) is 0.0"),
    ("int", "0", "return 1 / (a - a);", "crashes", "SIG"),
]


def _findings(folder: Path, type_: str, identity: str, body: str) -> list[str]:
    c_type = {"bool": "bool", "char": "int8_t"}.get(type_, type_)
    header = f"#include <stdint.h>\n#include <stdbool.h>\n#include <math.h>\nstatic {c_type} op({c_type} a, {c_type} b)"
    (folder / "external_functions.h").write_text(f"{header} {{ {body} }}\n")
    checked = read_program(Source("folded.ab", PROGRAM.format(identity=identity, type=type_)))
    return [f"{finding.message}; {finding.notes[0]}" for finding in operator_findings(checked.program, folder)]


@pytest.mark.parametrize(("type_", "identity", "body"), thinned(LAWFUL, 3))
def test_lawful_operators_have_no_finding(tmp_path: Path, type_: str, identity: str, body: str) -> None:
    assert _findings(tmp_path, type_, identity, body) == []


@pytest.mark.parametrize(("type_", "identity", "body", "law", "witness"), thinned(BROKEN, 3))
def test_a_broken_law_has_a_small_witness(
    tmp_path: Path, type_: str, identity: str, body: str, law: str, witness: str
) -> None:
    (finding,) = _findings(tmp_path, type_, identity, body)
    assert law in finding
    assert witness in finding


def test_an_operator_that_loops_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[operator_findings.__module__], "_SECONDS", 0.1)
    (finding,) = _findings(tmp_path, "int", "0", "for (;;) { }")
    assert "does not end" in finding


def test_without_a_body_nothing_is_tried(tmp_path: Path) -> None:
    program = read_program(Source("folded.ab", PROGRAM.format(identity="0", type="int"))).program
    assert operator_findings(program, tmp_path) == ()
    assert operator_findings(program, None) == ()
    (tmp_path / "external_functions.h").write_text("int op(int, int);\n")
    assert operator_findings(program, tmp_path) == ()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A program whose operator is not lawful, and a script that reads it."""
    _findings(tmp_path, "int", "0", "return a - b;")
    (tmp_path / "folded.ab").write_text(PROGRAM.format(identity="0", type="int"))
    (tmp_path / "folded.cs").write_text(
        'prog = ReadAlphabets("folded.ab");\nsetSpaceTimeMap(prog, "folded", "y", "( -> )");\n'
    )
    return tmp_path


@pytest.mark.parametrize("arguments", thinned(["check folded.ab", "verify folded.cs", "run folded.cs"]))
def test_verbs_report_a_broken_law(arguments: str, folder: Path) -> None:
    verb, name = arguments.split()
    outcome = CliRunner().invoke(cli, [verb, str(folder / name)])
    assert outcome.output.count("warning[AZ317]: the operator `op`") == 1
    assert outcome.exit_code == 0
    if verb != "run":
        assert CliRunner().invoke(cli, [verb, "--strict", str(folder / name)]).exit_code == 1


@pytest.mark.parametrize("name", ["folded.ab", "folded.cs"])
def test_the_language_server_reports_a_broken_law_of_the_open_text(name: str, folder: Path) -> None:
    workspace, path = Workspace(), str(folder / name)
    workspace.put(path, (folder / name).read_text())
    assert workspace.needs_analysis(path)
    workspace.analyses[path] = next(staged_analyses(workspace.job(path, hinting=False)))
    (finding,) = workspace.findings(str(folder / "folded.ab"))
    assert finding.rule.code == "AZ317"
    workspace.put(path, "affine {")
    assert not workspace.needs_analysis(path)


@pytest.mark.parametrize("name", ["folded.ab", "folded.cs"])
def test_the_studio_tries_operators_on_demand(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    files = {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}
    for executes in (False, True):
        request = StudioRequest("analyse", files, name, executes=executes)
        values: list[dict[str, Any]] = list(analyse(request, StudioState()))
        codes = [finding["code"] for value in values for finding in value.get("findings", ())]
        notes = [note for value in values for note in value.get("notes", ())]
        assert ("AZ317" in codes, "Try the operators" in "".join(notes)) == (executes, not executes)


def test_check_reports_a_header_that_does_not_compile(tmp_path: Path) -> None:
    (tmp_path / "external_functions.h").write_text("static int op(int a, int b) { return a+; }\n")
    program = tmp_path / "folded.ab"
    program.write_text(PROGRAM.format(identity="0", type="int"))
    outcome = CliRunner().invoke(cli, ["check", str(program)])
    assert "error[AZ803]" in outcome.output
    assert outcome.exit_code == 1
