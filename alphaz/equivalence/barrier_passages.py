"""The passages of the threads of a GPU through barriers, by plain integers."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from alphaz.equivalence.concrete_instances import Point
from alphaz.scop.c_model import CKernel, Date, KernelBarrier, KernelLoop, KernelStatement, ThreadTeam

Values = Mapping[str, int]
_Member = tuple[int, Point]


@dataclass(frozen=True, slots=True, eq=False)
class ThreadPassages:
    """The passages of one thread, in their order, each with the number of the barrier. `values` are those of the loops
    around the kernel."""

    values: Values
    moments: tuple[Point, ...]
    barriers: tuple[int, ...]

    def around(self, threads: Collection[str]) -> tuple[int, ...]:
        """Returns the values of all loops but those of these threads."""
        return tuple(value for name, value in self.values.items() if name not in threads)


@dataclass(frozen=True, slots=True, eq=False)
class BarrierPassages:
    """The passages of all threads of the launches that have barriers, by launch and thread."""

    kernel: CKernel
    by_thread: Mapping[_Member, ThreadPassages]

    @staticmethod
    def of(kernel: CKernel, parameters: Values) -> "BarrierPassages":
        moments: dict[_Member, list[tuple[Point, int]]] = {}
        launches = {id(barrier.launch): barrier for barrier in kernel.barriers}
        members: dict[_Member, Values] = {}
        for launch, barrier in launches.items():
            for point in barrier.members.points(dict(parameters)):
                members[launch, point] = dict(zip(barrier.members.space.names, point, strict=True))
        for number, barrier in enumerate(kernel.barriers):
            names = barrier.domain.space.names
            for point in barrier.domain.points(dict(parameters)):
                values = dict(zip(names, point, strict=True))
                member = tuple(values[name] for name in barrier.members.space.names)
                moments.setdefault((id(barrier.launch), member), []).append((_moment(barrier.date, values), number))
        by_thread = {}
        for key, thread in members.items():
            own = sorted(moments.get(key, ()))
            by_thread[key] = ThreadPassages(
                values=thread,
                moments=tuple(moment for moment, _ in own),
                barriers=tuple(number for _, number in own),
            )
        return BarrierPassages(kernel, by_thread)

    def passed(self, statement: KernelStatement, values: Values, *, is_of_warp: bool = True) -> int:
        """Returns how many barriers the thread of an instance has passed before it that order it after other threads of
        the block, or of its warp. Shuffles order no memory."""
        assert statement.block is not None
        own = self.by_thread.get((id(statement.block), _member(statement.block, statement.date, values)))
        if own is None:
            return 0
        passed = own.barriers[: bisect_left(own.moments, _moment(statement.date, values))]
        barriers = (self.kernel.barriers[number] for number in passed)
        return sum(is_of_warp or not barrier.is_of_warp for barrier in barriers if not _is_exchange(barrier))

    def differing(self) -> Iterator[tuple[KernelBarrier, ThreadPassages, int, ThreadPassages, int]]:
        """Yields barriers that two threads of a block do not pass equally often, with both threads and how often."""
        firsts: dict[tuple[int, tuple[int, ...]], ThreadPassages] = {}
        for number, barrier in enumerate(self.kernel.barriers):
            for (launch, _), own in self.by_thread.items():
                if launch != id(barrier.launch):
                    continue
                first = firsts.setdefault((number, own.around(barrier.threads)), own)
                counts = first.barriers.count(number), own.barriers.count(number)
                if counts[0] != counts[1]:
                    yield barrier, first, counts[0], own, counts[1]


def _is_exchange(barrier: KernelBarrier) -> bool:
    *around, at = barrier.date
    return at in barrier.launch.exchanges.get(tuple(around), ())


def _member(launch: ThreadTeam, date: Date, values: Values) -> Point:
    return tuple(values[part.iterator] for part in date[: launch.depth] if isinstance(part, KernelLoop))


def _moment(date: Date, values: Values) -> Point:
    return tuple(part.step * values[part.iterator] if isinstance(part, KernelLoop) else part for part in date)
