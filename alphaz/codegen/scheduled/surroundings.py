"""What is around a place of a nest, as far as the text of the operations there depends on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from alphaz.analysis.facts.selections import Decision
from alphaz.codegen.scheduled.accumulators import Accumulator
from alphaz.model.expression import Reduce


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`accumulators` are those in which statements collect, by the names of these; `decisions` is what is known of what
    reductions select; `is_shared`: no parallel loop is around, so that all threads can be used.
    """

    accumulators: Mapping[str, Accumulator] = field(default_factory=dict)
    decisions: Mapping[Reduce, Decision] = field(default_factory=dict)
    is_shared: bool = True

    def collecting(self, these: Iterable[Accumulator]) -> "Surroundings":
        """The same inside a loop with accumulators."""
        return replace(self, accumulators={**self.accumulators, **{each.statement.name: each for each in these}})

    def knowing(self, decisions: Mapping[Reduce, Decision]) -> "Surroundings":
        """The same in a group of iterations."""
        return replace(self, decisions={**self.decisions, **decisions})

    def in_threads(self) -> "Surroundings":
        """The same inside a parallel loop."""
        return replace(self, is_shared=False)


OUTERMOST = Surroundings()
