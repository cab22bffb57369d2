"""Data that a function overwrites in addition to its outputs, which its caller may need: reported with the verdict."""

from collections.abc import Iterator

from alphaz.equivalence.argument_layout import ArgumentPlace
from alphaz.equivalence.symbolic_run import Binding
from alphaz.mapping.layout import index
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, OutOfBudget, at_least, budget
from alphaz.scop import CKernel
from alphaz.scop.kernel import RESULT, KernelStatement

_STEPS = 1_000_000


def destroyed(kernel: CKernel, binding: Binding, system: System) -> Iterator[str]:
    """Yields messages on overwritten inputs, and on cells of outputs outside the variable that are overwritten."""
    outputs = {output.name: output for output in system.outputs}
    for name in kernel.arguments:
        writers = [statement for statement in kernel.statements if statement.target.array.name == name]
        if not writers or name == RESULT:
            continue
        if name not in binding.outputs:
            yield f"nobody needs `{name}` afterwards: it is overwritten (line {writers[0].span.position[0]})"
            continue
        variable = outputs[binding.outputs[name]]
        place = binding.places[variable.name]
        beyond = _first_beyond(writers, variable, place, system)
        if beyond is not None:
            said = f"nobody needs what lies in `{name}` beyond the domain of `{variable.name}`"
            yield f"{said}: it may be overwritten (line {beyond.span.position[0]})"


def _first_beyond(
    writers: list[KernelStatement], variable: Variable, place: ArgumentPlace, system: System
) -> KernelStatement | None:
    """Returns the first statement not shown to write only cells of the variable's points."""
    with_cells = _cells(variable, place, system)
    if with_cells is None:
        return writers[0]
    cells, is_whole = with_cells
    if is_whole:
        return None
    for writer in writers:
        values = {index(at): subscript for at, subscript in enumerate(writer.target.subscripts)}
        pieces = [
            tuple(Constraint(c.affine.substitute(values), equality=c.equality) for c in piece.constraints)
            for piece in cells.pieces()
        ]
        try:
            with budget(_STEPS):
                if not writer.domain.is_subset(Domain.where(writer.domain.space, *pieces)):
                    return writer
        except OutOfBudget:
            return writer
    return None


def _cells(variable: Variable, place: ArgumentPlace, system: System) -> tuple[Domain, bool] | None:
    """Returns the cells of the points, and whether these are all cells; None if that needs quotients."""
    names = tuple(index(at) for at in range(len(place.cells)))
    points = variable.domain.in_context(system.context)
    # A scalar may be an array of one element.
    points = points.renamed(tuple(index(at) for at in range(points.space.dimensions)))
    cells = points.image(AffineFunction(points.space, place.cells), names)
    if any(piece.floors for piece in cells.pieces()):
        return None
    bounds = place.held or [
        bound
        for name, extent in zip(names, place.extents, strict=True)
        for bound in (at_least(Affine.name(name), 0), at_least(extent - 1, Affine.name(name)))
    ]
    box = Domain.where(cells.space, bounds).in_context(system.context)
    return cells, box.is_subset(cells)
