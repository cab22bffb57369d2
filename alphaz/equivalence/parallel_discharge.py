"""Questions shared out among processes, each a copy of this one; and what each of them finds out on the way.

What is found out is told by the places in memory of the objects that it is about. These are the same in all copies:
the objects were there before, and are kept as long as this lasts, so that nothing else can come to lie there.
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
    """How numbers are shared out to `work`, which is told what else has come since; or `lost`, with a reason."""

    def __call__(
        self, work: Callable[[int, Sequence[R]], R], tasks: Sequence[int], lost: Callable[[str], R]
    ) -> Generator[tuple[int, R], None, None]: ...


@dataclass(frozen=True, slots=True)
class _Said(Generic[R]):
    """What came of a task, and what was found out besides: plain data, which goes from process to process."""

    result: R
    facts: Facts


@dataclass(frozen=True, slots=True, eq=False)
class _Common:
    """What all processes know: an inquiry, and the objects that are the same in all of them, by their places."""

    inquiry: ProofContext
    objects: Mapping[object, object]

    def done(self, work: Callable[[int], R], task: int, others: Sequence[_Said[R]]) -> _Said[R]:
        for other in others:
            self.learn(other.facts)
        before = len(self.inquiry.known)
        return _Said(work(task), dict(self._found(before)))

    def learn(self, facts: Facts) -> None:
        for key, answer in facts.items():
            self.inquiry.known.setdefault(key, (tuple(map(self.objects.__getitem__, key[1:])), answer))

    def _found(self, before: int) -> Iterator[tuple[tuple[object, ...], bool]]:
        """What is known since, of objects that all processes have."""
        for key, (_, answer) in islice(self.inquiry.known.items(), before, None):
            if isinstance(answer, bool) and all(place in self.objects for place in key[1:]):
                yield key, answer


def discharge_in_parallel(
    spread: ParallelDischarge,
    inquiry: ProofContext,
    readers: Iterable[object],
    work: Callable[[int], R],
    tasks: Sequence[int],
    lost: Callable[[str], R],
) -> Iterator[tuple[int, R]]:
    """Each task with what came of it, in any order. What was found out about the inquiry and these readers is known to
    it afterwards."""
    common = _Common(inquiry, {id(each): each for each in (*_objects(inquiry), *readers)})

    def without_facts(reason: str) -> _Said[R]:
        return _Said(lost(reason), {})

    with closing(spread(partial(common.done, work), tasks, without_facts)) as answers:
        for task, said in answers:
            common.learn(said.facts)
            yield task, said.result


def _objects(inquiry: ProofContext) -> Iterator[object]:
    """Whom facts are about."""
    yield inquiry.binding
    yield from inquiry.kernel.statements
    yield from inquiry.kernel.arrays.values()
    yield from inquiry.claims.values
    yield from inquiry.claims.contributions
    for value in inquiry.values.values():
        yield value
        for definition in value.definitions:
            yield from () if definition.sum is None else definition.sum.items
