"""Memory use of a kernel: the size of each array, and the number of accessed cells."""

from alphaz.poly import Affine, AffineFunction, Domain, fresh_names
from alphaz.poly.algorithms.counting import count
from alphaz.poly.plain.polynomial import Polynomial
from alphaz.scop.index_values import product
from alphaz.scop.kernel import CKernel, KernelArray

_HEAD = ("array", "type", "holds", "elements", "used", "bytes")


def memory_text(kernel: CKernel) -> str:
    """Returns a table with a line for each array, and the sum of the bytes."""
    rows = [_HEAD, *(_row(kernel, array) for array in kernel.arrays.values())]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_HEAD))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    sizes = [_bytes(array) for array in kernel.arrays.values()]
    total = sum((size for size in sizes if size is not None), Polynomial())
    return "\n".join([f"{kernel.function}:", *lines, f"in all {total} bytes", ""])


def _row(kernel: CKernel, array: KernelArray) -> tuple[str, ...]:
    size = _bytes(array)
    known = [str(extent) for extent in array.extents if extent is not None]
    elements = " * ".join(f"({each})" if "+" in each or "-" in each else each for each in known) or "1"
    return (
        array.label, str(array.type), _array_role(kernel, array), elements,
        _used_cells_text(kernel, array), "?" if size is None else str(size),
    )  # fmt: skip


def _bytes(array: KernelArray) -> Polynomial | None:
    if array.limit is not None or any(extent is None for extent in array.extents):
        return None
    return product(array.extents) * Polynomial.constant(max(1, array.type.bits // 8))


def _array_role(kernel: CKernel, array: KernelArray) -> str:
    written = any(statement.target.array is array for statement in kernel.statements)
    if not array.is_argument:
        return "local"
    return "output" if written else "input"


def _used_cells_text(kernel: CKernel, array: KernelArray) -> str:
    """Returns the number of accessed cells."""
    names = fresh_names(len(array.extents), "cell", kernel.parameters)
    found: Domain | None = None
    for statement in kernel.statements:
        for access in (statement.target, *statement.reads):
            if access.array is array:
                cells: tuple[Affine, ...] = access.subscripts[len(array.prefix) :]
                image = statement.domain.image(AffineFunction(statement.domain.space, cells), names)
                found = image if found is None else found | image
    if found is None:
        return "0"
    context = found.parameters()
    number = count(found.simplify(), context)
    return "?" if number is None else str(number)
