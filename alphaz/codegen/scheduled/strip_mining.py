"""Vector loops around the points of a register tile: an iteration computes all of them, written one after the other.

So several rows are computed at once, each with a sum of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from alphaz.c import tree as c
from alphaz.codegen.scheduled.tile_code import in_place_of
from alphaz.loops.modes import Register
from alphaz.loops.tree import Block, For, Instance, Let, Node
from alphaz.poly.plain.integer import Integer, IntegerConstant, IntegerOperation, as_affine, substitute

# More operations than this in one iteration are not worth their text.
_MOST = 32


def strip(loop: For) -> For | None:
    """Returns the loop with all operations of an iteration in a row, its loops in registers too; None where one of
    these has no constant length, or the text would be too long.
    """
    found: list[Instance] = []
    for call in _calls(loop.body, {}):
        if call is None or len(found) == _MOST:
            return None
        found.append(call)
    return replace(loop, body=Block(tuple(found)))


def _calls(node: Node, values: Mapping[str, Integer]) -> Iterator[Instance | None]:
    """Yields the operations at their points; None for other nodes."""
    match node:
        case Instance(name, arguments):
            yield Instance(name, tuple(substitute(argument, values) for argument in arguments))
        case Block(children):
            for child in children:
                yield from _calls(child, values)
        case Let(iterator, _, value, body):
            yield from _calls(body, {**values, iterator: substitute(value, values)})
        case For(iterator, _, first, _, _, _, body, Register()) if (count := _length(node)) is not None:
            start = substitute(first, values)
            for at in range(count):
                here = IntegerOperation("+", (start, IntegerConstant(at))) if at else start
                yield from _calls(body, {**values, iterator: here})
        case _:
            yield None


def _length(loop: For) -> int | None:
    """Returns the number of iterations, where that is a constant."""
    first, bound = as_affine(loop.first), as_affine(loop.bound)
    if first is None or bound is None or loop.step != IntegerConstant(1) or not (bound - first).is_constant:
        return None
    return max(0, (bound - first).constant + (loop.comparison == "<="))


@dataclass(frozen=True, slots=True)
class LaneCell:
    """A place in memory in which operations accumulate: its type, and the name of the variable that replaces it."""

    type: str
    stem: str


def collect_in_locals(
    body: Sequence[c.Statement], cells: Mapping[c.Expression, LaneCell], new_name: Callable[[str], str]
) -> tuple[c.Statement, ...]:
    """Returns an iteration in which several accumulations into one cell use a local variable."""
    found = tuple(body)
    for target, cell in cells.items():
        if sum(isinstance(s, c.Assign) and s.target == target for s in found) < 2:
            continue
        name = new_name(cell.stem)
        local = tuple(_with_local(s, target, c.Name(name)) for s in found)
        where = _behind_what_it_needs(local, target)
        touched = c.names_used([c.Evaluate(_array(target))]) & c.names_used(local)
        if not touched and name not in c.names_used(local[:where]):
            found = (*_declared(local, name, cell.type, target, where), c.Assign(target, c.Name(name)))
    return found


def _declared(
    body: Sequence[c.Statement], name: str, type_: str, target: c.Expression, where: int
) -> tuple[c.Statement, ...]:
    """Returns the statements with the declaration of the local variable: initialised from the cell, unless it is set
    first, when the cell may be unset.
    """
    at, first = next((at, s) for at, s in enumerate(body) if name in c.names_used([s]))
    if isinstance(first, c.Assign) and first.operator == "=" and name not in c.names_used([c.Evaluate(first.value)]):
        return (*body[:at], c.Declare(type_, name, first.value), *body[at + 1 :])
    return (*body[:where], c.Declare(type_, name, target), *body[where:])


def _behind_what_it_needs(body: Sequence[c.Statement], target: c.Expression) -> int:
    """Returns the first position where the target can be read: after all declarations of names that it uses."""
    used = c.names_used([c.Evaluate(target)])
    declared = [at for at, s in enumerate(body, 1) if isinstance(s, c.Declare) and s.name in used]
    return max(declared, default=0)


def _with_local(statement: c.Statement, target: c.Expression, local: c.Expression) -> c.Statement:
    if isinstance(statement, c.Assign) and statement.target == target:
        return in_place_of(statement, local)
    return statement


def _array(target: c.Expression) -> c.Expression:
    while isinstance(target, c.Index):
        target = target.base
    return target


def each_once(body: Sequence[c.Statement]) -> tuple[c.Statement, ...]:
    """Removes comments that occurred before."""
    said: set[c.Statement] = set()
    found: list[c.Statement] = []
    for statement in body:
        if isinstance(statement, c.Comment):
            if statement in said:
                continue
            said.add(statement)
        found.append(statement)
    return tuple(found)
