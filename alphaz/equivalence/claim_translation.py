"""Claims about another form of a kernel, with parameters or small numbers for its sizes, as claims about the kernel."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from alphaz.equivalence.claims import Claim, Claims, Contribution, Need, Share
from alphaz.equivalence.partial_reductions import PartialReduction
from alphaz.equivalence.value_graph import EquationValue, ReductionValue
from alphaz.poly import Affine, Domain
from alphaz.scop.c_model import CKernel, KernelStatement

Values = Mapping[str, EquationValue]
_Claim = TypeVar("_Claim", Claim, Contribution)


@dataclass(frozen=True, slots=True, eq=False)
class ClaimTranslation:
    """The affine expressions and domains of the original `kernel`, by those of the other form. `claimed` is the domain
    of a claim, as far as that of the statement does not imply it."""

    kernel: CKernel
    affines: Callable[[Iterable[Affine]], tuple[Affine, ...]]
    domain: Callable[[Domain], Domain]
    claimed: Callable[[Claim | Contribution], Domain]

    def part(self, part: PartialReduction) -> PartialReduction:
        return replace(
            part,
            statement=self._original(part.statement),
            point=self.affines(part.point),
            domain=self.domain(part.domain),
            members={title: self.domain(domain) for title, domain in part.members.items()},
            workers={name: self.affines(point) for name, point in part.workers.items()},
        )

    def claims(self, claims: Claims, general: Values, values: Values) -> Claims:
        """Returns the claims about the original kernel. `general` are the values that the claims are about, `values`
        the original ones."""
        contributions = []
        for contribution in claims.contributions:
            sum_ = _same_sum(contribution, general, values)
            if sum_ is not None:
                shares = tuple(Share(share.number, self.affines(share.body)) for share in contribution.shares)
                contributions.append(replace(self._claim(contribution), sum=sum_, shares=shares))
        return Claims(
            [claim for value in claims.values if not (claim := self._claim(value)).domain.is_empty()],
            [contribution for contribution in contributions if not contribution.domain.is_empty()],
        )

    def _claim(self, claim: _Claim) -> _Claim:
        statement = self._original(claim.statement)
        needs = tuple(Need(need.number, need.key, self.affines(need.point)) for need in claim.needs)
        domain = statement.domain & self.claimed(claim)
        return replace(claim, statement=statement, point=self.affines(claim.point), domain=domain, needs=needs)

    def _original(self, statement: KernelStatement) -> KernelStatement:
        return next(own for own in self.kernel.statements if own.name == statement.name)


def _same_sum(contribution: Contribution, general: Values, values: Values) -> ReductionValue | None:
    """Returns the sum in the original values; None if it has other items there."""
    definitions = zip(general[contribution.key].definitions, values[contribution.key].definitions, strict=True)
    for own, original in definitions:
        if own.sum is contribution.sum and original.sum is not None:
            return original.sum if len(original.sum.items) == len(contribution.sum.items) else None
    return None
