"""Functions that the program declares and C defines, for the interpreter: of a header, or of C's own library."""

import math
from pathlib import Path

import pytest
from click.testing import CliRunner

from alphaz.analysis.read import read_program
from alphaz.cli.main import cli
from alphaz.diagnostics import Rejected, Source
from alphaz.model.interpreter import evaluate
from alphaz.run.externals import external_functions

ROOTS = """double sqrt(double); double pow(double, double); {more}
affine roots {{N | N>=1}}
input double x {{i | 0<=i<N}};
output double y {{i | 0<=i<N}};
let y[i] = pow(sqrt(x[i]), 3){use};
.
"""


def _program(more: str = "", use: str = "") -> Source:
    return Source("roots.ab", ROOTS.format(more=more, use=use))


def test_mathematical_functions_need_no_header(tmp_path: Path) -> None:
    checked = read_program(_program())
    functions = external_functions(checked.program, tmp_path)
    values = evaluate(checked.program, checked.facts, "roots", {"N": 2}, {"x": [4.0, 2.0]}, functions)
    assert values["y"].tolist() == [8.0, math.pow(math.sqrt(2.0), 3)]


def test_a_function_of_that_name_and_other_types_is_the_users(tmp_path: Path) -> None:
    source = Source("roots.ab", ROOTS.format(more="", use="").replace("double sqrt(double)", "float sqrt(double)"))
    assert set(external_functions(read_program(source).program, tmp_path)) == {"pow"}


def test_a_header_is_all_that_counts_where_there_is_one(tmp_path: Path) -> None:
    header = "#define sqrt(x) ((x) + 1)\nstatic double twice(double x) { return 2 * x; }\n"
    (tmp_path / "external_functions.h").write_text(header)
    checked = read_program(_program("double twice(double);", " + twice(x[i])"))
    functions = external_functions(checked.program, tmp_path)
    assert (functions["sqrt"](3.0), functions["twice"](3.0)) == (4.0, 6.0)


def test_what_is_missing_is_told_with_a_remedy_for_the_command_line_and_for_python(tmp_path: Path) -> None:
    checked = read_program(_program("double mine(double);", " + mine(x[i])"))
    functions = external_functions(checked.program, tmp_path)
    with pytest.raises(Rejected) as refused:
        evaluate(checked.program, checked.facts, "roots", {"N": 1}, {"x": [4.0]}, functions)
    (diagnostic,) = refused.value.diagnostics
    assert "`mine` has no implementation" in diagnostic.message
    assert "external_functions.h" in (diagnostic.help or "")
    assert "externals={'mine': ...}" in (diagnostic.help or "")


def test_run_says_that_the_header_holds_prototypes(tmp_path: Path) -> None:
    (tmp_path / "roots.ab").write_text(_program().text)
    script = tmp_path / "roots.cs"
    script.write_text('prog = ReadAlphabets("roots.ab");\ngenerateWriteC(prog, "roots");\n')
    result = CliRunner().invoke(cli, ["run", str(script)])
    assert f"wrote {tmp_path / 'external_functions.h'}: prototypes only" in result.output


@pytest.mark.slow
def test_functions_of_another_file_are_named_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "roots.ab").write_text(_program("double mine(double);", " + mine(x[i])").text)
    (tmp_path / "roots.cs").write_text('prog = ReadAlphabets("roots.ab");\ngenerateWriteC(prog, "roots");\n')
    (tmp_path / "other.h").write_text("#include <math.h>\nstatic double mine(double x) { return 10 * x; }\n")
    (tmp_path / "x.txt").write_text("4 9\n")
    runner, value = CliRunner(), ["--functions", str(tmp_path / "other.h")]
    words = ["eval", str(tmp_path / "roots.ab"), "-p", "N=2", "--in", f"x={tmp_path / 'x.txt'}"]
    assert "--functions FILE.h" in runner.invoke(cli, words).output
    assert runner.invoke(cli, [*words, *value]).output == "y[0] = 48.0\ny[1] = 117.0\n"
    test = ["test", str(tmp_path / "roots.cs"), "-p", "N=2"]
    without = runner.invoke(cli, test)
    assert without.exit_code == 2
    assert "`mine` has no implementation" in without.output
    assert runner.invoke(cli, [*test, *value]).exit_code == 0
    assert runner.invoke(cli, [*test, "--functions", "nowhere.h"]).exit_code == 2


def test_functions_beside_the_program_are_found_where_the_script_is_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "roots.ab").write_text(_program("double mine(double);", " + mine(x[i])").text)
    (tmp_path / "external_functions.h").write_text(
        "#include <math.h>\nstatic double mine(double x) { return 3 * x; }\n"
    )
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts" / "roots.cs"
    script.write_text('prog = ReadAlphabets("../roots.ab");\ngenerateWriteC(prog, "roots");\n')
    assert CliRunner().invoke(cli, ["test", str(script), "-p", "N=2"]).exit_code == 0
