"""Memory effects of operations for loop transformations: the cells that they write and read."""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.analysis.checks.question import point_text
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Access, Compose, Expression, Reduce
from alphaz.model.walk import walk
from alphaz.poly import Affine
from alphaz.poly.algorithms.boxes import BoxKey

# The modulus of a component that is folded by a parametric factor.
PARAMETRIC = -1


@dataclass(frozen=True, slots=True)
class CellAccess:
    """A cell of a memory space, over the names of the domain of an operation. `said` is the access in the program's
    text.
    """

    space: str
    cell: tuple[BoxKey, ...]
    said: str

    def may_be(self, other: "CellAccess") -> bool:
        """Returns True if both cells are in one space and have the same mod factors."""
        return self.space == other.space


@dataclass(frozen=True, slots=True)
class Effect:
    """The effect of an operation: it writes `target` (an accumulation reads it too); `reads` are all other cells it
    reads.
    """

    target: CellAccess
    reads: tuple[CellAccess, ...]

    def touches(self, cell: CellAccess) -> bool:
        """Returns True if the operation may access the space of this cell, for any indices."""
        return any(cell.may_be(each) for each in (self.target, *self.reads))


def alike(one: CellAccess, other: CellAccess) -> tuple[tuple[BoxKey, ...], tuple[BoxKey, ...]]:
    """Returns the components of two cells of one space that have the same constant mod factor; further components may
    be equal then.
    """
    every = zip(one.cell, other.cell, strict=True)
    pairs = [(mine, theirs) for mine, theirs in every if mine.modulus == theirs.modulus != PARAMETRIC]
    return tuple(mine for mine, _ in pairs), tuple(theirs for _, theirs in pairs)


def effect_of(mapping: ResolvedMapping, statement: Statement, expression: Expression) -> Effect | None:
    """Returns the effect of a statement with this right-hand side; None where a read is not a single cell."""
    names = statement.domain.space.names
    reads: list[CellAccess] = []
    for node in walk(expression):
        if isinstance(node, Compose | Reduce):
            return None
        if isinstance(node, Access):
            reads.append(_touch(mapping, node.variable, node.function.renamed(names).outputs))
    target = statement.target.renamed(names).outputs
    return Effect(_touch(mapping, statement.variable, target), tuple(dict.fromkeys(reads)))


def _touch(mapping: ResolvedMapping, variable: str, point: Sequence[Affine]) -> CellAccess:
    cell = mapping.cells[variable]
    values = dict(zip(cell.function.domain.names, point, strict=True))
    outputs = (o.substitute(values) for o in cell.function.outputs)
    moduli = (m if isinstance(m, int) else PARAMETRIC for m in cell.moduli)
    keys = tuple(BoxKey(o, modulus=m) for o, m in zip(outputs, moduli, strict=True))
    return CellAccess(cell.space, keys, point_text(variable, point))
