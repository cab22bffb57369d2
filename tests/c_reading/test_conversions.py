"""Trees of C mean what C computes: random expressions on values of all types, compiled and evaluated."""

import subprocess
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import add, eq, le, lt, mul, ne, sub
from pathlib import Path
from random import Random

import pytest

from alphaz.c_reading import parse, prepared, read_kernel
from alphaz.c_reading.conversions import TRUTHS, conversion, holds
from alphaz.c_reading.tree import Index, Literal, Operation, Read, Tree
from alphaz.diagnostics import Source
from alphaz.execution.compiler import find_compiler
from alphaz.model.types import SCALAR_TYPES, ScalarType
from alphaz.poly import Affine, Domain, Space

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
    read = read_kernel(source, parse(source, prepared(source.text)), "f", Domain.universe(space), {}, shapes)
    (only,) = read.statements
    return only.value, [each.array.label for each in only.reads]


def _wrapped(value: int, type_: ScalarType) -> int:
    if type_.kind == "bool":
        return int(value != 0)
    inside = value % (1 << type_.bits)
    return inside - (1 << type_.bits) if type_.signed and inside >> (type_.bits - 1) else inside


def _value(tree: Tree, values: Sequence[int]) -> int:
    match tree:
        case Read(number, _):
            return values[number]
        case Literal(Fraction() as value):
            return int(value)
        case Operation("if", (test, then, otherwise)):
            return _value(then if _value(test, values) else otherwise, values)
        case Operation(operator, operands, type_):
            return _computed(operator, [_value(each, values) for each in operands], type_)
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
    """Whether nothing in it is an index: constants that are chosen by constants are."""
    return not isinstance(tree, Index) and all(map(_is_data, tree.operands if isinstance(tree, Operation) else ()))


def _near_the_ends(random: Random, type_: ScalarType) -> int:
    return _wrapped(random.choice((0, 1, -1, 2, 127, 128, -128, 255, 1 << 15, 1 << 31, random.getrandbits(64))), type_)


@pytest.mark.parametrize("seed", range(2))
def test_trees_mean_what_c_computes(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    expressions = [(_expression(random, 3), random.choice(TYPES)) for _ in range(EXPRESSIONS)]
    inputs = [{n: _near_the_ends(random, each) for n, each in VARIABLES.items()} for _ in range(INPUTS)]
    rows = ", ".join(
        "{" + ", ".join(f"{each}ULL" for each in (v % (1 << 64) for v in row.values())) + "}" for row in inputs
    )
    read = "".join(
        f"const {each.c_name} {n} = ({each.c_name})in[i][{at}];" for at, (n, each) in enumerate(VARIABLES.items())
    )
    shown = "".join(f'{{ {t.c_name} r = {e}; printf("%llu\\n", (unsigned long long)r); }}\n' for e, t in expressions)
    text = "#include <stdio.h>\n#include <stdbool.h>\n#include <limits.h>\n"
    text += f"static const unsigned long long in[][{len(VARIABLES)}] = {{ {rows} }};\n"
    text += f"int main(void) {{ for (int i = 0; i < {INPUTS}; i++) {{ {read}\n{shown} }} return 0; }}\n"
    (tmp_path / "k.c").write_text(text, encoding="utf-8")
    command = [*find_compiler().command, "-w", "-O0", "-fwrapv", "-o", str(tmp_path / "k"), str(tmp_path / "k.c")]
    subprocess.run(command, check=True)
    found = subprocess.run([str(tmp_path / "k")], check=True, capture_output=True, text=True).stdout.split()
    trees = [_tree(*each) for each in expressions]
    assert sum(_is_data(tree) for tree, _ in trees) > 0.9 * EXPRESSIONS
    for at, said in enumerate(found):
        row, number = inputs[at // EXPRESSIONS], at % EXPRESSIONS
        (tree, names), (expression, type_) = trees[number], expressions[number]
        if not _is_data(tree):
            continue
        value = _value(tree, [row[name] for name in names])
        assert value == _wrapped(int(said), type_), (expression, type_, row, tree)


def test_types_that_hold_others() -> None:
    """All values of an integer type: its ends are those of the other, or lie between."""
    for wanted in TYPES:
        for source in TYPES:
            ends = [0, 1] if source.kind == "bool" else [_wrapped(1 << (source.bits - source.signed), source), -1]
            ends = [_wrapped(each, source) for each in (*ends, (1 << (source.bits - source.signed)) - 1)]
            is_held = wanted == source or (wanted.kind == "int" and all(_wrapped(e, wanted) == e for e in ends))
            assert holds(wanted, source) == is_held, (wanted, source)
