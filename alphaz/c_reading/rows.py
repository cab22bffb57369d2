"""Arguments that are pointers to rows: `double **A`, of which nothing but `A[i][j]` is used.

Where rows lie is the caller's business. It is taken for granted that they lie apart, as other arguments do; so no
pointer may go from one to the next: none is made, of an element or of a row.
"""

from typing import Any

from pycparser import c_ast

from alphaz.c_reading.functions import nodes
from alphaz.c_reading.outside import outside
from alphaz.diagnostics import Span


def points_to_rows(argument: Any) -> bool:
    """Whether this is declared `T **A` or `T *A[..]`."""
    outer = argument.type
    return (
        isinstance(outer, c_ast.PtrDecl | c_ast.ArrayDecl)
        and isinstance(outer.type, c_ast.PtrDecl)
        and isinstance(outer.type.type, c_ast.TypeDecl)
    )


def check_elements_only(name: str, body: Any, span: Span) -> None:
    """Raises Rejected (AZ112) where rows, or addresses of elements, are used for something else."""
    elements = [each for each in nodes(body, c_ast.ArrayRef) if _is_element(each, name)]
    addressed = [each for each in nodes(body, c_ast.UnaryOp) if each.op == "&" and _is_element(each.expr, name)]
    named = [each for each in nodes(body, c_ast.ID) if each.name == name]
    declared = [each for each in nodes(body, c_ast.Decl) if each.name == name]
    if addressed or declared or len(named) != len(elements):
        raise outside(
            span,
            f"of a pointer to pointers only elements are understood, `{name}[i][j]`",
            f"use them, or one array: `(*{name})[N]`",
        )


def _is_element(node: Any, name: str) -> bool:
    match node:
        case c_ast.ArrayRef(name=c_ast.ArrayRef(name=c_ast.ID(name=found))):
            return bool(found == name)
    return False
