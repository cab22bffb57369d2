"""Expressions on data: what is read, and the tree of what is computed from it."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np
from pycparser import c_ast

from alphaz.c_reading.cells import access, element, view
from alphaz.c_reading.functions import begins_with_itself, changes, integer, nodes, parameters_of, scalar_type
from alphaz.c_reading.indices import Asides, Choice, NoIndex, Words, as_polynomial, condition, index, is_unsigned
from alphaz.c_reading.kernel import Access
from alphaz.c_reading.number import affine, constant
from alphaz.c_reading.outside import outside
from alphaz.c_reading.scope import Given, Nest, View
from alphaz.c_reading.tree import Index, Literal, Operation, Read, Tree, chosen
from alphaz.diagnostics import Span
from alphaz.model.types import BOOL, DOUBLE, FLOAT, INT, LONG, SCALAR_TYPES, ScalarType, common_type, promoted

_ARITHMETIC = {"+": "+", "-": "-", "*": "*", "/": "/", "%": "%"}
_COMPARISONS = {"<": ("<", False), "<=": ("<=", False), ">": ("<", True), ">=": ("<=", True), "==": ("==", False)}
_COMPARISONS["!="] = ("!=", False)
_LOGIC = {"&&": "and", "||": "or"}
_NAMED = {"INFINITY": DOUBLE, "HUGE_VAL": DOUBLE, "NAN": DOUBLE}
_EXTREMES = {"fmin": ("min", DOUBLE), "fmax": ("max", DOUBLE), "fminf": ("min", FLOAT), "fmaxf": ("max", FLOAT)}


@dataclass(slots=True)
class Reading:
    """The reads of one statement, collected while its tree is made. `chosen`: which conditions are known to hold."""

    words: Words
    nest: Nest
    asides: Asides
    chosen: dict[int, bool] = field(default_factory=dict)
    pointers: list[tuple[View, Span]] = field(default_factory=list)

    def read(self, pointer: View, span: Span) -> Read:
        """A leaf; the same cell has one number. Of a vector it is that of the lane."""
        lane = self.nest.lane
        if lane is not None and pointer.extents == (constant(lane[1]),):
            pointer = element(pointer, lane[0])
        known = [each for each, _ in self.pointers]
        if pointer.extents:
            raise outside(span, "an array is used where a number is needed")
        if pointer not in known:
            self.pointers.append((pointer, span))
            known.append(pointer)
        return Read(known.index(pointer), pointer.array.type)

    def accesses(self, domain: Any, asides: Asides) -> tuple[Access, ...]:
        return tuple(access(self.words, span, pointer, domain, asides) for pointer, span in self.pointers)


def tree(reading: Reading, node: Any, nest: Nest | None = None) -> Tree:
    """The value of an expression. Raises Rejected for what is not understood, Choice for an affine choice."""
    nest = nest or reading.nest
    words = reading.words
    match node:
        case c_ast.Constant():
            return _literal(words, node)
        case c_ast.ID() if isinstance(meaning := nest.names.get(node.name), Given):
            return meaning.tree
        case c_ast.ID() if node.name in _NAMED and node.name not in nest.names:
            return Literal(node.name, _NAMED[node.name])
        case c_ast.ID() if node.name in ("true", "false"):
            return Literal(Fraction(node.name == "true"), INT)
        case c_ast.TernaryOp():
            return _ternary(reading, node, nest)
        case c_ast.CompoundLiteral() | c_ast.InitList():
            return _zeros(reading, node)
        case c_ast.BinaryOp(op="+", left=c_ast.CompoundLiteral()):
            # A number becomes a vector of that number (and 0.0 where it is -0.0).
            zero = _zeros(reading, node.left)
            value = converted(tree(reading, node.right, nest), zero.type)
            if value is not None:
                return value
    pointer = view(words, nest, node, reading.asides)
    if pointer is not None:
        return reading.read(pointer, words.span(node))
    if (found := _index(reading, node, nest)) is not None:
        return found
    return _computed(reading, node, nest)


def _computed(reading: Reading, node: Any, nest: Nest) -> Tree:
    words = reading.words
    match node:
        case c_ast.UnaryOp(op="-"):
            return negated(tree(reading, node.expr, nest))
        case c_ast.UnaryOp(op="+"):
            return tree(reading, node.expr, nest)
        case c_ast.UnaryOp(op="!"):
            return Operation("not", (tree(reading, node.expr, nest),), BOOL)
        case c_ast.BinaryOp():
            return _binary(reading, node, nest)
        case c_ast.Cast():
            return _cast(reading, node, nest)
        case c_ast.FuncCall():
            return _call(reading, node, nest)
        case c_ast.ID():
            raise outside(words.span(node), f"`{node.name}` has no value that is known here")
    if changes(node):
        said, remedy = "an assignment inside of an expression is not understood", "take it out: of `*p++`, write `p[i]`"
        raise outside(words.span(node), said, remedy)
    raise outside(words.span(node), f"this expression ({type(node).__name__}) is not understood")


def _zeros(reading: Reading, node: Any) -> Literal:
    """`(double4){0}`: all lanes are 0."""
    inside = node.init if isinstance(node, c_ast.CompoundLiteral) else node
    is_zero = [isinstance(each, c_ast.Constant) and each.value in ("0", "0.0") for each in inside.exprs] == [True]
    vector = reading.words.functions.vector(node.type.type) if isinstance(node, c_ast.CompoundLiteral) else None
    if reading.nest.lane is None or not is_zero or vector is None:
        raise outside(reading.words.span(node), "this initial value is not understood")
    return Literal(Fraction(0), vector[0])


def _index(reading: Reading, node: Any, nest: Nest, *, is_converted: bool = False) -> Tree | None:
    """The value of an index expression, where it is one. Data computes otherwise with unsigned numbers, so these must
    be converted at once (`is_converted`)."""
    if not is_converted and is_unsigned(reading.words, nest, node):
        return None
    asides = Asides(chosen=reading.asides.chosen, depth=reading.asides.depth)
    try:
        value = as_polynomial(reading.words, node, index(reading.words, nest, node, asides), asides)
    except NoIndex:
        return None
    found = affine(value)
    if found is None:
        return None
    reading.asides.iterators += asides.iterators
    reading.asides.conditions += asides.conditions
    if found.is_constant:
        return Literal(Fraction(found.constant), INT if -(2**31) <= found.constant < 2**31 else LONG)
    return Index(found, LONG)


def _literal(words: Words, node: Any) -> Tree:
    text = node.value.lower()
    if node.type in ("int", "long int", "long long int"):
        value = integer(node)
        if value is None:
            raise outside(words.span(node), f"the constant {node.value} is unsigned")
        return Literal(Fraction(value), INT if "l" not in text and value < 2**31 else LONG)
    if node.type in ("double", "float") and not text.startswith("0x"):
        is_single = text.endswith("f")
        number = float(np.float32(text[:-1])) if is_single else float(text.rstrip("l"))
        if not isfinite(number):
            raise outside(words.span(node), f"the constant {node.value} is too large")
        return Literal(Fraction(number), FLOAT if is_single else DOUBLE)
    raise outside(words.span(node), f"the constant {node.value} is not understood")


def single(value: float) -> Fraction:
    """Rounded to a float of 32 bits."""
    return Fraction(float(np.float32(value)))


def negated(value: Tree) -> Tree:
    if isinstance(value, Literal) and isinstance(value.value, Fraction) and value.value:
        return Literal(-value.value, value.type)
    return Operation("neg", (value,), promoted(value.type))


def _binary(reading: Reading, node: Any, nest: Nest) -> Tree:
    left, right = (tree(reading, each, nest) for each in (node.left, node.right))
    if node.op in _ARITHMETIC:
        return Operation(node.op, (left, right), common_type(left.type, right.type))
    if node.op in _COMPARISONS:
        symbol, is_turned = _COMPARISONS[node.op]
        return Operation(symbol, (right, left) if is_turned else (left, right), common_type(left.type, right.type))
    if node.op in _LOGIC:
        return Operation(_LOGIC[node.op], (left, right), BOOL)
    raise outside(reading.words.span(node), f"the operator `{node.op}` on data is not understood")


def _ternary(reading: Reading, node: Any, nest: Nest) -> Tree:
    if id(node) in reading.chosen:
        return tree(reading, node.iftrue if reading.chosen[id(node)] else node.iffalse, nest)
    if (found := _index(reading, node, nest)) is not None:
        return found
    if _is_affine(reading, node.cond, nest):
        if nest is not reading.nest:
            raise outside(reading.words.span(node), "a choice by an affine condition inside a function")
        raise Choice(node, node.cond)
    test, then, otherwise = (tree(reading, each, nest) for each in (node.cond, node.iftrue, node.iffalse))
    return chosen(test, then, otherwise, common_type(then.type, otherwise.type))


def _is_affine(reading: Reading, node: Any, nest: Nest) -> bool:
    try:
        condition(reading.words, nest, node, Asides())
    except NoIndex:
        return False
    return True


def _cast(reading: Reading, node: Any, nest: Nest) -> Tree:
    type_ = scalar_type(node.to_type.type)
    if type_ is not None and (wrapped := _wrapped(reading, type_, node.expr, nest)) is not None:
        return wrapped
    is_wide = type_ is not None and (type_.is_float or (type_.signed and type_.bits >= 32))
    number = _index(reading, node.expr, nest, is_converted=True) if is_wide else None
    inside = number or tree(reading, node.expr, nest)
    if type_ is not None and (found := converted(inside, type_)) is not None:
        return found
    raise outside(reading.words.span(node), "this conversion may change the value")


def _wrapped(reading: Reading, type_: ScalarType, node: Any, nest: Nest) -> Tree | None:
    """`a + b` for `(int)((unsigned)a + (unsigned)b)`: modulo 2^bits, as integers of programs are added."""
    if not type_.signed or not isinstance(node, c_ast.BinaryOp) or node.op not in ("+", "-", "*"):
        return None
    operands = [_unsigned(reading, type_, each, nest) for each in (node.left, node.right)]
    match operands:
        case [Literal(Fraction(numerator=0)), Operation() | Read() | Index() as value] if node.op == "-":
            return negated(value)
        case [left, right] if left is not None and right is not None:
            return Operation(node.op, (left, right), type_)
    return None


def _unsigned(reading: Reading, type_: ScalarType, node: Any, nest: Nest) -> Tree | None:
    """What is converted to the unsigned type of the same width, where the type has all its values; 0; else None."""
    match node:
        case c_ast.Constant(value="0"):
            return Literal(Fraction(0), type_)
        case c_ast.Cast() if scalar_type(node.to_type.type) == SCALAR_TYPES[f"unsigned {type_.name}"]:
            value = tree(reading, node.expr, nest)
            return value if _widens(value.type, type_) else None
    return None


def _widens(source: ScalarType, wanted: ScalarType) -> bool:
    """Whether a signed integer type has all values of another type."""
    return not source.is_float and (source == wanted or source.bits < wanted.bits)


def converted(value: Tree, wanted: ScalarType) -> Tree | None:
    """The value as C converts it to a type, where that changes nothing but the type; None where it might."""
    if value.type == wanted:
        return value
    match value:
        case Literal(Fraction() as number) if fits(number, wanted):
            return Literal(number, wanted)
        case Literal(str() as name) if wanted.is_float:
            return Literal(name, wanted)
        case Index(found) if wanted.name in ("double", "long", "longlong"):
            return Index(found, wanted)
    return None


def stored(value: Tree, wanted: ScalarType) -> Tree | None:
    """The value in a cell of this type, where it is the same number there; None where it might be another."""
    return converted(value, wanted) or (value if _is_wider(wanted, value.type) else None)


def _is_wider(wanted: ScalarType, source: ScalarType) -> bool:
    return wanted.kind == "int" and wanted.signed and _widens(source, wanted)


def fits(value: Fraction, wanted: ScalarType) -> bool:
    """Whether the type has this very number."""
    if wanted.is_float:
        return (single(float(value)) if wanted.bits == 32 else Fraction(float(value))) == value
    if wanted.kind == "bool":
        return value in (0, 1)
    low, high = (-(1 << (wanted.bits - 1)), 1 << (wanted.bits - 1)) if wanted.signed else (0, 1 << wanted.bits)
    return value.denominator == 1 and low <= value < high


def _call(reading: Reading, node: Any, nest: Nest) -> Tree:
    words = reading.words
    if (result := words.results.pop(id(node), None)) is not None:
        return reading.read(result, words.span(node))
    if not isinstance(node.name, c_ast.ID):
        raise outside(words.span(node), "a call by a pointer is not understood")
    name = node.name.name
    arguments = node.args.exprs if node.args is not None else []
    definition = words.functions.defined.get(name)
    if definition is not None:
        return _inlined(reading, node, definition, arguments, nest)
    signature = words.functions.signature(name, len(arguments))
    if signature is None or signature[-1] is None:
        raise outside(
            words.span(node), f"`{name}` is not known", "declare it, with the types of a function without effects"
        )
    trees = tuple(_passed(reading, each, wanted, nest) for each, wanted in zip(arguments, signature, strict=False))
    if name in _EXTREMES:
        operator, type_ = _EXTREMES[name]
        return Operation(operator, trees, type_)
    note = f"`{name}` depends on its arguments only and has no effects"
    if note not in words.assumed:
        words.assumed.append(note)
    return Operation(f"call {name}", trees, signature[-1])


def _passed(reading: Reading, node: Any, wanted: ScalarType | None, nest: Nest) -> Tree:
    value = tree(reading, node, nest)
    found = None if wanted is None else converted(value, wanted)
    if found is None:
        raise outside(reading.words.span(node), f"an argument of type {value.type} is converted, which may change it")
    return found


def _inlined(reading: Reading, node: Any, definition: Any, arguments: list[Any], nest: Nest) -> Tree:
    """The value of a function of the file that is one expression, or a chain of early returns."""
    words = reading.words
    parameters = parameters_of(definition)
    if len(parameters) != len(arguments) or nest.depth > 8:
        raise outside(words.span(node), "this call cannot be put in its place")
    names: dict[str, Any] = {}
    for parameter, argument in zip(parameters, arguments, strict=True):
        type_ = scalar_type(parameter.type)
        value = tree(reading, argument, nest)
        passed = converted(value, type_) if type_ is not None else None
        if type_ is not None and type_.signed and _widens(value.type, type_) and _only_cast(definition, parameter.name):
            passed = value
        if type_ is None or passed is None:
            raise outside(words.span(argument), "this argument changes its type")
        names[parameter.name] = Given(passed, type_)
    inside = Nest(nest.iterators, nest.conditions, nest.date, {**words.around, **names}, depth=nest.depth + 1)
    result = scalar_type(definition.decl.type.type)
    found = _returned(reading, definition.body.block_items or [], inside, words.span(node))
    back = converted(found, result) if result is not None else None
    if back is None:
        raise outside(words.span(node), "the value of this function changes its type")
    return back


def _only_cast(definition: Any, name: str) -> bool:
    """Whether the type of a parameter does not matter: each use converts it at once."""
    uses = [each for each in nodes(definition.body, c_ast.ID) if each.name == name]
    casts = [each for each in nodes(definition.body, c_ast.Cast) if each.expr in uses]
    return len(casts) == len(uses)


def _returned(reading: Reading, items: list[Any], nest: Nest, span: Span) -> Tree:
    match items:
        case [c_ast.Return() as last] if last.expr is not None:
            return tree(reading, last.expr, nest)
        case [c_ast.If() as test, *_]:
            then = _returned(reading, _items(test.iftrue), nest, span)
            rest = _items(test.iffalse) if test.iffalse is not None else items[1:]
            otherwise = _returned(reading, rest, nest, span)
            return chosen(tree(reading, test.cond, nest), then, otherwise, common_type(then.type, otherwise.type))
        case [c_ast.Decl() as local, *rest] if local.init is not None and not begins_with_itself(local):
            type_ = scalar_type(local.type)
            value = converted(tree(reading, local.init, nest), type_) if type_ is not None else None
            if type_ is not None and value is not None:
                return _returned(reading, rest, nest.knowing({local.name: Given(value, type_)}), span)
    raise outside(span, "this function is no single expression, so its value is not understood")


def _items(node: Any) -> list[Any]:
    return (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
