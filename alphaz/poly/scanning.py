"""Scanning: the loops that visit the points of several domains in the lexicographic order of their dates.

Input { S_k[e] -> date_k(e) : e in domain_k }; output a tree of loops as plain data. Source: isl's AST generation
(Grosser, Verdoolaege, Cohen: Polyhedral AST generation is more than scanning polyhedra, TOPLAS 2015).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import islpy as isl

from alphaz.poly.algorithms.scan_check import visits_all
from alphaz.poly.algorithms.set_operations import disjoint_polyhedra
from alphaz.poly.ast_expression import from_isl, operands_of
from alphaz.poly.domain import Domain
from alphaz.poly.engine import CONTEXT, mangle, multi_affine, tuple_text
from alphaz.poly.plain.affine import Affine
from alphaz.poly.plain.integer_expression import Integer, IntegerConstant, IntegerName, IntegerOperation, substitute
from alphaz.poly.plain.space import SpaceMismatch
from alphaz.poly.scanned_loops import Dated, Fixed, Guard, Loop, Scanned, ScanRow, Visit


def scan_loops(
    wanted: Sequence[Dated],
    context: Domain,
    iterators: Sequence[str],
    separate: Collection[int] = (),
    whole: Collection[int] = (),
) -> Scanned:
    """Returns the loop tree. `context` has the known constraints on the parameters (a domain without dimensions).

    `iterators` has a name for each dimension of the dates, none of them a parameter. In the dimensions of `separate`,
    loops have no guards if statements overlap, at the price of more code. In those of `whole` there is one loop for
    everything, which may include values without points."""
    parameters = context.space.parameters
    for dated in wanted:
        if dated.domain.space.parameters != parameters or len(dated.date) != len(iterators):
            raise SpaceMismatch(f"{dated.domain.space}, {len(dated.date)} dimensions of {len(iterators)}")
    some = [dated for dated in wanted if not dated.domain.in_context(context).is_empty()]
    if not some:
        return ScanRow(())
    needed, known = _without_context(some, context)
    # Around tiles, one call represents all operations of a tile.
    if not whole and len(separate) < len(iterators):
        needed = [part for one in needed for part in _in_parts(one)]
    chosen = {**dict.fromkeys(whole, "atomic"), **dict.fromkeys(separate, "separate")}
    tree = _tree(_Asked.of(needed, known, iterators, chosen))
    return _with_visits(tree, lambda visit: replace(visit, at=needed[visit.at].at))


def _with_visits(node: Scanned, change: Callable[[Visit], Scanned]) -> Scanned:
    """The tree with each visit replaced."""
    match node:
        case Visit():
            return change(node)
        case ScanRow(children):
            return ScanRow(tuple(_with_visits(child, change) for child in children))
        case Guard(condition, then, otherwise):
            other = None if otherwise is None else _with_visits(otherwise, change)
            return Guard(condition, _with_visits(then, change), other)
        case Loop() | Fixed():
            return replace(node, body=_with_visits(node.body, change))


@dataclass(frozen=True, slots=True)
class _Axis:
    """A dimension of the dates, and isl's option for it, if any."""

    dimension: int
    iterator: str
    option: str | None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A scan request without its names; chains of similar nests have equal requests.

    Dimensions in which all dates have the same constant get no loops."""

    text: tuple[str, ...]
    dates: tuple[tuple[Affine, ...], ...]
    loops: tuple[_Axis, ...]
    scans: tuple[Dated, ...] = field(compare=False)
    known: Domain = field(compare=False)

    @staticmethod
    def of(scans: Sequence[Dated], known: Domain, iterators: Sequence[str], chosen: Mapping[int, str]) -> "_Asked":
        text = tuple(str(domain.set) for domain in (known, *(scan.domain for scan in scans)))
        loops = [_Axis(position, name, chosen.get(position)) for position, name in enumerate(iterators)]
        loops = [loop for loop in loops if not _is_constant(scans, loop.dimension)] or loops[:1]
        dates = tuple(tuple(scan.date[loop.dimension] for loop in loops) for scan in scans)
        return _Asked(text=text, dates=dates, loops=tuple(loops), scans=tuple(scans), known=known)

    @property
    def wanted(self) -> tuple[Dated, ...]:
        """Returns the scans with their dates in the remaining loops."""
        return tuple(replace(scan, date=date) for scan, date in zip(self.scans, self.dates, strict=True))


def _is_constant(scans: Sequence[Dated], dimension: int) -> bool:
    first = scans[0].date[dimension]
    return first.is_constant and all(scan.date[dimension] == first for scan in scans)


@lru_cache(maxsize=1024)
def _tree(asked: _Asked) -> Scanned:
    """The loops, with the scans by their numbers in the request.

    isl may fail while it merges the parts of a domain ("original tableau does not correspond to original basic map"),
    or generate loops that skip or reorder points (`alphaz.poly.algorithms.scan_check`). Then other options are tried.
    """
    dimensions = {loop.iterator: loop.dimension for loop in asked.loops}
    reader = _Reader({mangle(n): n for n in (*asked.known.space.parameters, *dimensions)}, dimensions)
    for way in _ways(asked):
        try:
            scanned = way(reader)
        except isl.Error:
            continue
        if visits_all(scanned, asked.wanted, asked.known, [loop.iterator for loop in asked.loops]):
            return scanned
    raise AssertionError("no loops of isl visit what they are for")


def _ways(asked: _Asked) -> "Iterator[Callable[[_Reader], Scanned]]":
    """The options of loop generation, and of merging the parts of a domain; finally, loops with tests."""
    yield lambda reader: _with_options(asked, reader, asked.loops, isl.Set.coalesce)
    plain = [replace(loop, option=None) for loop in asked.loops]
    yield lambda reader: _with_options(asked, reader, plain, lambda parts: parts)
    atomic = [replace(loop, option="atomic") for loop in asked.loops]
    yield lambda reader: _with_options(asked, reader, atomic, isl.Set.coalesce)
    yield lambda reader: _with_tests(asked, reader, lambda dates: dates.simple_hull().to_set())
    # The common constraints of the parts of a domain may leave it unbounded.
    yield lambda reader: _with_tests(asked, reader, isl.Set.coalesce)


def _with_options(
    asked: _Asked, reader: "_Reader", loops: Sequence[_Axis], merged: Callable[[isl.Set], isl.Set]
) -> Scanned:
    dated = [_dated(scan.domain, date, merged) for scan, date in zip(asked.scans, asked.dates, strict=True)]
    return reader.node(_build(asked.known, loops).node_from_schedule_map(_schedule(asked, dated)))


def _with_tests(asked: _Asked, reader: "_Reader", hull: Callable[[isl.Set], isl.Set]) -> Scanned:
    """Loops over the hull of the dates of a domain, where strides cannot mislead isl; tests in them decide whether an
    iteration is a date, and of which point. Raises isl.Error if two points share a date, or if the hull is
    unbounded."""
    dated = [_dated(scan.domain, date, isl.Set.coalesce) for scan, date in zip(asked.scans, asked.dates, strict=True)]
    between = [hull(map_.range().remove_divs()) for map_ in dated]
    schedule = _schedule(asked, [isl.Map.identity(s.get_space().map_from_set()).intersect_domain(s) for s in between])
    loops = [replace(loop, option=None) for loop in asked.loops]
    names = [loop.iterator for loop in loops]
    tree = reader.node(_build(asked.known, loops).node_from_schedule_map(schedule))
    points = [_point(map_, names, reader) for map_ in dated]

    def tested(visit: Visit) -> Scanned:
        date = dict(zip(names, visit.arguments, strict=True))
        condition, *point = (substitute(point, date) for point in points[visit.at])
        there = Visit(visit.at, tuple(point))
        return _where(condition, there, None)

    return _with_visits(tree, tested)


def _point(dated: isl.Map, names: Sequence[str], reader: "_Reader") -> tuple[Integer, ...]:
    """The point whose date the iterators are, with the conditions that there is one."""
    first = dated.dim(isl.dim_type.param)
    points = dated.reverse().move_dims(isl.dim_type.param, first, isl.dim_type.in_, 0, len(names)).range()
    for behind, name in enumerate(names):
        points = points.set_dim_name(isl.dim_type.param, first + behind, mangle(name))
    there = points.params()
    point, inside = isl.PwMultiAff.from_set(points), isl.AstBuild.from_context(there)
    anywhere = isl.AstBuild.from_context(isl.Set.universe(there.get_space()))
    arguments = (
        inside.expr_from_pw_aff(point.get_pw_aff(position)) for position in range(points.dim(isl.dim_type.set))
    )
    return tuple(map(reader.integer, (anywhere.expr_from_set(there), *arguments)))


def _schedule(asked: _Asked, dated: Sequence[isl.Map]) -> isl.UnionMap:
    """The scanned domains, by number, with their dates."""
    schedule = isl.UnionMap(f"{tuple_text(asked.known.space.parameters)} -> {{ }}", CONTEXT)
    for position, map_ in enumerate(dated):
        schedule = schedule.union(isl.UnionMap.from_map(map_.set_tuple_name(isl.dim_type.in_, f"S{position}")))
    return schedule


def _without_context(scans: Sequence[Dated], context: Domain) -> tuple[list[Dated], Domain]:
    """The scans without the constraints of the context, and the context without parameters on which they then do not
    depend: isl is quicker, and loops do not test known facts."""
    simplified = [replace(scan, domain=scan.domain.in_context(context).within(context)) for scan in scans]
    named = {name for one in simplified for component in one.date for name in component.names}
    named.update(name for one in simplified for name in one.domain.used)
    return [replace(one, domain=one.domain.with_only(named)) for one in simplified], context.with_only(named)


def _in_parts(one: Dated) -> Iterator[Dated]:
    """Each polyhedron of the domain as a scan of its own: isl is quicker, and tests are further outside. If the number
    of parts would grow they stay together."""
    parts = disjoint_polyhedra(one.domain)
    for part in parts if len(parts) <= one.domain.piece_count else (one.domain,):
        yield replace(one, domain=part)


def _dated(domain: Domain, date: Sequence[Affine], merged: Callable[[isl.Set], isl.Set]) -> isl.Map:
    """The scheduled domain without unknown floors, as projections have them: isl makes no loops for those. `merged`
    coalesces the parts of a domain."""
    return isl.Map.from_multi_aff(multi_affine(domain.space, date)).intersect_domain(merged(domain.set.compute_divs()))


def _build(context: Domain, loops: Sequence[_Axis]) -> isl.AstBuild:
    build = isl.AstBuild.from_context(context.set.params())
    names = isl.IdList.alloc(CONTEXT, len(loops))
    for loop in loops:
        names = names.add(isl.Id.read_from_str(CONTEXT, mangle(loop.iterator)))
    build = build.set_iterators(names)
    if any(loop.option for loop in loops):
        schedule = ", ".join(f"d{position}" for position in range(len(loops)))
        options = "; ".join(
            f"[{schedule}] -> {loop.option}[{position}]" for position, loop in enumerate(loops) if loop.option
        )
        build = build.set_options(isl.UnionMap(f"{{ {options} }}", CONTEXT))
    return build


_FOR: object = getattr(isl.ast_node_type, "for_")  # noqa: B009 (not in the stubs)
_IF: object = getattr(isl.ast_node_type, "if_")  # noqa: B009


@dataclass(frozen=True, slots=True)
class _Reader:
    """Converts isl's tree."""

    names: Mapping[str, str]
    dimensions: Mapping[str, int]

    def node(self, node: isl.AstNode) -> Scanned:
        kind: object = node.get_type()  # the stubs say int
        if kind == _FOR:
            return self._loop(node)
        if kind == _IF:
            otherwise = self.node(node.if_get_else_node()) if node.if_has_else_node() else None
            return _where(self.integer(node.if_get_cond()), self.node(node.if_get_then_node()), otherwise)
        if kind == isl.ast_node_type.block:
            children = node.block_get_children()
            return ScanRow(tuple(self.node(children.get_at(position)) for position in range(children.n_ast_node())))
        if kind == isl.ast_node_type.mark:
            return self.node(node.mark_get_node())
        return self._call(node.user_get_expr())

    def integer(self, expression: isl.AstExpr) -> Integer:
        return from_isl(expression, self.names)

    def _loop(self, node: isl.AstNode) -> Scanned:
        iterator = self.names[str(node.for_get_iterator().get_id().name)]
        dimension = self.dimensions[iterator]
        body, first = self.node(node.for_get_body()), self.integer(node.for_get_init())
        if node.for_is_degenerate():
            return Fixed(iterator, dimension, first, body)
        comparison, bound = _bound(self.integer(node.for_get_cond()), iterator)
        step = self.integer(node.for_get_inc())
        return Loop(
            iterator=iterator,
            dimension=dimension,
            first=first,
            comparison=comparison,
            bound=bound,
            step=step,
            body=body,
        )

    def _call(self, expression: isl.AstExpr) -> Visit:
        label, *arguments = operands_of(expression)
        return Visit(int(str(label.get_id().name)[1:]), tuple(self.integer(a) for a in arguments))


def _where(condition: Integer, then: Scanned, otherwise: Scanned | None) -> Scanned:
    """A conditional; isl sometimes tests the constant 1."""
    return then if condition == IntegerConstant(1) else Guard(condition, then, otherwise)


def _bound(condition: Integer, iterator: str) -> tuple[str, Integer]:
    """isl always writes `iterator <= bound` or `iterator < bound` (its option atomic_upper_bound)."""
    match condition:
        case IntegerOperation("<" | "<=" as comparison, (IntegerName(name), bound)) if name == iterator:
            return comparison, bound
    raise AssertionError(f"not a bound of {iterator}: {condition}")
