"""`alphaz matrix`: from formulas to proved C, with one command."""

import re
from pathlib import Path

import pytest

from alphaz.equivalence.c_proof import STAGE_A, Effort
from alphaz.equivalence.driver import generated_code
from alphaz.scripting.commands.reference import EXAMPLE_PROGRAM
from tests.cli.command_line import ask
from tests.thinning import thinned

pytestmark = pytest.mark.slow

RESIDUAL = "RESIDUAL\nin A : matrix, b, x : vector\nout r : vector, s : scalar\n{ r = b - A*x  s = r'*r }\n"


def test_a_kernel_becomes_proved_code(folder: Path) -> None:
    (folder / "residual.m").write_text(RESIDUAL)
    answer = ask("matrix", "build", "residual.m", "-o", "out")
    assert answer.code == 0
    assert "RESIDUAL: proved" in answer.out
    assert {path.name for path in (folder / "out").iterdir()} >= {
        "residual.ab",
        "residual.cs",
        "RESIDUAL.c",
        "RESIDUAL.h",
    }
    dates = re.findall(r'-> (.*?)\)"\);', (folder / "out" / "residual.cs").read_text())
    assert [date.split(",")[:2] for date in dates] == [["0", "i"]] * 3, "all in one loop"
    assert ask("verify", "out/residual.cs").code == 0
    assert ask("test", "out/residual.cs", "-p", "m=7,n=5", "--threads", "1,2").code == 0


@pytest.mark.long
def test_loops_are_not_shared_where_tiles_move_less(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "product.m").write_text("PRODUCT in A, B : row matrix out C : row matrix { C = A*B }")
    assert ask("matrix", "build", "out/product.m").code == 0, "without -o next to the kernel"
    assert "setTiling(" in (folder / "out" / "product.cs").read_text()


def test_packed_and_banded_matrices_are_passed_so(folder: Path) -> None:
    types = "in S : column symmetric(upper) packed matrix, G : band(1, k) banded matrix, x : vector"
    (folder / "tight.m").write_text(
        f"TIGHT {types} out y, z : vector, C : symmetric(lower) packed matrix {{ y = S*x  z = G*x  C = x*x' }}"
    )
    assert ask("matrix", "build", "tight.m", "-o", "out").code == 0
    header = " ".join((folder / "out" / "TIGHT.h").read_text().replace(" * ", " ").split())
    assert "packed row: (j,i) is element i + j (j + 1) / 2" in header
    assert "banded row: (i,j) is element i (k + 2) + j - i + 1" in header
    assert ask("test", "out/tight.cs", "-p", "m=5,n=9,k=2", "--threads", "2", "--sanitize").code == 0


def test_nothing_is_replaced_without_being_asked(folder: Path) -> None:
    (folder / "residual.m").write_text(RESIDUAL)
    (folder / "residual.ab").write_text(EXAMPLE_PROGRAM)
    answer = ask("matrix", "build", "residual.m")
    assert (answer.code, answer.out) == (2, "")
    assert "residual.ab exists already: --force replaces it" in answer.err
    assert (folder / "residual.ab").read_text() == EXAMPLE_PROGRAM


def test_what_is_shown_is_a_program(folder: Path) -> None:
    (folder / "residual.m").write_text(RESIDUAL)
    (folder / "residual.ab").write_text(ask("matrix", "show", "residual.m").out)
    assert ask("check", "residual.ab").code == 0
    assert ask("matrix", "check", "residual.m").out == "residual.m: RESIDUAL over m, n: no findings\n"


def test_what_is_wrong_is_shown_in_the_kernel(folder: Path) -> None:
    (folder / "wrong.m").write_text(RESIDUAL.replace("A*x", "A*r"))
    answer = ask("matrix", "check", "wrong.m")
    assert answer.code == 1
    assert "error[AZ201]: `r` is read before it is assigned" in answer.err
    assert "--> wrong.m:4:13" in answer.err
    text = ask("matrix", "check", "sums.ab").err
    assert text == "alphaz: sums.ab is a program; this verb takes a kernel of matrices (.m)\n"


STORED = {
    "upper": "K in T : triangular(upper, unit) matrix, x : vector out y : vector { y = T*x }",
    "lower": "K in T : triangular(lower, unit) matrix, x : vector, a : scalar out y : vector { y = a*(T'*x) + x }",
    "columns": "K in T : column triangular(lower, unit) leading(lda) matrix inout x : vector { x = T*x }",
    "band": "K in A : band(kl, ku) matrix, x : vector out y : vector { y = A*x }",
    "bands": "K in A : band(1, 0) banded matrix, B : band(0, k) banded matrix out C : band(1, k) matrix { C = A*B }",
}


@pytest.mark.parametrize("name", thinned(STORED, 5))
def test_of_arrays_that_are_not_all_points_stage_a_is_proved(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(generated_code, "_LITTLE", Effort(STAGE_A))
    (folder / "k.m").write_text(STORED[name])
    assert ask("matrix", "build", "k.m", "-o", "out").code == 0
    assert "Proved of this text: stage A" in (folder / "out" / "K.c").read_text()


@pytest.mark.long
def test_a_sum_that_is_added_to_another_outside_of_all_loops_has_no_parts_of_itself(folder: Path) -> None:
    kernel = "K in T : triangular(lower, unit) matrix, S : symmetric(upper) matrix, x : vector out y : vector"
    (folder / "k.m").write_text(f"{kernel} {{ y = T'*(S*x) }}")
    assert ask("matrix", "build", "k.m", "-o", "out").code == 0
    assert ask("run", "--prove", "out/k.cs", "-o", "made").code in (0, 1)
