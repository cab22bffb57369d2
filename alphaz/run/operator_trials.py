"""Trials of declared operators: a reduction may combine its values in any order, by any partition, each part beginning
with the identity. That is right if the operator is associative and commutative, and if beginning with the identity
changes no result. An operator may normalise its operands (`gcd` of negative numbers), but not absorb them. Small values
are tried in a process of its own, since the user's C may crash or loop."""

import faulthandler
import math
import os
import random
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from alphaz.codegen.sources import EXTERNALS
from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import COMPILATION, OPERATOR_LAW
from alphaz.model.expression import Reduce
from alphaz.model.interpreter.evaluation_order import expressions_of
from alphaz.model.program import External, Program
from alphaz.model.types import ScalarType
from alphaz.model.walk import walk
from alphaz.processes.copies import bounded, can_fork
from alphaz.run.externals import external_functions

Number = int | float
Operator = Callable[..., object]

_SECONDS = 1.0
_WAIT = 4
_DRAWN = 300
# Float operators may round differently in another order.
_TOLERANCE = 1e-4


def operator_findings(program: Program, include: Path | None) -> tuple[Diagnostic, ...]:
    """Returns a warning (AZ317) for each operator of a reduction for which small values refute a law that a reduction
    needs; none for functions without a body in `external_functions.h` of the folder. Raises Rejected (AZ803) if the C
    compiler refuses that file."""
    operators = [external for external in program.externals if external.name in set(_operators(program))]
    if not operators or include is None or not can_fork():
        return ()
    try:
        functions = external_functions(program, include)
    except Rejected as rejected:
        if any(map(_is_error_of_header, rejected.diagnostics)):
            raise
        return ()
    findings = (_tried(external, functions[external.name]) for external in operators if external.name in functions)
    return tuple(finding for finding in findings if finding is not None)


def _is_error_of_header(finding: Diagnostic) -> bool:
    """Returns False for a header that only declares the functions, whose bodies are elsewhere."""
    return finding.rule is COMPILATION and any(EXTERNALS in note and "error" in note for note in finding.notes)


def _operators(program: Program) -> Iterator[str]:
    """The names of the operators of reductions."""
    for system in program.systems:
        for equation in system.equations:
            for expression in expressions_of(equation):
                yield from (node.operator for node in walk(expression) if isinstance(node, Reduce))


def _tried(external: External, function: Operator) -> Diagnostic | None:
    """The finding about one operator, whose calls are isolated."""
    try:
        broken = bounded(lambda: _in_copy(external, function), _SECONDS)
    except TimeoutError:
        return _finding(external, "does not end for small values", f"more than {_SECONDS:g} s for {_DRAWN} triples")
    except ChildProcessError as died:
        what = "does not end" if "SIGALRM" in str(died) else "crashes"
        return _finding(external, f"{what} for small values", str(died))
    return None if broken is None else _finding(external, *broken)


def _in_copy(external: External, function: Operator) -> tuple[str, str] | None:
    """The first broken law; prints of the function go nowhere, and waiting ends."""
    faulthandler.disable()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(_WAIT)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return broken_law(external, function)


def _finding(external: External, what: str, note: str) -> Diagnostic:
    return Diagnostic(
        OPERATOR_LAW,
        f"the operator `{external.name}` {what}",
        Label(external.span, "declared here"),
        notes=(note,),
        help="a reduction combines its values in any order: write an operator that allows that, or a recurrence",
    )


@dataclass(frozen=True, slots=True)
class _Value:
    """A value with the calls that compute it."""

    text: str
    number: Number

    def __str__(self) -> str:
        return self.text if self.text == str(self.number) else f"{self.text} is {self.number}"


def broken_law(external: External, function: Operator) -> tuple[str, str] | None:
    """Returns the first law that values refute, and their computation; None if there is none."""
    declared = _Value(str(_identity(external)), _identity(external))

    def of(one: _Value, other: _Value) -> _Value:
        result = function(one.number, other.number)
        assert isinstance(result, (int, float))
        return _Value(f"{external.name}({one.text}, {other.text})", result)

    laws: dict[str, Callable[[_Value, _Value, _Value], tuple[_Value, _Value]]] = {
        f"has another identity than {external.identity} on the left": lambda a, b, c: (of(declared, a), a),
        f"has another identity than {external.identity} on the right": lambda a, b, c: (of(a, declared), a),
        "is not commutative": lambda a, b, c: (of(a, b), of(b, a)),
        "is not associative": lambda a, b, c: (of(of(a, b), c), of(a, of(b, c))),
    }
    for law, terms in laws.items():
        for triple in _triples(external.type):
            # The values of accumulators are results: an operator may normalise its right operand.
            results = (of(declared, _Value("", value)).number for value in triple)
            a, b, c = (_Value(str(result), result) for result in results)
            left, right = terms(a, b, c)
            scale = max(1.0, *(abs(value.number) for value in (a, b, c, of(a, b), of(b, c))))
            if not _is_equal(left.number, right.number, scale):
                return law, ", ".join(map(str, (left, right))) if right != a else str(left)
    return _absorption(external, of, declared)


def _absorption(external: External, of: Callable[[_Value, _Value], _Value], declared: _Value) -> tuple[str, str] | None:
    """Returns the first operand of a reduction that the identity changes so that the result changes."""
    has_effect = False
    for triple in _triples(external.type):
        a, b, _ = (_Value(str(number), number) for number in triple)
        direct, left, right = of(a, b), of(declared, a), of(b, declared)
        scale = max(1.0, *(abs(value.number) for value in (a, b, direct, left, right)))
        for side, begun, replaced in (("left", of(left, b), left), ("right", of(a, right), right)):
            if not _is_equal(direct.number, begun.number, scale):
                return f"has another identity than {external.identity} on the {side}", str(replaced)
        has_effect = has_effect or left.number != declared.number
    if not has_effect:
        return f"has another identity than {external.identity} on the left", str(of(declared, _Value("1", 1)))
    return None


def _identity(external: External) -> Number:
    text = (external.identity or "0").strip()
    if text in ("true", "false"):
        return text == "true"
    value = float(text.replace("INFINITY", "inf"))
    return value if external.type.is_float else int(text)


def _is_equal(one: Number, other: Number, scale: float) -> bool:
    """Returns True for equal values; floats of values of this size may be rounded, or overflow."""
    if not isinstance(one, float) or not isinstance(other, float) or one == other:
        return one == other
    return not math.isfinite(one + other + scale) or abs(one - other) <= _TOLERANCE * scale


def _triples(type_: ScalarType) -> Iterator[tuple[Number, Number, Number]]:
    """Small values first, so that the witness is small; then random ones."""
    rng = random.Random(1)
    small: tuple[int, ...] = (0, 1) if type_.kind == "bool" else (0, 1, 2, 3)
    if type_.is_float or (type_.signed and type_.kind != "bool"):
        small = (*small, -1, -2)
    convert: Callable[[float], Number] = bool if type_.kind == "bool" else float if type_.is_float else int
    for a, b, c in sorted(product(small, repeat=3), key=lambda triple: max(map(abs, triple))):
        yield convert(a), convert(b), convert(c)
    if type_.kind == "bool":
        return
    high = 10 if type_.bits == 8 else 100
    low = -high if min(small) < 0 else 0
    draw: Callable[[], Number] = (
        (lambda: rng.uniform(low, high)) if type_.is_float else (lambda: rng.randint(low, high))
    )
    for _ in range(_DRAWN):
        yield draw(), draw(), draw()
