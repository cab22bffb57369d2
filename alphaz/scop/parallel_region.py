"""Parallel regions: barriers before a statement, and private accumulation that is merged."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.c import tree as c
from alphaz.poly import Affine, Domain
from alphaz.scop.idioms import has_nowait
from alphaz.scop.index_values import Condition
from alphaz.scop.kernel import (
    ArrayAccess,
    Collected,
    Date,
    KernelArray,
    KernelLoop,
    KernelStatement,
    Write,
    position_in_text,
)
from alphaz.scop.pragmas import Pragma
from alphaz.scop.scope import Context
from alphaz.scop.tree_queries import pragma_text
from alphaz.scop.unsupported import outside
from alphaz.scop.value_tree import CALL, OperationValue, ReadValue, Tree

Where = Callable[[Sequence[str], Sequence[Condition]], Domain]

_COMBINES = frozenset({"+", "-", "*", "min", "max", "and", "or", "xor"})


@dataclass(frozen=True, slots=True, eq=False)
class SharedUpdate:
    """The iterations of a worksharing loop: the context of one iteration, the number of statements in its block, and
    the thread's private objects, by the names of the region. `is_repeated`: each thread executes the loop several
    times."""

    nest: Context
    end: int
    owned: Mapping[str, KernelArray]
    is_repeated: bool


@dataclass(slots=True, eq=False)
class ParallelRegion:
    """A region while it is read: its context, the number of statements before it, its worksharing loops, and the
    statements of each thread. `rounds`: the number of loops of each thread around this place."""

    nest: Context
    first: int
    loops: list[SharedUpdate] = field(default_factory=list)
    deeds: list[KernelStatement] = field(default_factory=list)
    rounds: int = 0


def is_merge(value: Tree, target: int, own: int) -> bool:
    """Returns True if a value is read `target` combined with read `own`."""
    match value:
        case OperationValue(operator, (ReadValue(left), ReadValue(right))) if (
            operator in _COMBINES or operator.startswith(CALL)
        ):
            return (left, right) == (target, own) or (operator != "-" and (right, left) == (target, own))
    return False


def collected_reductions(
    team: ParallelRegion, statements: Sequence[KernelStatement], where: Where
) -> Iterator[Collected]:
    """Yields the accumulations in thread-private arrays, with the statements added for iterations (named as in the
    text). `statements` are all so far.

    Raises Rejected (AZ832) where the order of the region does not determine the merged value.
    """
    inside = statements[team.first :]
    merges = [each for each in team.deeds if each.write.mutex is not None]
    for array in dict.fromkeys(own for merge in merges for own in _owned(team, merge)):
        mine = [merge for merge in merges if any(read.array is array for read in merge.reads)]
        starts = [each for each in team.deeds if each.target.array is array]
        loops = [(loop, _users(loop.owned.get(array.name), inside)) for loop in team.loops]
        loops = [(each, users) for each, users in loops if users]
        _check(team, inside, array, starts, mine, loops)
        yield Collected(starts=tuple(starts), merges=tuple(mine), shared=())
        for each, _ in loops:
            yield Collected(
                starts=tuple(_there(team, each, array, -1, deed, where) for deed in starts),
                merges=tuple(_there(team, each, array, each.end, deed, where) for deed in mine),
                shared=each.nest.iterators[len(team.nest.iterators) :],
            )


def _owned(team: ParallelRegion, merge: KernelStatement) -> Iterator[KernelArray]:
    return (read.array for read in merge.reads if read.array is not merge.target.array)


def _users(array: KernelArray | None, inside: Sequence[KernelStatement]) -> list[KernelStatement]:
    return [each for each in inside if array is not None and any(a.array is array for a in (each.target, *each.reads))]


def _check(
    team: ParallelRegion,
    inside: Sequence[KernelStatement],
    array: KernelArray,
    starts: Sequence[KernelStatement],
    merges: Sequence[KernelStatement],
    loops: Sequence[tuple[SharedUpdate, Sequence[KernelStatement]]],
) -> None:
    """Checks that each thread starts, then works, then merges, and that merged data is not read in between."""
    place = {id(each): at for at, each in enumerate(inside)}
    at_work = [place[id(user)] for _, users in loops for user in users]
    first, last = min(at_work, default=len(inside)), max(at_work, default=-1)
    for each in starts:
        if place[id(each)] > min(first, place[id(merges[0])]):
            raise outside(each.span, f"`{array.label}` is initialised again after it has been updated")
    for each in merges:
        if place[id(each)] < last:
            raise outside(each.span, f"`{array.label}` is merged before the last update of it")
    if any(each.is_repeated for each, _ in loops):
        message = f"private `{array.label}` is updated by `omp for` in a loop of every thread: move the loop inside"
        raise outside(array.span, message)
    begin = min((_phase(team, user) for _, users in loops for user in users), default=_phase(team, merges[0]))
    shared = [each.target.array for each in merges]
    for each in inside:
        is_apart = _phase(team, each) < begin or all(_phase(team, each) > _phase(team, merge) for merge in merges)
        uses = [a.array for a in (each.target, *each.reads) if any(a.array is s for s in shared)]
        if uses and not is_apart and not any(each is deed for deed in team.deeds):
            raise outside(each.span, f"`{uses[0].label}` is accessed while other threads merge into it: add a barrier")


def _phase(team: ParallelRegion, statement: KernelStatement) -> int:
    """Returns the number of barriers of the region before the statement."""
    component = statement.date[len(team.nest.date)]
    assert isinstance(component, int)
    return component


def _there(
    team: ParallelRegion, shared: SharedUpdate, array: KernelArray, position: int, deed: KernelStatement, where: Where
) -> KernelStatement:
    """Returns a statement of each thread as one of an iteration: before (position -1) or after the statements of its
    block."""
    own = shared.owned[array.name]
    before = len(team.nest.iterators)

    def there(access: ArrayAccess) -> ArrayAccess:
        if access.array is not array:
            return access
        lead = tuple(map(Affine.name, shared.nest.iterators))
        return replace(access, array=own, subscripts=(*lead, *access.subscripts[before:]))

    iterators = (*shared.nest.iterators, *deed.iterators[before:])
    conditions = (*shared.nest.conditions, *deed.conditions[len(team.nest.conditions) :])
    lock = deed.write.mutex
    deeper = len(shared.nest.date) + 1 - len(team.nest.date)
    return replace(
        deed,
        iterators=iterators,
        conditions=conditions,
        domain=where(iterators, conditions).simplify(),
        date=(*shared.nest.date, position, *_alone(deed.date[len(team.nest.date) :])),
        target=there(deed.target),
        reads=tuple(map(there, deed.reads)),
        write=Write() if lock is None else Write(replace(lock, depth=lock.depth + deeper)),
    )


def _alone(date: Date) -> Iterator[int | KernelLoop]:
    """Yields a date in which one thread executes unordered positions in the order of the text."""
    return (each if isinstance(each, KernelLoop) else position_in_text(each) for each in date)


@dataclass(slots=True)
class Phases:
    """Number of barriers before a place of a parallel region. `is_loose`: some work has not been waited for yet."""

    number: int = 0
    is_loose: bool = False

    def barrier(self) -> None:
        self.number += 1
        self.is_loose = False

    def over(self, item: c.Statement, pragma: Pragma | None, *, is_merge: bool) -> None:
        """Advances past a statement. A worksharing construct ends with a barrier, and so does a loop around one;
        updates of shared data that every thread makes do not."""
        if is_merge or (pragma is not None and pragma.nowait) or has_nowait(item):
            self.is_loose = True
        elif pragma is not None and pragma.words & {"for", "single", "sections"}:
            self.barrier()
        elif not self.is_loose:
            self.number += 1


def is_left_early(body: Sequence[c.Statement]) -> bool:
    """Returns True if a thread may leave the body of a loop while others are still in it: the body contains work
    without a barrier after it."""
    if not has_nowait(body):
        return False
    is_loose, words = False, set[str]()
    for item in body:
        if isinstance(item, c.Omp | c.Pragma):
            words = {*re.findall(r"\w+", pragma_text(item))}
        if isinstance(item, c.Pragma):
            continue
        if isinstance(item, c.Omp) and item.directive == "barrier":
            is_loose = False
        elif has_nowait(item) or words & {"nowait", "master", "critical", "atomic"}:
            is_loose = True
        elif words & {"for", "single", "sections"}:
            is_loose = False
        words = set()
    return is_loose
