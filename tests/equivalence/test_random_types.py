"""Random expressions in mixed types: what is proved, by whatever laws, agrees when it is executed with extreme values.

Each program has inputs of random types, and copies of them in a wider one. The C is its expression, in other
parentheses and another order, with conversions and temporaries of random types put in or left out.
"""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.codegen.sources import Sources
from alphaz.diagnostics import Source
from alphaz.equivalence.claim_inference import Laws
from alphaz.equivalence.driver.prove_c import prove_c
from alphaz.equivalence.driver.task import ProofTask
from alphaz.equivalence.value_graph import LAWS
from alphaz.model.interpreter import evaluate
from alphaz.model.types import SCALAR_TYPES, ScalarType
from alphaz.run.compiler import find_compiler
from alphaz.run.library import load
from alphaz.run.magnitudes import magnitudes
from tests.thinning import thinned

pytestmark = pytest.mark.slow

# All that fewer laws prove is proved by all of them.
EVERY = [Laws(is_exact=True), Laws(frozenset(LAWS))]
NAMES = ("x", "y", "z")
NARROW = ("char", "unsigned char", "short", "int", "unsigned int", "float")
INTEGERS, FLOATS = ("long", "int"), ("double", "double", "float")
SIZE, COUNT = 96, 40


@dataclass(frozen=True)
class Node:
    """A leaf (the name of an input; upper case: its wider copy), or an operation; in C converted, or kept in a
    temporary."""

    operator: str
    inside: tuple["Node", ...] = ()
    converted: str = ""
    temporary: str = ""


@dataclass(frozen=True)
class Case:
    types: dict[str, str]
    wide: str
    equation: Node
    kernel: Node

    @property
    def program(self) -> str:
        inputs = "".join(f" {type_} {name} {{i | 0<=i<N}};\n" for name, type_ in self.types.items())
        copies = "".join(f" {name.upper()}[i] = {name}[i];\n" for name in NAMES)
        return (
            f"affine s {{N | N>=1}}\ninput\n{inputs}output\n {self.wide} c {{i | 0<=i<N}};\n"
            f"local\n {self.wide} X, Y, Z {{i | 0<=i<N}};\nlet\n{copies} c[i] = {said(self.equation)};\n.\n"
        )

    def text(self, name: str = "s") -> str:
        lines: list[str] = []
        value = self._written(self.kernel, lines)
        given = ", ".join(f"const {c_name(type_)} *{name}" for name, type_ in self.types.items())
        body = " ".join([*lines, f"c[i] = {value};"])
        return f"void {name}(int n, {given}, {c_name(self.wide)} *c)\n{{ for (int i = 0; i < n; i++) {{ {body} }} }}\n"

    def _written(self, node: Node, lines: list[str]) -> str:
        if node.inside:
            left, right = (self._written(each, lines) for each in node.inside)
            text = f"({left} {node.operator} {right})"
        else:
            is_copy = node.operator.isupper()
            text = f"({c_name(self.wide)}){node.operator.lower()}[i]" if is_copy else f"{node.operator}[i]"
        if node.converted:
            text = f"({c_name(node.converted)}){text}"
        if node.temporary:
            lines.append(f"{c_name(node.temporary)} t{len(lines)} = {text};")
            text = f"t{len(lines) - 1}"
        return text


def c_name(type_: str) -> str:
    return SCALAR_TYPES[type_].c_name


def said(node: Node) -> str:
    if not node.inside:
        return f"{node.operator}[i]"
    left, right = map(said, node.inside)
    return f"({left} {node.operator} {right})"


def expression(random: Random, depth: int) -> Node:
    if depth == 0 or random.random() < 0.15:
        name = random.choice(NAMES)
        return Node(name.upper() if random.random() < 0.6 else name)
    inside = expression(random, depth - 1), expression(random, depth - 1)
    return Node(random.choice("*****+-"), inside)


def rewritten(node: Node, random: Random, types: Sequence[str]) -> Node:
    """The same real number, most often."""
    if not node.inside:
        return _typed(node, random, types, 0.1)
    left, right = (rewritten(each, random, types) for each in node.inside)
    operator = node.operator
    if operator in "*+" and random.random() < 0.4:
        left, right = right, left
    if operator == "*" and right.operator == "*" and random.random() < 0.6:
        left, right = Node("*", (left, right.inside[0])), right.inside[1]
    elif operator == "*" and left.operator == "*" and random.random() < 0.6:
        left, right = left.inside[0], Node("*", (left.inside[1], right))
    elif operator == "*" and right.operator == "+" and random.random() < 0.3:
        return Node("+", (Node("*", (left, right.inside[0])), Node("*", (left, right.inside[1]))))
    return _typed(Node(operator, (left, right)), random, types, 0.25)


def narrowed(node: Node) -> Node:
    """The same of the inputs themselves."""
    inside = tuple(map(narrowed, node.inside))
    return replace(node, operator=node.operator if inside else node.operator.lower(), inside=inside)


def _typed(node: Node, random: Random, types: Sequence[str], share: float) -> Node:
    if random.random() > share:
        return node
    if random.random() < 0.5:
        return narrowed(node)
    if random.random() < 0.5:
        return replace(node, converted=random.choice(types))
    return replace(node, temporary=random.choice(types))


def case(random: Random) -> Case:
    is_float = random.random() < 0.4
    narrow = NARROW if is_float else NARROW[:-1]
    one = random.choice(narrow)
    types = {name: one if random.random() < 0.7 else random.choice(narrow) for name in NAMES}
    wide = random.choice(FLOATS if is_float else INTEGERS)
    equation = expression(random, random.choice((2, 2, 3)))
    known = ("float", "double") if is_float else (*NARROW[:-1], "long")
    return Case(types, wide, equation, rewritten(equation, random, known))


def extreme(type_: ScalarType, rng: np.random.Generator) -> np.ndarray:
    wanted = np.dtype(type_.numpy)
    if type_.is_float:
        powers = rng.choice([-149, -130, -60, -1, 0, 1, 24, 60, 100, 126], SIZE)
        return np.asarray(rng.choice([-1.0, 0.0, -0.0, 1.0, 1.5], SIZE) * np.exp2(powers)).astype(wanted)
    limits = np.iinfo(wanted)
    known = [0, 1, -1, 2, 3, 181, 255, 256, 32767, 32768, 46341, 65535, 65536, 2**31 - 1, 2**31, limits.max, limits.min]
    some = [each for each in map(int, known) if limits.min <= each <= limits.max]
    return np.array([some[at] for at in rng.integers(0, len(some), SIZE)], wanted)


def differences(found: Case, checked: Checked, function: object, rng: np.random.Generator) -> list[str]:
    """Returns the differences between C and equations: of integers bit by bit, of floats without overflow."""
    inputs = {name: extreme(SCALAR_TYPES[type_], rng) for name, type_ in found.types.items()}
    with np.errstate(all="ignore"):
        wanted = evaluate(checked.program, checked.facts, "s", {"N": SIZE}, inputs)["c"]
    result = np.zeros(SIZE, wanted.dtype)
    arrays = [*inputs.values(), result]
    function(SIZE, *(array.ctypes.data_as(ctypes.c_void_p) for array in arrays))  # type: ignore[operator]
    if wanted.dtype.kind == "f":
        bounds = magnitudes(checked).of("s", {"N": SIZE}, inputs)
        assert bounds is not None
        share = 1e-4 if "float" in (*found.types.values(), found.wide) else 1e-9
        with np.errstate(all="ignore"):
            near = np.abs(result.astype(float) - wanted.astype(float)) <= share * bounds["c"]
        same = near | ~np.isfinite(bounds["c"])
    else:
        same = result == wanted
    at = np.flatnonzero(~same)
    return [f"{ {n: a[k] for n, a in inputs.items()} }: {result[k]}, and {wanted[k]} by the equations" for k in at[:1]]


# Seeds with which a product that is regrouped in any type is found: of unsigned integers, of floats, of int.
@pytest.mark.parametrize("seed", thinned([1, 3, 5], 3))
def test_what_is_proved_agrees(seed: int) -> None:
    random, rng = Random(seed), np.random.default_rng(seed)
    cases = [case(random) for _ in range(COUNT)]
    names = [f"s{at}" for at in range(COUNT)]
    texts = "".join(each.text(name) for each, name in zip(cases, names, strict=True))
    library = load(Sources({"s.c": texts}), find_compiler(), ("-O1", "-fwrapv", "-ffp-contract=off"))
    count = 0
    for each, name in zip(cases, names, strict=True):
        checked = read_program(Source("s.ab", each.program))
        proved = [
            laws for laws in EVERY
            if prove_c(checked, Source("s.c", each.text()), ProofTask(laws=laws, executes=False)).is_proved
        ]  # fmt: skip
        count += len(proved)
        for _ in range(4 if proved else 0):
            assert not differences(each, checked, library[name], rng), (each.program, each.text(), proved)
    # It is about something: many are proved, and most are not.
    assert COUNT < 2 * count < 3 * COUNT
