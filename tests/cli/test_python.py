"""The main job in five lines of Python, and the commands as functions."""

from pathlib import Path

import numpy as np
import pytest

import alphaz
from tests.cli.command_line import WRONG


def test_run_verify_compile_and_call_in_python() -> None:
    design = alphaz.run("right.cs")
    verdict = alphaz.verify(design)
    assert verdict.is_proved
    assert repr(verdict).startswith("sums: proved, ")
    kernel = alphaz.compile(design)
    outputs = kernel(N=4, A=np.array([1, 2, 3, 4], dtype=np.int32))
    assert isinstance(outputs, dict)
    assert outputs["B"].tolist() == outputs["C"].tolist() == [1, 3, 6, 10]


def test_a_refuted_mapping_is_not_compiled() -> None:
    design = alphaz.run("wrong.cs")
    verdict = alphaz.verify(design)
    assert not verdict.is_proved
    assert "error[AZ502]" in str(verdict)
    with pytest.raises(alphaz.Rejected, match="AZ804"):
        alphaz.compile(design)


def test_commands_are_functions() -> None:
    design = alphaz.read("sums.ab")
    mapped = alphaz.set_space_time_map(design, "sums", "B, C", "(i->i)")
    stored = alphaz.set_memory_map(mapped, "sums", "B", "(i->i)", space="rows", moduli="0")
    assert design.mapped_systems == ()
    assert alphaz.verify(stored).is_proved
    assert alphaz.list_memory_maps(stored) == "sums:\n  B: (i -> i) in rows\n"
    assert stored.history[-1] == 'setMemoryMap(prog, "sums", "B", "rows", "(i->i)", "0");'
    assert repr(stored).startswith("Design(sums (mapped))\nsums:\n  ")
    assert alphaz.verify_target_mapping(stored, "sums").is_proved
    assert "sums.c" in alphaz.generate_scheduled_code(stored, "sums").files


def test_commands_are_methods_and_chains() -> None:
    design = alphaz.read("sums.ab").normalize_reduction().add_local("sums", "S", "0,0,0,1")
    mapped = design.change_of_basis("sums", "S", "(i -> i+1)").set_space_time_map("sums", ["B", "C", "S"], "(i->i)")
    assert isinstance(mapped, alphaz.Design)
    assert mapped.mapped_systems == ("sums",)
    assert "change_of_basis" in dir(mapped)
    assert "S[i+1]" in mapped.ashow()
    assert mapped.set_parallel("sums", "", 0).list_space_time_maps("sums").endswith("dimensions 0 of all: PARALLEL\n")
    with pytest.raises(AttributeError, match="a design has no command 'set_space_time_mapp'"):
        mapped.set_space_time_mapp  # noqa: B018


def test_a_notebook_shows_a_program_as_mathematics() -> None:
    shown = alphaz.read("sums.ab")._repr_latex_()
    assert shown.startswith(r"$$\begin{aligned} & \textbf{sums} \quad \left\{N \mid N \geq 1\right\} \\ ")
    assert r"C_{i} = \sum\limits_{\substack{k \\ 0 \leq k \leq i}} A_{k}" in shown


def test_warnings_of_commands_are_warnings() -> None:
    with pytest.warns(alphaz.CommandWarning, match="setVecVarForTiledC has no effect here"):
        alphaz.set_vec_var_for_tiled_c(None, "B")
    mapped = alphaz.read("sums.ab").add_local("sums", "S", "0,0,0,1").set_memory_map("sums", "S", "(i->i)")
    with pytest.warns(alphaz.CommandWarning, match="memory map"):
        mapped.inline_all("sums", "S").remove_unused_variables()


def test_the_history_prints_as_a_script_that_makes_the_design_again(tmp_path: Path) -> None:
    design = alphaz.read("sums.ab").set_space_time_map("sums", "B, C", "(i->i)").rename_variable("sums", "B", "S")
    (tmp_path / "again.cs").write_text(str(design.history), encoding="utf-8")
    again = alphaz.run(tmp_path / "again.cs")
    assert again.history == design.history
    assert (again.ashow(), again.list_space_time_maps()) == (design.ashow(), design.list_space_time_maps())


def test_a_wrong_call_says_what_a_script_would_be_told() -> None:
    design = alphaz.read("sums.ab")
    with pytest.raises(alphaz.Rejected, match="system `sums` has no variable `X`"):
        alphaz.set_space_time_map(design, "sums", "X", "(i->i)")
    with pytest.raises(alphaz.Rejected, match="these arguments do not go together"):
        alphaz.set_space_time_map(design, "sums", "C", "(i,k->i)", init="(i->i)", level=0)
    with pytest.raises(AttributeError, match="no attribute 'set_space_time_mapp'"):
        alphaz.set_space_time_mapp  # noqa: B018


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(alphaz.Rejected, match=r"nothing\.cs does not exist"):
        alphaz.run("nothing.cs")
    (tmp_path / "bad.cs").write_text(WRONG.replace("setSpaceTimeMap", "setSpaceTime"))
    with pytest.raises(alphaz.Rejected, match="there is no command `setSpaceTime`"):
        alphaz.run(tmp_path / "bad.cs")
    (tmp_path / "empty.cs").write_text("")
    with pytest.raises(alphaz.Rejected, match="reads no program"):
        alphaz.run(tmp_path / "empty.cs")


def test_a_system_that_is_not_there() -> None:
    with pytest.raises(alphaz.Rejected, match="there is no system `sum`"):
        alphaz.compile(alphaz.run("right.cs"), "sum")


def test_a_notebook_shows_a_verdict_as_text(folder: Path) -> None:
    shown = alphaz.verify(alphaz.run("wrong.cs"))._repr_html_()
    assert "<pre>sums: refuted" in shown
    assert "AZ502" in shown
    assert "(i-&gt;-i)" in shown
    assert "<script" not in shown
