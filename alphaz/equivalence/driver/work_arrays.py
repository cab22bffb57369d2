"""Work arrays: arguments that stand for no variable are arrays of the function itself.

void f(int n, double x[n], double *tmp) { .. }        void f(int n, double x[n]) { double tmp[n]; .. }

Like the other arrays that the caller passes, they overlap no other one. The caller does not need their contents. A
pointer has the extents of its use.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.parse import parse_expression
from alphaz.c.printer import type_text
from alphaz.c.walk import nodes
from alphaz.diagnostics import Rejected, Source
from alphaz.diagnostics.rules import C_REFUTED
from alphaz.poly import Affine
from alphaz.scop.arguments import read_arguments
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import (
    addressed,
    base,
    definitions,
    is_constant,
    is_simple,
    names_declared,
    scalar_type,
    targets,
    words_in,
)

_WRITING = frozenset({"memcpy", "memmove", "memset"})


def work_arrays(source: Source, tree: c.File, function: str, bound: Collection[str]) -> dict[str, c.Array]:
    """Returns the types of the arguments of a function that are work arrays, except `bound` ones."""
    definition = definitions(tree).get(function)
    has_device = any(isinstance(item, c.Function) and item.qualifiers for item in tree.items)
    if definition is None or has_device:
        return {}
    items = [item for item in definition.parameters if item.name not in bound and _is_work(tree, definition, item)]
    types = {
        item.name: replace(item.type, restrict=False, static=False) for item in items if isinstance(item.type, c.Array)
    }
    shapes: Mapping[str, Sequence[Affine]] = {}
    if len(types) < len(items):
        try:
            shapes = read_arguments(source, tree, function, {}).shapes
        except Rejected as rejected:
            if rejected.diagnostics[0].rule is C_REFUTED:
                raise
    for item in items:
        if item.name not in types and shapes.get(item.name):
            types[item.name] = _array(item.type, shapes[item.name])
    return {item.name: types[item.name] for item in items if item.name in types}


def _array(pointer: c.Type, shape: Sequence[Affine]) -> c.Array:
    """Returns the type of an array whose elements a pointer finds: one extent, over which it may move."""
    return c.Array(base(pointer), parse_expression(" * ".join(f"({extent})" for extent in shape)))


def unused_pointers(tree: c.File, function: str, bound: Collection[str]) -> frozenset[str]:
    """Returns the arguments, except `bound` ones, that are pointers and occur nowhere else in the function."""
    definition = definitions(tree).get(function)
    if definition is None or definition.body is None:
        return frozenset()
    texts = nodes(definition.body, (c.Pragma, c.Opaque))
    used = {*bound, *names_in(definition.body), *(word for node in texts for word in words_in(node.text))}
    used |= {name for parameter in definition.parameters for name in names_in(parameter.type)}
    return frozenset(p.name for p in definition.parameters if not is_simple(p.type) and p.member is None) - used


def with_work_arrays(
    tree: c.File, function: str, types: Mapping[str, c.Array], unused: Collection[str] = frozenset()
) -> c.File:
    """Returns the file in which a function declares these arguments instead, and has no `unused` ones."""
    if not types and not unused:
        return tree

    def change(item: c.Item) -> c.Item:
        if not isinstance(item, c.Function) or item.name != function or item.body is None:
            return item
        declared = (c.Declare(types[one.name], one.name, at=one.at) for one in item.parameters if one.name in types)
        parameters = tuple(parameter for parameter in item.parameters if parameter.name not in {*types, *unused})
        return replace(item, parameters=parameters, body=(*declared, *item.body))

    return replace(tree, items=tuple(map(change, tree.items)))


def memory_code(type_: c.Array, sizes: Mapping[str, str], parameters: Sequence[str]) -> str:
    """Returns the C expression of new memory of this type, full of NaN or -1: contents of no value. `sizes` has the
    parameters that its names stand for, whose values are in `given__`."""
    used = {name: parameters.index(sizes[name]) for name in sorted(names_in(type_)) if name in sizes}
    known = " ".join(f"const long long {name} = given__[{position}];" for name, position in used.items())
    size = f"const unsigned long bytes__ = sizeof({type_text(type_)});"
    return f"({{ {known} {size} __builtin_memset(__builtin_malloc(bytes__), 255, bytes__); }})"


def _is_work(tree: c.File, function: c.Function, parameter: c.Parameter) -> bool:
    """Returns True for an argument that would mean the same as an array that the function declares: the function
    assigns elements, and the pointer does not change, and has no size, address or copy for each thread."""
    name, inside = parameter.name, parameter.type
    while isinstance(inside, c.Array):
        if inside.extent is None or inside.extent == c.Name("*"):
            return False
        inside = inside.of
    inside = inside.to if inside is parameter.type and isinstance(inside, c.Pointer) else inside
    is_passed = is_simple(parameter.type) or parameter.member is not None
    if is_passed or not is_simple(inside) or scalar_type(inside) is None or inside.const or inside.volatile:
        return False
    clauses = [clause for directive in nodes(function.body, c.Omp) for clause in directive.clauses]
    texts = [word for directive in nodes(function.body, (c.Pragma, c.Opaque)) for word in words_in(directive.text)]
    pointers = [*targets(function.body), *addressed(function.body), *(node.of for node in nodes(function, c.SizeOf))]
    is_used = any(name in names_in(clause) for clause in clauses if clause.name != "shared")
    is_declared = name in names_declared(nodes(function.body, (c.Declare, c.Typedef)))
    if name not in _written(tree, function):
        return False
    return not (is_used or is_declared or name in texts or any(_is_pointer(node, name) for node in pointers))


def _written(tree: c.File, function: c.Function) -> set[str]:
    """Returns the names of a function through which it may write: those of elements, also by pointers into the array,
    the destinations of copies, and the arguments that a function of the file may change."""
    written = {name for target in targets(function.body) for name in names_in(target)}
    written |= {
        name
        for call in nodes(function.body, c.Call)
        if call.function in _WRITING
        for name in names_in(call.arguments[:1])
    }
    functions = definitions(tree)
    for call in nodes(function.body, c.Call):
        callee = functions.get(call.function) if isinstance(call.function, str) else None
        for argument, parameter in zip(call.arguments, callee.parameters if callee is not None else (), strict=False):
            written |= set() if is_constant(parameter.type) else names_in(argument)
    pointers = [node for node in nodes(function.body, c.Declare) if isinstance(node.type, c.Pointer)]
    while (
        more := {name for pointer in pointers if pointer.name in written for name in names_in(pointer.value)} - written
    ):
        written |= more
    return written


def _is_pointer(node: c.Expression | c.Type, name: str) -> bool:
    """Returns True if an operand is the pointer itself, or has it in a size."""
    return node == c.Name(name) or (not isinstance(node, c.Index | c.Unary | c.Member) and name in names_in(node))
