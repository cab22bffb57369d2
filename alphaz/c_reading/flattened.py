"""One loop over all elements, `for (i = 0; i < n * m; i++) a[i] = ..`, as loops over rows and columns.

for (long i__row = 0; i__row < n; i__row++)
    for (long i__column = 0; i__column < m; i__column++) a[i__row * m + i__column] = ..
"""

from typing import Any

from pycparser import c_ast
from pycparser.c_parser import CParser

from alphaz.c_reading.functions import nodes, scalar_type
from alphaz.c_reading.substitution import is_steady, names_in, replaced


def factors_of_end(loop: Any) -> tuple[str, Any, Any] | None:
    """The iterator of a loop that counts from 0 to a product by ones, and the factors; None for any other loop."""
    match loop.cond, loop.next:
        case (
            c_ast.BinaryOp(op="<", left=c_ast.ID(name=name), right=c_ast.BinaryOp(op="*", left=rows, right=columns)),
            c_ast.UnaryOp(op="++" | "p++", expr=c_ast.ID(name=stepped)),
        ) if name == stepped:
            pass
        case _:
            return None
    match loop.init:
        case c_ast.DeclList(decls=[c_ast.Decl(name=begun, type=declared, init=c_ast.Constant(value="0"))]):
            type_ = scalar_type(declared)
            if type_ is None or type_.kind != "int" or type_.bits < 32:
                return None
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=begun), rvalue=c_ast.Constant(value="0")):
            pass
        case _:
            return None
    known = {name, *names_in(rows), *names_in(columns)}
    is_plain = not nodes(loop.cond, c_ast.FuncCall) and not nodes(loop.stmt, c_ast.StructRef)
    return (name, rows, columns) if begun == name and is_plain and is_steady(known, loop.stmt) else None


def nested(loop: Any, name: str, rows: Any, columns: Any) -> Any:
    """The same as two loops, if neither factor is below 0."""
    row, column = c_ast.ID(f"{name}__row", loop.coord), c_ast.ID(f"{name}__column", loop.coord)
    at = c_ast.BinaryOp("+", c_ast.BinaryOp("*", row, columns, loop.coord), column, loop.coord)
    inner = _counting(column, columns, replaced(loop.stmt, {name: at}), loop.coord)
    return _counting(row, rows, inner, loop.coord)


def _counting(iterator: Any, end: Any, body: Any, coord: Any) -> Any:
    text = f"void f(void) {{ for (long {iterator.name} = 0; {iterator.name} < 1; {iterator.name}++) ; }}"
    loop = CParser().parse(text).ext[0].body.block_items[0]
    loop.cond.right, loop.stmt, loop.coord = end, body, coord
    return loop
