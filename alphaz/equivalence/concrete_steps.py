"""The instances of all statements of a kernel for given parameters, in the order of the text, ready to be executed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.equivalence.concrete_instances import InstanceFormula, Point, TooMany, points
from alphaz.poly import Affine
from alphaz.scop.c_model import ArrayAccess, CKernel, KernelArray, KernelLoop, KernelStatement
from alphaz.scop.index_polynomials import affine
from alphaz.scop.value_tree import LiteralValue

# More instances that fill a buffer are not executed, and of more not even listed.
_MOST_FILLED, _MOST_IN_BUFFER = 500, 10_000


@dataclass(frozen=True, slots=True, eq=False)
class _Cell:
    """An access for the parameters of a run; only known extents are present."""

    access: ArrayAccess
    subscripts: tuple[InstanceFormula, ...]
    extents: tuple[tuple[int, int | None], ...]

    @staticmethod
    def of(access: ArrayAccess, names: Sequence[str], parameters: Mapping[str, int]) -> "_Cell":
        array, first = access.array, len(access.array.prefix)
        extents = []
        for position, extent in enumerate(array.extents, first):
            bound = None if extent is None else affine(extent)
            is_known = bound is not None and {*bound.names} <= parameters.keys()
            extents.append((position, bound.at(parameters) if bound is not None and is_known else None))
        formulas = tuple(InstanceFormula.of(subscript, names, parameters) for subscript in access.subscripts)
        return _Cell(access, formulas, tuple(extents))

    def at(self, point: Point) -> tuple[str, Point]:
        return self.access.array.name, tuple([subscript.at(point) for subscript in self.subscripts])

    def is_outside(self, cell: Point) -> bool:
        return any(cell[at] < 0 or (bound is not None and cell[at] >= bound) for at, bound in self.extents)


@dataclass(frozen=True, slots=True, eq=False)
class ConcreteStep:
    """A statement for the parameters of a run. `own` is the number of the read of the written cell."""

    statement: KernelStatement
    parameters: Mapping[str, int]
    date: tuple[InstanceFormula, ...]
    target: _Cell
    reads: tuple[_Cell, ...]
    own: int | None

    @staticmethod
    def of(statement: KernelStatement, parameters: Mapping[str, int]) -> "ConcreteStep":
        names = statement.iterators
        date = tuple(InstanceFormula.of(_position(component), names, parameters) for component in statement.schedule)
        target, *reads = (_Cell.of(access, names, parameters) for access in (statement.target, *statement.reads))
        own = next((position for position, a in enumerate(statement.reads) if a.same_cell(statement.target)), None)
        return ConcreteStep(
            statement=statement, parameters=parameters, date=date, target=target, reads=tuple(reads), own=own
        )

    def cell(self, access: ArrayAccess, point: Point) -> Point:
        """Returns the subscripts of a cell in the text, without those of the loops around its declaration."""
        (cell,) = {cell for cell in (self.target, *self.reads) if cell.access is access}
        return cell.at(point)[1][len(access.array.prefix) :]

    def moment(self, point: Point) -> Point:
        """Returns the place of an instance in the order of execution."""
        return tuple([component.at(point) for component in self.date])

    def instance(self, point: Point) -> dict[str, int]:
        return {**self.parameters, **dict(zip(self.statement.iterators, point, strict=True))}


def in_order(
    kernel: CKernel, parameters: Mapping[str, int], most: int | None = None
) -> tuple[list[tuple[ConcreteStep, Point]], Mapping[str, LiteralValue]]:
    """Returns all instances in sequential order, except those that fill cells which no other statement accesses; and
    for large buffers filled with a constant only the constant: executing such a fill takes long and gives no
    information. Raises TooMany if there are more than `most`."""
    steps: list[tuple[Point, int, ConcreteStep, Point]] = []
    fills = []
    filled = {}
    for number, statement in enumerate(kernel.statements):
        step = ConcreteStep.of(statement, parameters)
        if isinstance(statement.value, LiteralValue) and _is_large(statement.target.array):
            fills.append((number, step))
        else:
            left = None if most is None else max(0, most - len(steps))
            steps += [(step.moment(point), number, step, point) for point in points(statement, parameters, left)]
    accessed = {cell.at(point) for _, _, step, point in steps for cell in (step.target, *step.reads)} if fills else ()
    for number, step in fills:
        try:
            own = points(step.statement, parameters, _MOST_IN_BUFFER)
            own = own if len(own) <= _MOST_FILLED else [point for point in own if step.target.at(point) in accessed]
        except TooMany:
            own = None
        if own is None or len(own) > _MOST_FILLED:
            assert isinstance(step.statement.value, LiteralValue)
            filled[step.statement.target.array.name] = step.statement.value
        else:
            steps += [(step.moment(point), number, step, point) for point in own]
    steps.sort(key=lambda dated: dated[:2])
    return [(step, point) for _, _, step, point in steps], filled


def _is_large(array: KernelArray) -> bool:
    """Returns True if an array is neither a register block nor an argument."""
    cells = 1
    for extent in array.extents:
        bound = None if extent is None else affine(extent)
        if bound is None or not bound.is_constant:
            return not array.is_argument
        cells *= bound.constant
    return not array.is_argument and cells > _MOST_FILLED


def _position(component: int | KernelLoop) -> Affine:
    if isinstance(component, KernelLoop):
        return Affine.name(component.iterator) * component.step
    return Affine(constant=component)
