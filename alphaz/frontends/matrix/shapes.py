"""Shape inference with symbolic sizes: equalities of sizes, and contradictions.

A scalar is 1 x 1, a column vector n x 1, a row vector 1 x n. Every size is a symbol or 1; operators equate sizes. A
symbol is never 1: a kernel is for vectors of any length.
Source: G. Belter, Efficient Generation of Sequences of Dense Linear Algebra through Auto-Tuning (2012), 3.2.3 and 4;
the types there have no sizes, and accept products whose sizes do not fit."""

from dataclasses import dataclass, field

from alphaz.diagnostics import Diagnostic, Label, Span
from alphaz.diagnostics.rules import MATRIX_SHAPE
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

ONE = 0
"""The size that is one; others are numbers of symbols."""

Size = int


@dataclass(frozen=True, slots=True)
class Shape:
    rows: Size
    columns: Size

    @property
    def transposed(self) -> "Shape":
        return Shape(self.columns, self.rows)

    @property
    def is_scalar(self) -> bool:
        return self.rows == self.columns == ONE


SCALAR = Shape(ONE, ONE)


@dataclass(slots=True)
class SymbolicSizes:
    """Symbols with their equalities; `places` are the origins of symbols. Filled by one inference."""

    places: list[Span | None] = field(default_factory=lambda: [None])
    parents: list[int] = field(default_factory=lambda: [ONE])

    def new(self, place: Span) -> Size:
        self.places.append(place)
        self.parents.append(len(self.parents))
        return len(self.parents) - 1

    def root(self, size: Size) -> Size:
        while self.parents[size] != size:
            size = self.parents[size]
        return size

    def of(self, shape: Shape) -> Shape:
        return Shape(self.root(shape.rows), self.root(shape.columns))

    def join(self, one: Size, other: Size) -> bool:
        """Equates two sizes; returns False if exactly one of them is 1."""
        low, high = sorted((self.root(one), self.root(other)))
        if low == high:
            return True
        if low == ONE:
            return False
        self.parents[high] = low
        return True


# The probable intention of a product with wrong shapes.
_FITTING = {
    (
        "a column vector",
        "a column vector",
    ): "with `'` behind the left one it is a scalar, behind the right one a matrix",
    ("a row vector", "a row vector"): "with `'` behind the right one it is a scalar, behind the left one a matrix",
}
_OTHERS = "transpose one of them with `'`, or put them in the other order"


@dataclass(slots=True)
class ShapeInference:
    """The shapes of expressions; `variables` has the known ones, with the place that determines each."""

    sizes: SymbolicSizes
    variables: dict[str, tuple[Shape, Span]]
    shapes: dict[Expression, Shape] = field(default_factory=dict)
    findings: list[Diagnostic] = field(default_factory=list)

    def infer(self, node: Expression) -> Shape:
        """Returns the shape of an expression, and infers those of all its parts. Every variable in it is known."""
        self.shapes[node] = shape = self._shape(node)
        return shape

    def _shape(self, node: Expression) -> Shape:
        match node:
            case NumberFormula():
                return SCALAR
            case VariableFormula():
                return self.sizes.of(self.variables[node.name][0])
            case Transposed():
                return self.infer(node.body).transposed
            case Negated():
                return self.infer(node.body)
            case FormulaCall():
                return self._call(node)
            case BinaryFormula(FormulaOperator.MULTIPLY):
                return self._product(node)
            case BinaryFormula(FormulaOperator.DIVIDE):
                return self._quotient(node)
            case BinaryFormula(FormulaOperator.SOLVE):
                return self._solution(node)
        left, right = self.infer(node.left), self.infer(node.right)
        message = f"`{node.operator}` needs operands of one shape"
        self.equal(
            node.left.span,
            left,
            node.right.span,
            right,
            message,
            "a scalar is not added to every element: add a vector of them",
        )
        return self.sizes.of(left)

    def _call(self, node: FormulaCall) -> Shape:
        inner = self.infer(node.argument)
        if node.function == "sqrt" and not inner.is_scalar:
            help_ = "the length of a vector is `norm2`"
            self._refuse("`sqrt` takes a scalar", node.argument.span, inner, help_)
        if node.function == "norm2" and ONE not in (inner.rows, inner.columns):
            help_ = "there is no norm of a matrix: write the formula"
            self._refuse("`norm2` takes a vector", node.argument.span, inner, help_)
        return SCALAR

    def _quotient(self, node: BinaryFormula) -> Shape:
        left, right = self.infer(node.left), self.infer(node.right)
        if not right.is_scalar:
            help_ = (
                "formulas do not work element by element; "
                "the solution of `A*x = b` is `A \\ b`, of `x*A = b` it is `(A' \\ b')'`"
            )
            self._refuse("only a scalar divides", node.right.span, right, help_)
        return left

    def _solution(self, node: BinaryFormula) -> Shape:
        left, right = self.infer(node.left), self.infer(node.right)
        if ONE in (left.rows, left.columns):
            help_ = "division by a scalar is `/`" if left.is_scalar else "it is the matrix of the equations"
            self._refuse("`\\` needs a matrix on the left", node.left.span, left, help_)
            return right
        self.sizes.join(left.rows, left.columns)
        if not self.sizes.join(left.rows, right.rows):
            message = "`\\` needs as many rows on the right as the matrix has"
            one, other = self.text(left), self.text(right)
            help_ = "the right side is a vector or a matrix" if right.is_scalar else "transpose the right one with `'`"
            self._conflict(message, (node.left.span, one), (node.right.span, other), help_)
        return self.sizes.of(Shape(left.columns, right.columns))

    def _product(self, node: BinaryFormula) -> Shape:
        left, right = self.infer(node.left), self.infer(node.right)
        if left.is_scalar or right.is_scalar:
            return right if left.is_scalar else left
        if not self.sizes.join(left.columns, right.rows):
            one, other = self.text(left), self.text(right)
            message = "a product needs as many columns on the left as rows on the right"
            self._conflict(
                message, (node.left.span, one), (node.right.span, other), _FITTING.get((one, other), _OTHERS)
            )
        return self.sizes.of(Shape(left.rows, right.columns))

    def equal(
        self, place: Span, shape: Shape, other_place: Span, other: Shape, message: str, help_: str | None = None
    ) -> None:
        """Equates two shapes, or reports that they differ; `help_` is the remedy for a scalar and a non-scalar."""
        if not (self.sizes.join(shape.rows, other.rows) and self.sizes.join(shape.columns, other.columns)):
            one, other_text = self.text(shape), self.text(other)
            if self.text(shape.transposed) == other_text:
                help_ = "transpose one of them with `'`"
            elif not (self.sizes.of(shape).is_scalar or self.sizes.of(other).is_scalar):
                help_ = None
            self._conflict(message, (place, one), (other_place, other_text), help_)

    def text(self, shape: Shape) -> str:
        """Returns a shape in words."""
        shape = self.sizes.of(shape)
        if shape.is_scalar:
            return "a scalar"
        if shape.columns == ONE:
            return "a column vector"
        if shape.rows == ONE:
            return "a row vector"
        return "a matrix"

    def _refuse(self, message: str, place: Span, shape: Shape, help_: str) -> None:
        self.findings.append(Diagnostic(MATRIX_SHAPE, message, Label(place, f"this is {self.text(shape)}"), help=help_))

    def _conflict(self, message: str, one: tuple[Span, str], other: tuple[Span, str], help_: str | None) -> None:
        first, second = (Label(place, f"this is {text}") for place, text in (one, other))
        self.findings.append(Diagnostic(MATRIX_SHAPE, message, second, (first,), help=help_))
