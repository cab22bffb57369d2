"""Innermost loops that are more than a loop around statements: in vectors, or accumulating in local variables."""

from collections.abc import Mapping
from dataclasses import dataclass

from alphaz.codegen.c import c_tree as c
from alphaz.codegen.scheduled.actions import Action
from alphaz.codegen.scheduled.axes import Layout
from alphaz.codegen.scheduled.instances import Instances
from alphaz.codegen.scheduled.surroundings import Surroundings
from alphaz.codegen.scheduled.vectorisation import in_vectors
from alphaz.loops.tree import For


@dataclass(frozen=True, slots=True)
class Innermost:
    """Writes such loops of one nest. `actions` are its statements by their names."""

    layout: Layout
    actions: Mapping[str, Action]

    def written(self, loop: For, around: Surroundings, instances: Instances) -> tuple[c.Statement, ...] | None:
        """None where the loop is nothing more."""
        if not loop.vector_dimension:
            return instances.accumulating(loop, self.actions, around)
        found = in_vectors(loop, self.layout, self.actions, instances, around)
        assert found is not None, "a loop is done in vectors where it fits"
        return found
