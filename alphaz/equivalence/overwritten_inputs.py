"""Separates the input that an array holds at first from the values that the function writes to it later."""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.equivalence.argument_layout import ArgumentPlace
from alphaz.equivalence.symbolic_run import Binding
from alphaz.mapping.storage_formats import index
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, OutOfBudget, at_least, budget, fresh_names
from alphaz.scop.c_model import RESULT, ArrayAccess, CKernel, KernelArray, KernelLoop, KernelStatement, LoopKind, Write
from alphaz.scop.index_polynomials import conditions_of
from alphaz.scop.value_tree import ReadValue


def apart(kernel: CKernel, binding: Binding, system: System) -> tuple[CKernel, Binding] | None:
    """Returns the function with a copy for each such array, and the new binding of arrays; None if there is none, or
    its points need quotients."""
    written = {statement.target.array.name for statement in kernel.statements}
    copies: list[KernelStatement] = []
    arrays, inputs = dict(kernel.arrays), dict(binding.inputs)
    for name in [input_ for input_ in binding.inputs if input_ in written]:
        variable = next(v for v in system.inputs if v.name == inputs[name])
        (fresh,) = fresh_names(1, f"{name}.in", arrays)
        arrays[fresh] = replace(arrays[name], name=fresh, is_constant=True)
        inputs[fresh] = inputs.pop(name)
        place = binding.places[variable.name]
        # The function's own statements have the positions from 0 on in its block; no two copies share one.
        position = -1 - len(copies)
        copy = _copy(f"copy {name}", position, kernel, arrays[name], arrays[fresh], variable, system, place)
        if copy is None:
            return None
        copies.append(copy)
    if not copies:
        return None
    return replace(kernel, arrays=arrays, statements=(*copies, *kernel.statements)), replace(binding, inputs=inputs)


def _copy(
    name: str,
    position: int,
    kernel: CKernel,
    to: KernelArray,
    from_: KernelArray,
    variable: Variable,
    system: System,
    place: ArgumentPlace,
) -> KernelStatement | None:
    iterators = fresh_names(variable.domain.space.dimensions, "e", kernel.parameters)
    domain = variable.domain.in_context(system.context).renamed(iterators)
    conditions = conditions_of(domain)
    if conditions is None:
        return None
    subscripts = place.cell_of(tuple(map(Affine.name, iterators)))
    loops = (KernelLoop(iterator, 1, LoopKind.SEQUENTIAL, kernel.span) for iterator in iterators)
    return KernelStatement(
        name=name,
        iterators=iterators,
        conditions=conditions,
        domain=domain,
        date=(position, *loops),
        target=ArrayAccess(to, subscripts, kernel.span),
        reads=(ArrayAccess(from_, subscripts, kernel.span),),
        value=ReadValue(0, to.type),
        span=kernel.span,
        write=Write(),
    )


_STEPS = 1_000_000


def destroyed(kernel: CKernel, binding: Binding, system: System) -> Iterator[str]:
    """Yields messages on overwritten inputs, and on cells of outputs outside the variable that are overwritten."""
    outputs = {output.name: output for output in system.outputs}
    for name in kernel.arguments:
        writers = [statement for statement in kernel.statements if statement.target.array.name == name]
        if not writers or name == RESULT:
            continue
        if name not in binding.outputs:
            yield f"`{name}` is not needed after the call: it is overwritten (line {writers[0].span.position[0]})"
            continue
        variable = outputs[binding.outputs[name]]
        place = binding.places[variable.name]
        beyond = _first_beyond(writers, variable, place, system)
        if beyond is not None:
            message = f"the cells of `{name}` outside the domain of `{variable.name}` are not needed"
            yield f"{message}: they may be overwritten (line {beyond.span.position[0]})"


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
        values = {index(position): subscript for position, subscript in enumerate(writer.target.subscripts)}
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
    names = tuple(index(position) for position in range(len(place.cells)))
    points = variable.domain.in_context(system.context)
    # A scalar may be an array of one element.
    points = points.renamed(tuple(index(dimension) for dimension in range(points.space.dimensions)))
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
