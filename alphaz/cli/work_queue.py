"""Follow-up tasks of results: a mapping that takes long is divided, and its results are combined."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import monotonic

from alphaz.cli.script_verdict import ScriptVerdict, TaskPart, TaskPlan, VerificationTask
from alphaz.legality.options import ObligationVerdict
from alphaz.processes.pool import Crashed, Expired

# Questions of one stretch, at least; and how many stretches there are of a long mapping, at most.
_STRETCH, _STRETCHES = 16, 100


@dataclass(slots=True)
class WorkQueue:
    """Determines the tasks that follow from a result: a task for each mapping of a script; where that takes long,
    ranges of its obligations, as many at a time as there are `jobs`; the verdict when all are decided; and the same
    with hints, where hints are requested.
    """

    jobs: int = 1
    _open: dict[tuple[str, int | None], "_Divided"] = field(default_factory=dict)

    def follow(
        self, task: VerificationTask, result: TaskPlan | TaskPart | ScriptVerdict | Expired | Crashed
    ) -> Iterator[VerificationTask]:
        """Yields the follow-up tasks; must be called with every result."""
        key = (task.name, task.number)
        match result:
            case TaskPlan():
                yield from (replace(task, number=at) for at in range(len(result.systems)))
            case TaskPart() if task.stretch is None:
                self._open[key] = _Divided.after(result)
                yield from self._next(task, self._open[key], self.jobs)
            case TaskPart() if key in self._open:
                self._open[key].parts.append(result)
                yield from self._next(task, self._open[key], 1)
            case _:
                self._open.pop(key, None)
                if isinstance(result, ScriptVerdict) and not result.final:
                    yield replace(task, stretch=None, results=result.results, seconds=result.seconds, hinting=True)

    def spent(self, task: VerificationTask) -> float:
        """Returns the seconds that the mapping of a task has taken."""
        if task.hinting:
            return task.seconds
        matter = self._open.get((task.name, task.number))
        return matter.seconds if matter else 0.0

    def progress(self, task: VerificationTask) -> tuple[int, int]:
        """Returns the number of decided obligations of the mapping, and the total; (0, 0) where it is not divided."""
        matter = self._open.get((task.name, task.number))
        return (matter.done, matter.total) if matter else (0, 0)

    def _next(self, task: VerificationTask, matter: "_Divided", count: int) -> Iterator[VerificationTask]:
        yield from (replace(task, stretch=stretch) for stretch in matter.stretches(count))
        if matter.done == matter.total:
            yield replace(task, stretch=None, results=matter.results, seconds=monotonic() - matter.begun)


@dataclass(slots=True)
class _Divided:
    """A mapping that takes long: its start time, the finished parts, and the number of `given` obligations."""

    total: int
    parts: list[TaskPart]
    given: int
    begun: float

    @staticmethod
    def after(first: TaskPart) -> "_Divided":
        return _Divided(first.total, [first], first.stretch.stop, monotonic() - first.seconds)

    @property
    def done(self) -> int:
        return sum(len(part.stretch) for part in self.parts)

    @property
    def seconds(self) -> float:
        return sum(part.seconds for part in self.parts)

    @property
    def results(self) -> tuple[ObligationVerdict, ...]:
        """Returns the results in the order of the obligations, for every order of their completion."""
        return tuple(result for part in sorted(self.parts, key=lambda p: p.stretch.start) for result in part.results)

    def stretches(self, count: int) -> Iterator[range]:
        length = max(_STRETCH, self.total // _STRETCHES)
        for _ in range(count):
            if self.given < self.total:
                stretch = range(self.given, min(self.given + length, self.total))
                self.given = stretch.stop
                yield stretch
