"""The reads of one statement, collected while the tree of its value is built."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from alphaz.diagnostics import Span
from alphaz.poly import Domain
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import ArrayAccess
from alphaz.scop.index_polynomials import constant_polynomial
from alphaz.scop.lvalues import access, element
from alphaz.scop.reader_state import Existentials, ReaderState
from alphaz.scop.scope import Context, PointerView
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import ReadValue


@dataclass(slots=True)
class StatementReads:
    """The reads of one statement, collected while its tree is built. `chosen`: the conditions known to hold."""

    state: ReaderState
    nest: Context
    asides: Existentials
    chosen: Mapping[int, bool] = field(default_factory=dict)
    pointers: list[tuple[PointerView, Span]] = field(default_factory=list)

    def read(self, pointer: PointerView, span: Span, lane: tuple[Polynomial, int] | None = None) -> ReadValue:
        """Returns a leaf; the same cell has one number. For a vector it is the cell of the lane."""
        if lane is not None and pointer.extents == (constant_polynomial(lane[1]),):
            pointer = element(pointer, lane[0])
        pointers = [pointer_ for pointer_, _ in self.pointers]
        if pointer.extents:
            raise outside(span, f"expected a scalar, found array `{pointer.array.label}`")
        if pointer not in pointers:
            self.pointers.append((pointer, span))
            pointers.append(pointer)
        return ReadValue(pointers.index(pointer), pointer.array.type)

    def accesses(self, domain: Domain, asides: Existentials) -> tuple[ArrayAccess, ...]:
        return tuple(access(self.state, span, pointer, domain, asides) for pointer, span in self.pointers)
