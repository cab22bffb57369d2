"""Lines `//@ type A, B = int` and `//@ type f = int(int, double)`: types, which the successor language does not
have."""

import re
from dataclasses import replace

from alphaz.syntax import tree

_TYPE = re.compile(r"//@[ \t]*type[ \t]+(?P<names>[^=\n]+)=[ \t]*(?P<type>[a-z ]+?)[ \t\r]*$", re.M)


# `//@ type f = int(int, double)`
_FUNCTION = re.compile(
    r"//@[ \t]*type[ \t]+(?P<name>\w+)[ \t]*=[ \t]*(?P<type>[a-z ]+?)[ \t]*\((?P<types>[a-z ,\t]*)\)[ \t\r]*$", re.M
)


def typed_function(external: tree.ExternalNode, text: str) -> tree.ExternalNode:
    """Returns the function with the types in its line; a missing type stays missing."""
    for found in _FUNCTION.finditer(text):
        types = [each.strip() for each in found["types"].split(",")] if found["types"].strip() else []
        if found["name"] == external.name.text and len(types) == len(external.arguments):
            arguments = tuple(tree.TypeName(type_, span=external.span) if type_ else None for type_ in types)
            return replace(external, type=tree.TypeName(found["type"], span=external.span), arguments=arguments)
    return external


def typed_system(system: tree.SystemText, text: str) -> tree.SystemText:
    """Returns the system with the types in its lines `//@ type A, B = int`."""
    inside = text[system.span.start : system.span.end]
    types = {name.strip(): found["type"] for found in _TYPE.finditer(inside) for name in found["names"].split(",")}
    if not types:
        return system

    def typed(declarations: tuple[tree.Declaration, ...]) -> tuple[tree.Declaration, ...]:
        return tuple(
            replace(
                declaration,
                names=(name,),
                type=replace(declaration.type, text=types.get(name.text, declaration.type.text)),
            )
            for declaration in declarations
            for name in declaration.names
        )

    return replace(system, inputs=typed(system.inputs), outputs=typed(system.outputs), locals=typed(system.locals))
