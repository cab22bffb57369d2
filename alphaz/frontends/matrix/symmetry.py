"""Symmetry of a matrix, as far as its formula shows it: the formula and its transpose are normalised to sums of
products, and compared as texts."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from alphaz.frontends.matrix.kernel import MatrixKernel
from alphaz.frontends.matrix.storage import Form
from alphaz.frontends.matrix.tree import (
    BinaryFormula,
    Expression,
    FormulaCall,
    FormulaOperator,
    Negated,
    NumberFormula,
    Transposed,
    VariableFormula,
)


def is_symmetric(node: Expression, kernel: MatrixKernel) -> bool:
    """Returns True for a symmetric variable, e + e', e*e', e*s*e', sums and multiples of such, and other formulas that
    equal their own transpose up to the order of terms and of scalars."""
    return not kernel.extents[node].sizes or _text(node, kernel, False) == _text(node, kernel, True)


@dataclass(frozen=True, slots=True)
class _Term:
    """A product: scalars, which commute, and matrices and vectors, which do not."""

    scalars: tuple[str, ...] = ()
    factors: tuple[str, ...] = ()
    is_negative: bool = False

    def __str__(self) -> str:
        return " ".join(("-" if self.is_negative else "+", *sorted(self.scalars), *self.factors))

    @property
    def negated(self) -> "_Term":
        return replace(self, is_negative=not self.is_negative)


def _text(node: Expression, kernel: MatrixKernel, flipped: bool) -> str:
    """The text of an expression, or of its transpose: equal texts mean equal matrices."""
    return f"({', '.join(sorted(map(str, _terms(node, kernel, flipped))))})"


def _terms(node: Expression, kernel: MatrixKernel, flipped: bool) -> Iterator[_Term]:
    match node:
        case VariableFormula() if not kernel.extents[node].sizes:
            yield _Term((node.name,))
        case VariableFormula():
            is_own = kernel.arrays[node.name].storage.form is Form.SYMMETRIC
            yield _Term(factors=(f"{node.name}'" if flipped and not is_own else node.name,))
        case NumberFormula():
            yield _Term((node.text,))
        case FormulaCall():
            yield _Term((f"{node.function}{_text(node.argument, kernel, False)}",))
        case Transposed():
            yield from _terms(node.body, kernel, not flipped)
        case Negated():
            yield from (term.negated for term in _terms(node.body, kernel, flipped))
        case BinaryFormula(FormulaOperator.MULTIPLY):
            yield _product(node, kernel, flipped)
        case BinaryFormula(FormulaOperator.DIVIDE):
            above = _factor(node.left, kernel, flipped)
            yield replace(above, scalars=(*above.scalars, f"1/{_text(node.right, kernel, False)}"))
        case BinaryFormula():
            yield from _terms(node.left, kernel, flipped)
            right = _terms(node.right, kernel, flipped)
            yield from (each.negated if node.operator is FormulaOperator.SUBTRACT else each for each in right)


def _product(node: BinaryFormula, kernel: MatrixKernel, flipped: bool) -> _Term:
    left, right = (_factor(each, kernel, flipped) for each in (node.left, node.right))
    first, second = (right, left) if flipped else (left, right)
    return _Term(
        scalars=(*left.scalars, *right.scalars),
        factors=(*first.factors, *second.factors),
        is_negative=left.is_negative != right.is_negative,
    )


def _factor(node: Expression, kernel: MatrixKernel, flipped: bool) -> _Term:
    """The expression as one term; a scalar is its own transpose."""
    is_scalar = not kernel.extents[node].sizes
    terms = list(_terms(node, kernel, flipped and not is_scalar))
    if len(terms) == 1 and not (is_scalar and terms[0].factors):
        return terms[0]
    text = _text(node, kernel, flipped and not is_scalar)
    return _Term((text,)) if is_scalar else _Term(factors=(text,))
