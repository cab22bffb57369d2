"""Calls that events of the GPU time: the text has the values of the function, and its seconds."""

from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.cuda import CUDA_TARGET
from alphaz.codegen.toolchain import Harness
from alphaz.diagnostics import Source
from alphaz.run.call_program import HarnessArray, PassedArray, harness, run_harness
from alphaz.run.cuda.cpu_program import compile_cuda
from alphaz.run.cuda.timed_call import timed_arrays, timed_call
from benchmarks.cuda.measure import Measured, table
from tests.codegen.generated_kernels import proved


def test_a_table_names_what_is_not_measured() -> None:
    rows = [Measured("gemm/gemm", "NI=2", 0.002, 0.001, "CuPy"), Measured("sum/sum", "N=3", remark="out of time")]
    _, _, both, none = table("h100", rows)
    assert both.split() == ["gemm/gemm", "NI=2", "2.000", "1.000", "0.50", "of", "CuPy"]
    assert none.split()[2:] == ["not", "measured", "not", "measured", "-", "(out", "of", "time)"]


SCALED = """affine scaled {N | N>=1} input double A {i | 0<=i<N}; double f; output double B {i | 0<=i<N};
let B[i] = f * A[i] + 1.0; ."""
DATES = 'setSpaceTimeMap(prog, "scaled", "B", "(i -> i)"); setParallel(prog, "scaled", "", 0);'


@pytest.mark.slow
def test_a_timed_call_keeps_values_and_gives_seconds(tmp_path: Path) -> None:
    verified = proved(tmp_path, SCALED, DATES)
    sources = scheduled_c(verified, "scaled", target=CUDA_TARGET)
    system = verified.design.system("scaled")
    arrays = timed_arrays(sources, system)
    assert [array.by_value for array in arrays] == [False, True, False]
    flags = [HarnessArray(True, False), HarnessArray(True, False), HarnessArray(False, True), HarnessArray(False, True)]
    main = harness(Harness(), 1 + len(arrays), flags, unset=0, alignment=256)
    source = Source(str(tmp_path / "scaled.cu"), sources.files["scaled.cu"])
    for name, text in sources.files.items():
        (tmp_path / name).write_text(text)
    program = compile_cuda(source, timed_call(system, 1, arrays), main).written(tmp_path)
    values = np.arange(5.0)
    passed = [PassedArray((5,), "<f8", values), PassedArray((), "<f8", np.array(3.0))]
    passed += [PassedArray((5,), "<f8", is_output=True), PassedArray((1,), "<f8", is_output=True)]
    numbers = [5, *(array.size for array in passed[:3])]
    done = run_harness(Harness(), program, tmp_path, numbers, passed, 0, 60)
    assert done.report is not None, done.outcome.errors
    assert done.report.status == 0
    assert (done.outputs[0] == 3 * values + 1).all()
    # Each of its events is a millisecond after the one before.
    assert done.outputs[1] == pytest.approx(0.001)
