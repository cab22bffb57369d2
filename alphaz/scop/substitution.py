"""Names in C trees: names used, names that may change, and substitution of values."""

from collections.abc import Callable, Iterable, Mapping
from copy import copy, deepcopy
from typing import Any

from pycparser import c_ast

from alphaz.scop.pycparser_queries import assigned, nodes


class HeldValues(c_ast.Cast):  # type: ignore[misc]
    """The value that a variable of a type holds after an assignment, with the implicit conversion."""

    __slots__ = ("coord", "expr", "to_type")


def as_declared(declared: Any, value: Any) -> Any:
    """Returns the value as held by a variable of this declaration; pointers hold it unchanged."""
    if not isinstance(declared, c_ast.TypeDecl):
        return value
    plain = c_ast.TypeDecl(None, [], None, declared.type, value.coord)
    return HeldValues(c_ast.Typename(None, [], None, plain, value.coord), value, value.coord)


def names_in(node: Any) -> set[str]:
    """Returns the names used in the tree."""
    return {identifier.name for identifier in nodes(node, c_ast.ID)}


def mentioned(node: Any) -> set[str]:
    """Returns the names used or declared in the tree."""
    return names_in(node) | {declaration.name for declaration in nodes(node, c_ast.Decl)}


def touched(statements: Iterable[Any]) -> set[str]:
    """Returns the names that are declared in the trees, or may change there, including in heads of loops."""
    names: set[str] = set()
    for statement in statements:
        names |= {e.name for e in nodes(statement, c_ast.Decl)} | assigned(statement)
        for head in (
            part for loop in nodes(statement, c_ast.For) for part in (loop.init, loop.next) if part is not None
        ):
            names |= {e.lvalue.name for e in nodes(head, c_ast.Assignment) if isinstance(e.lvalue, c_ast.ID)}
            names |= {e.expr.name for e in nodes(head, c_ast.UnaryOp) if isinstance(e.expr, c_ast.ID)}
    return names


def count(node: Any, name: str) -> int:
    """Returns the number of uses of a name in the tree."""
    return sum(identifier.name == name for identifier in nodes(node, c_ast.ID))


def is_steady(names: set[str], body: Any) -> bool:
    """Returns True if these names keep their meaning throughout the body, and no directive mentions them."""
    pragma_text = " ".join(str(node.string) for node in nodes(body, c_ast.Pragma))
    words = set("".join(c if c.isalnum() or c == "_" else " " for c in pragma_text).split())
    return not names & (touched([body]) | words)


def substitute_names(node: Any, values: Mapping[str, Any]) -> Any:
    """Returns a copy of a tree with variables replaced by these values, simultaneously."""
    return _copy_tree(node, lambda node_: values.get(node_.name) if isinstance(node_, c_ast.ID) else None)


def exchanged(node: Any, old: Any, new: Any) -> Any:
    """Returns a copy of a tree with one subtree replaced by another."""
    return _copy_tree(node, lambda node_: new if node_ is old else None)


def _copy_tree(node: Any, new: Callable[[Any], Any]) -> Any:
    if not isinstance(node, c_ast.Node):
        return node
    if (replacement := new(node)) is not None:
        return deepcopy(replacement)
    if isinstance(node, c_ast.FuncCall):
        arguments = None if node.args is None else _copy_tree(node.args, new)
        return c_ast.FuncCall(node.name, arguments, node.coord)
    copied = copy(node)
    for attribute in copied.__slots__:
        part = getattr(copied, attribute, None) if attribute not in ("coord", "__weakref__") else None
        if isinstance(part, c_ast.Node):
            setattr(copied, attribute, _copy_tree(part, new))
        elif isinstance(part, list):
            setattr(copied, attribute, [_copy_tree(child_, new) for child_ in part])
    return copied
