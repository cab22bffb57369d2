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
    samples = proved(Sample(PROGRAM.format(name=name), (Step("time", ("X", "(i->i)")),), system=name))
    assert samples is not None
    return samples


def with_fault(name: str, value: str) -> tuple[Proved, Sources]:
    """Its code, with another value in the place of the right one."""
    right = case(name)
    sources = right.sources()
    assert RIGHT in sources.files[f"{name}.c"]
    files = {file: text.replace(RIGHT, value) for file, text in sources.files.items()}
    return right, replace(sources, files=files)


def told(result: list[Disagreement]) -> dict[str, str]:
    return {item.case.name: item.said for item in result}


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
    texts = [with_fault(name, value) for name, value in faults.items()]
    result = told(list(executed(texts, 0, Way(seconds=2))))
    assert result.keys() == faults.keys() - {"right", "after"}
    assert result["wrong"].startswith("N=1 with 1 threads: X\n  N=1 with 2 threads: X")
    ends = {name: result[name].splitlines()[0].rpartition(" ")[2] for name in ("dead", "stopped", "endless")}
    assert ends == {"dead": "-11", "stopped": "7", "endless": "-14"}


@pytest.mark.slow
def test_what_is_not_compiled() -> None:
    texts = [with_fault(*item) for item in (("right", RIGHT), ("wrong", "nothing"), ("narrow", "A[i] + N"))]
    result = told(list(executed(texts, 0, Way().with_flags(*STRICT))))
    assert result.keys() == {"wrong", "narrow"}
    assert all(value.startswith("is not compiled: ") for value in result.values())
    assert "-Werror=conversion" in result["narrow"]


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
    texts = [with_fault("right", RIGHT), with_fault("beyond", f"{RIGHT} + (A[i + 1] == 123456789)")]
    assert list(executed(texts, 0, Way())) == []
    assert "heap-buffer-overflow" in told(list(executed(texts, 0, way)))["beyond"]
    shifted = [with_fault("right", RIGHT), with_fault("shifted", f"{RIGHT} + 0 * (1 << (A[i] + 64))")]
    result = told(list(executed(shifted, 0, way)))
    assert result.keys() == {"shifted"}
    assert "shift exponent" in result["shifted"]
