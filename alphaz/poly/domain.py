"""Sets of integer points, by name: unions of polyhedra (with lattices) over parameters."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import prod

import islpy as isl

from alphaz.poly.engine import CONTEXT, mangle, read_set
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, Constraint
from alphaz.poly.plain.piece import Floor, Piece
from alphaz.poly.plain.space import Space, SpaceMismatch


def pieces_of(the_set: isl.Set, space: Space) -> tuple[Piece, ...]:
    """The union of basic sets, existential variables made explicit as floors."""
    names = (
        *((isl.dim_type.param, position, name) for position, name in enumerate(space.parameters)),
        *((isl.dim_type.set, position, name) for position, name in enumerate(space.names)),
    )
    pieces = the_set.compute_divs().get_basic_sets()
    return tuple(_piece(basic, names) for basic in pieces if not basic.is_empty())


Names = tuple[tuple["isl.dim_type", int, str], ...]


def _piece(basic: isl.BasicSet, names: Names) -> Piece:
    local = basic.get_local_space()
    divisions = tuple(f"floor.{position}" for position in range(local.dim(isl.dim_type.div)))
    names = (*names, *((isl.dim_type.div, position, name) for position, name in enumerate(divisions)))
    floors = tuple(_floor(local.get_div(position), name, names) for position, name in enumerate(divisions))
    constraints = tuple(
        Constraint(_affine(c, names), bool(c.is_equality()))
        for c in basic.get_constraints()
        if not c.is_div_constraint()
    )
    return Piece(constraints, floors)


def _affine(constraint: isl.Constraint, names: Names) -> Affine:
    coefficients = [(n, constraint.get_coefficient_val(kind, at).to_python()) for kind, at, n in names]
    return Affine(tuple(sorted([term for term in coefficients if term[1]])), constraint.get_constant_val().to_python())


def _floor(division: isl.Aff, name: str, names: Names) -> Floor:
    """isl gives rational coefficients over one common denominator."""
    denominator = division.get_denominator_val().to_python()

    def whole(value: isl.Val) -> int:
        return int((value * denominator).to_python())

    kinds = {isl.dim_type.set: isl.dim_type.in_}
    terms = ((n, whole(division.get_coefficient_val(kinds.get(kind, kind), at))) for kind, at, n in names)
    return Floor(name, Affine.of(terms, whole(division.get_constant_val())), denominator)


# Points that isl enumerates in one go: some hundredths of a second.
_AT_ONCE = 20_000


class Unbounded(Exception):
    """A finite set was needed."""


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """`{names | constraints}` over parameters. Compare with `equals`; two domains are never `==` unless they are one.

    Binary operations need the same parameters and the same number of dimensions (SpaceMismatch otherwise); the result
    has the names of the left one.
    """

    space: Space
    set: isl.Set

    # --- making -------------------------------------------------------------------------------------------------

    @staticmethod
    def universe(space: Space) -> "Domain":
        return Domain(space, read_set(space, [[]]))

    @staticmethod
    def empty(space: Space) -> "Domain":
        return Domain(space, read_set(space, []))

    @staticmethod
    def where(space: Space, *conjunctions: Iterable[Constraint]) -> "Domain":
        """The union of conjunctions of constraints over the names of the space; none given is the empty set."""
        wanted = [list(conjunction) for conjunction in conjunctions]
        known = {*space.parameters, *space.names}
        unknown = {n for c in wanted for constraint in c for n in constraint.affine.names} - known
        if unknown:
            raise SpaceMismatch(f"{sorted(unknown)} not in {space}")
        return Domain(space, read_set(space, wanted))

    # --- algebra ------------------------------------------------------------------------------------------------

    def _with(self, other: "Domain", operation: str) -> "Domain":
        self.space.check_same_shape(other.space)
        return Domain(self.space, getattr(self.set, operation)(other.set))

    def __and__(self, other: "Domain") -> "Domain":
        return self._with(other, "intersect")

    def __or__(self, other: "Domain") -> "Domain":
        return self._with(other, "union")

    def __sub__(self, other: "Domain") -> "Domain":
        return self._with(other, "subtract")

    def complement(self) -> "Domain":
        return Domain(self.space, self.set.complement())

    def in_context(self, context: "Domain") -> "Domain":
        """Intersected with a set of parameters (a domain without dimensions)."""
        self._check_context(context)
        return Domain(self.space, self.set.intersect_params(context.set.params()))

    def _check_context(self, context: "Domain") -> None:
        if context.space.parameters != self.space.parameters or context.space.names:
            raise SpaceMismatch(f"{context.space} is not a context of {self.space}")

    def parameters(self) -> "Domain":
        """The parameters for which there is a point, as a domain without dimensions."""
        return Domain(self.space.with_names(()), isl.Set.from_params(self.set.params()))

    def gist(self, context: "Domain") -> "Domain":
        """Simplified to a set that is the same inside `context`; outside it may be anything."""
        return self._with(context, "gist")

    def within(self, context: "Domain") -> "Domain":
        """The same of a set of parameters: what it says is left out."""
        self._check_context(context)
        return Domain(self.space, self.set.coalesce().gist_params(context.set.params()))

    def coalesced(self) -> "Domain":
        """The same set in fewer pieces."""
        return Domain(self.space, self.set.coalesce())

    def simplify(self) -> "Domain":
        """The same set in fewer pieces and constraints."""
        return Domain(self.space, self.set.coalesce().remove_redundancies())

    def hull(self) -> "Domain":
        """A set around this one, finite where this one is: a single polyhedron if that is easy to find."""
        plain = self.set.remove_divs().coalesce()
        if plain.n_basic_set() <= 1:
            return Domain(self.space, plain)
        whole = plain.simple_hull().to_set()
        return Domain(self.space, plain if plain.is_bounded() and not whole.is_bounded() else whole)

    # --- dimensions ---------------------------------------------------------------------------------------------

    def with_parameters(self, more: Sequence[str]) -> "Domain":
        """The same points, whatever the values of further parameters."""
        space = Space((*self.space.parameters, *more), self.space.names)
        return Domain(space, Domain.universe(space).set.intersect(self.set))

    def with_only(self, parameters: Collection[str]) -> "Domain":
        """The points for any values of the other parameters, which are left out."""
        rest = self.set
        for position, name in reversed(list(enumerate(self.space.parameters))):
            if name not in parameters:
                rest = rest.project_out(isl.dim_type.param, position, 1)
        remaining = tuple(name for name in self.space.parameters if name in parameters)
        return Domain(Space(remaining, self.space.names), rest)

    @property
    def used(self) -> tuple[str, ...]:
        """The parameters that some constraint has."""
        parameters = enumerate(self.space.parameters)
        return tuple(name for at, name in parameters if self.set.involves_dims(isl.dim_type.param, at, 1))

    def free_of(self, parameters: Collection[str]) -> "Domain":
        """The set around this one that is left without the constraints on some parameters."""
        result = self.set
        for position, name in enumerate(self.space.parameters):
            if name in parameters:
                result = result.drop_constraints_involving_dims(isl.dim_type.param, position, 1)
        return Domain(self.space, result)

    def renamed(self, names: Sequence[str]) -> "Domain":
        """The same points, other names for the dimensions (as many as there are)."""
        space = self.space.with_names(names)
        self.space.check_same_shape(space)
        result = self.set
        for position, name in enumerate(names):
            result = result.set_dim_name(isl.dim_type.set, position, mangle(name))
        return Domain(space, result)

    def embedded(self, space: Space) -> "Domain":
        """The cylinder over this set in `space`, which has all its names (in any order) and perhaps more."""
        if space.parameters != self.space.parameters or not set(self.space.names) <= set(space.names):
            raise SpaceMismatch(f"{self.space} is no part of {space}")
        outputs = tuple(Affine.name(n) for n in self.space.names)
        return self.preimage(AffineFunction(space, outputs))

    def times(self, other: "Domain") -> "Domain":
        """The pairs of a point of each, over the dimensions of both."""
        space = self.space.with_names((*self.space.names, *other.space.names))
        product = self.set.flat_product(other.set)
        for position, name in enumerate(space.names):
            product = product.set_dim_name(isl.dim_type.set, position, mangle(name))
        return Domain(space, product)

    def onto(self, names: Sequence[str]) -> "Domain":
        """The projection onto some dimensions, in the order given."""
        if self._is_in_order(names):
            return self._without(names)
        return self.image(AffineFunction(self.space, tuple(Affine.name(n) for n in names)), names)

    def _is_in_order(self, names: Sequence[str]) -> bool:
        remaining_names = iter(self.space.names)
        return all(name in remaining_names for name in names)

    def _without(self, names: Sequence[str]) -> "Domain":
        """The projection that leaves the order as it is, which is much quicker than an image."""
        rest = self.set
        for position, name in reversed(list(enumerate(self.space.names))):
            if name not in names:
                rest = rest.project_out(isl.dim_type.set, position, 1)
        return Domain(self.space.with_names(tuple(names)), rest)

    def image(self, function: AffineFunction, names: Sequence[str]) -> "Domain":
        """`{f(z) | z in self}`, its dimensions called `names`."""
        self.space.check_same_shape(function.domain)
        return Domain(self.space.with_names(names), self.set.apply(function.to_map()))

    def preimage(self, function: AffineFunction) -> "Domain":
        """`{z | f(z) in self}`, in the space where the function is defined."""
        if function.domain.parameters != self.space.parameters or len(function.outputs) != self.space.dimensions:
            raise SpaceMismatch(f"{function} does not lead into {self.space}")
        return Domain(function.domain, self.set.preimage_multi_aff(function.to_multi_aff()))

    def fixed(self, parameters: Mapping[str, int]) -> "Domain":
        """The points for these values of (some of) the parameters; the parameters stay in the space."""
        result = self.set
        for name, value in parameters.items():
            position = self.space.parameters.index(name)
            result = result.fix_val(isl.dim_type.param, position, isl.Val(value, CONTEXT))
        return Domain(self.space, result)

    # --- questions ----------------------------------------------------------------------------------------------

    def is_empty(self) -> bool:
        """For simplification only. A *check* states an Obligation and lets `proof.discharge` answer."""
        return bool(self.set.is_empty())

    def is_subset(self, other: "Domain") -> bool:
        """For simplification only, as `is_empty`."""
        self.space.check_same_shape(other.space)
        return bool(self.set.is_subset(other.set))

    def equals(self, other: "Domain") -> bool:
        """Returns True if both have the same points, for all parameters."""
        self.space.check_same_shape(other.space)
        return bool(self.set.is_equal(other.set))

    def least(self, name: str) -> int | None:
        """The least value of a dimension, whatever the parameters; None where there is none (or no point)."""
        value = self.set.dim_min_val(self.space.names.index(name))
        return int(value.to_python()) if value.is_int() else None

    def greatest(self, name: str) -> int | None:
        """As `least`."""
        value = self.set.dim_max_val(self.space.names.index(name))
        return int(value.to_python()) if value.is_int() else None

    def upper_bounds(self, name: str) -> tuple[Affine, ...]:
        """Affine expressions in the parameters that a dimension never exceeds: those of a polyhedron around the set, if
        it has any.
        """
        around = self.hull().pieces()
        bounds = []
        for constraint in around[0].constraints if len(around) == 1 else ():
            for sign in (1, -1) if constraint.equality else (1,):
                affine = constraint.affine * sign
                if affine.coefficient(name) == -1 and set(affine.names) <= {name, *self.space.parameters}:
                    bounds.append(affine + Affine.name(name))
        return tuple(dict.fromkeys(bounds))

    def is_bounded(self) -> bool:
        """Returns True if there are finitely many points, for every value of the parameters."""
        return bool(self.set.is_bounded())

    @property
    def piece_count(self) -> int:
        """In how many pieces the set is written, some of which may be empty."""
        return int(self.set.n_basic_set())

    def parts(self) -> Iterator["Domain"]:
        """Its pieces, as domains."""
        return (Domain(self.space, set_.to_set()) for set_ in self.set.get_basic_sets())

    def elementary(self) -> "Domain":
        """The points of the pieces without floors, which are found soon."""
        union = isl.Set.empty(self.set.get_space())
        for piece in self.set.get_basic_sets():
            if piece.dim(isl.dim_type.div) == 0:
                union = union.union(piece.to_set())
        return Domain(self.space, union.coalesce())

    def pieces(self) -> tuple[Piece, ...]:
        """The set as plain data: a union of pieces, each a conjunction over the names (and floors of them)."""
        return _pieces(self)

    def contains(self, values: Mapping[str, int]) -> bool:
        """Membership by plain integers; `values` has every parameter and dimension (and may have more)."""
        return any(piece.holds(values) for piece in self.pieces())

    def points(self, parameters: Mapping[str, int]) -> Iterator[tuple[int, ...]]:
        """All points for these parameters (every one given), in lexicographic order; those of large sets are computed
        when they are asked for. Raises Unbounded."""
        chosen = self.fixed(parameters).set
        chosen = chosen.project_out(isl.dim_type.param, 0, len(self.space.parameters))
        # What is only known to exist may be anything to isl; a floor is bounded with what it is made of.
        chosen = chosen.compute_divs()
        if not chosen.is_bounded():
            raise Unbounded(str(self))
        return _in_order(chosen)

    def __str__(self) -> str:
        """In the notation of the language, `{i,j | 0<=i && i<j}`; floors, where there are any, as isl writes them."""
        names = ",".join(self.space.names)
        pieces = [f"{{{names} | {piece}}}" for piece in self.pieces()]
        return " || ".join(pieces) or f"{{{names} | false}}"


def _in_order(points: isl.Set) -> Iterator[tuple[int, ...]]:
    """The points of a bounded set, without parameters: a large one is halved, since isl enumerates a set in one go."""
    kind, count = isl.dim_type.set, points.dim(isl.dim_type.set)
    if points.is_empty():
        return iter(())
    box = [
        (points.dim_min_val(position).to_python(), points.dim_max_val(position).to_python())
        for position in range(count)
    ]
    if prod(high - low + 1 for low, high in box) > _AT_ONCE:
        at = next(position for position, (low, high) in enumerate(box) if low < high)
        middle = sum(box[at]) // 2
        lower = points.upper_bound_val(kind, at, isl.Val(middle, CONTEXT))
        upper = points.lower_bound_val(kind, at, isl.Val(middle + 1, CONTEXT))
        return chain.from_iterable(map(_in_order, (lower, upper)))
    visited: list[isl.Point] = []
    # Nothing that could fail is done inside: isl does not pass on what a callback raises.
    points.foreach_point(visited.append)
    return iter(sorted(tuple(p.get_coordinate_val(kind, d).to_python() for d in range(count)) for p in visited))


@lru_cache(maxsize=4096)
def _pieces(domain: Domain) -> tuple[Piece, ...]:
    return pieces_of(domain.set, domain.space)
