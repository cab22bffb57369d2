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
from itertools import product
from math import gcd

from alphaz.equivalence.block_trees import has_trees
from alphaz.equivalence.claim_translation import ClaimTranslation, Values
from alphaz.equivalence.claims import Claim, Contribution
from alphaz.equivalence.kernel_rewriting import arrays_of, with_affines
from alphaz.equivalence.symbolic_run import Binding
from alphaz.model.program import System
from alphaz.poly import Affine, Constraint, Domain, Floor, Formula, Piece
from alphaz.scop.c_model import CKernel, KernelLoop, KernelStatement, LoopKind
from alphaz.scop.index_polynomials import affine

_LEAST = 4
# Numbers that differ from a size by at most this are about it, and so are small multiples of it.
_NEAR = 2
_MOST_MULTIPLE = 8
_LARGEST, _LARGEST_PRODUCT = 4096, 1 << 22
_IMAGES = ((3, 4, 6, 8, 10), (4, 5, 7, 9, 11), (5, 7, 9, 11, 13), (3, 6, 10, 14, 18))


@dataclass(frozen=True, slots=True, eq=False)
class TileShrinking:
    """The small number for each number of a kernel, and the numbers that these stand for; `tiles` are the small ones
    for sizes."""

    numbers: Mapping[int, int]
    originals: Mapping[int, int]
    tiles: tuple[int, ...]

    @property
    def united(self) -> int:
        """Returns how many numbers become one that another number becomes too."""
        return len(self.numbers) - len({*self.numbers.values()})

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
        return _signed(self.numbers, number)

    # --- from small numbers to sizes ----------------------------------------------------------------------------------

    def _larger(self, number: int) -> int:
        return _signed(self.originals, number)

    def _large(self, value: Affine) -> Affine:
        return _mapped(value, self._larger)

    def _larges(self, values: Iterable[Affine]) -> tuple[Affine, ...]:
        return tuple(map(self._large, values))

    def _domain(self, domain: Domain) -> Domain:
        return _changed(domain, self._larger)

    def translation(self, kernel: CKernel) -> ClaimTranslation:
        """Returns the way of claims back to the kernel with its sizes."""
        return ClaimTranslation(kernel, self._larges, self._domain, self._claimed)

    def _claimed(self, claim: Claim | Contribution) -> Domain:
        """Returns the domain of a claim, without what its statement says with numbers of its own."""
        return self._domain(claim.domain.gist(claim.statement.domain))


def shrinkings(kernel: CKernel) -> Iterator[TileShrinking]:
    """Yields choices of small numbers for the sizes of a kernel of a GPU; with warps, for which there are more sizes,
    those first that keep numbers apart."""
    proposals = _shrinkings(kernel)
    yield from sorted(proposals, key=lambda shrinking: shrinking.united) if has_trees(kernel) else proposals


def _shrinkings(kernel: CKernel) -> Iterator[TileShrinking]:
    sizes, every = _sizes(kernel), {abs(number) for number in _numbers(kernel)}
    factors = {abs(factor) for value in _affines(kernel) for _, factor in value.terms}
    for small in _choices(sizes) if sizes and max(sizes) > _LEAST else ():
        numbers = {number: _small_number(number, small) for number in every}
        fixed_numbers = {number for number, other in numbers.items() if number == other}
        if len({*small.values()}) == len(small) and not {*small.values()} & fixed_numbers & factors:
            # Where several numbers become one, it stands for a size, or for itself.
            near = {other: number for number, other in numbers.items()}
            originals = {**near, **{number: number for number in fixed_numbers}}
            originals |= {other: number for number, other in small.items()}
            for (number, other), by in product(small.items(), range(-_NEAR, _NEAR + 1)):
                originals.setdefault(other + by, number + by)
            # Bounds of several elements a thread have multiples of sizes.
            for (number, other), by in product(small.items(), range(2, _MOST_MULTIPLE)):
                originals.setdefault(other * by, number * by)
            yield TileShrinking(numbers, originals, tuple(sorted(small.values())))


def _choices(sizes: Sequence[int]) -> Iterator[Mapping[int, int]]:
    exponents = [size.bit_length() - 1 for size in sizes if size & (size - 1) == 0]
    common = reduce(gcd, exponents, 0)
    if len(exponents) == len(sizes):
        for by in (2, 1):
            if by < common:
                yield {size: 2 ** (e // common * by) for size, e in zip(sizes, exponents, strict=True)}
    bases = [size for size in sizes if _product(size, sizes) is None]
    multiples = {size: next((basis for basis in bases if size in (2 * basis, 4 * basis)), None) for size in bases}
    yield from _imaged(sizes, bases, {})
    if any(multiples.values()):
        yield from _imaged(sizes, [size for size in bases if multiples[size] is None], multiples)


def _imaged(
    sizes: Sequence[int], bases: Sequence[int], multiples: Mapping[int, int | None]
) -> Iterator[Mapping[int, int]]:
    """Yields small numbers for the bases, with their `multiples` and products."""
    for images in _IMAGES:
        if len(bases) <= len(images):
            small = dict(zip(bases, images, strict=False))
            for size in sizes:
                if (base := multiples.get(size)) is not None:
                    small[size] = small[base] * (size // base)
                    continue
                one, other = _product(size, sizes) or (1, size)
                small[size] = small.get(one, 1) * _small_number(other, small)
            if all(image <= size for size, image in small.items()):
                yield small


def _small_number(number: int, small: Mapping[int, int]) -> int:
    """Returns the small number for a size, a number next to one, or a small multiple of one; others unchanged."""
    if number < _LEAST - 1:
        return number
    near = [known for known in small if abs(known - number) <= _NEAR]
    if near:
        known = min(near, key=lambda size: abs(size - number))
        return small[known] + number - known
    factors = [known for known in small if number % known == 0 and number // known <= _MOST_MULTIPLE]
    return small[max(factors)] * (number // max(factors)) if factors else number


def _product(size: int, sizes: Sequence[int]) -> tuple[int, int] | None:
    """Returns two sizes whose product is the size, or a size and one with a few elements more: rows of shared memory
    are padded."""
    factors = [(one, size // one) for one in sizes if one < size and size % one == 0]
    padded = ((one, other) for one, other in factors for by in range(1, _NEAR + 1) if other - by in sizes)
    return next(((one, other) for one, other in factors if other in sizes), None) or next(padded, None)


def _sizes(kernel: CKernel) -> list[int]:
    """Returns the sizes of blocks and tiles in ascending order: factors, strides, extents, and numbers of threads,
    without those next to another one. Factors of parameters are of the equations too, which stay as they are."""
    terms = (term for value in _affines(kernel) for term in value.terms)
    factors = {factor for name, factor in terms if name not in kernel.parameters} | {*_extents(kernel)}
    for statement in kernel.statements:
        loops = [part for part in statement.date if isinstance(part, KernelLoop)]
        threads = {loop.iterator for loop in loops if loop.kind is LoopKind.GRID or loop.kind.is_of_threads}
        factors |= {loop.stride for loop in loops}
        for value in _conditions(statement):
            if len(value.terms) == 1 and value.terms[0][0] in threads:
                factors.add(value.constant + 1)
    sizes = sorted({size for size in map(abs, factors) if _LEAST <= size <= _LARGEST})
    limits = {value.constant + 1 for statement in kernel.statements for value in _conditions(statement)}
    products = {size for size in (*limits, *factors) if _LEAST <= size <= _LARGEST_PRODUCT}
    sizes = sorted({*sizes, *(size for size in products if _product(size, sizes) is not None)})
    return [size for size in sizes if not any(_is_rounder(other, size) for other in sizes)]


def _numbers(kernel: CKernel) -> Iterator[int]:
    yield from _extents(kernel)
    for value in _affines(kernel):
        yield value.constant
        yield from (factor for _, factor in value.terms)


def _affines(kernel: CKernel) -> Iterator[Affine]:
    for statement in kernel.statements:
        yield from _conditions(statement)
        for access in (statement.target, *statement.reads):
            yield from access.subscripts


def _conditions(statement: KernelStatement) -> Iterator[Affine]:
    return (constraint.affine for condition in statement.conditions for case in condition for constraint in case)


def _extents(kernel: CKernel) -> Iterator[int]:
    bounds = (affine(extent) for array in arrays_of(kernel) for extent in array.extents if extent is not None)
    return (bound.constant for bound in bounds if bound is not None and bound.is_constant)


def _is_rounder(other: int, size: int) -> bool:
    """Returns True if the other size is near, and a multiple of a larger power of two."""
    return other != size and abs(other - size) <= _NEAR and (other & -other) > (size & -size)


def _with_own_domain(statement: KernelStatement) -> KernelStatement:
    """Returns a statement with the domain of its conditions."""
    domain = Domain.universe(statement.space)
    for condition in statement.conditions:
        domain = domain & Domain.where(statement.space, *condition)
    return replace(statement, domain=domain)


def _signed(numbers: Mapping[int, int], number: int) -> int:
    return numbers.get(number, number) if number >= 0 else -numbers.get(-number, -number)


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
