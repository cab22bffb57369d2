"""Index expressions: integers determined by parameters and iterators. They become values, conditions become unions."""

from collections.abc import Sequence
from fractions import Fraction

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.poly import Affine, Constraint, Domain, less
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.poly.plain.space import Space
from alphaz.scop.generated_helpers import ROUNDED
from alphaz.scop.index_polynomials import (
    FALSE,
    TRUE,
    Condition,
    Extreme,
    NotAffineCondition,
    TooComplicated,
    Value,
    add,
    affine,
    apply_monotone,
    both,
    comparison,
    constant_polynomial,
    divided,
    either,
    equals,
    is_integer,
    number,
    opposite,
    polynomial_of,
    scale,
)
from alphaz.scop.integer_widths import (
    check_constant,
    check_narrowing,
    check_passing,
    check_product,
    check_sum,
    note_width,
    type_of_index,
)
from alphaz.scop.reader_state import ConditionalValue, Existentials, NoIndex, ReaderState, is_unsigned, stays_positive
from alphaz.scop.scope import Context, InlinedValue, Meaning, NamedInteger, PointerView, ReturnStatus, Undefined
from alphaz.scop.tree_queries import LIMITS, body_of, integer, is_wide_integer, name_of, scalar_type
from alphaz.scop.tree_queries import is_integer as is_integer_constant
from alphaz.scop.unsupported import outside

_DEEPEST = 8
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def index(state: ReaderState, nest: Context, node: c.Expression, asides: Existentials) -> Value:
    """Returns the value of an index expression. Raises NoIndex for other expressions, Rejected for unsupported ones."""
    match node:
        case c.Literal() if is_integer_constant(node):
            value = integer(node)
            if value is None:
                raise NoIndex(state.span(node), f"{node.text} is an unsigned constant")
            return constant_polynomial(value)
        case c.Name():
            return _name(state, nest, node)
        case c.Cast():
            return _cast(state, nest, node, asides)
        case c.Unary("-" | "+" | "~") | c.Binary():
            if isinstance(node, c.Unary):
                computed = _unary(state, nest, node, asides)
            else:
                wrapped = _wrapped(state, nest, node, asides)
                computed = _binary(state, nest, node, asides) if wrapped is None else wrapped
            check_constant(state, node, computed, type_of_index(state, nest, node))
            return computed
        case c.Ternary():
            return _ternary(state, nest, node, asides)
        case c.Call():
            return _call(state, nest, node, asides)
        case c.Index() | c.Unary("*"):
            raise NoIndex(state.span(node), f"it depends on data, the contents of `{_array(node)}`")
    raise NoIndex(state.span(node), "it is not an affine expression of parameters and iterators")


def known_number(state: ReaderState, nest: Context, node: c.Expression) -> int | None:
    """Returns the value of an index expression that is a number; None for other expressions."""
    try:
        return number(index(state, nest, node, Existentials()))
    except NoIndex:
        return None


def _cast(state: ReaderState, nest: Context, node: c.Cast, asides: Existentials) -> Value:
    type_ = scalar_type(node.type)
    if not is_wide_integer(type_):
        raise NoIndex(state.span(node), "this conversion may change the value")
    value_ = index(state, nest, node.operand, asides)
    if node.is_implicit:
        check_constant(state, node, value_, type_)
        note_width(state, type_)
    else:
        check_narrowing(state, nest, node, type_, value_, asides)
    if not type_.signed:
        stays_positive(state, nest, value_, asides, state.span(node))
    return value_


def _array(node: c.Expression) -> str:
    """Returns the name of the array of an element, if it has one."""
    return next(filter(None, map(name_of, nodes(node, (c.Name, c.Call)))), "memory")


def _unary(state: ReaderState, nest: Context, node: c.Unary, asides: Existentials) -> Value:
    if node.operator != "+" and is_unsigned(state, nest, node.operand):
        raise NoIndex(state.span(node), f"`{node.operator}` of an unsigned number")
    value = index(state, nest, node.operand, asides)
    return (
        value if node.operator == "+" else add(scale(value, -1), constant_polynomial(-1 if node.operator == "~" else 0))
    )


def _name(state: ReaderState, nest: Context, node: c.Name) -> Value:
    meaning = nest.names.get(node.name)
    if isinstance(meaning, NamedInteger):
        return meaning.value
    if meaning is None and node.name in state.constants:
        return state.constants[node.name].value
    if meaning is None and node.name in LIMITS:
        return constant_polynomial(LIMITS[node.name])
    if isinstance(meaning, Undefined) and node.name in state.followed:
        state.read_as_data(node.name)
    if isinstance(meaning, PointerView | InlinedValue):
        raise NoIndex(state.span(node), f"it depends on data, the value of `{node.name}`")
    raise NoIndex(state.span(node), f"`{node.name}` is not a parameter or iterator")


def _binary(state: ReaderState, nest: Context, node: c.Binary, asides: Existentials) -> Value:
    if (rounded := _rounded(state, nest, node, asides)) is not None:
        return rounded
    left, right = (index(state, nest, operand, asides) for operand in (node.left, node.right))
    is_wrapping = _are_unsigned(state, nest, node, (left, right), asides)
    match node.operator:
        case "+":
            value = add(left, right)
            check_sum(state, nest, node, value, asides)
            return value
        case "-":
            value = add(left, scale(right, -1))
            if is_wrapping:
                stays_positive(state, nest, value, asides, state.span(node))
            return value
        case "*":
            value = _product(state, node, decided(nest, left), decided(nest, right))
            check_product(state, nest, node, value, asides)
            return value
        case "/" if (whole := _whole(left, number(right))) is not None:
            return whole
        case "/" | "%":
            if number(right) is None and (parts := _by_rows(nest, left, right)) is not None:
                return parts[node.operator == "%"]
            state.require(asides.added(nest), left, state.span(node))
            return _quotient(state, nest, node, left, right, asides)
    return _of_bits(state, nest, node, left, number(right), asides)


def _rounded(state: ReaderState, nest: Context, node: c.Binary, asides: Existentials) -> Value | None:
    """Returns `n & ~(size_t)3`, the multiple of 4 below an unsigned number; None for other expressions."""
    match node:
        case c.Binary("&", left, c.Unary("~", inner)) if is_unsigned(state, nest, inner):
            mask = number(index(state, nest, inner, asides))
            types = [type_of_index(state, nest, side) for side in (left, inner)]
            if mask is not None and mask >= 0 and mask & (mask + 1) == 0 and types[0].bits <= types[1].bits:
                value = index(state, nest, left, asides)
                stays_positive(state, nest, value, asides, state.span(left))
                part = apply_monotone(value, lambda operand: _floor(state, node, operand, mask + 1, asides))
                return scale(part, mask + 1)
    return None


def _of_bits(
    state: ReaderState, nest: Context, node: c.Binary, left: Value, right: int | None, asides: Existentials
) -> Value:
    """Returns the value of a shift, or of an operation with a constant on bits."""
    match node.operator:
        case "<<" | ">>" if (right or 0) >= type_of_index(state, nest, node).bits:
            raise NoIndex(state.span(node), "the shift count exceeds the width of the type")
        case "<<" if right is not None and 0 <= right < 62:
            if (number(left) or 0) < 0:
                raise NoIndex(state.span(node), "a shift of a negative number is undefined")
            state.require(asides.added(nest), left, state.span(node), otherwise=_SHIFTED)
            value = scale(left, 1 << right)
            check_product(state, nest, node, value, asides)
            return value
        case ">>" if right is not None and 0 <= right < 62:
            return apply_monotone(left, lambda operand: _floor(state, node, operand, 1 << right, asides))
        case "&" if right is not None and right > 0 and right & (right + 1) == 0:
            # The last bits are the remainder of the division by a power of two, rounded down.
            return _remainder(state, node, as_polynomial(state, node, left, asides), right + 1, asides)
        case "&" if right is not None and right < 0 and -right & (-right - 1) == 0:
            return scale(apply_monotone(left, lambda operand: _floor(state, node, operand, -right, asides)), -right)
        case "^" if right == 1 and _is_bit(asides.added(nest), left):
            return add(constant_polynomial(1), scale(left, -1))
    raise NoIndex(state.span(node), f"the operator `{node.operator}` is not affine")


def _is_bit(nest: Context, value: Value) -> bool:
    """Returns True if a value certainly is 0 or 1."""
    return isinstance(value, Polynomial) and _is_inside(nest, value, constant_polynomial(2))


def _wrapped(state: ReaderState, nest: Context, node: c.Binary, asides: Existentials) -> Value | None:
    """Returns `(x % 3 + 3) % 3`, the remainder of the division that rounds down, whatever the sign of x; None for other
    expressions."""
    match node:
        case c.Binary("%", c.Binary("+", c.Binary("%", dividend, inner), added), outer):
            divisors = {number(index(state, nest, operand, asides)) for operand in (inner, added, outer)}
            divisor = divisors.pop()
            if not divisors and divisor is not None and divisor > 0 and not is_unsigned(state, nest, node):
                return _remainder(state, node, index(state, nest, dividend, asides), divisor, asides)
    return None


def _are_unsigned(
    state: ReaderState, nest: Context, node: c.Binary, values: tuple[Value, Value], asides: Existentials
) -> bool:
    """Returns True if an operation is unsigned: its converted operands must then not be negative, except in masks."""
    unsigned = [is_unsigned(state, nest, side) for side in (node.left, node.right)]
    for operand, value, is_one in zip((node.left, node.right), values, unsigned, strict=True):
        is_mask = node.operator == "&" and number(value) is not None
        if any(unsigned) and not is_one and not is_mask:
            stays_positive(state, nest, value, asides, state.span(operand))
    return any(unsigned)


def _product(state: ReaderState, node: c.Binary, left: Value, right: Value) -> Value:
    for one, other in ((left, right), (right, left)):
        if (factor := number(one)) is not None:
            return scale(other, factor)
    if isinstance(left, Polynomial) and isinstance(right, Polynomial):
        return left * right
    raise NoIndex(state.span(node), "a product with a minimum or maximum is not affine")


def decided(nest: Context, value: Value) -> Value:
    """Returns the operand of a minimum or maximum that the surrounding conditions select, if they do."""
    if isinstance(value, Polynomial):
        return value
    left, right = decided(nest, value.left), decided(nest, value.right)
    one, other = (affine(operand) if isinstance(operand, Polynomial) else None for operand in (left, right))
    if one is not None and other is not None:
        if _is_never(nest, less(other, one)):
            return left if value.is_least else right
        if _is_never(nest, less(one, other)):
            return right if value.is_least else left
    return Extreme(value.is_least, left, right)


def _is_never(nest: Context, constraint: Constraint) -> bool:
    cases = [((constraint,),), *nest.conditions]
    parts = [constraint for alternative in cases for case in alternative for constraint in case]
    space = Space(tuple(dict.fromkeys(name for part in parts for name in part.affine.names)), ())
    domain = Domain.universe(space)
    for alternative in cases:
        domain = domain & Domain.where(space, *alternative)
    return domain.is_empty()


def _quotient(
    state: ReaderState, nest: Context, node: c.Binary | c.Call, left: Value, right: Value, asides: Existentials
) -> Value:
    """Returns the quotient, rounded down."""
    divisor = number(right)
    remainder = node if isinstance(node, c.Binary) and node.operator == "%" else None
    if divisor is None and remainder is not None:
        return _around(state, nest, remainder, left, right, asides)
    if divisor is None or divisor <= 0:
        raise NoIndex(state.span(node), "the divisor is not a positive constant")
    if remainder is not None:
        return _remainder(state, node, left, divisor, asides)
    return apply_monotone(left, lambda dividend: _floor(state, node, dividend, divisor, asides))


def _by_rows(nest: Context, left: Value, right: Value) -> tuple[Polynomial, Polynomial] | None:
    """Returns quotient and remainder of `row * N + column` by N, where the column is in a row of N, and the row at
    least 0; None otherwise."""
    if not isinstance(left, Polynomial) or not isinstance(right, Polynomial):
        return None
    row, column = divided(left, right)
    return (row, column) if _is_inside(nest, column, right) and _is_row(nest, row) else None


def _is_row(nest: Context, row: Polynomial) -> bool:
    """Returns True if a number of rows, each of several planes, certainly is at least 0."""
    if (least := affine(row)) is not None:
        return _is_never(nest, less(least, Affine()))
    for name in row.names:
        planes, rest = divided(row, polynomial_of(name))
        if planes.terms and all(_is_row(nest, part) for part in (polynomial_of(name), planes, rest)):
            return True
    return False


def _is_inside(nest: Context, value: Polynomial, end: Polynomial) -> bool:
    """Returns True if a value certainly is at least 0, and less than the end."""
    least, most = affine(value), affine(end - constant_polynomial(1) - value)
    if least is not None and most is not None:
        return all(_is_never(nest, less(bound, Affine())) for bound in (least, most))
    for name in end.names:
        rows, rest = divided(end, polynomial_of(name))
        if not rest.terms and rows.names:
            row, column = divided(value, polynomial_of(name))
            if _is_inside(nest, column, polynomial_of(name)) and _is_inside(nest, row, rows):
                return True
    return False


def _remainder(state: ReaderState, node: c.Node, dividend: Value, divisor: int, asides: Existentials) -> Value:
    """Returns the remainder of the division that rounds down."""
    quotient_ = _floor(state, node, as_polynomial(state, node, dividend, asides), divisor, asides)
    return add(dividend, scale(quotient_, -divisor))


def _whole(dividend: Value, divisor: int | None) -> Polynomial | None:
    """Returns the quotient of a polynomial that divides without remainder, such as `i * (i + 1) / 2`; None
    otherwise."""
    if divisor is None or divisor <= 0 or not isinstance(dividend, Polynomial) or affine(dividend) is not None:
        return None
    quotient_ = dividend * Polynomial.constant(Fraction(1, divisor))
    return quotient_ if is_integer(quotient_) else None


_SHIFTED = ("this shift may be of a negative number, which is undefined", "multiply by a power of 2")
_TWICE = (
    "the dividend of `%` may be twice the divisor or more",
    "divide by a constant, or make the dividend less than twice the divisor",
)


def _around(
    state: ReaderState, nest: Context, node: c.Binary, left: Value, right: Value, asides: Existentials
) -> Value:
    """Returns the value of `(i + 1) % N`, where the dividend is less than twice the divisor: it wraps at most once."""
    name, rest = state.fresh("q"), add(left, scale(right, -1))
    most = add(scale(rest, -1), add(right, constant_polynomial(-1)))
    state.require(asides.added(nest), most, state.span(node), otherwise=_TWICE)
    if (side := _side(nest, node, asides)) is not None:
        return left if side else rest
    if _is_two(nest, asides):
        raise ConditionalValue(node, c.Binary("<", node.left, node.right, at=node.at))
    try:
        once = both(comparison("<", left, right), equals(name, left))
        twice = both(comparison(">=", left, right), equals(name, rest))
        asides.conditions.append(either(once, twice))
    except (NotAffineCondition, TooComplicated):
        raise NoIndex(state.span(node), "the divisor is not a positive constant") from None
    asides.iterators.append(name)
    return polynomial_of(name)


def _floor(state: ReaderState, node: c.Node, dividend: Polynomial, divisor: int, asides: Existentials) -> Polynomial:
    affine_ = affine(dividend)
    if affine_ is None:
        raise NoIndex(state.span(node), "the dividend is not affine")
    if all(factor % divisor == 0 for _, factor in affine_.terms):
        parts = {name: factor // divisor for name, factor in affine_.terms}
        total = constant_polynomial(affine_.constant // divisor)
        for name, factor in parts.items():
            total = total + polynomial_of(name) * constant_polynomial(factor)
        return total
    limits = {} if state.block is None else state.block.limits
    inner = Affine.of([(name, factor) for name, factor in affine_.terms if factor % divisor])
    rest = inner + affine_.constant % divisor
    if all(factor > 0 and name in limits for name, factor in inner.terms) and rest.at(limits) < divisor:
        # The number of a thread is that of its warp, times 32, and that of its lane.
        return _floor(state, node, Polynomial.affine(affine_ - rest), divisor, asides)
    return polynomial_of(quotient(state, affine_, divisor, asides))


def quotient(state: ReaderState, dividend: Affine, divisor: int, asides: Existentials) -> str:
    """Returns the name of the quotient, rounded down, which is added to `asides`: one for equal quotients, as macros
    (`min(n / 32, m)`) repeat them."""
    name = state.quotients.get((dividend, divisor)) or state.fresh("q")
    state.quotients[dividend, divisor] = name
    if name not in asides.iterators:
        rest = dividend - Affine.name(name) * divisor
        asides.iterators.append(name)
        asides.conditions.append(((Constraint(rest), Constraint(-rest + (divisor - 1))),))
    return name


def as_polynomial(state: ReaderState, node: c.Node, value: Value, asides: Existentials) -> Polynomial:
    """Returns the value as one polynomial: a minimum or maximum gets a name of its own."""
    if isinstance(value, Polynomial):
        return value
    name = state.fresh("q")
    try:
        asides.conditions.append(equals(name, value))
    except NotAffineCondition:
        raise NoIndex(state.span(node), "an operand of the minimum or maximum is not affine") from None
    asides.iterators.append(name)
    return polynomial_of(name)


def _ternary(state: ReaderState, nest: Context, node: c.Ternary, asides: Existentials) -> Value:
    """Returns a choice as a minimum or maximum if it is one; else as a value with two cases, added to `asides`.

    C rounds the quotient of a negative number towards 0: that is the same in a maximum with a number that is not
    negative.
    """
    first = len(state.divided)
    value = _choice(state, nest, node, asides)
    if _is_clamped_quotient(node) and not any(one.is_unsigned for one in state.divided[first:]):
        del state.divided[first:]
    return value


def _is_clamped_quotient(node: c.Ternary) -> bool:
    """Returns True for the maximum of a number and of the quotient of a sum without quotients."""
    match node.condition:
        case c.Binary(">" | ">=", left, right) | c.Binary("<" | "<=", right, left) if (left, right) == (
            node.then,
            node.otherwise,
        ):
            pass
        case _:
            return False
    for sides in ((left, right), (right, left)):
        match sides:
            case c.Literal(least), c.Binary("/", dividend, c.Literal(divisor)) if (
                least.isdecimal() and divisor.isdecimal() and int(divisor)
            ):
                parts = nodes(dividend, c.Binary)
                return not any(part.operator in ("/", "%", ">>") for part in parts) and not nodes(dividend, c.Call)
    return False


def _choice(state: ReaderState, nest: Context, node: c.Ternary, asides: Existentials) -> Value:
    """Returns a choice, with the obligation that dividends are not negative."""
    if (side := _side(nest, node, asides)) is not None:
        return _chosen_value(state, nest, node, node.then if side else node.otherwise, asides)
    nest, more = asides.added(nest), asides.beside()
    holds, fails = (_when(state, nest, node.condition, more, is_first) for is_first in (True, False))
    around = more.added(nest)
    values = []
    for when, branch in ((holds, node.then), (fails, node.otherwise)):
        beside = asides.beside()
        values.append(_chosen_value(state, around if when is None else around.where(when), node, branch, beside))
        more.take(beside)
    then, otherwise = values
    extreme = _extreme(state, nest, node.condition, (then, otherwise), more)
    if extreme is None:
        if holds is None or fails is None:
            raise NoIndex(state.span(node), "`?:` is supported in indices only as a minimum or maximum")
        if _is_two(nest, asides):
            raise ConditionalValue(node, node.condition)
        name = state.fresh("q")
        try:
            sides_ = (both(holds, equals(name, then)), both(fails, equals(name, otherwise)))
            more.conditions.append(either(*sides_))
        except (NotAffineCondition, TooComplicated):
            raise NoIndex(state.span(node), "a branch of `?:` is not affine") from None
        more.iterators.append(name)
        extreme = polynomial_of(name)
    asides.take(more)
    return extreme


def _chosen_value(
    state: ReaderState, nest: Context, node: c.Ternary, side: c.Expression, asides: Existentials
) -> Value:
    """Returns one of both values of a choice, under its condition. It becomes unsigned if the other one is."""
    value = index(state, nest, side, asides)
    if any(is_unsigned(state, nest, branch) for branch in (node.then, node.otherwise)):
        stays_positive(state, nest, value, asides, state.span(node))
    return value


def _is_two(nest: Context, asides: Existentials) -> bool:
    """Returns True if the statement is split into two for values with two cases."""
    return asides.chosen is not None and nest.depth == asides.depth


def _side(nest: Context, node: c.Expression, asides: Existentials) -> bool | None:
    """Returns the case of a value that this statement has, if it is known."""
    return (asides.chosen or {}).get(id(node)) if _is_two(nest, asides) else None


def _when(
    state: ReaderState, nest: Context, node: c.Expression, asides: Existentials, is_wanted: bool
) -> Condition | None:
    """Returns where a condition holds (or not, by `is_wanted`); None if that is not affine."""
    try:
        return condition(state, nest, node, asides, is_wanted)
    except NoIndex:
        return None


def _extreme(
    state: ReaderState, nest: Context, test: c.Expression, values: tuple[Value, Value], asides: Existentials
) -> Polynomial | Extreme | None:
    """Returns `i > 3 ? i - 3 : 0` as the maximum of both: their difference is the condition's, or one more."""
    if not isinstance(test, c.Binary) or test.operator not in ("<", "<=", ">", ">="):
        return None
    left, right = (index(state, nest, operand, asides) for operand in (test.left, test.right))
    _are_unsigned(state, nest, test, (left, right), asides)
    is_less = test.operator in ("<", "<=")
    if (left, right) in (values, values[::-1]):
        return Extreme(is_less == ((left, right) == values), *values)
    low, high = (left, right) if is_less else (right, left)
    if not all(isinstance(operand, Polynomial) for operand in (low, high, *values)):
        return None
    # The condition holds where this is not negative.
    gap = add(add(high, scale(low, -1)), constant_polynomial(-1 if test.operator in ("<", ">") else 0))
    apart = add(values[0], scale(values[1], -1))
    if number(add(apart, scale(gap, -1))) in (0, 1):
        return Extreme(False, *values)
    return Extreme(True, *values) if number(add(apart, gap)) in (0, -1) else None


def is_extreme_of_cuda(state: ReaderState, node: c.Call) -> bool:
    """Returns True for `min(a, b)` and `max(a, b)` of CUDA in a kernel."""
    name, functions = node.function, state.functions
    is_known = name in ("min", "max") and name not in functions.defined and name not in functions.declared
    return is_known and state.block is not None and len(node.arguments) == 2


def _call(state: ReaderState, nest: Context, node: c.Call, asides: Existentials) -> Value:
    name = name_of(node)
    arguments = node.arguments
    if name == "INT64_C" and len(arguments) == 1:
        return index(state, nest, arguments[0], asides)
    helper = state.functions.recognised_helper(name)
    if helper in ROUNDED and len(arguments) == 2:
        left, right = (index(state, nest, argument, asides) for argument in arguments)
        if helper == "floor_div":
            return _quotient(state, nest, node, left, right, asides)
        divisor = number(right)
        if divisor is None or divisor <= 0:
            raise NoIndex(state.span(node), "the divisor is not a positive constant")
        return _remainder(state, node, as_polynomial(state, node, left, asides), divisor, asides)
    definition = state.functions.defined.get(name)
    if is_extreme_of_cuda(state, node):
        is_first = c.Binary("<" if name == "min" else ">", *arguments, at=node.at)
        return _ternary(state, nest, c.Ternary(is_first, *arguments, at=node.at), asides)
    if definition is None or nest.depth > _DEEPEST:
        raise NoIndex(state.span(node), f"the function `{name}` is not supported in index expressions")
    type_ = scalar_type(definition.type)
    if not is_wide_integer(type_):
        raise NoIndex(state.span(node), f"`{name}` does not return an integer index")
    inside = _parameters(state, nest, definition, arguments, asides)
    returned = _only_value(state, node, definition)
    check_passing(state, inside, returned, type_, asides)
    value = index(state, inside, returned, asides)
    check_constant(state, node, value, type_)
    if not type_.signed:
        stays_positive(state, nest, value, asides, state.span(node))
    return value


def _only_value(state: ReaderState, node: c.Call, definition: c.Function) -> c.Expression:
    """Returns the returned expression of a function that does nothing else."""
    match body_of(definition):
        case (c.Return(value),) if value is not None:
            return value
    raise NoIndex(state.span(node), f"`{definition.name}` must consist of a single `return` to be used in an index")


def _parameters(
    state: ReaderState, nest: Context, definition: c.Function, arguments: Sequence[c.Expression], asides: Existentials
) -> Context:
    names: dict[str, NamedInteger] = {}
    for parameter, argument in zip(definition.parameters, arguments, strict=False):
        type_ = scalar_type(parameter.type)
        if not is_wide_integer(type_):
            raise NoIndex(state.span(argument), "this argument is not an integer index")
        check_passing(state, nest, argument, type_, asides)
        names[parameter.name] = NamedInteger(index(state, nest, argument, asides), type_)
        check_constant(state, argument, names[parameter.name].value, type_)
        if not type_.signed:
            stays_positive(state, nest, names[parameter.name].value, asides, state.span(argument))
    if len(definition.parameters) != len(arguments):
        raise NoIndex(state.span(definition), "the call has another number of arguments than the function")
    return Context(nest.iterators, nest.conditions, nest.date, {**state.around, **names}, depth=nest.depth + 1)


# --- conditions -------------------------------------------------------------------------------------------------------


def condition(
    state: ReaderState, nest: Context, node: c.Expression, asides: Existentials, is_wanted: bool = True
) -> Condition:
    """Returns where an affine condition holds (or, if not `is_wanted`, fails). Raises NoIndex for a condition on
    data."""
    try:
        return _condition(state, nest, node, asides, is_wanted)
    except TooComplicated:
        raise outside(state.span(node), "this condition has too many cases") from None
    except NotAffineCondition as what:
        raise NoIndex(state.span(node), f"`{what}` is not affine") from None


def _condition(
    state: ReaderState, nest: Context, node: c.Expression, asides: Existentials, is_wanted: bool
) -> Condition:
    match node:
        case c.Binary("&&" | "||"):
            one, other = (_condition(state, nest, operand, asides, is_wanted) for operand in (node.left, node.right))
            return (both if (node.operator == "&&") == is_wanted else either)(one, other)
        case c.Unary("!", operand):
            if isinstance(operand, c.Name) and _is_pointer(nest.names.get(operand.name)):
                return FALSE if is_wanted else TRUE
            return _condition(state, nest, operand, asides, not is_wanted)
        case c.Binary() if node.operator in _COMPARISONS:
            if (is_success := _of_success(nest, node)) is not None:
                return TRUE if is_success == is_wanted else FALSE
            left, right = (index(state, nest, operand, asides) for operand in (node.left, node.right))
            _are_unsigned(state, nest, node, (left, right), asides)
            return comparison(node.operator if is_wanted else opposite(node.operator), left, right)
        case c.Call() if nest.depth <= _DEEPEST and (called := state.functions.called(node)) is not None:
            inside = _parameters(state, nest, called, node.arguments, asides)
            value = _only_value(state, node, called)
            if not _is_truth(value) or not _is_whole(called.type):
                raise NoIndex(state.span(node), "the function does not return a condition")
            return _condition(state, inside, value, asides, is_wanted)
        case c.Literal() | c.String() | c.Name() | c.Binary("%" | "&" | "-"):
            return comparison("!=" if is_wanted else "==", index(state, nest, node, asides), constant_polynomial(0))
    raise NoIndex(state.span(node), "it is not an affine condition")


def _is_truth(node: c.Expression) -> bool:
    """Returns True if a value is 0 or 1."""
    if isinstance(node, c.Unary):
        return node.operator == "!"
    return isinstance(node, c.Binary) and node.operator in (*_COMPARISONS, "&&", "||")


def _is_whole(type_: c.Type) -> bool:
    scalar = scalar_type(type_)
    return scalar is not None and scalar.kind in ("int", "bool")


def _of_success(nest: Context, node: c.Binary) -> bool | None:
    """Returns the outcome of `status == 0` and `array == NULL`: allocation succeeds. None for other conditions."""
    if node.operator not in ("==", "!=") or not isinstance(node.left, c.Name):
        return None
    match nest.names.get(node.left.name):
        case ReturnStatus() if node.right == c.ZERO:
            return node.operator == "=="
        case PointerView() as pointer if _is_pointer(pointer) and node.right in (c.Name("NULL"), c.ZERO):
            return node.operator == "!="
    return None


def _is_pointer(meaning: Meaning | None) -> bool:
    """Returns True if the meaning is a pointer to elements, not a scalar."""
    return isinstance(meaning, PointerView) and bool(meaning.extents)
