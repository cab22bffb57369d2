"""Faults in generated code are found, whatever they do: wrong values, deaths, loops without an end, silent overruns."""

import os
from dataclasses import replace

import pytest

from alphaz.codegen.sources import Sources
from tests.differential.execution import STRICT, Disagreement, Way, disagreements, executed, sanitized
from tests.strategies.mapped_programs import Sample, Step
from tools.differential.proved_mappings import Proved, proved

PROGRAM = """affine {name} {{N | N>=1}}
input
  int A {{i | 0<=i<N}};
output
  int X {{i | 0<=i<N}};
let
  X[i] = A[i] + 1;
.
"""
RIGHT = "sum_int(A[i], 1)"


def case(name: str) -> Proved:
    found = proved(Sample(PROGRAM.format(name=name), (Step("time", ("X", "(i->i)")),), system=name))
    assert found is not None
    return found


def with_fault(name: str, value: str) -> tuple[Proved, Sources]:
    """Its code, with another value in the place of the right one."""
    right = case(name)
    sources = right.sources()
    assert RIGHT in sources.files[f"{name}.c"]
    files = {file: text.replace(RIGHT, value) for file, text in sources.files.items()}
    return right, replace(sources, files=files)


def told(found: list[Disagreement]) -> dict[str, str]:
    return {each.case.name: each.said for each in found}


@pytest.mark.slow
def test_every_fault_names_its_sample() -> None:
    faults = {
        "right": RIGHT,
        "wrong": "sum_int(A[i], 2)",
        "dead": "*(volatile int *)8",
        "stopped": "(exit(7), 1)",
        "endless": "({ for (volatile int k = 0;; k++) { } 1; })",
        "after": RIGHT,
    }
    written = [with_fault(name, value) for name, value in faults.items()]
    found = told(list(executed(written, 0, Way(seconds=2))))
    assert found.keys() == faults.keys() - {"right", "after"}
    assert found["wrong"].startswith("N=1 with 1 threads: X\n  N=1 with 2 threads: X")
    ends = {name: found[name].splitlines()[0].rpartition(" ")[2] for name in ("dead", "stopped", "endless")}
    assert ends == {"dead": "-11", "stopped": "7", "endless": "-14"}


@pytest.mark.slow
def test_what_is_not_compiled() -> None:
    written = [with_fault(*each) for each in (("right", RIGHT), ("wrong", "nothing"), ("narrow", "A[i] + N"))]
    found = told(list(executed(written, 0, Way().with_flags(*STRICT))))
    assert found.keys() == {"wrong", "narrow"}
    assert all(said.startswith("is not compiled: ") for said in found.values())
    assert "-Werror=conversion" in found["narrow"]


def test_what_is_not_generated(monkeypatch: pytest.MonkeyPatch) -> None:
    right = case("right")

    def refusing(*_: object, **__: object) -> Sources:
        raise KeyError("missing")

    monkeypatch.setattr("tools.differential.proved_mappings.scheduled_c", refusing)
    assert told(disagreements([right])) == {"right": "is not generated: KeyError: 'missing'"}


@pytest.mark.slow
def test_overruns_that_change_no_value_are_reported_by_the_sanitizer() -> None:
    """And they alone: the values are right."""
    way = sanitized()
    if not all(map(os.path.exists, way.environment["LD_PRELOAD"].split())):
        pytest.skip("the compiler has no AddressSanitizer that can be loaded")
    written = [with_fault("right", RIGHT), with_fault("beyond", f"{RIGHT} + (A[i + 1] == 123456789)")]
    assert list(executed(written, 0, Way())) == []
    assert "heap-buffer-overflow" in told(list(executed(written, 0, way)))["beyond"]
    shifted = [with_fault("right", RIGHT), with_fault("shifted", f"{RIGHT} + 0 * (1 << (A[i] + 64))")]
    found = told(list(executed(shifted, 0, way)))
    assert found.keys() == {"shifted"}
    assert "shift exponent" in found["shifted"]
