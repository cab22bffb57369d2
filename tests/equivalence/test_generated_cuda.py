"""The blocks of a GPU in traces: counted in the model of the generated CUDA, and by the rule of the mapping."""

from collections import Counter
from pathlib import Path

import pytest

from alphaz.diagnostics import Rejected
from alphaz.equivalence.driver.generated_cuda import with_gpu_blocks
from alphaz.figures.drawing.figures import figure
from alphaz.figures.trace.trace_data import LaunchedBlocks
from alphaz.figures.trace.tracing import trace
from tests.codegen.generated_kernels import proved
from tests.codegen.test_cuda_target import BARRIERS, DATES, PRODUCT, ROWS, SHARED, STEPS

pytestmark = pytest.mark.slow


def _blocks(folder: Path, program: str, script: str, **parameters: int) -> LaunchedBlocks:
    verified = proved(folder, program, script)
    (system,) = verified.mappings
    shown = with_gpu_blocks(trace(verified.design, system, parameters), verified.design)
    assert shown.blocks is not None
    return shown.blocks


def test_blocks_share_the_elements_of_a_product(tmp_path: Path) -> None:
    """A thread has an element of S: its first value, K terms, and the element of C."""
    found = _blocks(tmp_path, PRODUCT, DATES + SHARED, N=6, M=9, K=2)
    elements = Counter((i // 4, j // 8) for i in range(6) for j in range(9))
    assert found.axes == ("y", "x")
    assert found.launches == 1
    assert {share.block: share.threads for share in found.shares} == dict(elements)
    assert all(share.operations == 4 * share.threads for share in found.shares)


def test_a_block_for_each_row(tmp_path: Path) -> None:
    found = _blocks(tmp_path, ROWS, STEPS + BARRIERS, R=3, T=3, N=6)
    assert [(share.block, share.operations, share.threads) for share in found.shares] == [
        ((row,), 6 * 5, 4) for row in range(3)
    ]


def test_loops_of_the_host_launch_kernels(tmp_path: Path) -> None:
    """Those of one thread as well: all operations are counted."""
    rows, steps, points = 2, 2, 5
    script = STEPS + 'setThreadDimensions(prog, "rows", "", 2, "x=2");'
    found = _blocks(tmp_path, ROWS, script, R=rows, T=steps, N=points)
    assert sum(share.operations for share in found.shares) == rows * (steps + 2) * points
    assert {share.block for share in found.shares} == {()}
    assert max(share.threads for share in found.shares) == 2
    assert found.launches == len(found.shares) > rows * (steps + 2)


def test_the_figure_names_blocks_and_launches(tmp_path: Path) -> None:
    verified = proved(tmp_path, ROWS, STEPS + BARRIERS)
    shown = with_gpu_blocks(trace(verified.design, "rows", {"R": 2, "T": 1, "N": 3}), verified.design)
    assert "block x=1 in launch 1: 9 operations, 3 threads" in figure(shown, "blocks").description


def test_a_mapping_for_processors_has_no_blocks(tmp_path: Path) -> None:
    verified = proved(tmp_path, ROWS, STEPS)
    shown = with_gpu_blocks(trace(verified.design, "rows"), verified.design)
    assert shown.blocks is None
    with pytest.raises(Rejected, match="has no blocks of a GPU"):
        figure(shown, "blocks")
