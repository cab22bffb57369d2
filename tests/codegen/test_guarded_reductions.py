"""Reductions that select points by a value: the generated code goes to these points, and computes the same."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from alphaz.codegen.scheduled.pipeline import ALL, PLAIN, Pipeline
from alphaz.codegen.scheduled.scheduled_c import explained, scheduled_c, tree_text
from alphaz.equivalence.differential_run import agree, executables
from alphaz.proof import Proved, Refuted, discharge
from tests.codegen.generated_kernels import proved
from tests.thinning import thinned

pytestmark = pytest.mark.slow

PROGRAM = """affine r {{N | N>=0}}
input
    int x {{i | 0<=i<=N}};
    long y {{i | 0<=i<=N}};
    unsigned short s {{i | 0<=i<=N}};
    unsigned long t {{i | 0<=i<=N}};
    int a {{i,j | 0<=i<=N && 0<=j<=2N+3}};
    double d {{i,j | 0<=i<=N && 0<=j<=2N+3}};
output
{outputs}
let
{equations}
.
"""

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
DOMAINS = [
    ("u", "0<=u<=w"),
    ("u", "0<=u<w"),
    ("u", "i<=u<=w+1"),
    ("u", "w<=2u<=2N+3 && u<=N+1"),
    ("u,v", "0<=u<=w && u<=v<=N"),
    ("u,v", "0<=u<=w && 0<=v<=i"),
]
COMPARISONS = {
    "u": [
        "[w-u] == x[i]", "x[i] == [u]", "[2u-w] == x[i]", "y[i] == [u+i]", "[N-u] == s[w]", "[u] == [w] - x[i]",
        "[u] < x[w]", "y[i] >= [w-u]", "[u] == x[i] and a[i,u] > 2", "a[w,u] != 0 and [u] == y[w]",
        "[u] >= x[i] and [u] <= x[w]",
    ],
    "u,v": [
        "[u-v] == -x[i]", "[u+v] == x[w]", "[v] == x[i]", "[u] == x[i] and [v] == y[w]",
        "[u] == y[w] and a[i,v] < 5",
    ],
}  # fmt: skip
FOLDS = [
    ("int", "+", "a[i,u] * 3", "0"), ("double", "+", "d[i,u]", "0.0"), ("long", "*", "a[i,u]", "1"),
    ("int", "max", "a[i,u]", "0"), ("int", "max", "a[i,u]", "-9"), ("long", "min", "a[i,u]", "4"),
    ("int", "min", "a[i,u]", "100"), ("bool", "and", "a[i,u] > 1", "true"), ("bool", "and", "a[i,u] > 1", "false"),
    ("bool", "or", "a[i,u] > 3", "false"), ("bool", "or", "a[i,u] > 3", "true"), ("bool", "xor", "a[i,u] > 2", "false"),
]  # fmt: skip


def program(equations: list[tuple[str, str]]) -> str:
    """Results r0, r1, ... over i and w, with the right-hand sides given."""
    outputs = "\n".join(f"    {type_} r{at} {{i,w | 0<=(i,w)<=N}};" for at, (type_, _) in enumerate(equations))
    return PROGRAM.format(
        outputs=outputs, equations="\n".join(f"    r{at}[i,w] = {text};" for at, (_, text) in enumerate(equations))
    )


def equation(fold: tuple[str, str, str, str], indices: str, domain: str, condition: str) -> tuple[str, str]:
    type_, operator, then, otherwise = fold
    return type_, f"reduce({operator}, [{indices}], {{| {domain}}} : if {condition} then {then} else {otherwise})"


def dates(count: int, order: str) -> str:
    return "".join(f'setSpaceTimeMap(prog, "r", "r{at}", "(i,w -> {at},{order})");\n' for at in range(count))


def values(parameter: int, random: Random) -> dict[str, np.ndarray]:
    """Numbers that are indices, close to them, or far away from any."""
    size, wide = parameter + 1, 2 * parameter + 4

    def some(count: int, *more: int) -> list[int]:
        return [random.choice([*range(-1, parameter + 2), *more]) for _ in range(count)]

    return {
        "x": np.array(some(size, 1 - (1 << 31), (1 << 31) - 1), dtype="int32"),
        "y": np.array(some(size, LEAST, GREATEST, 1 << 52, LEAST + 1), dtype="int64"),
        "s": np.array([abs(value) for value in some(size, 65535)], dtype="uint16"),
        "t": np.array([abs(value) for value in some(size)], dtype="uint64"),
        "a": np.array(some(size * wide, -9, 9), dtype="int32").reshape(size, wide),
        "d": np.array(some(size * wide, -9, 9), dtype="float64").reshape(size, wide) * -0.3,
    }


def computed(folder: Path, equations: list[tuple[str, str]], order: str, random: Random) -> str:
    verified = proved(folder, program(equations), dates(len(equations), order))
    these = executables(verified, "r")
    for parameter in (0, 1, 5):
        found = agree(these, {"N": parameter}, (1,), inputs=values(parameter, random))
        assert found.agrees, [str(f.message) for f in found.findings]
    return scheduled_c(verified, "r").files["r.c"]


@pytest.mark.parametrize("seed", thinned(range(3)))
def test_random_guarded_reductions(seed: int, tmp_path: Path) -> None:
    """In loops along w, where what is compared with may or may not change in the innermost loop, and along i."""
    random = Random(seed)
    equations = []
    for _ in range(9):
        indices, domain = random.choice(DOMAINS)
        equations.append(equation(random.choice(FOLDS), indices, domain, random.choice(COMPARISONS[indices])))
    text = computed(tmp_path, equations, random.choice(["i,w", "w,i", "i,-w"]), random)
    assert text.count("const int64_t wanted") >= len(equations)
    assert "as_index(" in text


def test_every_fold_at_every_point(tmp_path: Path) -> None:
    """The points that are not selected contribute wherever there is such a point."""
    equations = [equation(fold, "u", "0<=u<=w", "[w-u] == x[i]") for fold in FOLDS]
    text = computed(tmp_path, equations, "i,w", Random(0))
    assert text.count("const int64_t wanted") == len(equations)
    assert "for (int64_t u" not in text


PICK = ("int", "max", "a[i,u]", "0")


@pytest.mark.parametrize(
    ("fold", "condition"),
    [
        (PICK, "[w-u] == t[i]"),  # compared as unsigned numbers
        (PICK, "[w-u] == d[i,w]"),  # a float
        (PICK, "[w-u] == x[u]"),  # not the same at all points
        (PICK, "[w-u] == a[i,u]"),
        (PICK, "[w] == x[i]"),  # nothing to solve
        (PICK, "[w-u] != x[i]"),
        (PICK, "[w-u] == x[i] or a[i,u] > 2"),
        (PICK, "[w-u] == x[i] and 7 / a[i,u] > 2"),  # may fail where nothing is selected
        (PICK, "[w-u] == 7 % (x[i] * x[i] + 1)"),
        (("int", "+", "a[i,u]", "1"), "[w-u] == x[i]"),  # every point counts
        (("long", "*", "a[i,u]", "2"), "[w-u] == x[i]"),
        (("bool", "xor", "a[i,u] > 0", "true"), "[w-u] == x[i]"),
        (("double", "max", "d[i,u]", "0.0"), "[w-u] == x[i]"),  # what is no number depends on the order
        (("int", "max", "a[i,u]", "a[i,w]"), "[w-u] == x[i]"),
    ],
)
def test_every_point_is_visited(fold: tuple[str, str, str, str], condition: str, tmp_path: Path) -> None:
    verified = proved(tmp_path, program([equation(fold, "u", "0<=u<=w", condition)]), dates(1, "i,w"))

    text = scheduled_c(verified, "r").files["r.c"]

    assert "wanted" not in text
    assert "for (int64_t u" in text


def test_plain_code_visits_every_point(tmp_path: Path) -> None:
    verified = proved(tmp_path, program([equation(PICK, "u", "0<=u<=w", "[w-u] == x[i]")]), dates(1, "i,w"))

    assert "wanted" not in scheduled_c(verified, "r", pipeline=PLAIN).files["r.c"]


@pytest.mark.parametrize(("domain", "is_proved"), [("0<=u<=w", True), ("0<=u<w", False)])
def test_a_loop_is_split_where_it_is_proved_that_each_operation_selects(
    domain: str, is_proved: bool, tmp_path: Path
) -> None:
    """Without any point to select from, what is selected by is not to be computed."""
    verified = proved(tmp_path, program([equation(PICK, "u", domain, "[w-u] == x[i]")]), dates(1, "i,w"))
    answers = [(asked, held) for asked, held in explained(verified, "r", ALL).answers if "select" in asked.claim]
    assert [(asked.claim.rpartition(": ")[2], held) for asked, held in answers] == [
        ("every operation computes what it selects by", True),
        ("every operation has something to select from", is_proved),
    ]
    verdict = discharge(answers[-1][0])
    assert isinstance(verdict, Proved) is is_proved
    assert not isinstance(verdict, Refuted) or verdict.witness.sentence == "N=0: r0[0,0] does not"
    nest = tree_text(verified, "r", Pipeline(until="split-index-sets"))
    assert ("split" in nest) is is_proved


CHAIN = """affine r {N | N>=0}
input int x {i | 0<=i<=N};
output int k {i,w | 0<=i<=N && -1<=w<=N};
let k[i,w] = case
    {| w<0} : x[i];
    {| w>=0} : reduce(max, [u], {| 0<=u<=w} : if [w-u] == k[i,-1] then x[u] else 0);
esac;
.
"""


@pytest.mark.parametrize("order", ["i,w", "w,i"])
def test_a_value_that_the_loop_itself_computes_is_not_read_before_it(order: str, tmp_path: Path) -> None:
    verified = proved(tmp_path, CHAIN, f'setSpaceTimeMap(prog, "r", "k", "(i,w -> {order})");')
    these = executables(verified, "r")
    for parameter in (0, 5):
        x = np.arange(parameter + 1, dtype="int32")[::-1]
        assert agree(these, {"N": parameter}, (1,), inputs={"x": np.ascontiguousarray(x)}).agrees
    assert "const int64_t wanted" in scheduled_c(verified, "r").files["r.c"]


def test_limits_that_folding_makes_plain_have_no_name(tmp_path: Path) -> None:
    """Tiles of 8 fill a row: of `min(8 M, tile + 8)` the latter is left."""
    text = """affine r {M | M>=1} input int x {i | 0<=i<4}; output int y {i,w | 0<=i<4 && 0<=w<8M};
let y[i,w] = reduce(+, [u], {| 0<=u<=w} : if [w-u] == x[i] then [u] else 0); ."""
    commands = 'setSpaceTimeMap(prog, "r", "y", "(i,w -> i,w)"); setTiling(prog, "r", 1, 8);'
    verified, pipeline = proved(tmp_path, text, commands), Pipeline(frozenset({"full-tiles"}))
    code = scheduled_c(verified, "r", pipeline=pipeline).files["r.c"]
    assert "wanted" in code
    assert "limit" not in code
    these = executables(verified, "r", pipeline=pipeline)
    assert agree(these, {"M": 2}, inputs={"x": np.array([-1, 0, 5, 9], np.int32)}).agrees
