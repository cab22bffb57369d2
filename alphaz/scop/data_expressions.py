"""Expressions on data: the reads, and the tree of the computed value."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import isfinite

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Span
from alphaz.model.real_numbers import real_number, real_type
from alphaz.model.types import BOOL, DOUBLE, FLOAT, INT, LONG, ScalarType, common_type, promoted
from alphaz.poly import Affine
from alphaz.scop.conversions import (
    conditional_tree,
    converted,
    fits,
    negated,
    operation,
    truth,
    type_of,
)
from alphaz.scop.index_expressions import as_polynomial, condition, index, is_extreme_of_cuda
from alphaz.scop.index_polynomials import affine
from alphaz.scop.integer_widths import type_of_index, type_of_limit
from alphaz.scop.intrinsic_calls import lane_value, note_loose
from alphaz.scop.intrinsics import FUSED, is_vector_name
from alphaz.scop.lvalues import view
from alphaz.scop.reader_state import ConditionalValue, Existentials, NoIndex, ReaderState, is_unsigned
from alphaz.scop.scope import Context, InlinedValue, Undefined
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.thread_numbers import NUMBERS, USED_OTHERWISE
from alphaz.scop.tree_queries import (
    FLOAT_LIMITS,
    LIMITS,
    begins_with_itself,
    body_of,
    changes,
    integer,
    integer_type,
    is_integer,
    scalar_type,
)
from alphaz.scop.unsupported import outside, unknown_expression
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, Tree, is_certain_part, may_divide_by_zero

_ARITHMETIC = {"+": "+", "-": "-", "*": "*", "/": "/", "%": "%"}
_COMPARISONS = {"<": ("<", False), "<=": ("<=", False), ">": ("<", True), ">=": ("<=", True), "==": ("==", False)}
_COMPARISONS["!="] = ("!=", False)
_LOGIC = {"&&": "and", "||": "or"}
_NAMED = {"INFINITY": FLOAT, "HUGE_VAL": DOUBLE, "NAN": FLOAT}
_EXTREMES = {"fmin": ("min", DOUBLE), "fmax": ("max", DOUBLE), "fminf": ("min", FLOAT), "fmaxf": ("max", FLOAT)}
_FUSED = {"fma": DOUBLE, "fmaf": FLOAT}
_FLOATING = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?f?")
_ZEROS = tuple(c.Init((((), c.Literal(text)),)) for text in ("0", "0.0"))

INSIDE = (
    "an assignment inside an expression is not supported",
    "make it a statement of its own; for `*p++`, use `p[i]`",
)


def tree(reading: StatementReads, node: c.Expression, nest: Context | None = None) -> Tree:
    """Returns the value of an expression. Raises Rejected for unsupported C, ConditionalValue for an affine choice."""
    nest = nest or reading.nest
    state = reading.state
    match node:
        case c.Call() if state.functions.intrinsics(node):
            return lane_value(reading, node, nest, tree)
        case c.Literal() | c.String():
            return _literal(state, node)
        case c.Name() if isinstance(meaning := nest.names.get(node.name), InlinedValue):
            return meaning.tree
        case c.Name() if node.name not in nest.names and (library_value := _of_library(node.name)) is not None:
            return library_value
        case c.Ternary():
            return _ternary(reading, node, nest)
        case c.Compound() | c.Init():
            return _zeros(reading, node)
        case c.Binary("+", c.Compound() as left, right):
            # A scalar becomes a vector of that scalar (and 0.0 if it is -0.0).
            zero = _zeros(reading, left)
            value = converted(tree(reading, right, nest), zero.type)
            if value is not None:
                return value
    pointer = view(state, nest, node, reading.asides)
    if pointer is not None:
        return reading.read(pointer, state.span(node), nest.lane)
    if (index_leaf := _index(reading, node, nest)) is not None:
        return index_leaf
    return _computed(reading, node, nest)


def _of_library(name: str) -> LiteralValue | None:
    """Returns a number that has a name in the language or its library."""
    if name in _NAMED:
        return LiteralValue(name, _NAMED[name])
    if name in FLOAT_LIMITS:
        return LiteralValue(*FLOAT_LIMITS[name])
    if name in LIMITS:
        return LiteralValue(Fraction(LIMITS[name]), type_of_limit(name))
    return LiteralValue(Fraction(name == "true"), INT) if name in ("true", "false") else None


def _computed(reading: StatementReads, node: c.Expression, nest: Context) -> Tree:
    state = reading.state
    match node:
        case c.Unary("-", operand):
            value = tree(reading, operand, nest)
            _check_range(state, node, (LiteralValue(Fraction(0), INT), value), promoted(type_of(value)))
            return negated(value)
        case c.Unary("+", operand):
            return tree(reading, operand, nest)
        case c.Unary("!", operand) if nest.lane is None:
            return operation("not", (truth(tree(reading, operand, nest)),), BOOL)
        case c.Binary():
            return _binary(reading, node, nest)
        case c.Cast():
            return _cast(reading, node, nest)
        case c.Call():
            return _call(reading, node, nest)
        case c.Name():
            raise outside(state.span(node), f"`{node.name}` has no known value here: assign it before this use")
    if changes(node):
        raise outside(state.span(node), *INSIDE)
    raise outside(state.span(node), unknown_expression(node))


def _zeros(reading: StatementReads, node: c.Compound | c.Init) -> LiteralValue:
    """Returns the value of `(double4){0}`: all lanes are 0."""
    vector = reading.state.functions.vector(node.type) if isinstance(node, c.Compound) else None
    is_zero = isinstance(node, c.Compound) and node.init in _ZEROS
    if reading.nest.lane is None or not is_zero or vector is None:
        raise outside(reading.state.span(node), "this initial value is not supported: expected one expression")
    return LiteralValue(Fraction(0), vector.type)


def _index(reading: StatementReads, node: c.Expression, nest: Context, *, is_converted: bool = False) -> Tree | None:
    """Returns the value of an index expression; None for other expressions.

    As data, unsigned operations are computed differently: they are indices only if they have a name, or are converted
    at once (`is_converted`).
    """
    is_known_unsigned = is_unsigned(reading.state, nest, node)
    if is_known_unsigned and not (is_converted or isinstance(node, c.Name)):
        return None
    if any(
        id(choice_) in reading.chosen and not _is_index(reading, choice_, nest) for choice_ in nodes(node, c.Ternary)
    ):
        return None
    asides = replace(reading.asides.beside(), is_value=True, is_signed=not is_known_unsigned)
    try:
        value = as_polynomial(reading.state, node, index(reading.state, nest, node, asides), asides)
    except NoIndex:
        return None
    affine_ = affine(value)
    if affine_ is None:
        return None
    reading.asides.take(asides)
    type_ = type_of_index(reading.state, nest, node)
    if affine_.is_constant:
        return LiteralValue(Fraction(affine_.constant), type_ if fits(Fraction(affine_.constant), type_) else LONG)
    return IndexLeaf(affine_, type_)


def _is_index(reading: StatementReads, node: c.Ternary, nest: Context) -> bool:
    """Returns True if both values of a choice are indices: otherwise C computes with them as data."""
    for branch in (node.then, node.otherwise):
        try:
            index(reading.state, nest, branch, reading.asides.beside())
        except NoIndex:
            return False
        except ConditionalValue:
            continue
    return True


def _literal(state: ReaderState, node: c.Literal | c.String) -> Tree:
    text = node.text.lower()
    if isinstance(node, c.Literal) and is_integer(node):
        value = integer(node)
        if value is None:
            raise outside(state.span(node), f"the constant {node.text} has an unsigned type, or more than 64 bits")
        return LiteralValue(Fraction(value), integer_type(node))
    if _FLOATING.fullmatch(text) is not None:
        number = real_number(text)
        if not isfinite(number):
            raise outside(state.span(node), f"the constant {node.text} exceeds the range of its type")
        return LiteralValue(Fraction(number), real_type(text))
    message = f"the constant {node.text} is not supported: expected an integer or a floating-point number"
    raise outside(state.span(node), message)


def _binary(reading: StatementReads, node: c.Binary, nest: Context) -> Tree:
    left, right = (tree(reading, operand, nest) for operand in (node.left, node.right))
    type_ = common_type(type_of(left), type_of(right))
    are_truths = type_of(left) == type_of(right) == BOOL and node.operator in _COMPARISONS
    if node.operator not in _LOGIC and not are_truths:
        is_integer_operation = type_.kind == "int"
        left, right = (
            converted(operand, type_) or operand if is_integer_operation or type_of(operand) == BOOL else operand
            for operand in (left, right)
        )
    if node.operator in _ARITHMETIC:
        _check_range(reading.state, node, (left, right), type_)
        if type_ == DOUBLE and (whole := _exact_index(node.operator, left, right)) is not None:
            return whole
        return operation(_ARITHMETIC[node.operator], (left, right), type_)
    if reading.nest.lane is not None and node.operator not in _ARITHMETIC:
        message = "comparisons of vectors are not supported: their result is -1 in lanes where they hold"
        raise outside(reading.state.span(node), message)
    if node.operator in _COMPARISONS:
        symbol, is_turned = _COMPARISONS[node.operator]
        return operation(symbol, (right, left) if is_turned else (left, right), type_)
    if node.operator in _LOGIC:
        return operation(_LOGIC[node.operator], (truth(left), truth(right)), BOOL)
    raise outside(reading.state.span(node), f"the operator `{node.operator}` is not supported on data")


def _exact_index(operator: str, left: Tree, right: Tree) -> IndexLeaf | None:
    """Returns the sum or difference of an index of at most 32 bits and a whole number, computed in `double`, which is
    exact; None for other values."""
    sides = [_small_index(side) for side in (left, right)]
    if operator not in ("+", "-") or sides[0] is None or sides[1] is None:
        return None
    whole = sides[0] + sides[1] if operator == "+" else sides[0] - sides[1]
    return None if whole.is_constant else IndexLeaf(whole, DOUBLE)


def _small_index(side: Tree) -> Affine | None:
    match side:
        case IndexLeaf(index_, type_) if type_.kind == "int" and type_.bits <= 32:
            return index_
        case LiteralValue(Fraction(denominator=1) as value) if abs(value) < 1 << 31:
            return Affine.of(constant=int(value))
    return None


def _check_range(state: ReaderState, node: c.Unary | c.Binary, operands: tuple[Tree, Tree], type_: ScalarType) -> None:
    """Raises Rejected for an operation on two constants whose result exceeds a signed type, also if it is not used."""
    match operands:
        case LiteralValue(Fraction() as left), LiteralValue(Fraction() as right) if type_.kind == "int":
            results = {"+": left + right, "-": left - right, "*": left * right}
            result = results.get(node.operator)
            if result is not None and type_.signed and not fits(result, type_):
                message = f"this is undefined: {result} does not fit into type {type_}"
                raise outside(state.span(node), message, "compute it in a wider type")


def _ternary(reading: StatementReads, node: c.Ternary, nest: Context) -> Tree:
    if id(node) in reading.chosen:
        return _one_of_two(reading, node, nest)
    if (index_leaf := _index(reading, node, nest)) is not None:
        return index_leaf
    if _is_affine(reading, node.condition, nest):
        if nest.depth != reading.nest.depth:
            message = "`?:` with a condition on iterators is not supported inside a called function: use `if`"
            raise outside(reading.state.span(node), message)
        raise ConditionalValue(node, node.condition)
    test, then, otherwise = (tree(reading, part, nest) for part in (node.condition, node.then, node.otherwise))
    return conditional_tree(truth(test), then, otherwise, common_type(type_of(then), type_of(otherwise)))


def _one_of_two(reading: StatementReads, node: c.Ternary, nest: Context) -> Tree:
    """Returns the chosen value, in the common type that C gives both."""
    one, other = (node.then, node.otherwise) if reading.chosen[id(node)] else (node.otherwise, node.then)
    value = tree(reading, one, nest)
    type_ = common_type(type_of(value), _type_of_another(reading, other, nest))
    converted_value = converted(value, type_)
    if converted_value is None:
        message = f"the branches of `?:` have types {type_of(value)} and {type_}: convert one explicitly"
        raise outside(reading.state.span(node), message)
    return converted_value


def _type_of_another(reading: StatementReads, node: c.Expression, nest: Context) -> ScalarType:
    """Returns the type of a value that is not computed. Choices inside the value do not change its type."""
    chosen_, results = dict(reading.chosen), dict(reading.state.results)
    aside = StatementReads(
        reading.state, reading.nest, Existentials(chosen=chosen_, depth=reading.asides.depth), chosen_
    )
    try:
        return type_of(tree(aside, node, nest))
    except ConditionalValue as choice:
        assumed_reading = replace(reading, chosen={**chosen_, id(choice.node): True})
        return _type_of_another(assumed_reading, node, nest)
    finally:
        reading.state.results.update(results)


def _is_affine(reading: StatementReads, node: c.Expression, nest: Context) -> bool:
    try:
        condition(reading.state, nest, node, Existentials())
    except NoIndex:
        return False
    return True


def _cast(reading: StatementReads, node: c.Cast, nest: Context) -> Tree:
    type_ = scalar_type(node.type)
    is_wide = type_ is not None and (type_.is_float or (type_.signed and type_.bits >= 32))
    number = _index(reading, node.operand, nest, is_converted=True) if is_wide else None
    inside = number or tree(reading, node.operand, nest)
    if type_ is not None and _is_held(inside, type_) and (converted_value := converted(inside, type_)) is not None:
        return converted_value
    raise outside(reading.state.span(node), "this conversion may change the value")


def _is_held(value: Tree, type_: ScalarType) -> bool:
    """Returns False for the conversion of a constant of floating point to an integer type that cannot hold it, which is
    undefined."""
    match value:
        case LiteralValue(Fraction() as number, source) if source.is_float and type_.kind == "int":
            return fits(Fraction(int(number)), type_)
    return True


def _call(reading: StatementReads, node: c.Call, nest: Context) -> Tree:
    state = reading.state
    if (result := state.results.pop(id(node), None)) is not None:
        return reading.read(result, state.span(node), nest.lane)
    if not isinstance(node.function, str):
        raise outside(state.span(node), "calls by function pointers are not supported: call the function by its name")
    name, arguments = node.function, node.arguments
    definition = state.functions.defined.get(name)
    if definition is not None:
        return _inline_call(reading, node, definition, nest)
    if name in _FUSED and len(arguments) == 3 and state.functions.signature(name, 3) is None:
        return _fused(reading, node, name, nest)
    if is_extreme_of_cuda(state, node):
        return _extreme_of_cuda(reading, node, name, nest)
    signature = state.functions.signature(name, len(arguments))
    if signature is None or signature[-1] is None:
        remedy = "declare its prototype, with scalar types; it must have no side effects"
        if is_vector_name(name):
            remedy = "include its header, or use supported intrinsics"
        if name in NUMBERS:
            raise outside(state.span(node), f"`{name}` {USED_OTHERWISE}", "use `omp for`, or variables of the region")
        raise outside(state.span(node), f"the function `{name}` is not defined or declared in this file", remedy)
    trees = tuple(
        _argument_tree(reading, argument_, parameter_type, nest)
        for argument_, parameter_type in zip(arguments, signature, strict=False)
    )
    if name in ("abs", "labs") and trees and isinstance(trees[0], LiteralValue):
        _check_range(
            state, c.Unary("-", arguments[0], at=node.at), (LiteralValue(Fraction(0), INT), trees[0]), trees[0].type
        )
    if name in _EXTREMES:
        operator, type_ = _EXTREMES[name]
        return operation(operator, trees, type_)
    state.assume(f"`{name}` depends on its arguments only and has no effects")
    return operation(f"call {name}", trees, signature[-1])


def _extreme_of_cuda(reading: StatementReads, node: c.Call, name: str, nest: Context) -> Tree:
    """Returns `min` or `max` of two numbers of a type in a kernel."""
    trees = tuple(tree(reading, argument, nest) for argument in node.arguments)
    types = {type_of(tree_) for tree_ in trees}
    if len(types) > 1 or not types <= {DOUBLE, FLOAT, INT, LONG}:
        message = f"`{name}` of numbers of different types is not supported"
        raise outside(reading.state.span(node), message, "convert them to the same type")
    return operation(name, trees, types.pop())


def _fused(reading: StatementReads, node: c.Call, name: str, nest: Context) -> Tree:
    """Returns a product and a sum of which the machine rounds only the sum."""
    note_loose(reading.state, name, FUSED, reading.state.span(node))
    one, other, added = (_argument_tree(reading, argument, _FUSED[name], nest) for argument in node.arguments)
    return operation("+", (operation("*", (one, other), _FUSED[name]), added), _FUSED[name])


def _argument_tree(
    reading: StatementReads, node: c.Expression, parameter_type: ScalarType | None, nest: Context
) -> Tree:
    value = tree(reading, node, nest)
    converted_value = None if parameter_type is None else converted(value, parameter_type)
    if converted_value is None:
        message = f"an argument of type {type_of(value)} is converted to another type, which may change its value"
        raise outside(reading.state.span(node), message)
    return converted_value


def _inline_call(reading: StatementReads, node: c.Call, definition: c.Function, nest: Context) -> Tree:
    """Returns the value of a function of the file that is one expression, or a chain of early returns."""
    state = reading.state
    parameters, arguments = definition.parameters, node.arguments
    if len(parameters) != len(arguments) or nest.depth > 8:
        message = "this call cannot be inlined: recursion, or another number of arguments than parameters"
        raise outside(state.span(node), message)
    names: dict[str, InlinedValue] = {}
    for parameter, argument in zip(parameters, arguments, strict=True):
        type_ = scalar_type(parameter.type)
        value = tree(reading, argument, nest)
        passed = converted(value, type_) if type_ is not None else None
        if type_ is None or passed is None:
            message = "the argument is converted to the type of the parameter, which may change its value"
            raise outside(state.span(argument), message)
        names[parameter.name] = InlinedValue(passed, type_)
    inside = Context(nest.iterators, nest.conditions, nest.date, {**state.around, **names}, depth=nest.depth + 1)
    result = scalar_type(definition.type)
    returned_tree = _returned(reading, body_of(definition), inside, state.span(node), result)
    for meaning in names.values():
        _check_quotients(state, meaning.tree, returned_tree, state.span(node))
    back = converted(returned_tree, result) if result is not None else None
    if back is None:
        message = "the result is converted to the function's return type, which may change its value"
        raise outside(state.span(node), message)
    return back


def _check_quotients(state: ReaderState, computed: Tree, whole: Tree, span: Span) -> None:
    """Raises Rejected if a computed value divides an integer, and is no part of the whole value."""
    if may_divide_by_zero(computed) and not is_certain_part(computed, whole):
        message = "an integer is divided by what may be 0, and the called function may not use the quotient"
        raise outside(span, message, "remove the division, or divide by a constant")


def _behind(
    reading: StatementReads, items: Sequence[c.Statement], nest: Context, local: tuple[str, InlinedValue], span: Span,
    result: ScalarType | None,
) -> Tree:  # fmt: skip
    """Returns the value that the statements behind the assignment of a local variable return."""
    whole = _returned(reading, items, nest.with_names(dict([local])), span, result)
    _check_quotients(reading.state, local[1].tree, whole, span)
    return whole


def _own_type(nest: Context, name: str) -> ScalarType | None:
    """Returns the type of a variable of an inlined function."""
    meaning = nest.names.get(name)
    return meaning.type if isinstance(meaning, InlinedValue | Undefined) else None


def _returned(
    reading: StatementReads, items: Sequence[c.Statement], nest: Context, span: Span, result: ScalarType | None
) -> Tree:
    """Returns the value that the statements of a function return; values of two types have the one of the function."""
    match items:
        case [c.Return(value)] if value is not None:
            return tree(reading, value, nest)
        case [c.If(test, holds, fails), *behind]:
            then = _returned(reading, holds, nest, span, result)
            otherwise = _returned(reading, fails or behind, nest, span, result)
            if type_of(then) != type_of(otherwise) and result is not None:
                then, otherwise = converted(then, result) or then, converted(otherwise, result) or otherwise
            test_value = truth(tree(reading, test, nest))
            return conditional_tree(test_value, then, otherwise, common_type(type_of(then), type_of(otherwise)))
        case [c.Declare(value=None, storage="") as local, *rest] if (type_ := scalar_type(local.type)) is not None:
            return _returned(reading, rest, nest.with_names({local.name: Undefined(type_)}), span, result)
        case [c.Assign(c.Name(name), first, "="), *rest] if (type_ := _own_type(nest, name)) is not None:
            known = converted(tree(reading, first, nest), type_)
            if known is not None:
                return _behind(reading, rest, nest, (name, InlinedValue(known, type_)), span, result)
        case [c.Declare(value=first) as local, *rest] if first is not None and not begins_with_itself(local):
            type_ = scalar_type(local.type)
            known = converted(tree(reading, first, nest), type_) if type_ is not None else None
            if type_ is not None and known is not None:
                return _behind(reading, rest, nest, (local.name, InlinedValue(known, type_)), span, result)
    message = "cannot inline this function into an expression: its body must be a single `return`, or early returns"
    raise outside(span, message)
