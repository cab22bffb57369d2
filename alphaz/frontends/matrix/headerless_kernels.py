"""Makes a kernel of formulas without declarations, and lists its storage formats as commands."""

import re
from collections.abc import Iterator, Mapping

from alphaz.diagnostics import Diagnostic, Label, Rejected, Source, Span
from alphaz.diagnostics.rules import SYNTAX
from alphaz.frontends.matrix.checked_kernel import MatrixArray, MatrixKernel, variables_of
from alphaz.frontends.matrix.equations import output_name
from alphaz.frontends.matrix.reading import read_assignments, read_type
from alphaz.frontends.matrix.storage import Form, MatrixPacking, MatrixStorage
from alphaz.frontends.matrix.tree import (
    Assignment,
    Direction,
    KernelText,
    MatrixDeclaration,
    OperandKind,
    TypeText,
    VariableFormula,
)


def kernel_of_formulas(formulas: str, types: Mapping[str, str], name: str = "kernel") -> KernelText:
    """Returns the kernel of assignments. `types` are those of files: `row matrix`, `scalar`, `out row matrix`, `inout
    vector`.

    A name that is read, never assigned and has no type is a column vector. A name that is assigned and not read again
    is an output. Raises Rejected (AZ101)."""
    source = Source("<formulas>", formulas)
    assignments = read_assignments(source)
    declared = {name: _declared(name, text) for name, text in types.items()}
    assigned = {assignment.target for assignment in assignments}
    read = [variable for assignment in assignments for variable in variables_of(assignment.value)]
    for variable in read:
        if variable.name not in declared and variable.name not in assigned:
            declared[variable.name] = _vector(variable)
    results = frozenset(assigned - declared.keys() - _read_later(assignments))
    return KernelText(
        name=name,
        declarations=tuple(declared.values()),
        assignments=assignments,
        span=Span(source, 0, 0),
        results=results,
    )


def _read_later(assignments: tuple[Assignment, ...]) -> set[str]:
    return {variable.name for assignment in assignments for variable in variables_of(assignment.value)}


def _declared(name: str, text: str) -> MatrixDeclaration:
    """The declaration of a name. Raises Rejected (AZ101) for an invalid name."""
    word, _, rest = text.strip().partition(" ")
    way, type_ = (Direction(word), rest) if word in tuple(Direction) else (Direction.IN, text)
    source = Source(f"<{name}>", type_)
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        raise Rejected(Diagnostic(SYNTAX, f"`{name}` is no name of a variable", Label(Span(source, 0, len(type_)))))
    return MatrixDeclaration(name, way, read_type(source), Span(source, 0, len(type_)))


def _vector(variable: VariableFormula) -> MatrixDeclaration:
    return MatrixDeclaration(
        variable.name, Direction.IN, TypeText(OperandKind.VECTOR, (), variable.span), variable.span
    )


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
