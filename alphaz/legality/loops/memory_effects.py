"""What operations do to memory, as far as loops may be changed for it: the cells that they write and read."""

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
    """A cell of a memory space, over the names of the domain of an operation. `said`: what the program says there."""

    space: str
    cell: tuple[BoxKey, ...]
    said: str

    def may_be(self, other: "CellAccess") -> bool:
        """Whether the two are in one space, and folded alike."""
        return self.space == other.space


@dataclass(frozen=True, slots=True)
class Effect:
    """`target` is written (and read too, by an accumulation); `reads` are all other cells that are read."""

    target: CellAccess
    reads: tuple[CellAccess, ...]

    def touches(self, cell: CellAccess) -> bool:
        """Whether it may write or read this cell, wherever it is in its space."""
        return any(cell.may_be(each) for each in (self.target, *self.reads))


def alike(one: CellAccess, other: CellAccess) -> tuple[tuple[BoxKey, ...], tuple[BoxKey, ...]]:
    """Two cells of one space, in the components that are folded alike, by a number: more may be equal then."""
    every = zip(one.cell, other.cell, strict=True)
    pairs = [(mine, theirs) for mine, theirs in every if mine.modulus == theirs.modulus != PARAMETRIC]
    return tuple(mine for mine, _ in pairs), tuple(theirs for _, theirs in pairs)


def effect_of(mapping: ResolvedMapping, statement: Statement, expression: Expression) -> Effect | None:
    """What a statement does whose right-hand side is the expression; None where its reads are no single cells."""
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
