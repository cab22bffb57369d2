"""What happens at given parameters: the operations of all families as events, each once, and what they write."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from alphaz.mapping.cells import location
from alphaz.mapping.resolved import ResolvedMapping
from alphaz.trace.trace import Element, Index
from alphaz.verify.order.operations import Event, Family
from alphaz.verify.reads.table import Operations, operations
from alphaz.verify.reporting.inventory import families_of

Key = tuple[int, str, Index, Index]


@dataclass(frozen=True, slots=True)
class Happening:
    """`events` by what tells them apart: their moment, name and indices; of a merge, which all contributions to one
    result in one loop share, the result and that loop. `writes` are the values of each, with their cells."""

    operations: Operations
    at: Mapping[str, int]
    events: dict[Key, Event] = field(default_factory=dict)
    writes: dict[Key, dict[Element, Element]] = field(default_factory=dict)

    @staticmethod
    def of(mapping: ResolvedMapping, at: Mapping[str, int]) -> "Happening":
        """Everything, for these parameters."""
        found = Happening(operations(mapping), at)
        for family in dict.fromkeys(each.operation for each in families_of(found.operations)):
            for event in found._events(family):
                found.events.setdefault(key(event), event)
        for family in found.operations.families:
            for event in found._events(family):
                value = Element(family.variable, event.target)
                found.writes.setdefault(key(event), {})[value] = found.cell(value)
        return found

    def cell(self, value: Element) -> Element:
        """Where a value is kept."""
        return Element(*location(self.operations.mapping.cells[value.name], self.at, value.index))

    def _events(self, family: Family) -> Iterator[Event]:
        return (family.event(self.at, point) for point in family.domain.points(self.at))


def key(event: Event) -> Key:
    """The same for events that are one operation."""
    family = event.family
    if family.merge and family.statement is not None:
        return family.moment, family.name, event.target, (event.date or ())[: family.statement.merged_at]
    return family.moment, family.name, event.own, ()
