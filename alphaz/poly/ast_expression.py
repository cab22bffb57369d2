"""isl's AST expressions as integer expressions, so that no other package uses isl."""

from collections.abc import Iterator, Mapping

import islpy as isl

from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    comparison,
    simplified,
)

_SYMBOLS = {
    "and_": "and",
    "and_then": "and",
    "or_": "or",
    "or_else": "or",
    "max": "max",
    "min": "min",
    "minus": "neg",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "exact_div",
    "fdiv_q": "floor_div",
    "pdiv_q": "quotient",
    "pdiv_r": "remainder",
    "zdiv_r": "divides",
    "cond": "if",
    "select": "if",
    "eq": "==",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
_OPERATORS: dict[object, str] = {getattr(isl.ast_expr_op_type, name): symbol for name, symbol in _SYMBOLS.items()}


def from_isl(expression: isl.AstExpr, names: Mapping[str, str]) -> Integer:
    """Returns the expression with the names of the program; `names` maps the mangled names back to them."""
    kind: object = expression.get_type()  # the stubs say int
    if kind == isl.ast_expr_type.int:
        return IntegerConstant(int(expression.get_val().to_python()))
    if kind == isl.ast_expr_type.id:
        return IntegerName(names[str(expression.get_id().name)])
    operands = tuple(from_isl(o, names) for o in operands_of(expression))
    symbol = _OPERATORS[expression.op_get_type()]
    if symbol in ("==", "<", "<=", ">", ">="):
        return comparison(symbol, *operands)
    return simplified(IntegerOperation(symbol, operands))


def operands_of(expression: isl.AstExpr) -> Iterator[isl.AstExpr]:
    for position in range(expression.op_get_n_arg()):
        yield expression.op_get_arg(position)
