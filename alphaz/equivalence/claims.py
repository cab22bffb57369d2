"""Claims: the value that an instance of a statement writes, or the terms that it combines into a sum. Untrusted.

A claim holds if the reads of the statement find certain values: its needs. That the expression of the statement then is
that of the equations is decided when the claim is made (`tree_matching`); that the needs are met is an obligation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alphaz.equivalence.value_graph import ReductionValue
from alphaz.poly import Affine, Domain
from alphaz.scop.c_model import KernelStatement


@dataclass(frozen=True, slots=True)
class Need:
    """Read `number` of the statement must find the value `key` at `point`, over the iterators of the statement."""

    number: int
    key: str
    point: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """The instances in `domain` write the value `key` at `point`."""

    statement: KernelStatement
    key: str
    point: tuple[Affine, ...]
    domain: Domain
    needs: tuple[Need, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """Item `number` of the sum at a point of its body."""

    number: int
    body: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """The instances in `domain` work on the sum of `key` at `point`, in the cell that they write.

    `starts`: the old contents of the cell are overwritten; otherwise they are combined with the shares.
    """

    statement: KernelStatement
    key: str
    sum: ReductionValue
    point: tuple[Affine, ...]
    domain: Domain
    starts: bool
    shares: tuple[Share, ...]
    needs: tuple[Need, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Claims:
    """All claims about a kernel."""

    values: Sequence[Claim]
    contributions: Sequence[Contribution]

    def plain(self) -> "Claims":
        """Returns the same claims with domains in fewer pieces: the statement's own domain for all its instances."""
        values = [replace(value, domain=_plain(value)) for value in self.values]
        return Claims(
            values, [replace(contribution, domain=_plain(contribution)) for contribution in self.contributions]
        )

    def apart(self) -> "Claims":
        """Returns the same claims, where no instance contributes twice to one key, or starts a sum without terms in a
        cell where another statement starts it in the same iteration."""
        claimed_domains: dict[tuple[str, str], Domain] = {}
        disjoint = []
        for contribution in self.contributions:
            title = contribution.statement.name, contribution.key
            domain = contribution.domain - claimed_domains[title] if title in claimed_domains else contribution.domain
            for other in self.contributions:
                domain = domain - other.domain if _is_overwritten(contribution, other) else domain
            claimed_domains[title] = (
                claimed_domains[title] | contribution.domain if title in claimed_domains else contribution.domain
            )
            if not domain.is_empty():
                disjoint.append(replace(contribution, domain=domain))
        return Claims(self.values, disjoint)


def _is_overwritten(contribution: Contribution, other: Contribution) -> bool:
    """Returns True if a start without terms is useless where another statement starts the same sum."""
    if not contribution.starts or contribution.shares or not other.starts or not other.shares:
        return False
    one, there = contribution.statement, other.statement
    is_same_cell = one.iterators == there.iterators and one.target.same_cell(there.target)
    return is_same_cell and (contribution.key, contribution.point) == (other.key, other.point)


def _plain(claim: Claim | Contribution) -> Domain:
    every = claim.statement.domain
    return every if every.is_subset(claim.domain) else claim.domain.coalesced()
