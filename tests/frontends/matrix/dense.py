"""Kernels by NumPy: each variable as a whole matrix, each operation as one call."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from alphaz.frontends.matrix.checked_kernel import MatrixArray, MatrixKernel
from alphaz.frontends.matrix.storage import Form
from alphaz.frontends.matrix.tree import (
    Expression,
    FormulaCall,
    FormulaOperator,
    Negated,
    NumberFormula,
    Transposed,
    VariableFormula,
)

Matrix = npt.NDArray[np.float64]


def size(text: str | None, values: Mapping[str, int]) -> int:
    return 1 if text is None else int(text) if text.isdigit() else values[text]


def stored(array: MatrixArray, values: Mapping[str, int]) -> npt.NDArray[np.bool_]:
    """Returns the stored elements of the whole matrix, by plain comparisons of rows and columns."""
    rows, columns = size(array.extent.rows, values), size(array.extent.columns, values)
    i, j = np.indices((rows, columns))
    storage = array.storage
    if None in (array.extent.rows, array.extent.columns):
        return np.ones((rows, columns), dtype=bool)
    match storage.form:
        case Form.TRIANGULAR if storage.unit:
            return i < j if storage.upper else i > j
        case Form.TRIANGULAR | Form.SYMMETRIC:
            return i <= j if storage.upper else i >= j
        case Form.BAND:
            return (i - j <= size(storage.below, values)) & (j - i <= size(storage.above, values))
    return np.ones((rows, columns), dtype=bool)


def whole(array: MatrixArray, data: Matrix, values: Mapping[str, int]) -> Matrix:
    """The matrix that the stored elements stand for."""
    shape = size(array.extent.rows, values), size(array.extent.columns, values)
    matrix = np.where(stored(array, values), data.reshape(shape), 0.0)
    if array.storage.form is Form.SYMMETRIC:
        matrix = matrix + matrix.T - np.diag(np.diag(matrix))
    return matrix + np.eye(*shape) if array.storage.unit else matrix


def computed(kernel: MatrixKernel, inputs: Mapping[str, Matrix], values: Mapping[str, int]) -> dict[str, Matrix]:
    """The outputs, as whole matrices; `inputs` are arrays over the box of each variable."""
    known = {name: whole(kernel.arrays[name], data, values) for name, data in inputs.items()}
    for assignment in kernel.assignments:
        known[assignment.target] = value(assignment.value, known)
    return {name: known[name] for name, array in kernel.arrays.items() if array.is_written}


def value(node: Expression, known: Mapping[str, Matrix]) -> Matrix:
    match node:
        case NumberFormula():
            return np.array([[float(node.text)]])
        case VariableFormula():
            return known[node.name]
        case Transposed():
            return value(node.body, known).T
        case Negated():
            return -value(node.body, known)
        case FormulaCall("norm2"):
            return np.array([[np.linalg.norm(value(node.argument, known))]])
        case FormulaCall():
            return np.sqrt(value(node.argument, known))
    return operated(node.operator, value(node.left, known), value(node.right, known))


def operated(operator: FormulaOperator, left: Matrix, right: Matrix) -> Matrix:
    match operator:
        case FormulaOperator.ADD:
            return left + right
        case FormulaOperator.SUBTRACT:
            return left - right
        case FormulaOperator.DIVIDE:
            return left / right
        case FormulaOperator.SOLVE:
            return np.asarray(np.linalg.solve(left, right), dtype=np.float64)
    return left * right if (1, 1) in (left.shape, right.shape) else left @ right
