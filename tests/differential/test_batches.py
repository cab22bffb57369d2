"""Samples are drawn, and what is wrong with one is found: values, writes, undefined behaviour, races, code."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from alphaz.codegen.scheduled.pipeline import Pipeline
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.legality.verdicts import Verified
from tests.strategies import nests
from tests.strategies.mapped_programs import Sample
from tests.thinning import thinned
from tools.differential.batch import LARGE, Way, complaint, near_the_ends, values_wanted
from tools.differential.generation import VARIANTS, Tally, drawn
from tools.differential.proved_mappings import Proved, named, proved

pytestmark = pytest.mark.slow

PROGRAM = """affine S {N | N>=1}
input
  int A {i,j | 0<=(i,j)<N};
output
  int y {i | 0<=i<N};
let
  y[i] = reduce(+, [j], A[i,j]);
.
"""
# What begins a sum, in the text.
FIRST = "y[i] = A[i * N]"
SAMPLE = Sample(PROGRAM, lines=('setSpaceTimeMap(prog, "S", "y", "(i,j -> i,j)");', 'setParallel(prog, "S", "", 0);'))


@pytest.mark.parametrize("family", thinned(nests.FAMILIES, 3), ids=lambda family: family.__name__)
def test_programs_of_every_family_are_proved(family: Callable[[Random], Sample]) -> None:
    assert any(drawn("S7", Random(seed), Tally(), ((family, 1),)) for seed in range(8))


def test_a_variable_that_is_called_as_its_system_keeps_its_name() -> None:
    text = (
        "affine S {N | N>=1}\noutput int S {i | 0<=i<N}; int T {i | 0<=i<N};\nlet S[i] = i; use S[N] (T) returns (U); ."
    )
    result = named(Sample(text.replace("use", "\n  use"), lines=('setParallel(prog, "S", "", 0);',)), "S7")
    assert "affine S7 {N" in result.program
    assert "int S {i" in result.program
    assert "S[i] = i" in result.program
    assert "use S7[N] (T)" in result.program
    assert result.lines == ('setParallel(prog, "S7", "", 0);',)


def test_large_tiles_are_whole_along_both_parameters() -> None:
    samples = proved(Sample(PROGRAM.replace("{N |", "{N,M |"), lines=SAMPLE.lines))
    assert samples is not None
    sizes = [wanted.parameters for seed in range(4) for wanted in values_wanted(samples, Random(seed))]
    assert all(min(size.values()) >= LARGE for size in sizes if size["N"] >= LARGE)
    assert any(size["N"] >= LARGE for size in sizes)


@pytest.fixture
def case() -> Proved:
    samples = proved(SAMPLE)
    assert samples is not None
    return samples


@pytest.mark.parametrize("way", [Way(), Way(is_sanitized=True, strict=True)])
def test_what_is_right_is_silent(case: Proved, way: Way) -> None:
    assert complaint(case, way, 1) == ""


@pytest.mark.parametrize(
    ("old", "new", "way", "said"),
    thinned(
        [
            ("(unsigned int)a + (unsigned int)b", "(unsigned int)a - (unsigned int)b", Way(), "with 1 thread: y"),
            ("(int)((unsigned int)a + (unsigned int)b)", "a + b", Way(is_sanitized=True), "signed integer overflow"),
            (FIRST, "y[i] += A[i * N]", Way(), "with 1 thread: y"),
            (FIRST, "int unset; y[i] = unset & A[i * N]", Way(), "with 1 thread: y"),
            (FIRST, "y[i + (i == N - 1)] = A[i * N]", Way(), "it wrote outside of an array"),
            (FIRST, "y[i + (i == N - 1)] = A[i * N]", Way(is_sanitized=True), "heap-buffer-overflow"),
            (FIRST, "y[i] = (int)((uint64_t)0 << (N + 62))", Way(is_sanitized=True), "shift exponent"),
            (FIRST, "for (;;) y[i] = A[i * N]", Way(), "ended by SIG"),
            (FIRST, "y[i] = unknown", Way(), "it is not compiled"),
            (FIRST, "int unused; y[i] = A[i * N]", Way(strict=True), "unused"),
            (FIRST, "y[i] = (((volatile int *)y)[N - 1] & 0) + A[i * N]", Way(is_sanitized=True), "data race"),
        ],
        4,
    ),
)
def test_a_fault_is_found(
    case: Proved, monkeypatch: pytest.MonkeyPatch, old: str, new: str, way: Way, said: str
) -> None:
    def faulty(verified: Verified, system: str, *, pipeline: Pipeline) -> Sources:
        files = scheduled_c(verified, system, pipeline=pipeline).files
        assert any(old in text for text in files.values()), files
        return Sources({name: text.replace(old, new) for name, text in files.items()})

    monkeypatch.setattr("tools.differential.proved_mappings.scheduled_c", faulty)
    monkeypatch.setattr("tools.differential.batch.SECONDS", 1)
    assert said in complaint(case, way, 1)


TURNED = """affine S {N | N>=1}
input
  int A {i | 0<=i<N};
output
  int y {i | 0<=i<N};
let
  y[i] = A[i] + AT;
.
"""
ONE_ARRAY = ('setOverwritable(prog, "S", "A");', 'setMemorySpace(prog, "S", "y", "A");')


@pytest.mark.parametrize("way", [Way(), Way(is_sanitized=True)])
def test_an_input_and_an_output_are_passed_as_one_array(monkeypatch: pytest.MonkeyPatch, way: Way) -> None:
    """Right where the sources say that they may be; a fault where they say it and the array is read turned round."""
    dates = ('setSpaceTimeMap(prog, "S", "y", "(i -> i)");',)
    right = proved(Sample(TURNED.replace("AT", "A[N-1]"), lines=(*dates, *ONE_ARRAY)))
    assert right is not None
    assert right.sources().in_place == (("A", "y"),)
    assert complaint(right, way, 1) == ""
    turned = proved(Sample(TURNED.replace("AT", "A[N-1-i]"), lines=dates))
    assert turned is not None
    assert turned.sources().in_place == ()
    assert complaint(turned, way, 1) == ""

    def faulty(verified: Verified, system: str, *, pipeline: Pipeline) -> Sources:
        return replace(scheduled_c(verified, system, pipeline=pipeline), in_place=(("A", "y"),))

    monkeypatch.setattr("tools.differential.proved_mappings.scheduled_c", faulty)
    assert "with 1 thread: y" in complaint(turned, way, 1)


@pytest.mark.long
def test_the_same_is_drawn_again_and_in_all_kinds() -> None:
    def cases(count: int, tally: Tally) -> list[Proved]:
        return [case for at in range(count) for case in drawn("S", Random(f"3/{at}"), tally)]

    def texts(results: list[Proved]) -> list[tuple[str, str]]:
        return [(case.sample.program, case.sample.script("S.ab")) for case in results]

    tally = Tally()
    once = cases(14, tally)
    again = cases(5, Tally())
    assert texts(once)[: len(again)] == texts(again)
    assert len(once) > 20
    assert len(once) <= 14 * VARIANTS
    assert tally.proved >= len(once)
    assert tally.refused > 0
    features = {feature for case in once for feature in case.features}
    assert {
        "updated in place",
        "body",
        "registers",
        "reduction dimension",
        "vector dimension",
        "tiled",
        "parallel",
    } <= features


def test_programs_of_nests_have_what_was_missing() -> None:
    results = [nests.sample(Random(at)) for at in range(300)]
    texts = [sample.program for sample in results]
    for part in ("mix_int", "%2", "-j", "max", "*, [", "let\n", "reduce(+, (i,j -> "):
        assert any(part in text for text in texts), part
    dates = [step.arguments[1] for sample in results for step in sample.steps if step.verb == "time"]
    for part in ("N+", "-i", "2i", "7"):
        assert any(part in date for date in dates), part


def test_integers_near_the_ends_of_their_type() -> None:
    values = np.array([-9, -1, 1, 9], dtype=np.int8)
    assert near_the_ends(values).tolist() == [-119, -127, 126, 118]
    assert near_the_ends(np.array([1, 9], dtype=np.uint8)).tolist() == [254, 246]
