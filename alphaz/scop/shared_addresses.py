"""Addresses in shared memory as numbers, for the assembly of asynchronous copies.

unsigned a = (unsigned)__cvta_generic_to_shared(&s[t]);    auto a = &s[t];
copy$(a, &x[i], 8);                                        copy$(a, &x[i], 8);
"""

from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.copy_assembly import COPY, LINE
from alphaz.c.cuda_preparation import DEDUCED_TYPE
from alphaz.c.walk import Part, nodes, rebuilt
from alphaz.scop.tree_queries import is_wide_integer, scalar_type

_ADDRESS, _COPIES = "__cvta_generic_to_shared", (COPY, LINE)


def with_shared_addresses(file: c.File) -> c.File:
    """Returns the file with pointers in the place of addresses that are only used as targets of copies."""
    items = (_of_function(item) if isinstance(item, c.Function) else item for item in file.items)
    return replace(file, items=tuple(items))


def _of_function(function: c.Function) -> c.Function:
    if not any(call.function == _ADDRESS for call in nodes(function.body, c.Call)):
        return function
    targets = [call.arguments[0] for call in nodes(function.body, c.Call) if call.function in _COPIES]
    used = [node.name for node in nodes(function.body, c.Name)]
    passed = [one.name for one in targets if isinstance(one, c.Name)]

    def change(part: Part) -> Part | None:
        match part:
            case c.Declare(value=value, storage="") if value is not None and (pointer := _pointer(value)) is not None:
                if used.count(part.name) == passed.count(part.name) and _holds_address(part.type):
                    return replace(part, type=c.Named(DEDUCED_TYPE), value=pointer)
            case c.Call(function, (target, *others)) if function in _COPIES:
                pointer = _pointer(target)
                return None if pointer is None else replace(part, arguments=(pointer, *others))
        return None

    return rebuilt(function, change)


def _pointer(value: c.Expression) -> c.Expression | None:
    """Returns the pointer that is converted to an address in shared memory; None for other expressions."""
    match value:
        case c.Cast(type_, operand) if _holds_address(type_):
            return _pointer(operand)
        case c.Call(function, (pointer,)) if function == _ADDRESS:
            return pointer
    return None


def _holds_address(type_: c.Type) -> bool:
    """Returns True for integers of 32 bits or more, and a type that is that of the address."""
    return is_wide_integer(scalar_type(type_)) or (isinstance(type_, c.Named) and type_.name == DEDUCED_TYPE)
