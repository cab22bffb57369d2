"""Exact array dataflow (Feautrier, IJPP 1991), by isl: the last write before each read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import islpy as isl

from alphaz.poly.algorithms.congruence import Remainder, with_remainders
from alphaz.poly.algorithms.functional_relations import graph_equalities, graphs
from alphaz.poly.domain import Domain
from alphaz.poly.function import AffineFunction
from alphaz.poly.plain.affine import Affine, equal
from alphaz.poly.plain.solve import solve
from alphaz.poly.plain.space import Space, fresh_names

# Limits of divisors and of nested divisions: larger ones have too many remainders.
_LARGEST = 8
_DEEPEST = 2


class NotAffine(Exception):
    """The source of a read is not an affine function of the read."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """An affine expression divided by a positive integer; its value is an integer on its domain."""

    affine: Affine
    divisor: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class FlowAccess:
    """An access: each point of the domain touches one cell of an array, at one date. `kept` are the names of the domain
    that determine the others; dates are over them, cells over all. All dates have the same number of components."""

    domain: Domain
    kept: tuple[str, ...]
    date: tuple[Affine, ...]
    cell: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FlowOrigin:
    """The source of the reads in `where`, over the kept names of the reader: the number of the write and its point,
    over its kept names. Without an earlier write: None, and the cell, if it has an initial value."""

    where: Domain
    writer: int | None
    point: tuple[Ratio, ...] = ()


def origins(reader: FlowAccess, writers: Sequence[FlowAccess], is_filled: bool) -> tuple[FlowOrigin, ...]:
    """Returns the last write before each read to the cell that it reads; the parts are disjoint. `is_filled`: the cells
    have values before all writes. Raises NotAffine."""
    sink = _accesses(reader).set_tuple_name(isl.dim_type.in_, "R").to_union_map()
    order = _dated(reader).set_tuple_name(isl.dim_type.in_, "R").to_union_map()
    accesses = _accesses(reader).subtract(_accesses(reader)).set_tuple_name(isl.dim_type.in_, "R").to_union_map()
    for number, writer in enumerate(writers):
        accesses = accesses.union(_accesses(writer).set_tuple_name(isl.dim_type.in_, f"W{number}").to_union_map())
        order = order.union(_dated(writer).set_tuple_name(isl.dim_type.in_, f"W{number}").to_union_map())
    flow = isl.UnionAccessInfo.from_sink(sink).set_must_source(accesses).set_schedule_map(order).compute_flow()
    space = reader.domain.space.with_names(reader.kept)
    flow_origins: list[FlowOrigin] = []
    for relation in _maps(flow.get_must_dependence()):
        number = int(relation.get_tuple_name(isl.dim_type.in_)[1:])
        flow_origins += _parts(relation.reverse(), space, number)
    for relation in _maps(flow.get_must_no_source()):
        where = Domain(space, relation.domain().reset_tuple_id().coalesce()).renamed(space.names)
        if is_filled:
            flow_origins += _parts(relation, space, None)
        elif not where.is_empty():
            flow_origins.append(FlowOrigin(where, None))
    return tuple(flow_origins)


def _accesses(touch: FlowAccess) -> isl.Map:
    cells = AffineFunction(touch.domain.space, touch.cell).to_map().intersect_domain(touch.domain.set)
    return _of_kept(cells, touch).set_tuple_name(isl.dim_type.out, "A")


def _dated(touch: FlowAccess) -> isl.Map:
    return AffineFunction(touch.domain.space.with_names(touch.kept), touch.date).to_map()


def _of_kept(relation: isl.Map, touch: FlowAccess) -> isl.Map:
    for position, name in reversed(list(enumerate(touch.domain.space.names))):
        if name not in touch.kept:
            relation = relation.project_out(isl.dim_type.in_, position, 1)
    return relation


def _maps(relation: isl.UnionMap) -> list[isl.Map]:
    maps: list[isl.Map] = []
    relation.foreach_map(maps.append)
    return maps


def _parts(relation: isl.Map, source: Space, number: int | None, depth: int = 0) -> list[FlowOrigin]:
    outputs = fresh_names(relation.dim(isl.dim_type.out), "y", (*source.parameters, *source.names))
    space = source.with_names((*source.names, *outputs))
    plain = relation.reset_tuple_id(isl.dim_type.in_).reset_tuple_id(isl.dim_type.out)
    flow_origins = []
    for where, graph in graphs(plain):
        domain = Domain(source, where).renamed(source.names)
        equalities = graph_equalities(graph, space)
        solution = solve(equalities, outputs)
        if solution is not None:
            ratios: tuple[Ratio, ...] | None = tuple(Ratio(solution[n]) for n in outputs)
        else:
            ratios = _rational(equalities, outputs) if number is not None else None
        if ratios is not None:
            flow_origins.append(FlowOrigin(domain, number, ratios))
            continue
        if depth == _DEEPEST:
            raise NotAffine(str(relation))
        for part in _by_remainder(Domain(space, graph).renamed(space.names), domain):
            flow_origins += _parts(plain.intersect_domain(part.set), source, number, depth + 1)
    return flow_origins


def _by_remainder(graph: Domain, domain: Domain) -> Iterator[Domain]:
    """The parts of the domain on which the dividends of the graph have one remainder. Raises NotAffine."""
    known = {*domain.space.parameters, *domain.space.names}
    divided = next(_divisions_in(graph, known), None)
    if divided is None:
        raise NotAffine(str(graph))
    (name,) = fresh_names(1, "rest", known)
    affine, divisor = divided
    points = with_remainders(domain.space, [Remainder(name, affine, divisor)])
    for rest in range(divisor):
        own = Domain.where(points.space, [equal(Affine.name(name), rest)])
        part = domain & (points & own).onto(domain.space.names)
        if not part.is_empty():
            yield part


def _divisions_in(graph: Domain, known: set[str]) -> Iterator[tuple[Affine, int]]:
    """The divisions of a graph: dividend and divisor of a floor (possibly plus values), of the factor of a value
    between two bounds, or of a bound of a value that has a remainder itself."""
    for piece in graph.pieces():
        divisors: dict[str, int] = {}
        for floor in piece.floors:
            values = [name for name in floor.affine.names if name not in known]
            affine = floor.affine.substitute(dict.fromkeys(values, Affine()))
            if floor.denominator <= _LARGEST:
                divisors |= dict.fromkeys(values, floor.denominator)
                yield from ((affine, floor.denominator),) if not affine.is_constant else ()
        for constraint in piece.constraints:
            values = [name for name in constraint.affine.names if name not in known]
            if len(values) != 1:
                continue
            affine = constraint.affine.substitute({values[0]: Affine()})
            factor = abs(constraint.affine.coefficient(values[0]))
            divisor = factor if factor > 1 else divisors.get(values[0], 1)
            if 1 < divisor <= _LARGEST and not affine.is_constant:
                yield affine, divisor


def _rational(equalities: Sequence[Affine], wanted: Sequence[str]) -> tuple[Ratio, ...] | None:
    """The solution as in `solve`, with divisions of integers."""
    others = sorted({name for equality in equalities for name in equality.names} - {*wanted})
    columns = [*wanted, *others]
    rows = [[Fraction(v) for v in (*(e.coefficient(n) for n in columns), e.constant)] for e in equalities]
    for column in range(len(wanted)):
        pivot = next((row for row in rows[column:] if row[column]), None)
        if pivot is None:
            return None
        rows = [row for row in rows if row is not pivot]
        rows.insert(column, [value / pivot[column] for value in pivot])
        rows = [
            row if position == column else [a - row[column] * b for a, b in zip(row, rows[column], strict=True)]
            for position, row in enumerate(rows)
        ]
    return tuple(_ratio([-value for value in row[len(wanted) :]], others) for row in rows[: len(wanted)])


def _ratio(values: Sequence[Fraction], names: Sequence[str]) -> Ratio:
    divisor = lcm(*(value.denominator for value in values))
    *terms, constant = (int(value * divisor) for value in values)
    return Ratio(Affine.of(zip(names, terms, strict=True), constant), divisor)
