"""Obligations of a C program, as sets that must be empty: the families C0 to C8 and R1 to R6.

C0 subscripts inside their arrays; C1 every required value is written, in the cell that is read, before the read; C4 it
is not overwritten in between; C6 no race; C7 all threads of a block of a GPU reach its barriers; C8 its asynchronous
copies arrive before later accesses. Of sums: R1 every term is combined, exactly once; R2 after the start; R3 before the
sum is read; R4 there is one start; R5 a term belongs to at most one partial sum; R6 where order counts, terms are added
in the order of the equations. C2 (the expressions) is decided where claims are made; C3 and C5 (cells and inputs) are
parts of C1 and C4: inputs are written by the caller, before everything.

That all claims are true follows by induction on the order of execution.
"""

from collections.abc import Iterator, Sequence

from alphaz.equivalence.barrier_obligations import arrivals
from alphaz.equivalence.bounds_and_race_obligations import bounds, races
from alphaz.equivalence.claims import Claim, Contribution
from alphaz.equivalence.copies_in_flight import arrivals_of_copies
from alphaz.equivalence.kernel_obligation import KernelObligation
from alphaz.equivalence.lemmas import Lemmas
from alphaz.equivalence.parallel_discharge import ParallelDischarge, discharge_in_parallel
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.reader_obligations import of_reader
from alphaz.equivalence.readers_and_writers import (
    ValueReader,
    ValueWriter,
    outputs_of,
    readers_of,
    sources_of,
    unwritten,
)
from alphaz.equivalence.reduction_obligations import of_sum
from alphaz.equivalence.summation_obligations import in_one_part, in_order
from alphaz.poly import OutOfBudget
from alphaz.proof import FIRST, with_growing_budget


def kernel_obligations(
    proof_context: ProofContext, spread: ParallelDischarge | None = None
) -> Iterator[KernelObligation]:
    """Yields the obligations, cheap ones first; those of claims from the outputs back to their needs. If `spread`,
    several processes compute the facts needed for that order."""
    text = proof_context.text or proof_context.kernel
    yield from bounds(text, proof_context.binding)
    yield from races(text)
    yield from arrivals(text)
    yield from arrivals_of_copies(text)
    lemmas = Lemmas(proof_context)
    waiting = list(outputs_of(proof_context))
    if spread is not None:
        _look_ahead(proof_context, lemmas, waiting, spread)
    done: set[int] = set()
    sums: dict[tuple[str, str], list[Contribution]] = {}
    while waiting:
        reader = waiting.pop()
        sources = list(sources_of(proof_context, reader))
        writers, contributions = _values_and_contributions(sources)
        if contributions and _is_whole(proof_context, lemmas, reader, writers):
            sources, contributions = writers, []
        for partial_reader, parts in _apart(reader, writers, contributions):
            yield from of_reader(proof_context, lemmas, partial_reader, writers, parts)
        if contributions:
            sums[reader.key, reader.array.name] = [s.origin for s in contributions]  # type: ignore[misc]
        for source in sources:
            if source.origin is not None and id(source.origin) not in done:
                done.add(id(source.origin))
                waiting += readers_of(proof_context, source.origin)
    for sum_contributions in sums.values():
        yield from of_sum(proof_context, sum_contributions)
        yield from in_order(sum_contributions)
    yield from in_one_part(proof_context.parts)


def _values_and_contributions(sources: Sequence[ValueWriter]) -> tuple[list[ValueWriter], list[ValueWriter]]:
    """Returns the writers of a whole value, and the contributions to it."""
    contributions = [s for s in sources if isinstance(s.origin, Contribution)]
    return [s for s in sources if not isinstance(s.origin, Contribution)], contributions


def _is_whole(proof_context: ProofContext, lemmas: Lemmas, reader: ValueReader, writers: Sequence[ValueWriter]) -> bool:
    """Returns True if the writers of whole values have written everything that is read."""
    objects = (reader, *(proof_context.binding if writer.origin is None else writer.origin for writer in writers))
    return bool(writers) and proof_context.once("whole values", objects, lambda: lemmas.is_written(reader, writers))


def _look_ahead(
    proof_context: ProofContext, lemmas: Lemmas, outputs: Sequence[ValueReader], spread: ParallelDischarge
) -> None:
    """Computes for all readers, in several processes, facts that are otherwise computed one by one."""
    claims: tuple[Claim | Contribution, ...] = (*proof_context.claims.values, *proof_context.claims.contributions)
    readers = [*outputs, *(reader for claim in claims for reader in readers_of(proof_context, claim))]
    readers_asked = []
    for reader in readers:
        writers, contributions = _values_and_contributions(list(sources_of(proof_context, reader)))
        if writers and contributions:
            readers_asked.append((reader, writers))

    def work(task: int) -> bool:
        return _is_whole(proof_context, lemmas, *readers_asked[task])

    for _ in discharge_in_parallel(spread, proof_context, readers, work, range(len(readers_asked)), lambda _: False):
        pass


def _apart(
    reader: ValueReader, writers: Sequence[ValueWriter], contributions: Sequence[ValueWriter]
) -> list[tuple[ValueReader, Sequence[ValueWriter]]]:
    """Returns the readers of a value that is written as a whole, and the readers of a sum in the cell, with their
    writers."""
    if contributions and writers:
        try:
            unwritten_readers = with_growing_budget(lambda: unwritten(reader, writers), FIRST)
            others = reader.who.domain - unwritten_readers
            if not (unwritten_readers.is_empty() or others.is_empty()):
                return [(reader.within(others), ()), (reader.within(unwritten_readers), contributions)]
        except OutOfBudget:
            pass
    return [(reader, contributions)]
