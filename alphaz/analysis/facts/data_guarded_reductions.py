"""Guarded reductions: `reduce(op, [u], if [E(u)] == x then a else c)`, which select points by data x, one for all u.

The points that contribute a solve an equation whose other side is known when the result is computed: a loop over the
solutions replaces one over all points. c contributes nothing if it is the identity of the operator. If it is not, but
the operator is idempotent, c contributes once if there is a point that is not selected."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from alphaz.model.expression import Access, Binary, Constant, Expression, Facts, If, IndexValue, Nary, Reduce, Unary
from alphaz.model.real_numbers import real_number
from alphaz.model.types import LONG, ScalarType, common_type
from alphaz.model.walk import operands, walk, without_restricts
from alphaz.poly import Affine, AffineFunction, Domain, Space, fresh_names
from alphaz.poly.algorithms.smallest import as_dimensions, preimage_of
from alphaz.poly.plain.affine import Constraint, at_least, equal, less

# Affine expressions stay within these bounds for moderate parameters, and values beyond them select no point.
LARGEST = 1 << 52
_COEFFICIENTS = 1 << 10

_MIRRORED = {"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_PLAIN = (Access, IndexValue, Constant, Unary, Binary, Nary)
_FAILING = ("/", "%")


@dataclass(frozen=True, slots=True)
class GuardedReduction:
    """A guarded reduction, and the values that it compares.

    `outer` are the indices of a result, `names` represent the `values`. `points` are the selected points, with all of
    them as parameters; over them as dimensions, `selected` has the results with such a point, `others` those to which
    `otherwise` contributes. Over `outer`, `filled` has the results with any point, `known` the computed ones. `needed`
    are the indices, by number, on which the values depend. `rest` are the further conditions of `then`."""

    node: Reduce
    values: tuple[Expression, ...]
    needed: frozenset[int]
    rest: tuple[Expression, ...]
    then: Expression
    otherwise: Expression
    outer: tuple[str, ...]
    names: tuple[str, ...]
    points: Domain
    selected: Domain
    others: Domain
    filled: Domain
    known: Domain

    def body_point(self, values: Sequence[Affine]) -> tuple[Affine, ...]:
        """Returns the indices of the body that are indices of a result with these values; 0 for the others."""
        projection = self.node.projection
        bindings = dict(zip(projection.outputs, values, strict=True))
        return tuple(bindings.get(Affine.name(name), Affine()) for name in projection.domain.names)

    def over_values(self, domain: Domain) -> Domain:
        """Returns a set over `outer`, for all values."""
        space = Space(domain.space.parameters, (*self.outer, *self.names))
        return domain.preimage(AffineFunction(space, tuple(map(Affine.name, self.outer))))


@dataclass(frozen=True, slots=True)
class GuardDecision:
    """The state of a guarded reduction at the computation of its result: the names of its values, whether a point is
    selected, and whether there are other contributing points."""

    names: tuple[str, ...]
    selected: bool
    others: bool


@dataclass(frozen=True, slots=True)
class _Comparison:
    """`affine operator value`."""

    affine: Affine
    operator: str
    value: Expression

    def constraint(self, name: str) -> Constraint:
        left, right = self.affine, Affine.name(name)
        match self.operator:
            case "==":
                return equal(left, right)
            case "<" | ">=":
                return less(left, right) if self.operator == "<" else at_least(left - right, 0)
        return less(right, left) if self.operator == ">" else at_least(right - left, 0)


def guarded_of(node: Reduce, facts: Facts, context: Domain) -> GuardedReduction | None:
    """Returns the selection of a reduction; None if it has to visit every point."""
    body = without_restricts(node.body)
    if not isinstance(body, If) or _constant(body.otherwise) is None:
        return None
    conditions = tuple(operands(body.condition, "and"))
    comparisons_ = [_comparison(condition, node, facts.types) for condition in conditions]
    comparisons = [test for test in comparisons_ if test is not None]
    rest = tuple(condition for condition, test in zip(conditions, comparisons_, strict=True) if test is None)
    if not comparisons or not all(map(_is_harmless, rest)) or not _is_silent(node, body, facts.types):
        return None
    space, results = node.projection.domain, len(node.projection.outputs)
    named = fresh_names(results + len(comparisons), "z", (*space.parameters, *space.names))
    outer, names = named[:results], named[results:]
    domain = facts.expression_domain[node.body] & facts.context_domain[node.body]
    every = preimage_of(domain, node.projection, outer)
    chosen = [test.constraint(name) for test, name in zip(comparisons, names, strict=True)]
    whole = every.with_parameters(names)
    points = (whole & Domain.where(whole.space, chosen)).simplify()
    contributes = not is_identity(node.operator, body.otherwise, facts.types[node])
    others = _results(whole - points, len(named))
    return GuardedReduction(
        node=node,
        values=tuple(comparison.value for comparison in comparisons),
        needed=_compared_outputs(node, comparisons),
        rest=rest,
        then=body.then,
        otherwise=body.otherwise,
        outer=outer,
        names=names,
        points=points,
        selected=_results(points, len(named)),
        others=others if contributes else Domain.empty(others.space),
        filled=_results(every, results),
        known=facts.context_domain[node].in_context(context).renamed(outer),
    )


def _results(points: Domain, count: int) -> Domain:
    """The results that have one of the points: the last parameters become dimensions."""
    return as_dimensions(points.parameters(), count).simplify()


def _compared_outputs(node: Reduce, comparisons: Sequence[_Comparison]) -> frozenset[int]:
    used = {name for comparison in comparisons for inner in walk(comparison.value) for name in _names(inner, node)}
    return frozenset(position for position, output in enumerate(node.projection.outputs) if used & set(output.names))


def _steady(node: Reduce) -> frozenset[str]:
    """The names with one value at all points of a result: those that the projection returns."""
    space = node.projection.domain
    answer_names = {o.names[0] for o in node.projection.outputs if len(o.names) == 1 and o == Affine.name(o.names[0])}
    return frozenset((*space.parameters, *answer_names))


def _comparison(node: Expression, reduction: Reduce, types: Mapping[Expression, ScalarType]) -> _Comparison | None:
    """The condition as a constraint on the points of the body."""
    if not isinstance(node, Binary) or node.operator not in _MIRRORED:
        return None
    steady = _steady(reduction)
    for index, value, operator in (
        (node.left, node.right, node.operator),
        (node.right, node.left, _MIRRORED[node.operator]),
    ):
        if isinstance(index, IndexValue) and _is_small(index.affine) and _is_value(value, reduction, steady):
            type_ = common_type(LONG, types[value])
            if type_.signed and not type_.is_float and not set(index.affine.names) <= steady:
                return _Comparison(index.affine, operator, value)
    return None


def _is_small(affine: Affine) -> bool:
    return sum(abs(c) for _, c in affine.terms) <= _COEFFICIENTS and abs(affine.constant) <= LARGEST // 2


def _is_value(node: Expression, reduction: Reduce, steady: frozenset[str]) -> bool:
    """Returns True if the expression has one value at all points of a result."""
    return _is_harmless(node) and all(set(_names(node_, reduction)) <= steady for node_ in walk(node))


def _names(node: Expression, reduction: Reduce) -> Iterator[str]:
    """The indices of the body, and the parameters, that the node itself names."""
    match node:
        case Access(_, function):
            for output in function.renamed(reduction.projection.domain.names).outputs:
                yield from output.names
        case IndexValue(affine):
            yield from affine.names


def _is_harmless(node: Expression) -> bool:
    """Returns True if the expression can be evaluated any number of times, anywhere."""
    return all(
        isinstance(node_, _PLAIN) and not (isinstance(node_, Binary | Nary) and node_.operator in _FAILING)
        for node_ in walk(node)
    )


def _is_silent(node: Reduce, body: If, types: Mapping[Expression, ScalarType]) -> bool:
    """Returns True if the number of contributions of the other value, if any, does not matter."""
    type_, body_type = types[node], types[node.body]
    if is_identity(node.operator, body.otherwise, type_):
        return True
    if node.operator in ("and", "or"):
        return not type_.is_float
    exact = type_ == body_type or common_type(type_, body_type) == type_
    return node.operator in ("min", "max") and exact and not type_.is_float and type_.kind != "bool"


def _constant(node: Expression) -> float | None:
    """The value of a literal, with or without a sign."""
    match node:
        case Constant(value):
            return real_number(value) if isinstance(value, str) else value
        case Unary("-", Constant(bool() | int() as value)):
            return -value
    return None


def is_identity(operator: str, node: Expression, type_: ScalarType) -> bool:
    """Returns True if the constant is the identity of the operator: a sum is never -0."""
    number = _constant(node)
    match operator:
        case "+" | "xor" | "or":
            return number == 0
        case "*" | "and":
            return number == 1
        case "max" if type_.kind == "int":
            return number == (-(1 << (type_.bits - 1)) if type_.signed else 0)
    return False
