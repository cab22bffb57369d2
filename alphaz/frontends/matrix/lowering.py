"""Names sums that would be recomputed, and finds symmetric matrices by their formulas."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from alphaz.frontends.matrix.kernel import Extent, MatrixArray, MatrixKernel
from alphaz.frontends.matrix.storage import Form, MatrixStorage
from alphaz.frontends.matrix.tree import (
    Assignment,
    BinaryFormula,
    Expression,
    FormulaCall,
    FormulaOperator,
    Negated,
    NumberFormula,
    Transposed,
    VariableFormula,
)


def with_named_sums(kernel: MatrixKernel) -> MatrixKernel:
    """Returns the same kernel; a remaining product with a sum, or a norm, is needed once for each of its elements.

    That is: not inside another sum, and not if it has fewer elements than the assigned variable."""
    lowering = _Lowering(kernel, dict(kernel.arrays))
    for assignment in kernel.assignments:
        value = lowering.lowered(assignment.value, kernel.extents[assignment.value], summed=False)
        lowering.done.append(replace(assignment, value=value))
    return replace(kernel, arrays=lowering.arrays, assignments=tuple(lowering.done), extents=lowering.extents)


def adds_up(node: Expression, extents: dict[Expression, Extent]) -> bool:
    """Returns True if each of its elements is a sum over an index of its own."""
    match node:
        case FormulaCall("norm2"):
            return True
        case BinaryFormula(FormulaOperator.MULTIPLY, left, right):
            return extents[left].columns is not None and extents[right].rows is not None
    return False


@dataclass(slots=True)
class _Lowering:
    """The state. `done` are the assignments so far, `arrays` and `extents` those of the kernel with the new
    temporaries."""

    kernel: MatrixKernel
    arrays: dict[str, MatrixArray]
    done: list[Assignment] = field(default_factory=list)
    extents: dict[Expression, Extent] = field(init=False)

    def __post_init__(self) -> None:
        self.extents = dict(self.kernel.extents)

    def lowered(self, node: Expression, whole: Extent, summed: bool) -> Expression:
        """Returns the lowered expression. `whole` is the extent of the assigned variable, `summed`: the node is inside
        a sum."""
        extent = self.extents[node]
        if adds_up(node, self.extents) and (summed or _fewer(extent, whole)):
            return self._named(node, extent)
        return self._rebuilt(node, whole, summed or adds_up(node, self.extents))

    def _named(self, node: Expression, extent: Extent) -> VariableFormula:
        value = self.lowered(node, extent, summed=False)
        name = next(name for at in range(1, len(self.arrays) + 2) if (name := f"t{at}") not in self._taken())
        self.arrays[name] = MatrixArray(name=name, way=None, extent=extent, storage=MatrixStorage(), span=node.span)
        self.done.append(Assignment(name, value, node.span))
        made = VariableFormula(name, node.span)
        self.extents[made] = extent
        return made

    def _taken(self) -> set[str]:
        return {*self.arrays, *self.kernel.parameters}

    def _rebuilt(self, node: Expression, whole: Extent, summed: bool) -> Expression:
        made: Expression = node
        match node:
            case VariableFormula() | NumberFormula():
                return node
            case Transposed() | Negated():
                made = replace(node, body=self.lowered(node.body, whole, summed))
            case FormulaCall():
                made = replace(node, argument=self.lowered(node.argument, whole, summed))
            case BinaryFormula():
                left = self.lowered(node.left, whole, summed)
                made = replace(node, left=left, right=self.lowered(node.right, whole, summed))
        self.extents[made] = self.extents[node]
        return made


def _fewer(extent: Extent, whole: Extent) -> bool:
    return len(extent.sizes) < len(whole.sizes)


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
