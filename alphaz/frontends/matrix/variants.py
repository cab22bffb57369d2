"""Equivalent variants of a kernel: products in other orders, and temporary matrices in the other storage order.

(A*B)*C is A*(B*C), and the layout of a temporary is not part of the interface. Shapes of reordered products are checked
as in written ones.
Source: G. Belter, Efficient Generation of Sequences of Dense Linear Algebra through Auto-Tuning (2012), 3.2.3 and 3.3,
where the order is taken as written, and of several types for temporaries the first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice, product
from operator import ne

from alphaz.diagnostics import Rejected
from alphaz.frontends.matrix.checked_kernel import Extent, MatrixKernel, check_kernel
from alphaz.frontends.matrix.equations import program_text
from alphaz.frontends.matrix.named_sums import with_named_sums
from alphaz.frontends.matrix.tree import (
    Assignment,
    BinaryFormula,
    Expression,
    FormulaCall,
    FormulaOperator,
    KernelText,
    Negated,
    NumberFormula,
    Transposed,
    VariableFormula,
)

# Most variants: a long product has more orders than can be timed.
MOST = 12

_STRENGTH = {
    FormulaOperator.ADD: 1,
    FormulaOperator.SUBTRACT: 1,
    FormulaOperator.MULTIPLY: 2,
    FormulaOperator.DIVIDE: 2,
    FormulaOperator.SOLVE: 2,
}
_UNARY, _ATOM = 3, 4


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A kernel, and the names of temporary matrices stored by columns. `change` describes its difference from the
    others."""

    kernel: MatrixKernel
    change: str
    by_columns: tuple[str, ...] = ()

    @property
    def program(self) -> str:
        """Returns its equations. Raises Rejected (AZ223) for a value that its format cannot hold."""
        return program_text(self.kernel, self.by_columns)


def variants(text: KernelText) -> Iterator[Variant]:
    """Yields at most MOST variants: as written first, then in other orders, then with temporaries stored by columns.
    Raises Rejected if the written one is invalid."""
    kernel = check_kernel(text)
    orders = islice(_orders(text, kernel), MOST)
    every = [list(_storage_variants(order, text)) for order in orders]
    ordered = [*(plain for plain, *_ in every), *(variant for _, *turned in every for variant in turned)]
    yield ordered[0]
    yield from islice(filter(_can_be, ordered[1:]), MOST - 1)


def _can_be(variant: Variant) -> bool:
    """Returns True if every value has the format of its variable, as far as formulas show that."""
    try:
        return bool(variant.program)
    except Rejected:
        return False


# --- orders of products -----------------------------------------------------------------------------------------------


def _orders(text: KernelText, kernel: MatrixKernel) -> Iterator[MatrixKernel]:
    """The kernels whose shapes fit, the written one first."""
    choices = [_assigned(assignment, kernel.extents) for assignment in text.assignments]
    for assignments in _choices_of(choices):
        try:
            made = check_kernel(replace(text, assignments=assignments))
        except Rejected:
            continue
        if made.parameters == kernel.parameters and _named_variables(made) == _named_variables(kernel):
            yield made


def _choices_of(choices: Sequence[Sequence[Assignment]]) -> Iterator[tuple[Assignment, ...]]:
    """One of each: the first ones, then those that differ from them at one place, then the others."""
    firsts = tuple(first for first, *_ in choices)
    yield firsts
    for position, (_, *others) in enumerate(choices):
        yield from ((*firsts[:position], other, *firsts[position + 1 :]) for other in others)
    yield from (choice for choice in product(*choices) if sum(map(ne, choice, firsts)) > 1)


def _named_variables(kernel: MatrixKernel) -> list[object]:
    """The properties of the variables that have names in the text."""
    return [(name, array.way, array.extent, array.storage) for name, array in kernel.arrays.items()]


def _assigned(assignment: Assignment, extents: Mapping[Expression, Extent]) -> list[Assignment]:
    values = {
        formula(product_order): product_order
        for product_order in (assignment.value, *_product_orders(assignment.value, extents))
    }
    return [replace(assignment, value=value) for value in values.values()]


def _product_orders(node: Expression, extents: Mapping[Expression, Extent]) -> list[Expression]:
    """The expression with its products in other orders, at most MOST of them."""
    return list(islice(_every_order(node, extents), MOST))


def _every_order(node: Expression, extents: Mapping[Expression, Extent]) -> Iterator[Expression]:
    match node:
        case BinaryFormula(FormulaOperator.MULTIPLY) if _is_chain(node, extents):
            factors = product(*(_product_orders(factor, extents) for factor in _factors(node, extents)))
            yield from (tree for factor in factors for tree in _trees(factor))
        case BinaryFormula():
            sides = product(_product_orders(node.left, extents), _product_orders(node.right, extents))
            yield from (replace(node, left=left, right=right) for left, right in sides)
        case Transposed() | Negated():
            yield from (replace(node, body=order) for order in _product_orders(node.body, extents))
        case FormulaCall():
            yield from (replace(node, argument=order) for order in _product_orders(node.argument, extents))
        case VariableFormula() | NumberFormula():
            yield node


def _is_chain(node: Expression, extents: Mapping[Expression, Extent]) -> bool:
    """Returns True if it multiplies non-scalars: a scalar can have any position at the same cost."""
    match node:
        case BinaryFormula(FormulaOperator.MULTIPLY, left, right):
            return bool(extents[left].sizes and extents[right].sizes)
    return False


def _factors(node: Expression, extents: Mapping[Expression, Extent]) -> list[Expression]:
    if not isinstance(node, BinaryFormula) or not _is_chain(node, extents):
        return [node]
    return [*_factors(node.left, extents), *_factors(node.right, extents)]


def _trees(factors: Sequence[Expression]) -> Iterator[Expression]:
    if len(factors) == 1:
        yield factors[0]
    for position in range(1, len(factors)):
        for left, right in product(_trees(factors[:position]), _trees(factors[position:])):
            yield BinaryFormula(FormulaOperator.MULTIPLY, left, right, left.span.to(right.span))


# --- temporaries ------------------------------------------------------------------------------------------------------


def _storage_variants(kernel: MatrixKernel, text: KernelText) -> Iterator[Variant]:
    """Variants with every choice of temporary matrices stored by columns, none first."""
    changed = "; ".join(
        f"{made.target} = {formula(made.value)}"
        for made, assignment in zip(kernel.assignments, text.assignments, strict=True)
        if formula(made.value) != formula(assignment.value)
    )
    arrays = with_named_sums(kernel).arrays
    free = [name for name, array in arrays.items() if array.way is None and len(array.extent.sizes) == 2]
    for turned in chain.from_iterable(combinations(free, count) for count in range(len(free) + 1)):
        columns = f"{', '.join(turned)} by columns" if turned else ""
        yield Variant(kernel, "; ".join(filter(None, (changed, columns))) or "as written", turned)


# --- text -------------------------------------------------------------------------------------------------------------


def formula(node: Expression) -> str:
    """Returns an expression as written, with parentheses around a product in a product."""
    return _text(node, 0)


def _text(node: Expression, around: int) -> str:
    """The text; `around`: the precedence of the context."""
    match node:
        case VariableFormula():
            return node.name
        case NumberFormula():
            return node.text
        case FormulaCall():
            return f"{node.function}({_text(node.argument, 0)})"
        case Transposed():
            return f"{_text(node.body, _ATOM)}'"
        case Negated():
            return _within(f"-{_text(node.body, _UNARY)}", _UNARY, around)
    own = _STRENGTH[node.operator]
    is_sum = own == _STRENGTH[FormulaOperator.ADD]
    space = " " if is_sum or node.operator is FormulaOperator.SOLVE else ""
    text = f"{_text(node.left, own if is_sum else own + 1)}{space}{node.operator}{space}{_text(node.right, own + 1)}"
    return _within(text, own, around)


def _within(text: str, own: int, around: int) -> str:
    return f"({text})" if own < around else text
