"""Declarations of file scope: arrays, named constants and type names."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from alphaz.c import tree as c
from alphaz.c.walk import Part, nodes, rebuilt
from alphaz.model.types import INT, ScalarType
from alphaz.scop.functions import Functions
from alphaz.scop.index_expressions import known_number
from alphaz.scop.index_polynomials import constant_polynomial
from alphaz.scop.name_checks import KNOWN_NAMES
from alphaz.scop.reader_state import ReaderState
from alphaz.scop.scope import Context, NamedInteger
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import (
    assigned,
    changed_in_head,
    element_type,
    is_index_type,
    scalar_type,
    words_of_directives,
)


def plainly_typed(tree: c.File) -> c.File:
    """Returns the tree with typedef names of arithmetic types replaced by these types."""
    types = _numbers(tree)

    def change(part: Part) -> Part | None:
        type_ = types.get(part.name) if isinstance(part, c.Named) else None
        if type_ is None or not isinstance(part, c.Named):
            return None
        return replace(type_, const=part.const, volatile=part.volatile)

    return rebuilt(tree, change) if types else tree


def _numbers(tree: c.File) -> Mapping[str, c.Scalar | c.Named]:
    types: dict[str, c.Scalar | c.Named] = {}
    for declaration in (declaration for declaration in tree.items if isinstance(declaration, c.Typedef)):
        type_ = declaration.type
        if declaration.name in KNOWN_NAMES or not isinstance(type_, c.Scalar | c.Named):
            continue
        if type_.const or type_.volatile:
            continue
        type_ = types.get(type_.name, type_) if isinstance(type_, c.Named) else type_
        if scalar_type(type_) is not None:
            types[declaration.name] = type_
    # A block may declare the name with another type.
    inside = {node.name for item in tree.items if isinstance(item, c.Function) for node in nodes(item, c.Typedef)}
    return {name: type_ for name, type_ in types.items() if name not in inside}


def name_constants(state: ReaderState, tree: c.File) -> None:
    """Records the constants of a file for its readers. A constant of unclear value gets no value."""
    changed = assigned(tree) | {name for loop in nodes(tree, c.For) for name in changed_in_head(loop)}
    if nodes(tree, c.Unsupported):
        # Such a function may assign to any variable.
        changed |= {item.name for item in tree.items if isinstance(item, c.Declare)}
    for item in tree.items:
        for name, value, type_ in (*_enumerated(state, item), *_constant(state, item, changed)):
            state.constants[name] = NamedInteger(constant_polynomial(value), type_)


def with_outer_constants(tree: c.File) -> c.File:
    """Returns a file with the enumerations of functions, whose names mean nothing else in it, at file scope."""
    items: list[c.Item] = []
    for item in tree.items:
        if isinstance(item, c.Function) and item.body is not None:
            own = [part for part in item.body if _is_enumeration(part) and _are_only_there(part, item, tree)]
            items += [part for part in own if isinstance(part, c.Declare)]
            item = replace(item, body=tuple(part for part in item.body if part not in own)) if own else item
        items.append(item)
    return replace(tree, items=tuple(items))


def _is_enumeration(item: c.Statement) -> bool:
    return isinstance(item, c.Declare) and not item.name and isinstance(item.type, c.Enumeration)


def _are_only_there(item: c.Statement, function: c.Function, tree: c.File) -> bool:
    """Returns True if the constants of an enumeration have no other meaning in the file."""
    assert isinstance(item, c.Declare)
    assert isinstance(item.type, c.Enumeration)
    names = {name for name, _ in item.type.constants or ()}
    named: list[c.Declare | c.Parameter | c.Typedef] = [*nodes(tree, c.Declare), *nodes(tree, c.Parameter)]
    declared = {node.name for node in (*named, *nodes(tree, c.Typedef))}
    others = [other for other in nodes(tree, c.Enumeration) if other is not item.type]
    declared |= {name for other in others for name, _ in other.constants or ()}
    return not names & (declared | names_in([other for other in tree.items if other is not function]))


def _enumerated(state: ReaderState, item: c.Item) -> Iterator[tuple[str, int, ScalarType]]:
    """Yields the constants of enumerations whose constants all fit `int`, which is then their type (C11, 6.4.4.3).
    Without a value, a constant is one more than the one before."""
    if not isinstance(item, c.Declare | c.Typedef):
        return
    for enumeration in nodes(item, c.Enumeration):
        value: int | None = -1
        values: dict[str, int | None] = {}
        for name, stated in enumeration.constants or ():
            if stated is not None:
                value = known_number(state, Context(), stated)
            elif value is not None:
                value += 1
            values[name] = value
        known = {name: value for name, value in values.items() if value is not None}
        # Beyond `int`, the type of all constants is the compiler's choice.
        if len(known) == len(values) and all(-(1 << 31) <= number < 1 << 31 for number in known.values()):
            yield from ((name, number, INT) for name, number in known.items())


def _constant(state: ReaderState, item: c.Item, changed: Collection[str]) -> Iterator[tuple[str, int, ScalarType]]:
    """Yields a variable that is `const`, or is `static` and never assigned."""
    if not isinstance(item, c.Declare) or item.value is None:
        return
    if not item.type.const and ("static" not in item.storage.split() or item.name in changed):
        return
    type_ = scalar_type(item.type)
    if not is_index_type(type_):
        return
    value = known_number(state, Context(), item.value)
    if value is not None and -(1 << (type_.bits - 1)) <= value < 1 << (type_.bits - 1):
        yield item.name, value, type_


def used_names(functions: Functions, definition: c.Function) -> frozenset[str]:
    """Returns the names that a function and its callees use."""
    names: set[str] = set()
    for function in reached(functions, definition):
        names |= names_in(function.body) | words_of_directives(function.body)
    return frozenset(names)


def all_names(tree: c.File, functions: Iterable[c.Function]) -> set[str]:
    """Returns the names of objects, functions, types and constants in functions, and in the declarations of file scope
    of these names."""
    declarations = {item.name: item for item in tree.items if isinstance(item, c.Declare | c.Typedef)}
    names, waiting = set[str](), list[c.Node](functions)
    while waiting:
        part = waiting.pop()
        new = names_in(part) | words_of_directives(part)
        new = (
            new - {parameter.name for parameter in part.parameters} | {part.name}
            if isinstance(part, c.Function)
            else new
        )
        new |= {type_.name for type_ in (*nodes(part, (c.Named, c.Record)), *nodes(part, c.Enumeration))}
        waiting += [declarations[name] for name in sorted((new - names) & declarations.keys())]
        names |= new
    return names


def reached(functions: Functions, definition: c.Function) -> Iterator[c.Function]:
    """Yields a function, and those of the file that it may call."""
    waiting, visited = [definition], set[str]()
    while waiting:
        function = waiting.pop()
        if function.name in visited:
            continue
        visited.add(function.name)
        yield function
        waiting += [functions.defined[name] for name in names_in(function.body) & functions.defined.keys()]


def declared_outside(tree: c.File, functions: Functions, definition: c.Function) -> Mapping[str, c.Declare]:
    """Returns the declarations of arrays and scalars of file scope that a function uses, by name. Of several
    declarations of one name, the one with an initial value."""
    # A name that an argument hides is visible only in other functions; these are then not supported.
    used = used_names(functions, definition) - {item.name for item in definition.parameters}
    declarations: dict[str, c.Declare] = {}
    for item in tree.items:
        if not isinstance(item, c.Declare) or isinstance(item.type, c.Pointer | c.Signature):
            continue
        is_first = item.name not in declarations or item.value is not None
        if item.name in used and is_first and element_type(item.type) is not None:
            declarations[item.name] = item
    return declarations
