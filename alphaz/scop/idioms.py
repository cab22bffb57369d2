"""Idioms of C in simpler form: blocks, branches that assign one cell, collapsed loops, and arrays of row pointers."""

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast
from pycparser.c_generator import CGenerator
from pycparser.c_parser import CParser

from alphaz.diagnostics import Span
from alphaz.scop.pycparser_queries import nodes, scalar_type
from alphaz.scop.substitution import is_steady, names_in, substitute_names
from alphaz.scop.unsupported import outside


def items(node: Any) -> list[Any]:
    if node is None:
        return []
    return (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]


def merge_branches(item: Any) -> tuple[Any, Any] | None:
    """Returns the cell and the value of `if (c) x = a; else x = b;`, read as `x = c ? a : b`; None for other
    statements."""
    then = _assigned(item.iftrue)
    if then is None:
        return None
    target, value = then
    if item.iffalse is None:
        return target, c_ast.TernaryOp(item.cond, value, target, item.coord)
    otherwise = _assigned(item.iffalse)
    if otherwise is None or CGenerator().visit(otherwise[0]) != CGenerator().visit(target):
        return None
    return target, c_ast.TernaryOp(item.cond, value, otherwise[1], item.coord)


def returned(statements: Sequence[Any]) -> Any:
    """Returns `if (c) return a; return b;` as `c ? a : b`; None for statements that do more."""
    match statements:
        case [c_ast.Return(expr=value)]:
            return value
        case [c_ast.If(cond=test, iftrue=then, iffalse=None) as item, *rest]:
            one, other = returned(items(then)), returned(rest)
            return None if one is None or other is None else c_ast.TernaryOp(test, one, other, item.coord)
    return None


def without_else(statements: Sequence[Any]) -> list[Any]:
    """Returns `if (c) { ..; return a; } else { .. }` as `if (c) { ..; return a; } { .. }`."""
    block: list[Any] = []
    for at, statement in enumerate(statements):
        is_left = isinstance(statement, c_ast.If) and statement.iffalse is not None and _ends(items(statement.iftrue))
        if not is_left or (at and isinstance(statements[at - 1], c_ast.Pragma)):
            block.append(statement)
            continue
        block.append(c_ast.If(statement.cond, statement.iftrue, None, statement.coord))
        otherwise = items(statement.iffalse)
        if len(otherwise) == 1 and isinstance(otherwise[0], c_ast.If):
            return [*block, *without_else([*otherwise, *statements[at + 1 :]])]
        if at == len(statements) - 1:
            return [*block, *without_else(otherwise)]
        block.append(c_ast.Compound(otherwise, statement.coord))
    return block


def sections_of(node: Any) -> list[Any] | None:
    """Returns the statement after each `omp section`; None if a section has several, or other statements are between
    them."""
    sections: list[Any] = []
    is_begun = True
    for statement in items(node) if isinstance(node, c_ast.Compound) else [None]:
        is_mark = isinstance(statement, c_ast.Pragma) and " ".join(str(statement.string).split()) == "omp section"
        if is_mark:
            is_begun = True
        elif is_begun and statement is not None and not isinstance(statement, c_ast.Pragma | c_ast.Decl):
            sections.append(statement)
            is_begun = False
        else:
            return None
    return sections


def _ends(statements: Sequence[Any]) -> bool:
    return bool(statements) and isinstance(statements[-1], c_ast.Return)


def _assigned(node: Any) -> tuple[Any, Any] | None:
    match items(node):
        case [c_ast.Assignment() as only] if not isinstance(only.rvalue, c_ast.Assignment):
            if only.op == "=":
                return only.lvalue, only.rvalue
            return only.lvalue, c_ast.BinaryOp(only.op[:-1], only.lvalue, only.rvalue, only.coord)
        case [c_ast.If() as inner]:
            return merge_branches(inner)
    return None


def has_nowait(node: Any) -> bool:
    """Returns True if a construct in the tree ends without a barrier; `omp master` has none either."""
    return any("nowait" in pragma.string or "master" in pragma.string for pragma in nodes(node, c_ast.Pragma))


def factors_of_end(loop: Any) -> tuple[str, Any, Any] | None:
    """Returns the iterator and the two factors of the bound of a loop from 0 to a product in steps of one; None
    otherwise."""
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
    names = {name, *names_in(rows), *names_in(columns)}
    is_plain = not nodes(loop.cond, c_ast.FuncCall) and not nodes(loop.stmt, c_ast.StructRef)
    return (name, rows, columns) if begun == name and is_plain and is_steady(names, loop.stmt) else None


def nested(loop: Any, name: str, rows: Any, columns: Any) -> Any:
    """Returns the loop as two nested loops, valid if neither factor is negative."""
    row, column = c_ast.ID(f"{name}__row", loop.coord), c_ast.ID(f"{name}__column", loop.coord)
    at = c_ast.BinaryOp("+", c_ast.BinaryOp("*", row, columns, loop.coord), column, loop.coord)
    inner = _counting(column, columns, substitute_names(loop.stmt, {name: at}), loop.coord)
    return _counting(row, rows, inner, loop.coord)


def _counting(iterator: Any, end: Any, body: Any, coord: Any) -> Any:
    text = f"void f(void) {{ for (long {iterator.name} = 0; {iterator.name} < 1; {iterator.name}++) ; }}"
    loop = CParser().parse(text).ext[0].body.block_items[0]
    loop.cond.right, loop.stmt, loop.coord = end, body, coord
    return loop


def points_to_rows(argument: Any) -> bool:
    """Returns True if this is declared `T **A` or `T *A[..]`."""
    outer = argument.type
    return (
        isinstance(outer, c_ast.PtrDecl | c_ast.ArrayDecl)
        and isinstance(outer.type, c_ast.PtrDecl)
        and isinstance(outer.type.type, c_ast.TypeDecl)
    )


def check_elements_only(name: str, body: Any, span: Span) -> None:
    """Raises Rejected (AZ832) if rows, or addresses of elements, are used other than in `A[i][j]`."""
    elements = [node for node in nodes(body, c_ast.ArrayRef) if _is_element(node, name)]
    addressed = [node for node in nodes(body, c_ast.UnaryOp) if node.op == "&" and _is_element(node.expr, name)]
    named = [node for node in nodes(body, c_ast.ID) if node.name == name]
    declared = [node for node in nodes(body, c_ast.Decl) if node.name == name]
    if addressed or declared or len(named) != len(elements):
        raise outside(
            span,
            f"a pointer to pointers can be used only in elements `{name}[i][j]`",
            f"use elements, or one array: `(*{name})[N]`",
        )


def _is_element(node: Any, name: str) -> bool:
    match node:
        case c_ast.ArrayRef(name=c_ast.ArrayRef(name=c_ast.ID(name=row_name))):
            return bool(row_name == name)
    return False
