"""Vectors as scalars: static single assignment of vectors, and one variable for each lane."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

from pycparser import c_ast

from alphaz.diagnostics import Span
from alphaz.scop.functions import is_of_header, nodes, parameters_of
from alphaz.scop.index_values import constant, number
from alphaz.scop.kernel import ArrayAccess, CKernel, KernelArray, KernelStatement
from alphaz.scop.substitution import substitute_names
from alphaz.scop.value_tree import ReadValue


def renew(definition: Any) -> None:
    """Renames the vectors of a function's body, in each of its blocks."""
    body = definition.body
    declared = [*nodes(body, c_ast.Decl), *parameters_of(definition)]
    vectors = {each.name: each.type for each in declared if is_of_header(each.type)}
    lent = {node.expr.name for node in nodes(body, c_ast.UnaryOp) if node.op == "&" and isinstance(node.expr, c_ast.ID)}
    said = " ".join(str(node.string) for node in nodes(body, c_ast.Pragma))
    known = {
        name: type_ for name, type_ in vectors.items()
        if name not in lent and name not in said and [each.name for each in declared].count(name) == 1
    }  # fmt: skip
    parameters = [each.name for each in parameters_of(definition)]
    for block in reversed(nodes(body, c_ast.Compound)) if known else ():
        block.block_items = _renewed(block.block_items or [], known, parameters if block is body else [])


def _renewed(found: Sequence[Any], known: Mapping[str, Any], names: Collection[str]) -> list[Any]:
    """Returns the statements of a block; `names` are declared before it."""
    own, made, rest = {name: name for name in names if name in known}, list[Any](), list(found)
    count = 1
    while rest:
        item, *rest = rest
        if isinstance(item, c_ast.Decl) and item.name in known:
            own[item.name] = item.name
        match item:
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name)) if name in own:
                count += 1
                fresh = f"{own[name].partition('.')[0]}.{count}"
                item = _declared(fresh, known[own[name]], item)
                rest = [substitute_names(each, {name: c_ast.ID(fresh)}) for each in rest]
                own[fresh] = own.pop(name)
        made.append(item)
    return made


def _declared(name: str, type_: Any, item: Any) -> Any:
    named = c_ast.TypeDecl(name, [], None, type_.type, item.coord)
    return c_ast.Decl(name, [], [], [], [], named, item.rvalue, None, item.coord)


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
    accesses = [each for statement in kernel.statements for each in (statement.target, *statement.reads)]
    loose = {id(each.array) for each in accesses if _place(each) is None}
    loose |= {id(each.array) for s in kernel.collecting for each in (s.target, *s.reads)}
    made: dict[tuple[int, tuple[int, ...]], KernelArray] = {}

    def lane(access: ArrayAccess) -> ArrayAccess:
        place = _place(access)
        if place is None or id(access.array) in loose:
            return access
        name = f"{access.array.name}.lane{''.join(f'_{each}' for each in place)}"
        array = made.setdefault((id(access.array), place), replace(access.array, name=name, extents=()))
        return replace(access, array=array, subscripts=access.subscripts[: len(array.prefix)])

    def lanes(statement: KernelStatement) -> KernelStatement:
        target, reads = lane(statement.target), tuple(map(lane, statement.reads))
        is_same = target is statement.target and all(a is b for a, b in zip(reads, statement.reads, strict=True))
        return statement if is_same else replace(statement, target=target, reads=reads)

    statements = tuple(map(lanes, kernel.statements))
    if not made:
        return kernel
    gone = {array for array, _ in made}
    rest = {name: each for name, each in kernel.arrays.items() if id(each) not in gone}
    return replace(kernel, statements=statements, arrays={**rest, **{each.name: each for each in made.values()}})


def _place(access: ArrayAccess) -> tuple[int, ...] | None:
    """Returns the subscripts of a lane, if they are constants in range."""
    array = access.array
    if not array.is_vector or not array.extents:
        return None
    extents = [number(extent or constant(0)) or 0 for extent in array.extents]
    own = access.subscripts[len(array.prefix) :]
    is_there = all(each.is_constant and 0 <= each.constant < size for each, size in zip(own, extents, strict=True))
    return tuple(each.constant for each in own) if is_there and prod(extents) <= _MOST_LANES else None


# --- unused lanes -----------------------------------------------------------------------------------------------------


def _used_statements(statements: Statements) -> Statements:
    sources = defaultdict[int, list[Span]](list)
    for each in statements:
        sources[id(each.target.array)].append(each.span)
    while True:
        used = {id(read.array) for statement in statements for read in statement.reads}
        found = tuple(each for each in statements if not _is_idle(each, statements, used, sources))
        if len(found) == len(statements):
            return found
        statements = found


def _is_idle(
    statement: KernelStatement, statements: Statements, used: set[int], sources: Mapping[int, Sequence[Span]]
) -> bool:
    if not _is_lane(statement.target) or id(statement.target.array) in used or not all(map(_is_lane, statement.reads)):
        return False
    beside = (each for each in statements if each.span == statement.span and _is_lane(each.target))
    looked_at = (e for e in beside if e.date[:-1] == statement.date[:-1] and id(e.target.array) in used)
    own = {_lane_sources(each, sources) for each in statement.reads}
    return any(own <= {_lane_sources(read, sources) for read in each.reads} for each in looked_at)


def _lane_sources(read: ArrayAccess, sources: Mapping[int, Sequence[Span]]) -> tuple[str, tuple[Span, ...]]:
    """Returns the vector that is read, and where the lane is assigned."""
    return read.array.name.rpartition(".lane")[0], tuple(sources.get(id(read.array), ()))


def _is_lane(access: ArrayAccess) -> bool:
    return access.array.is_vector and not access.array.extents


# --- copies -----------------------------------------------------------------------------------------------------------


def _written_in_place(statements: Statements) -> Statements:
    for at, copy in enumerate(statements):
        maker = _maker(copy, statements[:at], statements)
        if maker is not None:
            made = replace(maker, target=replace(copy.target, span=maker.target.span))
            rest = tuple(made if statement is maker else statement for statement in statements if statement is not copy)
            return _written_in_place(rest)
    return statements


def _maker(copy: KernelStatement, before: Statements, statements: Statements) -> KernelStatement | None:
    """Returns the only statement that writes the lane, which only this copy reads, to a variable not used before."""
    target = copy.target
    is_new = not target.array.is_argument and {*target.array.prefix} == {*copy.iterators} and not target.array.extents
    if not _is_copy(copy) or not _is_lane(copy.reads[0]) or not is_new:
        return None
    if any(each.touches(target.array) for each in before):
        return None
    (read,) = copy.reads
    touching = [statement for statement in statements if statement.touches(read.array)]
    if len(touching) != 2 or touching[1] is not copy or touching[0].target.array is not read.array:
        return None
    (maker, _) = touching
    is_whole = not any(each.array is read.array for each in maker.reads)
    return maker if is_whole and _are_together(maker, copy) and read.array.type == target.array.type else None


def _read_where_they_are(statements: Statements) -> Statements:
    for at, copy in enumerate(statements):
        if _is_copy(copy) and _is_lane(copy.target) and not _is_lane(copy.reads[0]):
            readers = [*_readers(copy, statements[:at], statements[at + 1 :])]
            if readers:
                changed = {id(reader): _reading(reader, copy) for reader in readers}
                rest = (changed.get(id(statement), statement) for statement in statements if statement is not copy)
                return _read_where_they_are(tuple(rest))
    return statements


def _readers(copy: KernelStatement, before: Statements, behind: Statements) -> Iterator[KernelStatement]:
    """Yields the readers of a copied value, if all of them could read the cell itself; else none."""
    found = [each for each in behind if any(e.array is copy.target.array for e in each.reads)]
    others = [each for each in (*before, *behind) if each.target.array is copy.target.array]
    if others or any(each.touches(copy.target.array) for each in before):
        return
    if not all(_are_together(copy, each) for each in found):
        return
    until = behind.index(found[-1]) if found else 0
    if all(_leaves(each, copy) for each in behind[:until]):
        yield from found


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
    apart = next((pair for pair in zip(one.date, other.date, strict=False) if pair[0] != pair[1]), ())
    in_order = bool(apart) and all(isinstance(each, int) for each in apart)
    return is_alike and in_order and _is_plain(one) and _is_plain(other)


def _is_plain(statement: KernelStatement) -> bool:
    return statement.write.is_plain and statement.annotation is None
