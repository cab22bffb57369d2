"""Shapes of C that are read as something simpler: blocks, branches that assign one cell, what only tells somebody."""

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from alphaz.c_reading.functions import nodes


def items(node: Any) -> list[Any]:
    if node is None:
        return []
    return (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]


def merged(item: Any) -> tuple[Any, Any] | None:
    """`if (c) x = a; else x = b;` as `x = c ? a : b`: the cell and the value; None for what is none."""
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


def returned(found: Sequence[Any]) -> Any:
    """`if (c) return a; return b;` as `c ? a : b`; None for statements that do more."""
    match found:
        case [c_ast.Return(expr=value)]:
            return value
        case [c_ast.If(cond=test, iftrue=then, iffalse=None) as item, *rest]:
            one, other = returned(items(then)), returned(rest)
            return None if one is None or other is None else c_ast.TernaryOp(test, one, other, item.coord)
    return None


def without_else(found: Sequence[Any]) -> list[Any]:
    """`if (c) { ..; return a; } else { .. }` as `if (c) { ..; return a; } { .. }`: who comes there has not returned."""
    made: list[Any] = []
    for at, each in enumerate(found):
        is_left = isinstance(each, c_ast.If) and each.iffalse is not None and _ends(items(each.iftrue))
        if not is_left or (at and isinstance(found[at - 1], c_ast.Pragma)):
            made.append(each)
            continue
        made.append(c_ast.If(each.cond, each.iftrue, None, each.coord))
        otherwise = items(each.iffalse)
        if len(otherwise) == 1 and isinstance(otherwise[0], c_ast.If):
            return [*made, *without_else([*otherwise, *found[at + 1 :]])]
        if at == len(found) - 1:
            return [*made, *without_else(otherwise)]
        made.append(c_ast.Compound(otherwise, each.coord))
    return made


def sections_of(node: Any) -> list[Any] | None:
    """The statements behind each `omp section`; None where one has several, or something else stands there."""
    found: list[Any] = []
    is_begun = True
    for each in items(node) if isinstance(node, c_ast.Compound) else [None]:
        is_mark = isinstance(each, c_ast.Pragma) and " ".join(str(each.string).split()) == "omp section"
        if is_mark:
            is_begun = True
        elif is_begun and each is not None and not isinstance(each, c_ast.Pragma | c_ast.Decl):
            found.append(each)
            is_begun = False
        else:
            return None
    return found


def _ends(found: Sequence[Any]) -> bool:
    return bool(found) and isinstance(found[-1], c_ast.Return)


def _assigned(node: Any) -> tuple[Any, Any] | None:
    match items(node):
        case [c_ast.Assignment() as only] if not isinstance(only.rvalue, c_ast.Assignment):
            if only.op == "=":
                return only.lvalue, only.rvalue
            return only.lvalue, c_ast.BinaryOp(only.op[:-1], only.lvalue, only.rvalue, only.coord)
        case [c_ast.If() as inner]:
            return merged(inner)
    return None


def has_nowait(node: Any) -> bool:
    """Whether something there ends without a barrier; so does what the first thread does."""
    return any("nowait" in each.string or "master" in each.string for each in nodes(node, c_ast.Pragma))
