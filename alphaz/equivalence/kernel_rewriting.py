"""Replaces the affine expressions of a kernel: subscripts, conditions and extents."""

from collections.abc import Callable, Collection
from dataclasses import replace

from alphaz.poly import Affine
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.c_model import Annotation, ArrayAccess, CKernel, KernelArray, KernelStatement
from alphaz.scop.index_polynomials import Condition, affine
from alphaz.scop.value_tree import map_affine

Change = Callable[[Affine], Affine]


def with_affines(
    kernel: CKernel, change: Change, change_data: Change, with_domain: Callable[[KernelStatement], KernelStatement]
) -> CKernel:
    """Returns the kernel with all conditions, subscripts and extents changed, and expressions on data by another
    function; `with_domain` gives a statement with changed conditions its domain. It has no dividends."""
    arrays = {id(array): _array(array, change) for array in arrays_of(kernel)}

    def access(cell: ArrayAccess) -> ArrayAccess:
        return replace(cell, array=arrays[id(cell.array)], subscripts=tuple(map(change, cell.subscripts)))

    def statement(old: KernelStatement) -> KernelStatement:
        new = replace(
            old,
            conditions=tuple(_condition(condition, change) for condition in old.conditions),
            target=access(old.target),
            reads=tuple(map(access, old.reads)),
            value=map_affine(old.value, change_data),
            annotation=None if old.annotation is None else _annotation(old.annotation, change),
        )
        return with_domain(new)

    return replace(
        kernel,
        arrays={name: arrays[id(array)] for name, array in kernel.arrays.items()},
        statements=tuple(map(statement, kernel.statements)),
        dividends=(),
    )


def arrays_of(kernel: CKernel) -> Collection[KernelArray]:
    """Returns the arrays of a kernel, and of its accesses."""
    arrays = {id(array): array for array in kernel.arrays.values()}
    for statement in kernel.statements:
        arrays |= {id(access.array): access.array for access in (statement.target, *statement.reads)}
    return arrays.values()


def _array(array: KernelArray, change: Change) -> KernelArray:
    extents = tuple(None if extent is None else _extent(extent, change) for extent in array.extents)
    limit = array.limit
    if limit is not None:
        limit = replace(limit, condition=_condition(limit.condition, change))
    packed = array.packed
    if packed is not None and not array.is_argument:
        (held,) = _condition((packed.held,), change)
        packed = replace(packed, extents=tuple(map(change, packed.extents)), held=held)
    return replace(array, extents=extents, limit=limit, packed=packed)


def _extent(extent: Polynomial, change: Change) -> Polynomial:
    bound = affine(extent)
    return extent if bound is None else Polynomial.affine(change(bound))


def _annotation(annotation: Annotation, change: Change) -> Annotation:
    return replace(annotation, point=tuple(map(change, annotation.point)), body=tuple(map(change, annotation.body)))


def _condition(condition: Condition, change: Change) -> Condition:
    return tuple(
        tuple(replace(constraint, affine=change(constraint.affine)) for constraint in conjunction)
        for conjunction in condition
    )
