"""Widths of the integers with which C computes indices, and the checks that no value is lost."""

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Span
from alphaz.model.types import INT, LONG, UNSIGNED_INT, UNSIGNED_LONG, ScalarType, common_type, promoted
from alphaz.scop.cuda_builtins import is_built_in
from alphaz.scop.index_polynomials import Value, add, constant_polynomial, leaves, number, scale
from alphaz.scop.reader_state import Existentials, NoIndex, ReaderState
from alphaz.scop.scope import Context, InlinedValue, NamedInteger, PointerView, Undefined
from alphaz.scop.tree_queries import LIMITS, integer_type, is_integer, scalar_type

_TRUTHS = frozenset({"<", "<=", ">", ">=", "==", "!=", "&&", "||"})
_WRAPS = ("this product of unsigned numbers may wrap around at 2^32", "compute it in `size_t`")
_SUM_WRAPS = ("this sum of unsigned numbers may wrap around", "remove the large constant")
_MOST = 1 << 40
# A larger summand in 32 bits is no distance between elements.
_FAR = 1 << 24
_LOSES = ("this conversion to 32 bits may lose high bits", "remove the conversion")


def type_of_index(state: ReaderState, nest: Context, node: c.Expression) -> ScalarType:
    """Returns the type with which C computes an index expression; `long` if that is unclear."""
    match node:
        case c.Literal() if is_integer(node):
            return integer_type(node)
        case c.Name():
            return _type_of_name(state, nest, node.name)
        case c.Cast():
            return scalar_type(node.type) or LONG
        case c.Unary(operator="!"):
            return INT
        case c.Unary(operator="-" | "+" | "~"):
            return promoted(type_of_index(state, nest, node.operand))
        case c.Binary(operator="<<" | ">>"):
            return promoted(type_of_index(state, nest, node.left))
        case c.Binary():
            types = (type_of_index(state, nest, operand) for operand in (node.left, node.right))
            return INT if node.operator in _TRUTHS else common_type(*types)
        case c.Ternary():
            return common_type(*(type_of_index(state, nest, operand) for operand in (node.then, node.otherwise)))
        case c.Call() if (definition := state.functions.called(node)) is not None:
            return scalar_type(definition.type) or LONG
        case c.Call(function="min" | "max", arguments=(left, right)):
            return common_type(type_of_index(state, nest, left), type_of_index(state, nest, right))
    return LONG


def _type_of_name(state: ReaderState, nest: Context, name: str) -> ScalarType:
    match nest.names.get(name):
        case NamedInteger() | Undefined() | InlinedValue() as named:
            return named.type
        case PointerView() as named:
            return named.array.type
    if name in state.constants:
        return state.constants[name].type
    return type_of_limit(name) if name in LIMITS else LONG


def type_of_limit(name: str) -> ScalarType:
    """Returns the type of a constant of `limits.h`."""
    if "LONG" in name:
        return UNSIGNED_LONG if name.startswith("U") else LONG
    return UNSIGNED_INT if name == "UINT_MAX" else INT


def check_product(state: ReaderState, nest: Context, node: c.Expression, value: Value, asides: Existentials) -> None:
    """Checks a product of unsigned integers. Of 32 bits, it must be proved not to wrap around. Of 64 bits, it is
    assumed not to, unless the text multiplies by a constant that is no number of elements."""
    type_ = type_of_index(state, nest, node)
    if type_.signed:
        return
    if any(abs(factor) >= _MOST for leaf in leaves(value) for _, factor in leaf.terms):
        raise NoIndex(state.span(node), "this product of unsigned numbers may wrap around")
    if type_.bits == 32:
        if any(is_built_in(one.name) for one in nodes(node, c.Name)):
            note_width(state, type_)
        else:
            _stays_below(state, nest, value, 1 << 32, asides, state.span(node), _WRAPS)


def check_sum(state: ReaderState, nest: Context, node: c.Expression, value: Value, asides: Existentials) -> None:
    """Checks a sum of unsigned integers. It is assumed not to wrap around for sizes and distances, but not if a large
    constant is added, which may be intended to wrap around."""
    type_ = type_of_index(state, nest, node)
    constants = [leaf.at(dict.fromkeys(leaf.names, 0)) for leaf in leaves(value)]
    if type_.signed or all(abs(constant_) < (_FAR if type_.bits == 32 else _MOST) for constant_ in constants):
        return
    if type_.bits > 32:
        raise NoIndex(state.span(node), _SUM_WRAPS[0])
    _stays_below(state, nest, value, 1 << 32, asides, state.span(node), _SUM_WRAPS)


def check_narrowing(
    state: ReaderState, nest: Context, node: c.Cast, type_: ScalarType, value: Value, asides: Existentials
) -> None:
    """Checks an explicit conversion: if the type is narrower, it must be proved that the value is kept."""
    if type_of_index(state, nest, node.operand).bits > type_.bits:
        limit = 1 << (type_.bits - type_.signed)
        _stays_below(state, nest, value, limit, asides, state.span(node), _LOSES)
        if type_.signed:
            _stays_below(state, nest, scale(value, -1), limit + 1, asides, state.span(node), _LOSES)


def check_constant(state: ReaderState, node: c.Node, value: Value, type_: ScalarType) -> None:
    """Checks that a known value fits its type; others are assumed to. Raises NoIndex."""
    constant_value = number(value)
    if constant_value is not None and not -(1 << (type_.bits - 1)) <= constant_value < 1 << (type_.bits - type_.signed):
        raise NoIndex(state.span(node), f"{constant_value} does not fit into type {type_}")


def _stays_below(
    state: ReaderState,
    nest: Context,
    value: Value,
    limit: int,
    asides: Existentials,
    span: Span,
    otherwise: tuple[str, str],
) -> None:
    constant_value = number(value)
    if constant_value is not None and constant_value < limit:
        return
    if constant_value is not None:
        raise NoIndex(span, otherwise[0])
    if asides.is_signed or (asides.is_value and otherwise is _LOSES):
        raise NoIndex(span, otherwise[0])
    state.require(asides.added(nest), add(constant_polynomial(limit - 1), scale(value, -1)), span, otherwise=otherwise)


def check_passing(
    state: ReaderState, nest: Context, node: c.Expression, type_: ScalarType, asides: Existentials
) -> None:
    """Checks the implicit conversion of arguments and results: indices are assumed to fit, data must."""
    if asides.is_value and type_of_index(state, nest, node).bits > type_.bits:
        raise NoIndex(state.span(node), _LOSES[0])
    note_width(state, type_)


def note_width(state: ReaderState, type_: ScalarType) -> None:
    """Records the assumption that indices of less than 64 bits do not overflow their type."""
    if type_.bits < 64:
        state.assume(f"no index exceeds the {type_.bits} bits of its type")
