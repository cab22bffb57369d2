"""The storage of one rank: cells of its own points, and ghosts of received ones, as C with the names of a rank.

Places are owned in intervals, or dealt out in blocks: then own cells lie one after another, and a test at run time says
whether a read value is the rank's own or a ghost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.integers import affine, integer
from alphaz.codegen.c.readable_c import CONSTANT
from alphaz.codegen.scheduled.memory.storage import StoragePlace
from alphaz.codegen.targets.rank_program import RankNames
from alphaz.mapping.statement import Cell
from alphaz.model.expression import Access
from alphaz.model.program import Variable
from alphaz.poly import Affine
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerName,
    IntegerOperation,
    of_affine,
    simplified,
)


@dataclass(frozen=True, slots=True)
class PlaceTests:
    """Questions about places in C. `block`: the places that are dealt out together; 0: a rank owns an interval."""

    names: RankNames
    block: int

    def is_own(self, places: Sequence[Affine]) -> c.Expression:
        """Returns whether this rank owns a place."""
        names = self.names
        tests: list[c.Expression] = []
        if self.block:
            for position, place in enumerate(places):
                owner = c.Call("owner_of", (affine(self._offset(place, position)), *self.dealing(position)))
                tests.append(c.Binary("==", owner, c.Name(names.own_rank[position])))
            return reduce(_both, tests)
        for (low, high), place in zip(names.own, places, strict=True):
            tests += [c.Binary("<=", c.Name(low), affine(place)), c.Binary("<", affine(place), c.Name(high))]
        return reduce(_both, tests)

    def receives(self, low: Integer, high: Integer, dimension: int = 0) -> c.Expression:
        """Returns whether the receiver owns one of the places from `low` to `high` in a dimension."""
        names = self.names
        if not self.block:
            return c.Call("meets", (integer(low), integer(high), *map(c.Name, names.receiver[dimension])))
        first = of_affine(Affine.name(names.first_place[dimension]))
        ends = (integer(simplified(_minus(end, first))) for end in (low, high))
        return c.Call("owns", (*ends, *self.dealing(dimension), c.Name(names.to_rank[dimension])))

    def slot(self, place: Affine, dimension: int) -> Integer:
        """Returns how many places a rank owns before one of its places, in a dimension."""
        offset, block = of_affine(self._offset(place, dimension)), IntegerConstant(self.block)
        names = IntegerName(self.names.ranks[dimension])
        if self.block == 1:
            return IntegerOperation("quotient", (offset, names))
        round_ = IntegerOperation("quotient", (offset, IntegerOperation("*", (block, names))))
        return IntegerOperation(
            "+", (IntegerOperation("*", (round_, block)), IntegerOperation("remainder", (offset, block)))
        )

    def dealt(self, array: FlatArray, dealt: "DealtDimension", places: c.Expression) -> FlatArray:
        """Returns the array with elements for own places alone in a dimension; `places`: their number on all ranks."""
        dimension = dealt.dimension
        name = f"{array.name}_size{dimension}"
        arguments = (places, *self.dealing(dealt.side), c.Name(self.names.own_rank[dealt.side]))
        constants = [d for d in array.constants if d.name not in (name, f"{array.name}_from{dimension}")]
        lower, extents = list(array.lower), list(array.extents)
        lower[dimension], extents[dimension] = IntegerConstant(0), IntegerName(name)
        return FlatArray(
            name=array.name,
            type=array.type,
            lower=tuple(lower),
            extents=tuple(extents),
            constants=(*constants, c.Declare(CONSTANT, name, c.Call("own_places", arguments))),
            is_constant=array.is_constant,
        )

    def dealing(self, dimension: int) -> tuple[c.Expression, c.Expression]:
        """Returns the places that are dealt out together, and the number of ranks in a distributed dimension."""
        return c.Literal(str(self.block)), c.Name(self.names.ranks[dimension])

    def _offset(self, place: Affine, dimension: int) -> Affine:
        return place - Affine.name(self.names.first_place[dimension])


@dataclass(frozen=True, slots=True)
class DealtDimension:
    """A dimension of an array whose component is a place plus `shift`; `side`: the distributed dimension."""

    dimension: int
    shift: Affine
    side: int


def dealt_dimension(
    side: int, own: Sequence[tuple[Cell, Variable]], places: Sequence[tuple[Affine, ...]]
) -> DealtDimension | None:
    """Returns the dimension of a space that has the places of its variables in a distributed dimension."""
    indices = {*own[0][1].domain.space.names}
    for dimension in range(len(own[0][0].moduli)):
        shifts = set()
        for (cell, variable), place in zip(own, places, strict=True):
            names = dict(zip(cell.function.domain.names, map(Affine.name, variable.domain.space.names), strict=True))
            shifts.add(cell.function.outputs[dimension].substitute(names) - place[side])
        is_plain = not any(cell.moduli[dimension] for cell, _ in own)
        if is_plain and len(shifts) == 1 and not indices & {*next(iter(shifts)).names}:
            return DealtDimension(dimension, shifts.pop(), side)
    return None


def _both(one: c.Expression, other: c.Expression) -> c.Expression:
    return c.Binary("&&", one, other)


def _minus(one: Integer, other: Integer) -> Integer:
    return IntegerOperation("-", (one, other))


@dataclass(frozen=True, slots=True)
class RankPlace(StoragePlace):
    """The storage of a variable on a rank. In the dimensions `dealt` of the array only own places have elements.

    `ghosts` has received points that do not lie where own ones do; `place` is that of a point, over `indices`. Accesses
    `at_home` read own points only.
    """

    tests: PlaceTests | None = None
    dealt: tuple[DealtDimension, ...] = ()
    ghosts: StoragePlace | None = None
    place: tuple[Affine, ...] = ()
    indices: tuple[str, ...] = ()
    at_home: frozenset[Access] = frozenset()

    @property
    def ghost(self) -> StoragePlace | None:
        return self.ghosts

    @property
    def own(self) -> StoragePlace:
        return replace(self, ghosts=None)

    def element(self, point: Sequence[Affine], names: Mapping[str, Affine]) -> c.Expression:
        if not self.dealt:
            return StoragePlace.element(self, point, names)
        assert self.tests is not None
        folds = [(m if isinstance(m, int) else m.substitute(names), negative) for m, negative in self.folds]
        components = self._components(point, names)
        relative = self.array.relative(components, folds)
        for dealt in self.dealt:
            place = components[dealt.dimension] - dealt.shift.substitute(names)
            relative[dealt.dimension] = self.tests.slot(place, dealt.side)
        return self.array.at(relative)

    def read(self, point: Sequence[Affine], names: Mapping[str, Affine], access: Access) -> c.Expression:
        own = self.element(point, names)
        if self.ghost is None or not self.is_chosen(access):
            return own
        assert self.tests is not None
        values = {**names, **dict(zip(self.indices, point, strict=True))}
        places = [place.substitute(values) for place in self.place]
        return c.Ternary(self.tests.is_own(places), own, self.ghost.element(point, names))

    def is_chosen(self, access: Access) -> bool:
        return self.ghost is not None and access not in self.at_home

    def stride(self, point: Sequence[Affine], name: str) -> int | None:
        components = self._components(point, {}) if self.dealt else ()
        if any(components[dealt.dimension].coefficient(name) for dealt in self.dealt):
            return None
        return StoragePlace.stride(self, point, name)
