"""Tables of arrays, as in generated code: entries are allocated, filled, passed on and released one by one.

    void **T = allocate_zero(..);   T[k] = allocate(..);   double *const x = T[k];   free(T[k]); T[k] = NULL;

All arrays of a table are modelled as one array whose first subscripts are those of the table. Validity of an entry is
data: the model writes 1 for an allocated entry and 0 for NULL, and a statement that takes the pointer must read 1
(`Statement.is_there`). A newly allocated array has unknown contents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from alphaz.diagnostics import Span
from alphaz.model.types import INT
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.cells import subscript
from alphaz.scop.declarations import DeclarationReader
from alphaz.scop.generated_helpers import TABLES, ZEROED
from alphaz.scop.index_values import constant, product
from alphaz.scop.kernel import Annotation, KernelArray
from alphaz.scop.pycparser_queries import nodes, scalar_type
from alphaz.scop.reader_state import Existentials
from alphaz.scop.scope import ArrayTable, Context, Meaning, PointerView
from alphaz.scop.shapes import listed_extents
from alphaz.scop.statement_reads import StatementReads
from alphaz.scop.substitution import mentioned
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import LiteralValue, OperationValue

THERE = "=1"
"""The required value of an entry: the key of the constant."""
_HELD = "this entry of the table"


def is_table(type_: Any) -> bool:
    """Returns True if the type is `void **`."""
    inner = type_.type if isinstance(type_, c_ast.PtrDecl) else None
    base = inner.type if isinstance(inner, c_ast.PtrDecl) else None
    return isinstance(base, c_ast.TypeDecl) and getattr(base.type, "names", None) == ["void"]


def entry_of(nest: Context, node: Any) -> tuple[ArrayTable, Any] | None:
    """Returns the table and the subscript of `T[k]` or `*T` (subscript None: the first entry); None for other nodes."""
    match node:
        case c_ast.ArrayRef(name=c_ast.ID(name=name), subscript=at):
            meaning = nest.names.get(name)
            return (meaning, at) if isinstance(meaning, ArrayTable) else None
        case c_ast.UnaryOp(op="*", expr=c_ast.ID(name=name)):
            meaning = nest.names.get(name)
            return (meaning, None) if isinstance(meaning, ArrayTable) else None
    return None


def is_release(nest: Context, item: Any) -> bool:
    """Returns True for `free(T[k]);`."""
    match item:
        case c_ast.FuncCall(name=c_ast.ID(name="free"), args=c_ast.ExprList(exprs=[entry])):
            return entry_of(nest, entry) is not None
    return False


def is_emptied(item: Any, following: Any) -> bool:
    """Returns True if `free(T[k]);` is followed by `T[k] = NULL;`."""
    match following:
        case c_ast.Assignment(op="=", lvalue=target, rvalue=c_ast.ID(name="NULL")):
            return bool(CGenerator().visit(target) == CGenerator().visit(item.args.exprs[0]))
    return False


class ArrayTableReader(DeclarationReader):
    """Reads declarations, allocations, accesses and releases of tables."""

    def table(self, item: Any, nest: Context, here: Context, span: Span) -> Context:
        """Declares a table, with all entries NULL."""
        init = item.init
        is_known = isinstance(init, c_ast.FuncCall) and isinstance(init.name, c_ast.ID)
        if (
            not is_known
            or self.words.functions.recognised_helper(init.name.name) != ZEROED
            or item.name in self.words.changed
        ):
            raise outside(span, f"the table `{item.name}` must be initialised by `allocate_zero(..)`")
        size = init.args.exprs[1]
        if CGenerator().visit(size) not in (f"sizeof(*{item.name})", "sizeof(void *)"):
            raise outside(span, "the elements of this table must have the size of a pointer: n * sizeof(void *)")
        extents, limit = listed_extents(self.words, nest, init.args.exprs, span)
        if limit is not None:
            raise outside(span, "the extents of this table are not affine in the parameters")
        self._note_allocation(init.name.name)
        there = self.local(item.name, INT, extents, nest, span)
        self.fill(there, here, span)
        return nest.knowing({item.name: ArrayTable(there)})

    def stored(self, target: Any, value: Any, nest: Context, span: Span) -> bool:
        """Reads `T[k] = allocate(..)` or `T[k] = NULL`; returns False for any other assignment."""
        entry = entry_of(nest, target)
        if entry is None:
            return False
        table, at = entry
        self._check_free(table, nest, span)
        there, offset = self._entry(table, at, nest)
        if isinstance(value, c_ast.ID) and value.name == "NULL":
            self.emit(
                there, LiteralValue(Fraction(0), INT), StatementReads(self.words, nest, Existentials()), nest, span
            )
            return True
        if not self._is_allocation(value):
            raise outside(span, "entries of a table can hold only `allocate(..)` or NULL")
        content = self._content(table, value, nest, span)
        self._note_allocation(value.name.name)
        inner = content.extents[len(table.there.array.extents) :]
        start = PointerView(content, inner, (), offset * product(inner))
        self.fill(start, nest.at(0), span, OperationValue("anything", (), content.type))
        self._written(there, nest.at(1), span)
        return True

    def release(self, item: Any, nest: Context, outer: Context, rest: Sequence[Any]) -> Context:
        """Returns the context after an entry is released, where `rest` is the remainder of the block.

        Pointers to the entry that were declared in this block become unknown, if no later statement uses them.
        """
        if not is_release(nest, item):
            return nest
        entry = entry_of(nest, item.args.exprs[0])
        if entry is None or not rest or not is_emptied(item, rest[0]):
            raise outside(
                self.words.span(item), "this entry of the table still points to released memory", "set it to NULL"
            )
        array = entry[0].there.array
        content = self.contents.get(array.name)
        names = {
            name
            for name, meaning in nest.names.items()
            if isinstance(meaning, PointerView) and meaning.array is content
        }
        if array.name in outer.held or any(isinstance(e, c_ast.Pragma) or names & mentioned(e) for e in rest):
            return nest
        remaining_names = {name: meaning for name, meaning in nest.names.items() if name not in names}
        return replace(nest, names=remaining_names, held=nest.held - {array.name})

    def releases(self, name: str, arguments: list[Any], nest: Context, span: Span) -> bool:
        """Reads `free(T[k])` or `free_table(T, rank, (const int64_t[]){..})`; returns False for any other call."""
        if name == "free" and len(arguments) == 1 and (entry := entry_of(nest, arguments[0])) is not None:
            self._check_free(entry[0], nest, span)
            there, _ = self._entry(*entry, nest)
            self.emit(
                there, LiteralValue(Fraction(0), INT), StatementReads(self.words, nest, Existentials()), nest, span
            )
            return True
        if self.words.functions.recognised_helper(name) != TABLES:
            return False
        self._released(arguments, nest, span)
        return True

    def passes_both(self, names: Mapping[str, Meaning]) -> bool:
        """Returns True if the arguments contain a table and an array of one of its entries."""
        tables = [self.contents.get(name.there.array.name) for name in names.values() if isinstance(name, ArrayTable)]
        return any(isinstance(name, PointerView) and name.array in tables for name in names.values())

    def _released(self, arguments: list[Any], nest: Context, span: Span) -> None:
        """Marks the table and the arrays of its entries as released."""
        table = nest.names.get(arguments[0].name) if arguments and isinstance(arguments[0], c_ast.ID) else None
        if (
            not isinstance(table, ArrayTable)
            or listed_extents(self.words, nest, arguments, span)[0] != table.there.array.extents
        ):
            raise outside(span, "cannot release this: expected the start of an allocated array")
        array = table.there.array
        if array.name in self.released or array.prefix != nest.iterators:
            raise outside(span, f"`{array.label}` is released twice, or in a loop that does not allocate it")
        self._check_free(table, nest, span)
        self.released.add(array.name)
        if (content := self.contents.get(array.name)) is not None:
            self.released.add(content.name)

    def read_entry(self, item: Any, nest: Context, here: Context, span: Span) -> Context | None:
        """Reads `double *const x = T[k]`; returns None for any other pointer."""
        entry = entry_of(nest, item.init)
        if entry is None:
            return None
        table, at = entry
        content = self.contents.get(table.there.array.name) or self._declared_entries(table, nest, span)
        is_plain = isinstance(item.type, c_ast.PtrDecl) and scalar_type(item.type.type) is not None
        if content is None or not is_plain or scalar_type(item.type.type) != content.type:
            raise outside(span, f"cannot tell which array `{item.name}` points to")
        if nest.region and not nest.working:
            raise outside(span, "taking a pointer from a table in every thread of `omp parallel` is not supported")
        there, offset = self._entry(table, at, nest)
        count = len(self.statements)
        presence = self.local(item.name, INT, (), nest, span)
        self.assign(presence, c_ast.ID(_HELD, item.coord), here.knowing({_HELD: there}), span)
        for number in range(count, len(self.statements)):
            self.statements[number] = replace(self.statements[number], annotation=Annotation(THERE, ()), is_there=True)
        inner = content.extents[len(table.there.array.extents) :]
        found_there = PointerView(content, (None,), (), offset * product(inner), is_pointer=True)
        return replace(nest.knowing({item.name: found_there}), held=nest.held | {table.there.array.name})

    def _entry(self, table: ArrayTable, at: Any, nest: Context) -> tuple[PointerView, Polynomial]:
        """Returns the cell that says whether the entry is allocated, and its position in the table."""
        asides = Existentials()
        offset = constant(0) if at is None else subscript(self.words, nest, at, asides)
        if asides.iterators:
            raise outside(self.words.span(at), "the subscript of a table must be affine in iterators and parameters")
        return PointerView(table.there.array, (), (), offset), offset

    def _declared_entries(self, table: ArrayTable, nest: Context, span: Span) -> KernelArray | None:
        """Returns the array of the entries as declared by an allocation of the function that has not been read yet."""
        for node in nodes(self.words.body, c_ast.Assignment):
            entry = entry_of(nest, node.lvalue)
            if entry is not None and entry[0] is table and self._is_allocation(node.rvalue):
                return self._content(table, node.rvalue, nest, span)
        return None

    def _is_allocation(self, value: Any) -> bool:
        is_call = isinstance(value, c_ast.FuncCall) and isinstance(value.name, c_ast.ID)
        return is_call and self.words.functions.allocates(value.name.name)

    def _content(self, table: ArrayTable, call: Any, nest: Context, span: Span) -> KernelArray:
        """Returns the array that models the entries; all entries have one type and shape."""
        arguments = call.args.exprs
        extents, limit = listed_extents(self.words, nest, arguments, span)
        size = arguments[1]
        type_ = scalar_type(size.expr.type) if isinstance(getattr(size, "expr", None), c_ast.Typename) else None
        if type_ is None or limit is not None:
            raise outside(
                span,
                "cannot determine type and size of this allocation: expected `allocate(..)` or `allocate_zero(..)`",
            )
        there = table.there.array
        changing = {*nest.iterators} - {*there.prefix}
        if changing & {name for extent in extents if extent is not None for name in extent.names}:
            raise outside(span, "all arrays of a table must have the same shape")
        shape = (*there.extents, *extents)
        content = self.contents.get(there.name)
        if content is None:
            name = self.array_name(there.label)
            content = KernelArray(name=name, type=type_, extents=shape, span=span, prefix=there.prefix)
            self.arrays[name] = self.contents[there.name] = content
        if content.type != type_ or content.extents != shape:
            raise outside(span, "all arrays of a table must have the same type and shape")
        return content

    def _written(self, there: PointerView, nest: Context, span: Span) -> None:
        count = len(self.statements)
        self.emit(there, LiteralValue(Fraction(1), INT), StatementReads(self.words, nest, Existentials()), nest, span)
        for number in range(count, len(self.statements)):
            self.statements[number] = replace(self.statements[number], annotation=Annotation(THERE, ()))

    def _check_free(self, table: ArrayTable, nest: Context, span: Span) -> None:
        """Checks that no pointer into the table is live, here or in callers, so that entries may be released or
        reallocated."""
        array = table.there.array
        if array.name in nest.held:
            message = f"an entry of `{array.label}` changes while a pointer to its array is in use"
            raise outside(span, message, "end the scope of the pointer first")
