"""Parallel regions: their barriers, and private accumulation that is merged."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from alphaz.poly import Affine, Domain
from alphaz.scop.c_model import (
    ArrayAccess,
    Date,
    KernelArray,
    KernelStatement,
    PrivateAccumulation,
    ThreadTeam,
    Write,
)
from alphaz.scop.index_polynomials import Condition
from alphaz.scop.scope import Context
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
    positions that a barrier follows, by block. `rounds`: the number of loops of each thread around this place."""

    nest: Context
    first: int
    loops: list[SharedUpdate] = field(default_factory=list)
    barriers: dict[Date, set[int]] = field(default_factory=dict)
    rounds: int = 0


def is_merge(value: Tree, target: int, own: int) -> bool:
    """Returns True if a value is read `target` combined with read `own`."""
    match value:
        case OperationValue(operator, (ReadValue(left), ReadValue(right))) if (
            operator in _COMBINES or operator.startswith(CALL)
        ):
            return (left, right) == (target, own) or (operator != "-" and (right, left) == (target, own))
    return False


def with_barriers(team: ParallelRegion, inside: Sequence[KernelStatement]) -> list[KernelStatement]:
    """Returns the statements of a region that has been read, with its barriers."""
    threads = ThreadTeam(len(team.nest.date), team.barriers)
    return [
        replace(statement, share=statement.share and replace(statement.share, team=threads)) for statement in inside
    ]


def collected_reductions(
    team: ParallelRegion, inside: Sequence[KernelStatement], where: Where
) -> Iterator[PrivateAccumulation]:
    """Yields the accumulations in thread-private arrays, with the statements added for iterations (named as in the
    text). `inside` are the statements of the region.

    Raises Rejected (AZ832) where the order of the region does not determine the merged value.
    """
    deeds = [statement for statement in inside if statement.is_of_every_thread]
    merges = [deed for deed in deeds if deed.write.mutex is not None]
    for array in dict.fromkeys(own for merge in merges for own in _owned(team, merge)):
        mine = [merge for merge in merges if any(read.array is array for read in merge.reads)]
        starts = [deed for deed in deeds if deed.target.array is array]
        loops = [(loop, _users(loop.owned.get(array.name), inside)) for loop in team.loops]
        loops = [(loop, users) for loop, users in loops if users]
        _check(team, inside, array, starts, mine, loops)
        yield PrivateAccumulation(starts=tuple(starts), merges=tuple(mine), shared=())
        for shared_loop, _ in loops:
            yield PrivateAccumulation(
                starts=tuple(_there(team, shared_loop, array, -1, deed, where) for deed in starts),
                merges=tuple(_there(team, shared_loop, array, shared_loop.end, deed, where) for deed in mine),
                shared=shared_loop.nest.iterators[len(team.nest.iterators) :],
            )


def _owned(team: ParallelRegion, merge: KernelStatement) -> Iterator[KernelArray]:
    return (read.array for read in merge.reads if read.array is not merge.target.array)


def _users(array: KernelArray | None, inside: Sequence[KernelStatement]) -> list[KernelStatement]:
    return [
        statement
        for statement in inside
        if array is not None and any(a.array is array for a in (statement.target, *statement.reads))
    ]


def _check(
    team: ParallelRegion,
    inside: Sequence[KernelStatement],
    array: KernelArray,
    starts: Sequence[KernelStatement],
    merges: Sequence[KernelStatement],
    loops: Sequence[tuple[SharedUpdate, Sequence[KernelStatement]]],
) -> None:
    """Checks that each thread starts, then works, then merges, and that merged data is not read in between."""
    place = {id(statement): position for position, statement in enumerate(inside)}
    at_work = [place[id(user)] for _, users in loops for user in users]
    first, last = min(at_work, default=len(inside)), max(at_work, default=-1)
    for start in starts:
        if place[id(start)] > min(first, place[id(merges[0])]):
            raise outside(start.span, f"`{array.label}` is initialised again after it has been updated")
    for merging in merges:
        if place[id(merging)] < last:
            raise outside(merging.span, f"`{array.label}` is merged before the last update of it")
    if any(loop.is_repeated for loop, _ in loops):
        message = f"private `{array.label}` is updated by `omp for` in a loop of every thread: move the loop inside"
        raise outside(array.span, message)
    works = [user for _, users in loops for user in users] or merges[:1]
    shared = [merge.target.array for merge in merges]
    for statement in inside:
        uses = [a.array for a in (statement.target, *statement.reads) if any(a.array is s for s in shared)]
        if not uses or statement.is_of_every_thread:
            continue
        is_early = all(_is_waited_for(team, statement.date, work.date) for work in works)
        if not is_early and not all(_is_waited_for(team, merge.date, statement.date) for merge in merges):
            raise outside(
                statement.span, f"`{uses[0].label}` is accessed while other threads merge into it: add a barrier"
            )


def _is_waited_for(team: ParallelRegion, one: Date, other: Date) -> bool:
    """Returns True if a barrier in a block around one of two dates lies between them, the first of which is earlier in
    the text."""
    apart = next(
        (position for position, (here, there) in enumerate(zip(one, other, strict=False)) if here != there), None
    )
    if apart is None or _position(one, apart) > _position(other, apart):
        return False
    for block, waits in team.barriers.items():
        position = len(block)
        behind = {wait for wait in waits if one[:position] == block and _position(one, position) <= wait}
        ahead = {wait for wait in waits if other[:position] == block and wait < _position(other, position)}
        if (behind & ahead) if position <= apart else (behind | ahead):
            return True
    return False


def _position(date: Date, position: int) -> int:
    component = date[position]
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
    assert deed.share is not None
    deeper = len(shared.nest.date) + 1 - len(team.nest.date)
    return replace(
        deed,
        iterators=iterators,
        conditions=conditions,
        domain=where(iterators, conditions).simplify(),
        date=(*shared.nest.date, position, *deed.date[len(team.nest.date) :]),
        target=there(deed.target),
        reads=tuple(map(there, deed.reads)),
        write=Write() if lock is None else Write(replace(lock, depth=lock.depth + deeper)),
        share=replace(deed.share, depth=len(shared.nest.date) - 1, is_private=False),
    )
