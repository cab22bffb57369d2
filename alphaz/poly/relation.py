"""Relations between integer points: `{ x -> y }`, such as dependences."""

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.space import Space, SpaceMismatch

Row = tuple[bool, tuple[int, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """Pairs of a point of `source` and one of `target`, two spaces over the same parameters."""

    source: Space
    target: Space
    map: isl.Map

    @staticmethod
    def of(domain: Domain, first: AffineFunction, then: AffineFunction, source: Space, target: Space) -> "Relation":
        """Returns `{ first(e) -> then(e) | e in domain }`."""
        points = first.to_map().intersect_domain(domain.set)
        return Relation(source, target, points.reverse().apply_range(then.to_map()).coalesce())

    @staticmethod
    def to_the_next(domain: Domain, projection: AffineFunction) -> "Relation":
        """Returns the pairs of each point of the domain and the lexicographically next one with the same projection."""
        same = projection.to_map().apply_range(projection.to_map().reverse())
        later = same.intersect(isl.Map.lex_lt(domain.set.get_space()))
        later = later.intersect_domain(domain.set).intersect_range(domain.set)
        return Relation(domain.space, domain.space, later.lexmin().coalesce())

    @staticmethod
    def to_the_next_in_cell(
        domain: Domain, cells: AffineFunction, moduli: Sequence[int], dates: AffineFunction
    ) -> "Relation":
        """Returns the pairs of each point of the domain and the next one in the order of the dates that has the same
        cell, modulo factors (0: none). Dates are distinct."""
        names = [f"x{position}" for position in range(len(moduli))]
        ends = ", ".join(f"{x} mod {m}" if m else x for x, m in zip(names, moduli, strict=True))
        to_cells = cells.to_map().apply_range(isl.Map(f"{{ [{', '.join(names)}] -> [{ends}] }}"))
        when = dates.to_map()
        later = to_cells.apply_range(to_cells.reverse()).intersect(when.lex_lt_map(when))
        later = later.intersect_domain(domain.set).intersect_range(domain.set)
        soonest = later.apply_range(when).lexmin().apply_range(when.reverse())
        return Relation(domain.space, domain.space, soonest.intersect(later).coalesce())

    def then(self, following: "Relation") -> "Relation":
        """Returns the composition, `{ x -> z }` with some y between."""
        return Relation(self.source, following.target, self.map.apply_range(following.map).coalesce())

    def turned(self) -> "Relation":
        """Returns the inverse, `{ y -> x }`."""
        return Relation(self.target, self.source, self.map.reverse())

    def without_loops(self) -> "Relation":
        """Returns the pairs of different points; of one space."""
        return self._with(self.map.subtract(isl.Map.identity(self.map.get_space())))

    def next_of_each(self) -> "Relation":
        """Returns, for one space, the pairs of each point and the lexicographically first later one that is paired with
        it."""
        later = self.map.intersect(isl.Map.lex_lt(self.map.get_space().domain()))
        return self._with(later.lexmin().coalesce())

    def is_uniform(self) -> bool:
        """Returns True, for one space, if all pairs have the same distance, for all parameters."""
        return bool(self.map.deltas().is_singleton())

    def is_empty(self) -> bool:
        return bool(self.map.is_empty())

    def __sub__(self, other: "Relation") -> "Relation":
        return self._with(self.map.subtract(other.map))

    def __or__(self, other: "Relation") -> "Relation":
        return self._with(self.map.union(other.map).coalesce())

    def with_sources_in(self, domain: Domain) -> "Relation":
        return self._with(self.map.intersect_domain(domain.set))

    def with_targets_in(self, domain: Domain) -> "Relation":
        return self._with(self.map.intersect_range(domain.set))

    def targets(self) -> Domain:
        """Returns the second points of the pairs."""
        return Domain(self.target, self.map.range()).simplify()

    def where_equal(self, first: Affine, then: Affine) -> "Relation":
        """Returns the pairs (x, y) with first(x) == then(y)."""
        return self._with(self.map.intersect(self._compared(first, then, "eq_map")))

    def where_less(self, first: Affine, then: Affine) -> "Relation":
        """Returns the pairs (x, y) with first(x) < then(y)."""
        return self._with(self.map.intersect(self._compared(first, then, "lt_map")))

    def extreme_distance(self, first: Affine, then: Affine, greatest: bool) -> Affine | None:
        """Returns the greatest (or least) value of then(y) - first(x), in the parameters; None if it is not a single
        affine expression."""
        left = AffineFunction(self.source, (first,)).to_map()
        right = AffineFunction(self.target, (then,)).to_map()
        distances = self.map.apply_domain(left).apply_range(right).deltas()
        try:
            value = distances.dim_max(0) if greatest else distances.dim_min(0)
        except isl.Error:
            return None
        pieces: list[isl.Aff] = []
        value.coalesce().foreach_piece(lambda _, affine: pieces.append(affine))
        if len(pieces) != 1 or pieces[0].dim(isl.dim_type.div):
            return None
        affine, names = pieces[0], enumerate(self.source.parameters)
        terms = ((n, affine.get_coefficient_val(isl.dim_type.param, at).to_python()) for at, n in names)
        return Affine.of(terms, affine.get_constant_val().to_python())

    def _with(self, map_: isl.Map) -> "Relation":
        return Relation(self.source, self.target, map_)

    def _compared(self, first: Affine, then: Affine, how: str) -> isl.Map:
        left = AffineFunction(self.source, (first,)).to_multi_aff().get_at(0)
        right = AffineFunction(self.target, (then,)).to_multi_aff().get_at(0)
        one = isl.Map.from_aff(left).apply_range(isl.Map.lex_lt(_LINE) if how == "lt_map" else _SAME)
        return one.apply_range(isl.Map.from_aff(right).reverse())

    def pairs(self, names: Sequence[str]) -> Domain:
        """Returns the relation as a set: `names` are those of the source, then those of the target."""
        space = Space(self.source.parameters, tuple(names))
        flat = self.map.wrap().flatten()
        if flat.dim(isl.dim_type.set) != space.dimensions:
            raise SpaceMismatch(f"{names} are no names for {self.source} and {self.target}")
        return Domain(space, flat).renamed(names)

    def pieces(self) -> tuple["Relation", ...]:
        """Returns the relation as conjunctions."""
        return tuple(self._with(basic.to_map()) for basic in self.map.get_basic_maps() if not basic.is_empty())

    def non_negative_forms(self) -> tuple[Row, ...]:
        """Returns the constraints on the coefficients of an affine form that is non-negative on a single piece.

        Each row is `(is it an equality, coefficients)`: the combination of (constant, parameters, source dimensions,
        target dimensions) with these coefficients is zero, or not negative. Floors are left out of the piece, which
        makes the answer safe. By Farkas' lemma, as the dual cone (isl's `coefficients`)."""
        (basic,) = self.map.remove_divs().get_basic_maps()
        return _dual_cone(basic.wrap())


def non_negative_forms(domain: Domain) -> tuple[tuple[Row, ...], ...]:
    """Returns these constraints for an affine form of the points of a domain, for each of its pieces."""
    return tuple(_dual_cone(basic) for basic in domain.set.remove_divs().get_basic_sets() if not basic.is_empty())


def _dual_cone(points: isl.BasicSet) -> tuple[Row, ...]:
    dual = points.coefficients()
    count = dual.dim(isl.dim_type.set)
    rows: list[Row] = []
    for constraint in dual.get_constraints():
        row = (constraint.get_coefficient_val(isl.dim_type.set, position).to_python() for position in range(count))
        rows.append((bool(constraint.is_equality()), tuple(row)))
    return tuple(rows)


_LINE = isl.Space.set_alloc(CONTEXT, 0, 1)
_SAME = isl.Map.identity(_LINE.map_from_set())
