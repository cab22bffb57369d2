"""What is around a place of a nest, as far as the text of the operations there depends on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from alphaz.analysis.facts.guarded_reductions import Decision
from alphaz.codegen.scheduled.accumulators import Accumulator
from alphaz.model.expression import Reduce


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`accumulators` are those in which statements collect, by the names of these, `totals` those that a thread has
    others in the place of; `decisions` is what is known of what reductions select; `is_shared`: no parallel loop is
    around, so that all threads can be used.
    """

    accumulators: Mapping[str, Accumulator] = field(default_factory=dict)
    totals: Mapping[str, Accumulator] = field(default_factory=dict)
    decisions: Mapping[Reduce, Decision] = field(default_factory=dict)
    is_shared: bool = True

    def collecting(self, these: Iterable[Accumulator]) -> "Surroundings":
        """The same inside a loop with accumulators."""
        return replace(self, accumulators={**self.accumulators, **{each.statement.name: each for each in these}})

    def knowing(self, decisions: Mapping[Reduce, Decision]) -> "Surroundings":
        """The same in a group of iterations."""
        return replace(self, decisions={**self.decisions, **decisions})

    def in_thread(self, own: Iterable[Accumulator] = ()) -> "Surroundings":
        """The same where each thread has accumulators of its own."""
        return replace(self.collecting(own), totals=self.accumulators, is_shared=False)


OUTERMOST = Surroundings()
