"""Types that a file gives names to: `typedef double real;` is read as what it stands for."""

from collections.abc import Mapping

from pycparser import c_ast

from alphaz.c_reading.functions import nodes, scalar_type
from alphaz.c_reading.vocabulary import KNOWN_NAMES


def plainly_typed(tree: c_ast.FileAST) -> c_ast.FileAST:
    """The tree with the types that are numbers in the place of the names that the file has for them."""
    names = _numbers(tree)
    for each in nodes(tree, c_ast.IdentifierType) if names else []:
        if len(each.names) == 1:
            each.names = list(names.get(each.names[0], each.names))
    return tree


def _numbers(tree: c_ast.FileAST) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in (each for each in tree.ext if isinstance(each, c_ast.Typedef)):
        if each.name in KNOWN_NAMES or not isinstance(each.type, c_ast.TypeDecl) or each.quals or each.type.quals:
            continue
        if isinstance(each.type.type, c_ast.IdentifierType):
            names = each.type.type.names
            each.type.type.names = found.get(names[0], names) if len(names) == 1 else names
            if scalar_type(each.type) is not None:
                found[each.name] = each.type.type.names
    # A block may give the name to another type.
    inside = {each.name for item in tree.ext if isinstance(item, c_ast.FuncDef) for each in nodes(item, c_ast.Typedef)}
    return {name: names for name, names in found.items() if name not in inside}
