"""Claims that cannot hold are left out before anything is asked."""

from dataclasses import replace
from typing import TypeVar

from alphaz.verify.c.claims import Claim, Claims, Contribution
from alphaz.verify.c.inquiry import Inquiry
from alphaz.verify.c.readers import begins, readers_of, sources_of, unwritten

M = TypeVar("M", Claim, Contribution)
_MOST_ROUNDS = 12


def pruned(inquiry: Inquiry) -> Inquiry:
    """The same with fewer claims: without instances that need what no claim writes, until nothing changes.

    What is claimed in vain would only stand in the way.
    """
    for _ in range(_MOST_ROUNDS):
        values = [each for made in inquiry.claims.values for each in _supported(inquiry, made)]
        sums = [each for made in inquiry.claims.contributions for each in _supported(inquiry, made)]
        is_stable = values == list(inquiry.claims.values) and sums == list(inquiry.claims.contributions)
        inquiry = replace(inquiry, claims=Claims(values, sums), writers={})
        if is_stable:
            break
    return inquiry


def _supported(inquiry: Inquiry, made: M) -> list[M]:
    """The claim for the instances whose needs are written somewhere, before; nothing where none is left."""
    domain = made.domain
    for reader in readers_of(inquiry, made):
        missing = unwritten(reader, [s for s in sources_of(inquiry, reader) if begins(s)])
        if not missing.is_empty():
            domain = domain - missing.renamed(made.statement.iterators)
    if domain is made.domain:
        return [made]
    return [] if domain.is_empty() else [replace(made, domain=domain.simplify())]
