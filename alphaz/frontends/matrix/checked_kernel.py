"""A checked kernel: every name is declared, every shape fits, every size has a name."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alphaz.diagnostics import Diagnostic, Label, Rejected, Rule, Span
from alphaz.diagnostics.message_words import did_you_mean
from alphaz.diagnostics.rules import MATRIX_TYPE, REDECLARED, SYNTAX, UNDECLARED
from alphaz.frontends.matrix.shapes import ONE, SCALAR, Shape, ShapeInference, Size, SymbolicSizes
from alphaz.frontends.matrix.storage import MatrixStorage, storage_of
from alphaz.frontends.matrix.tree import (
    Assignment,
    BinaryFormula,
    Direction,
    Expression,
    FormulaCall,
    FormulaOperator,
    KernelText,
    MatrixDeclaration,
    Negated,
    NumberFormula,
    OperandKind,
    Transposed,
    VariableFormula,
)
from alphaz.syntax.words import KEYWORDS

FUNCTIONS = ("sqrt", "norm2")
_NAMES = ("m", "n", "k", "l", "p", "q", "r", "s")


@dataclass(frozen=True, slots=True)
class Extent:
    """A shape with names: the parameters that are its numbers of rows and columns, None for 1."""

    rows: str | None
    columns: str | None

    @property
    def sizes(self) -> tuple[str, ...]:
        """Returns the sizes other than 1, those of a 0- to 2-dimensional array."""
        return tuple(size for size in (self.rows, self.columns) if size is not None)


@dataclass(frozen=True, slots=True)
class MatrixArray:
    """A variable of the kernel. `way` is None for an internal, undeclared variable."""

    name: str
    way: Direction | None
    extent: Extent
    storage: MatrixStorage
    span: Span

    @property
    def is_read(self) -> bool:
        return self.way in (Direction.IN, Direction.INOUT)

    @property
    def is_written(self) -> bool:
        return self.way in (Direction.OUT, Direction.INOUT)


@dataclass(frozen=True, slots=True, eq=False)
class MatrixKernel:
    """A kernel. `parameters` are the sizes, then diagonals of bands and leading dimensions, each at least 0."""

    name: str
    parameters: tuple[str, ...]
    arrays: Mapping[str, MatrixArray]
    assignments: tuple[Assignment, ...]
    extents: Mapping[Expression, Extent]


def check_kernel(text: KernelText) -> MatrixKernel:
    """Returns the checked kernel. Raises Rejected with every error, in the order of the text."""
    return _Check(text).kernel()


class _Check:
    """One kernel while it is checked."""

    def __init__(self, text: KernelText) -> None:
        self.text = text
        self.inference = ShapeInference(SymbolicSizes(), {})
        self.declared: dict[str, MatrixDeclaration] = {}
        self.storages: dict[str, MatrixStorage] = {}
        self.assigned: dict[str, Span] = {}
        self.broken: set[str] = set()
        """Temporaries of which nothing is known, since what they get is wrong."""

    def kernel(self) -> MatrixKernel:
        for declaration in self.text.declarations:
            self._declare(declaration)
        if not self.text.assignments:
            self._report(UNDECLARED, "the kernel computes nothing", self.text.span, "has no assignments")
        for assignment in self.text.assignments:
            self._assign(assignment)
        for name, declared in self.declared.items():
            if declared.way is not Direction.IN and name not in self.assigned:
                self._report(
                    UNDECLARED, f"`{name}` is {declared.way}, and never assigned", declared.span, "declared here"
                )
        self._check_names()
        if self.inference.findings:
            raise Rejected(*sorted(self.inference.findings, key=lambda finding: finding.primary.span.start))
        return self._named()

    def _check_names(self) -> None:
        """Checks that names are valid in the equations, too."""
        named = {name: declared.span for name, declared in self.declared.items()}
        named |= {name: span for name, span in self.assigned.items() if name not in named}
        sizes = {
            size: self.declared[name].span for name, storage in self.storages.items() for size in storage.parameters
        }
        for name, span in ((self.text.name, self.text.span), *named.items(), *sizes.items()):
            if name in KEYWORDS:
                self._report(SYNTAX, f"`{name}` is a reserved word of the equations", span, "", "choose another name")
        for name, span in sizes.items():
            if name in named:
                self._report(REDECLARED, f"`{name}` is a variable and a size", span, "a size in this type",
                             "give one of the two another name")  # fmt: skip

    def _report(self, rule: Rule, message: str, span: Span, label: str, help_: str | None = None) -> None:
        self.inference.findings.append(Diagnostic(rule, message, Label(span, label), help=help_))

    def _declare(self, declared: MatrixDeclaration) -> None:
        earlier = self.declared.get(declared.name)
        if earlier is not None or declared.name in FUNCTIONS:
            problem = "is a function" if earlier is None else "is declared twice"
            self._report(REDECLARED, f"`{declared.name}` {problem}", declared.span, "declared again" if earlier else "")
            return
        storage, findings = storage_of(declared.type)
        self.inference.findings.extend(findings)
        self.declared[declared.name], self.storages[declared.name] = declared, storage
        shape = self._declared_shape(declared, storage)
        self.inference.variables[declared.name] = (shape, declared.span)

    def _declared_shape(self, declared: MatrixDeclaration, storage: MatrixStorage) -> Shape:
        sizes = self.inference.sizes
        match declared.type.kind:
            case OperandKind.SCALAR:
                return SCALAR
            case OperandKind.VECTOR:
                length = sizes.new(declared.span)
                is_row = any(p.name == "row" for p in declared.type.properties)
                return Shape(ONE, length) if is_row else Shape(length, ONE)
        rows = sizes.new(declared.span)
        return Shape(rows, rows if storage.is_square else sizes.new(declared.span))

    def _assign(self, assignment: Assignment) -> None:
        name = assignment.target
        unknown = [v for v in variables_of(assignment.value) if not self._is_known(v.name)]
        for variable in unknown:
            self._undeclared(variable)
        for call in calls_of(assignment.value):
            if call.function not in FUNCTIONS:
                self._report(UNDECLARED, *_unknown_function(call))
                unknown.append(VariableFormula(call.function, call.span))
        for node in walk(assignment.value):
            if isinstance(node, BinaryFormula) and node.operator is FormulaOperator.SOLVE:
                self._check_solution(node.left)
        declared = self.declared.get(name)
        if declared is not None and declared.way is Direction.IN:
            self._report(REDECLARED, f"`{name}` is an input, and is assigned", assignment.span, "assigned here",
                         "declare it as `inout`, or assign another name")  # fmt: skip
        elif name in self.assigned:
            self._report(REDECLARED, f"`{name}` is assigned twice", assignment.span, "assigned again",
                         "give each value a name of its own: undeclared names are temporaries")  # fmt: skip
        shape = None if unknown else self._inferred(assignment.value)
        if shape is None:
            self.inference.variables.setdefault(name, (SCALAR, assignment.span))
            self.broken |= set() if name in self.declared else {name}
        elif declared is not None:
            known, place = self.inference.variables[name]
            message, help_ = f"the value assigned to `{name}` has another shape", "declare it as that"
            self.inference.equal(place, known, assignment.value.span, shape, message, help_)
        else:
            self.inference.variables[name] = (shape, assignment.span)
        self.assigned.setdefault(name, assignment.span)

    def _check_solution(self, matrix: Expression) -> None:
        """Checks that the type of the matrix of equations says how these are solved."""
        variable = transposed_variable(matrix)
        if variable is None:
            self._report(MATRIX_TYPE, "the left operand of `\\` is a variable or its transpose", matrix.span,
                         "this has no type", "declare a variable for it, whose type says how to solve")  # fmt: skip
        elif self._is_no_matrix(variable.name):
            return  # Its shape is a finding.
        elif self._is_known(variable.name) and self.storages.get(variable.name, MatrixStorage()).solution is None:
            self._report(MATRIX_TYPE, f"the type of `{variable.name}` does not say how to solve equations with it",
                         matrix.span, "would need pivoting", _SOLVABLE)  # fmt: skip

    def _inferred(self, value: Expression) -> Shape | None:
        """The shape of the assigned value; None if a part of it is wrong, which is reported already."""
        if any(variable.name in self.broken for variable in variables_of(value)):
            return None
        before = len(self.inference.findings)
        shape = self.inference.infer(value)
        return shape if len(self.inference.findings) == before else None

    def _is_no_matrix(self, name: str) -> bool:
        declared = self.declared.get(name)
        return declared is not None and declared.type.kind is not OperandKind.MATRIX

    def _is_known(self, name: str) -> bool:
        """Returns True if it has a value at this point."""
        declared = self.declared.get(name)
        return name in self.assigned or (declared is not None and declared.way is not Direction.OUT)

    def _undeclared(self, variable: VariableFormula) -> None:
        if variable.name in self.declared:
            self._report(UNDECLARED, f"`{variable.name}` is read before it is assigned", variable.span, "read here",
                         "declare it as `inout` if it has a value at first")  # fmt: skip
            return
        later = any(a.target == variable.name for a in self.text.assignments)
        help_ = (
            "assign it before it is read"
            if later
            else did_you_mean(variable.name, [*self.declared, *self.assigned]) or "declare it: `in x : vector`"
        )
        self._report(UNDECLARED, f"`{variable.name}` is not declared", variable.span, "read here", help_)

    # --- names of sizes -----------------------------------------------------------------------------------------

    def _named(self) -> MatrixKernel:
        names = self._names()
        named = [name for storage in self.storages.values() for name in storage.parameters]
        extents = {node: self._extent(shape, names) for node, shape in self.inference.shapes.items()}
        arrays = {}
        for name, (shape, span) in self.inference.variables.items():
            declared = self.declared.get(name)
            storage = self.storages.get(name, MatrixStorage())
            undeclared = Direction.OUT if name in self.text.results else None
            way = undeclared if declared is None else declared.way
            arrays[name] = MatrixArray(
                name=name, way=way, extent=self._extent(shape, names), storage=storage, span=span
            )
        parameters = tuple(dict.fromkeys((*names.values(), *named)))
        return MatrixKernel(
            name=self.text.name,
            parameters=parameters,
            arrays=arrays,
            assignments=self.text.assignments,
            extents=extents,
        )

    def _extent(self, shape: Shape, names: Mapping[Size, str]) -> Extent:
        known = self.inference.sizes.of(shape)
        return Extent(names.get(known.rows), names.get(known.columns))

    def _names(self) -> dict[Size, str]:
        """The names of sizes: a single size is `n`; several are `m`, `n`, `k`, ... in the order of occurrence; unused
        names only."""
        roots: dict[Size, None] = {}
        for shape, _ in self.inference.variables.values():
            known = self.inference.sizes.of(shape)
            roots |= {size: None for size in (known.rows, known.columns) if size != ONE}
        taken = {*self.inference.variables, *FUNCTIONS} | {
            name for s in self.storages.values() for name in s.parameters
        }
        free = (name for name in _candidates() if name not in taken and not (len(roots) == 1 and name == "m"))
        return dict(zip(roots, free, strict=False))


def _candidates() -> Iterator[str]:
    yield from _NAMES
    number = 1
    while True:
        yield f"size{number}"
        number += 1


_SOLVABLE = (
    "declare it `triangular(lower)` or `(upper)`, `symmetric(lower, definite)` if it is positive definite (Cholesky), "
    "or `dominant` if it is diagonally dominant (LU)"
)


def _unknown_function(call: FormulaCall) -> tuple[str, Span, str, str]:
    """The message, place, label and remedy."""
    if call.function in ("inv", "inverse"):
        name = call.function
        reason = f"there is no `{name}`: a solution needs fewer operations than an inverse, and loses fewer digits"
        return reason, call.span, "", f"write `A \\ b` for `{name}(A)*b`"
    remedy = did_you_mean(call.function, FUNCTIONS) or "the functions are `sqrt` and `norm2`"
    return f"there is no function `{call.function}`", call.span, "", remedy


def transposed_variable(node: Expression) -> VariableFormula | None:
    """Returns the variable of `A`, `A'`, `A''`; None for other expressions."""
    while isinstance(node, Transposed):
        node = node.body
    return node if isinstance(node, VariableFormula) else None


def variables_of(node: Expression) -> Iterator[VariableFormula]:
    """Yields every variable that an expression reads, from left to right."""
    return (formula for formula in walk(node) if isinstance(formula, VariableFormula))


def calls_of(node: Expression) -> Iterator[FormulaCall]:
    return (formula for formula in walk(node) if isinstance(formula, FormulaCall))


def walk(node: Expression) -> Iterator[Expression]:
    """Yields the expression and all its subexpressions."""
    yield node
    match node:
        case BinaryFormula():
            yield from walk(node.left)
            yield from walk(node.right)
        case Transposed() | Negated():
            yield from walk(node.body)
        case FormulaCall():
            yield from walk(node.argument)
        case NumberFormula() | VariableFormula():
            return
