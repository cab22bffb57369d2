"""Checks that a computed pointer stays inside of its array, or just behind its last element."""

from alphaz.diagnostics import Span
from alphaz.poly import Affine, at_least, less
from alphaz.scop.assignments import domain_of
from alphaz.scop.index_polynomials import affine
from alphaz.scop.lvalues import offset_subscripts
from alphaz.scop.reader_state import ReaderState
from alphaz.scop.scope import Context, PointerView
from alphaz.scop.unsupported import outside


def check_inside(state: ReaderState, nest: Context, pointer: PointerView, span: Span) -> None:
    """Raises Rejected for a pointer that may be outside of its array. Where affine numbers do not say, it is assumed to
    be inside."""
    array = pointer.array
    is_whole = pointer.offset is None and not pointer.lead
    if array.in_rows and not is_whole:
        _check_row(state, nest, pointer, span)
        return
    if is_whole or array.is_used or array.in_rows or array.packed is not None or array.limit is not None:
        return
    subscripts = pointer.lead if pointer.offset is None else offset_subscripts(pointer.offset, array)
    bounds = [
        (affine(subscript), None if extent is None else affine(extent))
        for subscript, extent in zip(subscripts, array.extents, strict=False)
    ]
    known = [(value, extent) for value, extent in bounds if value is not None and extent is not None]
    if len(known) == len(bounds):
        has_elements = [at_least(extent, 0) for _, extent in known]
        cases = [
            (case, *has_elements) for value, extent in known for case in (less(value, Affine()), less(extent, value))
        ]
        if domain_of(state, nest.where(tuple(cases))).is_empty():
            return
        if all(value == Affine() for value, _ in known[1:]):
            message = f"this pointer may be outside of `{array.label}`, which is undefined even if it is not used"
            raise outside(span, message, "compute it where it is used")
    state.assume(f"the pointer in line {span.position[0]} stays inside of `{array.label}`")


def _check_row(state: ReaderState, nest: Context, pointer: PointerView, span: Span) -> None:
    """Raises Rejected for the pointer of a row that the array may not have: it is read from memory."""
    array, (extent, *_) = pointer.array, pointer.array.extents
    row, rows = affine(pointer.lead[0]) if pointer.lead else None, None if extent is None else affine(extent)
    if row is not None and rows is not None:
        outside_of = [(case,) for case in (less(row, Affine()), less(rows, row + 1))]
        if domain_of(state, nest.where(tuple(outside_of))).is_empty():
            return
    raise outside(span, f"this row may be outside of `{array.label}`", "use it only where the array has such a row")
