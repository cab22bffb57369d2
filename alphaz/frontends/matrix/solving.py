"""The elements of solutions of equations and of factors, by recurrence.

x = L \\ b      x[i] = (b[i] - reduce(+, [k], {| k<i} : L[i,k] * x[k])) / L[i,i]
Cholesky       L[i,j] = (A[i,j] - reduce(+, [k], {| k<j} : L[i,k] * L[j,k])) / L[j,j] below the diagonal, a root on it
LU             the same with U[k,j], which is A[i,j] - reduce(+, [k], {| k<i} : L[i,k] * U[k,j]); both in one matrix

Source: G. Golub, C. Van Loan, Matrix Computations (2013), 3.1, 3.2 and 4.2."""

from dataclasses import dataclass

from alphaz.frontends.matrix.checked_kernel import transposed_variable
from alphaz.frontends.matrix.element_pieces import (
    ElementPiece,
    Index,
    Pieces,
    PieceText,
    difference,
    multiplied,
    quotient,
)
from alphaz.frontends.matrix.index_scope import IndexScope
from alphaz.frontends.matrix.named_sums import is_transposed
from alphaz.frontends.matrix.storage import SolutionMethod
from alphaz.frontends.matrix.tree import BinaryFormula, Expression, FormulaCall, Transposed, VariableFormula
from alphaz.poly import Affine, Domain, less

ZERO = PieceText("0.0")


@dataclass(frozen=True, slots=True)
class _Triangle:
    """The triangular matrix of a system of equations, as a part of a variable."""

    whole: Expression
    variable: str
    is_lower: bool
    is_unit: bool


@dataclass(frozen=True, slots=True, eq=False)
class Recurrence:
    """An assignment whose value is a solution or factors. `before` has the elements of variables before the assignment,
    `after` those with its target."""

    target: VariableFormula
    before: Pieces
    after: Pieces

    def solution(self, node: BinaryFormula, row: str, column: Index, scope: IndexScope) -> list[ElementPiece]:
        """Returns the pieces of `T \\ e`, where T is triangular."""
        triangle = self._triangle(node.left)
        rows = self.before.extents[node.left].rows
        assert rows is not None
        inner = self.before.new_index(scope)
        within = scope.with_index(inner, rows)
        earlier = _is_less(within, inner, row) if triangle.is_lower else _is_less(within, row, inner)
        factors = [_inside(piece, earlier) for piece in self.before.of(triangle.whole, row, inner, within)]
        terms = list(multiplied(factors, self.after.of(self.target, inner, column, within)))
        total = self.before.sum_over(terms, inner, scope, within) if terms else None
        by = None if triangle.is_unit else PieceText(f"{self.before.names[triangle.variable]}[{row},{row}]")
        pieces = self.before.of(node.right, row, column, scope)
        rest = scope.everywhere
        for piece in pieces:
            rest -= piece.where
        missing = [] if rest.is_empty() else [ElementPiece(rest, ZERO)]
        return [
            ElementPiece(piece.where, quotient(difference(piece.value, total), by)) for piece in (*pieces, *missing)
        ]

    def _triangle(self, node: Expression) -> _Triangle:
        is_turned = is_transposed(node)
        body = node.body if isinstance(node, Transposed) else node
        if isinstance(body, FormulaCall):
            is_lower, is_unit, variable = body.function == "tril", body.function == "tril", body.argument
        else:
            variable = body
            storage = self.before.arrays[_name(variable)].storage
            is_lower, is_unit = storage.solution is SolutionMethod.FORWARD, storage.unit
        whole = Transposed(variable, variable.span) if is_turned else variable
        return _Triangle(whole, _name(variable), is_lower is not is_turned, is_unit)

    def factors(self, node: FormulaCall, row: str, column: str, scope: IndexScope) -> list[ElementPiece]:
        """Returns the pieces of `cholesky(A)`, the lower triangle, or of `lu(A)`, whose lower triangle has ones on its
        diagonal, which are not stored."""
        is_cholesky = node.function == "cholesky"
        pivot = PieceText(f"{self.after.names[self.target.name]}[{column},{column}]")
        pieces: list[ElementPiece] = []
        for is_below in (True, False):
            total = self._factor_sum(node, row, column, is_below, scope)
            part = _part(scope, row, column, is_below, is_cholesky)
            for piece in self.before.of(node.argument, row, column, scope):
                value = difference(piece.value, total)
                if is_below:
                    value = quotient(value, pivot)
                elif is_cholesky:
                    value = PieceText(f"sqrt({value.text})")
                pieces.append(_inside(ElementPiece(piece.where, value), part))
        return [piece for piece in pieces if not piece.where.is_empty()]

    def _factor_sum(self, node: FormulaCall, row: str, column: str, is_below: bool, scope: IndexScope) -> PieceText:
        """The sum of the products of the factors before an element, below the diagonal or in the rest."""
        rows = self.before.extents[node].rows
        assert rows is not None
        inner = self.before.new_index(scope)
        within = scope.with_index(inner, rows)
        is_cholesky = node.function == "cholesky"
        other: Expression = Transposed(self.target, self.target.span) if is_cholesky else self.target
        left, right = self.after.of(self.target, row, inner, within), self.after.of(other, inner, column, within)
        earlier = _is_less(within, inner, column if is_below else row)
        part = _part(within, row, column, is_below, is_cholesky)
        terms = [_inside(term, part & earlier) for term in multiplied(left, right)]
        terms = [term for term in terms if not term.where.is_empty()]
        return self.before.sum_over(terms, inner, scope, within, part)


def _part(scope: IndexScope, row: str, column: str, is_below: bool, is_cholesky: bool) -> Domain:
    """The elements below the diagonal, or the rest of the factors."""
    below = _is_less(scope, column, row)
    return below if is_below else scope.diagonal(row, column) if is_cholesky else scope.everywhere - below


def _name(node: Expression) -> str:
    variable = transposed_variable(node)
    assert variable is not None
    return variable.name


def _inside(piece: ElementPiece, domain: Domain) -> ElementPiece:
    return ElementPiece(piece.where & domain, piece.value)


def _is_less(scope: IndexScope, one: str, other: str) -> Domain:
    return scope.where(less(Affine.name(one), Affine.name(other)))
