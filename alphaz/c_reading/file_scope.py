"""What a file declares outside of functions: arrays and numbers that its functions use by name.

What stands for a variable of the program is an argument like any other. Of the rest nobody knows what it holds when
the function begins, though C begins with zeros: it keeps what an earlier call has left there.
"""

from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from alphaz.c_reading.functions import Functions, base, nodes, parameters_of, scalar_type
from alphaz.c_reading.substitution import names_in


def used_names(functions: Functions, definition: Any) -> frozenset[str]:
    """The names that a function, or one that it calls, uses."""
    found: set[str] = set()
    waiting = [definition]
    seen: set[str] = set()
    while waiting:
        each = waiting.pop()
        if each.decl.name in seen:
            continue
        seen.add(each.decl.name)
        used = names_in(each.body)
        found |= used | {name for pragma in nodes(each.body, c_ast.Pragma) for name in _words(pragma)}
        waiting += [functions.defined[name] for name in used & functions.defined.keys()]
    return frozenset(found)


def _words(pragma: Any) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in str(pragma.string)).split()


def declared_outside(tree: c_ast.FileAST, functions: Functions, definition: Any) -> Mapping[str, Any]:
    """The declarations of arrays and of numbers outside of functions that a function uses, by name; of several of one
    name, the one that says how it begins."""
    # What an argument has the name of is seen by other functions only: they are not understood then.
    used = used_names(functions, definition) - {each.name for each in parameters_of(definition)}
    found: dict[str, Any] = {}
    for each in tree.ext:
        if not isinstance(each, c_ast.Decl) or not isinstance(each.type, c_ast.ArrayDecl | c_ast.TypeDecl):
            continue
        is_first = each.name not in found or each.init is not None
        if each.name in used and is_first and scalar_type(base(each.type)) is not None:
            found[each.name] = each
    return found
