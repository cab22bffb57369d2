"""Errors of a small program, by definition and enumeration, on its syntax tree with plain integers.

It covers what `tests.strategies.programs` writes: array notation, one parameter N, reductions that are bounded by a
restrict to less than `REACH` from 0..N. It also knows what such a program computes.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from operator import eq, ge, gt, le, lt, ne

from alphaz.syntax import tree

REACH = 2

Values = Mapping[str, int]
Point = tuple[int, ...]
_COMPARE = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def affine(text: tree.AffineText, values: Values) -> int:
    return sum(t.coefficient * (values[t.name] if t.name is not None else 1) for t in text.terms)


def member(domain: tree.DomainText, values: Values) -> bool:
    return any(all(_chain(chain, values) for chain in polyhedron.constraints) for polyhedron in domain.polyhedra)


def _chain(chain: tree.Chain, values: Values) -> bool:
    sides = [[affine(a, values) for a in side.affines] for side in chain.sides]
    steps = zip(chain.operators, sides, sides[1:], strict=False)
    return all(_COMPARE[operator](a, b) for operator, left, right in steps for a in left for b in right)


def wrapped(value: int) -> int:
    """As an `int` of C."""
    return (value + 2**31) % 2**32 - 2**31


OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: wrapped(a + b),
    "*": lambda a, b: wrapped(a * b),
    "max": max,
}
IDENTITIES = {"+": 0, "*": 1, "max": -(2**31)}
# Indices are integers of 64 bits, and so is what is reduced of them.
WIDE = -(2**63)


@dataclass(frozen=True, slots=True)
class Here:
    """A place of the text at one point: what the names mean, the point itself, and the names of the equation and of the
    reductions for its positions, of which those in `fixed` are never rebound."""

    names: Values
    at: Point
    order: tuple[str, ...]
    fixed: frozenset[str]

    def restricted(self, domain: tree.DomainText) -> "Here | None":
        """Behind a restrict; None where it has not this point."""
        first = domain.polyhedra[0].names
        own = dict(zip((name.text for name in first), self.at, strict=True)) if first else {}
        if not member(domain, {"N": self.names["N"], **own} if own else self.names):
            return None
        rest = {name: value for name, value in self.names.items() if name in self.fixed}
        return replace(self, names={**self.names, **own, **rest})

    def extended(self, names: tuple[str, ...], values: Point) -> "Here":
        """In the body of a reduction."""
        inside = {**self.names, **dict(zip(names, values, strict=True))}
        return Here(inside, self.at + values, self.order + names, self.fixed | set(names))

    def moved(self, function: tree.FunctionText) -> "Here":
        """Behind `f @`, where f keeps the number of dimensions."""
        own = dict(zip((name.text for name in function.names), self.at, strict=True))
        there = tuple(affine(output, {"N": self.names["N"], **own}) for output in function.outputs)
        return replace(self, at=there, names={"N": self.names["N"], **dict(zip(self.order, there, strict=True))})


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

    def defined(self, node: tree.ExpressionNode, here: Here, promised: bool = True, strict: bool = False) -> bool:
        """Returns True if the expression has a value here. A reduction over nothing has one where it is `promised`: by
        the equation, a restrict, or a reduction around it, not by a branch of a case; `strict`: nor by a restrict."""
        match node:
            case tree.IntegerLiteral() | tree.IndexExpression():
                return True
            case tree.Reference(name, indices) if indices is not None:
                return self.has(name.text, tuple(affine(a, here.names) for a in indices))
            case tree.BinaryExpression(_, left, right):
                return self.defined(left, here, promised, strict) and self.defined(right, here, promised, strict)
            case tree.RestrictExpression(domain, inner):
                behind = here.restricted(domain)
                return behind is not None and self.defined(inner, behind, not strict, strict)
            case tree.ComposeExpression(function, inner):
                return self.defined(inner, here.moved(function), promised, strict)
            case tree.CaseExpression(branches):
                return any(self.defined(branch, here, False, strict) for branch in branches)
            case tree.ReduceExpression():
                return promised or any(True for _ in self.preimage(node, here))
        raise TypeError(type(node).__name__)

    def live(self, branches: tuple[tree.ExpressionNode, ...], here: Here) -> list[tree.ExpressionNode]:
        """The branches that have a value here; those with a reduction over nothing yield to the others."""
        results = [branch for branch in branches if self.defined(branch, here, False)]
        return [branch for branch in results if self.defined(branch, here, False, True)] or results

    def preimage(self, node: tree.ReduceExpression, here: Here) -> Iterator[Here]:
        """The points of the body for one result."""
        assert isinstance(node.projection, tuple)
        names = tuple(name.text for name in node.projection)
        for point in product(range(-REACH, self.n + REACH + 1), repeat=len(names)):
            inner = here.extended(names, point)
            if self.defined(node.body, inner):
                yield inner

    # --- what is wrong ------------------------------------------------------------------------------------------

    def undefined(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        for equation, here in self._evaluations():
            if not self.defined(equation.body, here):
                yield equation.name.text, here.at

    def overlapping(self) -> bool:
        return any(self._overlaps(e.body, here) for e, here in self._evaluations())

    def empty_reductions(self) -> bool:
        return any(self._empty(e.body, here, True) for e, here in self._evaluations())

    def _evaluations(self) -> Iterator[tuple[tree.EquationText, Here]]:
        for equation in self.text.equations:
            assert isinstance(equation, tree.EquationText)
            declared = self.declared[equation.name.text].polyhedra[0].names
            names = tuple(name.text for name in equation.indices or declared)
            fixed = frozenset(names) if equation.indices else frozenset()
            for point in self.points(equation.name.text):
                yield equation, Here({"N": self.n, **dict(zip(names, point, strict=True))}, point, names, fixed)

    def _overlaps(self, node: tree.ExpressionNode, here: Here) -> bool:
        """Does some case that is evaluated for this point have two branches for it?"""
        match node:
            case tree.BinaryExpression(_, left, right):
                return self._overlaps(left, here) or self._overlaps(right, here)
            case tree.RestrictExpression(domain, inner):
                behind = here.restricted(domain)
                return behind is not None and self._overlaps(inner, behind)
            case tree.ComposeExpression(function, inner):
                return self._overlaps(inner, here.moved(function))
            case tree.CaseExpression(branches):
                live = self.live(branches, here)
                return len(live) > 1 or any(self._overlaps(branch, here) for branch in live)
            case tree.ReduceExpression():
                return any(self._overlaps(node.body, inner) for inner in self.preimage(node, here))
        return False

    def _empty(self, node: tree.ExpressionNode, here: Here, promised: bool, swallowed: str = "") -> bool:
        """Is some promised `max` that is evaluated for this point empty, and not an operand of another one?"""
        match node:
            case tree.BinaryExpression(operator, left, right):
                return any(self._empty(side, here, promised, operator) for side in (left, right))
            case tree.RestrictExpression(domain, inner):
                behind = here.restricted(domain)
                return behind is not None and self._empty(inner, behind, True)
            case tree.ComposeExpression(function, inner):
                return self._empty(inner, here.moved(function), promised)
            case tree.CaseExpression(branches):
                return any(self._empty(branch, here, False) for branch in self.live(branches, here))
            case tree.ReduceExpression(operator) if promised and operator == "max" != swallowed:
                return not any(True for _ in self.preimage(node, here))
        return False

    # --- values -------------------------------------------------------------------------------------------------

    def values(self, inputs: Mapping[str, Mapping[Point, int]]) -> dict[str, dict[Point, int]]:
        """Returns the outputs in C's arithmetic on ints. Raises RecursionError for a value that depends on itself."""
        results = {name: dict(points) for name, points in inputs.items()}
        starts = {(e.name.text, here.at): (e, here) for e, here in self._evaluations()}

        def value(name: str, point: Point) -> int:
            known = results.setdefault(name, {})
            if point not in known:
                equation, here = starts[name, point]
                known[point] = wrapped(self._value(equation.body, here, value))
            return known[point]

        outputs = [name.text for declaration in self.text.outputs for name in declaration.names]
        return {name: {point: value(name, point) for point in self.points(name)} for name in outputs}

    def _value(
        self,
        node: tree.ExpressionNode,
        here: Here,
        read: Callable[[str, Point], int],
        operand: bool = False,
    ) -> int:
        """As an operand, or as the value of the whole equation, which has its type."""
        match node:
            case tree.IntegerLiteral():
                return node.value
            case tree.IndexExpression():
                return wrapped(affine(node.affine, here.names))
            case tree.Reference(name, indices) if indices is not None:
                return read(name.text, tuple(affine(a, here.names) for a in indices))
            case tree.BinaryExpression(operator, left, right):
                one, two = (self._value(item, here, read, operand=True) for item in (left, right))
                return OPERATORS[operator](one, two)
            case tree.RestrictExpression(domain, inner):
                behind = here.restricted(domain)
                assert behind is not None
                return self._value(inner, behind, read, operand)
            case tree.ComposeExpression(function, inner):
                return self._value(inner, here.moved(function), read, operand)
            case tree.CaseExpression(branches):
                (branch,) = self.live(branches, here)
                return self._value(branch, here, read, operand)
            case tree.ReduceExpression(operator):
                inside = [self._value(node.body, inner, read, operand) for inner in self.preimage(node, here)]
                if not inside and operator == "max" and operand and _is_wide(node.body):
                    return WIDE
                return reduce(OPERATORS[operator], inside, IDENTITIES[operator])
        raise TypeError(type(node).__name__)


def _is_wide(node: tree.ExpressionNode) -> bool:
    """Returns True if its value is one of 64 bits, because an index is in it."""
    match node:
        case tree.IndexExpression():
            return True
        case tree.BinaryExpression(_, left, right):
            return _is_wide(left) or _is_wide(right)
        case tree.RestrictExpression(_, inner) | tree.ComposeExpression(_, inner):
            return _is_wide(inner)
        case tree.CaseExpression(branches):
            return any(map(_is_wide, branches))
        case tree.ReduceExpression():
            return _is_wide(node.body)
    return False
