"""What is wrong with a small program, by the definition and by enumeration: on its syntax tree, with plain integers.

It covers what `tests.strategies.programs` writes: array notation, one parameter N, reductions that are bounded by a
restrict to less than `REACH` from 0..N.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from operator import eq, ge, gt, le, lt, ne

from alphaz.syntax import tree

REACH = 2

Values = Mapping[str, int]
_COMPARE = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def affine(text: tree.AffineText, values: Values) -> int:
    return sum(t.coefficient * (values[t.name] if t.name is not None else 1) for t in text.terms)


def member(domain: tree.DomainText, values: Values) -> bool:
    return any(all(_chain(chain, values) for chain in polyhedron.constraints) for polyhedron in domain.polyhedra)


def _chain(chain: tree.Chain, values: Values) -> bool:
    sides = [[affine(a, values) for a in side.affines] for side in chain.sides]
    steps = zip(chain.operators, sides, sides[1:], strict=False)
    return all(_COMPARE[operator](a, b) for operator, left, right in steps for a in left for b in right)


@dataclass(frozen=True, slots=True)
class System:
    """One system at one value of N."""

    text: tree.SystemText
    n: int

    @property
    def declared(self) -> dict[str, tree.DomainText]:
        every = (*self.text.inputs, *self.text.outputs, *self.text.locals)
        return {name.text: d.domain for d in every for name in d.names if d.domain is not None}

    def has(self, variable: str, point: tuple[int, ...]) -> bool:
        domain = self.declared[variable]
        names = [name.text for name in domain.polyhedra[0].names]
        return member(domain, {"N": self.n, **dict(zip(names, point, strict=True))})

    def points(self, variable: str) -> Iterator[tuple[int, ...]]:
        rank = len(self.declared[variable].polyhedra[0].names)
        reach = range(-REACH, self.n + REACH + 1)
        return (point for point in product(reach, repeat=rank) if self.has(variable, point))

    # --- the definition -----------------------------------------------------------------------------------------

    def defined(self, node: tree.Expression, values: Values, promised: bool = True, body: bool = False) -> bool:
        match node:
            case tree.IntegerLiteral() | tree.IndexExpression():
                return True
            case tree.Reference(name, indices) if indices is not None:
                return self.has(name.text, tuple(affine(a, values) for a in indices))
            case tree.BinaryExpression(_, left, right):
                return self.defined(left, values, promised, body) and self.defined(right, values, promised, body)
            case tree.RestrictExpression(domain, inner):
                return member(domain, values) and self.defined(inner, values, not body, body)
            case tree.CaseExpression(branches):
                return any(self.defined(branch, values, False, body) for branch in branches)
            case tree.ReduceExpression():
                return promised or any(True for _ in self.fibre(node, values))
        raise TypeError(type(node).__name__)

    def fibre(self, node: tree.ReduceExpression, values: Values) -> Iterator[dict[str, int]]:
        """The points of the body for one result."""
        assert isinstance(node.projection, tuple)
        names = [name.text for name in node.projection]
        for point in product(range(-REACH, self.n + REACH + 1), repeat=len(names)):
            inner = {**values, **dict(zip(names, point, strict=True))}
            if self.defined(node.body, inner, False, True):
                yield inner

    # --- what is wrong ------------------------------------------------------------------------------------------

    def undefined(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        for equation, values, point in self._evaluations():
            if not self.defined(equation.body, values):
                yield equation.name.text, point

    def overlapping(self) -> bool:
        return any(self._overlaps(e.body, values) for e, values, _ in self._evaluations())

    def empty_reductions(self) -> bool:
        return any(self._empty(e.body, values, True, False) for e, values, _ in self._evaluations())

    def _evaluations(self) -> Iterator[tuple[tree.EquationText, dict[str, int], tuple[int, ...]]]:
        for equation in self.text.equations:
            assert isinstance(equation, tree.EquationText)
            names = [name.text for name in equation.indices or ()]
            for point in self.points(equation.name.text):
                yield equation, {"N": self.n, **dict(zip(names, point, strict=True))}, point

    def _overlaps(self, node: tree.Expression, values: Values, body: bool = False) -> bool:
        """Does some case that is evaluated for this point have two branches for it?"""
        match node:
            case tree.BinaryExpression(_, left, right):
                return self._overlaps(left, values, body) or self._overlaps(right, values, body)
            case tree.RestrictExpression(domain, inner):
                return member(domain, values) and self._overlaps(inner, values, body)
            case tree.CaseExpression(branches):
                live = [branch for branch in branches if self.defined(branch, values, False, body)]
                return len(live) > 1 or any(self._overlaps(branch, values, body) for branch in live)
            case tree.ReduceExpression():
                return any(self._overlaps(node.body, inner, True) for inner in self.fibre(node, values))
        return False

    def _empty(self, node: tree.Expression, values: Values, promised: bool, body: bool, swallowed: str = "") -> bool:
        """Is some promised `max` that is evaluated for this point empty, and not an operand of another one?"""
        match node:
            case tree.BinaryExpression(operator, left, right):
                return any(self._empty(side, values, promised, body, operator) for side in (left, right))
            case tree.RestrictExpression(domain, inner):
                return member(domain, values) and self._empty(inner, values, not body, body)
            case tree.CaseExpression(branches):
                live = [branch for branch in branches if self.defined(branch, values, False, body)]
                return any(self._empty(branch, values, False, body) for branch in live)
            case tree.ReduceExpression(operator) if promised and operator == "max" != swallowed:
                return not any(True for _ in self.fibre(node, values))
        return False
