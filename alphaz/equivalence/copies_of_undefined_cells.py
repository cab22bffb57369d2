"""Copies of memory that holds no value: `memcpy` copies it, and its target then holds an unknown value.

The arrays of triangular variables have cells outside of them, and outputs hold no value before they are written. Both
are copied to and from a GPU as whole arrays. The instances of a copy that concern such cells become writes of an
unknown value. This fits any content of the source, so it is sound for each cell; accesses stay inside of both arrays.
"""

from collections.abc import Mapping
from dataclasses import replace

from alphaz.equivalence.argument_layout import ArgumentPlace
from alphaz.equivalence.symbolic_run import Binding
from alphaz.mapping.storage_formats import index
from alphaz.model.program import System, Variable
from alphaz.poly import Affine, Constraint, Domain, at_least, less
from alphaz.scop.c_model import Annotation, ArrayAccess, CKernel, KernelArray, KernelLoop, KernelStatement, LoopKind
from alphaz.scop.index_polynomials import affine, conditions_of
from alphaz.scop.value_tree import ReadValue


def with_blank_copies(kernel: CKernel, binding: Binding, system: System) -> CKernel:
    """Returns the function with such copies in two statements: one for cells that may hold a value, and one for the
    other cells. In a text with annotations, copies from the array of an input, and to that of an output, are annotated
    with its points: their values may be copies of several variables."""
    arrays, statements = dict(kernel.arrays), list[KernelStatement]()
    if any(statement.annotation is not None for statement in kernel.statements):
        kernel = with_annotated_copies(kernel, binding, system)
    for statement in kernel.statements:
        parts = _parts(statement, kernel, binding, system)
        if parts is None:
            statements.append(statement)
            continue
        filled, blank = parts
        (source,) = statement.reads
        name, prefix = f"{source.array.name}.blank{len(statements)}", statement.iterators
        unknown = KernelArray(name, source.array.type, (), statement.span, prefix=prefix, is_stale=True)
        read = ArrayAccess(unknown, tuple(map(Affine.name, prefix)), source.span)
        arrays[name] = unknown
        if not filled.is_empty():
            statements.append(replace(statement, domain=filled, conditions=conditions_of(filled) or ()))
        statements.append(
            replace(
                statement,
                name=f"{statement.name}.blank",
                domain=blank,
                conditions=conditions_of(blank) or (),
                reads=(read,),
                value=ReadValue(0, source.array.type),
                annotation=None,
            )
        )
    return replace(kernel, arrays=arrays, statements=tuple(statements))


def _parts(
    statement: KernelStatement, kernel: CKernel, binding: Binding, system: System
) -> tuple[Domain, Domain] | None:
    """Returns the instances of a copy for cells that may hold a value, and those for other cells; None if there are
    none of these, or they are not known."""
    if not statement.copies_bytes or not _is_sequential(statement):
        return None
    (source,) = statement.reads
    inside = _inside(source)
    known = _known(statement, source, kernel, binding, system)
    if inside is None or known is None:
        return None
    blank = ((statement.domain & Domain.where(statement.space, inside)) - known).simplify()
    filled = (statement.domain - blank).simplify()
    if blank.is_empty() or None in (conditions_of(blank), conditions_of(filled)):
        return None
    return filled, blank


def _is_sequential(statement: KernelStatement) -> bool:
    """Returns True if no other thread accesses memory during the copy."""
    loops = (part for part in statement.date if isinstance(part, KernelLoop))
    is_alone = statement.share is None and statement.block is None and statement.write.is_plain
    return is_alone and all(loop.kind is LoopKind.SEQUENTIAL for loop in loops)


def with_annotated_copies(kernel: CKernel, binding: Binding, system: System) -> CKernel:
    """Returns the function with annotations at copies from the array of an input, and to that of an output; the same
    object if there are none."""
    statements = tuple(_with_variable(statement, kernel, binding, system) for statement in kernel.statements)
    return kernel if statements == kernel.statements else replace(kernel, statements=statements)


def _with_variable(statement: KernelStatement, kernel: CKernel, binding: Binding, system: System) -> KernelStatement:
    """Returns a copy from the array of an input, or to that of an output, with the annotation of its points."""
    passed = None
    if statement.copies_bytes and statement.annotation is None and _is_sequential(statement):
        passed = _passed(statement, kernel, binding, system)
    if passed is None:
        return statement
    access, variable, place = passed
    point = _point(access, variable, place)
    return (
        statement if point is None else replace(statement, annotation=Annotation(variable.name, tuple(point.values())))
    )


def _passed(
    statement: KernelStatement, kernel: CKernel, binding: Binding, system: System
) -> tuple[ArrayAccess, Variable, ArgumentPlace] | None:
    """Returns the access of a copy to the array of an input, or else of an output, with the variable."""
    variables = {variable.name: variable for variable in (*system.inputs, *system.outputs)}
    (source,), target = statement.reads, statement.target
    name, access = binding.inputs.get(source.array.name), source
    if name is None or not source.array.is_argument or _is_written_before(statement, source.array, kernel):
        name, access = binding.outputs.get(target.array.name), target
    if name is None or not access.array.is_argument:
        return None
    return access, variables[name], binding.places[name]


def _known(
    statement: KernelStatement, source: ArrayAccess, kernel: CKernel, binding: Binding, system: System
) -> Domain | None:
    """Returns the instances that copy a point of an input from its array, or of an output to its array; None for a copy
    between other arrays."""
    is_first = source.array.is_argument and not _is_written_before(statement, source.array, kernel)
    if is_first and source.array.name not in binding.inputs:
        return Domain.empty(statement.space)
    passed = _passed(statement, kernel, binding, system)
    return None if passed is None else _instances(statement, *passed, system)


def _is_written_before(copy: KernelStatement, array: KernelArray, kernel: CKernel) -> bool:
    """Returns True unless all writes of an array certainly come after a copy."""
    writers = (other for other in kernel.statements if other.target.array is array)
    return not all(_is_before(copy, other) for other in writers)


def _is_before(one: KernelStatement, other: KernelStatement) -> bool:
    """Returns True if all instances of a statement come before those of another one: the dates differ first in the
    positions of one block, outside of all loops."""
    pairs = zip(one.date, other.date, strict=False)
    first, second = next((pair for pair in pairs if pair[0] != pair[1] or isinstance(pair[0], KernelLoop)), (0, 0))
    return isinstance(first, int) and isinstance(second, int) and first < second


def _instances(
    statement: KernelStatement, access: ArrayAccess, variable: Variable, place: ArgumentPlace, system: System
) -> Domain | None:
    """Returns the instances that access cells of points of a variable; None if that is not known."""
    point = _point(access, variable, place)
    pieces = variable.domain.in_context(system.context).pieces()
    if point is None or any(piece.floors for piece in pieces):
        return None
    return Domain.where(statement.space, *(_moved(piece.constraints, point) for piece in pieces))


def _point(access: ArrayAccess, variable: Variable, place: ArgumentPlace) -> dict[str, Affine] | None:
    """Returns the index values of the point whose cell is accessed; None if points are not moved into the array by
    adding the same to each index."""
    cell, space = access.subscripts[len(access.array.prefix) :], variable.domain.space
    lows = [own - Affine.name(index(position)) for position, own in enumerate(place.cells)]
    is_moved = all(set(low.names) <= {*space.parameters} for low in lows)
    if len(cell) != len(lows) or not is_moved or place.packed is not None:
        return None
    return {name: own - low for name, own, low in zip(space.names, cell, lows, strict=True)}


def _moved(constraints: tuple[Constraint, ...], point: Mapping[str, Affine]) -> list[Constraint]:
    return [replace(constraint, affine=constraint.affine.substitute(point)) for constraint in constraints]


def _inside(access: ArrayAccess) -> list[Constraint] | None:
    """Returns that an access is inside of each extent of its array; None if an extent is not known."""
    array, found = access.array, list[Constraint]()
    for extent, subscript in zip(array.extents, access.subscripts[len(array.prefix) :], strict=True):
        bound = None if extent is None else affine(extent)
        if bound is None or array.packed is not None:
            return None
        found += [at_least(subscript, Affine()), less(subscript, bound)]
    return found
