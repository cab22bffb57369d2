"""Obligations discharged by several processes, each a copy of this one, which share the facts that they derive.

Facts are identified by the memory addresses of the objects that they are about. These are the same in all copies: the
objects existed before, and are kept alive as long as the processes run, so that no address is reused.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Generic, Protocol, TypeVar

from alphaz.equivalence.proof_context import ProofContext

R = TypeVar("R")

Facts = Mapping[tuple[object, ...], bool]


class ParallelDischarge(Protocol):
    """Distributes numbers of tasks to `work`, which also receives facts from other processes; or calls `lost` with a
    reason."""

    def __call__(
        self, work: Callable[[int, Sequence[R]], R], tasks: Sequence[int], lost: Callable[[str], R]
    ) -> Generator[tuple[int, R], None, None]: ...


@dataclass(frozen=True, slots=True)
class _TaskResult(Generic[R]):
    """The result of a task, and the facts derived meanwhile: plain data, which is sent between processes."""

    answer: R
    facts: Facts


@dataclass(frozen=True, slots=True, eq=False)
class _SharedFacts:
    """The common knowledge of all processes: a proof context, and the shared objects, by address."""

    proof_context: ProofContext
    objects: Mapping[object, object]

    def done(self, work: Callable[[int], R], task: int, others: Sequence[_TaskResult[R]]) -> _TaskResult[R]:
        for other in others:
            self.learn(other.facts)
        before = len(self.proof_context.facts)
        return _TaskResult(work(task), dict(self._new_facts(before)))

    def learn(self, facts: Facts) -> None:
        for key, answer in facts.items():
            self.proof_context.facts.setdefault(key, (tuple(map(self.objects.__getitem__, key[1:])), answer))

    def _new_facts(self, before: int) -> Iterator[tuple[tuple[object, ...], bool]]:
        """Returns the new facts about objects that all processes have."""
        for key, (_, answer) in islice(self.proof_context.facts.items(), before, None):
            if isinstance(answer, bool) and all(place in self.objects for place in key[1:]):
                yield key, answer


def discharge_in_parallel(
    run_in_processes: ParallelDischarge,
    proof_context: ProofContext,
    readers: Iterable[object],
    work: Callable[[int], R],
    tasks: Sequence[int],
    lost: Callable[[str], R],
) -> Iterator[tuple[int, R]]:
    """Yields each task with its result, in any order. Facts about the context and these readers are then stored in
    it."""
    shared_facts = _SharedFacts(
        proof_context, {id(object_): object_ for object_ in (*_objects(proof_context), *readers)}
    )

    def without_facts(reason: str) -> _TaskResult[R]:
        return _TaskResult(lost(reason), {})

    with closing(run_in_processes(partial(shared_facts.done, work), tasks, without_facts)) as answers:
        for task, done in answers:
            shared_facts.learn(done.facts)
            yield task, done.answer


def _objects(proof_context: ProofContext) -> Iterator[object]:
    """Yields the objects that facts are about."""
    yield proof_context.binding
    yield from proof_context.kernel.statements
    yield from proof_context.kernel.arrays.values()
    yield from proof_context.claims.values
    yield from proof_context.claims.contributions
    for value in proof_context.values.values():
        yield value
        for definition in value.definitions:
            yield from () if definition.sum is None else definition.sum.items
