"""Names sums: a sum that would be recomputed for each element of its reader becomes a temporary."""

from dataclasses import dataclass, field, replace

from alphaz.frontends.matrix.kernel import Extent, MatrixArray, MatrixKernel
from alphaz.frontends.matrix.storage import MatrixStorage
from alphaz.frontends.matrix.tree import (
    Assignment,
    BinaryFormula,
    Expression,
    FormulaCall,
    FormulaOperator,
    Negated,
    NumberFormula,
    Transposed,
    VariableFormula,
)


def with_named_sums(kernel: MatrixKernel) -> MatrixKernel:
    """Returns the same kernel; a remaining product with a sum, or a norm, is needed once for each of its elements.

    That is: not inside another sum, and not if it has fewer elements than the assigned variable."""
    lowering = _Lowering(kernel, dict(kernel.arrays))
    for assignment in kernel.assignments:
        value = lowering.lowered(assignment.value, kernel.extents[assignment.value], summed=False)
        lowering.done.append(replace(assignment, value=value))
    return replace(kernel, arrays=lowering.arrays, assignments=tuple(lowering.done), extents=lowering.extents)


def adds_up(node: Expression, extents: dict[Expression, Extent]) -> bool:
    """Returns True if each of its elements is a sum over an index of its own."""
    match node:
        case FormulaCall("norm2"):
            return True
        case BinaryFormula(FormulaOperator.MULTIPLY, left, right):
            return extents[left].columns is not None and extents[right].rows is not None
    return False


@dataclass(slots=True)
class _Lowering:
    """The state. `done` are the assignments so far, `arrays` and `extents` those of the kernel with the new
    temporaries."""

    kernel: MatrixKernel
    arrays: dict[str, MatrixArray]
    done: list[Assignment] = field(default_factory=list)
    extents: dict[Expression, Extent] = field(init=False)

    def __post_init__(self) -> None:
        self.extents = dict(self.kernel.extents)

    def lowered(self, node: Expression, whole: Extent, summed: bool) -> Expression:
        """Returns the lowered expression. `whole` is the extent of the assigned variable, `summed`: the node is inside
        a sum."""
        extent = self.extents[node]
        if adds_up(node, self.extents) and (summed or _fewer(extent, whole)):
            return self._named(node, extent)
        return self._rebuilt(node, whole, summed or adds_up(node, self.extents))

    def _named(self, node: Expression, extent: Extent) -> VariableFormula:
        value = self.lowered(node, extent, summed=False)
        name = next(name for at in range(1, len(self.arrays) + 2) if (name := f"t{at}") not in self._taken())
        self.arrays[name] = MatrixArray(name=name, way=None, extent=extent, storage=MatrixStorage(), span=node.span)
        self.done.append(Assignment(name, value, node.span))
        made = VariableFormula(name, node.span)
        self.extents[made] = extent
        return made

    def _taken(self) -> set[str]:
        return {*self.arrays, *self.kernel.parameters}

    def _rebuilt(self, node: Expression, whole: Extent, summed: bool) -> Expression:
        made: Expression = node
        match node:
            case VariableFormula() | NumberFormula():
                return node
            case Transposed() | Negated():
                made = replace(node, body=self.lowered(node.body, whole, summed))
            case FormulaCall():
                made = replace(node, argument=self.lowered(node.argument, whole, summed))
            case BinaryFormula():
                left = self.lowered(node.left, whole, summed)
                made = replace(node, left=left, right=self.lowered(node.right, whole, summed))
        self.extents[made] = self.extents[node]
        return made


def _fewer(extent: Extent, whole: Extent) -> bool:
    return len(extent.sizes) < len(whole.sizes)
