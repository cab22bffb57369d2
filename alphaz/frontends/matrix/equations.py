"""A kernel as a program of equations.

y = A*x becomes y[i] = reduce(+, [j], A[i,j] * x[j]). Storage formats are domains: of a triangular, symmetric or band
matrix only the stored part is declared, and read."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from alphaz.analysis.checks.checked_program import Checked
from alphaz.analysis.read import read_program
from alphaz.analysis.texts.show import ashow
from alphaz.diagnostics import Diagnostic, Label, Rejected, Source
from alphaz.diagnostics.rules import MATRIX_FORMAT
from alphaz.frontends.matrix.checked_kernel import Extent, MatrixArray, MatrixKernel
from alphaz.frontends.matrix.element_pieces import ElementPiece, Index, Pieces, cases
from alphaz.frontends.matrix.index_scope import IndexScope
from alphaz.frontends.matrix.named_sums import FACTORISATIONS, is_solution, is_symmetric, with_named_sums
from alphaz.frontends.matrix.solving import Recurrence
from alphaz.frontends.matrix.storage import Form, StorageOrder
from alphaz.frontends.matrix.tree import Assignment, Direction, FormulaCall, VariableFormula
from alphaz.poly import Domain

_INDICES = ("i", "j", "k", "l", "p", "q", "r", "s")


def equations(kernel: MatrixKernel) -> Checked:
    """Returns the program of a kernel, checked. Raises Rejected (AZ223) for a value that its format cannot hold."""
    return read_program(Source(f"{kernel.name}.ab", program_text(kernel)))


def program_text(kernel: MatrixKernel, by_columns: Collection[str] = ()) -> str:
    """Returns the program as text, laid out as by `alphaz show`, with these temporary matrices stored by columns.
    Raises Rejected (AZ223)."""
    for assignment in kernel.assignments:
        _check_symmetry(assignment, kernel)
    named = with_named_sums(kernel)
    turned = {name: _by_columns(named.arrays[name]) for name in by_columns}
    plain = _text(replace(named, arrays={**named.arrays, **turned}))
    return ashow(read_program(Source(f"{kernel.name}.ab", plain)).program)


def _by_columns(array: MatrixArray) -> MatrixArray:
    return replace(array, storage=replace(array.storage, order=StorageOrder.COLUMN))


def output_name(array: MatrixArray, kernel: MatrixKernel) -> str:
    """Returns the name of an output: an input of the same name requires another one."""
    if array.way is not Direction.INOUT:
        return array.name
    name = f"{array.name}_out"
    while name in kernel.arrays or name in kernel.parameters:
        name += "_"
    return name


def _text(kernel: MatrixKernel) -> str:
    names = {name: name for name in kernel.arrays}
    indices = tuple(_indices({*kernel.arrays, *kernel.parameters}))
    equation_texts = []
    for assignment in kernel.assignments:
        equation_texts.append(_equation(assignment, kernel, Pieces(kernel.arrays, kernel.extents, names, indices)))
        names = {**names, assignment.target: output_name(kernel.arrays[assignment.target], kernel)}
    arrays = kernel.arrays.values()
    sections = (
        ("input", [(array.name, array) for array in arrays if array.is_read]),
        ("output", [(output_name(array, kernel), array) for array in arrays if array.is_written]),
        ("local", [(array.name, array) for array in arrays if array.way is None]),
    )
    context = " && ".join([*(f"{name}>=0" for name in kernel.parameters), *dict.fromkeys(_rooms(kernel))])
    roots = ["double sqrt(double);"] if any("sqrt(" in equation for equation in equation_texts) else []
    lines = [*roots, f"affine {kernel.name} {{{','.join(kernel.parameters)} | {context}}}" if context else
             f"affine {kernel.name} {{|}}"]  # fmt: skip
    for word, declared in sections:
        if declared:
            lines += [word, *(_declaration(name, array, kernel, indices) for name, array in declared)]
    return "\n".join([*lines, "let", *equation_texts, ".", ""])


def _rooms(kernel: MatrixKernel) -> Iterator[str]:
    """Constraints that rows are at least as long as their elements."""
    for array in kernel.arrays.values():
        if array.storage.leading:
            yield f"{array.storage.leading}>={array.storage.room(array.extent.rows, array.extent.columns)}"


def _indices(taken: set[str]) -> Iterator[str]:
    for suffix in ("", "1", "2", "3"):
        yield from (f"{name}{suffix}" for name in _INDICES if f"{name}{suffix}" not in taken)


def _scope(extent: Extent, kernel: MatrixKernel, indices: Sequence[str]) -> IndexScope:
    sizes = extent.sizes
    return IndexScope(kernel.parameters, tuple(indices[: len(sizes)]), sizes)


def _stored_domain(array: MatrixArray, scope: IndexScope) -> Domain:
    """The stored elements of an array."""
    if len(scope.names) != 2:
        return scope.everywhere
    row, column = scope.names
    return scope.stored(array.storage, row, column)


def _declaration(name: str, array: MatrixArray, kernel: MatrixKernel, indices: Sequence[str]) -> str:
    scope = _scope(array.extent, kernel, indices)
    if not scope.names:
        return f"double {name} {{|}};"
    return f"double {name} {scope.declared(scope.box & _stored_domain(array, scope), _index_order(array, scope))};"


def _index_order(array: MatrixArray, scope: IndexScope) -> tuple[str, ...]:
    """The indices of an array in their order."""
    return array.storage.ordered(*scope.names) if len(scope.names) == 2 else scope.names


def _equation(assignment: Assignment, kernel: MatrixKernel, pieces: Pieces) -> str:
    array = kernel.arrays[assignment.target]
    scope = _scope(array.extent, kernel, pieces.indices)
    elements = _elements(assignment, kernel, pieces, scope)
    stored = _stored_domain(array, scope)
    _check_format(assignment, array, elements, scope)
    needed = (scope.box & stored).in_context(scope.context)
    target = output_name(array, kernel)
    head = f"{target}[{','.join(_index_order(array, scope))}]" if scope.names else target
    return f"{head} = {cases(elements, needed, needed, scope, '0.0')};"


def _elements(assignment: Assignment, kernel: MatrixKernel, pieces: Pieces, scope: IndexScope) -> list[ElementPiece]:
    """The pieces of the assigned value."""
    array, value = kernel.arrays[assignment.target], assignment.value
    row, column = _places(array.extent, scope)
    after = replace(pieces, names={**pieces.names, assignment.target: output_name(array, kernel)})
    recurrence = Recurrence(VariableFormula(assignment.target, assignment.span), pieces, after)
    if is_solution(value) and row is not None:
        return recurrence.solution(value, row, column, scope)
    if isinstance(value, FormulaCall) and value.function in FACTORISATIONS and row is not None and column is not None:
        return recurrence.factors(value, row, column, scope)
    return pieces.of(value, row, column, scope)


def _places(extent: Extent, scope: IndexScope) -> tuple[Index, Index]:
    """The indices of the row and the column."""
    names = iter(scope.names)
    return next(names) if extent.rows else None, next(names) if extent.columns else None


def _check_format(
    assignment: Assignment, array: MatrixArray, pieces: Sequence[ElementPiece], scope: IndexScope
) -> None:
    """Raises Rejected (AZ223) for a value outside the stored elements of its variable."""
    storage = array.storage
    if storage.form is Form.SYMMETRIC:
        return
    outside = (scope.box - _stored_domain(array, scope)).in_context(scope.context)
    for piece in pieces:
        lost = piece.where & outside
        if storage.unit and piece.value.text == "1.0":
            lost -= scope.diagonal(*scope.names)
        if not lost.is_empty():
            raise Rejected(_refusal(assignment, array, "values outside its stored elements"))
    if storage.unit and not any(p.value.text == "1.0" for p in pieces):
        raise Rejected(_refusal(assignment, array, "no ones on its diagonal"))


def _check_symmetry(assignment: Assignment, kernel: MatrixKernel) -> None:
    """Raises Rejected (AZ223) if a symmetric matrix gets a value that is not provably symmetric."""
    array = kernel.arrays[assignment.target]
    if array.storage.form is Form.SYMMETRIC and not is_symmetric(assignment.value, kernel):
        raise Rejected(_refusal(assignment, array, "a value that is not provably symmetric"))


def _refusal(assignment: Assignment, array: MatrixArray, what: str) -> Diagnostic:
    message = f"`{array.name}`, a {array.storage.form} matrix, gets {what}"
    declared = Label(array.span, "declared here")
    help_ = f"declare `{array.name}` as a general matrix"
    return Diagnostic(MATRIX_FORMAT, message, Label(assignment.value.span), (declared,), help=help_)
