"""Local `restrict` pointers: in the scope of the pointer, an object that is modified may be accessed only through it
(C11, 6.7.3.1). Compilers rely on this, so it is checked."""

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from alphaz.scop.functions import nodes, targets
from alphaz.scop.reader_state import ReaderState
from alphaz.scop.scope import Context, PointerView
from alphaz.scop.substitution import names_in


def is_kept(words: ReaderState, nest: Context, item: Any, target: PointerView) -> bool:
    """Returns True if a pointer into an array is the only name of it used in its scope, or all names there only read
    it."""
    scope = _scope(words.body, item)
    if scope is None or target.array in (each.array for each in words.around.values() if isinstance(each, PointerView)):
        return False
    others = {name for name, each in nest.names.items() if isinstance(each, PointerView) and each.array is target.array}
    others.discard(item.name)
    if not others & names_in(scope):
        return True
    return not _with_derived({item.name, *others}, scope) & _changed_names(words, scope)


def _scope(body: Any, item: Any) -> Any | None:
    """Returns the statements after a declaration in its block; None if the declaration is in no block."""
    for node in nodes(body, c_ast.Compound):
        items: Sequence[Any] = node.block_items or ()
        at = next((at for at, other in enumerate(items) if other is item), None)
        if at is not None:
            return c_ast.Compound([*items[at + 1 :]])
    return None


def _with_derived(names: set[str], scope: Any) -> set[str]:
    """Returns these names and those of declarations that use them."""
    declared = [node for node in nodes(scope, c_ast.Decl) if node.init is not None]
    while more := {each.name for each in declared if names & names_in(each.init)} - names:
        names |= more
    return names


def _changed_names(words: ReaderState, scope: Any) -> set[str]:
    """Returns the names through which an object is, or may be, modified."""
    places = [*targets(scope), *(node.expr for node in nodes(scope, c_ast.UnaryOp) if node.op == "&")]
    places += [node.args for node in nodes(scope, c_ast.FuncCall) if node.args is not None and _may_change(words, node)]
    return {name for place in places for name in names_in(place)}


def _may_change(words: ReaderState, call: Any) -> bool:
    """Returns True if a function may modify an object whose address it receives."""
    functions = words.functions
    if found := functions.intrinsics(call):
        return any(each.stored for each in found)
    name = call.name.name if isinstance(call.name, c_ast.ID) else ""
    return name in functions.defined or functions.signature(name, len(call.args.exprs)) is None
