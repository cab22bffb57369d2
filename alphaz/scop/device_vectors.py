"""The vector types of CUDA as their lanes.

float4 v = reinterpret_cast<const float4 *>(x)[i];    aligned$(&x[4 * i], 16); float v$x = x[4 * i], ..
*(float4 *)&s[k] = v;                                 aligned$(&s[k], 16); s[k] = v$x; s[k + 1] = v$y; ..
void f(const float4 *p) { .. p[i].x .. }              void f(const float *p) { .. p[4 * i] .. }

A vector in memory begins at a multiple of its size, which `aligned$` checks. Only the lanes that a text uses are read.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeVar

from alphaz.c import tree as c
from alphaz.c.cuda_preparation import VECTOR_CAST, VECTORS
from alphaz.c.walk import Part, blocks, nodes, rebuilt, with_blocks
from alphaz.diagnostics import Source
from alphaz.scop.substitution import names_in
from alphaz.scop.tree_queries import definitions, element_type, named_type
from alphaz.scop.unsupported import outside, span_of

P = TypeVar("P", bound=Part)
ALIGNED = "aligned$"
_FIELDS = "xyzw"
_MAKE = "make_"


@dataclass(frozen=True, slots=True)
class _Vector:
    name: str
    element: c.Type
    lanes: int
    bytes: int


@dataclass(frozen=True, slots=True)
class _Address:
    """Elements from `offset` behind a pointer or array."""

    vector: _Vector
    pointer: c.Expression
    offset: c.Expression

    def lane(self, number: int) -> c.Expression:
        at, lane = self.pointer.at, c.Literal(str(number))
        offset = c.Binary("+", self.offset, lane, at=at) if number else self.offset
        match self.pointer:
            case c.Unary("&", c.Index(base, index)) | c.Binary("+", base, index):
                return c.Index(base, c.Binary("+", index, offset, at=at), at=at)
        return c.Index(self.pointer, offset, at=at)


def with_lanes(source: Source, tree: c.File) -> c.File:
    """Returns the file with lanes in the place of vectors. Raises Rejected for another use of a vector type."""
    own = {
        name: all(isinstance(parameter.type, c.Scalar | c.Named) for parameter in function.parameters)
        for name, function in definitions(tree).items()
    }
    items = tuple(_of_function(source, item, own) if isinstance(item, c.Function) else item for item in tree.items)
    changed = replace(tree, items=items)
    for function in (item for item in changed.items if isinstance(item, c.Function)):
        for node in nodes(function, c.Node):
            types = [value for name in ("type", "of") if isinstance(value := getattr(node, name, None), c.Qualified)]
            if any(_vector_below(type_) for type_ in types):
                raise outside(span_of(source, node), "this use of a vector is not supported", "use its elements")
    return changed


def _vector_of(type_: c.Qualified) -> _Vector | None:
    lanes = VECTORS.get(type_.name) if isinstance(type_, c.Named) and not type_.volatile else None
    if lanes is None:
        return None
    name, number = lanes
    scalar = named_type(tuple(name.split()))
    assert scalar is not None
    assert isinstance(type_, c.Named)
    return _Vector(type_.name, c.scalar(scalar), number, number * scalar.bits // 8)


def _vector_below(type_: c.Qualified) -> _Vector | None:
    """Returns the vector of a type, of its elements, or of those that it points to."""
    while isinstance(type_, c.Pointer | c.Array):
        type_ = type_.to if isinstance(type_, c.Pointer) else type_.of
    return _vector_of(type_)


def _of_function(source: Source, function: c.Function, own: Mapping[str, bool]) -> c.Function:
    if not any(map(_is_of_vectors, nodes(function, (c.Declare, c.Parameter, c.Cast, c.SizeOf, c.Call)))):
        return function
    lanes = _Lanes(source, own)
    parameters = tuple(
        replace(parameter, type=lanes.declared(parameter, parameter.type)) for parameter in function.parameters
    )
    for node in nodes(function.body, c.Declare):
        if node.name in lanes.types and lanes.types[node.name] != node.type:
            raise lanes.refused(node)
        lanes.types[node.name] = node.type
    body = None if function.body is None else lanes.block(function.body)
    return replace(function, parameters=parameters, body=body)


def _is_of_vectors(node: c.Node) -> bool:
    match node:
        case c.Declare() | c.Parameter() | c.Cast():
            return _vector_below(node.type) is not None
        case c.SizeOf(c.Named() as type_):
            return _vector_of(type_) is not None
        case c.Call(str(name)):
            return name.removeprefix(VECTOR_CAST) in VECTORS or name.removeprefix(_MAKE) in VECTORS
    return False


@dataclass(slots=True)
class _Lanes:
    """The rewriting of one function; `types` are those of its names, `own` the functions of the file, with True for
    those that are passed numbers alone."""

    source: Source
    own: Mapping[str, bool]
    types: dict[str, c.Type] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def refused(self, node: c.Node) -> Exception:
        return outside(span_of(self.source, node), "this use of a vector is not supported", "use its elements")

    def without_effects(self, node: c.Expression) -> c.Expression:
        """Returns an expression that may be written twice, or in another order."""
        calls = nodes(node, c.Call)
        if nodes(node, (c.Step, c.Set)) or not all(map(self._is_function, calls)):
            message = "a change of a variable or of memory in an expression of a vector is not supported"
            raise outside(span_of(self.source, node), message, "change it in a statement of its own")
        return self.changed(node)

    def _is_function(self, call: c.Call) -> bool:
        name = call.function
        return isinstance(name, str) and not name.startswith("atomic") and self.own.get(name, True)

    # --- declarations -------------------------------------------------------------------------------------------------

    def declared(self, node: c.Declare | c.Parameter, type_: c.Type) -> c.Type:
        """Returns the type of elements of a pointer to vectors, or of an array of them."""
        if isinstance(node, c.Parameter):
            self.types[node.name] = type_
        vector = _vector_below(type_)
        if vector is None:
            return type_
        match type_:
            case c.Pointer(to=c.Named() as inner):
                return replace(type_, to=replace(vector.element, const=inner.const))
            case c.Array(of=c.Named(), extent=extent) if extent is not None:
                size = c.Binary("*", extent, c.Literal(str(vector.lanes)), at=node.at)
                return replace(type_, of=vector.element, extent=size)
            case c.Array(of=c.Array() as inner):
                return replace(type_, of=self.declared(c.Declare(inner, ""), inner))
        raise self.refused(node)

    # --- addresses and values -----------------------------------------------------------------------------------------

    def address(self, node: c.Expression) -> _Address | None:
        """Returns the elements that a pointer to vectors points to; None for other expressions."""
        match node:
            case c.Cast(c.Pointer(to=c.Named() as inner), operand) if (vector := _vector_of(inner)) is not None:
                return self._converted(vector, operand)
            case c.Call(str(name), (operand,)) if name.startswith(VECTOR_CAST):
                vector = _vector_of(c.Named(name.removeprefix(VECTOR_CAST)))
                return None if vector is None else self._converted(vector, operand)
            case c.Name(name) if isinstance(type_ := self.types.get(name), c.Pointer | c.Array):
                vector = _vector_of(type_.to if isinstance(type_, c.Pointer) else type_.of)
                return None if vector is None else _Address(vector, node, c.ZERO)
            case c.Index(base, index) if (row := self._row(base)) is not None:
                return _Address(row, c.Index(base, self.without_effects(index), at=node.at), c.ZERO)
            case c.Binary("+", pointer, index) if (start := self.address(pointer)) is not None:
                return self._behind(start, index)
            case c.Unary("&", c.Index(pointer, index)) if (start := self.address(pointer)) is not None:
                return self._behind(start, index)
        return None

    def _row(self, base: c.Expression) -> _Vector | None:
        """Returns the vector of an array of two dimensions."""
        match base:
            case c.Name(name) if isinstance(type_ := self.types.get(name), c.Array) and isinstance(type_.of, c.Array):
                return _vector_of(type_.of.of)
        return None

    def _behind(self, start: _Address, index: c.Expression) -> _Address:
        lanes = c.Literal(str(start.vector.lanes), at=index.at)
        offset: c.Expression = c.Binary("*", lanes, self.without_effects(index), at=index.at)
        if start.offset != c.ZERO:
            offset = c.Binary("+", start.offset, offset, at=index.at)
        return replace(start, offset=offset)

    def _converted(self, vector: _Vector, operand: c.Expression) -> _Address:
        """Returns an address that is converted to one of vectors of its own elements."""
        inside = self.address(operand)
        if inside is not None:
            if inside.vector.element != vector.element:
                raise self.refused(operand)
            return replace(inside, vector=vector)
        root: c.Expression = operand
        while isinstance(root, c.Unary | c.Index | c.Binary):
            root = root.left if isinstance(root, c.Binary) else root.base if isinstance(root, c.Index) else root.operand
        own = self.types.get(root.name) if isinstance(root, c.Name) else None
        if not isinstance(own, c.Pointer | c.Array) or element_type(own) != element_type(vector.element):
            raise self.refused(operand)
        return _Address(vector, self.without_effects(operand), c.ZERO)

    def vector(self, node: c.Expression) -> tuple[list[c.Expression], list[_Address]] | None:
        """Returns the lanes of a vector, and the memory that it is in; None for other expressions."""
        match node:
            case c.Name(name) if name in self.types and (vector := _vector_of(self.types[name])) is not None:
                return [c.Name(f"{name}${_FIELDS[position]}", at=node.at) for position in range(vector.lanes)], []
            case c.Call(str(name), arguments) if name.removeprefix(_MAKE) in VECTORS and name.startswith(_MAKE):
                if len(arguments) != VECTORS[name.removeprefix(_MAKE)][1]:
                    raise self.refused(node)
                inside = [self.without_effects(argument) for argument in arguments]
                return inside, [place for argument in arguments for place in self.loaded(argument)]
            case c.Call("__ldg", (pointer,)) | c.Unary("*", pointer):
                place = self.address(pointer)
            case c.Index(pointer, index):
                start = self.address(pointer)
                place = None if start is None else self._behind(start, index)
            case _:
                return None
        if place is None:
            return None
        return [place.lane(position) for position in range(place.vector.lanes)], [place]

    def changed(self, node: P) -> P:
        """Returns an expression, or a statement, with members of vectors as elements."""

        def change(part: Part) -> Part | None:
            match part:
                case c.Member(base, name, False) if (inside := self.vector(base)) is not None:
                    if name not in _FIELDS[: len(inside[0])]:
                        raise self.refused(part)
                    lane = inside[0][_FIELDS.index(name)]
                    is_made = isinstance(base, c.Call) and base.function != "__ldg"
                    return c.Cast(self._kind(base).element, lane, at=part.at) if is_made else lane
                case c.Member(base, name, True) if (place := self.address(base)) is not None:
                    if name not in _FIELDS[: place.vector.lanes]:
                        raise self.refused(part)
                    return place.lane(_FIELDS.index(name))
                case c.SizeOf(c.Named() as type_) if (vector := _vector_of(type_)) is not None:
                    return c.Literal(str(vector.bytes), at=part.at)
                case c.Declare() if isinstance(part.type, c.Pointer | c.Array) and _vector_below(part.type):
                    value = None if part.value is None else self.changed(part.value)
                    return replace(part, type=self.declared(part, part.type), value=value)
                case c.Cast() | c.Call() | c.Unary("&") | c.Binary("+") if (place := self.address(part)) is not None:
                    if place.offset == c.ZERO:
                        return place.pointer
                    return c.Binary("+", place.pointer, place.offset, at=part.at)
            if isinstance(part, c.Node) and self._is_other_use(part):
                raise self.refused(part)
            return None

        return rebuilt(node, change)

    def _is_other_use(self, part: c.Node) -> bool:
        """Returns True for a whole vector in an expression, and for arithmetic of pointers that is not supported."""
        match part:
            case c.Name() | c.Call() | c.Index() | c.Unary("*") if self.vector(part) is not None:
                return True
            case c.Binary(_, left, right):
                return any(self.address(operand) is not None for operand in (left, right))
            case c.Step(operand=operand) | c.Unary(operand=operand):
                return self.address(operand) is not None
            case c.Set(target=target):
                return self.address(target) is not None
            case c.Assign(target, _, operator):
                return operator != "=" and self.address(target) is not None
        return False

    def loaded(self, tree: Part) -> list[_Address]:
        """Returns the vectors in memory that an expression, or a statement, uses."""
        addresses = list[_Address]()
        for member in nodes(tree, c.Member):
            inside = None if member.arrow else self.vector(member.base)
            place = self.address(member.base) if member.arrow else None
            addresses += [place] if place is not None else [] if inside is None else inside[1]
        return addresses

    # --- statements ---------------------------------------------------------------------------------------------------

    def block(self, statements: Sequence[c.Statement]) -> tuple[c.Statement, ...]:
        return tuple(new for statement in statements for new in self._statement(statement))

    def _statement(self, statement: c.Statement) -> list[c.Statement]:
        if any(True for _ in blocks(statement)):
            plain = with_blocks(statement, lambda _: ())
            if self.loaded(plain):
                raise self.refused(statement)
            inner = with_blocks(statement, self.block)
            return [self._heads(inner)]
        match statement:
            case c.Declare() if (own := _vector_of(statement.type)) is not None:
                if (
                    statement.storage
                    or statement.space not in (c.AddressSpace.HOST, c.AddressSpace.REGISTER)
                    or statement.align
                ):
                    raise self.refused(statement)
                names = [f"{statement.name}${_FIELDS[position]}" for position in range(own.lanes)]
                type_ = replace(own.element, const=statement.type.const)
                values, places = self._valued(statement.value, own, statement)
                declared = [
                    replace(statement, type=type_, name=name, value=value)
                    for name, value in zip(names, values, strict=True)
                ]
                return [*map(_check, places), *declared]
            case c.Assign(target, value, "=") if (left := self.vector(target)) is not None:
                return self._assigned(statement, left, value)
        return [*map(_check, self.loaded(statement)), self.changed(statement)]

    def _heads(self, statement: c.Statement) -> c.Statement:
        bodies: list[tuple[c.Statement, ...]] = [*blocks(statement)]
        plain = self.changed(with_blocks(statement, lambda _: ()))
        waiting = iter(bodies)
        return with_blocks(plain, lambda _: next(waiting))

    def _valued(
        self, value: c.Expression | None, own: _Vector, node: c.Node
    ) -> tuple[Sequence[c.Expression | None], list[_Address]]:
        if value is None:
            return [None] * own.lanes, []
        inside = self.vector(value)
        if inside is None or self._kind(value).name != own.name:
            raise self.refused(node)
        return inside

    def _assigned(
        self, statement: c.Assign, left: tuple[list[c.Expression], list[_Address]], value: c.Expression
    ) -> list[c.Statement]:
        right = self.vector(value)
        kind = self._kind(statement.target)
        if right is None or self._kind(value).name != kind.name:
            raise self.refused(statement)
        checks = [_check(place) for place in (*left[1], *right[1])]
        targets, values, first = left[0], right[0], list[c.Statement]()
        has_loads = bool(nodes(values, (c.Index, c.Unary)))
        if names_in(targets) & names_in(values) or (left[1] and has_loads):
            # All lanes are read before one is written.
            names = [f"lane${next(self.numbers)}" for _ in values]
            first = [
                c.Declare(kind.element, name, one, space=c.AddressSpace.REGISTER, at=statement.at)
                for name, one in zip(names, values, strict=True)
            ]
            values = [c.Name(name, at=statement.at) for name in names]
        stores = [replace(statement, target=target, value=other) for target, other in zip(targets, values, strict=True)]
        return [*checks, *first, *stores]

    def _kind(self, node: c.Expression) -> _Vector:
        """Returns the type of an expression that is a `vector`."""
        match node:
            case c.Name(name) if name in self.types:
                vector = _vector_of(self.types[name])
            case c.Call(str(name)) if name.startswith(_MAKE):
                vector = _vector_of(c.Named(name.removeprefix(_MAKE)))
            case c.Call("__ldg", (pointer,)) | c.Unary("*", pointer) | c.Index(pointer, _):
                place = self.address(pointer)
                vector = None if place is None else place.vector
            case _:
                vector = None
        if vector is None:
            raise self.refused(node)
        return vector


def _check(place: _Address) -> c.Statement:
    """Returns the statement that checks the alignment of a vector in memory."""
    address = c.Unary("&", place.lane(0), at=place.pointer.at)
    call = c.Call(ALIGNED, (address, c.Literal(str(place.vector.bytes), at=place.pointer.at)), at=place.pointer.at)
    return c.Evaluate(call, at=place.pointer.at)
