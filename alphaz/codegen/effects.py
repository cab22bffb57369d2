"""What operations do to memory, as far as loops may be changed for it: the cells that they write and read."""

from collections.abc import Sequence
from dataclasses import dataclass

from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Access, Compose, Expression, Reduce
from alphaz.model.walk import walk
from alphaz.poly import Affine, Domain
from alphaz.poly.boxes import Step, never_meet


@dataclass(frozen=True, slots=True)
class Touch:
    """A cell of a memory space, over the names of the domain of an operation. `folded`: modulo something."""

    space: str
    components: tuple[Affine, ...]
    folded: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """`target` is written (and read too, by an accumulation); `reads` are all other cells that are read."""

    target: Touch
    reads: tuple[Touch, ...]

    def is_private(self, corner: Domain, steps: Sequence[Step], keys: Sequence[Affine]) -> bool:
        """Whether no operation of boxes with the same keys reads what one of them writes: their targets can be kept in
        registers meanwhile.
        """
        return self._is_apart(corner, steps, keys, False)

    def is_unordered(self, corner: Domain, steps: Sequence[Step], keys: Sequence[Affine]) -> bool:
        """Whether they can be done at once: all reads, then all writes, each to a cell of its own."""
        alone = never_meet(corner, steps, keys, self.target.components, self.target.components, apart=True)
        return not self.target.folded and alone and self._is_apart(corner, steps, keys, True)

    def _is_apart(self, corner: Domain, steps: Sequence[Step], keys: Sequence[Affine], apart: bool) -> bool:
        target = self.target
        risky = [read for read in self.reads if read.space == target.space]
        if target.folded or any(read.folded for read in risky):
            return not risky
        return all(never_meet(corner, steps, keys, target.components, read.components, apart) for read in risky)


def effect_of(mapping: ResolvedMapping, statement: Statement, expression: Expression) -> Effect | None:
    """What a statement does whose right-hand side is the expression; None where its reads are no single cells."""
    names = statement.domain.space.names
    reads: list[Touch] = []
    for node in walk(expression):
        if isinstance(node, Compose | Reduce):
            return None
        if isinstance(node, Access):
            reads.append(_touch(mapping, node.variable, node.function.renamed(names).outputs))
    target = statement.target.renamed(names).outputs
    return Effect(_touch(mapping, statement.variable, target), tuple(dict.fromkeys(reads)))


def _touch(mapping: ResolvedMapping, variable: str, point: Sequence[Affine]) -> Touch:
    cell = mapping.cells[variable]
    values = dict(zip(cell.function.domain.names, point, strict=True))
    return Touch(cell.space, tuple(o.substitute(values) for o in cell.function.outputs), any(cell.moduli))
