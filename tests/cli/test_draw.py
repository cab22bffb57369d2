"""`alphaz draw` and `alphaz verify --figures`: what is written, where, and what is refused."""

import shutil
from pathlib import Path

import pytest

from alphaz.cli import figure_files
from tests.cli.command_line import ask


def test_a_figure_on_standard_output() -> None:
    answer = ask("draw", "right.cs", "-p", "N=3")
    assert answer.code == 0
    assert answer.out.startswith("<svg ")
    assert "N = 3" in answer.out


def test_a_figure_in_a_file(folder: Path) -> None:
    answer = ask("draw", "wrong.cs", "-o", "witness.svg")
    assert answer.code == 0
    assert answer.out == ""
    assert "wrote witness.svg: sums: in which step each operation is done" in answer.err
    assert "AZ502" in (folder / "witness.svg").read_text(encoding="utf-8")


def test_on_a_terminal_a_figure_is_written_into_the_working_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alphaz.cli.draw._is_on_terminal", lambda: True)
    answer = ask("draw", "sums.ab")
    assert (answer.code, answer.out) == (0, "")
    assert "wrote sums-sums-domain.svg: sums: what is computed" in answer.err
    assert (folder / "sums-sums-domain.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert ask("draw", "sums.ab", "--stdout").out.startswith("<svg ")
    assert ask("draw", "sums.ab", "-o", "-").out.startswith("<svg ")
    assert ask("draw", "sums.ab", "--stdout", "-o", "a.svg").code == 2


def test_the_domain_of_a_program() -> None:
    assert "what is computed, and who reads whom" in ask("draw", "sums.ab").out


def test_the_counterexample_of_a_program_that_is_rejected(folder: Path) -> None:
    text = (folder / "sums.ab").read_text(encoding="utf-8")
    (folder / "gap.ab").write_text("affine gap {N|N>0} input int A {i|0<=i<N}; output int B {i|0<=i<N};\n"
                                   "let B[i] = {|i>0} : A[i]; .\n", encoding="utf-8")  # fmt: skip
    answer = ask("draw", "gap.ab", "-o", "gap.svg")
    assert answer.code == 1
    assert "error[AZ304]" in answer.err
    assert "wrote gap.svg: gap: what is computed" in answer.err
    assert "never defined" in (folder / "gap.svg").read_text(encoding="utf-8")
    # Other kinds need a program that is right, and one that cannot be read has no point to be drawn.
    assert ask("draw", "gap.ab", "--kind", "order").out == ""
    (folder / "cut.ab").write_text(text[: len(text) // 2], encoding="utf-8")
    assert ask("draw", "cut.ab").out == ""


@pytest.mark.slow
@pytest.mark.skipif(figure_files._converter() is None, reason="nothing here draws SVG")
def test_a_png(folder: Path) -> None:
    answer = ask("draw", "right.cs", "-o", "dates.png")
    assert answer.code == 0, answer.err
    assert (folder / "dates.png").read_bytes().startswith(b"\x89PNG")


def test_a_png_without_a_converter_is_refused_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    answer = ask("draw", "right.cs", "-o", "dates.png")
    assert answer.code == 2
    assert "needs rsvg-convert" in answer.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("right.cs", "-o", "dates.pdf"), 2, "no .svg or .png file"),
        (("right.cs", "-o", "no/dates.svg"), 2, "no is no folder"),
        (("right.cs", "-p", "N=400"), 1, "AZ841"),
        (("right.cs", "-p", "M=4"), 2, "AZ807"),
        (("right.cs", "--kind", "tiles"), 1, "nothing is tiled"),
        (("right.cs", "--kind", "witness"), 1, "its mapping is proved"),
        (("right.cs", "--variable", "Q"), 1, "no variable `Q`"),
        (("right.cs", "--system", "sum"), 2, "did you mean `sums`"),
        (("right.cs", "-p", "N=3", "-p", "N=4"), 2, "two values"),
        (("nothing.cs",), 2, "nothing.cs"),
    ],
)
def test_what_cannot_be_drawn(arguments: tuple[str, ...], code: int, said: str) -> None:
    answer = ask("draw", *arguments)
    assert (answer.code, said in answer.err) == (code, True), answer.err
    assert answer.out == ""


def test_figures_of_a_verification(folder: Path) -> None:
    answer = ask("verify", "right.cs", "wrong.cs", "--figures", "out")
    assert answer.code == 1
    names = sorted(path.name for path in (folder / "out").iterdir())
    assert {"right-sums-dates.svg", "wrong-sums-witness.svg"} <= set(names)
    assert ask("verify", "right.cs", "--figures", "no/such").code == 2
    assert ask("verify", "right.cs", "--figures", "right.cs").code == 2


def test_a_mapping_that_is_not_well_formed_has_no_figure(folder: Path) -> None:
    text = (folder / "right.cs").read_text(encoding="utf-8").replace('"(i->i)"', '"(i->i,0)"', 1)
    (folder / "odd.cs").write_text(text + 'setSpaceTimeMap(prog, "sums", "B", "(i->i)");\n', encoding="utf-8")
    answer = ask("verify", "odd.cs", "--figures", "out")
    assert answer.code == 1
    assert "no figure of sums (odd.cs): the mapping is not well formed" in answer.err
