"""The target `cuda`: register tiles of threads; proved, and executed without a GPU."""

import shutil
from pathlib import Path

import pytest

from alphaz.codegen.scheduled.pipeline import Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c, tree_text
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.diagnostics import Rejected, Source
from alphaz.equivalence.differential_run import Where, agree, executables
from alphaz.equivalence.driver.generated_code import prove_generated
from alphaz.scripting.interpreter.run import run_script
from tests.codegen.generated_kernels import proved, sample
from tests.codegen.test_cuda_packing import DATES, PRODUCT
from tools.fuzz_cuda import compiled_by_nvcc

TILES = """setTiling(prog, "mm", 0, 8); setTiling(prog, "mm", 1, 12); setTiling(prog, "mm", 2, 3);
"""
REGISTERS = f"""{DATES}{TILES}setRegisterTile(prog, "mm", 0, 2); setRegisterTile(prog, "mm", 1, 3);
"""


def test_threads_have_several_values_cyclically(tmp_path: Path) -> None:
    tree = tree_text(proved(tmp_path, PRODUCT, REGISTERS), "mm", Pipeline(), target=CUDA_TARGET)
    assert "2 x 3 registers of each thread" in tree
    assert "i = ti + thread_y + 4 * part_y" in tree
    assert "j = tj + thread_x + 4 * part_x" in tree
    # The loop over k is around the values of a thread; full tiles have no tests.
    full = tree[tree.index("if ti + 8 <= N and tj + 12 <= M") : tree.index("else:")]
    assert [line.split(" = ")[0].strip() for line in full.splitlines()[1:7]] == [
        "for k", "for part_y", "i", "for part_x", "j", full.splitlines()[6].split(" = ")[0].strip()
    ]  # fmt: skip
    assert "if" not in full.splitlines()[1:]
    text = scheduled_c(proved(tmp_path, PRODUCT, REGISTERS), "mm", target=CUDA_TARGET).files["mm.cu"]
    assert "double own_C[6];" in text
    # The array is written once, after all products are added.
    assert text.count("C[i * M + j] =") == 1


def test_cells_that_are_read_first_stay_in_memory(tmp_path: Path) -> None:
    """The sum of a sweep begins with that of the sweep before."""
    program = """affine sweep {N,T | N>=1 && T>=1} input double a {i | 0<=i<N}; output double b {i | 0<=i<N};
local double x {t,i | 0<=t<=T && 0<=i<N};
let x[t,i] = case {| t==0}: a[i]; {| t>0}: x[t-1,i] * 0.5; esac; b[i] = x[T,i]; ."""
    commands = """setSpaceTimeMap(prog, "sweep", "x", "(t,i->i,t)"); setSpaceTimeMap(prog, "sweep", "b", "(i->i,T+1)");
setMemoryMap(prog, "sweep", "x", "b", "(t,i->i)"); setTiling(prog, "sweep", 0, 8); setTiling(prog, "sweep", 1, 4);
setBlockDimensions(prog, "sweep", "", 0, "x"); setThreadDimensions(prog, "sweep", "", 0, "x=4");
setRegisterTile(prog, "sweep", 0, 2);"""
    tree = tree_text(proved(tmp_path, program, commands), "sweep", Pipeline(), target=CUDA_TARGET)
    assert "part_x" in tree
    assert "registers of each thread" not in tree


def test_registers_do_not_outlive_the_tiles_of_their_cells(tmp_path: Path) -> None:
    """Values are packed around the tiles along x, which each block visits one after the other."""
    commands = REGISTERS.replace('"mm", 2, 3', '"mm", 2, 64') + 'setPacking(prog, "mm", "C", "A", 0);'
    verified = proved(tmp_path, PRODUCT.replace("K>=1", "1<=K<=8").replace("[i,k]", "[i,0]"), commands)
    tree = tree_text(verified, "mm", Pipeline(), target=CUDA_TARGET)
    assert "for tj = 0; tj < M; by 12:" in tree
    assert "registers of each thread" not in tree


@pytest.mark.slow
def test_values_are_those_of_the_interpreter(tmp_path: Path) -> None:
    these = executables(proved(tmp_path, PRODUCT, REGISTERS), "mm", target=CUDA_TARGET, where=Where.APART)
    for sizes in ({"N": 1, "M": 1, "K": 1}, {"N": 9, "M": 14, "K": 4}):
        assert agree(these, sizes, (2,), 1).findings == ()


@pytest.mark.long
@pytest.mark.slow
def test_the_sample_is_proved_with_shared_memory_and_registers() -> None:
    verified = sample("gpu/gemm/gemm.cs")
    sources = scheduled_c(verified, "gemm")
    assert prove_generated(sources, verified.design.checked, "gemm", jobs=1).verdict.is_proved
    these = executables(verified, "gemm", target=CUDA_TARGET, where=Where.APART)
    assert agree(these, {"NI": 33, "NJ": 35, "NK": 9}, (1,), 1).findings == ()
    if shutil.which("nvcc") is not None:
        assert compiled_by_nvcc(sources) == ""


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        (REGISTERS.replace("1, 12", "1, 16"), "4 threads along x with 3 values each share a tile of 16 values"),
        (DATES + 'setRegisterTile(prog, "mm", 1, 3);', "register tiles along x need tiles of blocks"),
        (DATES + TILES + 'setRegisterTile(prog, "mm", 2, 3);', "register tiles of dimensions that threads do not"),
    ],
)
def test_register_tiles_of_other_sizes_are_refused(tmp_path: Path, commands: str, message: str) -> None:
    with pytest.raises(Rejected, match=message) as caught:
        scheduled_c(proved(tmp_path, PRODUCT, commands), "mm", target=CUDA_TARGET)
    assert {finding.rule.code for finding in caught.value.diagnostics} == {"AZ407"}


def test_vectors_are_no_size_of_a_register_tile_of_threads(tmp_path: Path) -> None:
    (tmp_path / "program.ab").write_text(PRODUCT)
    text = f'prog = ReadAlphabets("program.ab");\n{DATES}{TILES}setRegisterTile(prog, "mm", 1, "auto");\n'
    session = run_script(Source("script.cs", f'{text}VerifyTargetMapping(prog, "mm", "MIN");\n'), tmp_path)
    found = [*session.findings, *(f for verdict in session.design_verdicts for f in verdict.first.findings)]
    assert any("register tile must be a number" in finding.message for finding in found)
