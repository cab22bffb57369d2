"""Addresses in shared memory as numbers, for the assembly of asynchronous copies.

unsigned a = (unsigned)__cvta_generic_to_shared(&s[t]);    auto a = &s[t];
copy$(a, &x[i], 8);                                        copy$(a, &x[i], 8);
"""

from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.copy_assembly import COPY
from alphaz.c.cuda_preparation import DEDUCED_TYPE
from alphaz.c.walk import Part, nodes, rebuilt

_ADDRESS = "__cvta_generic_to_shared"


def with_shared_addresses(file: c.File) -> c.File:
    """Returns the file with pointers in the place of addresses that are only used as targets of copies."""
    items = (_of_function(item) if isinstance(item, c.Function) else item for item in file.items)
    return replace(file, items=tuple(items))


def _of_function(function: c.Function) -> c.Function:
    if not any(call.function == _ADDRESS for call in nodes(function.body, c.Call)):
        return function
    targets = [call.arguments[0] for call in nodes(function.body, c.Call) if call.function == COPY]
    used = [node.name for node in nodes(function.body, c.Name)]
    passed = [one.name for one in targets if isinstance(one, c.Name)]

    def change(part: Part) -> Part | None:
        match part:
            case c.Declare(value=value, storage="") if value is not None and (pointer := _pointer(value)) is not None:
                if used.count(part.name) == passed.count(part.name):
                    return replace(part, type=c.Named(DEDUCED_TYPE), value=pointer)
            case c.Call(function, (target, *others)) if function == COPY and (pointer := _pointer(target)) is not None:
                return replace(part, arguments=(pointer, *others))
        return None

    return rebuilt(function, change)


def _pointer(value: c.Expression) -> c.Expression | None:
    """Returns the pointer that is converted to an address in shared memory; None for other expressions."""
    match value:
        case c.Cast(_, operand):
            return _pointer(operand)
        case c.Call(function, (pointer,)) if function == _ADDRESS:
            return pointer
    return None
