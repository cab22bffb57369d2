"""Claims that cannot hold are left out before anything is asked."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from alphaz.poly import Domain, OutOfBudget
from alphaz.proof import FIRST, patiently
from alphaz.verify.c.claims import Claim, Claims, Contribution
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.lemmas import Lemmas
from alphaz.verify.c.readers import Reader, Source, begins, readers_of, sources_of, unwritten
from alphaz.verify.c.told import is_of

M = TypeVar("M", Claim, Contribution)
_MOST_ROUNDS = 12
# More is not worth while: a claim too many only stands in the way.
_OPERATIONS = 90_000


def pruned(inquiry: Inquiry, is_over: Callable[[], bool]) -> Inquiry:
    """The same with fewer claims: without instances that need what no claim writes, until nothing changes, or the time
    is over.

    What is claimed in vain would only stand in the way. What a statement is told to be is not, and stays: to look takes
    as long as the proof.
    """
    changed = None
    lemmas = Lemmas(inquiry)
    for _ in range(_MOST_ROUNDS):
        supported = partial(_supported, inquiry, lemmas, changed, is_over)
        values = [each for made in inquiry.claims.values for each in supported(made)]
        sums = [each for made in inquiry.claims.contributions for each in supported(made)]
        kept = {id(each) for each in (*values, *sums)}
        before: list[Claim | Contribution] = [*inquiry.claims.values, *inquiry.claims.contributions]
        lost = [each for each in before if id(each) not in kept]
        inquiry = replace(inquiry, claims=Claims(values, sums), writers={})
        if not lost:
            break
        changed = {(each.key, each.statement.target.array.name) for each in lost}
    return inquiry


def _supported(
    inquiry: Inquiry, lemmas: Lemmas, changed: Collection[tuple[str, str]] | None, is_over: Callable[[], bool], made: M
) -> list[M]:
    """The claim for the instances whose needs are written somewhere, before; nothing where none is left. Only readers
    of keys in arrays of which something is `changed` are looked at; None: all."""
    told = made.statement.told
    if told is not None and is_of(told, made.key):
        return [made]
    domain = made.domain
    for reader in readers_of(inquiry, made):
        if changed is not None and (reader.key, reader.array.name) not in changed:
            continue
        if is_over():
            break
        missing = _missing(lemmas, reader, [s for s in sources_of(inquiry, reader) if begins(s)])
        if missing is not None:
            domain = domain - missing.renamed(made.statement.iterators)
    if domain is made.domain:
        return [made]
    return [] if domain.is_empty() else [replace(made, domain=domain.simplify())]


def _missing(lemmas: Lemmas, reader: Reader, sources: Sequence[Source]) -> Domain | None:
    """Readers for whom nobody has written; None where there are none, or where it takes too long to tell."""

    def left() -> Domain | None:
        found = unwritten(reader, sources)
        return None if found.is_empty() else found

    try:
        return patiently(left, FIRST)
    except OutOfBudget:
        pass
    if lemmas.all_written(reader, sources):
        return None
    try:
        return patiently(left, _OPERATIONS)
    except OutOfBudget:
        return None
