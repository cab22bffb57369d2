"""Storage formats: the positions of the points of a variable in its own array, if not in the box around its domain.

packed: the points follow each other in lexicographic order. The position is the rank in the domain, a polynomial; for a
    band, one in which numbers of elements that are missing at the ends of rows are cut off at 0. For a triangle without
    its diagonal it may be the rank in the triangle with it (`unit`), as in the BLAS.
banded: one row for each value of the first index, in which the diagonals lie side by side: (i,j) at (i, j-i+b).
full: (i,j) at (i,j) of an array whose row length is a separate parameter; for a vector, i at (i,0).

All are one-to-one for all sizes: positions are proved to differ (`alphaz.poly.algorithms.counted_positions`); the other
maps have full rank, and rows are proved to be as long as their contents. So two points share an element of such an
array only if they are equal, as in a box.
Source: G. Belter, Efficient Generation of Sequences of Dense Linear Algebra through Auto-Tuning (2012), chapter 6; by
columns they are the packed and band storage of the BLAS, with its leading dimensions and increments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from alphaz.diagnostics import Diagnostic, Label, Rejected
from alphaz.diagnostics.rules import MAPPING, STORAGE_FORMAT
from alphaz.mapping.banded_storage import Clamp, Diagonals, band_rank
from alphaz.mapping.spaces import is_own, lives_inside, occupants
from alphaz.mapping.statement import Cell
from alphaz.mapping.target_mapping import Format, Half, StorageFormat, TargetMapping, Tightness
from alphaz.model.program import Kind, System, Variable
from alphaz.poly import Affine, AffineFunction, Constraint, Domain, at_least
from alphaz.poly.algorithms.bounds import bounding_box, extent, guard
from alphaz.poly.algorithms.counted_positions import Ranking, ranking
from alphaz.poly.algorithms.counting import Count
from alphaz.poly.plain.integer_expression import (
    Integer,
    IntegerConstant,
    IntegerOperation,
    as_affine,
    of_affine,
    substitute,
)
from alphaz.poly.plain.polynomial import Polynomial, integer_of, size_of

# Index arithmetic is done in 63 bits. Where not even 2^20 rows have room in it, numbers are too large.
_ROOM, _LEAST_LIMIT = 1 << 62, 1 << 20


@dataclass(frozen=True, slots=True)
class Layout:
    """The position of point z: element `components(z)` of a row-major array of these `extents`.

    Components are over the indices, called `index(0)`, `index(1)`, .., the parameters and `clamps`. `order`: the
    dimensions of the variable, the slowest in memory first. The absolute value of each parameter is at most `limit`,
    so that the arithmetic is exact (0: no limit). `corner`: the first row of a banded matrix, and its first diagonal
    (the fast index less the slow one); for a packed triangle with places for its diagonal the first row, and the first
    diagonal that is stored.
    """

    format: Format
    order: tuple[int, ...]
    components: tuple[Polynomial, ...]
    extents: tuple[Integer, ...]
    limit: int = 0
    corner: tuple[Affine, Affine] = (Affine(), Affine())
    clamps: tuple[Clamp, ...] = ()

    def replaced(self, values: Mapping[str, Affine]) -> "Layout":
        """Returns the layout with affine expressions substituted for names."""
        return replace(
            self,
            components=tuple(component.replaced(values) for component in self.components),
            clamps=tuple(clamp.replaced(values) for clamp in self.clamps),
        )

    @property
    def places(self) -> tuple[Integer, ...]:
        """Returns the components as integer expressions."""
        cut = {
            clamp.name: IntegerOperation("max", (IntegerConstant(0), of_affine(clamp.value))) for clamp in self.clamps
        }
        return tuple(substitute(integer_of(component), cut) for component in self.components)


def index(dimension: int) -> str:
    """Returns the name of an index in the components of a layout, which no program and no C text uses."""
    return f"[{dimension}]"


def layouts_of(system: System, mapping: TargetMapping, cells: Mapping[str, Cell]) -> dict[str, Layout]:
    """Returns the layouts of the variables that have a storage format. Raises Rejected (AZ224, AZ411)."""
    layouts = {}
    for entry in mapping.formats:
        variable = system.variable(entry.variable)
        if variable.kind is Kind.LOCAL:
            _check_owner(system, entry, variable, cells)
        layouts[entry.variable] = layout_of(system, entry, variable)
    return layouts


@lru_cache(maxsize=256)
def layout_of(system: System, entry: StorageFormat, variable: Variable) -> Layout:
    """Returns the layout of a variable. Raises Rejected (AZ224, AZ411).

    Cached: many mappings of one system are resolved during a search.
    """
    count = variable.domain.space.dimensions
    order = tuple(reversed(range(count))) if entry.format.by_columns else tuple(range(count))
    names = tuple(index(dimension) for dimension in order)
    points = variable.domain.onto([variable.domain.space.names[dimension] for dimension in order]).renamed(names)
    if not points.in_context(system.context).is_bounded():
        raise _rejection(entry, f"`{variable.name}` has infinitely many points", "bound every index of its domain")
    _check_half(entry, variable)
    _check_leading(system, entry)
    match entry.format.tightness:
        case Tightness.PACKED:
            return _packed_layout(system, entry, order, points)
        case Tightness.BANDED:
            return _band_layout(system, entry, order, points)
    return _full(system, entry, order, points)


def _check_leading(system: System, entry: StorageFormat) -> None:
    leading = entry.format.leading
    if leading and leading not in system.parameters:
        message = f"`{leading}` is no parameter of `{system.name}`"
        raise _rejection(entry, message, f"declare it: `{{.., {leading} | .. && {leading}>=..}}`")


def _check_half(entry: StorageFormat, variable: Variable) -> None:
    half, domain = entry.format.half, variable.domain
    if half is None:
        return
    if domain.space.dimensions != 2:
        raise _rejection(entry, f"`{variable.name}` is no matrix", f"leave `{half}` out")
    row, column = map(Affine.name, domain.space.names)
    inside = at_least(column, row) if half is Half.UPPER else at_least(row, column)
    if not domain.is_subset(Domain.where(domain.space, [inside])):
        message = f"the domain of `{variable.name}` is not {half}: it has points on the other side of the diagonal"
        raise _rejection(entry, message, f"leave `{half}` out: the domain defines the stored points")


def _check_owner(system: System, entry: StorageFormat, variable: Variable, cells: Mapping[str, Cell]) -> None:
    """Checks a local variable with a format that lends its array to others, whose cells are then points of it."""
    cell = cells[variable.name]
    others = [other for other in occupants(system, cells)[cell.space] if other is not variable]
    inside = (lives_inside(system, cells[other.name], other, variable) for other in others)
    if is_own(cell) and all(other.kind is Kind.LOCAL for other in others) and all(inside):
        return
    message = f"`{variable.name}` is not stored at its own points in an array of its own"
    raise _rejection(entry, message, "leave its memory map out, or its storage format")


# --- packed -----------------------------------------------------------------------------------------------------------


def _packed_layout(system: System, entry: StorageFormat, order: tuple[int, ...], points: Domain) -> Layout:
    corner = Affine(), Affine()
    if entry.format.unit:
        points, corner = _with_diagonal(entry, points)
    # Parameters that the points do not depend on are left out, as they would split the count.
    used = points.within(system.context).simplify().used
    points, context = points.in_context(system.context).with_only(used), system.context.with_only(used)
    ranking_ = ranking(points, context)
    rank_ = None if ranking_ is None else _rank(ranking_, points.in_context(context))
    if ranking_ is None or rank_ is None:
        message = f"the points of `{entry.variable}` have no position that is one polynomial"
        remedy = "a triangle that its sizes cut off has several polynomials"
        raise _rejection(entry, message, remedy)
    rank, clamps = rank_
    box = bounding_box(points, context)
    largest = max((_magnitude(bound) for bound in (*box.lower, *box.upper)), default=1)
    largest = max(largest, *(_magnitude(of_affine(clamp.value)) * largest for clamp in clamps)) if clamps else largest
    limit = _limit(rank, largest)
    if 0 < limit < _LEAST_LIMIT:
        message = f"the position {rank} of `{entry.variable}` is too large for the index arithmetic of generated code"
        raise Rejected(Diagnostic(MAPPING, message, Label(entry.span), help="leave the storage format out"))
    size = _size(ranking_.size, context)
    return Layout(
        format=entry.format, order=order, components=(rank,), extents=(size,), limit=limit, clamps=clamps, corner=corner
    )


def _with_diagonal(entry: StorageFormat, points: Domain) -> tuple[Domain, tuple[Affine, Affine]]:
    """Returns the points together with the adjacent diagonal, one element in each row; and the corner."""
    pieces = points.simplify().pieces()
    if len(pieces) == 1 and not pieces[0].floors and points.space.dimensions == 2:
        slow, fast = map(Affine.name, points.space.names)
        for sign in (1, -1):
            beside = at_least((fast - slow) * sign, Affine(constant=1))
            if beside not in pieces[0].constraints:
                continue
            others = (constraint for constraint in pieces[0].constraints if constraint != beside)
            whole = Domain.where(points.space, [*others, at_least((fast - slow) * sign, Affine())])
            first = [_between(pieces[0].constraints, axis)[0] for axis in (slow, fast)]
            start = next((axis for axis in first if axis is not None), None)
            diagonal = whole.image(AffineFunction(points.space, (slow, slow)), points.space.names)
            if start is not None and diagonal.is_subset(whole):
                return whole, (start, Affine(constant=sign))
    message = f"the points of `{entry.variable}` do not end next to a diagonal with an element in each row"
    raise _rejection(entry, message, "leave `unit` out: it applies to triangles without their diagonals")


def _rank(ranking_: Ranking, points: Domain) -> tuple[Polynomial, tuple[Clamp, ...]] | None:
    """Returns the position of a point in one formula; None where there is none."""
    if len(ranking_.rank.parts) < 2:
        return next((value for _, value in ranking_.rank.parts), Polynomial()), ()
    band = _band_of(points)
    return None if band is None else band_rank(band, points, ranking_)


def _band_of(points: Domain) -> Diagonals | None:
    """Returns the points as a band, if their constraints have that form."""
    pieces = points.simplify().pieces()
    if len(pieces) != 1 or points.space.dimensions != 2:
        return None
    slow, fast = map(Affine.name, points.space.names)
    (start, end), (first, last) = (_between(pieces[0].constraints, axis) for axis in (slow, fast))
    below, above = _between(pieces[0].constraints, fast - slow)
    if below is None or above is None:
        return None
    # Implications of the diagonals are added: where none is below the main one, no column is left of the first row.
    start = first - above if start is None and first is not None else start
    first = start + below if first is None and start is not None else first
    last = end + above if last is None and end is not None else last
    if start is None or first is None or last is None:
        return None
    return Diagonals(start=start, first=first, last=last, below=below, above=above)


def _size(size: Count, context: Domain) -> Integer:
    """Returns the number of points, in as few pieces as possible."""
    parts = [(where, value) for where, value in size.parts if value.terms]
    result: Integer = IntegerConstant(0)
    covered = Domain.empty(context.space)
    for where, _ in parts:
        covered = covered | where
    if parts and context.is_subset(covered):
        (_, last), *parts = reversed(parts)
        parts.reverse()
        result = integer_of(last)
    for where, value in reversed(parts):
        test = guard(where, context)
        result = integer_of(value) if test is None else IntegerOperation("if", (test, integer_of(value), result))
    return result


def _limit(rank: Polynomial, largest: int) -> int:
    """Returns the largest absolute value of parameters for which the rank is exact, if indices are up to `largest`
    times as large.
    """
    if rank.degree < 2:
        return 0
    limit = 1
    while size_of(rank) * (largest * limit * 2) ** rank.degree <= _ROOM:
        limit *= 2
    return limit


def _magnitude(bound: Integer) -> int:
    """Returns the largest ratio of a bound to the largest parameter (or 1)."""
    affine = as_affine(bound)
    if affine is not None:
        return max(1, sum(abs(factor) for _, factor in affine.terms) + abs(affine.constant))
    assert isinstance(bound, IntegerOperation), "numbers and names are affine"
    magnitudes = [_magnitude(operand) for operand in bound.operands]
    if bound.operator in ("min", "max"):
        return max(magnitudes)
    return max(magnitudes[1:]) if bound.operator == "if" else sum(magnitudes)


# --- banded -----------------------------------------------------------------------------------------------------------


def _band_layout(system: System, entry: StorageFormat, order: tuple[int, ...], points: Domain) -> Layout:
    if len(order) != 2:
        raise _rejection(entry, f"`{entry.variable}` is no matrix", "only two indices have diagonals")
    pieces = points.simplify().pieces()
    if len(pieces) != 1:
        raise _rejection(entry, f"the domain of `{entry.variable}` is no single band", "say it without unions")
    slow, fast = points.space.names
    constraints, diagonal = pieces[0].constraints, Affine.name(fast) - Affine.name(slow)
    below, above = _between(constraints, diagonal)
    first, final = _between(constraints, Affine.name(slow))
    if below is None or above is None:
        message = f"the domain of `{entry.variable}` does not say how many diagonals it has"
        remedy = "bound their numbers on both sides, as in `{i,j | 0<=i<n && 0<=j<n && -kl<=j-i<=ku}`"
        raise _rejection(entry, message, remedy)
    box = bounding_box(points, system.context)
    start = of_affine(first) if first is not None else box.lower[0]
    end = of_affine(final) if final is not None else box.upper[0]
    lowest = as_affine(start)
    if lowest is None:
        raise _rejection(entry, f"the first row of `{entry.variable}` is no affine expression", "say it plainly")
    components = (Affine.name(slow) - lowest, diagonal - below)
    leading = entry.format.leading
    if leading:
        _check_room(system, entry, points, diagonal - below)
    width = of_affine(Affine.name(leading)) if leading else extent(of_affine(below), of_affine(above))
    extents = (extent(start, end), width)
    return Layout(
        format=entry.format,
        order=order,
        components=tuple(map(Polynomial.affine, components)),
        extents=extents,
        corner=(lowest, below),
    )


def _between(constraints: Sequence[Constraint], value: Affine) -> tuple[Affine | None, Affine | None]:
    """Returns the bounds `lower <= value <= upper` that the constraints state, in the parameters."""
    lower: Affine | None = None
    upper: Affine | None = None
    names = set(value.names)
    for constraint in constraints:
        for sign in (1, -1) if constraint.equality else (1,):
            affine = constraint.affine * sign
            if affine.coefficient(value.names[0]) and {n for n in affine.names if n.startswith("[")} == names:
                if not set((affine - value).names) & names:
                    lower = value - affine
                if not set((affine + value).names) & names:
                    upper = affine + value
    return lower, upper


# --- full -------------------------------------------------------------------------------------------------------------


def _full(system: System, entry: StorageFormat, order: tuple[int, ...], points: Domain) -> Layout:
    """Returns the full layout, from index 0 on for any domain: a triangle without its diagonal lies as in the whole
    matrix.
    """
    if len(order) not in (1, 2):
        raise _rejection(entry, f"`{entry.variable}` is no matrix and no vector", "leave its storage format out")
    slow, fast = Affine.name(points.space.names[0]), Affine()
    if len(order) == 2:
        fast = Affine.name(points.space.names[1])
    domain = points.in_context(system.context)
    if not domain.is_subset(Domain.where(domain.space, [at_least(slow, Affine()), at_least(fast, Affine())])):
        message = f"`{entry.variable}` has negative indices: the first element of a full array has index 0"
        raise _rejection(entry, message, "count from 0")
    _check_room(system, entry, points, fast)
    last = bounding_box(points, system.context).upper[0]
    return Layout(
        format=entry.format,
        order=order,
        components=(Polynomial.affine(slow), Polynomial.affine(fast)),
        extents=(extent(of_affine(Affine()), last), of_affine(Affine.name(entry.format.leading))),
    )


def _check_room(system: System, entry: StorageFormat, points: Domain, place: Affine) -> None:
    """Checks that the elements of a row lie before the beginning of the next one."""
    domain, leading = points.in_context(system.context), Affine.name(entry.format.leading)
    if not domain.is_subset(Domain.where(domain.space, [at_least(leading, place + Affine(constant=1))])):
        message = f"`{entry.format.leading}` may be smaller than a row of `{entry.variable}`"
        remedy = f"add a lower bound to the declaration of `{system.name}`, such as `{entry.format.leading}>=n`"
        raise _rejection(entry, message, remedy)


def _rejection(entry: StorageFormat, message: str, remedy: str) -> Rejected:
    return Rejected(Diagnostic(STORAGE_FORMAT, message, Label(entry.span), help=remedy))
