"""A reduction inside another one has the value that it has in an equation of its own: over no points, the identity.

The programs are random; for some points of the outer reduction, or for some sizes, the inner one has no points.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from alphaz.analysis.read import read_program
from alphaz.analysis.texts.node_numbers import sites
from alphaz.analysis.texts.show import ashow
from alphaz.codegen.demand.write_c import write_c
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics import Source
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.model.expression import Reduce
from alphaz.model.interpreter import evaluate
from alphaz.run.kernel import compile_kernel
from alphaz.transform.normal.normalize import normalize
from alphaz.transform.normal.normalize_reduction import normalize_reduction
from alphaz.transform.normal.simplify import simplify
from alphaz.transform.variables.add_local import add_local
from alphaz.transform.variables.inline import inline
from tests.codegen.generated_kernels import proved
from tests.search.schedule.proposals import proposed
from tests.thinning import thinned

pytestmark = pytest.mark.slow

SIZES = (0, 1, 2, 4)
SEEDS = range(12)

_OPERATORS = ("+", "*", "max", "min")
_INNER_POINTS = (
    "{| 0<=j<N}", "{| 0<=j<k}", "{| k<j<N}", "{| 0<=j<k-1}", "{| j==2k && j<N}", "{| 2<=j<=k && k<N}", "",
)  # fmt: skip
_INNER_VALUES = ("A[k,j]", "z[j]", "x[k] + z[j]", "case {| j==0}: z[j]; {| j>0}: A[k,j] - 1; esac")
_BODIES = (
    "x[k] + INNER",
    "INNER",
    "{| 0<=k<3}: x[k] * INNER",
    "{| 0<=k<3}: 2 - INNER",
    "if x[k] > 0 then INNER else x[k]",
    "case {| k==0}: x[k]; {| 1<=k<3}: x[k] - INNER; esac",
    "{| 0<=k<3}: 1 + (k->k) @ (INNER)",
)


def _program(random: Random, named: bool) -> str:
    """With the inner reduction in the body of the outer one, or `named` as a local over all of its points."""
    outer, operator = random.choice(_OPERATORS), random.choice(_OPERATORS)
    points, value = random.choice(_INNER_POINTS), random.choice(_INNER_VALUES)
    inner = f"reduce({operator}, [j], {points}{': ' if points else ''}{value})"
    body = random.choice(_BODIES)
    if body == "INNER":
        body = "{| 0<=k<3}: INNER"
    local = "local int s {k | 0<=k<3};" if named else ""
    definition = f"s[k] = {inner};" if named else ""
    whole = body.replace("INNER", "s[k]" if named else inner)
    return (
        "affine nested {N | N>=0} input int x {k | 0<=k<3}; int z {j | 0<=j<N}; int A {k,j | 0<=k<3 && 0<=j<N};"
        f" output int y; {local} let {definition} y = reduce({outer}, [k], {whole}); ."
    )


def _design(text: str) -> Design:
    return Design(read_program(Source("nested.ab", text)))


def _inputs(size: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(size)
    shapes: dict[str, tuple[int, ...]] = {"x": (3,), "z": (size,), "A": (3, size)}
    return {name: random.integers(-4, 5, shape).astype(np.int32) for name, shape in shapes.items()}


def _values(design: Design) -> list[int]:
    run = (evaluate(design.program, design.checked.facts, "nested", {"N": n}, _inputs(n)) for n in SIZES)
    return [np.asarray(item["y"]).item() for item in run]


@pytest.mark.parametrize("seed", SEEDS)
def test_naming_the_inner_reduction_changes_no_value(seed: int) -> None:
    inline_, named = (_design(_program(Random(seed), item)) for item in (False, True))
    assert _values(inline_) == _values(named)


@pytest.mark.parametrize("seed", thinned(SEEDS, 6))
def test_transformations_keep_the_value(seed: int) -> None:
    before, named = (_design(_program(Random(seed), item)) for item in (False, True))
    wanted = _values(named)
    changes: tuple[Callable[[], Design], ...] = (
        lambda: inline(named, "nested", "y", "s"),
        lambda: add_local(before, "nested", "s", _inner(before)),
        lambda: normalize_reduction(before),
        lambda: normalize(before),
        lambda: simplify(before),
        lambda: simplify(normalize(inline(named, "nested", "y", "s"))),
    )
    for change in changes:
        after = change()
        assert _values(after) == wanted
        assert _values(_design(ashow(after.program))) == wanted


def _inner(design: Design) -> str:
    """The number of the second reduction."""
    return [site.text for site in sites(design.program) if isinstance(site.expression, Reduce)][1]


@pytest.mark.parametrize("seed", SEEDS[::4])
def test_generated_code_has_the_same_values(seed: int, tmp_path: Path) -> None:
    """Demand-driven, with dates for the outer reduction alone, and with dates for both."""
    text = _program(Random(seed), False)
    design = _design(text)
    wanted = _values(design)
    outer = proved(tmp_path, text, 'setSpaceTimeMap(prog, "nested", "y", "(k->1,k)", "(->0,0)");')
    both = certify(verify(proposed(design).design))
    for sources in (write_c(design.checked, "nested"), scheduled_c(outer, "nested"), scheduled_c(both, "nested")):
        kernel = compile_kernel(sources, design.checked, "nested", flags=("-O1",))
        assert [np.asarray(kernel.run({"N": n}, _inputs(n)).outputs["y"]).item() for n in SIZES] == wanted
