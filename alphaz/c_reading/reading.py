"""The reads of one statement, collected while the tree of its value is made."""

from dataclasses import dataclass, field
from typing import Any

from alphaz.c_reading.cells import access, element
from alphaz.c_reading.kernel import Access
from alphaz.c_reading.number import constant
from alphaz.c_reading.outside import outside
from alphaz.c_reading.scope import Nest, View
from alphaz.c_reading.tree import Read
from alphaz.c_reading.words import Asides, Words
from alphaz.diagnostics import Span
from alphaz.poly.plain.polynomial import Polynomial


@dataclass(slots=True)
class Reading:
    """The reads of one statement, collected while its tree is made. `chosen`: which conditions are known to hold."""

    words: Words
    nest: Nest
    asides: Asides
    chosen: dict[int, bool] = field(default_factory=dict)
    pointers: list[tuple[View, Span]] = field(default_factory=list)

    def read(self, pointer: View, span: Span, lane: tuple[Polynomial, int] | None = None) -> Read:
        """A leaf; the same cell has one number. Of a vector it is that of the lane."""
        if lane is not None and pointer.extents == (constant(lane[1]),):
            pointer = element(pointer, lane[0])
        known = [each for each, _ in self.pointers]
        if pointer.extents:
            raise outside(span, "an array is used where a number is needed")
        if pointer not in known:
            self.pointers.append((pointer, span))
            known.append(pointer)
        return Read(known.index(pointer), pointer.array.type)

    def accesses(self, domain: Any, asides: Asides) -> tuple[Access, ...]:
        return tuple(access(self.words, span, pointer, domain, asides) for pointer, span in self.pointers)
