"""The storage formats of a kernel, as commands: `setStorageFormat(prog, system, "A", "packed row")`.

Indices are in the order of memory already, so all formats are by rows. An array of which the program has only a part of
the box, of a band or a triangle without its diagonal, still has the format of the whole matrix: its rows are as long as
those of the matrix, and it begins with row and column 0. A packed triangle has places for a diagonal that is not
stored."""

from collections.abc import Iterator

from alphaz.frontends.matrix.equations import output_name
from alphaz.frontends.matrix.kernel import MatrixArray, MatrixKernel
from alphaz.frontends.matrix.storage import Form, MatrixPacking, MatrixStorage


def formats(kernel: MatrixKernel) -> Iterator[tuple[str, str]]:
    """Yields variables of the equations with their formats, if they have one."""
    for array in kernel.arrays.values():
        format_ = _format(array)
        if format_ is not None:
            names = [array.name] if array.is_read or array.way is None else []
            names += [output_name(array, kernel)] if array.is_written else []
            yield from ((name, format_) for name in names)


def _format(array: MatrixArray) -> str | None:
    storage = array.storage
    leading = storage.leading
    if storage.packing is MatrixPacking.FULL and not leading:
        if not _is_part(storage):
            return None
        leading = storage.room(array.extent.rows, array.extent.columns)
    unit = " unit" if storage.unit and storage.packing is MatrixPacking.PACKED else ""
    return f"{storage.packing}{unit} row{f' leading {leading}' if leading else ''}"


def _is_part(storage: MatrixStorage) -> bool:
    """Returns True if the stored part may have another box than the matrix."""
    return storage.form is Form.BAND or storage.unit
