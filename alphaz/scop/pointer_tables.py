"""Tables of arrays, as in generated code: entries are allocated, filled, passed on and released one by one.

    void **T = allocate_zero(..);   T[k] = allocate(..);   double *const x = T[k];   free(T[k]); T[k] = NULL;

All arrays of a table are modelled as one array whose first subscripts are those of the table. Validity of an entry is
data: the model writes 1 for an allocated entry and 0 for NULL, and a statement that takes the pointer must read 1
(`Statement.is_there`). A newly allocated array has unknown contents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from alphaz.c import tree as c
from alphaz.c.walk import nodes
from alphaz.diagnostics import Span
from alphaz.model.types import INT
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.assignments import array_name, assign, fill, local, store
from alphaz.scop.c_model import Annotation, KernelArray
from alphaz.scop.generated_helpers import TABLES, ZEROED
from alphaz.scop.index_polynomials import constant_polynomial, product
from alphaz.scop.lvalues import subscript
from alphaz.scop.reader_state import Existentials, ReaderState
from alphaz.scop.scope import ArrayTable, Context, Meaning, PointerView
from alphaz.scop.shapes import listed_extents
from alphaz.scop.substitution import mentioned
from alphaz.scop.tree_queries import freed, is_void, scalar_type
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import LiteralValue, OperationValue

THERE = "=1"
"""The required value of an entry: the key of the constant."""
_HELD = "this entry of the table"
_NULL = c.Name("NULL")
_ABSENT, _PRESENT = LiteralValue(Fraction(0), INT), LiteralValue(Fraction(1), INT)


def is_table(type_: c.Type) -> bool:
    """Returns True if the type is `void **`."""
    match type_:
        case c.Pointer(c.Pointer(to)):
            return is_void(to)
    return False


def entry_of(nest: Context, node: c.Expression | None) -> tuple[ArrayTable, c.Expression | None] | None:
    """Returns the table and the subscript of `T[k]` or `*T` (subscript None: the first entry); None for other nodes."""
    match node:
        case c.Index(c.Name(name), at) if isinstance(meaning := nest.names.get(name), ArrayTable):
            return meaning, at
        case c.Unary("*", c.Name(name)) if isinstance(meaning := nest.names.get(name), ArrayTable):
            return meaning, None
    return None


def declare_table(state: ReaderState, item: c.Declare, nest: Context, here: Context, span: Span) -> Context:
    """Declares a table, with all entries NULL."""
    allocation = _allocation(state, item.value)
    is_zeroed = allocation is not None and state.functions.recognised_helper(allocation[0]) == ZEROED
    if allocation is None or not is_zeroed or item.name in state.changed:
        raise outside(span, f"the table `{item.name}` must be initialised by `allocate_zero(..)`")
    name, arguments = allocation
    if arguments[1] not in (c.SizeOf(c.Unary("*", c.Name(item.name))), c.SizeOf(c.Pointer(c.VOID))):
        raise outside(span, "the elements of this table must have the size of a pointer: n * sizeof(void *)")
    extents, limit = listed_extents(state, nest, arguments, span)
    if limit is not None:
        raise outside(span, "the extents of this table are not affine in the parameters")
    note_allocation(state, name)
    there = local(state, item.name, INT, extents, nest, span)
    fill(state, there, here, span)
    return nest.with_names({item.name: ArrayTable(there)})


def store_entry(state: ReaderState, target: c.Expression, value: c.Expression, nest: Context, span: Span) -> bool:
    """Reads `T[k] = allocate(..)` or `T[k] = NULL`; returns False for any other assignment."""
    entry = entry_of(nest, target)
    if entry is None:
        return False
    table, at = entry
    _check_free(table, nest, span)
    there, offset = _entry(state, table, at, nest)
    if value == _NULL:
        store(state, there, _ABSENT, nest, span)
        return True
    allocation = _allocation(state, value)
    if allocation is None:
        raise outside(span, "entries of a table can hold only `allocate(..)` or NULL")
    name, arguments = allocation
    content = _content(state, table, arguments, nest, span)
    note_allocation(state, name)
    inner = content.extents[len(table.there.array.extents) :]
    start = PointerView(content, inner, (), offset * product(inner))
    fill(state, start, nest.at(0), span, OperationValue("anything", (), content.type))
    first = len(state.statements)
    store(state, there, _PRESENT, nest.at(1), span)
    _annotate(state, first)
    return True


def release(
    state: ReaderState, item: c.Statement, nest: Context, outer: Context, rest: Sequence[c.Statement]
) -> Context:
    """Returns the context after an entry is released, where `rest` is the remainder of the block.

    Pointers to the entry that were declared in this block become unknown, if no later statement uses them.
    """
    argument = freed(item)
    entry = entry_of(nest, argument)
    if argument is None or entry is None:
        return nest
    if not rest or rest[0] != c.Assign(argument, _NULL):
        message = "this entry of the table still points to released memory"
        raise outside(state.span(item), message, "set it to NULL")
    array = entry[0].there.array
    content = state.contents.get(array.name)
    meanings = nest.names.items()
    names = {name for name, meaning in meanings if isinstance(meaning, PointerView) and meaning.array is content}
    if array.name in outer.held or any(isinstance(e, c.Omp | c.Pragma) or names & mentioned(e) for e in rest):
        return nest
    others = {name: meaning for name, meaning in meanings if name not in names}
    return replace(nest, names=others, held=nest.held - {array.name})


def releases(state: ReaderState, name: str, arguments: Sequence[c.Expression], nest: Context, span: Span) -> bool:
    """Reads `free(T[k])` or `free_table(T, rank, (const int64_t[]){..})`; returns False for any other call."""
    if name == "free" and len(arguments) == 1 and (entry := entry_of(nest, arguments[0])) is not None:
        _check_free(entry[0], nest, span)
        there, _ = _entry(state, *entry, nest)
        store(state, there, _ABSENT, nest, span)
        return True
    if state.functions.recognised_helper(name) != TABLES:
        return False
    _release_all(state, arguments, nest, span)
    return True


def passes_both(state: ReaderState, names: Mapping[str, Meaning]) -> bool:
    """Returns True if the arguments contain a table and an array of one of its entries."""
    tables = [state.contents.get(name.there.array.name) for name in names.values() if isinstance(name, ArrayTable)]
    return any(isinstance(name, PointerView) and name.array in tables for name in names.values())


def _release_all(state: ReaderState, arguments: Sequence[c.Expression], nest: Context, span: Span) -> None:
    """Marks the table and the arrays of its entries as released."""
    table = nest.meaning(arguments[0]) if arguments else None
    extents = listed_extents(state, nest, arguments, span)[0] if isinstance(table, ArrayTable) else ()
    if not isinstance(table, ArrayTable) or extents != table.there.array.extents:
        raise outside(span, "cannot release this: expected the start of an allocated array")
    array = table.there.array
    if array.name in state.released or array.prefix != nest.iterators:
        raise outside(span, f"`{array.label}` is released twice, or in a loop that does not allocate it")
    _check_free(table, nest, span)
    state.released.add(array.name)
    if (content := state.contents.get(array.name)) is not None:
        state.released.add(content.name)


def read_entry(state: ReaderState, item: c.Declare, nest: Context, here: Context, span: Span) -> Context | None:
    """Reads `double *const x = T[k]`; returns None for any other pointer."""
    entry = entry_of(nest, item.value)
    if entry is None:
        return None
    table, at = entry
    content = state.contents.get(table.there.array.name) or _declared_entries(state, table, nest, span)
    type_ = scalar_type(item.type.to) if isinstance(item.type, c.Pointer) else None
    if content is None or type_ is None or type_ != content.type:
        raise outside(span, f"cannot tell which array `{item.name}` points to")
    if nest.is_every_thread:
        raise outside(span, "taking a pointer from a table in every thread of `omp parallel` is not supported")
    there, offset = _entry(state, table, at, nest)
    first = len(state.statements)
    presence = local(state, item.name, INT, (), nest, span)
    assign(state, presence, c.Name(_HELD, at=item.at), here.with_names({_HELD: there}), span)
    _annotate(state, first, is_there=True)
    inner = content.extents[len(table.there.array.extents) :]
    found_there = PointerView(content, (None,), (), offset * product(inner), is_pointer=True)
    return replace(nest.with_names({item.name: found_there}), held=nest.held | {table.there.array.name})


def note_allocation(state: ReaderState, name: str) -> None:
    state.assume(f"`{name}` returns memory of the size asked for")


def _entry(
    state: ReaderState, table: ArrayTable, at: c.Expression | None, nest: Context
) -> tuple[PointerView, Polynomial]:
    """Returns the cell that says whether the entry is allocated, and its position in the table."""
    asides = Existentials()
    offset = constant_polynomial(0) if at is None else subscript(state, nest, at, asides)
    if at is not None and asides.iterators:
        raise outside(state.span(at), "the subscript of a table must be affine in iterators and parameters")
    return PointerView(table.there.array, (), (), offset), offset


def _declared_entries(state: ReaderState, table: ArrayTable, nest: Context, span: Span) -> KernelArray | None:
    """Returns the array of the entries as declared by an allocation of the function that has not been read yet."""
    for node in nodes(state.body, (c.Assign, c.Set)):
        entry = entry_of(nest, node.target)
        allocation = _allocation(state, node.value) if entry is not None and entry[0] is table else None
        if allocation is not None:
            return _content(state, table, allocation[1], nest, span)
    return None


def _allocation(state: ReaderState, value: c.Expression | None) -> tuple[str, tuple[c.Expression, ...]] | None:
    """Returns the name and the arguments of a call that allocates an array; None for other values."""
    match value:
        case c.Call(str() as name, arguments) if state.functions.allocates(name):
            return name, arguments
    return None


def _content(
    state: ReaderState, table: ArrayTable, arguments: Sequence[c.Expression], nest: Context, span: Span
) -> KernelArray:
    """Returns the array that models the entries of an allocation; all entries have one type and shape."""
    extents, limit = listed_extents(state, nest, arguments, span)
    size = arguments[1].of if isinstance(arguments[1], c.SizeOf) else None
    type_ = scalar_type(size) if isinstance(size, c.Type) else None
    if type_ is None or limit is not None:
        remedy = "expected `allocate(..)` or `allocate_zero(..)`"
        raise outside(span, f"cannot determine type and size of this allocation: {remedy}")
    there = table.there.array
    changing = {*nest.iterators} - {*there.prefix}
    if changing & {name for extent in extents if extent is not None for name in extent.names}:
        raise outside(span, "all arrays of a table must have the same shape")
    shape = (*there.extents, *extents)
    content = state.contents.get(there.name)
    if content is None:
        name = array_name(state, there.label)
        content = KernelArray(name=name, type=type_, extents=shape, span=span, prefix=there.prefix)
        state.arrays[name] = state.contents[there.name] = content
    if content.type != type_ or content.extents != shape:
        raise outside(span, "all arrays of a table must have the same type and shape")
    return content


def _annotate(state: ReaderState, first: int, *, is_there: bool = False) -> None:
    """States that the last statements, from `first` on, write the value of an allocated entry."""
    for number in range(first, len(state.statements)):
        statement = state.statements[number]
        state.statements[number] = replace(statement, annotation=Annotation(THERE, ()), is_there=is_there)


def _check_free(table: ArrayTable, nest: Context, span: Span) -> None:
    """Checks that no pointer into the table is live, here or in callers, so that entries may be released or
    reallocated."""
    array = table.there.array
    if array.name in nest.held:
        message = f"an entry of `{array.label}` changes while a pointer to its array is in use"
        raise outside(span, message, "end the scope of the pointer first")
