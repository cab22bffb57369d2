"""The classic kernels: every script is proved, and its compiled code computes what an independent reference computes,
with one and two threads, at small and odd sizes; so does the interpreter.
"""

import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.diagnostics.rules import ALIAS
from alphaz.legality.verify import certify, verify
from alphaz.mapping.design import Design
from alphaz.model.domain_mask import domain_mask
from alphaz.model.input_values import variable_box
from alphaz.model.interpreter import evaluate
from alphaz.model.program import System, Variable
from alphaz.run.compare import Tolerance, compare
from alphaz.run.kernel import compile_kernel
from alphaz.scripting.interpreter.python_api import read, run
from tests.kernels.references import KERNELS, reals
from tests.thinning import thinned

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "samples" / "kernels"
SCRIPTS = sorted(FOLDER.glob("*/*.cs"))
CLOSE = Tolerance(relative=1e-9, absolute=1e-9)

# Integers are compared exactly, whatever the tolerance.
EXTERNALS = {"sqrt": math.sqrt, "exp": math.exp}

# Mappings that are legal for their register tiles: these are as large as what is cut off is wide, or stand around whole
# rows that must be summed up before they are read. All others are legal for all tile sizes.
SQUARES = "16,16"
SIZED = {
    "matrix-chain-tuned": SQUARES,
    "nussinov-tuned": SQUARES,
    "optimal-search-tree-tuned": SQUARES,
    "atax-tuned": "register tiles of 2 ",
    "gesummv-tuned": "register tiles of 4 ",
}

# Of the tuned scripts those whose text is kept, to be read: one of each kind. Of the others the shape is.
READ = frozenset({"gemm-tuned", "jacobi-2d-tuned", "nussinov-tuned", "bicg-tuned"})

# The interpreter is slow: it computes the sizes of a script but the largest.
SMALL = slice(0, -1)

Sizes = Mapping[str, int]


@cache
def sizes(script: Path) -> tuple[Sizes, ...]:
    """The line `# sizes: N=2 N=9,M=3 ...` of a script."""
    match_ = re.search(r"^# sizes: (.+)$", script.read_text(encoding="utf-8"), re.MULTILINE)
    assert match_ is not None, f"{script} names no sizes"
    return tuple(
        {name: int(value) for name, value in (part.split("=") for part in group.split(","))}
        for group in match_[1].split()
    )


def loops(text: str) -> str:
    """The function that computes; what stands around it is alike everywhere."""
    match_ = re.search(r"^static void \w+_loops\(.*?^}\n", text, re.MULTILINE | re.DOTALL)
    assert match_ is not None
    return match_[0]


def shape(text: str) -> str:
    """Returns the properties of a C text that a change must not worsen unseen: loops and their modes, tests, lines."""
    lines = text.splitlines()
    counts = {
        "loops": len(re.findall(r"\bfor \(", text)),
        "in one nest": max((len(line) - len(line.lstrip())) // 4 for line in lines if "for (" in line),
        "parallel": len(re.findall(r"#pragma omp (?:parallel )?for", text)),
        "in vectors": len(re.findall(r"#pragma omp (?:parallel for )?simd", text)),
        "tests": len(re.findall(r"\bif \(", text)),
        "minima and maxima": len(re.findall(r"\b(?:min|max)64\(", text)),
        "divisions": len(re.findall(r"\bfloor_(?:div|mod)\(", text)),
        "lines": len(lines),
        "the longest": max(map(len, lines)),
    }
    return "".join(f"{what}: {count}\n" for what, count in counts.items())


@cache
def inputs(folder: str, system: System, at: int, plain: Path) -> Mapping[str, np.ndarray]:
    """Inputs at the size of this number. What lies outside of an input's domain is no number, or a very large one."""
    parameters, rng = sizes(plain)[at], np.random.default_rng(at)
    p = SimpleNamespace(**parameters)
    makers, values = KERNELS[folder].inputs, {}
    for variable in system.inputs:
        box = variable_box(variable, parameters)
        maker = makers.get(variable.name, reals(-1, 1))
        values[variable.name] = np.asarray(maker(rng, box.shape, p)).astype(variable.type.numpy)
    return values


def spoilt(variable: Variable, parameters: Sizes, values: np.ndarray) -> np.ndarray:
    """The same values inside the domain, and outside what must never be read."""
    mask = domain_mask(variable.domain, variable_box(variable, parameters), parameters)
    never = math.nan if values.dtype.kind == "f" else 1 << 29
    return np.where(mask, values, np.asarray(never, values.dtype))


@cache
def expected(folder: str, system: System, at: int, plain: Path) -> Mapping[str, np.ndarray]:
    parameters = sizes(plain)[at]
    arguments = {name: values.copy() for name, values in inputs(folder, system, at, plain).items()}
    wanted = KERNELS[folder].reference(SimpleNamespace(**parameters), SimpleNamespace(**arguments))
    return {v.name: np.asarray(wanted[v.name]).astype(v.type.numpy) for v in system.outputs}


def only_system(design: Design) -> System:
    (system,) = design.program.systems
    return system


def plain_of(script: Path) -> Path:
    return script.parent / f"{script.parent.name}.cs"


def test_every_kernel_has_a_plain_and_a_tuned_script_and_a_reference() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir()}
    assert folders == set(KERNELS)
    assert len(folders) == 36
    names = {path.relative_to(FOLDER).as_posix() for path in SCRIPTS}
    assert {f"{name}/{name}{kind}.cs" for name in folders for kind in ("", "-tuned")} <= names


def test_every_script_says_what_it_does_and_at_the_same_sizes() -> None:
    for script in SCRIPTS:
        first, *_ = script.read_text(encoding="utf-8").splitlines()
        assert first.startswith("# ")
        assert not first.startswith("# sizes:")
        assert len(sizes(script)) >= 3
        assert sizes(script) == sizes(plain_of(script))


@pytest.mark.parametrize("program", thinned(sorted(FOLDER.glob("*/*.ab"))), ids=lambda path: path.stem)
def test_the_interpreter_agrees_with_the_reference(program: Path) -> None:
    design, folder = read(program), program.parent.name
    system, plain = only_system(design), plain_of(program)
    for at, parameters in list(enumerate(sizes(plain)))[SMALL]:
        arguments = inputs(folder, system, at, plain)
        values = evaluate(design.program, design.checked.facts, system.name, parameters, arguments, EXTERNALS)
        assert compare(system.outputs, parameters, expected(folder, system, at, plain), values, CLOSE) == ()


@pytest.mark.parametrize("script", thinned(SCRIPTS, 12), ids=lambda path: path.stem)
def test_the_script_is_proved_and_its_code_reads_well_and_agrees_with_the_reference(
    script: Path, golden: Callable[[str, str], None]
) -> None:
    design, folder, plain = run(script), script.parent.name, plain_of(script)
    report = verify(design)
    assert {finding.rule for finding in report.findings} <= {ALIAS}
    (scope,) = (system.scope for system in report.systems)
    assert (SIZED[script.stem] in scope) if script.stem in SIZED else not scope
    verified = certify(report)
    system = only_system(design)
    sources = scheduled_c(verified, system.name)
    text = loops(sources.files[f"{system.name}.c"])
    if script.stem.endswith("-tuned") and script.stem not in READ:
        golden(f"kernels/{script.stem}.shape", shape(text))
    else:
        golden(f"kernels/{script.stem}.c", text)
    kernel = compile_kernel(sources, design.checked, system.name, flags=("-O1",), include=script.parent)
    for at, parameters in enumerate(sizes(script)):
        arguments = inputs(folder, system, at, plain)
        hidden = {v.name: spoilt(v, parameters, arguments[v.name]) for v in system.inputs}
        for threads in (1, 2):
            outputs = kernel.run(parameters, hidden, threads).outputs
            assert compare(system.outputs, parameters, expected(folder, system, at, plain), outputs, CLOSE) == ()
