"""The members of the structures of a file, and the arguments that are structures."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.scop.tree_queries import addressed, scalar_type, targets


@dataclass(frozen=True, slots=True, eq=False)
class StructureLayout:
    """The members of a structure, by their paths: those of a structure inside are `pos_x`."""

    fields: tuple[str, ...]
    members: Mapping[str, c.Type]
    paths: Mapping[str, tuple[str, ...]]
    inner: Mapping[str, "StructureLayout"]


@dataclass(frozen=True, slots=True, eq=False)
class StructureName:
    """A name: a structure, an array of structures, or a pointer (`is_one`: an argument that points to one structure,
    of which `by_value` are passed by value)."""

    layout: StructureLayout
    is_pointer: bool = False
    is_one: bool = False
    by_value: frozenset[str] = frozenset()


def structures_of(tree: c.File) -> dict[str, StructureLayout]:
    """Returns the supported structures of a file, by tag (`struct point`) and by name of type. A name that the file
    gives to anything else is none."""
    layouts: dict[str, StructureLayout] = {}
    used = {node.field for node in nodes(tree, c.Member)}
    for item in tree.items:
        type_ = item.type if isinstance(item, c.Typedef | c.Declare) else None
        if not isinstance(type_, c.Record) or type_.volatile or type_.word != "struct":
            continue
        layout = _layout_of(type_, layouts, used) if type_.fields is not None else layouts.get(_tag(type_))
        if layout is None:
            continue
        if type_.name:
            layouts[_tag(type_)] = layout
        if isinstance(item, c.Typedef) and not type_.const:
            layouts[item.name] = layout
    inside = {node.name for item in tree.items if isinstance(item, c.Function) for node in nodes(item, c.Typedef)}
    inside |= {
        _tag(node)
        for item in tree.items
        if isinstance(item, c.Function)
        for node in nodes(item, c.Record)
        if node.fields
    }
    return {name: layout for name, layout in layouts.items() if name not in inside}


def _tag(record: c.Record) -> str:
    return f"{record.word} {record.name}"


def _layout_of(record: c.Record, known: Mapping[str, StructureLayout], used: set[str]) -> StructureLayout | None:
    """Returns the members that the file uses; None if one of them has an unsupported type."""
    members: dict[str, c.Type] = {}
    paths: dict[str, tuple[str, ...]] = {}
    inner: dict[str, StructureLayout] = {}
    for field in record.fields or ():
        if field.name not in used:
            continue
        inside = structure_of(field.type, known)
        if inside is not None:
            inner[field.name] = inside
            field_types = {f"{field.name}_{name}": type_ for name, type_ in inside.members.items()}
            paths |= {f"{field.name}_{name}": (field.name, *path) for name, path in inside.paths.items()}
        elif _is_supported(field.type):
            field_types, paths[field.name] = {field.name: field.type}, (field.name,)
        else:
            return None
        if members.keys() & field_types.keys():
            return None
        members |= field_types
    return (
        StructureLayout(tuple(field.name for field in record.fields or ()), members, paths, inner) if members else None
    )


def structure_of(type_: c.Type, known: Mapping[str, StructureLayout]) -> StructureLayout | None:
    if type_.volatile:
        return None
    if isinstance(type_, c.Record) and type_.word == "struct":
        return known.get(_tag(type_))
    return known.get(type_.name) if isinstance(type_, c.Named) else None


def _is_supported(type_: c.Type) -> bool:
    """Returns True for numbers, arrays of numbers, and pointers to numbers."""
    if isinstance(type_, c.Pointer):
        return scalar_type(type_.to) is not None and not type_.volatile
    while isinstance(type_, c.Array):
        type_ = type_.of
    return scalar_type(type_) is not None


def structure_below(layouts: Mapping[str, StructureLayout], type_: c.Type) -> StructureLayout | None:
    """Returns the structure of a type, of an array or pointer of structures too."""
    while isinstance(type_, c.Pointer | c.Array):
        type_ = type_.to if isinstance(type_, c.Pointer) else type_.of
    return structure_of(type_, layouts)


def structure_arguments(
    functions: Mapping[str, c.Function], layouts: Mapping[str, StructureLayout]
) -> dict[str, list[StructureName | None]]:
    """Returns the structures among the arguments of each function; None for other arguments."""
    written = {name: {*_written(function)} for name, function in functions.items()}
    several = {name: {*_several(function)} for name, function in functions.items()}
    while True:
        before = [*map(len, written.values()), *map(len, several.values())]
        for name, function in functions.items():
            for call in nodes(function.body, c.Call):
                callee = functions.get(call.function) if isinstance(call.function, str) else None
                if callee is None:
                    continue
                written[name] |= written[callee.name]
                for argument, parameter in zip(call.arguments, callee.parameters, strict=False):
                    if isinstance(argument, c.Name) and parameter.name in several[callee.name]:
                        several[name].add(argument.name)
        if before == [*map(len, written.values()), *map(len, several.values())]:
            break
    return {
        name: [_argument(layouts, parameter, written[name], several[name]) for parameter in function.parameters]
        for name, function in functions.items()
    }


def _written(function: c.Function) -> Iterator[str]:
    """Yields the names of members that a function assigns, or whose address it takes; "*" for a whole structure."""
    for target in (*targets(function.body), *addressed(function.body)):
        at, is_inside = target, False
        while isinstance(at, c.Index | c.Unary):
            at, is_inside = at.base if isinstance(at, c.Index) else at.operand, True
        if not isinstance(at, c.Member):
            yield from ("*",) if is_inside else ()
        elif not is_inside:
            yield from (node.field for node in nodes(at, c.Member))


def _several(function: c.Function) -> Iterator[str]:
    """Yields the names that are used as pointers into an array."""
    one = {id(node.base) for node in nodes(function.body, c.Member) if node.arrow}
    one |= {id(node.operand) for node in nodes(function.body, c.Unary) if node.operator == "*"}
    one |= {id(node.base) for node in nodes(function.body, c.Index) if node.index == c.ZERO}
    one -= {id(node) for taken in addressed(function.body) for node in nodes(taken, c.Name)}
    one |= {id(argument) for call in nodes(function.body, c.Call) for argument in call.arguments}
    for name in nodes(function.body, c.Name):
        if id(name) not in one:
            yield name.name


def _argument(
    layouts: Mapping[str, StructureLayout], parameter: c.Parameter, written: set[str], several: set[str]
) -> StructureName | None:
    layout = structure_below(layouts, parameter.type)
    if layout is None:
        return None
    if not isinstance(parameter.type, c.Pointer | c.Array):
        return StructureName(layout, by_value=frozenset(layout.members))
    if isinstance(parameter.type, c.Array) or parameter.name in several:
        return StructureName(layout, is_pointer=True)
    is_constant = parameter.type.to.const
    steady = (name for name, path in layout.paths.items() if is_constant or not ({"*", path[-1], path[0]} & written))
    held = (name for name, type_ in layout.members.items() if isinstance(type_, c.Pointer | c.Array))
    return StructureName(layout, is_pointer=True, is_one=True, by_value=frozenset((*steady, *held)))
