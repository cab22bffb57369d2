"""Array states: the contents of a whole array before a sweep reads it, `A[c] = A[c]` for all c, which computes nothing.

The neighbours of a point may come from several statements (inner points from the last sweep, the border from a copy):
then a sweep would have a case for each of them. With the array as a whole they are values of one.
"""

from collections.abc import Iterator
from dataclasses import replace

from alphaz.frontends.from_c.flow import FlowNode, box_of, node_of, origins_of
from alphaz.poly import Affine, Domain, fresh_names
from alphaz.scop.c_model import (
    ArrayAccess,
    CKernel,
    Date,
    KernelArray,
    KernelLoop,
    KernelStatement,
    LoopKind,
    Write,
)
from alphaz.scop.value_tree import ReadValue

# Limit on the number of states: more describe too little.
_MOST = 16


def with_states(kernel: CKernel, context: Domain) -> CKernel:
    """Returns the kernel with the state of each array before the sweeps that would need cases."""
    done: set[tuple[str, str]] = set()
    for number in range(_MOST):
        wanted = next(_swept_arrays(kernel, done), None)
        if wanted is None:
            break
        statement, array, place = wanted
        done.add((statement.name, array.name))
        kernel = _with_state(kernel, context, statement, array, place, number)
    return kernel


def _swept_arrays(kernel: CKernel, done: set[tuple[str, str]]) -> Iterator[tuple[KernelStatement, KernelArray, Date]]:
    for statement in kernel.statements:
        several = [read.array for read in statement.reads if not read.array.prefix]
        if len(several) == len({array.name for array in several}):
            continue
        for array in _in_cases(node_of(kernel, statement)):
            place = _place(kernel, statement, array)
            if place is not None and (statement.name, array.name) not in done:
                yield statement, array, place


def _in_cases(node: FlowNode) -> Iterator[KernelArray]:
    """Yields the arrays of which several cells are read, each from several statements."""
    several = [
        access.array
        for access, origins in zip(node.statement.reads, node.reads, strict=True)
        if len({origin.writer for origin in origins}) > 1 and access.array.extents and not access.array.prefix
    ]
    yield from dict.fromkeys(array for array in several if several.count(array) > 1)


def _place(kernel: CKernel, statement: KernelStatement, array: KernelArray) -> Date | None:
    """Returns the date prefix of the outermost block around the statement that does not write the array."""
    for index, position in enumerate(statement.date):
        if isinstance(position, KernelLoop):
            continue
        place = statement.date[: index + 1]
        if not any(
            statement.target.array is array for statement in kernel.statements if statement.date[: index + 1] == place
        ):
            return place
    return None


def _with_state(
    kernel: CKernel, context: Domain, statement: KernelStatement, array: KernelArray, place: Date, number: int
) -> CKernel:
    """Returns the kernel with a state. All positions are doubled: the state is between the statements before the block
    and the block."""
    around = tuple(component.iterator for component in place if isinstance(component, KernelLoop))
    taken = {name for statement in kernel.statements for name in statement.iterators}
    names = fresh_names(len(array.extents), f"c{number}x", (*kernel.parameters, *taken))
    space = context.space.with_names((*around, *names))
    iterations = Domain.empty(context.space.with_names(around))
    for other in kernel.statements:
        if other.date[: len(place) - 1] == place[:-1]:
            iterations = iterations | other.domain.onto(around)
    domain = iterations.simplify().embedded(space) & box_of(array, names, context).embedded(space)
    cell = ArrayAccess(array, tuple(map(Affine.name, names)), statement.span)
    loops = tuple(KernelLoop(name, 1, LoopKind.SEQUENTIAL, statement.span) for name in names)
    assert isinstance(place[-1], int)
    date = (*_doubled(place[:-1]), 2 * place[-1] - 1, *loops)
    name = f"{statement.name}.{number}"
    made = KernelStatement(
        name=name,
        iterators=space.names,
        conditions=(),
        domain=domain,
        date=date,
        target=cell,
        reads=(cell,),
        value=ReadValue(0, array.type),
        span=statement.span,
        write=Write(),
    )
    kernel = replace(
        kernel, statements=tuple(replace(statement, date=_doubled(statement.date)) for statement in kernel.statements)
    )
    if not array.is_argument:
        points = Domain.empty(space)
        for origin in origins_of(kernel, made, cell):
            points = points if origin.writer is None else points | origin.where
        made = replace(made, domain=points.simplify())
    return replace(kernel, statements=tuple(sorted((*kernel.statements, made), key=_in_text)))


def _in_text(statement: KernelStatement) -> tuple[int, ...]:
    return tuple(0 if isinstance(component, KernelLoop) else component for component in statement.date)


def _doubled(date: Date) -> Date:
    return tuple(component if isinstance(component, KernelLoop) else 2 * component for component in date)
