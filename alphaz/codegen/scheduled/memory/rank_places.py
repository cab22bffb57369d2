"""The storage of one rank: cells of its own points, and ghosts of received ones, as C with the names of a rank.

Places are owned in intervals, or dealt out in blocks: then own cells lie one after another, and a test at run time says
whether a read value is the rank's own or a ghost.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from alphaz.c import tree as c
from alphaz.codegen.c.arrays import FlatArray
from alphaz.codegen.c.hoisting import CONSTANT
from alphaz.codegen.c.integers import affine, integer
from alphaz.codegen.scheduled.memory.storage import StoragePlace
from alphaz.codegen.targets.rank_program import RankNames
from alphaz.model.expression import Access
from alphaz.poly import Affine
from alphaz.poly.plain.integer import Integer, IntegerConstant, IntegerName, IntegerOperation, of_affine, simplified


@dataclass(frozen=True, slots=True)
class PlaceTests:
    """Questions about places in C. `block`: the places that are dealt out together; 0: a rank owns an interval."""

    names: RankNames
    block: int

    def is_own(self, places: Sequence[Affine]) -> c.Expression:
        """Returns whether this rank owns a place."""
        names = self.names
        if self.block:
            owner = c.Call("owner_of", (affine(self._offset(places[0])), *self._dealing))
            return c.Binary("==", owner, c.Name(names.own_rank))
        tests: list[c.Expression] = []
        for (low, high), place in zip(names.own, places, strict=True):
            tests += [c.Binary("<=", c.Name(low), affine(place)), c.Binary("<", affine(place), c.Name(high))]
        return reduce(_both, tests)

    def receives(self, low: Integer, high: Integer, dimension: int = 0) -> c.Expression:
        """Returns whether the receiver owns one of the places from `low` to `high` in a dimension."""
        names = self.names
        if not self.block:
            return c.Call("meets", (integer(low), integer(high), *map(c.Name, names.receiver[dimension])))
        ends = (integer(simplified(_minus(end, of_affine(Affine.name(names.first_place))))) for end in (low, high))
        return c.Call("owns", (*ends, *self._dealing, c.Name(names.to_rank)))

    def slot(self, place: Affine) -> Integer:
        """Returns how many places a rank owns before one of its places."""
        offset, block = of_affine(self._offset(place)), IntegerConstant(self.block)
        names = IntegerName(self.names.ranks)
        if self.block == 1:
            return IntegerOperation("quotient", (offset, names))
        round_ = IntegerOperation("quotient", (offset, IntegerOperation("*", (block, names))))
        return IntegerOperation(
            "+", (IntegerOperation("*", (round_, block)), IntegerOperation("remainder", (offset, block)))
        )

    def dealt(self, array: FlatArray, dimension: int, places: c.Expression) -> FlatArray:
        """Returns the array with elements for own places alone in a dimension; `places`: their number on all ranks."""
        name = f"{array.name}_size{dimension}"
        arguments = (places, *self._dealing, c.Name(self.names.own_rank))
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

    @property
    def _dealing(self) -> tuple[c.Expression, c.Expression]:
        return c.Literal(str(self.block)), c.Name(self.names.ranks)

    def _offset(self, place: Affine) -> Affine:
        return place - Affine.name(self.names.first_place)


def _both(one: c.Expression, other: c.Expression) -> c.Expression:
    return c.Binary("&&", one, other)


def _minus(one: Integer, other: Integer) -> Integer:
    return IntegerOperation("-", (one, other))


_ZERO = Affine()


@dataclass(frozen=True, slots=True)
class RankPlace(StoragePlace):
    """The storage of a variable on a rank. In dimension `dealt` of the array, the component is the place of the point
    plus `shift`, and only own places have elements.

    `ghosts` has received points that do not lie where own ones do; `place` is that of a point, over `indices`. Accesses
    `at_home` read own points only.
    """

    tests: PlaceTests | None = None
    dealt: int | None = None
    shift: Affine = _ZERO
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
        if self.dealt is None:
            return StoragePlace.element(self, point, names)
        assert self.tests is not None
        folds = [(m if isinstance(m, int) else m.substitute(names), negative) for m, negative in self.folds]
        components = self._components(point, names)
        relative = self.array.relative(components, folds)
        relative[self.dealt] = self.tests.slot(components[self.dealt] - self.shift.substitute(names))
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
        if self.dealt is not None and self._components(point, {})[self.dealt].coefficient(name):
            return None
        return StoragePlace.stride(self, point, name)
