"""Gives each assignment of a vector variable a name of its own, and each lane a variable; drops lanes that nothing
reads.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from alphaz.c import tree as c
from alphaz.c.walk import nodes, with_blocks
from alphaz.diagnostics import Span
from alphaz.scop.c_model import ArrayAccess, CKernel, KernelArray, KernelStatement
from alphaz.scop.index_polynomials import constant_polynomial, number
from alphaz.scop.substitution import substitute_names
from alphaz.scop.tree_queries import addressed, body_of, is_of_header, names_among, pragma_text
from alphaz.scop.value_tree import ReadValue


def renew(definition: c.Function) -> c.Function:
    """Returns a function in which each assignment to a vector, in the block that declares it, declares a new one."""
    body = body_of(definition)
    declared: list[c.Declare | c.Parameter] = [*nodes(body, c.Declare), *definition.parameters]
    names = [one.name for one in declared]
    lent = names_among(addressed(body))
    text = " ".join(map(pragma_text, nodes(body, (c.Omp, c.Pragma))))
    types = {
        one.name: one.type for one in declared
        if is_of_header(one.type) and one.name not in lent
        and one.name not in text and names.count(one.name) == 1
    }  # fmt: skip
    own = {parameter.name for parameter in definition.parameters if parameter.name in types}
    return replace(definition, body=_renewed(body, types, own)) if types else definition


def _renewed(statements: Sequence[c.Statement], types: Mapping[str, c.Type], own: set[str]) -> tuple[c.Statement, ...]:
    """Returns the statements of a block; the vectors `own` are declared before it."""
    latest: dict[str, c.Expression] = {}
    block: list[c.Statement] = []
    count = 1
    for statement in statements:
        inside = with_blocks(statement, lambda block: _renewed(block, types, set()))
        item = substitute_names(inside, latest)
        match statement:
            case c.Declare(_, name) if name in types:
                own.add(name)
            case c.Assign(c.Name(name), _, "=") if name in own:
                assert isinstance(item, c.Assign)
                count += 1
                fresh, type_ = f"{name}.{count}", replace(types[name], const=False, volatile=False)
                latest[name] = c.Name(fresh)
                item = c.Declare(type_, fresh, item.value, at=item.at)
        block.append(item)
    return tuple(block)


Statements = tuple[KernelStatement, ...]
_MOST_LANES = 64


def without_idle_lanes(kernel: CKernel) -> CKernel:
    """Returns the function with one variable for each lane, and without unused ones."""
    split = _split(kernel)
    if split is kernel:
        return kernel
    statements = _read_where_they_are(_written_in_place(_used_statements(split.statements)))
    return replace(split, statements=statements)


# --- one variable for each lane ---------------------------------------------------------------------------------------


def _split(kernel: CKernel) -> CKernel:
    accesses = [lane_access for statement in kernel.statements for lane_access in (statement.target, *statement.reads)]
    loose = {id(lane_access.array) for lane_access in accesses if _place(lane_access) is None}
    loose |= {id(lane_access.array) for s in kernel.collecting for lane_access in (s.target, *s.reads)}
    lane_arrays: dict[tuple[int, tuple[int, ...]], KernelArray] = {}

    def lane(access: ArrayAccess) -> ArrayAccess:
        place = _place(access)
        if place is None or id(access.array) in loose:
            return access
        name = f"{access.array.name}.lane{''.join(f'_{subscript}' for subscript in place)}"
        array = lane_arrays.setdefault((id(access.array), place), replace(access.array, name=name, extents=()))
        return replace(access, array=array, subscripts=access.subscripts[: len(array.prefix)])

    def lanes(statement: KernelStatement) -> KernelStatement:
        target, reads = lane(statement.target), tuple(map(lane, statement.reads))
        is_same = target is statement.target and all(a is b for a, b in zip(reads, statement.reads, strict=True))
        return statement if is_same else replace(statement, target=target, reads=reads)

    statements = tuple(map(lanes, kernel.statements))
    if not lane_arrays:
        return kernel
    split_arrays = {array for array, _ in lane_arrays}
    rest = {name: array for name, array in kernel.arrays.items() if id(array) not in split_arrays}
    return replace(
        kernel, statements=statements, arrays={**rest, **{array.name: array for array in lane_arrays.values()}}
    )


def _place(access: ArrayAccess) -> tuple[int, ...] | None:
    """Returns the subscripts of a lane, if they are constants in range."""
    array = access.array
    if not array.is_vector or not array.extents:
        return None
    extents = [number(extent or constant_polynomial(0)) or 0 for extent in array.extents]
    own = access.subscripts[len(array.prefix) :]
    is_there = all(
        subscript.is_constant and 0 <= subscript.constant < size for subscript, size in zip(own, extents, strict=True)
    )
    return tuple(subscript.constant for subscript in own) if is_there and prod(extents) <= _MOST_LANES else None


# --- unused lanes -----------------------------------------------------------------------------------------------------


def _used_statements(statements: Statements) -> Statements:
    sources = defaultdict[int, list[Span]](list)
    for candidate in statements:
        sources[id(candidate.target.array)].append(candidate.span)
    while True:
        used = {id(read.array) for statement in statements for read in statement.reads}
        used_ = tuple(candidate for candidate in statements if not _is_idle(candidate, statements, used, sources))
        if len(used_) == len(statements):
            return used_
        statements = used_


def _is_idle(
    statement: KernelStatement, statements: Statements, used: set[int], sources: Mapping[int, Sequence[Span]]
) -> bool:
    if not _is_lane(statement.target) or id(statement.target.array) in used or not all(map(_is_lane, statement.reads)):
        return False
    beside = (access for access in statements if access.span == statement.span and _is_lane(access.target))
    looked_at = (e for e in beside if e.date[:-1] == statement.date[:-1] and id(e.target.array) in used)
    own = {_lane_sources(access, sources) for access in statement.reads}
    return any(own <= {_lane_sources(read, sources) for read in access.reads} for access in looked_at)


def _lane_sources(read: ArrayAccess, sources: Mapping[int, Sequence[Span]]) -> tuple[str, tuple[Span, ...]]:
    """Returns the vector that is read, and where the lane is assigned."""
    return read.array.name.rpartition(".lane")[0], tuple(sources.get(id(read.array), ()))


def _is_lane(access: ArrayAccess) -> bool:
    return access.array.is_vector and not access.array.extents


# --- copies -----------------------------------------------------------------------------------------------------------


def _written_in_place(statements: Statements) -> Statements:
    for position, copy in enumerate(statements):
        maker = _maker(copy, statements[:position], statements)
        if maker is not None:
            moved = replace(maker, target=replace(copy.target, span=maker.target.span))
            rest = tuple(
                moved if statement is maker else statement for statement in statements if statement is not copy
            )
            return _written_in_place(rest)
    return statements


def _maker(copy: KernelStatement, before: Statements, statements: Statements) -> KernelStatement | None:
    """Returns the only statement that writes the lane, which only this copy reads, to a variable not used before."""
    target = copy.target
    is_new = not target.array.is_argument and {*target.array.prefix} == {*copy.iterators} and not target.array.extents
    if not _is_copy(copy) or not _is_lane(copy.reads[0]) or not is_new:
        return None
    if any(earlier.touches(target.array) for earlier in before):
        return None
    (read,) = copy.reads
    touching = [statement for statement in statements if statement.touches(read.array)]
    if len(touching) != 2 or touching[1] is not copy or touching[0].target.array is not read.array:
        return None
    (maker, _) = touching
    is_whole = not any(access.array is read.array for access in maker.reads)
    return maker if is_whole and _are_together(maker, copy) and read.array.type == target.array.type else None


def _read_where_they_are(statements: Statements) -> Statements:
    for position, copy in enumerate(statements):
        if _is_copy(copy) and _is_lane(copy.target) and not _is_lane(copy.reads[0]):
            readers = [*_readers(copy, statements[:position], statements[position + 1 :])]
            if readers:
                changed = {id(reader): _reading(reader, copy) for reader in readers}
                rest = (changed.get(id(statement), statement) for statement in statements if statement is not copy)
                return _read_where_they_are(tuple(rest))
    return statements


def _readers(copy: KernelStatement, before: Statements, behind: Statements) -> Iterator[KernelStatement]:
    """Yields the readers of a copied value, if all of them could read the cell itself; else none."""
    readers = [statement for statement in behind if any(e.array is copy.target.array for e in statement.reads)]
    others = [statement for statement in (*before, *behind) if statement.target.array is copy.target.array]
    if others or any(statement.touches(copy.target.array) for statement in before):
        return
    if not all(_are_together(copy, statement) for statement in readers):
        return
    until = behind.index(readers[-1]) if readers else 0
    if all(_leaves(statement, copy) for statement in behind[:until]):
        yield from readers


def _leaves(statement: KernelStatement, copy: KernelStatement) -> bool:
    """Returns True if a statement does not write the cell: it writes another array, or another cell."""
    (cell,), target = copy.reads, statement.target
    if target.array is not cell.array:
        return True
    pairs = zip(target.subscripts, cell.subscripts, strict=True)
    return _are_together(statement, copy) and any((a - b).is_constant and (a - b).constant for a, b in pairs)


def _reading(statement: KernelStatement, copy: KernelStatement) -> KernelStatement:
    (cell,) = copy.reads
    reads = (replace(cell, span=e.span) if e.array is copy.target.array else e for e in statement.reads)
    return replace(statement, reads=tuple(reads))


def _is_copy(statement: KernelStatement) -> bool:
    is_read = isinstance(statement.value, ReadValue) and len(statement.reads) == 1
    return is_read and statement.reads[0].array.type == statement.target.array.type and _is_plain(statement)


def _are_together(one: KernelStatement, other: KernelStatement) -> bool:
    """Returns True if two statements run in the same iterations, one after the other, in one thread."""
    is_alike = (one.iterators, one.conditions) == (other.iterators, other.conditions)
    dates = zip(one.date, other.date, strict=False)
    apart = next((index for index, (here, there) in enumerate(dates) if here != there), None)
    in_order = apart is not None and None not in (one.position(apart), other.position(apart))
    return is_alike and in_order and _is_plain(one) and _is_plain(other)


def _is_plain(statement: KernelStatement) -> bool:
    return statement.write.is_plain and statement.annotation is None
