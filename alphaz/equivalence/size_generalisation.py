"""Large constant sizes as parameters, to infer claims: a run of the model with the real sizes has too many instances.

The constants of the kernel and of the equations near a size B become `n + (constant - B)` with a new parameter n (for a
multiple of another size, or of the stride of a loop, `k * n + (constant - B)`; for a size near a sum of multiples of
smaller sizes, as the extent of q in `q[i+j]`, that sum).
Claims are inferred for small n, and instantiated at n = B. They are untrusted, as all claims: they are proved about the
original kernel and equations.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import lcm

from alphaz.equivalence.argument_layout import ArgumentPlace
from alphaz.equivalence.claim_translation import ClaimTranslation, Values
from alphaz.equivalence.kernel_rewriting import with_affines
from alphaz.equivalence.symbolic_run import Binding
from alphaz.equivalence.value_graph import (
    Apply,
    EquationValue,
    Item,
    Position,
    Ref,
    Term,
    ValueDefinition,
    ValueRegion,
)
from alphaz.model.program import System
from alphaz.poly import Affine, Constraint, Domain, Piece, Space, at_least, fresh_names
from alphaz.scop.c_model import CKernel, KernelLoop, KernelStatement

# Constants that differ by at most this are about one size.
_NEAR = 6
_MOST_SIZES = 5
_LEAST_SIZES = (7, 70)
_MOST_FACTOR = 4
# A sum differs from a size by at most this; a smaller constant may be one of its terms.
_MOST_REST = 70
_MOST_STRIDE = 64


@dataclass(frozen=True, slots=True)
class _Size:
    """The constants from `value - spread` to `value`; `term` is the value in terms of the parameters."""

    value: int
    spread: int
    term: Affine

    @property
    def own(self) -> tuple[str, int] | None:
        """Returns the parameter and its value, where the term is a multiple of one parameter."""
        if self.term.constant != 0 or len(self.term.terms) != 1:
            return None
        ((name, factor),) = self.term.terms
        return name, self.value // factor

    @property
    def least(self) -> Constraint:
        """Returns the lower bound of the parameter: loops with these bounds then have a few iterations."""
        return at_least(self.term, self.spread + 3)


@dataclass(frozen=True, slots=True, eq=False)
class SizeGeneralisation:
    """Parameters for large constants, in the order of their values."""

    sizes: tuple[_Size, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.originals)

    @property
    def originals(self) -> dict[str, int]:
        """Returns the parameters with the values that give the original constants."""
        return _originals(self.sizes)

    # --- from constants to parameters ---------------------------------------------------------------------------------

    def system(self, system: System) -> System:
        return replace(system, context=self._limited(self._domain(system.context)))

    def binding(self, binding: Binding) -> Binding | None:
        """Returns the binding; None if an array is packed."""
        if any(place.packed is not None for place in binding.places.values()):
            return None
        places = {
            name: ArgumentPlace(
                extents=self._affines(place.extents),
                cells=self._affines(place.cells),
                held=None if place.held is None else tuple(map(self._constraint, place.held)),
            )
            for name, place in binding.places.items()
        }
        return replace(binding, places=places)

    def kernel(self, kernel: CKernel) -> CKernel:
        general = with_affines(kernel, self._affine, self._data, self._with_domain)
        return replace(general, parameters=(*kernel.parameters, *self.names))

    def _with_domain(self, statement: KernelStatement) -> KernelStatement:
        return replace(statement, domain=self._limited(self._domain(statement.domain)))

    def values(self, values: Values) -> dict[str, EquationValue]:
        return {
            key: replace(
                value,
                domain=self._limited(self._domain(value.domain)),
                definitions=tuple(map(self._definition, value.definitions)),
            )
            for key, value in values.items()
        }

    def _definition(self, definition: ValueDefinition) -> ValueDefinition:
        return ValueDefinition(
            region=self._region(definition.region),
            term=None if definition.term is None else self._term(definition.term),
            sum=None
            if definition.sum is None
            else replace(definition.sum, items=tuple(map(self._item, definition.sum.items))),
        )

    def _item(self, item: Item) -> Item:
        return replace(
            item,
            region=self._region(item.region),
            projection=self._affines(item.projection),
            term=self._term(item.term),
        )

    def _region(self, region: ValueRegion) -> ValueRegion:
        return ValueRegion.of(self._limited(self._domain(region.domain)))

    def _term(self, term: Term) -> Term:
        match term:
            case Ref(key, point):
                return Ref(key, self._affines(point))
            case Position(position):
                return Position(self._data(position))
            case Apply(operator, operands, type_):
                return Apply(operator, tuple(map(self._term, operands)), type_)
        return term

    def _constraint(self, constraint: Constraint) -> Constraint:
        return replace(constraint, affine=self._affine(constraint.affine))

    def _affines(self, affines: Iterable[Affine]) -> tuple[Affine, ...]:
        return tuple(map(self._affine, affines))

    def _affine(self, value: Affine) -> Affine:
        for size in self.sizes:
            if size.value - size.spread <= abs(value.constant) <= size.value:
                sign = 1 if value.constant > 0 else -1
                return value + (size.term - size.value) * sign
        return value

    def _data(self, value: Affine) -> Affine:
        """Returns the value of an expression on data: a constant there is no size."""
        return value if value.is_constant else self._affine(value)

    def _domain(self, domain: Domain) -> Domain:
        space = Space((*domain.space.parameters, *self.names), domain.space.names)
        result = Domain.empty(space)
        for piece in domain.pieces():
            result = result | self._piece(piece, space)
        return result

    def _piece(self, piece: Piece, space: Space) -> Domain:
        if not piece.floors:
            return Domain.where(space, [self._constraint(constraint) for constraint in piece.constraints])
        taken = (*space.parameters, *space.names)
        renamed = dict(zip((f.name for f in piece.floors), fresh_names(len(piece.floors), "floor", taken), strict=True))
        constraints = [self._constraint(constraint.rename(renamed)) for constraint in piece.constraints]
        for floor in piece.floors:
            rest = self._affine(floor.affine.rename(renamed)) - Affine.name(renamed[floor.name]) * floor.denominator
            constraints += [at_least(rest, 0), at_least(rest * -1, 1 - floor.denominator)]
        whole = Domain.where(space.with_names((*space.names, *renamed.values())), constraints)
        return whole.onto(space.names)

    def _limited(self, domain: Domain) -> Domain:
        """Returns the points for legal values of the new parameters: small ones are smaller than large ones."""
        limits = [size.least for size in self.sizes]
        for low, high in zip(self.sizes, self.sizes[1:], strict=False):
            limits.append(at_least(high.term - low.term, 1))
        return domain & Domain.where(domain.space, limits)

    # --- from parameters to constants ---------------------------------------------------------------------------------

    def translation(self, kernel: CKernel) -> ClaimTranslation:
        """Returns the way of claims back to the kernel with its sizes."""
        return ClaimTranslation(kernel, self._constant, self._fixed, lambda claim: self._fixed(claim.domain))

    def _constant(self, affines: Iterable[Affine]) -> tuple[Affine, ...]:
        values = {name: Affine.of(constant=value) for name, value in self.originals.items()}
        return tuple(value.substitute(values) for value in affines)

    def _fixed(self, domain: Domain) -> Domain:
        fixed = domain.fixed(self.originals)
        return fixed.with_only([name for name in domain.space.parameters if name not in self.names])


def generalisations(kernel: CKernel, values: Values, binding: Binding) -> Iterator[SizeGeneralisation]:
    """Yields choices of parameters for the large constants: for all of them, then for those above sizes of tiles."""
    constants = sorted({abs(constant) for constant in _constants(kernel, values, binding)}, reverse=True)
    taken = {*kernel.parameters}
    for statement in kernel.statements:
        taken |= {*statement.iterators}
    for value in values.values():
        taken |= {*value.indices, *(name for d in value.definitions if d.sum for i in d.sum.items for name in i.names)}
    previous: list[list[int]] = []
    for least in _LEAST_SIZES:
        groups = _grouped([constant for constant in constants if constant >= least])
        if not groups or len(groups) > _MOST_SIZES or groups == previous:
            continue
        previous = groups
        names = fresh_names(len(groups), "size", taken)
        sizes = [
            _Size(group[0], group[0] - group[-1], Affine.name(name))
            for name, group in zip(names, reversed(groups), strict=True)
        ]
        choices = [sizes, _related(sizes), _summed(sizes)]
        choices += [_divided(choice, _stride(kernel)) for choice in choices]
        yield from map(SizeGeneralisation, dict.fromkeys(map(tuple, choices)))


def _originals(sizes: Iterable[_Size]) -> dict[str, int]:
    return dict(size.own for size in sizes if size.own is not None)


def _related(sizes: Sequence[_Size]) -> list[_Size]:
    """Returns the sizes, where a small multiple of a smaller size has the parameter of that size."""
    related: list[_Size] = []
    for size in sizes:
        multiples = (
            Affine.name(name) * (size.value // value)
            for name, value in _originals(related).items()
            if size.value % value == 0 and size.value // value <= _MOST_FACTOR
        )
        related.append(replace(size, term=next(multiples, size.term)))
    return related


def _summed(sizes: Sequence[_Size]) -> list[_Size]:
    """Returns the sizes, where one near a sum of small multiples of smaller sizes has the parameters of these."""
    summed: list[_Size] = []
    for size in sizes:
        summed.append(replace(size, term=_sum_near(size.value, _originals(summed)) or size.term))
    return summed


def _sum_near(value: int, originals: Mapping[str, int]) -> Affine | None:
    """Returns the shortest sum of small multiples of the parameters, with the rest; None if none is near."""
    sums: list[tuple[int, int, Affine]] = []
    for factors in _factors(value, originals):
        total = sum(factor * own for factor, own in zip(factors, originals.values(), strict=True))
        if any(factors) and abs(value - total) <= (_NEAR if sum(factors) > 1 else _MOST_REST):
            term = Affine.of(zip(originals, factors, strict=True), value - total)
            sums.append((sum(factors), abs(value - total), term))
    return min(sums, key=lambda sum_: sum_[:2])[2] if sums else None


def _factors(value: int, originals: Mapping[str, int]) -> Iterator[tuple[int, ...]]:
    """Yields small factors of all parameters, then one larger factor of one: that of a subscript."""
    yield from product(range(_MOST_FACTOR + 1), repeat=len(originals))
    for position, own in enumerate(originals.values()):
        if _MOST_FACTOR < value // own <= _MOST_STRIDE:
            yield tuple(value // own if position == other else 0 for other in range(len(originals)))


def _divided(sizes: Sequence[_Size], stride: int) -> list[_Size]:
    """Returns the sizes, where the multiples of a stride remain multiples."""
    multiples = {name: Affine.name(name) * stride for name, value in _originals(sizes).items() if value % stride == 0}
    return [replace(size, term=size.term.substitute(multiples)) for size in sizes]


def _stride(kernel: CKernel) -> int:
    """Returns the least common multiple of the strides of loops; 1 if it is large."""
    loops = (part for statement in kernel.statements for part in statement.date if isinstance(part, KernelLoop))
    stride = lcm(*{loop.stride for loop in loops})
    return stride if stride <= _MOST_STRIDE else 1


def _grouped(constants: Sequence[int]) -> list[list[int]]:
    """Returns the constants, which are in descending order, in groups of near ones."""
    groups: list[list[int]] = []
    for constant in constants:
        if groups and groups[-1][0] - constant <= _NEAR:
            groups[-1].append(constant)
        else:
            groups.append([constant])
    return groups


def _constants(kernel: CKernel, values: Values, binding: Binding) -> Iterator[int]:
    for statement in kernel.statements:
        for condition in statement.conditions:
            yield from _limits(constraint for case in condition for constraint in case)
        for access in (statement.target, *statement.reads):
            yield from (subscript.constant for subscript in access.subscripts)
    for place in binding.places.values():
        yield from (extent.constant for extent in place.extents)
    for value in values.values():
        for domain in (value.domain, *(definition.region.domain for definition in value.definitions)):
            yield from _limits(constraint for piece in domain.pieces() for constraint in piece.constraints)


def _limits(constraints: Iterable[Constraint]) -> Iterator[int]:
    """Yields the constants, and for an upper bound n - 1 the size n."""
    for constraint in constraints:
        yield constraint.affine.constant
        if constraint.affine.constant > 0 and not constraint.equality:
            yield constraint.affine.constant + 1
