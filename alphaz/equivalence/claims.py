"""Claims: which value an instance of a statement writes, or what it combines into a sum. Nobody is trusted with them.

A claim says what must be true of the statement's reads for it to hold: they are its needs. That the expression of the
statement is then that of the equations is decided when the claim is made (`matching`); that the needs are met is asked
by the obligations.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from alphaz.equivalence.value_graph import ReductionValue
from alphaz.poly import Affine, Domain
from alphaz.scop.kernel import KernelStatement


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

    `starts`: whatever was in the cell before is forgotten; else what is there is combined with the shares.
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
    """All that is claimed of a kernel."""

    values: Sequence[Claim]
    contributions: Sequence[Contribution]

    def plain(self) -> "Claims":
        """The same claims of domains in fewer pieces: of all instances of a statement its own."""
        values = [replace(value, domain=_plain(value)) for value in self.values]
        return Claims(
            values, [replace(contribution, domain=_plain(contribution)) for contribution in self.contributions]
        )

    def apart(self) -> "Claims":
        """The same, where no instance contributes twice to one key: what it adds is then said once."""
        taken: dict[tuple[str, str], Domain] = {}
        found = []
        for contribution in self.contributions:
            title = contribution.statement.name, contribution.key
            domain = contribution.domain - taken[title] if title in taken else contribution.domain
            taken[title] = taken[title] | contribution.domain if title in taken else contribution.domain
            if not domain.is_empty():
                found.append(replace(contribution, domain=domain))
        return Claims(self.values, found)


def _plain(made: Claim | Contribution) -> Domain:
    every = made.statement.domain
    return every if every.is_subset(made.domain) else made.domain.coalesced()
