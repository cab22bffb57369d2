"""A local that no output needs is computed by no execution: what has no value in it stops none."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Rejected
from alphaz.model.interpreter import evaluate
from alphaz.run.kernel import compile_kernel
from tests.codegen.generated_kernels import proved

_STRICT = ("-O1", "-Wall", "-Wextra", "-Werror")


def _program(output: str) -> str:
    """`dead` has no value at a zero of x; `chained`, `called` and `total` need it."""
    return f"""affine part {{M | M>=1}} input int m {{i | 0<=i<M}}; output int o {{i | 0<=i<M}};
local int g {{i | 0<=i<M}}; let o[i] = m[i] * 2; g[i] = 5 / m[i]; .
affine main {{N | N>=1}} input int x {{i | 0<=i<N}}; output int y {{i | 0<=i<N}};
local int t, dead, chained, called {{i | 0<=i<N}}; int total;
let use part[N](x) returns (t);
    use part[N](chained) returns (called);
    y[i] = {output};
    dead[i] = 10 / x[i];
    chained[i] = dead[i] + 1;
    total = reduce(+, [i], called[i]); .
"""


_MAPPING = """
setSpaceTimeMap(prog, "part", "o", "(i -> 0,i)"); setSpaceTimeMap(prog, "part", "g", "(i -> 0,i)");
setSpaceTimeMap(prog, "main", "dead", "(i -> 0,i)"); setSpaceTimeMap(prog, "main", "chained", "(i -> 1,i)");
setSpaceTimeMap(prog, "main", "UseEquation_called", "(-> 2,0)");
setSpaceTimeMap(prog, "main", "UseEquation_t", "(-> 3,0)");
setSpaceTimeMap(prog, "main", "total", "(i -> 4,i)", "(-> 3,0)");
setSpaceTimeMap(prog, "main", "y", "(i -> 5,i)");
setMemoryMap(prog, "main", "dead", "shared", "(i -> i)"); setMemoryMap(prog, "main", "t", "shared", "(i -> i)");
"""


@pytest.mark.parametrize(("output", "wanted"), [("t[i] + 1", [3, 1, -3]), ("t[i] + total", None)])
def test_it_stops_all_executions_or_none(tmp_path: Path, output: str, wanted: list[int] | None) -> None:
    verified = proved(tmp_path, _program(output), _MAPPING)
    checked = verified.design.checked
    x = np.array([1, 0, -2], dtype=np.int32)
    executions: list[Callable[[], object]] = [
        lambda: evaluate(checked.program, checked.facts, "main", {"N": 3}, {"x": x})["y"]
    ]
    for sources in (write_c(checked, "main"), scheduled_c(verified, "main")):
        executions.append(partial(compile_kernel(sources, checked, "main", flags=_STRICT), N=3, x=x))
    for execute in executions:
        if wanted is None:
            with pytest.raises(Rejected, match="zero"):
                execute()
        else:
            assert np.asarray(execute()).tolist() == wanted


def test_nothing_of_it_is_left_in_the_code(tmp_path: Path) -> None:
    verified = proved(tmp_path, _program("t[i]"), _MAPPING)
    text = "".join(scheduled_c(verified, "main").files.values())
    assert not any(name in text for name in ("dead", "chained", "called", "total"))
