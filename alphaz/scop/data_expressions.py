"""Expressions on data: the reads, and the tree of the computed value."""

from dataclasses import replace
from fractions import Fraction
from math import isfinite
from typing import Any

from pycparser import c_ast

from alphaz.diagnostics import Span
from alphaz.model.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    ScalarType,
    common_type,
)
from alphaz.scop.cells import view
from alphaz.scop.conversions import (
    conditional_tree,
    converted,
    fits,
    nearest_single,
    negated,
    operation,
    truth,
    type_of,
)
from alphaz.scop.index_expressions import as_polynomial, condition, index
from alphaz.scop.index_values import affine
from alphaz.scop.integer_widths import type_of_index, type_of_limit
from alphaz.scop.intrinsics import FUSED, is_vector_name
from alphaz.scop.pycparser_queries import (
    LIMITS,
    begins_with_itself,
    changes,
    integer,
    integer_type,
    is_integer,
    nodes,
    parameters_of,
    scalar_type,
)
from alphaz.scop.reader_state import ConditionalValue, Existentials, NoIndex, ReaderState, is_unsigned
from alphaz.scop.scope import Context, InlinedValue
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.unsupported import outside, unknown_expression
from alphaz.scop.value_tree import IndexLeaf, LiteralValue, Tree
from alphaz.scop.vector_calls import lane_value, note_loose

_ARITHMETIC = {"+": "+", "-": "-", "*": "*", "/": "/", "%": "%"}
_COMPARISONS = {"<": ("<", False), "<=": ("<=", False), ">": ("<", True), ">=": ("<=", True), "==": ("==", False)}
_COMPARISONS["!="] = ("!=", False)
_LOGIC = {"&&": "and", "||": "or"}
_NAMED = {"INFINITY": DOUBLE, "HUGE_VAL": DOUBLE, "NAN": DOUBLE}
_EXTREMES = {"fmin": ("min", DOUBLE), "fmax": ("max", DOUBLE), "fminf": ("min", FLOAT), "fmaxf": ("max", FLOAT)}
_FUSED = {"fma": DOUBLE, "fmaf": FLOAT}

INSIDE = (
    "an assignment inside an expression is not supported",
    "make it a statement of its own; for `*p++`, use `p[i]`",
)


def tree(reading: StatementReads, node: Any, nest: Context | None = None) -> Tree:
    """Returns the value of an expression. Raises Rejected for unsupported C, ConditionalValue for an affine choice."""
    nest = nest or reading.nest
    words = reading.words
    match node:
        case c_ast.FuncCall() if words.functions.intrinsics(node):
            return lane_value(reading, node, nest, tree)
        case c_ast.Constant():
            return _literal(words, node)
        case c_ast.ID() if isinstance(meaning := nest.names.get(node.name), InlinedValue):
            return meaning.tree
        case c_ast.ID() if node.name not in nest.names and (library_value := _of_library(node.name)) is not None:
            return library_value
        case c_ast.TernaryOp():
            return _ternary(reading, node, nest)
        case c_ast.CompoundLiteral() | c_ast.InitList():
            return _zeros(reading, node)
        case c_ast.BinaryOp(op="+", left=c_ast.CompoundLiteral()):
            # A scalar becomes a vector of that scalar (and 0.0 if it is -0.0).
            zero = _zeros(reading, node.left)
            value = converted(tree(reading, node.right, nest), zero.type)
            if value is not None:
                return value
    pointer = view(words, nest, node, reading.asides)
    if pointer is not None:
        return reading.read(pointer, words.span(node), nest.lane)
    if (index_leaf := _index(reading, node, nest)) is not None:
        return index_leaf
    return _computed(reading, node, nest)


def _of_library(name: str) -> LiteralValue | None:
    """Returns a number that has a name in the language or its library."""
    if name in _NAMED:
        return LiteralValue(name, _NAMED[name])
    if name in LIMITS:
        return LiteralValue(Fraction(LIMITS[name]), type_of_limit(name))
    return LiteralValue(Fraction(name == "true"), INT) if name in ("true", "false") else None


def _computed(reading: StatementReads, node: Any, nest: Context) -> Tree:
    words = reading.words
    match node:
        case c_ast.UnaryOp(op="-"):
            return negated(tree(reading, node.expr, nest))
        case c_ast.UnaryOp(op="+"):
            return tree(reading, node.expr, nest)
        case c_ast.UnaryOp(op="!") if nest.lane is None:
            return operation("not", (truth(tree(reading, node.expr, nest)),), BOOL)
        case c_ast.BinaryOp():
            return _binary(reading, node, nest)
        case c_ast.Cast():
            return _cast(reading, node, nest)
        case c_ast.FuncCall():
            return _call(reading, node, nest)
        case c_ast.ID():
            raise outside(words.span(node), f"`{node.name}` has no known value here: assign it before this use")
    if changes(node):
        raise outside(words.span(node), *INSIDE)
    raise outside(words.span(node), unknown_expression(node))


def _zeros(reading: StatementReads, node: Any) -> LiteralValue:
    """Returns the value of `(double4){0}`: all lanes are 0."""
    inside = node.init if isinstance(node, c_ast.CompoundLiteral) else node
    is_zero = [isinstance(expr, c_ast.Constant) and expr.value in ("0", "0.0") for expr in inside.exprs] == [True]
    vector = reading.words.functions.vector(node.type.type) if isinstance(node, c_ast.CompoundLiteral) else None
    if reading.nest.lane is None or not is_zero or vector is None:
        raise outside(reading.words.span(node), "this initial value is not supported: expected one expression")
    return LiteralValue(Fraction(0), vector.type)


def _index(reading: StatementReads, node: Any, nest: Context, *, is_converted: bool = False) -> Tree | None:
    """Returns the value of an index expression; None for other expressions.

    As data, unsigned operations are computed differently: they are indices only if they have a name, or are converted
    at once (`is_converted`).
    """
    is_known_unsigned = is_unsigned(reading.words, nest, node)
    if is_known_unsigned and not (is_converted or isinstance(node, c_ast.ID)):
        return None
    if any(
        id(choice_) in reading.chosen and not _is_index(reading, choice_, nest)
        for choice_ in nodes(node, c_ast.TernaryOp)
    ):
        return None
    asides = replace(reading.asides.beside(), is_value=True, is_signed=not is_known_unsigned)
    try:
        value = as_polynomial(reading.words, node, index(reading.words, nest, node, asides), asides)
    except NoIndex:
        return None
    affine_ = affine(value)
    if affine_ is None:
        return None
    reading.asides.iterators += asides.iterators
    reading.asides.conditions += asides.conditions
    type_ = type_of_index(reading.words, nest, node)
    if affine_.is_constant:
        return LiteralValue(Fraction(affine_.constant), type_ if fits(Fraction(affine_.constant), type_) else LONG)
    return IndexLeaf(affine_, type_)


def _is_index(reading: StatementReads, node: Any, nest: Context) -> bool:
    """Returns True if both values of a choice are indices: otherwise C computes with them as data."""
    for branch in (node.iftrue, node.iffalse):
        try:
            index(reading.words, nest, branch, reading.asides.beside())
        except NoIndex:
            return False
        except ConditionalValue:
            continue
    return True


def _literal(words: ReaderState, node: Any) -> Tree:
    text = node.value.lower()
    if is_integer(node):
        value = integer(node)
        if value is None:
            raise outside(words.span(node), f"the constant {node.value} does not fit into a signed 64-bit integer")
        return LiteralValue(Fraction(value), integer_type(node))
    if node.type in ("double", "float") and not text.startswith("0x"):
        is_single = text.endswith("f")
        number = nearest_single(text[:-1]) if is_single else float(text.rstrip("l"))
        if not isfinite(number):
            raise outside(words.span(node), f"the constant {node.value} exceeds the range of its type")
        return LiteralValue(Fraction(number), FLOAT if is_single else DOUBLE)
    raise outside(
        words.span(node), f"the constant {node.value} is not supported: expected an integer or a floating-point number"
    )


def _binary(reading: StatementReads, node: Any, nest: Context) -> Tree:
    left, right = (tree(reading, operand, nest) for operand in (node.left, node.right))
    type_ = common_type(type_of(left), type_of(right))
    if node.op not in _LOGIC and type_.kind == "int":
        left, right = (converted(operand, type_) or operand for operand in (left, right))
    if node.op in _ARITHMETIC:
        return operation(_ARITHMETIC[node.op], (left, right), type_)
    if reading.nest.lane is not None and node.op not in _ARITHMETIC:
        raise outside(
            reading.words.span(node),
            "comparisons of vectors are not supported: their result is -1 in lanes where they hold",
        )
    if node.op in _COMPARISONS:
        symbol, is_turned = _COMPARISONS[node.op]
        return operation(symbol, (right, left) if is_turned else (left, right), type_)
    if node.op in _LOGIC:
        return operation(_LOGIC[node.op], (truth(left), truth(right)), BOOL)
    raise outside(reading.words.span(node), f"the operator `{node.op}` is not supported on data")


def _ternary(reading: StatementReads, node: Any, nest: Context) -> Tree:
    if id(node) in reading.chosen:
        return _one_of_two(reading, node, nest)
    if (index_leaf := _index(reading, node, nest)) is not None:
        return index_leaf
    if _is_affine(reading, node.cond, nest):
        if nest.depth != reading.nest.depth:
            raise outside(
                reading.words.span(node),
                "`?:` with a condition on iterators is not supported inside a called function: use `if`",
            )
        raise ConditionalValue(node, node.cond)
    test, then, otherwise = (tree(reading, part, nest) for part in (node.cond, node.iftrue, node.iffalse))
    return conditional_tree(truth(test), then, otherwise, common_type(type_of(then), type_of(otherwise)))


def _one_of_two(reading: StatementReads, node: Any, nest: Context) -> Tree:
    """Returns the chosen value, in the common type that C gives both."""
    one, other = (node.iftrue, node.iffalse) if reading.chosen[id(node)] else (node.iffalse, node.iftrue)
    value = tree(reading, one, nest)
    type_ = common_type(type_of(value), _type_of_another(reading, other, nest))
    converted_value = converted(value, type_)
    if converted_value is None:
        raise outside(
            reading.words.span(node),
            f"the branches of `?:` have types {type_of(value)} and {type_}: convert one explicitly",
        )
    return converted_value


def _type_of_another(reading: StatementReads, node: Any, nest: Context) -> ScalarType:
    """Returns the type of a value that is not computed. Choices inside the value do not change its type."""
    chosen_, results = dict(reading.chosen), dict(reading.words.results)
    aside = StatementReads(
        reading.words, reading.nest, Existentials(chosen=chosen_, depth=reading.asides.depth), chosen_
    )
    try:
        return type_of(tree(aside, node, nest))
    except ConditionalValue as choice:
        assumed_reading = replace(reading, chosen={**chosen_, id(choice.node): True})
        return _type_of_another(assumed_reading, node, nest)
    finally:
        reading.words.results.update(results)


def _is_affine(reading: StatementReads, node: Any, nest: Context) -> bool:
    try:
        condition(reading.words, nest, node, Existentials())
    except NoIndex:
        return False
    return True


def _cast(reading: StatementReads, node: Any, nest: Context) -> Tree:
    type_ = scalar_type(node.to_type.type)
    is_wide = type_ is not None and (type_.is_float or (type_.signed and type_.bits >= 32))
    number = _index(reading, node.expr, nest, is_converted=True) if is_wide else None
    inside = number or tree(reading, node.expr, nest)
    if type_ is not None and (converted_value := converted(inside, type_)) is not None:
        return converted_value
    raise outside(reading.words.span(node), "this conversion may change the value")


def _call(reading: StatementReads, node: Any, nest: Context) -> Tree:
    words = reading.words
    if (result := words.results.pop(id(node), None)) is not None:
        return reading.read(result, words.span(node), nest.lane)
    if not isinstance(node.name, c_ast.ID):
        raise outside(words.span(node), "calls by function pointers are not supported: call the function by its name")
    name = node.name.name
    arguments = node.args.exprs if node.args is not None else []
    definition = words.functions.defined.get(name)
    if definition is not None:
        return _inline_call(reading, node, definition, arguments, nest)
    if name in _FUSED and len(arguments) == 3 and words.functions.signature(name, 3) is None:
        return _fused(reading, node, arguments, nest)
    signature = words.functions.signature(name, len(arguments))
    if signature is None or signature[-1] is None:
        remedy = "declare its prototype, with scalar types; it must have no side effects"
        if is_vector_name(name):
            remedy = "include its header, or use supported intrinsics"
        raise outside(words.span(node), f"the function `{name}` is not defined or declared in this file", remedy)
    trees = tuple(
        _argument_tree(reading, argument_, parameter_type, nest)
        for argument_, parameter_type in zip(arguments, signature, strict=False)
    )
    if name in _EXTREMES:
        operator, type_ = _EXTREMES[name]
        return operation(operator, trees, type_)
    note = f"`{name}` depends on its arguments only and has no effects"
    if note not in words.assumed:
        words.assumed.append(note)
    return operation(f"call {name}", trees, signature[-1])


def _fused(reading: StatementReads, node: Any, arguments: list[Any], nest: Context) -> Tree:
    """Returns a product and a sum of which the machine rounds only the sum."""
    name = node.name.name
    note_loose(reading.words, name, FUSED, reading.words.span(node))
    one, other, added = (_argument_tree(reading, argument, _FUSED[name], nest) for argument in arguments)
    return operation("+", (operation("*", (one, other), _FUSED[name]), added), _FUSED[name])


def _argument_tree(reading: StatementReads, node: Any, parameter_type: ScalarType | None, nest: Context) -> Tree:
    value = tree(reading, node, nest)
    converted_value = None if parameter_type is None else converted(value, parameter_type)
    if converted_value is None:
        message = f"an argument of type {type_of(value)} is converted to another type, which may change its value"
        raise outside(reading.words.span(node), message)
    return converted_value


def _inline_call(reading: StatementReads, node: Any, definition: Any, arguments: list[Any], nest: Context) -> Tree:
    """Returns the value of a function of the file that is one expression, or a chain of early returns."""
    words = reading.words
    parameters = parameters_of(definition)
    if len(parameters) != len(arguments) or nest.depth > 8:
        raise outside(
            words.span(node), "this call cannot be inlined: recursion, or another number of arguments than parameters"
        )
    names: dict[str, Any] = {}
    for parameter, argument in zip(parameters, arguments, strict=True):
        type_ = scalar_type(parameter.type)
        value = tree(reading, argument, nest)
        passed = converted(value, type_) if type_ is not None else None
        if type_ is None or passed is None:
            raise outside(
                words.span(argument),
                "the argument is converted to the type of the parameter, which may change its value",
            )
        names[parameter.name] = InlinedValue(passed, type_)
    inside = Context(nest.iterators, nest.conditions, nest.date, {**words.around, **names}, depth=nest.depth + 1)
    result = scalar_type(definition.decl.type.type)
    returned_tree = _returned(reading, definition.body.block_items or [], inside, words.span(node))
    back = converted(returned_tree, result) if result is not None else None
    if back is None:
        raise outside(
            words.span(node), "the result is converted to the function's return type, which may change its value"
        )
    return back


def _returned(reading: StatementReads, items: list[Any], nest: Context, span: Span) -> Tree:
    match items:
        case [c_ast.Return() as last] if last.expr is not None:
            return tree(reading, last.expr, nest)
        case [c_ast.If() as test, *_]:
            then = _returned(reading, _items(test.iftrue), nest, span)
            rest = _items(test.iffalse) if test.iffalse is not None else items[1:]
            otherwise = _returned(reading, rest, nest, span)
            test_value = truth(tree(reading, test.cond, nest))
            return conditional_tree(test_value, then, otherwise, common_type(type_of(then), type_of(otherwise)))
        case [c_ast.Decl() as local, *rest] if local.init is not None and not begins_with_itself(local):
            type_ = scalar_type(local.type)
            value = converted(tree(reading, local.init, nest), type_) if type_ is not None else None
            if type_ is not None and value is not None:
                return _returned(reading, rest, nest.knowing({local.name: InlinedValue(value, type_)}), span)
    raise outside(
        span, "cannot inline this function into an expression: its body must be a single `return`, or early returns"
    )


def _items(node: Any) -> list[Any]:
    return (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
