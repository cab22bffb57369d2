"""Structures as separate variables: each member of a structure, or of an array of structures, is a variable of its own.

float f(const vec2 *p, int i) { return p[i].x; }    float f(const float *p_x, int i) { return p_x[i]; }
vec2 z = {a, b}; z.x += z.y;                        float z_x = a; float z_y = b; z_x += z_y;
q = p + 1;  free(p);                                q_x = p_x + 1; q_y = p_y + 1;  free(p_x); free(p_y);

A pointer argument to one structure passes the members that the function does not assign by value. As for pointers in
general, arguments are taken to lie apart. A function with another use of a structure is `Unsupported`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from alphaz.c import tree as c
from alphaz.c.walk import Part, blocks, nodes, rebuilt, with_blocks
from alphaz.scop.structure_members import (
    StructureLayout,
    StructureName,
    structure_arguments,
    structure_below,
    structure_of,
    structures_of,
)
from alphaz.scop.substitution import as_declared, names_in
from alphaz.scop.tree_queries import addressed, definitions, writes_elsewhere

P = TypeVar("P", bound=Part)
_CHANGES = (c.Step, c.Set)
_OTHER_USE = "this use of a structure is not supported"
_REMEDY = "use its members: `p[i].x`, `p->x`"


class _Refused(Exception):
    """The structure is used in another way, with the place."""

    def __init__(self, place: c.SourcePlace | None, why: str = _OTHER_USE) -> None:
        super().__init__(why)
        self.at, self.why = place, why


@dataclass(frozen=True, slots=True, eq=False)
class _Object:
    """A structure: the value of a member, and its address (None: it has none)."""

    layout: StructureLayout
    value: Callable[[str], c.Expression]
    address: Callable[[str], c.Expression] | None = None


def with_members(tree: c.File) -> c.File:
    """Returns the file with the members of structures as variables of their own."""
    layouts = structures_of(tree)
    if not layouts:
        return tree
    functions = {name: function for name, function in definitions(tree).items() if _concerned(function, layouts)}
    signatures = structure_arguments(functions, layouts)
    split = _Split(layouts, functions, signatures)
    items: list[c.Item] = []
    for item in tree.items:
        if isinstance(item, c.Function) and item.name in functions and item.body is not None:
            items += split.function(item)
        else:
            items.append(item)
    remaining = [
        item for item in items if not (isinstance(item, c.Function) and item.body is None and _names(item, layouts))
    ]
    taken = {node.name for node in nodes(tree, (c.Declare, c.Parameter))} | {
        node.name for node in nodes(tree, (c.Function, c.Typedef))
    }
    plain = replace(tree, items=tuple(_without_unused(remaining)))
    return replace(plain, items=tuple(_checked(item, plain, definitions(tree), taken) for item in plain.items))


def _checked(item: c.Item, tree: c.File, before: Mapping[str, c.Function], taken: set[str]) -> c.Item:
    """Returns the item, unsupported if it computes a member of a returned structure and may do anything else."""
    if not isinstance(item, c.Function) or item.name in before or item.body is None:
        return item
    now, reached = definitions(tree), [item]
    for function in reached:
        called = {call.function for call in nodes(function.body, c.Call)}
        reached += [other for name, other in now.items() if name in called and other not in reached]
    if (
        item.name in taken
        or any(map(writes_elsewhere, reached))
        or any(addressed(function.body) for function in reached)
    ):
        refused = _Refused(item.at, "a function that returns a structure must assign to its own variables alone")
        return replace(item, body=(_unsupported(refused, item),))
    return item


def _without_unused(items: Sequence[c.Item]) -> list[c.Item]:
    """Returns the items without members that are passed to a function which does not use them; one is left of each
    structure."""
    while True:
        unused = {item.name: drop for item in items if isinstance(item, c.Function) and (drop := _unused(item))}
        if not unused:
            return [*items]
        items = [rebuilt(item, partial(_shortened, unused)) for item in items]


def _unused(function: c.Function) -> frozenset[int]:
    """Returns the positions of the members that a function does not use."""
    used = {node.name for node in nodes(function.body, c.Name)}
    groups: dict[str, list[int]] = {}
    for position, parameter in enumerate(function.parameters):
        if parameter.member is not None:
            groups.setdefault(parameter.member.structure.name, []).append(position)
    drop: set[int] = set()
    for group in groups.values():
        idle = [at for at in group if function.parameters[at].name not in used]
        drop |= {*(idle[1:] if len(idle) == len(group) else idle)}
    return frozenset(drop)


def _shortened(unused: Mapping[str, frozenset[int]], part: Part) -> Part | None:
    match part:
        case c.Function(name=name, parameters=parameters) if name in unused:
            left = tuple(parameter for position, parameter in enumerate(parameters) if position not in unused[name])
            inside = rebuilt(replace(part, name="", parameters=left), partial(_shortened, unused))
            return replace(inside, name=name)
        case c.Call(str(name), arguments) if name in unused:
            left_ = tuple(argument for position, argument in enumerate(arguments) if position not in unused[name])
            return replace(part, arguments=tuple(rebuilt(one, partial(_shortened, unused)) for one in left_))
    return None


def _names(function: c.Function, layouts: Mapping[str, StructureLayout]) -> bool:
    """Returns True if the types of a function's arguments or result have a structure."""
    types = [function.type, *(parameter.type for parameter in function.parameters)]
    return any(structure_below(layouts, type_) is not None for type_ in types)


def _concerned(function: c.Function, layouts: Mapping[str, StructureLayout]) -> bool:
    declared = nodes(function.body, c.Declare)
    return _names(function, layouts) or any(structure_below(layouts, node.type) is not None for node in declared)


# --- functions --------------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Split:
    """The rewriting of the functions of a file. `names`: the structures in the function at hand."""

    layouts: Mapping[str, StructureLayout]
    functions: Mapping[str, c.Function]
    signatures: Mapping[str, Sequence[StructureName | None]]
    names: dict[str, StructureName]
    local_pointers: set[str]
    result: str
    fresh: int

    def __init__(
        self,
        layouts: Mapping[str, StructureLayout],
        functions: Mapping[str, c.Function],
        signatures: Mapping[str, Sequence[StructureName | None]],
    ) -> None:
        self.layouts, self.functions, self.signatures = layouts, functions, signatures
        self.names, self.local_pointers, self.result, self.fresh = {}, set(), "", 0

    def function(self, function: c.Function) -> list[c.Function]:
        """Returns the function; one for each member of a structure that it returns."""
        returned = None if isinstance(function.type, c.Pointer) else structure_below(self.layouts, function.type)
        if returned is None:
            return [self._one(function, "")]
        every = [self._one(function, member) for member in returned.members]
        types = returned.members
        return [
            replace(array, name=_joined(function.name, member), type=types[member])
            for array, member in zip(every, types, strict=True)
        ]

    def _one(self, function: c.Function, result: str) -> c.Function:
        self.result = result
        try:
            self.names = dict(self._declared(function))
            pointers = (node.name for node in nodes(function.body, c.Declare) if isinstance(node.type, c.Pointer))
            self.local_pointers = {name for name in pointers if name in self.names}
            parameters = tuple(self._parameters(function))
        except _Refused as refused:
            return replace(function, parameters=(), body=(_unsupported(refused, function),))
        try:
            return replace(function, parameters=parameters, body=self._block(function.body or ()))
        except _Refused as refused:
            return replace(function, parameters=parameters, body=(_unsupported(refused, function),))

    def _declared(self, function: c.Function) -> Iterator[tuple[str, StructureName]]:
        """Yields the structures of a function. Raises _Refused for a name with two meanings."""
        arguments = zip(function.parameters, self.signatures[function.name], strict=True)
        structures = [(parameter.name, variable) for parameter, variable in arguments]
        for node in nodes(function.body, c.Declare):
            layout = structure_below(self.layouts, node.type)
            is_pointer = isinstance(node.type, c.Pointer | c.Array)
            structures.append((node.name, None if layout is None else StructureName(layout, is_pointer=is_pointer)))
        every = [name for name, _ in structures]
        taken = {*every, *(node.name for node in nodes(function.body, c.Name)), *self.functions}
        for name, variable in structures:
            if variable is None:
                continue
            if every.count(name) > 1 and any(
                other is not variable for n, other in structures if n == name and other is None
            ):
                raise _Refused(function.at, f"`{name}` has two meanings, one of them a structure")
            if every.count(name) > 1 and len({id(other.layout) for n, other in structures if n == name and other}) > 1:
                raise _Refused(function.at, f"`{name}` has two meanings, one of them a structure")
            if every.count(name) > 1 and len({other.is_pointer for n, other in structures if n == name and other}) > 1:
                raise _Refused(function.at, f"`{name}` has two meanings, one of them a structure")
            if taken & {_joined(name, member) for member in variable.layout.members}:
                raise _Refused(function.at, f"a member of `{name}` has the name of another variable with `_`")
            yield name, variable

    # --- arguments and declarations ---

    def _parameters(self, function: c.Function) -> Iterator[c.Parameter]:
        for parameter, variable in zip(function.parameters, self.signatures[function.name], strict=True):
            if variable is None:
                yield parameter
                continue
            layout = variable.layout
            pointers = [name for name, type_ in layout.members.items() if isinstance(type_, c.Pointer)]
            for name, type_ in layout.members.items():
                aliases = (name, parameter.name) if pointers == [name] else (name,)
                is_each = variable.is_pointer and not variable.is_one
                of = c.MemberOf(parameter, layout.paths[name], aliases, is_each=is_each, is_pointer=name in pointers)
                yield c.Parameter(
                    self._passed(parameter, variable, name, type_),
                    _joined(parameter.name, name),
                    member=of,
                    at=parameter.at,
                )

    def _passed(self, parameter: c.Parameter, variable: StructureName, member: str, type_: c.Type) -> c.Type:
        if not variable.is_pointer:
            if isinstance(type_, c.Array):
                raise _Refused(parameter.at, "a structure with an array is passed by value")
            return type_
        if variable.is_one and member in variable.by_value:
            return type_
        return self._pointing(parameter.type, type_, parameter.at)

    def _pointing(self, type_: c.Type, member: c.Type, place: c.SourcePlace | None) -> c.Type:
        """Returns the type of a pointer or an array of structures for one member."""
        if isinstance(member, c.Pointer):
            raise _Refused(place, "an array of structures with pointers is not supported")
        if isinstance(type_, c.Pointer):
            if isinstance(type_.to, c.Pointer | c.Array):
                raise _Refused(place)
            return replace(type_, to=_constant(member, type_.to.const))
        if isinstance(type_, c.Array):
            inside = type_.of
            is_inner = isinstance(inside, c.Pointer | c.Array)
            return replace(
                type_, of=self._pointing(inside, member, place) if is_inner else _constant(member, inside.const)
            )
        raise _Refused(place)

    def _declarations(self, node: c.Declare) -> Iterator[c.Statement]:
        variable = self.names[node.name]
        layout = variable.layout
        if {"static", "extern"} & {*node.storage.split()} or node.align is not None:
            raise _Refused(node.at)
        if not variable.is_pointer:
            values = None if node.value is None else self._initial(layout, node.value)
            for name, type_ in layout.members.items():
                value = None if values is None else values(name)
                if value is not None and isinstance(type_, c.Array):
                    raise _Refused(node.at, "a structure with an array is copied")
                type_ = _constant(type_, node.type.const)
                yield replace(node, type=type_, name=_joined(node.name, name), value=value)
            return
        if isinstance(node.type, c.Array) and node.value is not None:
            raise _Refused(node.at, "an array of structures has initial values")
        pointing = None if node.value is None else self._pointer(node.value, layout)
        for name, type_ in layout.members.items():
            value = None if pointing is None else pointing(name)
            yield replace(
                node, type=self._pointing(node.type, type_, node.at), name=_joined(node.name, name), value=value
            )

    def _initial(self, layout: StructureLayout, value: c.Expression) -> Callable[[str], c.Expression]:
        if isinstance(value, c.Init):
            listed = self._listed(layout, value)
            return lambda name: listed.get(name, c.Cast(layout.members[name], c.ZERO))
        return self._object(value, layout).value

    def _listed(self, layout: StructureLayout, init: c.Init) -> dict[str, c.Expression]:
        """Returns the listed values, by members; those that are left out are 0."""
        fields = layout.fields
        values: dict[str, c.Expression] = {}
        at = 0
        for designators, value in init.values:
            if designators:
                (designator,) = designators if len(designators) == 1 else (None,)
                if not isinstance(designator, str) or designator not in fields:
                    raise _Refused(init.at)
                at = fields.index(designator)
            if at >= len(fields) or nodes(value, _CHANGES):
                raise _Refused(init.at)
            field, at = fields[at], at + 1
            if field in layout.inner:
                raise _Refused(init.at)
            if isinstance(value, c.Init):
                raise _Refused(init.at)
            type_ = layout.members.get(field)
            values[field] = self._value(value) if type_ is None else as_declared(type_, self._value(value))
        return values

    # --- statements ---

    def _block(self, statements: Iterable[c.Statement]) -> tuple[c.Statement, ...]:
        return tuple(after for statement in statements for after in self._statements(statement))

    def _statements(self, node: c.Statement) -> Iterator[c.Statement]:
        match node:
            case c.Declare(name=name) if name in self.names:
                yield from self._declarations(node)
            case c.Assign(target, value, "=") if self._is_object(target):
                yield from self._copied(node, target, value)
            case c.Assign(c.Name(name), value, operator) if name in self.names and self.names[name].is_pointer:
                layout = self.names[name].layout
                pointing = self._pointer(value, layout) if operator == "=" else lambda _: self._value(value)
                for member in layout.members:
                    yield replace(node, target=c.Name(_joined(name, member), at=node.at), value=pointing(member))
            case c.Evaluate(expression):
                yield from (replace(node, expression=effect) for effect in self._effects(expression))
            case c.Return(value) if self.result and value is not None:
                yield replace(node, value=self._object(value).value(self.result))
            case c.For():
                start = self._block(node.start)
                steps = tuple(after for step in node.steps for after in self._effects(step))
                test = None if node.test is None else self._value(node.test)
                yield replace(node, start=start, test=test, steps=steps, body=self._block(node.body))
            case c.Omp(clauses=clauses):
                body = None if node.body is None else self._block(node.body)
                yield replace(node, clauses=tuple(map(self._clause, clauses)), body=body)
            case _ if any(True for _ in blocks(node)):
                inside = with_blocks(node, lambda block: ())
                inside = self._value(inside)
                parts = iter([self._block(block) for block in blocks(node)])
                yield with_blocks(inside, lambda block: next(parts))
            case _:
                yield self._value(node)

    def _copied(self, node: c.Assign, target: c.Expression, value: c.Expression) -> Iterator[c.Statement]:
        """Yields the assignments of the members; through further variables if the value is computed."""
        to = self._object(target)
        source = self._object(value, to.layout)
        if any(isinstance(type_, c.Array) for type_ in to.layout.members.values()):
            raise _Refused(node.at, "a structure with an array is copied")
        if any(names_in(node.index) & {*self.names} for node in nodes(target, c.Index)):
            raise _Refused(node.at)
        if not isinstance(value, c.Name) and (
            isinstance(value, c.Compound | c.Call) or names_in(value) & names_in(target) & {*self.names}
        ):
            self.fresh += 1
            held = {name: f"value_{self.fresh}_{name}" for name in to.layout.members}
            types = to.layout.members.items()
            begun = [c.Declare(type_, held[name], source.value(name), at=node.at) for name, type_ in types]
            ended = [replace(node, target=to.value(name), value=c.Name(held[name], at=node.at)) for name, _ in types]
            yield c.Block((*begun, *ended), at=node.at)
            return
        for name in to.layout.members:
            yield replace(node, target=to.value(name), value=source.value(name))

    def _effects(self, node: c.Expression) -> Iterator[c.Expression]:
        """Yields an expression whose value is not used, once for each member that it changes."""
        match node:
            case c.Step(operand=c.Name(name)) if name in self.names and self.names[name].is_pointer:
                for member in self.names[name].layout.members:
                    yield replace(node, operand=c.Name(_joined(name, member), at=node.at))
            case c.Set(target=c.Name(name), value=value) if name in self.names and self.names[name].is_pointer:
                layout = self.names[name].layout
                pointing = self._pointer(value, layout) if node.operator == "=" else lambda _: self._value(value)
                for member in layout.members:
                    yield replace(node, target=c.Name(_joined(name, member), at=node.at), value=pointing(member))
            case c.Call("free" | "memcpy" | "memset" as name, arguments) if self._points(arguments[0]):
                layout = self._pointed(arguments[0])
                others = [self._pointer(arguments[1], layout)] if name == "memcpy" else []
                to = self._pointer(arguments[0], layout)
                for member in layout.members:
                    rest = arguments[1:] if name != "memcpy" else arguments[2:]
                    passed = (to(member), *(other(member) for other in others))
                    yield replace(node, arguments=(*passed, *(self._sized(one, layout, member) for one in rest)))
            case c.Comma(values):
                for value in values:
                    yield from self._effects(value)
            case _:
                yield self._value(node)

    def _clause(self, clause: c.Clause) -> c.Clause:
        arguments: list[c.Expression] = []
        for argument in clause.arguments:
            if isinstance(argument, c.Name) and argument.name in self.names:
                if clause.name not in ("private", "firstprivate", "shared"):
                    raise _Refused(argument.at)
                members = self.names[argument.name].layout.members
                arguments += [c.Name(_joined(argument.name, name), at=argument.at) for name in members]
            else:
                arguments.append(argument)
        return replace(clause, arguments=tuple(arguments))

    # --- expressions ---

    def _value(self, part: P) -> P:
        """Returns an expression, or a statement, without structures."""
        return rebuilt(part, self._changed)

    def _changed(self, part: Part) -> Part | None:
        match part:
            case c.Unary("&", c.Member() as taken) if self._is_in_array(taken):
                raise _Refused(part.at, "the address of a member of an array of structures is taken")
            case c.Index(c.Member(field=field) as taken, c.Literal(index)) if (
                self._is_in_array(taken) and (array := self._array(taken, field)) is not None
            ):
                if not (isinstance(array.extent, c.Literal) and _is_below(index, array.extent.text)):
                    raise _Refused(part.at)
                return c.Index(self._owned(taken), part.index, at=part.at)
            case c.Member():
                if self._is_in_array(part) and self._array(part, part.field) is not None:
                    raise _Refused(
                        part.at, "an array inside of an array of structures has a subscript that is no number"
                    )
                return self._member(part)
            case c.Call(str(name), arguments) if name in self.functions:
                if self._returned(name) is not None:
                    raise _Refused(part.at)
                return replace(part, arguments=tuple(self._arguments(part, name, arguments)))
            case c.Binary("==" | "!=" | "<" | ">" | "<=" | ">=" | "-", left, right) if self._points(
                left
            ) and self._points(right):
                layout = self._pointed(left)
                first = next(iter(layout.members))
                one, other = self._pointer(left, layout), self._pointer(right, layout)
                return replace(part, left=one(first), right=other(first))
            case c.Name(name) if name in self.names:
                raise _Refused(part.at)
            case c.Named() | c.Record() if structure_of(part, self.layouts) is not None:
                raise _Refused(None)
        return None

    def _root(self, node: c.Member) -> tuple[c.Expression, bool]:
        """Returns the structure, or pointer to one, that a member of a member belongs to."""
        at, is_arrow = node.base, node.arrow
        while isinstance(at, c.Member) and not is_arrow:
            is_arrow, at = at.arrow, at.base
        return at, is_arrow

    def _is_in_array(self, node: c.Member) -> bool:
        """Returns True for a member of a structure that may be one of an array."""
        at, is_arrow = self._root(node)
        if is_arrow:
            return self._points(at) and not self._is_one(at) and not isinstance(at, c.Unary)
        return isinstance(at, c.Index | c.Unary) and self._is_object(at) and not self._is_one(_inside(at))

    def _array(self, node: c.Member, field: str) -> c.Array | None:
        at, is_arrow = self._root(node)
        layout = self._pointed(at) if is_arrow else self._object(at).layout
        path = [field]
        while isinstance(node.base, c.Member) and not node.arrow:
            node = node.base
            path.insert(0, node.field)
        type_ = layout.members.get("_".join(path))
        return type_ if isinstance(type_, c.Array) else None

    def _owned(self, node: c.Member) -> c.Expression:
        element = self._member(node)
        if element is None:
            raise _Refused(node.at)
        return element

    def _member(self, node: c.Member) -> c.Expression | None:
        """Returns the member; None if it is that of another kind of object (of `threadIdx`)."""
        path, at = [node.field], node.base
        is_arrow = node.arrow
        while isinstance(at, c.Member) and not is_arrow:
            path, is_arrow, at = [at.field, *path], at.arrow, at.base
        if not (self._points(at) if is_arrow else self._is_object(at)):
            return None
        owner = self._dereferenced(at) if is_arrow else self._object(at)
        name = "_".join(path)
        if name not in owner.layout.members:
            raise _Refused(node.at)
        return owner.value(name)

    def _is_object(self, node: c.Expression) -> bool:
        """Returns True if an expression is a structure."""
        match node:
            case c.Name(name):
                return name in self.names and not self.names[name].is_pointer
            case c.Index(base) | c.Unary("*", base):
                return self._points(base)
            case c.Compound(type_):
                return structure_of(type_, self.layouts) is not None
            case c.Call(str(name)):
                return self._returned(name) is not None
        return False

    def _returned(self, name: str) -> StructureLayout | None:
        function = self.functions.get(name)
        if function is None or isinstance(function.type, c.Pointer):
            return None
        return structure_below(self.layouts, function.type)

    def _points(self, node: c.Expression) -> bool:
        """Returns True if an expression points to a structure."""
        match node:
            case c.Name(name):
                return name in self.names and self.names[name].is_pointer
            case c.Binary("+" | "-", left, right):
                return self._points(left) != self._points(right)
            case c.Unary("&", operand):
                return self._is_object(operand)
        return False

    def _pointed(self, node: c.Expression) -> StructureLayout:
        match node:
            case c.Name(name):
                return self.names[name].layout
            case c.Binary(_, left, right):
                return self._pointed(left if self._points(left) else right)
            case c.Unary("&", operand):
                return self._object(operand).layout
        raise _Refused(node.at)

    def _object(self, node: c.Expression, wanted: StructureLayout | None = None) -> _Object:
        structure = self._some_object(node)
        if wanted is not None and structure.layout is not wanted:
            raise _Refused(node.at)
        return structure

    def _some_object(self, node: c.Expression) -> _Object:
        match node:
            case c.Name(name) if self._is_object(node):
                variable = partial(_named, name, node.at)
                return _Object(
                    self.names[name].layout, variable, lambda member: c.Unary("&", variable(member), at=node.at)
                )
            case c.Index(base, index) if self._points(base) and not nodes(index, _CHANGES):
                if self._is_one(base):
                    return self._dereferenced(base)
                layout, place = self._pointed(base), self._value(index)
                pointing = self._pointer(base, layout)
                return _Object(
                    layout,
                    lambda member: c.Index(pointing(member), place, at=node.at),
                    lambda member: c.Unary("&", c.Index(pointing(member), place, at=node.at), at=node.at),
                )
            case c.Unary("*", base) if self._points(base):
                return self._dereferenced(base)
            case c.Compound(type_, init):
                layout_ = structure_of(type_, self.layouts)
                if layout_ is not None:
                    return _Object(layout_, self._initial(layout_, init))
            case c.Call(str(name), arguments):
                returned = self._returned(name)
                if returned is not None and not nodes(arguments, _CHANGES):
                    passed = tuple(self._arguments(node, name, arguments))
                    return _Object(returned, lambda member: c.Call(_joined(name, member), passed, at=node.at))
        raise _Refused(node.at)

    def _is_one(self, pointer: c.Expression) -> bool:
        return isinstance(pointer, c.Name) and pointer.name in self.names and self.names[pointer.name].is_one

    def _dereferenced(self, pointer: c.Expression) -> _Object:
        layout = self._pointed(pointer)
        if isinstance(pointer, c.Unary):
            return self._object(pointer.operand)
        if self._is_one(pointer) and isinstance(pointer, c.Name):
            variable = self.names[pointer.name]
            named = partial(_named, pointer.name, pointer.at)
            return _Object(
                layout,
                lambda member: (
                    named(member) if member in variable.by_value else c.Index(named(member), c.ZERO, at=pointer.at)
                ),
                lambda member: _refuse(pointer.at) if member in variable.by_value else named(member),
            )
        pointing = self._pointer(pointer, layout)
        return _Object(layout, lambda member: c.Index(pointing(member), c.ZERO, at=pointer.at), pointing)

    def _pointer(self, node: c.Expression, layout: StructureLayout) -> Callable[[str], c.Expression]:
        """Returns the pointers to the members of the structures that an expression points to."""
        match node:
            case c.Cast(type_, operand) if isinstance(type_, c.Pointer):
                if isinstance(operand, c.Call):
                    if structure_below(self.layouts, type_) is not layout:
                        raise _Refused(node.at)
                    return self._pointer(operand, layout)
            case c.Call("malloc" | "calloc" | "aligned_alloc", arguments):
                return lambda member: replace(
                    node, arguments=tuple(self._sized(argument, layout, member) for argument in arguments)
                )
            case c.Name(name) if self._points(node) and not self._is_one(node):
                if self.names[name].layout is layout:
                    return partial(_named, name, node.at)
            case c.Binary(operator, left, right) if self._points(node):
                is_left = self._points(left)
                if not is_left and operator == "-":
                    raise _Refused(node.at)
                one, other = self._pointer(left if is_left else right, layout), self._value(right if is_left else left)
                return lambda member: c.Binary(operator, one(member), other, at=node.at)
            case c.Unary("&", operand) if self._is_object(operand):
                structure = self._object(operand, layout)
                if structure.address is not None:
                    return structure.address
        raise _Refused(node.at)

    def _sized(self, node: c.Expression, layout: StructureLayout, member: str) -> c.Expression:
        """Returns a size, or a number, with the size of the structure replaced by that of the member."""

        def change(part: Part) -> Part | None:
            match part:
                case c.SizeOf(of):
                    is_type = isinstance(of, c.Named | c.Record) and structure_of(of, self.layouts) is layout
                    if is_type or (isinstance(of, c.Unary | c.Index) and self._sized_object(of) is layout):
                        return replace(part, of=layout.members[member])
            return self._changed(part)

        return rebuilt(node, change)

    def _sized_object(self, node: c.Expression) -> StructureLayout | None:
        base = node.operand if isinstance(node, c.Unary) else node.base if isinstance(node, c.Index) else node
        return self.names[base.name].layout if isinstance(base, c.Name) and self._points(base) else None

    def _arguments(self, call: c.Call, name: str, arguments: Sequence[c.Expression]) -> Iterator[c.Expression]:
        """Yields the arguments of a call of a function of the file. No structure that it may change is passed twice."""
        parameters = self.signatures[name]
        if len(parameters) != len(arguments):
            raise _Refused(call.at)
        roots: list[str] = []
        for argument, variable in zip(arguments, parameters, strict=True):
            if variable is None:
                yield self._value(argument)
                continue
            members = variable.layout.members
            if not variable.is_pointer:
                yield from map(self._object(argument, variable.layout).value, members)
                continue
            roots += [node.name for node in nodes(argument, c.Name) if node.name in self.names]
            if not variable.is_one:
                yield from map(self._pointer(argument, variable.layout), members)
                continue
            if not self._points(argument) or self._pointed(argument) is not variable.layout:
                raise _Refused(argument.at)
            structure = self._dereferenced(argument)
            if structure.address is None:
                raise _Refused(argument.at)
            for member in members:
                yield structure.value(member) if member in variable.by_value else structure.address(member)
        passed = [variable for variable in parameters if variable is not None and variable.is_pointer]
        is_changed = any(not v.is_one or len(v.by_value) < len(v.layout.members) for v in passed)
        is_apart = len({*roots}) == len(roots) and not {*roots} & self.local_pointers
        if is_changed and len(passed) > 1 and not is_apart:
            raise _Refused(call.at, "one structure may be passed to two arguments, of which one may be changed")


def _inside(node: c.Expression) -> c.Expression:
    return node.base if isinstance(node, c.Index) else node.operand if isinstance(node, c.Unary) else node


def _is_below(index: str, extent: str) -> bool:
    return index.isdecimal() and extent.isdecimal() and int(index) < int(extent)


def _joined(name: str, member: str) -> str:
    return f"{name}_{member}"


def _named(name: str, place: c.SourcePlace | None, member: str) -> c.Expression:
    return c.Name(_joined(name, member), at=place)


def _constant(type_: c.Type, is_constant: bool) -> c.Type:
    """Returns a type whose elements are constant as well."""
    if not is_constant:
        return type_
    return replace(type_, of=_constant(type_.of, True)) if isinstance(type_, c.Array) else replace(type_, const=True)


def _refuse(place: c.SourcePlace | None) -> c.Expression:
    raise _Refused(place)


def _unsupported(refused: _Refused, function: c.Function) -> c.Unsupported:
    return c.Unsupported(refused.why, _REMEDY, at=refused.at or function.at)
