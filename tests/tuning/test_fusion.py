"""Operations that may share loops: the verdicts of Belter's thesis for its kernels."""

import json
import re
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest

from alphaz.cli.tuning_problem import opening, operations_of
from alphaz.codegen.scheduled.scheduled_c import scheduled_c
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Source
from alphaz.legality.verdicts import Verified
from alphaz.run.bench import contestants
from alphaz.run.bench.contestants import Candidates, files_beside
from alphaz.scripting.commands.apply_lines import carry_out
from alphaz.tuning.evaluator import Evaluator, TrialState, proved_mapping
from alphaz.tuning.fusion import FusionStep, pairs
from alphaz.tuning.kernel_space import KernelSpace
from alphaz.tuning.searches import any_point
from alphaz.tuning.space import Point
from tests.cli.command_line import ask

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[2] / "samples" / "matrix"


def verdicts(name: str) -> dict[tuple[str, str], bool]:
    """Of each pair, with the loops that it shares: `("t1 i", "y j")`."""
    answer = ask("matrix", "explain", str(SAMPLES / f"{name}.m"), "--format", "json")
    assert answer.code == 0
    results = {}
    for load in json.loads(answer.out)["pairs"]:
        one, other = (f"{name} {','.join(loops)}" for name, loops in load["loops"].items())
        results[one, other] = load["legal"]
        assert load["legal"] == (not load["reason"])
    return results


def test_atax_shares_rows_and_nothing_else() -> None:
    assert verdicts("atax") == {
        ("t1 i", "y j"): True,
        ("t1 i,j", "y j,i"): False,
        ("t1 j", "y i"): False,
        ("t1 j,i", "y i,j"): False,
    }


def test_bicgk_shares_both_loops_in_either_order() -> None:
    assert verdicts("bicgk") == dict.fromkeys(
        [("q i", "s j"), ("q i,j", "s j,i"), ("q j", "s i"), ("q j,i", "s i,j")], True
    )


def test_gemver_shares_columns_with_what_needs_them_and_not_the_inner_loop() -> None:
    """Columns are j of B. The product B*x needs x whole before its first row, and one x before each column."""
    result = verdicts("gemver")
    assert result["B j,i", "NR_x i,j"]
    assert result["B i,j", "NR_x j,i"]
    assert result["B j", "NR_w j"]
    assert not result["B j,i", "NR_w j,i"]
    assert not result["B i", "NR_w i"]
    assert not result["B i", "w i"]


def test_the_rows_of_a_band_are_some_of_those_of_the_vector(tmp_path: Path) -> None:
    """A row may have no element within the band: nothing is added up for it, and it shares the loop all the same."""
    (tmp_path / "k.m").write_text(
        "K in A : band(kl, ku) matrix, b, x : vector out r : vector { r = b - A*x }", encoding="utf-8"
    )
    _, operations, _ = operations_of(str(tmp_path / "k.m"))
    assert [str(pair) for pair in pairs(operations, carry_out)] == ["NR_r and r share 1 loop (NR_r: i; r: i): legal"]
    assert operations.alike(FusionStep("NR_r", ("j", "i")), FusionStep("r", ("i",))) == 0


def test_the_reason_is_in_words() -> None:
    answer = ask("matrix", "explain", str(SAMPLES / "atax.m"))
    assert "t1 and y share 1 loop (t1: i; y: j): legal" in answer.out
    assert "t1 and y share 2 loops (t1: i,j; y: j,i): refused, AZ502, " in answer.out


@pytest.mark.parametrize("name", ["atax", "bicgk", "gemver", "axpydot", "dgemvt"])
def test_the_space_of_a_kernel_begins_with_a_proved_mapping_that_shares_what_is_legal(
    name: str, tmp_path: Path
) -> None:
    text, operations, _ = operations_of(str(SAMPLES / f"{name}.m"))
    (tmp_path / f"{name}.ab").write_text(text, encoding="utf-8")
    head = f'prog = ReadAlphabets("{name}.ab");\nNormalizeReduction(prog);\nsystem = "{operations.system}";\n'
    space = KernelSpace.of(operations, Source(f"{name}.cs", head), carry_out)
    steps = space.steps(space.usual)
    assert sum(step.shared for step in steps) > 0
    assert not operations.refusal(steps, carry_out)
    proved_mapping(space.script_of(space.usual), f"{name}.cs", tmp_path, operations.system)


@pytest.mark.parametrize("name", ["atax", "gemver", "dgemvt"])
def test_every_point_is_granted_what_is_legal_of_it(name: str) -> None:
    """Children of any two points are proved mappings, and keep the legal steps of the settled point."""
    _, operations, _ = operations_of(str(SAMPLES / f"{name}.m"))
    space = KernelSpace.of(operations, Source(f"{name}.cs", ""), carry_out)
    random, granted = Random(1), set()
    for _ in range(12):
        point = any_point(space, random)
        steps, settled = space.steps(point), space.representative(point)
        assert not operations.refusal(steps, carry_out)
        assert space.steps(settled) == steps
        chosen = space.chosen(point)
        for before, step in pairwise(steps):
            assert step.shared <= int(chosen[f"loops of {before.operation} and {step.operation}"])
            assert not step.shared or step.cut == before.cut
        granted.add(steps)
    assert len(granted) > 1


def test_a_constraint_for_everything_is_greedy_maximal_fusion() -> None:
    """Of ATAX the inner loops cannot be shared, the rows can."""
    _, operations, _ = operations_of(str(SAMPLES / "atax.m"))
    space = KernelSpace.of(operations, Source("atax.cs", ""), carry_out)
    names = [axis.name for axis in space.axes]
    schedule_request = list(space.usual)
    schedule_request[names.index("loops of t1 and y")] = 2
    assert space.representative(tuple(schedule_request)) == space.usual
    assert [step.shared for step in space.steps(space.usual)] == [0, 1]


# --- partitions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("levels", "one", "two"), [(1, 3, 9), (2, 7, 49)])
def test_two_products_with_two_ways_each_have_so_many_partitions(levels: int, one: int, two: int) -> None:
    """None, or rows or columns at each level: the sum of 2^l; of two operations that are apart, each with each."""
    _, operations, _ = operations_of(str(SAMPLES / "bicgk.m"))
    space = KernelSpace.of(operations, Source("bicgk.cs", ""), carry_out, levels)
    axes = {axis.name: len(axis.alternatives) for axis in space.axes}
    assert (axes["partition of q"], axes["partition of s"]) == (one, one)
    granted = set()
    for cuts in product(range(one), repeat=2):
        chosen = {"partition of q": cuts[0], "partition of s": cuts[1], "loops of q and s": 0}
        point = tuple(chosen.get(axis.name, axis.usual) for axis in space.axes)
        assert space.representative(point) == point
        granted.add(tuple(step.partition for step in space.steps(point)))
    assert len(granted) == two


def test_what_shares_loops_is_cut_alike(tmp_path: Path) -> None:
    """The operation that begins a nest says how; of ATAX a block of columns would be summed up too late."""
    _, operations, _ = operations_of(str(SAMPLES / "atax.m"))
    space = KernelSpace.of(operations, Source("atax.cs", ""), carry_out)

    def steps(partition: str) -> list[tuple[str, int]]:
        point = list(space.usual)
        (at,) = (at for at, axis in enumerate(space.axes) if axis.name == "partition of t1")
        point[at] = space.axes[at].alternatives.index(partition)
        return [(",".join(map(str, step.partition)), step.shared) for step in space.steps(tuple(point))]

    assert steps("i") == [("i by 1024", 0), ("j by 1024", 1)]
    assert steps("j") == [("j by 1024", 0), ("", 0)]


def test_each_operation_has_blocks_of_its_own_sizes_and_says_what_is_below_its_nest(tmp_path: Path) -> None:
    """q by rows of 256, four of them in registers; s by rows of 4096, columns along vectors of 16.
    What s says does not count where it stands in the nest of q.
    """
    with opening(str(SAMPLES / "bicgk.m"), None, as_written=True) as problem:
        space, names = problem.space, [axis.name for axis in problem.space.axes]

        def at(**chosen: str) -> Point:
            point = list(space.usual)
            for name, text in chosen.items():
                axis = names.index(name.replace("_", " "))
                point[axis] = space.axes[axis].alternatives.index(text)
            return tuple(point)

        of_q = {"partition_of_q": "i", "outer_blocks_of_q": "256", "rows_of_q_in_registers": "4"}
        of_s = {"partition_of_s": "j", "outer_blocks_of_s": "4096", "vectors_of_s": "innermost by 16"}
        apart = at(loops_of_q_and_s="0", **of_q, **of_s)
        assert space.representative(apart) == apart
        text = space.script_of(apart)
        assert 'setBandForTiling(prog, system, "blocks0", "0", 0, 0, "256");' in text
        assert 'setBandForTiling(prog, system, "blocks1", "1", 0, 0, "4096");' in text
        assert 'setRegisterTile(prog, system, "0", 0, 4);' in text
        assert 'setVectorDimension(prog, system, "1", 2, 16);' in text
        mapping = proved_mapping(text, "bicgk.cs", problem.folder, problem.system).mappings[problem.system]
        assert not space.departure(apart, mapping)
        sizes = names.index("outer blocks of s")
        assert "4096" in space.departure((*apart[:sizes], space.usual[sizes], *apart[sizes + 1 :]), mapping)
        assert space.outline(apart) == space.outline(space.plain(apart))
        shared = space.representative(at(**of_q, **of_s))
        assert space.chosen(shared)["vectors of s"] == "innermost"
        assert space.chosen(shared)["outer blocks of s"] == space.chosen(shared)["outer blocks of q"] == "256"


@pytest.mark.parametrize(("name", "chunks"), [("triangular", True), ("outer", True), ("gemv", False), ("vadd", False)])
def test_threads_take_chunks_where_rows_are_of_different_lengths(name: str, chunks: bool) -> None:
    """Or have equal shares, or are not there, which time has to tell."""
    with opening(str(SAMPLES / f"{name}.m"), None, as_written=True) as problem:
        space, (at,) = problem.space, (at for at, axis in enumerate(problem.space.axes) if axis.name == "outer loops")
        assert space.axes[at].alternatives == (("parallel, in chunks",) if chunks else ()) + ("parallel", "sequential")
        texts = [space.script_of((*space.usual[:at], value, *space.usual[at + 1 :])) for value in range(2 + chunks)]
        expected = [("setParallel" in text, "setChunks" in text) for text in texts]
        assert expected == ([(True, True)] if chunks else []) + [(True, False), (False, False)]
        proved_mapping(texts[0], f"{name}.cs", problem.folder, problem.system)


# --- counts, and plans that are not kept ----------------------------------------------------------------------------

# Of each kernel: pairs with orders and depths that are legal, and all that there are.
ARCHIVED = {"atax": (1, 4), "aatx": (1, 4), "bicgk": (4, 4), "axpydot": (1, 1), "dgemv": (1, 1), "gesummv": (6, 6)}


@pytest.mark.parametrize("name", ARCHIVED)
def test_the_counts_of_legal_versions_are_those_of_before(name: str) -> None:
    """A number that falls is an optimisation that was lost."""
    _, operations, _ = operations_of(str(SAMPLES / f"{name}.m"))
    results = [not pair.refusal for pair in pairs(operations, carry_out)]
    assert (sum(results), len(results)) == ARCHIVED[name]


# The parameters of the function that is called, of which q and s are the results.
ENTRY = re.compile(r"(\w+_status\([^)]*\*restrict )q(,[^)]*\*restrict )s(\)\s*\{)")


def laboratory_of(name: str, folder: Path) -> Evaluator:
    with opening(str(SAMPLES / f"{name}.m"), None) as problem:
        assert problem.program is not None
        (folder / f"{name}.ab").write_text(problem.program, encoding="utf-8")
        system = problem.checked.program.system(problem.system)
        chosen = Candidates.of(system, {"m": 20, "n": 20}, 1, files_beside(folder / f"{name}.ab", problem.system), 1)
        return Evaluator(problem.space, folder, chosen)


def test_a_plan_whose_fusion_was_dropped_is_not_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = laboratory_of("bicgk", tmp_path)
    usual, right = evaluator.space.usual, KernelSpace.script_of
    assert evaluator.trial(usual).state is TrialState.TIMED

    def apart(space: KernelSpace, point: Point) -> str:
        fused = right(space, point)
        assert fused.count("(i,j -> 0,") == 2
        return fused.replace('"s", "(i,j -> 0,', '"s", "(i,j -> 1,').replace("setVectorDimension", "# ")

    monkeypatch.setattr(KernelSpace, "script_of", apart)
    trial = evaluator.trial(usual)
    assert trial.state is TrialState.NOT_PROVED
    assert trial.reason == "the mapping differs from the plan: q and s share 0 loops, not 2"


def test_a_plan_with_two_stores_swapped_is_not_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator = laboratory_of("bicgk", tmp_path)
    usual, right = evaluator.space.usual, scheduled_c
    assert evaluator.trial(usual).state is TrialState.TIMED

    def swapped(verified: Verified, system: str) -> Sources:
        made = right(verified, system)
        texts = {name: ENTRY.sub(r"\1s\2q\3", text) for name, text in made.files.items()}
        assert texts != made.files
        return Sources(texts)

    monkeypatch.setattr(contestants, "scheduled_c", swapped)
    trial = evaluator.trial(usual)
    assert trial.state is TrialState.FAILED
    assert "differs from that of the reference" in trial.reason
