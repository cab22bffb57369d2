"""Cells of notebooks: programs and scripts with their verdicts and figures, and designs as figures."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import alphaz
from alphaz.ide.notebook import CellOutput, load_ipython_extension

PROGRAM = """affine sums {N | N>=1}
input double x {i | 0<=i<N};
output double y {i | 0<=i<N};
let y[i] = case {| i==0} : x[i]; {| i>0} : y[i-1] + x[i]; esac;
.
"""
SCRIPT = """prog = ReadAlphabets("sums.ab");
setSpaceTimeMap(prog, "sums", "y", "(i -> i)");
"""
WRONG = f'{SCRIPT}setParallel(prog, "sums", "", 0);\n'


@dataclass
class Shell:
    """A shell with the two functions of IPython that the extension uses."""

    variables: dict[str, object] = field(default_factory=dict)
    magic: Callable[[str, str], object] = lambda _, __: None

    def register_magic_function(
        self, func: Callable[[str, str], object], magic_kind: str = "line", magic_name: str | None = None
    ) -> None:
        assert (magic_kind, magic_name) == ("cell", "alphaz")
        self.magic = func

    def push(self, variables: dict[str, object]) -> None:
        self.variables |= variables


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.chdir(tmp_path)
    made = Shell()
    load_ipython_extension(made)
    return made


def _output(shell: Shell, line: str, cell: str) -> CellOutput:
    result = shell.magic(line, cell)
    assert isinstance(result, CellOutput)
    return result


def test_a_script_reads_the_program_of_another_cell(shell: Shell) -> None:
    program = _output(shell, "", PROGRAM)
    assert repr(program) == "sums.ab: checked"
    assert program._repr_html_().count("<svg") == 1
    proved = _output(shell, "sums.cs --design mine -p N=4", SCRIPT)
    assert repr(proved) == "sums: proved, 2 obligations"
    assert "N = 4" in proved._repr_html_()
    assert repr(shell.variables["mine"]).startswith("Design(sums (mapped))")
    refuted = _output(shell, "--kind lifetimes", WRONG)
    assert "AZ502" in repr(refuted)
    assert "would be legal" in repr(refuted)
    assert "which value is in which cell" in refuted._repr_html_()


def test_mistakes_are_findings_and_wrong_options_are_said(shell: Shell) -> None:
    assert "AZ101" in repr(_output(shell, "x.ab", "affine"))
    assert "AZ405" in repr(_output(shell, "", SCRIPT))
    assert "&lt;" in _output(shell, "x.ab", "affine <b>")._repr_html_()
    for line in ("--none", "--kind none", "-p N", "a.ab b.ab", "'", "k.m", "p.c", "p.txt"):
        assert repr(_output(shell, line, PROGRAM)).startswith(f"%%alphaz {line}: ")
    assert not shell.variables


def test_help_and_the_reason_for_no_figure(shell: Shell) -> None:
    assert "usage: %%alphaz" in repr(_output(shell, "--help", ""))
    large = _output(shell, "x.ab -p N=100000", PROGRAM)
    assert "no figure: " in repr(large)
    assert "<svg" not in large._repr_html_()
    for line in ("--design 3x", "--design for", "-p N=" + "9" * 5000):
        assert repr(_output(shell, line, PROGRAM)).startswith(f"%%alphaz {line}: ")


def test_designs_are_figures_and_mathematics(shell: Shell) -> None:
    program = alphaz.read("sums.ab", text=PROGRAM)
    assert str(program._repr_html_()).startswith("<svg")
    assert "aligned" in program._repr_latex_()
    design = alphaz.run("x.cs", text=WRONG, texts={"sums.ab": PROGRAM})
    html = str(design._repr_html_())
    assert "AZ502" in html
    assert "(i -&gt; i)" in html


@pytest.mark.slow
def test_the_extension_in_ipython(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    testing = pytest.importorskip("IPython.core.interactiveshell", reason="IPython is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    shell = testing.InteractiveShell()
    shell.run_line_magic("load_ext", "alphaz")
    assert shell.run_cell(f"%%alphaz\n{PROGRAM}").success
    result = shell.run_cell(f"%%alphaz sums.cs\n{WRONG}").result
    data, _ = shell.display_formatter.format(result)
    assert "<svg" in data["text/html"]
    assert "AZ502" in data["text/plain"]
    data, _ = shell.display_formatter.format(shell.user_ns["design"])
    assert {"text/html", "text/latex", "text/plain"} <= set(data)
