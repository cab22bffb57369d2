"""The element of an expression in a row and a column: where it is not zero by its storage, and its text there.

A              A[i,j], everywhere
upper T        T[i,j] where i<=j
symmetric S    S[i,j] where it is stored, S[j,i] where it is mirrored
A + T          the sum where both have pieces; where one has, that one
A * B          reduce(+, [k], A[i,k] * B[k,j]), where a row meets a column
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.matrix.kernel import Array, Extent
from alphaz.matrix.scope import Scope
from alphaz.matrix.storage import Form
from alphaz.matrix.tree import Binary, Call, Expression, Negated, Number, Operator, Transposed, Variable
from alphaz.poly import Domain

_SUM, _PRODUCT, _UNARY, _ATOM = range(4)

Index = str | None
"""The name of an index, None of a dimension of size one."""


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar expression, and how tightly it binds."""

    text: str
    level: int = _ATOM

    def at(self, level: int) -> str:
        """As an operand that has to bind so tightly; a sign follows no operator."""
        is_bare = self.level >= level and not (level > _SUM and self.text.startswith("-"))
        return self.text if is_bare else f"({self.text})"


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """The pieces of an expression have no point in common, and outside all of them it is zero."""

    where: Domain
    value: Text


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The elements of the expressions of a kernel. `names` are what its variables are called by now."""

    arrays: Mapping[str, Array]
    extents: Mapping[Expression, Extent]
    names: Mapping[str, str]
    indices: Sequence[str]

    def of(self, node: Expression, row: Index, column: Index, scope: Scope) -> list[Piece]:
        """The pieces inside the scope, whose indices are `row` and `column` and those of sums around."""
        match node:
            case Number():
                return [Piece(scope.everywhere, Text(_real(node.text)))]
            case Variable():
                return list(self._variable(node, row, column, scope))
            case Transposed():
                return self.of(node.body, column, row, scope)
            case Negated():
                return [_mapped(p, f"-{p.value.at(_UNARY)}", _UNARY) for p in self.of(node.body, row, column, scope)]
            case Call("norm2"):
                return [self._norm(node, scope)]
            case Call():
                (piece,) = self.of(node.argument, None, None, scope)
                return [_mapped(piece, f"{node.function}({piece.value.text})", _ATOM)]
            case Binary(Operator.MULTIPLY):
                return self._product(node, row, column, scope)
            case Binary(Operator.DIVIDE):
                return self._quotient(node, row, column, scope)
        left, right = (self.of(each, row, column, scope) for each in (node.left, node.right))
        return list(_added(node.operator, left, right))

    def _variable(self, node: Variable, row: Index, column: Index, scope: Scope) -> Iterator[Piece]:
        array, name = self.arrays[node.name], self.names[node.name]

        if row is None or column is None:
            index = row or column
            yield Piece(scope.everywhere, Text(name if index is None else f"{name}[{index}]"))
            return

        def element(row: str, column: str) -> Text:
            return Text(f"{name}[{','.join(array.storage.ordered(row, column))}]")

        stored = scope.stored(array.storage, row, column)
        yield Piece(stored, element(row, column))
        if array.storage.form is Form.SYMMETRIC:
            yield Piece(scope.everywhere - stored, element(column, row))
        elif array.storage.unit:
            yield Piece(scope.diagonal(row, column), Text("1.0"))

    def _quotient(self, node: Binary, row: Index, column: Index, scope: Scope) -> list[Piece]:
        by = self._scalar(node.right, scope).at(_UNARY)
        return [_mapped(p, f"{p.value.at(_PRODUCT)} / {by}", _PRODUCT) for p in self.of(node.left, row, column, scope)]

    def _scalar(self, node: Expression, scope: Scope) -> Text:
        (piece,) = self.of(node, None, None, scope)
        return piece.value

    def _product(self, node: Binary, row: Index, column: Index, scope: Scope) -> list[Piece]:
        left, right = self.extents[node.left], self.extents[node.right]
        if not left.sizes or not right.sizes:
            sides = [(row, column) if extent.sizes else (None, None) for extent in (left, right)]
            return list(_multiplied(self.of(node.left, *sides[0], scope), self.of(node.right, *sides[1], scope)))
        if left.columns is None:
            return list(_multiplied(self.of(node.left, row, None, scope), self.of(node.right, None, column, scope)))
        inner = self._new(scope)
        within = scope.with_index(inner, left.columns)
        terms = list(_multiplied(self.of(node.left, row, inner, within), self.of(node.right, inner, column, within)))
        if row is None or column is None:
            return self._added_up(terms, inner, scope, within)
        alone = [term for term in terms if _is_one_alone(term, terms, within.diagonal(row, inner), scope)]
        rest = [term for term in terms if term not in alone]
        return [*(Piece(_met([one], scope), one.value) for one in alone), *self._added_up(rest, inner, scope, within)]

    def _added_up(self, terms: list[Piece], inner: str, scope: Scope, within: Scope) -> list[Piece]:
        """The sum of the terms where there are any."""
        total = self._sum(terms, inner, scope, within)
        return [Piece(where, total) for where in (_met(terms, scope),) if not where.is_empty()]

    def _norm(self, node: Call, scope: Scope) -> Piece:
        extent = self.extents[node.argument]
        inner = self._new(scope)
        within = scope.with_index(inner, extent.sizes[0])
        row, column = (inner, None) if extent.rows else (None, inner)
        (piece,) = self.of(node.argument, row, column, within)
        term = piece.value.at(_UNARY)
        total = self._sum([Piece(within.everywhere, Text(f"{term} * {term}", _PRODUCT))], inner, scope, within)
        return Piece(scope.everywhere, Text(f"sqrt({total.text})"))

    def _new(self, scope: Scope) -> str:
        return next(name for name in self.indices if name not in scope.names)

    def _sum(self, terms: list[Piece], inner: str, scope: Scope, within: Scope) -> Text:
        """Added up over the index `inner`; its bounds are said where anything is."""
        known = within.bounds(scope.names)
        text = cases(terms, within.box, known, within, None)
        return Text(f"reduce(+, [{inner}], {text})") if terms else Text("0.0")


def cases(pieces: Sequence[Piece], needed: Domain, known: Domain, scope: Scope, rest: str | None) -> str:
    """One value, or a case of branches, for the points that are needed; `known` is what needs not be said of them.

    `rest` is what stands where there is no piece; None where nothing needs to.
    """
    found = [(piece.where & needed, piece.value.text) for piece in pieces]
    found = [(where, value) for where, value in found if not where.is_empty()]
    missing = needed
    for where, _ in found:
        missing -= where
    if rest is not None and not missing.is_empty():
        found.append((missing, rest))
    if len(found) == 1 and (needed.is_subset(found[0][0])):
        return found[0][1]
    if len(found) == 1:
        return f"{scope.restrict(found[0][0], known)} : {found[0][1]}"
    return "case " + " ".join(f"{scope.restrict(where, known)} : {value};" for where, value in found) + " esac"


def _mapped(piece: Piece, text: str, level: int) -> Piece:
    return Piece(piece.where, Text(text, level))


def _multiplied(left: Sequence[Piece], right: Sequence[Piece]) -> Iterator[Piece]:
    for one in left:
        for other in right:
            where = one.where & other.where
            if not where.is_empty():
                yield Piece(where, _times(one.value, other.value))


def _times(one: Text, other: Text) -> Text:
    if "1.0" in (one.text, other.text):
        return other if one.text == "1.0" else one
    return Text(f"{one.at(_PRODUCT)} * {other.at(_UNARY)}", _PRODUCT)


def _met(terms: Sequence[Piece], scope: Scope) -> Domain:
    """Where a sum has terms, whatever the sizes: the product of two upper triangles is one."""
    found = Domain.empty(scope.space)
    for term in terms:
        found = found | term.where.onto(scope.names)
    return found.simplify()


def _is_one_alone(term: Piece, terms: Sequence[Piece], single: Domain, scope: Scope) -> bool:
    """Whether the term is a one, and the only term wherever it is: so it is on the diagonal of a product of two
    triangles that have ones there. `single`: where a sum has one term at most.
    """
    others = [each for each in terms if each is not term]
    is_one = term.value.text == "1.0" and term.where.is_subset(single)
    return is_one and (_met([term], scope) & _met(others, scope)).is_empty()


def _added(operator: Operator, left: Sequence[Piece], right: Sequence[Piece]) -> Iterator[Piece]:
    """The sum where both have a value; where one has, that one (negated where it is taken away)."""
    for one in left:
        for other in right:
            where = one.where & other.where
            if not where.is_empty():
                text = f"{one.value.at(_SUM)} {operator} {other.value.at(_PRODUCT)}"
                yield Piece(where, Text(text, _SUM))
    for one in left:
        yield from _outside(one, right)
    for other in right:
        negated = other if operator is Operator.ADD else _mapped(other, f"-{other.value.at(_UNARY)}", _UNARY)
        yield from _outside(negated, left)


def _outside(piece: Piece, others: Sequence[Piece]) -> Iterator[Piece]:
    rest = piece.where
    for other in others:
        rest -= other.where
    if not rest.is_empty():
        yield Piece(rest, piece.value)


def _real(text: str) -> str:
    """A number of a program, always floating: `2.0`."""
    value = repr(float(text))
    return value if "e" not in value and "inf" not in value else f"{float(text):f}"
