"""Kernels of a GPU with small blocks and tiles, to infer claims: runs of the model that leave a block of 256 threads
are too large.

Sizes of blocks and tiles are factors of numbers of blocks and threads, so they cannot be parameters. They become other,
small numbers, such that products of sizes are those of the small ones: 16 and 256 become 4 and 16. The numbers in
claims about the small kernel are replaced by the original ones. These claims are untrusted, as all claims: they are
proved about the original kernel.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import gcd
from typing import TypeVar

from alphaz.equivalence.claims import Claim, Claims, Contribution, Need, Share
from alphaz.equivalence.kernel_affines import arrays_of, with_affines
from alphaz.equivalence.partial_reductions import PartialReduction
from alphaz.equivalence.size_generalisation import Values, named, same_sum
from alphaz.equivalence.symbolic_run import Binding
from alphaz.model.program import System
from alphaz.poly import Affine, Constraint, Domain, Floor, Formula, Piece
from alphaz.scop.index_values import affine
from alphaz.scop.kernel import CKernel, KernelLoop, KernelStatement

_LEAST = 4
# Numbers that differ from a size by at most this are about it, and so are small multiples of it.
_NEAR = 2
_MOST_MULTIPLE = 8
_LARGEST = 4096
_Made = TypeVar("_Made", Claim, Contribution)


@dataclass(frozen=True, slots=True, eq=False)
class TileShrinking:
    """The small number for each size."""

    sizes: Mapping[int, int]

    # --- from sizes to small numbers ----------------------------------------------------------------------------------

    def system(self, system: System) -> System:
        return system

    def binding(self, binding: Binding) -> Binding | None:
        return binding

    def values(self, values: Values) -> Values:
        return values

    def kernel(self, kernel: CKernel) -> CKernel:
        return with_affines(kernel, self._small, self._small_data, _with_own_domain)

    def _small(self, value: Affine) -> Affine:
        return _mapped(value, self._smaller)

    def _small_data(self, value: Affine) -> Affine:
        return value if value.is_constant else self._small(value)

    def _smaller(self, number: int) -> int:
        sign, size = (1 if number > 0 else -1), abs(number)
        if size < _LEAST - 1:
            return number
        near = [known for known in self.sizes if abs(known - size) <= _NEAR]
        if near:
            known = min(near, key=lambda each: abs(each - size))
            return sign * (self.sizes[known] + size - known)
        factors = [known for known in self.sizes if size % known == 0 and size // known <= _MOST_MULTIPLE]
        return sign * self.sizes[max(factors)] * (size // max(factors)) if factors else number

    # --- from small numbers to sizes ----------------------------------------------------------------------------------

    def _larger(self, number: int) -> int:
        sign, size = (1 if number > 0 else -1), abs(number)
        if size < 2:
            return number
        for distance in (0, -1, 1, -2, 2):
            for known, small in self.sizes.items():
                if small + distance == size and (distance == 0 or small > _NEAR):
                    return sign * (known + distance)
        return number

    def _large(self, value: Affine) -> Affine:
        return _mapped(value, self._larger)

    def _larges(self, values: Iterable[Affine]) -> tuple[Affine, ...]:
        return tuple(map(self._large, values))

    def _domain(self, domain: Domain) -> Domain:
        return _changed(domain, self._larger)

    def original_part(self, part: PartialReduction, kernel: CKernel) -> PartialReduction:
        return replace(
            part,
            statement=named(kernel, part.statement),
            point=self._larges(part.point),
            domain=self._domain(part.domain),
            members={title: self._domain(domain) for title, domain in part.members.items()},
            workers={name: self._larges(point) for name, point in part.workers.items()},
        )

    def original_claims(self, claims: Claims, kernel: CKernel, general: Values, values: Values) -> Claims:
        """Returns the claims about the original kernel. `general` are the values that the claims are about, `values`
        the original ones."""
        contributions = []
        for contribution in claims.contributions:
            sum_ = same_sum(contribution, general, values)
            if sum_ is not None:
                shares = tuple(Share(share.number, self._larges(share.body)) for share in contribution.shares)
                contributions.append(replace(self._claim(contribution, kernel), sum=sum_, shares=shares))
        return Claims(
            [claim for value in claims.values if not (claim := self._claim(value, kernel)).domain.is_empty()],
            [contribution for contribution in contributions if not contribution.domain.is_empty()],
        )

    def _claim(self, claim: _Made, kernel: CKernel) -> _Made:
        statement = named(kernel, claim.statement)
        needs = tuple(Need(need.number, need.key, self._larges(need.point)) for need in claim.needs)
        is_every = claim.statement.domain.is_subset(claim.domain)
        domain = statement.domain if is_every else statement.domain & self._domain(claim.domain)
        return replace(claim, statement=statement, point=self._larges(claim.point), domain=domain, needs=needs)


def shrinkings(kernel: CKernel) -> Iterator[TileShrinking]:
    """Yields choices of small numbers for the sizes of a kernel of a GPU."""
    sizes = _sizes(kernel)
    if not sizes or max(sizes) <= _LEAST:
        return
    exponents = [size.bit_length() - 1 for size in sizes if size & (size - 1) == 0]
    common = reduce(gcd, exponents, 0)
    if len(exponents) == len(sizes):
        yield from (
            TileShrinking({size: 2 ** (e // common * by) for size, e in zip(sizes, exponents, strict=True)})
            for by in (2, 1)
            if by < common
        )
    bases = [size for size in sizes if _product(size, sizes) is None]
    for images in ((3, 4, 6, 8, 10), (4, 5, 7, 9, 11)):
        if len(bases) <= len(images):
            small = dict(zip(bases, images, strict=False))
            for size in sizes:
                one, other = _product(size, sizes) or (1, size)
                small[size] = small.get(one, 1) * small[other]
            if all(image <= size for size, image in small.items()):
                yield TileShrinking(small)


def _product(size: int, sizes: Sequence[int]) -> tuple[int, int] | None:
    """Returns two sizes whose product is the size."""
    return next(((one, size // one) for one in sizes if size % one == 0 and size // one in sizes and one < size), None)


def _sizes(kernel: CKernel) -> list[int]:
    """Returns the sizes of blocks and tiles in ascending order: factors in conditions and subscripts, strides, extents,
    and numbers of threads, without those next to another one."""
    found: set[int] = set()
    for statement in kernel.statements:
        found |= {part.stride for part in statement.date if isinstance(part, KernelLoop)}
        threads = {part.iterator for part in statement.date if isinstance(part, KernelLoop)}
        for constraint in (each for condition in statement.conditions for case in condition for each in case):
            found |= {abs(factor) for _, factor in constraint.affine.terms}
            if len(constraint.affine.terms) == 1 and constraint.affine.terms[0][0] in threads:
                found.add(constraint.affine.constant + 1)
        for access in (statement.target, *statement.reads):
            found |= {abs(factor) for subscript in access.subscripts for _, factor in subscript.terms}
    for array in arrays_of(kernel):
        bounds = (None if extent is None else affine(extent) for extent in array.extents)
        found |= {bound.constant for bound in bounds if bound is not None and bound.is_constant}
    sizes = sorted(size for size in found if _LEAST <= size <= _LARGEST)
    return [size for size in sizes if not any(_is_rounder(other, size) for other in sizes)]


def _is_rounder(other: int, size: int) -> bool:
    """Returns True if the other size is near, and a multiple of a larger power of two."""
    return other != size and abs(other - size) <= _NEAR and (other & -other) > (size & -size)


def _with_own_domain(statement: KernelStatement) -> KernelStatement:
    """Returns a statement with the domain of its conditions."""
    domain = Domain.universe(statement.space)
    for condition in statement.conditions:
        domain = domain & Domain.where(statement.space, *condition)
    return replace(statement, domain=domain)


def _mapped(value: Affine, change: Callable[[int], int]) -> Affine:
    return Affine.of(((name, change(factor)) for name, factor in value.terms), change(value.constant))


def _changed(domain: Domain, change: Callable[[int], int]) -> Domain:
    """Returns a set with other numbers."""
    pieces = []
    for piece in domain.pieces():
        constraints = tuple(Constraint(_mapped(c.affine, change), c.equality) for c in piece.constraints)
        floors = tuple(Floor(f.name, _mapped(f.affine, change), change(f.denominator)) for f in piece.floors)
        pieces.append(Piece(constraints, floors))
    return Formula(domain.space, (), (tuple(pieces),)).domain() if pieces else domain
