"""Which tasks follow from what came of others: a mapping that takes long is divided, and its answers put together."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import monotonic

from alphaz.cli.script_verdict import ScriptVerdict, TaskPart, TaskPlan, VerificationTask
from alphaz.legality.options import ObligationVerdict
from alphaz.processes.tasks import Crashed, Expired

# Questions of one stretch, at least; and how many stretches there are of a long mapping, at most.
_STRETCH, _STRETCHES = 16, 100


@dataclass(slots=True)
class WorkQueue:
    """Which tasks follow from a result: a task for each mapping of a script; where that takes long, stretches of its
    questions, as many at a time as there are `jobs`; the ruling when all are answered; and the same with
    hints, where hints are wanted."""

    jobs: int = 1
    _open: dict[tuple[str, int | None], "_Divided"] = field(default_factory=dict)

    def follow(
        self, task: VerificationTask, result: TaskPlan | TaskPart | ScriptVerdict | Expired | Crashed
    ) -> Iterator[VerificationTask]:
        """To be told of every result."""
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
        """The seconds that the mapping of a task has taken."""
        if task.hinting:
            return task.seconds
        matter = self._open.get((task.name, task.number))
        return matter.seconds if matter else 0.0

    def progress(self, task: VerificationTask) -> tuple[int, int]:
        """How many questions about the mapping are answered, of how many; (0, 0) where it is not divided."""
        matter = self._open.get((task.name, task.number))
        return (matter.done, matter.total) if matter else (0, 0)

    def _next(self, task: VerificationTask, matter: "_Divided", count: int) -> Iterator[VerificationTask]:
        yield from (replace(task, stretch=stretch) for stretch in matter.stretches(count))
        if matter.done == matter.total:
            yield replace(task, stretch=None, results=matter.results, seconds=monotonic() - matter.begun)


@dataclass(slots=True)
class _Divided:
    """A mapping that takes long: when it was begun, the parts that are answered, and how many questions are `given`."""

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
        """In the order of the questions, in which order ever they were answered."""
        return tuple(result for part in sorted(self.parts, key=lambda p: p.stretch.start) for result in part.results)

    def stretches(self, count: int) -> Iterator[range]:
        length = max(_STRETCH, self.total // _STRETCHES)
        for _ in range(count):
            if self.given < self.total:
                stretch = range(self.given, min(self.given + length, self.total))
                self.given = stretch.stop
                yield stretch
