"""Names the sums and solutions inside formulas as matrices of their own, and finds which of them are symmetric."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeGuard, TypeVar

from alphaz.frontends.matrix.checked_kernel import Extent, MatrixArray, MatrixKernel, transposed_variable
from alphaz.frontends.matrix.storage import Form, MatrixStorage, SolutionMethod
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

FACTORISATIONS = ("cholesky", "lu")
Node = TypeVar("Node", bound=Expression)


def with_named_sums(kernel: MatrixKernel) -> MatrixKernel:
    """Returns the same kernel; a remaining product with a sum, or a norm, is needed once for each of its elements.

    That is: not inside another sum, and not if it has fewer elements than the assigned variable. A solution is the
    whole value of an assignment, and its matrix a triangle: a variable, or the calls `tril(F)`, `triu(F)` of the
    factors that `cholesky(A)` or `lu(A)` has put into one matrix; texts have no such calls."""
    lowering = _Lowering(kernel, dict(kernel.arrays))
    for assignment in kernel.assignments:
        lowering.assign(assignment)
    return replace(kernel, arrays=lowering.arrays, assignments=tuple(lowering.done), extents=lowering.extents)


def is_solution(node: Expression) -> TypeGuard[BinaryFormula]:
    """Returns True for `A \\ b`."""
    return isinstance(node, BinaryFormula) and node.operator is FormulaOperator.SOLVE


def is_transposed(node: Expression) -> bool:
    """Returns True for `A'`, False for `A''`."""
    return isinstance(node, Transposed) and not is_transposed(node.body)


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
    factors: dict[str, VariableFormula] = field(default_factory=dict)
    """The factors of the present value of a variable."""

    def __post_init__(self) -> None:
        self.extents = dict(self.kernel.extents)

    def assign(self, assignment: Assignment) -> None:
        """Adds an assignment, behind those of its temporaries."""
        value, is_general = assignment.value, self._is_general(assignment.target)
        if is_solution(value) and is_general:
            value = self._triangular_solution(value)
        elif is_solution(value):
            value = self._named(value, self.extents[value])
        else:
            value = self.lowered(value, self.extents[value], summed=False)
        self.done.append(replace(assignment, value=value))
        self.factors.pop(assignment.target, None)

    def _is_general(self, name: str) -> bool:
        return self.arrays[name].storage.form is Form.GENERAL

    def _triangular_solution(self, node: BinaryFormula) -> BinaryFormula:
        """The last solution of a triangular system; the one before it is a temporary."""
        extent = self.extents[node]
        node = self._known(replace(node, right=self.lowered(node.right, extent, summed=False)), extent)
        first, second = self._triangles(node.left)
        if first is None:
            return self._known(replace(node, left=second), extent)
        between = self._new(self._known(replace(node, left=first), extent), MatrixStorage())
        return self._known(replace(node, left=second, right=between), extent)

    def _triangles(self, matrix: Expression) -> tuple[Expression | None, Expression]:
        """The triangles whose product is a matrix; None for the first if it is one."""
        variable = transposed_variable(matrix)
        assert variable is not None
        method = self.arrays[variable.name].storage.solution
        if method is SolutionMethod.CHOLESKY:
            factor = self._factors(variable, "cholesky")
            return factor, self._turned(factor)
        if method is SolutionMethod.LU:
            factors = self._factors(variable, "lu")
            calls = (FormulaCall(word, factors, factors.span) for word in ("tril", "triu"))
            lower, upper = (self._known(call, self.extents[factors]) for call in calls)
            return (self._turned(upper), self._turned(lower)) if is_transposed(matrix) else (lower, upper)
        return None, matrix

    def _factors(self, matrix: VariableFormula, function: str) -> VariableFormula:
        """The temporary with the factors of a matrix."""
        known = self.factors.get(matrix.name)
        if known is None:
            matrix_storage = self.arrays[matrix.name].storage
            form = (
                Form.TRIANGULAR
                if function == "cholesky"
                else Form.BAND
                if matrix_storage.form is Form.BAND
                else Form.GENERAL
            )
            call = self._known(FormulaCall(function, matrix, matrix.span), self.extents[matrix])
            known = self._new(call, MatrixStorage(form=form, below=matrix_storage.below, above=matrix_storage.above))
            self.factors[matrix.name] = known
        return known

    def _turned(self, node: Expression) -> Expression:
        return self._known(Transposed(node, node.span), self.extents[node])

    def _known(self, node: Node, extent: Extent) -> Node:
        self.extents[node] = extent
        return node

    def lowered(self, node: Expression, whole: Extent, summed: bool) -> Expression:
        """Returns the lowered expression. `whole` is the extent of the assigned variable, `summed`: the node is inside
        a sum."""
        extent = self.extents[node]
        if is_solution(node) or (adds_up(node, self.extents) and (summed or _fewer(extent, whole))):
            return self._named(node, extent)
        return self._rebuilt(node, whole, summed or adds_up(node, self.extents))

    def _named(self, node: Expression, extent: Extent) -> VariableFormula:
        value = self._triangular_solution(node) if is_solution(node) else self.lowered(node, extent, summed=False)
        return self._new(value, MatrixStorage())

    def _new(self, value: Expression, storage: MatrixStorage) -> VariableFormula:
        """A new temporary with this value."""
        extent = self.extents[value]
        name = next(
            name for position in range(1, len(self.arrays) + 2) if (name := f"t{position}") not in self._taken()
        )
        self.arrays[name] = MatrixArray(name=name, way=None, extent=extent, storage=storage, span=value.span)
        self.done.append(Assignment(name, value, value.span))
        return self._known(VariableFormula(name, value.span), extent)

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
        case BinaryFormula(FormulaOperator.SOLVE):
            known = f"({_text(node.left, kernel, False)}\\{_text(node.right, kernel, False)})"
            yield _Term(factors=(f"{known}'" if flipped else known,))
        case BinaryFormula():
            yield from _terms(node.left, kernel, flipped)
            right = _terms(node.right, kernel, flipped)
            yield from (term.negated if node.operator is FormulaOperator.SUBTRACT else term for term in right)


def _product(node: BinaryFormula, kernel: MatrixKernel, flipped: bool) -> _Term:
    left, right = (_factor(factor, kernel, flipped) for factor in (node.left, node.right))
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
