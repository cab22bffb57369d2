"""`#pragma omp declare reduction`: user-defined operators, recognised by the bodies of their functions."""

import re
from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from alphaz.model.types import SCALAR_TYPES, ScalarType, promoted
from alphaz.scop.functions import Functions, named_type, scalar_type

_DECLARED = re.compile(
    r"omp declare reduction ?\( ?(?P<name>\w+) ?: ?(?P<type>[\w ]+?) ?: ?"
    r"omp_out = (?P<function>\w+) ?\( ?omp_out ?, ?omp_in ?\) ?\) ?initializer ?\( ?omp_priv = (?P<first>[01]) ?\)"
)
# The initial values of the threads.
_FIRST = {"+": "0", "*": "1"}


def combiner(text: str, functions: Functions) -> tuple[str, str, ScalarType] | None:
    """Returns the name, the operator of programs and the type that a directive declares; None for an unsupported
    directive.

    The function adds or multiplies modulo 2^bits: `return (int)((unsigned int)a + (unsigned int)b);`.
    """
    found = _DECLARED.fullmatch(" ".join(text.split()))
    definition = functions.defined.get(found["function"]) if found is not None else None
    type_ = named_type(tuple(found["type"].split())) if found is not None else None
    if found is None or definition is None or type_ is None or not type_.signed:
        return None
    operator = _wraps(definition, type_)
    return (found["name"], operator, type_) if operator and _FIRST.get(operator) == found["first"] else None


def combiners(tree: c_ast.FileAST, functions: Functions) -> Mapping[str, tuple[str, ScalarType]]:
    """Returns the operators and types of all reductions that a file declares, by name."""
    found = [combiner(each.string, functions) for each in tree.ext if isinstance(each, c_ast.Pragma)]
    return {name: (operator, type_) for name, operator, type_ in filter(None, found)}


def _wraps(definition: Any, type_: ScalarType) -> str | None:
    """Returns the operator of `T f(T a, T b) { return (T)((unsigned T)a + (unsigned T)b); }`, where the unsigned type
    is that in which C computes; None for any other function."""
    arguments = definition.decl.type.args
    parameters = arguments.params if arguments is not None else []
    types = [scalar_type(each.type) for each in (*parameters, definition.decl.type)]
    if types != [type_] * 3:
        return None
    match definition.body.block_items:
        case [c_ast.Return(expr=c_ast.Cast(to_type=whole, expr=c_ast.BinaryOp() as value))]:
            casts = (value.left, value.right)
            if scalar_type(whole.type) != type_ or not all(isinstance(cast, c_ast.Cast) for cast in casts):
                return None
            unsigned = SCALAR_TYPES[f"unsigned {promoted(type_).name}"]
            names = [cast.expr.name for cast in casts if isinstance(cast.expr, c_ast.ID)]
            same = [scalar_type(cast.to_type.type) for cast in casts] == [unsigned] * 2
            return value.op if same and names == [parameter.name for parameter in parameters] else None
    return None
