"""Distributed mappings that are found: places are aligned, times are those of the network, and ranks compute the
outputs of the interpreter.
"""

from pathlib import Path

import numpy as np
import pytest

from alphaz.analysis.read import read_program
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.targets.mpi import MPI
from alphaz.diagnostics import Rejected, Source
from alphaz.legality.verify import certify, verify
from alphaz.machine import Network
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.poly import Affine
from alphaz.resources import resource_folder
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.search.cost.rank_time import RankTime, rank_time
from alphaz.search.schedule.distributed.candidates import RankCandidate, candidates, grids
from alphaz.search.schedule.distributed.placement import Seed, aligned
from alphaz.search.schedule.distributed.rank_memory import rows
from alphaz.search.schedule.distributed.search import RankRequest, propose_ranks
from alphaz.search.schedule.problem import Problem, problem_of
from alphaz.search.schedule.propose import Proposal, propose
from alphaz.search.schedule.request import NONE, ScheduleRequest
from alphaz.search.schedule.strategy import Applied
from tests.cli.command_line import ask
from tests.codegen.mpi_programs import MpiCase, Scripted, build, engine, expected, run
from tests.legality.mapped import Mapped
from tests.legality.test_distribution import mapping
from tests.strategies.distributed_mappings import FIELDS, FLOYD, JACOBI, LCS, LU, PREFIX, SUMMA, Example

FAST, SLOW = Network(1e-9, 10e9), Network(1e-3, 10e9)

SUMS = """affine {name} {{N | N > 2}}
input int A {{i,k | 0<=i<N && 0<=k<N}};
output int B {{i | 0<=i<N}};
local int S {{i | 0<=i<N}};
let
  S[i] = reduce(+, [k], {{| 0<=k<i}} : A[i,k]);
  B[i] = case {{| i==0}} : S[i]; {{| i>0}} : B[i-1] + S[N-1-i]; esac;
.
"""
CALL = """affine half {N | N > 0}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
let B[i] = A[i]; .
affine S {N | N > 0}
input int A {i | 0<=i<N};
output int B {i | 0<=i<N};
let use half[N] (A) returns (B); .
"""


def design_of(text: str) -> Design:
    return Design(read_program(Source("program.ab", text)))


def generate(design: Design, system: str) -> object:
    return scheduled_c(certify(verify(design, [system])), system, target=MPI)


def found(text: str, system: str = "S", network: Network = FAST, **sizes: int) -> Proposal:
    request = RankRequest(3, network, sizes=sizes, generates=generate)
    return propose_ranks(design_of(text), system, ScheduleRequest(), request, carry_out)


@pytest.mark.parametrize(
    ("example", "seed", "places"),
    [
        (JACOBI, Seed("X", Affine.name("i")), {"X": "i", "B": "i"}),
        (JACOBI, Seed("X", Affine.name("i") + Affine.name("t")), {"X": "i+t", "B": "T+i"}),
        (LU, Seed("W", Affine.name("i")), {"W": "i", "U": "i", "L": "i"}),
        (LU, Seed("W", Affine.name("j")), {"W": "j", "U": "j", "L": "k"}),
    ],
)
def test_places_are_those_of_the_values_that_are_read(example: Example, seed: Seed, places: dict[str, str]) -> None:
    aligned_places = aligned(problem_of(design_of(example.text), "S"), seed)
    assert {name: str(place) for name, place in aligned_places.items() if name in places} == places


def timed(example: Example, number: int, size: dict[str, int], network: Network, ownership: str = "block") -> RankTime:
    return time_of(mapping(example, number, ownership, 0), size, 4, network)


def time_of(mapped: Mapped, size: dict[str, int], ranks: int, network: Network) -> RankTime:
    time = rank_time(resolve(mapped.design, mapped.system), size, ranks, network)
    assert time is not None
    return time


def test_a_rank_sends_two_messages_in_each_step_of_a_stencil() -> None:
    time = timed(JACOBI, 0, {"N": 40, "T": 10}, Network(1.0, 8.0))
    assert (time.sending, time.filling) == (10 * (2 + 2), 0)


def test_broadcasts_along_rows_and_columns_take_a_logarithm_of_their_ranks() -> None:
    """In each of 5 steps, 4 columns of 2 ranks and 2 rows of 4, of which one has more places."""
    grid = mapping(SUMMA).distributed(2).processors(2, 4)
    assert time_of(grid, {"N": 5}, 8, Network(1.0, 1e30)).sending == pytest.approx(5 * (1 + 2))


def test_the_last_rank_of_a_pipeline_starts_late() -> None:
    time = timed(PREFIX, 0, {"N": 40}, Network(1.0, 4.0))
    assert time.sending == 2
    assert time.filling == pytest.approx(3 * (time.computing + time.sending))


def test_messages_of_steps_that_are_not_sampled_are_counted() -> None:
    """In each step one place is active; three of these steps end with a message."""
    assert timed(PREFIX, 1, {"N": 1000}, Network(1.0, 4.0)).sending == 3 * 2


def test_cyclic_places_share_the_work_of_a_triangle() -> None:
    blocks, cyclic = (timed(LU, 0, {"N": 64}, FAST, ownership) for ownership in ("block", "cyclic"))
    assert cyclic.computing < 0.9 * blocks.computing


@pytest.mark.parametrize(("network", "is_tiled"), [(FAST, False), (SLOW, True)])
def test_messages_that_take_long_are_few(network: Network, is_tiled: bool) -> None:
    size, tiled = {"N": 4000, "T": 64}, mapping(JACOBI, 3, "block", 0).band(0, 1, sizes=(16, 0))
    time = rank_time(resolve(tiled.design, tiled.system), size, 4, network)
    assert time is not None
    assert (time.seconds < timed(JACOBI, 0, size, network).seconds) is is_tiled


def tried(example: Example, *places: Seed) -> tuple[Problem, list[RankCandidate]]:
    """Returns the mappings of one schedule, with these places."""
    plain = propose(design_of(example.text), "S", ScheduleRequest(strategy=NONE), carry_out)
    return plain.problem, list(candidates(plain.problem, [plain.dates], places))


def test_parts_of_a_step_and_tiles() -> None:
    problem, found_candidates = tried(FIELDS, Seed("X", Affine.name("i")))
    steps: dict[str, list[tuple[RankCandidate, dict[str, list[str]]]]] = {}
    for candidate in found_candidates:
        outer = {name: [str(c.value) for c in dates[: candidate.position]] for name, dates in candidate.dates.items()}
        steps.setdefault(str(candidate), []).append((candidate, outer))
    (single, single_steps), (parts, parts_of_steps) = steps["steps t, places i of X, block"]
    assert single_steps == {"X": ["0", "t"], "Y": ["0", "t"], "B": ["1", "0"]}
    assert parts_of_steps == {"X": ["0", "t", "0"], "Y": ["0", "t", "1"], "B": ["1", "0", "0"]}
    tiled = single.tiles(8)
    assert tiled is not None
    assert 'setBandForTiling(prog, system, "steps", 1, "0", 0, 1, "8,0");' in map(str, tiled.lines(problem))
    assert parts.tiles(8) is None


def test_grids_have_the_places_of_two_mappings_with_the_same_steps() -> None:
    problem, single = tried(FLOYD, Seed("F", Affine.name("i")), Seed("F", Affine.name("j")))
    found_grids = list(grids(problem, single))
    names = ["steps none, places i and j of F, block"] * 3 + ["steps k, places i and j of F, block"]
    assert list(map(str, found_grids)) == names
    assert found_grids[-1].tiles(8) is None


@pytest.mark.parametrize(("number", "tile", "factors"), [(0, 0, ["2,0", "3,0"]), (0, 4, ["5,0", "9,0"]), (2, 0, [])])
def test_locals_have_rows_for_one_or_two_steps(number: int, tile: int, factors: list[str]) -> None:
    """None if the dimension of the steps is one of the places too."""
    mapped = mapping(JACOBI, number)
    tactics = rows(Applied(mapped.design, (), mapped.report()), "S", tile)
    lines = [line for tactic in tactics for (line,) in tactic.alternatives]
    assert [line.arguments[-1] for line in lines if len(line.arguments) > 2] == factors


def test_the_shortest_of_the_fastest_mappings_is_written() -> None:
    proposal = found(PREFIX.text)
    names = ["steps none, places i of P, block", "steps i, places i of P, block", "steps i, places i of P, cyclic"]
    assert [attempt.tried for attempt in proposal.attempts] == names
    assert 'setSpaceTimeMap(prog, system, "P", "(i -> 0,i)");' in map(str, proposal.lines)


@pytest.mark.slow
def test_steps_of_a_pipeline_are_tiles() -> None:
    lines = list(map(str, found(LCS.text, network=Network(2e-6, 10e9)).lines))
    assert 'setBandForTiling(prog, system, "steps", 1, "0", 0, 1, "32,0");' in lines
    assert 'setMemoryMap(prog, system, "C", "(i,j -> i,j)", "33,0");' in lines


def test_calls_have_no_ranks() -> None:
    with pytest.raises(Rejected) as rejected:
        found(CALL)
    assert "is a call" in rejected.value.diagnostics[0].message


@pytest.mark.slow
def test_ranks_compute_the_outputs(tmp_path: Path) -> None:
    """A pipeline with received results of sums, some of them without contributions."""
    if engine("mpicc") is None or engine("mpiexec") is None:
        pytest.skip("MPI is missing: pip install mpich, or apt install mpich")
    cases = tuple(
        MpiCase(Scripted(found(text, name, SLOW, **size).design, name), (size,))
        for name, text, size in (
            ("Sums", SUMS.format(name="Sums"), {"N": 6}),
            ("Letters", LCS.text.replace("affine S ", "affine Letters "), {"N": 7}),
        )
    )
    program = build(cases, tmp_path)
    for case, result in zip(cases, run(program, cases, 3), strict=True):
        wanted = expected(case, case.sizes[0], 3)
        for name, values in wanted.outputs.items():
            np.testing.assert_array_equal(result.outputs[name], values)
        assert (result.messages, result.sent) == (wanted.messages, wanted.sent)


def test_the_command_writes_a_script() -> None:
    program = resource_folder("samples") / "distributed" / "prefix-sum" / "prefix-sum.ab"
    printed = ask("schedule", str(program), "--target", "mpi", "--ranks", "4", "--explain")
    assert printed.code == 0, printed.err
    assert "alphaz schedule prefix-sum.ab --target mpi --ranks 4`" in printed.out
    assert 'setTarget(prog, system, "mpi");' in printed.out
    assert "places i of P, block: proved" in printed.out


@pytest.mark.parametrize("options", [("--ranks", "4"), ("--target", "mpi", "--strategy", "product")])
def test_options_for_ranks_alone(options: tuple[str, ...]) -> None:
    program = resource_folder("samples") / "distributed" / "prefix-sum" / "prefix-sum.ab"
    refused = ask("schedule", str(program), *options)
    assert refused.code == 2
    assert "--target" in refused.err
