"""Vectors that are given another value where they are declared, read as other variables: each then has one value.

__m128 v = ..;                       __m128 v = ..;
v = _mm_add_ps(v, w);                __m128 v.2 = _mm_add_ps(v, w);
.. v ..                              .. v.2 ..
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pycparser import c_ast

from alphaz.c_reading.functions import is_of_header, nodes, parameters_of
from alphaz.c_reading.substitution import replaced


def renew(definition: Any) -> None:
    """Changes the body of a function, in each of its blocks."""
    body = definition.body
    declared = [*nodes(body, c_ast.Decl), *parameters_of(definition)]
    vectors = {each.name: each.type for each in declared if is_of_header(each.type)}
    lent = {each.expr.name for each in nodes(body, c_ast.UnaryOp) if each.op == "&" and isinstance(each.expr, c_ast.ID)}
    said = " ".join(str(each.string) for each in nodes(body, c_ast.Pragma))
    known = {
        name: type_ for name, type_ in vectors.items()
        if name not in lent and name not in said and [each.name for each in declared].count(name) == 1
    }  # fmt: skip
    parameters = [each.name for each in parameters_of(definition)]
    for block in reversed(nodes(body, c_ast.Compound)) if known else ():
        block.block_items = _renewed(block.block_items or [], known, parameters if block is body else [])


def _renewed(found: Sequence[Any], known: Mapping[str, Any], names: Collection[str]) -> list[Any]:
    """The statements of a block; `names` are declared there before."""
    own, made, rest = {name: name for name in names if name in known}, list[Any](), list(found)
    count = 1
    while rest:
        item, *rest = rest
        if isinstance(item, c_ast.Decl) and item.name in known:
            own[item.name] = item.name
        match item:
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name)) if name in own:
                count += 1
                fresh = f"{own[name].partition('.')[0]}.{count}"
                item = _declared(fresh, known[own[name]], item)
                rest = [replaced(each, {name: c_ast.ID(fresh)}) for each in rest]
                own[fresh] = own.pop(name)
        made.append(item)
    return made


def _declared(name: str, type_: Any, item: Any) -> Any:
    named = c_ast.TypeDecl(name, [], None, type_.type, item.coord)
    return c_ast.Decl(name, [], [], [], [], named, item.rvalue, None, item.coord)
