"""Functions that return one element or number: their value is written where they are called.

double at(const double *a, int n, int i, int j) { return a[i * n + j]; }        x = at(a, m, k, l);
                                                                         becomes x = a[k * m + l];
"""

from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import Part, copied, nodes, rebuilt
from alphaz.scop.substitution import as_declared
from alphaz.scop.tree_queries import definitions, element_type, scalar_type

_CHANGES = (c.Step, c.Set)
_DEEPEST = 4


def with_getters(tree: c.File) -> c.File:
    """Returns the file with the values of such functions in front of their calls. Functions without pointers among
    their arguments stay: the reader inlines them."""
    getters = {name: function for name, function in definitions(tree).items() if _is_getter(function)}
    for _ in range(_DEEPEST if getters else 0):
        after = replace(tree, items=tuple(_read(item, getters) for item in tree.items))
        if after == tree:
            break
        tree = after
        getters = {
            name: function for name, function in definitions(tree).items() if name in getters and _is_getter(function)
        }
    return tree


def _is_getter(function: c.Function) -> bool:
    if scalar_type(function.type) is None or "__global__" in function.qualifiers:
        return False
    match function.body:
        case (c.Return(value),) if value is not None and not nodes(value, (*_CHANGES, c.SizeOf)):
            types = [parameter.type for parameter in function.parameters]
            return any(isinstance(type_, c.Pointer | c.Array) for type_ in types) and all(
                element_type(type_) is not None and not _restricted(type_)
                if isinstance(type_, c.Pointer | c.Array)
                else scalar_type(type_) is not None
                for type_ in types
            )
    return False


def _restricted(type_: c.Type) -> bool:
    """Returns True for a pointer that promises something, or to rows."""
    if isinstance(type_, c.Array):
        return type_.restrict or isinstance(type_.of, c.Array)
    return isinstance(type_, c.Pointer) and isinstance(type_.to, c.Pointer | c.Array)


def _read(item: c.Item, getters: dict[str, c.Function]) -> c.Item:
    if not isinstance(item, c.Function) or item.body is None:
        return item
    own = {node.name for node in nodes(item, (c.Declare, c.Parameter))}
    usable = {name: function for name, function in getters.items() if name != item.name and not _outer(function) & own}

    def change(part: Part) -> Part | None:
        if not isinstance(part, c.Call) or not isinstance(part.function, str):
            return None
        getter = usable.get(part.function)
        if getter is None or len(getter.parameters) != len(part.arguments) or nodes(part.arguments, _CHANGES):
            return None
        return _value(getter, part)

    return rebuilt(item, change)


def _outer(function: c.Function) -> set[str]:
    """Returns the names of a function's value that are not its arguments."""
    names = {node.name for node in nodes(function.body, c.Name)}
    return names - {parameter.name for parameter in function.parameters}


def _value(getter: c.Function, call: c.Call) -> c.Expression:
    values: dict[str, c.Expression] = {}
    for parameter, argument in zip(getter.parameters, call.arguments, strict=True):
        is_number = scalar_type(parameter.type) is not None
        values[parameter.name] = as_declared(parameter.type, argument) if is_number else argument
    (returned,) = getter.body or ()
    assert isinstance(returned, c.Return)
    assert returned.value is not None

    def change(part: Part) -> Part | None:
        return copied(values[part.name]) if isinstance(part, c.Name) and part.name in values else None

    return as_declared(getter.type, _placed(rebuilt(copied(returned.value), change), call))


def _placed(value: c.Expression, call: c.Call) -> c.Expression:
    return replace(value, at=call.at)
