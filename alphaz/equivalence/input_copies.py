"""Arrays that hold an input first and another value later, split into two: the input is copied before all statements.

The function stays the same. But a sum that begins with the old contents, `y[i] -= ..`, then begins with a statement,
which has computed the whole sum if no term is added.
"""

from dataclasses import replace

from alphaz.equivalence.argument_layout import ArgumentPlace
from alphaz.equivalence.symbolic_run import Binding
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, Domain, fresh_names
from alphaz.scop.conditions import Condition
from alphaz.scop.kernel import ArrayAccess, CKernel, KernelArray, KernelLoop, KernelStatement, LoopKind, Write
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
    conditions = _plainly(domain)
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


def _plainly(domain: Domain) -> tuple[Condition, ...] | None:
    """Returns the conditions of a domain's points; None if they need quotients."""
    pieces = domain.pieces()
    if any(piece.floors for piece in pieces):
        return None
    return (tuple(piece.constraints for piece in pieces),)
