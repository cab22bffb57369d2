"""Declarations: the meaning of names after them, their storage, initial values, and `restrict`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

from pycparser import c_ast

from alphaz.diagnostics import Span
from alphaz.model.types import INT, ScalarType
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.assignments import AssignmentReader
from alphaz.scop.cells import element, flat, view
from alphaz.scop.conversions import converted
from alphaz.scop.data_expressions import tree
from alphaz.scop.functions import holds_only_status_codes
from alphaz.scop.index_expressions import index
from alphaz.scop.index_values import constant, number
from alphaz.scop.integer_widths import check_constant, note_width
from alphaz.scop.intrinsics import LaneVector
from alphaz.scop.kernel import KernelArray
from alphaz.scop.pycparser_queries import (
    base,
    begins_with_itself,
    has_unknown_element_type,
    integer,
    is_integer,
    is_zero_of_type,
    nodes,
    scalar_type,
    targets,
)
from alphaz.scop.reader_state import ConditionalValue, Existentials, NoIndex, NonNegative, ReaderState, stays_positive
from alphaz.scop.scope import Context, InlinedValue, NamedInteger, PointerView, ReturnStatus, Undefined
from alphaz.scop.shapes import allocated, declared_extents
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.substitution import names_in
from alphaz.scop.unsupported import outside
from alphaz.scop.vector_calls import integers_in

Place = tuple[int, ...]


def list_of(values: Any, sizes: Sequence[int]) -> Mapping[Place, Any] | None:
    """Returns the listed values, by subscripts; None for designators and for lists that are too long."""
    if not isinstance(values, c_ast.InitList):
        return None
    listed = values.exprs or []
    rows = [isinstance(value_, c_ast.InitList) for value_ in listed]
    if any(isinstance(value_, c_ast.NamedInitializer) for value_ in listed):
        return None
    if not any(rows):
        return {_place(at, sizes): value_ for at, value_ in enumerate(listed)} if len(listed) <= prod(sizes) else None
    if not all(rows) or len(sizes) < 2 or len(listed) > sizes[0]:
        return None
    values_: dict[Place, Any] = {}
    for at, row in enumerate(listed):
        inside = list_of(row, sizes[1:])
        if inside is None:
            return None
        values_ |= {(at, *place): value_ for place, value_ in inside.items()}
    return values_


def is_zero(value: Any) -> bool:
    """Returns True if it is the constant 0 of any type, but not -0.0."""
    return isinstance(value, c_ast.Constant) and value.type in ("int", "double", "float") and _number(value.value) == 0


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("fFlLuU"))
    except ValueError:
        return None


def _place(at: int, sizes: Sequence[int]) -> Place:
    """Returns the subscripts of an element from its flat position."""
    place: list[int] = []
    for size in reversed(sizes):
        at, rest = divmod(at, size)
        place.insert(0, rest)
    return tuple(place)


def is_unaliased(words: ReaderState, nest: Context, item: Any, target: PointerView) -> bool:
    """Returns True if a pointer into an array is the only name of it used in its scope, or all names there only read
    it."""
    scope = _scope(words.body, item)
    if scope is None or target.array in (
        meaning.array for meaning in words.around.values() if isinstance(meaning, PointerView)
    ):
        return False
    others = {
        name
        for name, meaning in nest.names.items()
        if isinstance(meaning, PointerView) and meaning.array is target.array
    }
    others.discard(item.name)
    if not others & names_in(scope):
        return True
    return not _with_derived({item.name, *others}, scope) & _changed_names(words, scope)


def _scope(body: Any, item: Any) -> Any | None:
    """Returns the statements after a declaration in its block; None if the declaration is in no block."""
    for node in nodes(body, c_ast.Compound):
        items: Sequence[Any] = node.block_items or ()
        at = next((at for at, other in enumerate(items) if other is item), None)
        if at is not None:
            return c_ast.Compound([*items[at + 1 :]])
    return None


def _with_derived(names: set[str], scope: Any) -> set[str]:
    """Returns these names and those of declarations that use them."""
    declared = [node for node in nodes(scope, c_ast.Decl) if node.init is not None]
    while more := {declaration.name for declaration in declared if names & names_in(declaration.init)} - names:
        names |= more
    return names


def _changed_names(words: ReaderState, scope: Any) -> set[str]:
    """Returns the names through which an object is, or may be, modified."""
    places = [*targets(scope), *(node.expr for node in nodes(scope, c_ast.UnaryOp) if node.op == "&")]
    places += [node.args for node in nodes(scope, c_ast.FuncCall) if node.args is not None and _may_change(words, node)]
    return {name for place in places for name in names_in(place)}


def _may_change(words: ReaderState, call: Any) -> bool:
    """Returns True if a function may modify an object whose address it receives."""
    functions = words.functions
    if intrinsics := functions.intrinsics(call):
        return any(intrinsic.stored for intrinsic in intrinsics)
    name = call.name.name if isinstance(call.name, c_ast.ID) else ""
    return name in functions.defined or functions.signature(name, len(call.args.exprs)) is None


_ALLOCATORS = ("malloc", "calloc", "aligned_alloc")
# The alignment of the strictest C type (16 bytes on 64-bit machines).
_MALLOC_ALIGNS = 16


class DeclarationReader(AssignmentReader):
    """Reads declarations."""

    def declaration(self, item: Any, nest: Context, here: Context) -> Context:
        """Returns the context after a declaration; assigns the initial value."""
        words, span = self.words, self.words.span(item)
        if isinstance(item.type, c_ast.FuncDecl):
            raise outside(
                span, "function declarations inside a function are not supported", "move it before the function"
            )
        vector = words.functions.vector(base(item.type))
        if vector is not None and not isinstance(item.type, c_ast.PtrDecl):
            _check_storage(item, span)
            return self.vectors(item, nest, here, vector, span)
        _check_storage(item, span)
        if isinstance(item.type, c_ast.PtrDecl) and isinstance(item.type.type, c_ast.PtrDecl):
            return self.table(item, nest, here, span)
        type_ = scalar_type(base(item.type))
        if type_ is None or begins_with_itself(item):
            title = "this declaration" if item.name is None else f"the declaration of `{item.name}`"
            raise outside(span, f"{title} is not supported: expected a scalar, an array, or a pointer to elements")
        if isinstance(item.type, c_ast.PtrDecl):
            return self.pointer(item, nest, here, type_, span)
        if isinstance(item.type, c_ast.ArrayDecl):
            return self.array(item, nest, here, type_, span)
        if type_.kind == "int" and (named_integer := self.number(item, nest, type_)) is not None:
            return named_integer
        then = here if item.init is None else self.called_before(item.init, here)
        if item.init is not None and item.name not in self.words.changed and then is here:
            reading = StatementReads(self.words, nest, Existentials())
            if (inlined := self._inlined_initial(item, reading, type_)) is not None:
                return nest.knowing({item.name: inlined})
        pointer = self._own(self.local(item.name, type_, (), nest, span), nest)
        if item.init is not None:
            self.assign(pointer, item.init, then, span)
        self._seal(pointer, item)
        return nest.knowing({item.name: pointer})

    def _seal(self, pointer: PointerView, item: Any) -> None:
        """Marks the elements of a constant as never written, even through another pointer."""
        if "const" in {*item.quals, *(base(item.type).quals or [])}:
            self.sealed.add(pointer.array.name)

    def table(self, item: Any, nest: Context, here: Context, span: Span) -> Context:
        """Declares a table of pointers."""
        raise NotImplementedError

    def read_entry(self, item: Any, nest: Context, here: Context, span: Span) -> Context | None:
        """Declares a pointer that is an entry of a table; returns None for any other pointer."""
        raise NotImplementedError

    def array(self, item: Any, nest: Context, here: Context, type_: ScalarType, span: Span) -> Context:
        extents = declared_extents(self.words, nest, item.type)
        if isinstance(item.init, c_ast.InitList) and extents[0] is None:
            extents = (constant(len(item.init.exprs or [])), *extents[1:])
        if any(extent is None for extent in extents):
            raise outside(span, f"the extents of `{item.name}` are unknown")
        self._check_lengths(extents, nest, span)
        own = self._own(self.local(item.name, type_, extents, nest, span, alignment=_declared_at(item)), nest)
        if item.init is not None:
            self.initial(own, item.init, here, span)
        self._seal(own, item)
        return nest.knowing({item.name: own})

    def _check_lengths(self, extents: Sequence[Polynomial | None], nest: Context, span: Span) -> None:
        """Checks that arrays have at least one element (C11, 6.7.6.2)."""
        for extent in extents:
            if extent is not None and number(extent) is None:
                least, message = (
                    extent - constant(1),
                    ("this array may have size 0 for some parameters", "declare it where its size is at least 1"),
                )
                self.words.divided.append(NonNegative(nest.iterators, nest.conditions, least, span, otherwise=message))

    def initial(self, pointer: PointerView, values: Any, nest: Context, span: Span) -> None:
        """Assigns the initial values of an array: the listed ones, and zeros."""
        sizes = [None if extent is None else number(extent) for extent in pointer.extents]
        lengths = [size for size in sizes if size is not None]
        if len(lengths) < len(sizes):
            raise outside(span, "an array of variable size cannot have an initializer", "assign them")
        listed = list_of(values, lengths)
        if listed is None:
            raise outside(
                span,
                "this initializer is not supported: expected a list of values",
                "list the values row by row, or assign them",
            )
        nonzero = {at: value for at, value in listed.items() if not is_zero(value)}
        if len(nonzero) < prod(lengths):
            self.fill(pointer, nest.at(0), span)
        for position, (at, value) in enumerate(nonzero.items()):
            target = pointer
            for subscript in at:
                target = element(target, constant(subscript))
            self.assign(target, value, nest.at(position + 1), self.words.span(value))

    def _inlined_initial(self, item: Any, reading: StatementReads, type_: ScalarType) -> InlinedValue | None:
        """Returns a constant initial value without reads as a value to inline."""
        try:
            value = converted(tree(reading, item.init), type_)
        except ConditionalValue:
            return None
        if value is None or reading.pointers or reading.asides.iterators:
            return None
        return InlinedValue(value, type_)

    def number(self, item: Any, nest: Context, type_: ScalarType) -> Context | None:
        """Returns the context in which an integer that changes only in heads of loops has a value; None for data."""
        if type_.bits < 32:
            return None
        if item.name in self.words.changed:
            functions, body = self.words.functions, self.words.body
            is_status = is_zero_of_type(item, INT) and holds_only_status_codes(functions, body, item.name)
            return nest.knowing({item.name: ReturnStatus()}) if is_status else None
        if item.init is None:
            return nest.knowing({item.name: Undefined(type_)})
        if _is_flag(item.init):
            return None
        asides = Existentials()
        try:
            value = index(self.words, nest, item.init, asides)
            check_constant(self.words, item.init, value, type_)
        except NoIndex:
            return None
        note_width(self.words, type_)
        if not type_.signed:
            stays_positive(self.words, nest, value, asides, self.words.span(item))
        return asides.added(nest).knowing({item.name: NamedInteger(value, type_)})

    def pointer(self, item: Any, nest: Context, here: Context, type_: ScalarType, span: Span) -> Context:
        if item.init is None or item.name in self.words.changed:
            raise outside(
                span,
                f"the pointer `{item.name}` is reassigned other than by one step per loop iteration, or a swap",
                "write `p[i]`",
            )
        broken = f"cannot show that no other name accesses the target of `restrict` pointer `{item.name}`"
        if (entry := self.read_entry(item, nest, here, span)) is not None:
            if "restrict" in item.type.quals:
                raise outside(span, broken, "leave it out")
            return entry
        declared = declared_extents(self.words, nest, item.type)
        inner = tuple(extent for extent in declared[1:] if extent is not None)
        init = item.init.expr if isinstance(item.init, c_ast.Cast) else item.init
        if (
            isinstance(init, c_ast.FuncCall)
            and isinstance(init.name, c_ast.ID)
            and (init.name.name in _ALLOCATORS or self.words.functions.allocates(init.name.name))
        ):
            self._check_conversion(item, declared, nest, span)
            self._note_allocation(init.name.name)
            # `sizeof *p` refers to the pointer being declared.
            itself = KernelArray(item.name, type_, declared, span)
            extents, limit = allocated(
                self.words, nest.knowing({item.name: PointerView(itself, declared)}), init, type_, inner
            )
            own = self.local(item.name, type_, extents, nest, span, limit, _allocated_at(init))
            own_pointer = self._own(own, nest)
            self.allocated[own_pointer.array.name] = (nest.region, nest.working)
            pointer = (
                own_pointer
                if len(extents) == len(declared)
                else PointerView(own_pointer.array, declared, (), Polynomial())
            )
            pointer = replace(pointer, is_pointer=True)
            if init.name.name == "calloc":
                self.fill(own_pointer, here, span)
            return nest.knowing({item.name: pointer})
        asides = Existentials()
        target = view(self.words, nest, item.init, asides)
        if target is None or target.array.type != type_:
            raise outside(span, f"cannot tell which array `{item.name}` points to")
        if "restrict" in item.type.quals and not is_unaliased(self.words, nest, item, target):
            raise outside(span, broken, "leave it out")
        if target.extents[1:] != inner:
            target = PointerView(target.array, (None, *inner), (), flat(target))
        return asides.added(nest).knowing({item.name: replace(target, is_pointer=True)})

    def _check_conversion(self, item: Any, declared: Sequence[Polynomial | None], nest: Context, span: Span) -> None:
        """Raises Rejected if newly allocated memory is converted to another type than that of the pointer."""
        if not isinstance(item.init, c_ast.Cast):
            return
        to, own = item.init.to_type.type, base(item.type)
        extents = declared_extents(self.words, nest, to) if isinstance(to, c_ast.PtrDecl) else ()
        if scalar_type(base(to)) != scalar_type(own) or extents != declared:
            raise outside(
                span, "allocated memory is converted to another type than that of the pointer", "remove the conversion"
            )

    def _own(self, pointer: PointerView, nest: Context) -> PointerView:
        """Marks a local variable of a parallel region as private to each thread."""
        if nest.region and not nest.working:
            self.per_thread.add(pointer.array.name)
        return pointer

    def vectors(self, item: Any, nest: Context, here: Context, vector: LaneVector, span: Span) -> Context:
        """Declares vectors, or arrays of vectors, as arrays with one more dimension, the lanes."""
        if has_unknown_element_type(base(item.type)):
            vector = integers_in(self.words, nest, item, self.words.body, vector.bytes * 8)
        extents = (*declared_extents(self.words, nest, item.type), constant(vector.lanes))
        is_every = nest.region and not nest.working
        if is_every or any(extent is None for extent in extents) or begins_with_itself(item):
            raise outside(
                span,
                f"vectors like `{item.name}` must be declared inside the loops of `omp parallel`, with known extents",
            )
        pointer = self.local(item.name, vector.type, extents, nest, span, is_vector=True)
        listed = item.init.exprs if isinstance(item.init, c_ast.InitList) and len(extents) == 2 else None
        if listed is not None and number(extents[0] or Polynomial()) != len(listed):
            raise outside(
                span,
                "this initializer is not supported: expected a list of values",
                "list one value for each vector, or assign them",
            )
        for at, value in enumerate(listed or []):
            self.assign_lanes(element(pointer, constant(at)), value, here.at(at), span)
        if item.init is not None and listed is None:
            self.assign_lanes(pointer, item.init, self.called_before(item.init, here), span)
        return nest.knowing({item.name: pointer})

    def _note_allocation(self, name: str) -> None:
        note = f"`{name}` returns memory of the size asked for"
        if note not in self.words.assumed:
            self.words.assumed.append(note)


def _declared_at(item: Any) -> int:
    """Returns the alignment that a declaration states, in bytes: the largest if there are several."""
    constants = [
        alignment.alignment for alignment in item.align or [] if isinstance(alignment.alignment, c_ast.Constant)
    ]
    return max((integer(alignment) or 1 for alignment in constants if is_integer(alignment)), default=1)


def _allocated_at(call: Any) -> int:
    """Returns the alignment of an allocation, in bytes."""
    if call.name.name in ("malloc", "calloc"):
        return _MALLOC_ALIGNS
    first = call.args.exprs[0] if call.name.name == "aligned_alloc" else None
    return (integer(first) or 1) if isinstance(first, c_ast.Constant) and is_integer(first) else 1


def _is_flag(value: Any) -> bool:
    """Returns True if a value is one of two constants: such data splits a statement into two."""
    sides = (value.iftrue, value.iffalse) if isinstance(value, c_ast.TernaryOp) else (None,)
    return all(isinstance(side, c_ast.Constant) for side in sides)


def _check_storage(item: Any, span: Span) -> None:
    """Raises Rejected for objects that outlive the call, except constants, which are the same in each call."""
    if "extern" in item.storage:
        raise outside(
            span, f"`{item.name}` is `extern`: objects of other files are not supported", "pass it as an argument"
        )
    if "static" in item.storage and (item.init is None or "const" not in item.quals):
        message = f"`{item.name}` is `static`: values kept between calls are not supported"
        raise outside(span, message, "declare it without `static`")
