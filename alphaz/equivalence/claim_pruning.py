"""Pruning of claims that cannot hold, before any obligation is discharged."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from alphaz.equivalence.annotations import is_of
from alphaz.equivalence.claims import Claim, Claims, Contribution
from alphaz.equivalence.lemmas import Lemmas
from alphaz.equivalence.parallel_discharge import ParallelDischarge, discharge_in_parallel
from alphaz.equivalence.proof_context import ProofContext
from alphaz.equivalence.readers_and_writers import ValueReader, ValueWriter, begins, readers_of, sources_of, unwritten
from alphaz.poly import Domain, OutOfBudget
from alphaz.proof import FIRST, with_growing_budget

M = TypeVar("M", Claim, Contribution)
_MOST_ROUNDS = 12
# A larger budget does not pay: a superfluous claim is only in the way.
_OPERATIONS = 90_000


def pruned(
    proof_context: ProofContext, is_over: Callable[[], bool], spread: ParallelDischarge | None = None
) -> ProofContext:
    """Returns the context with fewer claims: without instances whose needs no claim writes, iterated until nothing
    changes or the time is over. If `spread`, several processes determine the claims that keep all instances.

    False claims would only be in the way. Annotated claims stay: checking them takes as long as the proof.
    """
    changed = None
    lemmas = Lemmas(proof_context)
    for _ in range(_MOST_ROUNDS):
        before: list[Claim | Contribution] = [*proof_context.claims.values, *proof_context.claims.contributions]
        supported = partial(_supported, proof_context, lemmas, changed, is_over)
        whole = set() if spread is None else _whole(proof_context, before, supported, spread)
        supported_parts = partial(_supported_part, whole, supported)
        values = [claim_ for claim in proof_context.claims.values for claim_ in supported_parts(claim)]
        sums = [claim_ for claim in proof_context.claims.contributions for claim_ in supported_parts(claim)]
        remaining_ids = {id(claim_) for claim_ in (*values, *sums)}
        lost = [claim_ for claim_ in before if id(claim_) not in remaining_ids]
        proof_context = replace(proof_context, claims=Claims(values, sums), writers={})
        if not lost:
            break
        changed = {(claim_.key, claim_.statement.target.array.name) for claim_ in lost}
    return proof_context


def _supported_part(whole: Collection[int], supported: Callable[[M], list[M]], claim: M) -> list[M]:
    return [claim] if id(claim) in whole else supported(claim)


def _whole(
    proof_context: ProofContext,
    claims: Sequence[Claim | Contribution],
    supported: Callable[[Claim | Contribution], Sequence[object]],
    spread: ParallelDischarge,
) -> set[int]:
    """Returns the claims that keep all instances."""
    readers = [reader for claim in claims for reader in readers_of(proof_context, claim)]

    def work(task: int) -> bool:
        return any(reader is claims[task] for reader in supported(claims[task]))

    results = discharge_in_parallel(spread, proof_context, readers, work, range(len(claims)), lambda _: False)
    return {id(claims[task]) for task, is_whole in results if is_whole}


def _supported(
    proof_context: ProofContext,
    lemmas: Lemmas,
    changed: Collection[tuple[str, str]] | None,
    is_over: Callable[[], bool],
    claim: M,
) -> list[M]:
    """Returns the claim for the instances whose needs are written before; empty if none are left. Only readers of keys
    in arrays with a `changed` claim are examined; None: all."""
    annotation = claim.statement.annotation
    if annotation is not None and is_of(annotation, claim.key):
        return [claim]
    domain = claim.domain
    for reader in readers_of(proof_context, claim):
        if changed is not None and (reader.key, reader.array.name) not in changed:
            continue
        if is_over():
            break
        missing = _missing(lemmas, reader, [s for s in sources_of(proof_context, reader) if begins(s)])
        if missing is not None:
            domain = domain - missing.renamed(claim.statement.iterators)
    if domain is claim.domain:
        return [claim]
    return [] if domain.is_empty() else [replace(claim, domain=domain.simplify())]


def _missing(lemmas: Lemmas, reader: ValueReader, sources: Sequence[ValueWriter]) -> Domain | None:
    """Returns the readers without a writer; None if there are none, or if it takes too long."""

    def left() -> Domain | None:
        readers = unwritten(reader, sources)
        return None if readers.is_empty() else readers

    try:
        return with_growing_budget(left, FIRST)
    except OutOfBudget:
        pass
    if lemmas.all_written(reader, sources):
        return None
    try:
        return with_growing_budget(left, _OPERATIONS)
    except OutOfBudget:
        return None
