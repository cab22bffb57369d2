"""The storage formats of a kernel, as scripts say them: `setStorageFormat(prog, system, "A", "packed row")`.

Indices are in the order of memory already, so all of them are by rows.
"""

from collections.abc import Iterator

from alphaz.matrix.equations import output_name
from alphaz.matrix.kernel import Kernel
from alphaz.matrix.storage import Packing


def formats(kernel: Kernel) -> Iterator[tuple[str, str]]:
    """A variable of the equations and its format, where it has one."""
    for array in kernel.arrays.values():
        leading = f" leading {array.storage.leading}" if array.storage.leading else ""
        if array.storage.packing is not Packing.FULL or leading:
            names = [array.name] if array.is_read or array.way is None else []
            names += [output_name(array, kernel)] if array.is_written else []
            yield from ((name, f"{array.storage.packing} row{leading}") for name in names)
