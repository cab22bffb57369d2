"""Memory maps as cells, by the names of the declarations."""

from alphaz.mapping.statement import Cell
from alphaz.mapping.target import MemoryMap
from alphaz.model.program import System


def cell_of(system: System, entry: MemoryMap) -> Cell:
    """Returns the cell of a memory map, with the names of the declaration."""
    names = system.variable(entry.variable).domain.space.names
    assert entry.function is not None
    function = entry.function.renamed(names)
    return Cell(entry.variable, entry.space, function, entry.moduli or (0,) * len(function.outputs))
