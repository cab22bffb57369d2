"""Messages and bytes between ranks: the numbers are those of an enumeration, and the polynomials have these values."""

import json
from collections.abc import Iterator
from random import Random

import pytest
import sympy

from alphaz.diagnostics import Rejected
from alphaz.mapping.design import Design
from alphaz.mapping.resolution import resolve
from alphaz.resources import resource_folder
from alphaz.scripting.interpreter.python_api import run
from alphaz.search.cost.messages import RankCost, RankFormula, rank_cost
from alphaz.search.cost.rank_sums import grid_shape
from tests.cli.command_line import ask
from tests.legality.mapped import Mapped
from tests.legality.test_distribution import mapping
from tests.search.cost.counted_messages import counted_messages
from tests.strategies.distributed_mappings import JACOBI, LCS, LU, POWER, PREFIX, distributed_sample
from tests.thinning import thinned

pytestmark = pytest.mark.slow

FOLDER = resource_folder("samples") / "distributed"


def value(formula: RankFormula | None, size: dict[str, int], cost: RankCost, shape: tuple[int, ...]) -> int:
    assert formula is not None
    expression = sympy.sympify(formula.text.replace("^", "**"), locals={n: sympy.Symbol(n) for n in (*size, "P", "Q")})
    return int(expression.subs({**size, **dict(zip(cost.names, shape, strict=True))}))


def sample(name: str) -> tuple[Design, str]:
    design = run(FOLDER / f"{name}.cs")
    return design, design.program.systems[0].name


SAMPLES = [
    ("jacobi-2d/rows", "2*T*(P-1), for blocks of 2 places or more", "16*T*(N-2)*(P-1)"),
    ("jacobi-2d/grid", "2*T*(2*P*Q-P-Q), for blocks of 2 places or more", "16*T*(N-2)*(P+Q-2)"),
    ("floyd-warshall/grid", "N*(2*P*Q-P-Q), for equal blocks", "4*N^2*(P+Q-2)"),
    ("floyd-warshall/rows", "N*(P-1)", "4*N^2*(P-1)"),
    ("longest-common-subsequence/pipeline", "(N+1)*(P-1)", "4*(N+1)*(P-1)"),
    ("prefix-sum/pipeline", "P-1", "8*(P-1)"),
    ("summa/grid", "N*(2*P*Q-P-Q), for equal blocks", "8*N^2*(P+Q-2)"),
    ("product/rows", "0", "0"),
    ("lu/cyclic", "at most (N-1)*(P-1)", "at most 4*(N-1)*(N+2)*(P-1)"),
    (
        "lu/grid",
        "at most (N-1)*(N*P+N*Q-2*N+2*P-2)/2",
        "at most 4*(N-1)*(N*P+N*Q-2*N+2*P-2)",
    ),
]


@pytest.mark.parametrize(("name", "messages", "sent"), thinned(SAMPLES, 4))
def test_the_polynomials_of_samples(name: str, messages: str, sent: str) -> None:
    design, system = sample(name)
    cost = rank_cost(resolve(design, system))
    assert str(cost.messages) == messages
    assert str(cost.bytes).split(", for")[0] == sent


@pytest.mark.parametrize(
    "name",
    [
        *thinned(["jacobi-2d/rows", "jacobi-2d/grid", "longest-common-subsequence/pipeline"], 3),
        *thinned(["lu/grid", "lu/cyclic", "ldl/columns"], 3),
    ],
)
@pytest.mark.parametrize("ranks", thinned([1, 2, 3, 4, 7], 3))
def test_the_numbers_are_those_of_an_enumeration(name: str, ranks: int) -> None:
    design, system = sample(name)
    size = {"N": 6, "T": 2} if "jacobi" in name else {"N": 9}
    numbers = rank_cost(resolve(design, system)).numbers(size, ranks)
    assert numbers == counted_messages(design, system, size, ranks)


def cases() -> Iterator[tuple[Mapped, dict[str, int]]]:
    yield mapping(JACOBI), {"N": 12, "T": 2}
    yield mapping(JACOBI, 1), {"N": 10, "T": 3}
    yield mapping(LCS), {"N": 11}
    yield mapping(PREFIX), {"N": 12}
    yield mapping(POWER), {"N": 6, "T": 2}
    yield mapping(LU), {"N": 6}


@pytest.mark.parametrize(
    ("name", "n", "ranks"),
    thinned([("jacobi-2d/grid", 9, 9), ("jacobi-2d/grid", 6, 6), ("floyd-warshall/grid", 6, 9)], 3),
)
def test_polynomials_of_grids(name: str, n: int, ranks: int) -> None:
    design, system = sample(name)
    size = {"N": n, "T": 2} if "jacobi" in name else {"N": n}
    cost, wanted = rank_cost(resolve(design, system)), counted_messages(design, system, size, ranks)
    assert cost.numbers(size, ranks) == wanted
    shape = grid_shape(ranks, 2)
    assert (value(cost.messages, size, cost, shape), value(cost.bytes, size, cost, shape)) == (
        wanted.messages,
        wanted.bytes,
    )


def is_equal(cost: RankCost, size: dict[str, int], ranks: int, least: int) -> bool:
    """Returns True if the blocks of all ranks have as many places, and as many as the polynomial needs."""
    assert cost.ranges is not None
    count = cost.ranges[0].behind.at(size) - cost.ranges[0].first.at(size)
    return count % ranks == 0 and count // ranks >= least


@pytest.mark.parametrize(("mapped", "size"), thinned(list(cases())))
def test_polynomials_have_the_values_of_equal_blocks(mapped: Mapped, size: dict[str, int]) -> None:
    cost = rank_cost(resolve(mapped.design, mapped.system))
    compared = 0
    for ranks in (1, 2, 3, 4, 6):
        wanted = counted_messages(mapped.design, mapped.system, size, ranks)
        assert cost.numbers(size, ranks) == wanted
        for formula, number in ((cost.messages, wanted.messages), (cost.bytes, wanted.bytes)):
            if formula is not None and ranks >= formula.ranks and is_equal(cost, size, ranks, formula.places):
                assert value(formula, size, cost, (ranks,)) == number
                compared += 1
    assert compared or cost.messages is None


@pytest.mark.parametrize("seed", range(12))
def test_random_mappings(seed: int) -> None:
    """The numbers of proved mappings by blocks are exact; those of others are bounds."""
    drawn = distributed_sample(Random(f"messages/{seed}"))
    design, name = drawn.mapped.design, drawn.mapped.system
    try:
        resolved = resolve(design, name)
        is_proved = drawn.mapped.report().is_proved
    except Rejected:
        return
    if resolved.distribution is None or not is_proved:
        return
    cost = rank_cost(resolved)
    for ranks in (1, 2, 3, 5):
        wanted, result = counted_messages(design, name, drawn.sizes, ranks), cost.numbers(drawn.sizes, ranks)
        if result is not None:
            assert result == wanted
        if not resolved.distribution.is_by_blocks and cost.messages is not None:
            shape = grid_shape(ranks, len(cost.names))
            assert value(cost.messages, drawn.sizes, cost, shape) >= wanted.messages
            assert value(cost.bytes, drawn.sizes, cost, shape) >= wanted.bytes


def test_the_grid_is_that_of_the_generated_code() -> None:
    assert [grid_shape(ranks, 2) for ranks in (1, 2, 4, 5, 6, 12)] == [(1, 1), (1, 2), (2, 2), (1, 5), (2, 3), (3, 4)]


def test_combined_values() -> None:
    design, system = sample("norm/blocks")
    assert rank_cost(resolve(design, system)).combined == {"M": ("T", "T"), "s": ("T", "T")}


def test_many_ranks_are_not_counted_one_by_one() -> None:
    design, system = sample("jacobi-2d/rows")
    assert rank_cost(resolve(design, system)).numbers({"N": 10_000, "T": 2}, 400) is None


def test_the_command_line() -> None:
    answer = ask("explain-cost", FOLDER / "jacobi-2d" / "grid.cs", "-p", "N=12,T=3", "--ranks", 6, "--machine", "usual")
    assert answer.code == 0, answer.err
    assert "messages    2*T*(2*P*Q-P-Q), for blocks of 2 places or more; 42 of 6 ranks" in answer.out
    assert "bytes       16*T*(N-2)*(P+Q-2), for equal blocks of 2 places or more; 1440" in answer.out


def test_the_command_line_without_numbers() -> None:
    lu = FOLDER / "lu" / "cyclic.cs"
    answer = ask("explain-cost", lu, "-p", "N=200", "--ranks", 3, "--machine", "usual")
    assert "messages    at most (N-1)*(P-1); not counted of 3 ranks" in answer.out
    result = json.loads(ask("explain-cost", lu, "-p", "N=12", "--machine", "usual", "--format", "json").out)["costs"][0]
    assert (result["messages formula"], result["sent"]) == ("at most (N-1)*(P-1)", None)
    plain = ask("explain-cost", FOLDER.parent / "prefix-sum" / "prefix-sum.cs", "-p", "N=9", "--ranks", 2)
    assert (plain.code, "no mapping is distributed: write setDistributed" in plain.err) == (2, True)
