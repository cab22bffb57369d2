"""Copy propagation: a value that only copies another value is replaced by its origin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alphaz.equivalence.value_graph import EquationValue, Ref, ValueRegion, constant_key
from alphaz.poly import Affine, AffineFunction, Domain
from alphaz.poly.algorithms.functional_relations import ends
from alphaz.scop.value_tree import LiteralValue


@dataclass(frozen=True, slots=True, eq=False)
class CopyOrigin:
    """At the points of `region` (over the indices of a value) the value is that of `key` at `point`."""

    region: ValueRegion
    key: str
    point: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CopyOrigins:
    """The origins of each value, piece by piece; `computed` are the points that are no copies. Copies may be kept as
    values of their own."""

    values: Mapping[str, EquationValue]
    of: Mapping[str, tuple[CopyOrigin, ...]]
    computed: Mapping[str, ValueRegion]
    are_kept: bool = False

    def at(self, key: str, point: Sequence[int], parameters: Mapping[str, int]) -> tuple[str, tuple[int, ...]]:
        """Returns the origin of a value's point, by plain integers."""
        values = {**parameters, **dict(zip(self.values[key].indices, point, strict=True))}
        for origin in self.of[key]:
            if origin.region.has(values):
                return origin.key, tuple(affine.at(values) for affine in origin.point)
        return key, tuple(point)

    def read(self, key: str, point: Sequence[Affine], where: Domain) -> list[tuple[Domain, str, tuple[Affine, ...]]]:
        """Returns the origins for all instances in `where`, over whose names the point is given: part by part.

        Together the parts are the subset of `where` for which the value exists.
        """
        function = AffineFunction(where.space, tuple(point))
        names = self.values[key].indices
        index_values = dict(zip(names, point, strict=True))
        pieces = []
        for copy_origin in self.of[key]:
            part = where & copy_origin.region.domain.preimage(function)
            if not part.is_empty():
                pieces.append(
                    (part, copy_origin.key, tuple(affine.substitute(index_values) for affine in copy_origin.point))
                )
        part = where & self.computed[key].domain.preimage(function)
        if not part.is_empty():
            pieces.append((part, key, tuple(point)))
        return [(where if where.is_subset(part) else part, origin, at) for part, origin, at in pieces]


def origins_with_all_copies(values: Mapping[str, EquationValue]) -> CopyOrigins:
    """Returns the origins for C that makes each copy of the equations."""
    return CopyOrigins(
        values, dict.fromkeys(values, ()), {key: ValueRegion.of(v.domain) for key, v in values.items()}, True
    )


def origins_of(values: Mapping[str, EquationValue]) -> CopyOrigins:
    origins: dict[str, tuple[CopyOrigin, ...]] = {}
    computed: dict[str, ValueRegion] = {}
    for key in values:
        _follow(values, key, origins, computed, ())
    return CopyOrigins(values, origins, computed)


def _follow(
    values: Mapping[str, EquationValue],
    key: str,
    origins_by_key: dict[str, tuple[CopyOrigin, ...]],
    computed: dict[str, ValueRegion],
    path: tuple[str, ...],
) -> None:
    if key in origins_by_key:
        return
    value = values[key]
    steps: list[tuple[Domain, AffineFunction]] = []
    origins: list[CopyOrigin] = []
    rest = value.domain
    for definition in value.definitions:
        term, domain = definition.term, definition.region.domain
        if isinstance(term, LiteralValue) and constant_key(term) in values and constant_key(term) != key:
            _follow(values, constant_key(term), origins_by_key, computed, (*path, key))
            origins.append(CopyOrigin(definition.region, constant_key(term), ()))
            rest = rest - domain
            continue
        if not isinstance(term, Ref) or definition.sum is not None or term.key in path:
            continue
        if term.key == key:
            steps.append((domain, AffineFunction(domain.space, term.point)))
            continue
        _follow(values, term.key, origins_by_key, computed, (*path, key))
        if term.key not in origins_by_key:
            continue
        origins += _copy_origins(values, term, domain, origins_by_key, computed)
        rest = rest - domain
    if steps:
        closed = ends(tuple(steps))
        if closed is not None:
            more: list[CopyOrigin] = []
            for domain, function in closed:
                again = Ref(key, function.outputs)
                more += _through(again, domain, value, origins, rest, steps)
            origins += more
            for domain, _ in steps:
                rest = rest - domain
    origins_by_key[key] = tuple(origins)
    computed[key] = ValueRegion.of(rest.simplify())


def _copy_origins(
    values: Mapping[str, EquationValue],
    term: Ref,
    domain: Domain,
    origins_by_key: Mapping[str, tuple[CopyOrigin, ...]],
    computed: Mapping[str, ValueRegion],
) -> list[CopyOrigin]:
    function = AffineFunction(domain.space, term.point)
    index_values = dict(zip(values[term.key].indices, term.point, strict=True))
    origins = []
    for origin in origins_by_key[term.key]:
        part = domain & origin.region.domain.preimage(function)
        if not part.is_empty():
            origins.append(
                CopyOrigin(ValueRegion.of(part), origin.key, tuple(a.substitute(index_values) for a in origin.point))
            )
    part = domain & computed[term.key].domain.preimage(function)
    if not part.is_empty():
        origins.append(CopyOrigin(ValueRegion.of(part), term.key, term.point))
    return origins


def _through(
    again: Ref,
    domain: Domain,
    value: EquationValue,
    origins: Sequence[CopyOrigin],
    rest: Domain,
    steps: Sequence[tuple[Domain, AffineFunction]],
) -> list[CopyOrigin]:
    """Returns the origins that a point reaches through copies of the same variable."""
    for moved, _ in steps:
        rest = rest - moved
    function = AffineFunction(domain.space, again.point)
    index_values = dict(zip(value.indices, again.point, strict=True))
    result = []
    for origin in origins:
        part = domain & origin.region.domain.preimage(function)
        if not part.is_empty():
            result.append(
                CopyOrigin(ValueRegion.of(part), origin.key, tuple(a.substitute(index_values) for a in origin.point))
            )
    part = domain & rest.preimage(function)
    if not part.is_empty():
        result.append(CopyOrigin(ValueRegion.of(part), again.key, again.point))
    return result
