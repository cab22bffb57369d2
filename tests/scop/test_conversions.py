"""Trees of C mean what C computes: random expressions on values of all types, compiled and evaluated."""

import subprocess
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import add, eq, le, lt, mul, ne, sub
from pathlib import Path
from random import Random

import pytest

from alphaz.diagnostics import Rejected, Source
from alphaz.model.types import SCALAR_TYPES, ScalarType
from alphaz.poly import Affine, Domain, Space
from alphaz.run.compiler import find_compiler
from alphaz.scop import parse, read_kernel
from alphaz.scop.conversions import TRUTHS, conversion, holds
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, ReadValue, Tree

TYPES = [each for each in SCALAR_TYPES.values() if not each.is_float]
VARIABLES = {f"v{at}": each for at, each in enumerate(TYPES)}
EXPRESSIONS, INPUTS = 150, 6
_CONSTANTS = (
    "0",
    "1",
    "2",
    "3",
    "7",
    "200",
    "70000",
    "4U",
    "4294967295U",
    "5L",
    "1UL",
    "true",
    "UINT_MAX",
    "SCHAR_MAX",
)


def _expression(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.15:
        return random.choice([*VARIABLES, *VARIABLES, *_CONSTANTS])
    one, two, three = (_expression(random, depth - 1) for _ in range(3))
    # Constants alone are indices, which neither overflow nor are divided below 0.
    type_, name = random.choice(TYPES).c_name, random.choice([*VARIABLES])
    return random.choice(
        (
            f"({one} + {two})", f"({one} - {two})", f"({one} * {name})", f"(-{one})", f"({type_})({one})",
            f"({one} < {two} ? {one} : {two})", f"({one} < {two} ? {two} : {one})", f"({one} ? {two} : {three})",
            f"({one} == {two})", f"({one} != {two})", f"({one} && {two})", f"({one} || {two})", f"(!{one})",
            f"(({one} - {name}) / 3)", f"(({one} + {name}) % 7)",
        )
    )  # fmt: skip


def _tree(expression: str, result: ScalarType) -> tuple[Tree, list[str]]:
    """The tree, and the names that its reads have."""
    passed = ", ".join(f"{each.c_name} {name}" for name, each in VARIABLES.items())
    source = Source(
        "k.c",
        f"#include <limits.h>\n#include <stdbool.h>\nvoid f({passed}, {result.c_name} *r) {{ r[0] = {expression}; }}\n",
    )
    shapes: dict[str, tuple[Affine, ...]] = {**dict.fromkeys(VARIABLES, ()), "r": (Affine.of(constant=1),)}
    space = Space((), ())
    read = read_kernel(source, parse(source, source.text), "f", Domain.universe(space), {}, shapes)
    (only,) = read.statements
    return only.value, [each.array.label for each in only.reads]


def _wrapped(value: int, type_: ScalarType) -> int:
    if type_.kind == "bool":
        return int(value != 0)
    inside = value % (1 << type_.bits)
    return inside - (1 << type_.bits) if type_.signed and inside >> (type_.bits - 1) else inside


def _value(tree: Tree, values: Sequence[int]) -> int:
    match tree:
        case ReadValue(number, _):
            return values[number]
        case LiteralValue(Fraction() as value):
            return int(value)
        case OperationValue("if", (test, then, otherwise)):
            return _value(then if _value(test, values) else otherwise, values)
        case OperationValue(operator, operands, type_):
            return _computed(operator, [_value(operand, values) for operand in operands], type_)
    raise AssertionError(tree)


def _computed(operator: str, inside: Sequence[int], type_: ScalarType) -> int:
    if operator == conversion(type_):
        return _wrapped(inside[0], type_)
    left, right = inside[0], inside[-1]
    return _wrapped(_OPERATORS[operator](left, right), SCALAR_TYPES["bool"] if operator in TRUTHS else type_)


def _quotient(left: int, right: int) -> int:
    return abs(left) // right * (-1 if left < 0 else 1)


_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "neg": lambda only, _: -only, "not": lambda only, _: not only, "+": add, "-": sub, "*": mul, "/": _quotient,
    "%": lambda left, right: left - right * _quotient(left, right), "min": min, "max": max, "<": lt, "<=": le,
    "==": eq, "!=": ne, "xor": ne, "and": lambda left, right: bool(left and right),
    "or": lambda left, right: bool(left or right),
}  # fmt: skip


def _is_data(tree: Tree) -> bool:
    """Returns True if nothing in it is an index: constants that are chosen by constants are."""
    return not isinstance(tree, IndexLeaf) and all(
        map(_is_data, tree.operands if isinstance(tree, OperationValue) else ())
    )


def _near_the_ends(random: Random, type_: ScalarType) -> int:
    return _wrapped(random.choice((0, 1, -1, 2, 127, 128, -128, 255, 1 << 15, 1 << 31, random.getrandbits(64))), type_)


def _run(
    folder: Path, variables: Mapping[str, ScalarType], inputs: Sequence[Mapping[str, int]],
    expressions: Sequence[tuple[str, ScalarType]], head: str,
) -> list[int]:  # fmt: skip
    """Returns the values of the expressions for each row of inputs, modulo 2^64."""
    rows = ", ".join(
        "{" + ", ".join(f"{each}ULL" for each in (v % (1 << 64) for v in row.values())) + "}" for row in inputs
    )
    read = "".join(
        f"const {each.c_name} {n} = ({each.c_name})in[i][{at}];" for at, (n, each) in enumerate(variables.items())
    )
    shown = "".join(f'{{ {t.c_name} r = {e}; printf("%llu\\n", (unsigned long long)r); }}\n' for e, t in expressions)
    text = f"#include <stdio.h>\n{head}static const unsigned long long in[][{len(variables)}] = {{ {rows} }};\n"
    text += f"int main(void) {{ for (int i = 0; i < {len(inputs)}; i++) {{ {read}\n{shown} }} return 0; }}\n"
    (folder / "k.c").write_text(text, encoding="utf-8")
    command = [*find_compiler().command, "-w", "-O0", "-fwrapv", "-o", str(folder / "k"), str(folder / "k.c")]
    subprocess.run(command, check=True)
    said = subprocess.run([str(folder / "k")], check=True, capture_output=True, text=True).stdout
    return [*map(int, said.split())]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_trees_mean_what_c_computes(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    expressions = [(_expression(random, 3), random.choice(TYPES)) for _ in range(EXPRESSIONS)]
    inputs = [{n: _near_the_ends(random, each) for n, each in VARIABLES.items()} for _ in range(INPUTS)]
    found = _run(tmp_path, VARIABLES, inputs, expressions, "#include <stdbool.h>\n#include <limits.h>\n")
    trees = [_tree(*each) for each in expressions]
    assert sum(_is_data(tree) for tree, _ in trees) > 0.9 * EXPRESSIONS
    for at, said in enumerate(found):
        row, number = inputs[at // EXPRESSIONS], at % EXPRESSIONS
        (tree, names), (expression, type_) = trees[number], expressions[number]
        if not _is_data(tree):
            continue
        value = _value(tree, [row[name] for name in names])
        assert value == _wrapped(said, type_), (expression, type_, row, tree)


def test_types_that_hold_others() -> None:
    """All values of an integer type: its ends are those of the other, or lie between."""
    for wanted in TYPES:
        for source in TYPES:
            ends = [0, 1] if source.kind == "bool" else [_wrapped(1 << (source.bits - source.signed), source), -1]
            ends = [_wrapped(each, source) for each in (*ends, (1 << (source.bits - source.signed)) - 1)]
            is_held = wanted == source or (wanted.kind == "int" and all(_wrapped(e, wanted) == e for e in ends))
            assert holds(wanted, source) == is_held, (wanted, source)


# --- indices among them -----------------------------------------------------------------------------------------------

SIZES = {"pi": "int", "pl": "long", "pu": "unsigned int", "pz": "unsigned long"}
DATA = {"vi": "int", "vc": "char", "vu": "unsigned int", "vl": "long", "vz": "unsigned long", "vs": "unsigned short"}
HELPERS = """#include <stdbool.h>
static int shortened(long a) { return a; }
static long kept(int a) { return a; }
static inline int difference(int a, int b) { return (int)((unsigned int)a - (unsigned int)b); }
"""


def _with_indices(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.15:
        return random.choice([*SIZES, *SIZES, *DATA, "0", "1", "3", "7", "4U", "5L", "1UL"])
    one, two, three = (_with_indices(random, depth - 1) for _ in range(3))
    type_ = random.choice(TYPES).c_name
    return random.choice(
        (
            f"({one} + {two})", f"({one} - {two})", f"({one} * 3)", f"(-{one})", f"({type_})({one})",
            f"({type_})({two})", f"({one} < {two} ? {one} : {two})", f"({one} ? {two} : {three})", f"({one} < {two})",
            f"({one} == {two})", f"({one} && {two})", f"(!{one})", f"shortened({one})", f"kept({one})",
            f"difference({one}, {two})",
        )
    )  # fmt: skip


def _of_indices(tree: Tree, values: Sequence[int], sizes: Mapping[str, int]) -> int:
    match tree:
        case IndexLeaf(affine):
            return affine.at(sizes)
        case OperationValue("if", (test, then, otherwise)):
            return _of_indices(then if _of_indices(test, values, sizes) else otherwise, values, sizes)
        case OperationValue(operator, operands, type_):
            return _computed(operator, [_of_indices(operand, values, sizes) for operand in operands], type_)
    return _value(tree, values)


def _is_there(domain: Domain, sizes: Mapping[str, int]) -> bool:
    return not domain.space.names and any(piece.holds(sizes) for piece in domain.pieces())


@pytest.mark.slow
def test_indices_are_values_of_the_types_of_c(tmp_path: Path) -> None:
    """Where what has to be proved of them holds, and none is too large for its type."""
    random = Random(0)
    every = {name: SCALAR_TYPES[each] for name, each in {**SIZES, **DATA}.items()}
    expressions = [(_with_indices(random, 3), random.choice(TYPES)) for _ in range(60)]
    rows = [
        {name: random.randrange(100) if name in SIZES else _near_the_ends(random, each) for name, each in every.items()}
        for _ in range(INPUTS)
    ]
    found = _run(tmp_path, every, rows, expressions, HELPERS)
    compared = 0
    for at, (expression, type_) in enumerate(expressions):
        passed = ", ".join(f"{each.c_name} {name}" for name, each in every.items())
        source = Source("k.c", f"{HELPERS}void f({passed}, {type_.c_name} *r) {{ r[0] = {expression}; }}\n")
        shapes: dict[str, tuple[Affine, ...]] = {**dict.fromkeys(DATA, ()), "r": (Affine.of(constant=1),)}
        anywhere, names = Domain.universe(Space(tuple(SIZES), ())), {each: each for each in SIZES}
        try:
            kernel = read_kernel(source, parse(source, source.text), "f", anywhere, names, shapes)
        except Rejected:
            continue
        for number, row in enumerate(rows):
            sizes = {name: row[name] for name in SIZES}
            chosen = [statement for statement in kernel.statements if _is_there(statement.domain, sizes)]
            asked = [
                dividend
                for dividend in kernel.dividends
                if dividend.domain.space.names or _is_there(dividend.domain, sizes)
            ]
            if len(chosen) != 1 or any(each.domain.space.names or each.value.at(sizes) < 0 for each in asked):
                continue
            values = [row[read.array.label] for read in chosen[0].reads]
            value = _wrapped(_of_indices(chosen[0].value, values, sizes), type_)
            assert value % (1 << 64) == found[number * len(expressions) + at], (expression, row)
            compared += 1
    assert compared > 0.8 * len(expressions) * len(rows)
