"""A sequential execution of a kernel by plain integers: which accesses happen where data decides about them.

Inputs are small numbers, and a value is known only where it is exact in its type. An access of which the execution
does not determine whether it happens is left out.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from zlib import crc32

from alphaz.equivalence.concrete_instances import Point
from alphaz.equivalence.concrete_steps import ConcreteStep
from alphaz.model.types import ScalarType
from alphaz.scop.c_model import CKernel, KernelArray
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, OperationValue, ReadValue, Tree, leaves_in

Cell = tuple[str, Point]
# Numbers up to here are exact in every type but those of 8 bits, and in floats also their halves, quarters, ...
_GREATEST, _GREATEST_BYTE, _PARTS = 2**15 - 1, 2**7 - 1, 2**8
_FAR = Fraction(1, 100)
_COMPARISONS = frozenset({"<", "<=", "==", "!="})
_MOST_CONSTANTS, _MIXED = 6, 3
_ARITHMETIC: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda one, other: one + other,
    "-": lambda one, other: one - other,
    "*": lambda one, other: one * other,
    "min": min,
    "max": max,
    "<": lambda one, other: Fraction(one < other),
    "<=": lambda one, other: Fraction(one <= other),
    "==": lambda one, other: Fraction(one == other),
    "!=": lambda one, other: Fraction(one != other),
    "xor": lambda one, other: Fraction(bool(one) != bool(other)),
}


@dataclass(frozen=True, slots=True)
class InputNumbers:
    """The numbers of the inputs of an execution: each element has one of the `choices`."""

    choices: tuple[int, ...]
    seed: int = 0

    def at(self, cell: Cell, type_: ScalarType) -> Fraction | None:
        number = self.choices[crc32(f"{self.seed} {cell}".encode()) % len(self.choices)]
        return _exact(Fraction(number), type_)


def inputs_of(kernel: CKernel) -> Iterator[InputNumbers]:
    """Yields inputs of equal numbers, near 0 and near the constants of the kernel, and of mixed ones."""
    leaves = (leaf for statement in kernel.statements for leaf in leaves_in(statement.value))
    values = (leaf.value for leaf in leaves if isinstance(leaf, LiteralValue))
    constants = {int(value) for value in values if isinstance(value, Fraction) and value.denominator == 1}
    near = [at + by for at in sorted(constants, key=abs)[:_MOST_CONSTANTS] for by in (0, 1, -1)]
    numbers = tuple(dict.fromkeys((1, -1, 0, *near)))
    yield from (InputNumbers((number,)) for number in numbers)
    yield from (InputNumbers(numbers, seed) for seed in range(_MIXED))


@dataclass(slots=True)
class ConcreteExecution:
    """One execution. Cells of `shared` arrays have no known value: other threads may change them under a lock, or have
    parts of them. `used` are the inputs that it has read."""

    inputs: InputNumbers
    shared: Collection[str]
    memory: dict[Cell, Fraction | None] = field(default_factory=dict)
    used: dict[Cell, Fraction] = field(default_factory=dict)

    @staticmethod
    def of(kernel: CKernel, inputs: InputNumbers) -> "ConcreteExecution":
        written = (statement for statement in kernel.statements if not statement.write.is_plain)
        shared = {one.target.array.name for one in (*written, *kernel.collecting)}
        return ConcreteExecution(inputs, shared)

    def accesses(self, steps: Iterable[tuple[ConcreteStep, Point]]) -> Iterator[tuple[ConcreteStep, Point, set[int]]]:
        """Yields each instance with the numbers of its accesses that happen: 0 for the target, then those of its
        reads."""
        for step, point in steps:
            target = step.target.at(point)
            evaluation = _Evaluation(self, step, point)
            value = evaluation.number(step.statement.value, is_whole=True)
            happening = {number + 1 for number in evaluation.reads}
            if evaluation.is_stored:
                self.memory[target] = None if value is None else _exact(value, step.statement.target.array.type)
                happening.add(0)
            else:
                happening -= {own + 1 for own in evaluation.own}
                if evaluation.is_unknown:
                    self.memory[target] = None
            if not step.statement.is_there:
                yield step, point, happening

    def read(self, cell: Cell, array: KernelArray) -> Fraction | None:
        if array.name in self.shared or array.is_stale:
            return None
        if cell not in self.memory and array.is_argument:
            number = self.memory[cell] = self.inputs.at(cell, array.type)
            if number is not None:
                self.used[cell] = number
        return self.memory.get(cell)


@dataclass(slots=True)
class _Evaluation:
    """The evaluation of the value of one instance. `reads` are those that happen; `is_stored`: the text stores the
    value, which may not be so where it keeps the cell (`if (c) x = a;`), or adds 0 (`if (c) x += a;`, which may be read
    as `x += c ? a : 0;`); `is_unknown`: it may do so."""

    execution: ConcreteExecution
    step: ConcreteStep
    point: Point
    reads: set[int] = field(default_factory=set)
    is_stored: bool = True
    is_unknown: bool = False

    @property
    def own(self) -> set[int]:
        """Returns the numbers of the reads of the target."""
        reads, target = self.step.statement.reads, self.step.statement.target
        return {position for position, read in enumerate(reads) if read.same_cell(target)}

    def number(self, tree: Tree, is_whole: bool = False) -> Fraction | None:
        match tree:
            case LiteralValue(value):
                return _exact(value, tree.type) if isinstance(value, Fraction) else None
            case IndexLeaf(affine, type_):
                return _exact(Fraction(affine.at(self.step.instance(self.point))), type_)
            case ReadValue(number):
                self.reads.add(number)
                access = self.step.reads[number]
                return self.execution.read(access.at(self.point), access.access.array)
            case OperationValue("if", (test, one, other)):
                return self._chosen(self.number(test), one, other, is_whole)
            case OperationValue("and" | "or" as operator, (one, other)):
                return self._lazily(operator, one, other)
            case OperationValue(operator, operands, type_):
                is_conversion = operator.startswith("as ")
                compared = operator in _COMPARISONS
                values = [
                    _bound(operand) if compared and isinstance(operand, LiteralValue)
                    else self.number(operand, is_whole and is_conversion)
                    for operand in operands
                ]  # fmt: skip
                known = [value for value in values if value is not None]
                if len(known) < len(values):
                    return None
                return known[0] if is_conversion else _combined(operator, known, type_)

    def _chosen(self, test: Fraction | None, one: Tree, other: Tree, is_whole: bool) -> Fraction | None:
        if test is None:
            self.is_stored, self.is_unknown = False, True
            return None
        branch = one if test else other
        is_kept = isinstance(branch, ReadValue) and branch.number in self.own
        if is_kept or (isinstance(branch, LiteralValue) and branch.value == 0 and not is_whole):
            self.is_stored = False
            return None
        return self.number(branch, is_whole)

    def _lazily(self, operator: str, one: Tree, other: Tree) -> Fraction | None:
        first = self.number(one)
        if first is None or bool(first) == (operator == "or"):
            return first
        second = self.number(other)
        return None if second is None else Fraction(bool(second))


def _bound(literal: LiteralValue) -> Fraction | None:
    """Returns the number that known values are compared with, if its rounding lies on the same side of them."""
    if not isinstance(literal.value, Fraction):
        return None
    distance = abs(literal.value * _PARTS - round(literal.value * _PARTS))
    return literal.value if distance == 0 or (distance > _FAR and abs(literal.value) < _GREATEST) else None


def _combined(operator: str, values: Sequence[Fraction], type_: ScalarType) -> Fraction | None:
    match operator, values:
        case "neg", [value]:
            return _exact(-value, type_)
        case "not", [value]:
            return Fraction(not value)
        case _, [one, other] if operator in _ARITHMETIC:
            return _exact(_ARITHMETIC[operator](one, other), type_)
    return None


def _exact(value: Fraction, type_: ScalarType) -> Fraction | None:
    """Returns a number that every computation in this type has exactly; None for others."""
    greatest = _GREATEST if type_.is_float or type_.bits > 8 else _GREATEST_BYTE
    is_dyadic = _PARTS % value.denominator == 0 if type_.is_float else value.denominator == 1
    is_there = abs(value) <= greatest and is_dyadic and (value >= 0 or type_.signed)
    return value if is_there and (type_.kind != "bool" or value <= 1) else None


def inputs_text(used: Mapping[Cell, Fraction], labels: Mapping[str, str]) -> str:
    """Returns the inputs of an execution in words; "" for many different ones."""
    if len(used) <= _MOST_CONSTANTS:
        return ", ".join(
            f"{labels[array]}{''.join(f'[{subscript}]' for subscript in cell)}={value}"
            for (array, cell), value in sorted(used.items())
        )
    numbers = {*used.values()}
    return f"all inputs {numbers.pop()}" if len(numbers) == 1 else ""
