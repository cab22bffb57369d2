"""Declarations: what names mean behind them, what is allocated for them, and their initial values."""

from collections.abc import Sequence
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
from alphaz.scop.functions import (
    base,
    begins_with_itself,
    integer,
    is_integer,
    is_untold,
    is_zero_of_type,
    only_of_success,
    scalar_type,
)
from alphaz.scop.index_expressions import index
from alphaz.scop.index_values import constant, number
from alphaz.scop.initial_values import is_zero, list_of
from alphaz.scop.integer_widths import check_constant, note_width
from alphaz.scop.intrinsics import LaneVector
from alphaz.scop.kernel import KernelArray
from alphaz.scop.reader_state import ConditionalValue, Existentials, NoIndex, NonNegative, stays_positive
from alphaz.scop.restrict_pointers import is_kept
from alphaz.scop.scope import Context, InlinedValue, NamedInteger, PointerView, ReturnStatus, Undefined
from alphaz.scop.shapes import allocated, declared_extents
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.unsupported import outside
from alphaz.scop.vector_calls import integers_in

_ALLOCATORS = ("malloc", "calloc", "aligned_alloc")
# As any type of C may need (16 bytes on machines of 64 bits).
_MALLOC_ALIGNS = 16


class DeclarationReader(AssignmentReader):
    """Declares what the text declares."""

    def declaration(self, item: Any, nest: Context, here: Context) -> Context:
        """What the name means in the rest of the block; its initial value is assigned."""
        words, span = self.words, self.words.span(item)
        if isinstance(item.type, c_ast.FuncDecl):
            raise outside(span, "a function that is declared inside of another one is not understood", "do it before")
        vector = words.functions.vector(base(item.type))
        if vector is not None and not isinstance(item.type, c_ast.PtrDecl):
            _check_storage(item, span)
            return self.vectors(item, nest, here, vector, span)
        _check_storage(item, span)
        if isinstance(item.type, c_ast.PtrDecl) and isinstance(item.type.type, c_ast.PtrDecl):
            return self.table(item, nest, here, span)
        type_ = scalar_type(base(item.type))
        if type_ is None or begins_with_itself(item):
            said = "this declaration" if item.name is None else f"the declaration of `{item.name}`"
            raise outside(span, f"{said} is not understood")
        if isinstance(item.type, c_ast.PtrDecl):
            return self.pointer(item, nest, here, type_, span)
        if isinstance(item.type, c_ast.ArrayDecl):
            return self.array(item, nest, here, type_, span)
        if type_.kind == "int" and (known := self.number(item, nest, type_)) is not None:
            return known
        then = here if item.init is None else self.called_before(item.init, here)
        if item.init is not None and item.name not in self.words.changed and then is here:
            reading = StatementReads(self.words, nest, Existentials())
            if (given := self._given(item, reading, type_)) is not None:
                return nest.knowing({item.name: given})
        pointer = self._own(self.local(item.name, type_, (), nest, span), nest)
        if item.init is not None:
            self.assign(pointer, item.init, then, span)
        self._seal(pointer, item)
        return nest.knowing({item.name: pointer})

    def _seal(self, pointer: PointerView, item: Any) -> None:
        """What is constant has the values that it begins with, whoever says otherwise of a pointer to it."""
        if "const" in {*item.quals, *(base(item.type).quals or [])}:
            self.sealed.add(pointer.array.name)

    def table(self, item: Any, nest: Context, here: Context, span: Span) -> Context:
        """A table of pointers."""
        raise NotImplementedError

    def taken(self, item: Any, nest: Context, here: Context, span: Span) -> Context | None:
        """A pointer that stands in a table; None for any other."""
        raise NotImplementedError

    def array(self, item: Any, nest: Context, here: Context, type_: ScalarType, span: Span) -> Context:
        extents = declared_extents(self.words, nest, item.type)
        if isinstance(item.init, c_ast.InitList) and extents[0] is None:
            extents = (constant(len(item.init.exprs or [])), *extents[1:])
        if any(extent is None for extent in extents):
            raise outside(span, f"nothing says how many elements `{item.name}` has")
        self._check_lengths(extents, nest, span)
        own = self._own(self.local(item.name, type_, extents, nest, span, alignment=_declared_at(item)), nest)
        if item.init is not None:
            self.initial(own, item.init, here, span)
        self._seal(own, item)
        return nest.knowing({item.name: own})

    def _check_lengths(self, extents: Sequence[Polynomial | None], nest: Context, span: Span) -> None:
        """Arrays have elements (C11, 6.7.6.2)."""
        for extent in extents:
            if extent is not None and number(extent) is None:
                least, said = extent - constant(1), ("this array may have no element", "declare it where it has some")
                self.words.divided.append(NonNegative(nest.iterators, nest.conditions, least, span, otherwise=said))

    def initial(self, pointer: PointerView, values: Any, nest: Context, span: Span) -> None:
        """The values that an array begins with: zeros, and those that are listed."""
        sizes = [None if extent is None else number(extent) for extent in pointer.extents]
        known = [size for size in sizes if size is not None]
        if len(known) < len(sizes):
            raise outside(span, "an array whose size is no constant has no initial values", "assign them")
        listed = list_of(values, known)
        if listed is None:
            raise outside(span, "these initial values are not understood", "list them, row by row, or assign them")
        given = {at: each for at, each in listed.items() if not is_zero(each)}
        if len(given) < prod(known):
            self.fill(pointer, nest.at(0), span)
        for position, (at, each) in enumerate(given.items()):
            target = pointer
            for subscript in at:
                target = element(target, constant(subscript))
            self.assign(target, each, nest.at(position + 1), self.words.span(each))

    def _given(self, item: Any, reading: StatementReads, type_: ScalarType) -> InlinedValue | None:
        """A constant that reads nothing stands for its value."""
        try:
            value = converted(tree(reading, item.init), type_)
        except ConditionalValue:
            return None
        if value is None or reading.pointers or reading.asides.iterators:
            return None
        return InlinedValue(value, type_)

    def number(self, item: Any, nest: Context, type_: ScalarType) -> Context | None:
        """The nest that knows what an integer stands for that changes in heads of loops only; None for data."""
        if type_.bits < 32:
            return None
        if item.name in self.words.changed:
            functions, body = self.words.functions, self.words.body
            is_status = is_zero_of_type(item, INT) and only_of_success(functions, body, item.name)
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
            raise outside(span, f"`{item.name}` is a pointer that changes, which is not understood", "write `p[i]`")
        broken = f"what `restrict` promises of `{item.name}` is not seen to be kept"
        if (known := self.taken(item, nest, here, span)) is not None:
            if "restrict" in item.type.quals:
                raise outside(span, broken, "leave it out")
            return known
        declared = declared_extents(self.words, nest, item.type)
        inner = tuple(each for each in declared[1:] if each is not None)
        init = item.init.expr if isinstance(item.init, c_ast.Cast) else item.init
        if (
            isinstance(init, c_ast.FuncCall)
            and isinstance(init.name, c_ast.ID)
            and (init.name.name in _ALLOCATORS or self.words.functions.allocates(init.name.name))
        ):
            self._check_conversion(item, declared, nest, span)
            self._note_allocation(init.name.name)
            # `sizeof *p` speaks of the pointer that is being declared.
            itself = KernelArray(item.name, type_, declared, span)
            extents, limit = allocated(
                self.words, nest.knowing({item.name: PointerView(itself, declared)}), init, type_, inner
            )
            own = self.local(item.name, type_, extents, nest, span, limit, _allocated_at(init))
            found = self._own(own, nest)
            self.allocated[found.array.name] = (nest.region, nest.working)
            pointer = found if len(extents) == len(declared) else PointerView(found.array, declared, (), Polynomial())
            pointer = replace(pointer, is_pointer=True)
            if init.name.name == "calloc":
                self.fill(found, here, span)
            return nest.knowing({item.name: pointer})
        asides = Existentials()
        target = view(self.words, nest, item.init, asides)
        if target is None or target.array.type != type_:
            raise outside(span, f"what `{item.name}` points to is not understood")
        if "restrict" in item.type.quals and not is_kept(self.words, nest, item, target):
            raise outside(span, broken, "leave it out")
        if target.extents[1:] != inner:
            target = PointerView(target.array, (None, *inner), (), flat(target))
        return asides.added(nest).knowing({item.name: replace(target, is_pointer=True)})

    def _check_conversion(self, item: Any, declared: Sequence[Polynomial | None], nest: Context, span: Span) -> None:
        """Raises Rejected where fresh memory is converted to another type than that of the pointer."""
        if not isinstance(item.init, c_ast.Cast):
            return
        to, own = item.init.to_type.type, base(item.type)
        extents = declared_extents(self.words, nest, to) if isinstance(to, c_ast.PtrDecl) else ()
        if scalar_type(base(to)) != scalar_type(own) or extents != declared:
            raise outside(span, "what is allocated is converted to another type", "leave the conversion out")

    def _own(self, pointer: PointerView, nest: Context) -> PointerView:
        """In a parallel region each thread has one of these."""
        if nest.region and not nest.working:
            self.per_thread.add(pointer.array.name)
        return pointer

    def vectors(self, item: Any, nest: Context, here: Context, vector: LaneVector, span: Span) -> Context:
        """Vectors, or arrays of them: arrays with one dimension more, that of the lanes."""
        if is_untold(base(item.type)):
            vector = integers_in(self.words, nest, item, self.words.body, vector.bytes * 8)
        extents = (*declared_extents(self.words, nest, item.type), constant(vector.lanes))
        is_every = nest.region and not nest.working
        if is_every or any(extent is None for extent in extents) or begins_with_itself(item):
            raise outside(span, f"the declaration of `{item.name}` is not understood")
        pointer = self.local(item.name, vector.type, extents, nest, span, is_vector=True)
        listed = item.init.exprs if isinstance(item.init, c_ast.InitList) and len(extents) == 2 else None
        if listed is not None and number(extents[0] or Polynomial()) != len(listed):
            raise outside(span, "these initial values are not understood", "list one for each vector, or assign them")
        for at, each in enumerate(listed or []):
            self.assign_lanes(element(pointer, constant(at)), each, here.at(at), span)
        if item.init is not None and listed is None:
            self.assign_lanes(pointer, item.init, self.called_before(item.init, here), span)
        return nest.knowing({item.name: pointer})

    def _note_allocation(self, name: str) -> None:
        note = f"`{name}` returns memory of the size asked for"
        if note not in self.words.assumed:
            self.words.assumed.append(note)


def _declared_at(item: Any) -> int:
    """What a declaration aligns an array to: of several that is the most."""
    constants = [each.alignment for each in item.align or [] if isinstance(each.alignment, c_ast.Constant)]
    return max((integer(each) or 1 for each in constants if is_integer(each)), default=1)


def _allocated_at(call: Any) -> int:
    """What the address of an allocation is a multiple of."""
    if call.name.name in ("malloc", "calloc"):
        return _MALLOC_ALIGNS
    first = call.args.exprs[0] if call.name.name == "aligned_alloc" else None
    return (integer(first) or 1) if isinstance(first, c_ast.Constant) and is_integer(first) else 1


def _is_flag(value: Any) -> bool:
    """Whether a value is one of two constants: that is data for which statements are made two."""
    sides = (value.iftrue, value.iffalse) if isinstance(value, c_ast.TernaryOp) else (None,)
    return all(isinstance(side, c_ast.Constant) for side in sides)


def _check_storage(item: Any, span: Span) -> None:
    """Raises Rejected for what lives longer than the call, but for constants, which are the same in each."""
    if "extern" in item.storage:
        raise outside(span, f"`{item.name}` is declared in another file", "pass it as an argument")
    if "static" in item.storage and (item.init is None or "const" not in item.quals):
        said = f"`{item.name}` keeps its value from call to call, which is not understood"
        raise outside(span, said, "declare it without `static`")
