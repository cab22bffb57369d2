"""Where operations of a mapped system read, and where they collect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.c.expressions import Value
from alphaz.codegen.scheduled.buffers import Buffer
from alphaz.codegen.scheduled.storage import Storage
from alphaz.codegen.scheduled.surroundings import Surroundings
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.mapping.statement import Statement
from alphaz.model.expression import Expression
from alphaz.poly import Affine


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of the mapping. `around` is what surrounds the operation; what `buffers` have is read from there."""

    mapping: ResolvedMapping
    storage: Storage
    parameters: Mapping[str, Affine]
    around: Surroundings
    buffers: Mapping[Expression, Buffer]

    def element(self, variable: str, point: Sequence[Affine]) -> c.Expression:
        return self.storage.places[variable].element(point, self.parameters)

    def collected(self, statement: Statement, point: Sequence[Affine]) -> c.Expression:
        """Where contributions to a result go: to the result, or to an accumulator."""
        place = self.around.accumulators.get(statement.name)
        return place.element(point) if place else self.element(statement.variable, point)

    def packed(self, node: Expression, point: Sequence[Affine]) -> c.Expression:
        """What a buffer has in the place of this expression."""
        return self.buffers[node].element(point)

    def index(self, value: Value) -> Value:
        """The value of an index where the operation is."""
        return value
