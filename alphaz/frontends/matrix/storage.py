"""Storage of a matrix: the order of its elements in memory, the stored part, and the packing."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from alphaz.diagnostics import Diagnostic, Label
from alphaz.diagnostics.message_words import did_you_mean, listing
from alphaz.diagnostics.rules import MATRIX_TYPE
from alphaz.frontends.matrix.tree import OperandKind, Property, TypeText


class StorageOrder(StrEnum):
    """The index along memory of a matrix; the orientation of a vector."""

    ROW = "row"
    COLUMN = "column"


class Form(StrEnum):
    """The stored elements; the others are zero or, in a symmetric matrix, the mirrored ones."""

    GENERAL = "general"
    TRIANGULAR = "triangular"
    SYMMETRIC = "symmetric"
    BAND = "band"


class MatrixPacking(StrEnum):
    """The place of stored elements: in the box of the whole matrix, contiguously in order, or by diagonals."""

    FULL = "full"
    PACKED = "packed"
    BANDED = "banded"


class MatrixPromise(StrEnum):
    """A property of the values of a square matrix, promised by the caller: a system of equations with it is solved
    without pivoting. Symmetric positive definite, or diagonally dominant."""

    DEFINITE = "definite"
    DOMINANT = "dominant"


class SolutionMethod(StrEnum):
    """The method that solves a system of equations with a matrix: by substitution, after a factorisation without
    pivoting if the matrix is not triangular."""

    FORWARD = "forward substitution"
    BACKWARD = "backward substitution"
    CHOLESKY = "Cholesky"
    LU = "LU"


@dataclass(frozen=True, slots=True)
class MatrixStorage:
    """The storage of a matrix. `upper`: the stored triangle. `unit`: the diagonal is one, and not read. `below`,
    `above`: diagonals of a band, numbers or names of parameters. `leading`: the parameter that is the distance in
    memory of rows or columns, or of the elements of a vector. `promise`: what the caller promises of its values."""

    order: StorageOrder = StorageOrder.ROW
    form: Form = Form.GENERAL
    upper: bool = False
    unit: bool = False
    below: str = ""
    above: str = ""
    packing: MatrixPacking = MatrixPacking.FULL
    leading: str = ""
    promise: MatrixPromise | None = None

    def ordered(self, row: str, column: str) -> tuple[str, str]:
        """Returns the indices of an element, the one along memory last."""
        return (row, column) if self.order is StorageOrder.ROW else (column, row)

    @property
    def is_square(self) -> bool:
        return self.form in (Form.TRIANGULAR, Form.SYMMETRIC) or self.promise is not None

    @property
    def solution(self) -> SolutionMethod | None:
        """Returns how a system of equations with such a matrix is solved, None if that needs pivoting."""
        if self.promise is not None:
            return SolutionMethod.CHOLESKY if self.promise is MatrixPromise.DEFINITE else SolutionMethod.LU
        if self.form is Form.TRIANGULAR:
            return SolutionMethod.BACKWARD if self.upper else SolutionMethod.FORWARD
        if self.form is Form.BAND and "0" in (self.below, self.above):
            return SolutionMethod.BACKWARD if self.below == "0" else SolutionMethod.FORWARD
        return None

    @property
    def parameters(self) -> tuple[str, ...]:
        """Returns its parameters: of diagonals, and of a leading dimension."""
        named = (self.below, self.above, self.leading)
        return tuple(dict.fromkeys(name for name in named if name and not name.isdigit()))

    def room(self, rows: str | None, columns: str | None) -> str:
        """Returns the lower bound of the leading dimension, for a matrix with these rows and columns, or a vector."""
        if rows is None or columns is None:
            return "1"
        if self.packing is MatrixPacking.BANDED:
            return f"{self.below}+{self.above}+1"
        return columns if self.order is StorageOrder.ROW else rows


_PROPERTIES = {
    OperandKind.SCALAR: (),
    OperandKind.VECTOR: ("row", "column", "increment"),
    OperandKind.MATRIX: ("row", "column", "general", "triangular", "symmetric", "band", "packed", "banded",
                         "upper", "lower",
                  "unit", "leading", "definite", "dominant"),
}  # fmt: skip
PROPERTIES = _PROPERTIES[OperandKind.MATRIX]
"""The properties that may precede `matrix`; some of them also `vector`."""

# Properties whose arguments are not words.
_NAMED = ("band", "leading", "increment")
_ARGUMENTS = {"triangular": ("upper", "lower", "unit"), "symmetric": ("upper", "lower", "definite", "dominant")}


def storage_of(text: TypeText) -> tuple[MatrixStorage, tuple[Diagnostic, ...]]:
    """Returns the storage of a type, and its errors."""
    findings = tuple(_wrong(text))
    if findings:
        return MatrixStorage(), findings
    words = set(_words(text))
    (leading,) = next(
        (property_.arguments for property_ in text.properties if property_.name in ("leading", "increment")), ("",)
    )
    below, above = next((property_.arguments for property_ in text.properties if property_.name == "band"), ("", ""))
    form = next(
        (form for form in Form if form in words), Form.TRIANGULAR if words & {"upper", "lower"} else Form.GENERAL
    )
    packing = next((packing for packing in MatrixPacking if packing in words), MatrixPacking.FULL)
    order = StorageOrder.COLUMN if "column" in words else StorageOrder.ROW
    return MatrixStorage(
        order=order,
        form=form,
        upper="upper" in words,
        unit="unit" in words,
        below=below,
        above=above,
        packing=packing,
        leading=leading,
        promise=next((promise for promise in MatrixPromise if promise in words), None),
    ), ()


def _words(text: TypeText) -> list[str]:
    """The properties, and the words in their parentheses."""
    inner = (a for p in text.properties if p.name not in _NAMED for a in p.arguments)
    return [*(property_.name for property_ in text.properties), *inner]


def _wrong(text: TypeText) -> Iterator[Diagnostic]:
    known = _PROPERTIES[text.kind]
    for stated in text.properties:
        if stated.name not in known:
            help_ = did_you_mean(stated.name, known) or (f"it may be {listing(known)}" if known else None)
            yield _finding(stated, f"a {text.kind} is not `{stated.name}`", help_)
        elif stated.name == "band":
            if len(stated.arguments) != 2:
                yield _finding(
                    stated, "a band has two numbers of diagonals", "below and above the main one: `band(1, 2)`"
                )
        elif stated.name in _NAMED:
            if len(stated.arguments) != 1 or not stated.arguments[0].isidentifier():
                yield _finding(stated, f"`{stated.name}` has a name", f"that of a parameter: `{stated.name}(ld)`")
        else:
            yield from _wrong_arguments(stated)
    if not any(property_.name not in known for property_ in text.properties):
        yield from _contradictions(text)


def _wrong_arguments(property_: Property) -> Iterator[Diagnostic]:
    allowed = _ARGUMENTS.get(property_.name, ())
    for argument in property_.arguments:
        if argument not in allowed:
            what = f"it may be {listing(allowed)}" if allowed else f"write `{property_.name}` alone"
            yield _finding(
                property_, f"`{property_.name}` is not `{argument}`", did_you_mean(argument, allowed) or what
            )


def _contradictions(text: TypeText) -> Iterator[Diagnostic]:
    words = _words(text)
    forms = tuple(map(str, Form))
    for family in (("row", "column"), forms, ("upper", "lower"), ("packed", "banded"), ("definite", "dominant")):
        chosen = [word for word in dict.fromkeys(words) if word in family]
        if len(chosen) > 1:
            yield _finding(text, f"it cannot be both `{chosen[0]}` and `{chosen[1]}`", "leave one of them out")
    if text.kind is not OperandKind.MATRIX:
        return
    if "triangular" in words and not {"upper", "lower"} & {*words}:
        yield _finding(text, "which triangle is stored?", "say `triangular(upper)` or `triangular(lower)`")
    half = {"upper", "lower"} & {*words}
    if half and {"band", "general"} & {*words}:
        yield _finding(
            text, f"`{min(half)}` applies to triangular and symmetric matrices only", "a band says `band(0, 2)`"
        )
    if "unit" in words and not {"triangular", "upper", "lower"} & {*words}:
        yield _finding(text, "only a triangular matrix has a unit diagonal", "say `triangular(upper, unit)`")
    if "banded" in words and "band" not in words:
        yield _finding(text, "only a band is stored along its diagonals", "say `band(1, 2) banded`")
    if "definite" in words and "symmetric" not in words:
        yield _finding(text, "only a symmetric matrix is `definite`", "say `symmetric(lower, definite)`, or `dominant`")
    if "dominant" in words and not {"symmetric", "band", "general"} & {*words} and {"triangular", *half} & {*words}:
        yield _finding(text, "a triangular matrix needs no `dominant`", "leave it out: substitution solves it")
    if "packed" in words and "leading" in words:
        yield _finding(text, "a packed matrix has no leading dimension", "leave one of them out")
    if "packed" in words and not {"triangular", "upper", "lower", "symmetric", "band"} & {*words}:
        yield _finding(text, "a general matrix cannot be packed", "say which of its elements are stored")


def _finding(at: Property | TypeText, message: str, help_: str | None) -> Diagnostic:
    return Diagnostic(MATRIX_TYPE, message, Label(at.span), help=help_)
