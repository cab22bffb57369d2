"""An estimate of the operations in loops, rather too large than too small: it decides whether threads are worth their
start.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import TypeAlias

from alphaz.loops.tree import For, Instance, Let, Node, inside
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer_expression import Integer, IntegerOperation, as_affine

# The operations of an instance, by its name; None: unknown.
Operations: TypeAlias = Callable[[str], int | None]
# So many bounds of a value are compared.
_MOST = 4
_ONE = Affine(constant=1)


@dataclass(frozen=True, slots=True)
class OperationCount:
    """`operations` for each element of a box with these `extents`, affine expressions that are not constant."""

    operations: int
    extents: tuple[Affine, ...] = ()


@dataclass(frozen=True, slots=True)
class _Range:
    """Bounds of an iterator, affine in names outside of the loops, and the step of its loop."""

    low: tuple[Affine, ...]
    high: tuple[Affine, ...]
    step: Affine = _ONE

    @staticmethod
    def of(low: Sequence[Affine], high: Sequence[Affine], ranges: "_Ranges", step: Affine = _ONE) -> "_Range":
        return _Range(tuple(_bounds(low, ranges, -1)), tuple(_bounds(high, ranges, 1)), step)


_Ranges: TypeAlias = Mapping[str, _Range]


def operation_count(node: Node, operations: Operations) -> OperationCount | None:
    """Returns the count of the largest of several parts; None where it is unknown. A loop over tiles counts the points
    of its tiles, and one over the points of a tile counts nothing.
    """
    return _count(node, operations, {})


def _count(node: Node, operations: Operations, ranges: _Ranges) -> OperationCount | None:
    match node:
        case Instance(name):
            count = operations(name)
            return None if count is None else OperationCount(count)
        case For():
            return _of_loop(node, operations, ranges)
        case Let(iterator, _, value, body):
            own = as_affine(value)
            known = () if own is None else (own,)
            return _count(body, operations, {**ranges, iterator: _Range.of(known, known, ranges)})
    return _largest([_count(child, operations, ranges) for child in inside(node)])


def _largest(parts: Sequence[OperationCount | None]) -> OperationCount | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    count = max((len(part.extents) for part in known), default=0)
    largest = [part for part in known if len(part.extents) == count]
    return OperationCount(sum(part.operations for part in largest), largest[0].extents if largest else ())


def _of_loop(loop: For, operations: Operations, ranges: _Ranges) -> OperationCount | None:
    step, after = as_affine(loop.step), int(loop.comparison == "<")
    firsts, lasts = list(_affine(loop.first, "max")), [end - after for end in _affine(loop.bound, "min")]
    if step is None or not firsts or not lasts:
        return None
    extents = [last - first + 1 for first, last in product(firsts, lasts)]
    own = _Range.of(firsts, lasts, ranges, step)
    inside = _count(loop.body, operations, {**ranges, loop.iterator: own})
    if inside is None or _is_in_tile(extents, ranges):
        return inside
    # Of a bound by a size and one by a constant, the first one tells when there is little.
    extent = min(_bounds(extents, ranges, 1), key=lambda affine: (affine.is_constant, len(affine.terms)), default=None)
    if extent is None:
        return None
    if extent.is_constant:
        return OperationCount(inside.operations * max(1, extent.constant), inside.extents)
    return OperationCount(inside.operations, (extent, *inside.extents))


def _is_in_tile(extents: Sequence[Affine], ranges: _Ranges) -> bool:
    """Returns True if a loop goes over the points, or smaller tiles, of a tile: it has no more than the step of a loop
    around.
    """
    steps = [around.step for around in ranges.values() if around.step != _ONE]
    return any((extent - step).is_constant and (extent - step).constant <= 0 for extent in extents for step in steps)


def _affine(value: Integer, extreme: str) -> Iterator[Affine]:
    """Yields the affine operands of a minimum or maximum, each of which is a bound."""
    match value:
        case IntegerOperation(operator, operands) if operator == extreme:
            for operand in operands:
                yield from _affine(operand, extreme)
        case _ if (affine := as_affine(value)) is not None:
            yield affine


def _bounds(values: Sequence[Affine], ranges: _Ranges, sign: int) -> Iterator[Affine]:
    """Yields upper bounds (1) or lower ones (-1) of the values, without the iterators."""
    for value in values:
        names = [name for name in value.names if name in ranges]
        ends = (ranges[name].high if value.coefficient(name) * sign > 0 else ranges[name].low for name in names)
        for chosen in islice(product(*ends), _MOST):
            yield value.substitute(dict(zip(names, chosen, strict=True)))
