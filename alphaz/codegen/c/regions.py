"""Parallel loops that stand in a row, in one parallel region: threads are made once for all of them.

Behind a loop all threads wait for each other, unless no loop in front of the next wait touches what it writes, or
writes what it touches.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from alphaz.codegen.c import c_tree as c
from alphaz.loops.modes import Parallel

Nest = tuple[c.Statement, ...]


def together(nests: Sequence[Nest]) -> Iterator[Nest]:
    """The nests, with those that are parallel loops in a row put into one region."""
    for loops, row in groupby(nests, _is_shared):
        members = list(row)
        if loops and len(members) > 1:
            yield (c.Region(tuple(_without_waits([m for (m,) in members]))),)
        else:
            yield from members


def _is_shared(nest: Nest) -> bool:
    """Whether it is a parallel loop that combines nothing at its end."""
    match nest:
        case (c.For(mode=Parallel() as mode),):
            return not mode.in_region and not mode.reductions
    return False


def _without_waits(loops: Sequence[c.Statement]) -> Iterator[c.Statement]:
    running: list[c.Statement] = []
    for at, loop in enumerate(loops):
        running.append(loop)
        follower = loops[at + 1] if at + 1 < len(loops) else None
        free = follower is not None and not any(_meet(one, follower) for one in running)
        if not free:
            running.clear()
        yield _in_region(loop, free)


def _in_region(loop: c.Statement, nowait: bool) -> c.For:
    assert isinstance(loop, c.For)
    assert isinstance(loop.mode, Parallel)
    return replace(loop, mode=replace(loop.mode, in_region=True, nowait=nowait))


def _meet(one: c.Statement, other: c.Statement) -> bool:
    """Whether one may write what the other touches: by names, since different names are different memory."""
    first, second = _written([one]), _written([other])
    if first is None or second is None:
        return True
    return bool(first & c.names_used([other]) or second & c.names_used([one]))


def _written(statements: Sequence[c.Statement]) -> frozenset[str] | None:
    """The names of what is assigned to; None where that is not known."""
    inside = list(c.statements_in(statements))
    if any(isinstance(s, c.Evaluate) for s in inside):
        return None
    found = frozenset(_base(s.target) for s in inside if isinstance(s, c.Assign))
    # A pointer that is made here points into something else.
    pointers = {s.name for s in inside if isinstance(s, c.Declare) and "*" in s.type}
    return None if None in found or found & pointers else frozenset(filter(None, found))


def _base(target: c.Expression) -> str | None:
    """The array of an element, or the variable; None where it is neither."""
    match target:
        case c.Name(name):
            return name
        case c.Index(base, _) | c.Member(base, _) | c.Cast(_, base) | c.Unary("*" | "&", base):
            return _base(base)
    return None
