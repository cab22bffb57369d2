"""The elements of an expression by row and column: where they are not zero by storage, with their text.

A              A[i,j], everywhere
upper T        T[i,j] where i<=j
symmetric S    S[i,j] where it is stored, S[j,i] where it is mirrored
A + T          the sum where both have pieces; where one has, that one
A * B          reduce(+, [k], A[i,k] * B[k,j]), where a row meets a column"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.frontends.matrix.checked_kernel import Extent, MatrixArray
from alphaz.frontends.matrix.index_scope import IndexScope
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
from alphaz.poly import Domain

_SUM, _PRODUCT, _UNARY, _ATOM = range(4)

Index = str | None
"""The name of an index, None of a dimension of size one."""


@dataclass(frozen=True, slots=True)
class PieceText:
    """A scalar expression, and its precedence."""

    text: str
    level: int = _ATOM

    def at(self, level: int) -> str:
        """Returns the text as an operand of this precedence; a sign never follows an operator."""
        is_bare = self.level >= level and not (level > _SUM and self.text.startswith("-"))
        return self.text if is_bare else f"({self.text})"


@dataclass(frozen=True, slots=True, eq=False)
class ElementPiece:
    """A piece of an expression. Pieces are disjoint, and the expression is zero outside all of them."""

    where: Domain
    value: PieceText


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The elements of the expressions of a kernel. `names` are the current names of its variables."""

    arrays: Mapping[str, MatrixArray]
    extents: Mapping[Expression, Extent]
    names: Mapping[str, str]
    indices: Sequence[str]

    def of(self, node: Expression, row: Index, column: Index, scope: IndexScope) -> list[ElementPiece]:
        """Returns the pieces inside the scope, whose indices are `row` and `column` and those of enclosing sums."""
        match node:
            case NumberFormula():
                return [ElementPiece(scope.everywhere, PieceText(_real(node.text)))]
            case VariableFormula():
                return list(self._variable(node, row, column, scope))
            case Transposed():
                return self.of(node.body, column, row, scope)
            case Negated():
                return [_with_text(p, f"-{p.value.at(_UNARY)}", _UNARY) for p in self.of(node.body, row, column, scope)]
            case FormulaCall("norm2"):
                return [self._norm(node, scope)]
            case FormulaCall():
                (piece,) = self.of(node.argument, None, None, scope)
                return [_with_text(piece, f"{node.function}({piece.value.text})", _ATOM)]
            case BinaryFormula(FormulaOperator.MULTIPLY):
                return self._product(node, row, column, scope)
            case BinaryFormula(FormulaOperator.DIVIDE):
                return self._quotient(node, row, column, scope)
        left, right = (self.of(factor, row, column, scope) for factor in (node.left, node.right))
        return list(_sum_pieces(node.operator, left, right))

    def _variable(self, node: VariableFormula, row: Index, column: Index, scope: IndexScope) -> Iterator[ElementPiece]:
        array, name = self.arrays[node.name], self.names[node.name]

        if row is None or column is None:
            index = row or column
            yield ElementPiece(scope.everywhere, PieceText(name if index is None else f"{name}[{index}]"))
            return

        def element(row: str, column: str) -> PieceText:
            return PieceText(f"{name}[{','.join(array.storage.ordered(row, column))}]")

        stored = scope.stored(array.storage, row, column)
        yield ElementPiece(stored, element(row, column))
        if array.storage.form is Form.SYMMETRIC:
            yield ElementPiece(scope.everywhere - stored, element(column, row))
        elif array.storage.unit:
            yield ElementPiece(scope.diagonal(row, column), PieceText("1.0"))

    def _quotient(self, node: BinaryFormula, row: Index, column: Index, scope: IndexScope) -> list[ElementPiece]:
        by = self._scalar(node.right, scope).at(_UNARY)
        return [
            _with_text(p, f"{p.value.at(_PRODUCT)} / {by}", _PRODUCT) for p in self.of(node.left, row, column, scope)
        ]

    def _scalar(self, node: Expression, scope: IndexScope) -> PieceText:
        (piece,) = self.of(node, None, None, scope)
        return piece.value

    def _product(self, node: BinaryFormula, row: Index, column: Index, scope: IndexScope) -> list[ElementPiece]:
        left, right = self.extents[node.left], self.extents[node.right]
        if not left.sizes or not right.sizes:
            sides = [(row, column) if extent.sizes else (None, None) for extent in (left, right)]
            return list(multiplied(self.of(node.left, *sides[0], scope), self.of(node.right, *sides[1], scope)))
        if left.columns is None:
            return list(multiplied(self.of(node.left, row, None, scope), self.of(node.right, None, column, scope)))
        inner = self.new_index(scope)
        within = scope.with_index(inner, left.columns)
        terms = list(multiplied(self.of(node.left, row, inner, within), self.of(node.right, inner, column, within)))
        if row is None or column is None:
            return self._added_up(terms, inner, scope, within)
        alone = [term for term in terms if _is_one_alone(term, terms, within.diagonal(row, inner), scope)]
        rest = [term for term in terms if term not in alone]
        return [
            *(ElementPiece(_common_domain([one], scope), one.value) for one in alone),
            *self._added_up(rest, inner, scope, within),
        ]

    def _added_up(
        self, terms: list[ElementPiece], inner: str, scope: IndexScope, within: IndexScope
    ) -> list[ElementPiece]:
        """The sum of the terms where there are any."""
        total = self.sum_over(terms, inner, scope, within)
        return [ElementPiece(where, total) for where in (_common_domain(terms, scope),) if not where.is_empty()]

    def _norm(self, node: FormulaCall, scope: IndexScope) -> ElementPiece:
        extent = self.extents[node.argument]
        inner = self.new_index(scope)
        within = scope.with_index(inner, extent.sizes[0])
        row, column = (inner, None) if extent.rows else (None, inner)
        (piece,) = self.of(node.argument, row, column, within)
        term = piece.value.at(_UNARY)
        total = self.sum_over(
            [ElementPiece(within.everywhere, PieceText(f"{term} * {term}", _PRODUCT))], inner, scope, within
        )
        return ElementPiece(scope.everywhere, PieceText(f"sqrt({total.text})"))

    def new_index(self, scope: IndexScope) -> str:
        """Returns the name of an index that the scope lacks."""
        return next(name for name in self.indices if name not in scope.names)

    def sum_over(
        self,
        terms: list[ElementPiece],
        inner: str,
        scope: IndexScope,
        within: IndexScope,
        part: Domain | None = None,
    ) -> PieceText:
        """Returns the sum over the index `inner`; with explicit bounds where there are terms. `part` (of `within`): the
        elements that are needed."""
        known, box = within.bounds(scope.names), within.box
        if part is not None:
            known, box = known & part, box & part
        text = cases(terms, box, known, within, None)
        return PieceText(f"reduce(+, [{inner}], {text})") if terms else PieceText("0.0")


def cases(pieces: Sequence[ElementPiece], needed: Domain, known: Domain, scope: IndexScope, rest: str | None) -> str:
    """Returns one value, or a case of branches, for the needed points; `known` are the implied constraints.

    `rest` is the value where there is no piece; None if none is needed."""
    branches = [(piece.where & needed, piece.value.text) for piece in pieces]
    branches = [(where, value) for where, value in branches if not where.is_empty()]
    missing = needed
    for where, _ in branches:
        missing -= where
    if rest is not None and not missing.is_empty():
        branches.append((missing, rest))
    if len(branches) == 1 and (needed.is_subset(branches[0][0])):
        return branches[0][1]
    if len(branches) == 1:
        return f"{scope.restrict(branches[0][0], known)} : {branches[0][1]}"
    return "case " + " ".join(f"{scope.restrict(where, known)} : {value};" for where, value in branches) + " esac"


def _with_text(piece: ElementPiece, text: str, level: int) -> ElementPiece:
    return ElementPiece(piece.where, PieceText(text, level))


def difference(one: PieceText, other: PieceText | None) -> PieceText:
    """Returns one value without the other; None is zero."""
    if other is None or other.text == "0.0":
        return one
    if one.text == "0.0":
        return PieceText(f"-{other.at(_UNARY)}", _UNARY)
    return PieceText(f"{one.at(_SUM)} - {other.at(_PRODUCT)}", _SUM)


def quotient(one: PieceText, by: PieceText | None) -> PieceText:
    """Returns one value divided by another; None is one."""
    return one if by is None else PieceText(f"{one.at(_PRODUCT)} / {by.at(_UNARY)}", _PRODUCT)


def multiplied(left: Sequence[ElementPiece], right: Sequence[ElementPiece]) -> Iterator[ElementPiece]:
    """Yields the products of elements where both have one."""
    for piece in left:
        for other in right:
            where = piece.where & other.where
            if not where.is_empty():
                yield ElementPiece(where, _times(piece.value, other.value))


def _times(one: PieceText, other: PieceText) -> PieceText:
    if "1.0" in (one.text, other.text):
        return other if one.text == "1.0" else one
    return PieceText(f"{one.at(_PRODUCT)} * {other.at(_UNARY)}", _PRODUCT)


def _common_domain(terms: Sequence[ElementPiece], scope: IndexScope) -> Domain:
    """The domain where a sum has terms, for all sizes: the product of two upper triangles has one."""
    domain = Domain.empty(scope.space)
    for term in terms:
        domain = domain | term.where.onto(scope.names)
    return domain.simplify()


def _is_one_alone(term: ElementPiece, terms: Sequence[ElementPiece], single: Domain, scope: IndexScope) -> bool:
    """Returns True if the term is 1, and the only term wherever it exists: as on the diagonal of a product of two unit
    triangles. `single`: where a sum has at most one term."""
    others = [other for other in terms if other is not term]
    is_one = term.value.text == "1.0" and term.where.is_subset(single)
    return is_one and (_common_domain([term], scope) & _common_domain(others, scope)).is_empty()


def _sum_pieces(
    operator: FormulaOperator, left: Sequence[ElementPiece], right: Sequence[ElementPiece]
) -> Iterator[ElementPiece]:
    """The sum where both have a value; where one has, that one (negated if it is subtracted)."""
    for piece in left:
        for other in right:
            where = piece.where & other.where
            if not where.is_empty():
                text = f"{piece.value.at(_SUM)} {operator} {other.value.at(_PRODUCT)}"
                yield ElementPiece(where, PieceText(text, _SUM))
    for piece in left:
        yield from _outside(piece, right)
    for other in right:
        negated = other if operator is FormulaOperator.ADD else _with_text(other, f"-{other.value.at(_UNARY)}", _UNARY)
        yield from _outside(negated, left)


def _outside(piece: ElementPiece, others: Sequence[ElementPiece]) -> Iterator[ElementPiece]:
    rest = piece.where
    for other in others:
        rest -= other.where
    if not rest.is_empty():
        yield ElementPiece(rest, piece.value)


def _real(text: str) -> str:
    """A number in the program, always floating: `2.0`."""
    value = repr(float(text))
    return value if "e" not in value and "inf" not in value else f"{float(text):f}"
