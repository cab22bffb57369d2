"""The layout of kernel files: white space alone changes, a formatted text stays, and it means the same."""

from pathlib import Path
from random import Random

import pytest

from alphaz.diagnostics import Rejected, Source
from alphaz.frontends.matrix.checked_kernel import check_kernel
from alphaz.frontends.matrix.equations import program_text
from alphaz.frontends.matrix.formatting import _pieces, format_kernel
from alphaz.frontends.matrix.reading import read_kernel
from alphaz.syntax.formatting.pieces import is_same_text
from tests.cli.command_line import ask
from tests.frontends.matrix.random_kernels import kernel as drawn

SAMPLES = sorted((Path(__file__).parents[3] / "samples" / "matrix").glob("*.m"))
BLANKS = (
    " ",
    "  ",
    "\t",
    "\n",
    "\n\n\n",
    " // a remark\n",
    "\n  // alone\n\n",
    " /* inside */ ",
    "\n/* two\n   lines */\n",
)
LAYOUT = (
    "// head\nK// name\nin A:matrix ( row ,  leading( lda )),b,x  :  increment(i) vector\n  ,  c:scalar/* inline */ "
    "inout y:vector\nout   r : vector\n// body\n{ r=b-A*x+ - L\\ b -2.5e-3 *( -x' )'; // first\n"
    "  /* two\n     lines */\n"
    "  s = -norm2( r )\n   + c/ 2   y = y\n\n\n  // last\n}\n// end"
)
LAID_OUT = (
    "// head\nK  // name\nin  A : matrix(row, leading(lda)), b, x : increment(i) vector\n    , c : scalar "
    "/* inline */\ninout y : vector\nout r : vector\n// body\n{\n  r = b - A*x + -L \\ b - 2.5e-3*(-x')';  // first\n"
    "  /* two\n     lines */\n  s = -norm2(r)\n      + c/2\n  y = y\n\n  // last\n}\n// end\n"
)


def formatted(text: str) -> str:
    return format_kernel(Source("k.m", text))


def meaning(text: str) -> str:
    return program_text(check_kernel(read_kernel(Source("k.m", text))))


def test_the_layout() -> None:
    assert formatted(LAYOUT) == LAID_OUT
    assert formatted(LAID_OUT) == LAID_OUT
    assert formatted(LAID_OUT.replace("\n", "\r\n")) == LAID_OUT.replace("\n", "\r\n")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_are_laid_out(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert formatted(text) == text


@pytest.mark.parametrize("seed", range(6))
def test_any_white_space_and_comments(seed: int) -> None:
    rng = Random(seed)
    text = drawn(rng)
    spread = "".join(piece.text + rng.choice(BLANKS) for piece in _pieces(text))
    once = formatted(spread)
    assert formatted(once) == once
    assert is_same_text(_pieces(spread), _pieces(once))
    assert meaning(once) == meaning(text)


def test_the_verb_formats_named_kernels_and_none_of_a_folder(tmp_path: Path) -> None:
    kernel, program = tmp_path / "k.m", tmp_path / "p.ab"
    kernel.write_text("K in x:vector out y:vector { y=2*x }")
    program.write_text("affine f {N | N>0}\ninput\n    int x;\noutput\n    int y;\nlet\n    y = x;\n.\n")
    assert ask("fmt", "--check", tmp_path).code == 0
    assert ask("fmt", "--check", kernel).code == 1
    assert ask("fmt", f"{tmp_path}/*.m").code == 0
    assert kernel.read_text() == "K\nin  x : vector\nout y : vector\n{\n  y = 2*x\n}\n"
    kernel.write_text("K in x:vector out y:vector { y=2*")
    assert ask("fmt", kernel).code == 1
    with pytest.raises(Rejected):
        formatted(kernel.read_text())
